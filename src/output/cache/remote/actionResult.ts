// The messages of the Bazel remote cache that an entry needs, as protocol buffers (build.bazel.remote.execution.v2): an
// ActionResult with one OutputFile, whose Digest names the bytes. What proves who wrote it stands in stdout_raw.
//
//   ActionResult  output_files = 2 (OutputFile), exit_code = 4 (int32, 0 is left out), stdout_raw = 5 (bytes)
//   OutputFile    path = 1 (string), digest = 2 (Digest)
//   Digest        hash = 1 (string, hexadecimal), size_bytes = 2 (int64)

export interface ActionResult {
  readonly path: string;
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly hash: string;
  readonly size: number;
  readonly stdout: Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return bytes;
}

const tag = (field: number, wire: number): number[] => varint(field * 8 + wire);
const bytesField = (field: number, bytes: Iterable<number>, length: number): number[] => [
  ...tag(field, BYTES),
  ...varint(length),
  ...bytes,
];
const textField = (field: number, text: string): number[] => {
  const bytes = Buffer.from(text);
  return bytesField(field, bytes, bytes.length);
};

export function encodeActionResult({ path, hash, size, stdout }: ActionResult): Uint8Array {
  const digest = [...textField(1, hash), ...tag(2, VARINT), ...varint(size)];
  const file = [...textField(1, path), ...bytesField(2, digest, digest.length)];
  const proof = stdout.length > 0 ? bytesField(5, stdout, stdout.length) : [];
  return Uint8Array.from([...bytesField(2, file, file.length), ...proof]);
}

/** A field: its number, and its value or bytes; null for kinds that no field of ours has. */
type Field = readonly [number: number, value: number | Uint8Array | null];

/** The fields of a message; null: it is none. */
function fieldsOf(bytes: Uint8Array): Field[] | null {
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      // Ten bytes are the most that a varint has; what does not fit a number exactly is no size of ours.
      if (at >= bytes.length || factor > 128 ** 9) return -1;
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const fields: Field[] = [];
  while (at < bytes.length) {
    const head = readVarint();
    if (head < 8) return null;
    const number = Math.floor(head / 8);
    const wire = head % 8;
    if (wire === VARINT) {
      const value = readVarint();
      if (value < 0) return null;
      fields.push([number, value]);
    } else if (wire === BYTES) {
      const length = readVarint();
      if (length < 0 || at + length > bytes.length) return null;
      fields.push([number, bytes.subarray(at, at + length)]);
      at += length;
    } else if (wire === FIXED64 || wire === FIXED32) {
      at += wire === FIXED64 ? 8 : 4;
      if (at > bytes.length) return null;
      fields.push([number, null]);
    } else return null;
  }
  return fields;
}

const last = (fields: readonly Field[], wanted: number) => fields.findLast(([number]) => number === wanted)?.[1];

function messageOf(fields: readonly Field[], number: number): Field[] | null {
  const value = last(fields, number);
  return value instanceof Uint8Array ? fieldsOf(value) : null;
}

function textOf(fields: readonly Field[], number: number): string | null {
  const value = last(fields, number);
  return value instanceof Uint8Array ? Buffer.from(value).toString() : null;
}

/** Null for bytes that are no ActionResult with one file and a Digest. */
export function decodeActionResult(bytes: Uint8Array): ActionResult | null {
  const fields = fieldsOf(bytes);
  if (fields === null || fields.filter(([number]) => number === 2).length !== 1) return null;
  const file = messageOf(fields, 2);
  const digest = file && messageOf(file, 2);
  if (!file || !digest) return null;
  const path = textOf(file, 1);
  const hash = textOf(digest, 1);
  const size = last(digest, 2) ?? 0;
  const stdout = last(fields, 5) ?? new Uint8Array(0);
  if (path === null || hash === null || !/^[0-9a-f]{64}$/.test(hash)) return null;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || !(stdout instanceof Uint8Array)) return null;
  return { path, hash, size, stdout };
}
