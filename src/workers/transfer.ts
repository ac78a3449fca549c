// Passes values to other threads: finds the buffers that can be transferred, and copies arrays that stay in use here.

/** Visits every typed array of plain data; each once. */
function visitArrays(value: unknown, visit: (array: NodeJS.TypedArray) => void, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    if (!(value instanceof DataView)) visit(value as NodeJS.TypedArray);
  } else if (value instanceof Map) {
    for (const item of value.values()) visitArrays(item, visit, seen);
  } else if (Array.isArray(value)) {
    // Most arrays hold numbers: no call for each of them.
    for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object') visitArrays(value[i], visit, seen);
  } else {
    for (const item of Object.values(value)) if (typeof item === 'object') visitArrays(item, visit, seen);
  }
}

/** The buffers to transfer with a value whose arrays this thread does not use again: those that one array fills entirely. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = ({ buffer, byteLength }: NodeJS.TypedArray) => {
    if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength > 0) buffers.add(buffer);
  };
  visitArrays(value, visit, new Set());
  return [...buffers];
}

/** Arrays up to this many bytes share a buffer: a buffer of its own costs far more than what such an array holds. */
const SMALL_BYTES = 4096;
/** A buffer stays as long as any array over it does, so it is small against what a thread keeps. */
const SHARED_BYTES = 65536;
/** Where an array of any kind may begin. */
const ALIGNMENT = 8;

/** Copies arrays, small ones into buffers that they share. */
class ArrayCopies {
  #buffer = new ArrayBuffer(0);
  #at = 0;

  copy(array: NodeJS.TypedArray): NodeJS.TypedArray {
    const { byteLength, length } = array;
    // A Buffer may lie in a pool that others use.
    const Kind = (Buffer.isBuffer(array) ? Uint8Array : array.constructor) as new (
      ...from: unknown[]
    ) => NodeJS.TypedArray;
    if (byteLength === 0 || byteLength > SMALL_BYTES) return new Kind(array);
    if (this.#at + byteLength > this.#buffer.byteLength) {
      this.#buffer = new ArrayBuffer(SHARED_BYTES);
      this.#at = 0;
    }
    const copy = new Kind(this.#buffer, this.#at, length);
    (copy as Uint8Array).set(array as Uint8Array);
    this.#at += Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;
    return copy;
  }
}

/**
 * A copy of plain data whose arrays belong to it alone, and the buffers of these arrays, which can be transferred with it.
 * An object that the value holds several times is one object in the copy too.
 */
export function withOwnArrays<T>(value: T): { readonly copy: T; readonly buffers: ArrayBuffer[] } {
  const copies = new Map<object, unknown>();
  const arrays = new ArrayCopies();
  const buffers = new Set<ArrayBuffer>();
  const copyOf = (from: unknown): unknown => {
    if (typeof from !== 'object' || from === null) return from;
    const known = copies.get(from);
    if (known !== undefined) return known;
    let copy: unknown;
    if (ArrayBuffer.isView(from) && from.buffer instanceof SharedArrayBuffer) {
      // All threads read the same.
      copy = from;
    } else if (ArrayBuffer.isView(from)) {
      const array = arrays.copy(from as NodeJS.TypedArray);
      if (array.byteLength > 0) buffers.add(array.buffer as ArrayBuffer);
      copy = array;
    } else if (from instanceof Map) {
      const map = new Map<unknown, unknown>();
      for (const [key, item] of from) map.set(key, copyOf(item));
      copy = map;
    } else if (Array.isArray(from)) {
      // Most arrays hold numbers: no call for each of them.
      const list = from.slice();
      for (let i = 0; i < list.length; i++) if (typeof list[i] === 'object') list[i] = copyOf(list[i]);
      copy = list;
    } else {
      const object: Record<string, unknown> = {};
      for (const key of Object.keys(from)) object[key] = copyOf((from as Record<string, unknown>)[key]);
      copy = object;
    }
    copies.set(from, copy);
    return copy;
  };
  return { copy: copyOf(value) as T, buffers: [...buffers] };
}
