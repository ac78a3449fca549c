// What the writer makes of records, strings and arrays before a chunk has its place in the file.

import { type Compression, NONE } from '../types.ts';
import { encodeRecord, type RecordKind, type RecordOf, recordSize } from './layout.ts';

/** NUL-terminated UTF-8 strings, each once, in order of first use. */
export class StringTable {
  readonly #encoder = new TextEncoder();
  readonly #offsets = new Map<string, number>();
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Offset of the string; NONE for an empty one. A NUL would end the string early: it becomes U+FFFD, as a lone surrogate does. */
  add(text: string): number {
    const value = text.replaceAll('\0', '\uFFFD');
    if (value === '') return NONE;
    const known = this.#offsets.get(value);
    if (known !== undefined) return known;
    const offset = this.#length;
    const bytes = this.#encoder.encode(value);
    this.#parts.push(bytes);
    this.#length += bytes.length + 1;
    this.#offsets.set(value, offset);
    return offset;
  }

  bytes(): Uint8Array {
    const table = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      table.set(part, at);
      at += part.length + 1;
    }
    return table;
  }
}

export function tableBytes<R extends RecordKind>(
  kind: R,
  version: number,
  records: readonly RecordOf<R>[],
): Uint8Array {
  const size = recordSize(kind, version);
  const bytes = new Uint8Array(size * records.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < records.length; i++) encodeRecord(kind, version, records[i], view, i * size);
  return bytes;
}

/** A chunk without an offset yet. `parts` follow each other. */
export interface Chunk {
  readonly type: number;
  readonly compression: Compression;
  readonly parts: readonly Uint8Array[];
  readonly size: number;
  readonly uncompressedSize: number;
  readonly elementCount: number;
}

export const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0);

export function plainChunk(type: number, parts: readonly Uint8Array[], elementCount = 0): Chunk {
  const size = sizeOf(parts);
  return { type, compression: 'none', parts, size, uncompressedSize: size, elementCount };
}

/** The arrays of one chunk, one after another, each once: the same array given again gets the same offset. */
export class GeometryParts<T extends ArrayBufferView> {
  readonly #places = new Map<T, number>();
  readonly parts: Uint8Array[] = [];
  bytes = 0;

  /** Byte offset of the array in the chunk. */
  place(array: T): number {
    const known = this.#places.get(array);
    if (known !== undefined) return known;
    const offset = this.bytes;
    this.#places.set(array, offset);
    this.parts.push(bytesOf(array));
    this.bytes += array.byteLength;
    return offset;
  }
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
