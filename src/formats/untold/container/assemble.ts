// The outer structure of a .untold file as it is written: chunks at their places, the chunk table and the header with the hash
// over what is stored. It knows nothing of records but those two.

import type { Compressor, FileType } from '../types.ts';
import { type Chunk, plainChunk, sizeOf } from './chunks.ts';
import { packZstd } from './compress.ts';
import { contentHash } from './container.ts';
import { encodeRecord, type RecordOf, recordSize } from './layout.ts';
import { packLz4, packLz4Fast } from './lz4.ts';
import {
  CHUNK_ALIGNMENT,
  CHUNK_ENTRY,
  COMPRESSIONS,
  enumNumber,
  FILE_TYPES,
  HEADER,
  MAGIC,
  VERTEX_LAYOUT_PBR_STATIC_V1,
} from './records.ts';

/** What the header of a file says of its content. */
export interface FileFacts
  extends Pick<
    RecordOf<typeof HEADER>,
    | 'flags'
    | 'meshCount'
    | 'materialCount'
    | 'textureRefCount'
    | 'entityCount'
    | 'worldBoundsMin'
    | 'worldBoundsMax'
    | 'rootTransform'
  > {
  readonly fileType: FileType;
}

function contiguous(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const PACKERS = { lz4: packLz4, 'lz4-fast': packLz4Fast, zstd: packZstd };

/** Compressed only where that makes the chunk smaller; an empty chunk never is (the engine crashes on it). */
export async function geometryChunk(type: number, parts: readonly Uint8Array[], wanted: Compressor): Promise<Chunk> {
  const plain = plainChunk(type, parts);
  if (wanted === 'none' || plain.size === 0) return plain;
  const raw = contiguous(parts);
  const packed = await PACKERS[wanted](raw);
  if (packed === null || packed.length >= plain.size) return plain;
  return { ...plain, compression: wanted === 'lz4-fast' ? 'lz4' : wanted, parts: [packed], size: packed.length };
}

export const align = (at: number): number => Math.ceil(at / CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT;

/** Places the chunks, writes header and table, hashes what is stored. */
export function assemble({ fileType, ...facts }: FileFacts, version: number, chunks: readonly Chunk[]): Uint8Array {
  const headerSize = recordSize(HEADER, version);
  const entrySize = recordSize(CHUNK_ENTRY, version);
  const offsets: number[] = [];
  let end = headerSize + entrySize * chunks.length;
  for (const { size } of chunks) {
    offsets.push(align(end));
    end = align(end) + size;
  }
  const file = new Uint8Array(end);
  const view = new DataView(file.buffer);
  chunks.forEach((chunk, i) => {
    let at = offsets[i];
    for (const part of chunk.parts) {
      file.set(part, at);
      at += part.length;
    }
    const entry = {
      chunkType: chunk.type,
      compressionType: enumNumber(COMPRESSIONS, chunk.compression),
      fileOffset: offsets[i],
      compressedSize: chunk.size,
      uncompressedSize: chunk.uncompressedSize,
      elementCount: chunk.elementCount,
      reserved0: 0,
    };
    encodeRecord(CHUNK_ENTRY, version, entry, view, headerSize + i * entrySize);
  });
  const stored = chunks.map(({ type, size }, i) => ({ type, bytes: file.subarray(offsets[i], offsets[i] + size) }));
  const header: RecordOf<typeof HEADER> = {
    ...facts,
    magic: MAGIC,
    formatVersion: version,
    fileType: enumNumber(FILE_TYPES, fileType),
    headerSize,
    chunkCount: chunks.length,
    vertexLayout: VERTEX_LAYOUT_PBR_STATIC_V1,
    reserved0: 0,
    contentHash: Array.from(contentHash(stored)),
    reserved1: new Array<number>(32).fill(0),
  };
  encodeRecord(HEADER, version, header, view, 0);
  return file;
}
