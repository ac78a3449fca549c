// Values that change threads: which buffers go along instead of being copied, and copies of arrays that stay in use.

/** Visits every typed array of plain data; each once. */
function visitArrays(value: unknown, visit: (array: NodeJS.TypedArray) => void, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    if (!(value instanceof DataView)) visit(value as NodeJS.TypedArray);
  } else if (value instanceof Map) {
    for (const item of value.values()) visitArrays(item, visit, seen);
  } else {
    for (const item of Object.values(value)) visitArrays(item, visit, seen);
  }
}

/** The buffers of a value whose arrays nobody on this side uses again: those that an array fills whole. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = ({ buffer, byteLength }: NodeJS.TypedArray) => {
    if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength > 0) buffers.add(buffer);
  };
  visitArrays(value, visit, new Set());
  return [...buffers];
}

/** The same plain data over arrays of its own, each as long as what it holds. */
export function withOwnArrays<T>(value: T, copies: Map<unknown, unknown> = new Map()): T {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known as T;
  let copy: unknown;
  if (ArrayBuffer.isView(value)) {
    const Kind = value.constructor as new (source: unknown) => unknown;
    // A Buffer may lie in a pool that others use.
    copy = Buffer.isBuffer(value) ? new Uint8Array(value) : new Kind(value);
  } else if (value instanceof Map) {
    copy = new Map([...value].map(([key, item]) => [key, withOwnArrays(item, copies)]));
  } else if (Array.isArray(value)) {
    copy = value.map((item) => withOwnArrays(item, copies));
  } else {
    copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOwnArrays(item, copies)]));
  }
  copies.set(value, copy);
  return copy as T;
}
