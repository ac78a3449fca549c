// Takes a .untold file apart and puts it together again, with offsets and sizes written out by hand from the format
// text: an opinion of its own, so that the tests do not ask the code under test where things are.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/untold');

export const FIXTURE_NAMES = [1, 2, 3, 4].flatMap((v) => [`valid-v${v}-none.untold`, `valid-v${v}-lz4.untold`]);

/** A fixture in a buffer of its own. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(resolve(FIXTURES, name)));
}

export interface EditChunk {
  type: number;
  compression: number;
  /** As stored. */
  bytes: Uint8Array;
  uncompressedSize: number;
  elementCount: number;
  /** Replaces the size in the table. */
  compressedSize?: number;
  /** Replaces the next multiple of 16. */
  offset?: number;
}

export interface Edit {
  header: Uint8Array;
  chunks: EditChunk[];
  /** Leave the hash as it is in the header. */
  keepHash?: boolean;
}

export const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

export function takeApart(file: Uint8Array): Edit {
  const v = view(file);
  const chunks: EditChunk[] = [];
  for (let i = 0; i < v.getUint32(24, true); i++) {
    const at = 204 + i * 40;
    const offset = v.getUint32(at + 8, true);
    const size = v.getUint32(at + 16, true);
    chunks.push({
      type: v.getUint32(at, true),
      compression: v.getUint32(at + 4, true),
      bytes: file.slice(offset, offset + size),
      uncompressedSize: v.getUint32(at + 24, true),
      elementCount: v.getUint32(at + 32, true),
    });
  }
  return { header: file.slice(0, 204), chunks };
}

export function putTogether({ header, chunks, keepHash }: Edit): Uint8Array {
  const places: number[] = [];
  let end = 204 + chunks.length * 40;
  for (const chunk of chunks) {
    const place = chunk.offset ?? Math.ceil(end / 16) * 16;
    places.push(place);
    end = Math.max(end, place + chunk.bytes.length);
  }
  const file = new Uint8Array(end);
  file.set(header, 0);
  const v = view(file);
  v.setUint32(24, chunks.length, true);
  chunks.forEach((chunk, i) => {
    const at = 204 + i * 40;
    v.setUint32(at, chunk.type, true);
    v.setUint32(at + 4, chunk.compression, true);
    v.setBigUint64(at + 8, BigInt(places[i]), true);
    v.setBigUint64(at + 16, BigInt(chunk.compressedSize ?? chunk.bytes.length), true);
    v.setBigUint64(at + 24, BigInt(chunk.uncompressedSize), true);
    v.setUint32(at + 32, chunk.elementCount, true);
    file.set(chunk.bytes, places[i]);
  });
  if (!keepHash) {
    const hash = createHash('sha256');
    const order = chunks.map((chunk, i) => ({ type: chunk.type, i })).sort((a, b) => a.type - b.type || a.i - b.i);
    for (const { i } of order) hash.update(chunks[i].bytes);
    file.set(hash.digest(), 140);
  }
  return file;
}

export function chunk(edit: Edit, type: number): EditChunk {
  const found = edit.chunks.find((c) => c.type === type);
  if (!found) throw new Error(`no chunk ${type}`);
  return found;
}

/** Replaces a payload, uncompressed. */
export function setPayload(target: EditChunk, bytes: Uint8Array, elementCount = target.elementCount): void {
  target.bytes = bytes;
  target.compression = 0;
  target.uncompressedSize = bytes.length;
  target.elementCount = elementCount;
}

export function addChunk(edit: Edit, type: number, bytes: Uint8Array, elementCount = 0): EditChunk {
  const added = { type, compression: 0, bytes, uncompressedSize: bytes.length, elementCount };
  edit.chunks.push(added);
  return added;
}

export const concat = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
export const u8 = (...values: number[]): Uint8Array => Uint8Array.from(values);
export const u16 = (...values: number[]): Uint8Array => new Uint8Array(Uint16Array.from(values).buffer);
export const u32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);
export const f32 = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
export const u64 = (...values: number[]): Uint8Array => new Uint8Array(BigUint64Array.from(values.map(BigInt)).buffer);
export const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value, 'utf8'));
export const NONE = 0xffffffff;
export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
