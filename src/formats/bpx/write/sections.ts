// What the writers of all kinds need: records and arrays as the bytes of a section.

import { encodeRecord, type RecordKind, type RecordOf } from '../../untold/container/layout.ts';
import { LAYOUT_VERSION } from '../container/layout.ts';
import { bytesOf } from '../records.ts';

export function recordBytes<R extends RecordKind>(kind: R, values: RecordOf<R>): Uint8Array {
  const bytes = new Uint8Array(bytesOf(kind));
  encodeRecord(kind, LAYOUT_VERSION, values, new DataView(bytes.buffer), 0);
  return bytes;
}

export function joined(parts: readonly ArrayBufferView[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    all.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return all;
}

export const zeros = (count: number): number[] => Array<number>(count).fill(0);

export interface PackOptions {
  /** Sections that get smaller by it are packed with zlib. */
  readonly isPacked?: boolean;
}
