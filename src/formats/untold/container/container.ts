// The outer structure of a .untold file: header, chunk table, stored and unpacked payloads. Checks sizes and offsets, not
// what the records mean. Every broken rule becomes a finding, and reading goes on as far as possible, so that one call
// finds as much as it can. Rules: the format text, "Validation Rules", and what the engine's reader refuses.

import { createHash } from 'node:crypto';
import { hexOf } from '../../../bytes/hex.ts';
import type { Findings } from '../../findings.ts';
import type { Compression, FileType } from '../types.ts';
import { MAX_UNPACKED_BYTES, type Unpacked, unpackLz4, unpackZstd } from './compress.ts';
import { decodeRecord, MAX_VERSION, MIN_VERSION, type RecordOf, recordSize } from './layout.ts';
import {
  CHUNK,
  CHUNK_ALIGNMENT,
  CHUNK_ENTRY,
  CHUNKS,
  COMPRESSIONS,
  chunkKind,
  chunkName,
  FILE_TYPES,
  FIRST_PLUGIN_CHUNK,
  HEADER,
  MAGIC,
  REQUIRED_ANIMATION_CHUNKS,
  REQUIRED_CHUNKS,
  VERTEX_LAYOUT_PBR_STATIC_V1,
} from './records.ts';

export type Header = RecordOf<typeof HEADER>;

/** An entry of the chunk table. */
export interface ChunkEntry {
  readonly type: number;
  readonly name: string;
  /** Null for a value that is no compression. */
  readonly compression: Compression | null;
  readonly fileOffset: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  readonly elementCount: number;
}

export interface PluginEnvelope {
  readonly type: number;
  readonly id: string;
  readonly kind: number;
  readonly version: number;
}

export interface Container {
  readonly bytes: Uint8Array;
  readonly header: Header;
  /** Null for an unknown type. */
  readonly fileType: FileType | null;
  /** In the order of the table. */
  readonly entries: readonly ChunkEntry[];
  /** Unpacked payloads of the chunks known by name, by type; views of `bytes` where nothing is compressed. */
  readonly payloads: ReadonlyMap<number, Uint8Array>;
  readonly plugins: readonly PluginEnvelope[];
}

export interface ContainerOptions {
  /** zstd is an error, as it is for the engine. */
  readonly engine: boolean;
  /** Unpack only these chunk types and leave the content hash alone; undefined: everything. */
  readonly only?: readonly number[];
}

const HEADER_SIZE = recordSize(HEADER, MIN_VERSION);
const ENTRY_SIZE = recordSize(CHUNK_ENTRY, MIN_VERSION);

function readHeader(bytes: Uint8Array, findings: Findings): Header | null {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    findings.report('UC3000', 'header', 'the first eight bytes are not "UNTOLD\\0\\0"');
    return null;
  }
  if (bytes.length < HEADER_SIZE) {
    findings.report(
      'UC3001',
      'header',
      `file shorter than its header: ${bytes.length} bytes are less than the ${HEADER_SIZE} of the header`,
    );
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const header = decodeRecord(HEADER, MIN_VERSION, view, 0);
  const { formatVersion, fileType, vertexLayout, headerSize } = header;
  if (!(fileType in FILE_TYPES)) findings.report('UC3003', 'header', `unknown file type: file type ${fileType}`);
  if (vertexLayout !== VERTEX_LAYOUT_PBR_STATIC_V1) {
    findings.report('UC3003', 'header', `unknown vertex layout: vertex layout ${vertexLayout}`);
  }
  if (headerSize !== HEADER_SIZE)
    findings.report('UC3003', 'header', `header size is not 204: header size ${headerSize}`);
  if (header.flags !== 0) findings.report('UC3033', 'header', `flags 0x${header.flags.toString(16)}`);
  if (formatVersion < MIN_VERSION || formatVersion > MAX_VERSION) {
    findings.report('UC3002', 'header', `format version ${formatVersion}`);
    return null;
  }
  return header;
}

function readEntries(bytes: Uint8Array, header: Header, findings: Findings): ChunkEntry[] {
  const room = Math.floor((bytes.length - HEADER_SIZE) / ENTRY_SIZE);
  if (header.chunkCount > room) {
    findings.report(
      'UC3001',
      'chunk table',
      `chunk table cut off: ${header.chunkCount} chunks stated, room for ${room}`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: ChunkEntry[] = [];
  for (let i = 0; i < Math.min(room, header.chunkCount); i++) {
    const raw = decodeRecord(CHUNK_ENTRY, MIN_VERSION, view, HEADER_SIZE + i * ENTRY_SIZE);
    entries.push({
      type: raw.chunkType,
      name: chunkName(raw.chunkType),
      compression: (COMPRESSIONS as Readonly<Record<number, Compression>>)[raw.compressionType] ?? null,
      fileOffset: raw.fileOffset,
      compressedSize: raw.compressedSize,
      uncompressedSize: raw.uncompressedSize,
      elementCount: raw.elementCount,
    });
    if (!(raw.compressionType in COMPRESSIONS)) {
      findings.report(
        'UC3003',
        `chunk ${chunkName(raw.chunkType)}`,
        `unknown compression: compression ${raw.compressionType}`,
      );
    }
  }
  return entries;
}

/** Checks each entry; gives those whose stored bytes exist and that no other entry names. */
function checkEntries(bytes: Uint8Array, entries: readonly ChunkEntry[], findings: Findings): Set<ChunkEntry> {
  const sound = new Set<ChunkEntry>();
  const types = new Set<number>();
  for (const entry of entries) {
    const place = `chunk ${entry.name}`;
    if (types.has(entry.type))
      findings.report('UC3009', place, `chunk type listed twice: chunk type ${entry.type} stands in the table twice`);
    types.add(entry.type);
    if (entry.fileOffset % CHUNK_ALIGNMENT !== 0)
      findings.report('UC3009', place, `chunk not aligned to 16 bytes: starts at ${entry.fileOffset}`);
    if (entry.compression === 'none' && entry.compressedSize !== entry.uncompressedSize) {
      findings.report(
        'UC3009',
        place,
        `sizes differ though the chunk is not compressed: stored ${entry.compressedSize}, unpacked ${entry.uncompressedSize}`,
      );
    }
    if (entry.compression !== 'none' && entry.uncompressedSize === 0) {
      findings.report(
        'UC3009',
        place,
        `empty chunk is compressed: ${entry.compression ?? 'unknown'} compression of nothing`,
      );
    }
    if (entry.fileOffset + entry.compressedSize > bytes.length) {
      findings.report(
        'UC3001',
        place,
        `chunk reaches beyond the end of the file: ${entry.compressedSize} bytes from ${entry.fileOffset} on, the file ends at ${bytes.length}`,
      );
    } else {
      sound.add(entry);
    }
  }
  const ordered = [...sound].filter((e) => e.compressedSize > 0).sort((a, b) => a.fileOffset - b.fileOffset);
  let end = HEADER_SIZE + entries.length * ENTRY_SIZE;
  let before = 'the chunk table';
  for (const entry of ordered) {
    if (entry.fileOffset < end) {
      findings.report(
        'UC3009',
        `chunk ${entry.name}`,
        `chunks overlap: starts at ${entry.fileOffset}, inside ${before}`,
      );
      sound.delete(entry);
    }
    if (entry.fileOffset + entry.compressedSize > end) {
      end = entry.fileOffset + entry.compressedSize;
      before = `chunk ${entry.name}`;
    }
  }
  return sound;
}

function checkRequired(entries: readonly ChunkEntry[], fileType: FileType | null, findings: Findings): void {
  if (fileType === null) return;
  const present = new Set(entries.map((entry) => entry.type));
  for (const type of fileType === 'animation' ? REQUIRED_ANIMATION_CHUNKS : REQUIRED_CHUNKS) {
    if (!present.has(type))
      findings.report('UC3009', `chunk ${chunkName(type)}`, 'required chunk missing: not in the chunk table');
  }
}

const stored = (bytes: Uint8Array, { fileOffset, compressedSize }: ChunkEntry): Uint8Array =>
  bytes.subarray(fileOffset, fileOffset + compressedSize);

/** SHA-256 over the stored bytes of every chunk, in ascending type; nothing between or before them. */
export function contentHash(parts: readonly { readonly type: number; readonly bytes: Uint8Array }[]): Uint8Array {
  const hash = createHash('sha256');
  for (const { bytes } of [...parts].sort((a, b) => a.type - b.type)) hash.update(bytes);
  return hash.digest();
}

function checkHash(bytes: Uint8Array, header: Header, entries: readonly ChunkEntry[], findings: Findings): void {
  const expected = header.contentHash;
  if (expected.every((byte) => byte === 0)) {
    findings.report('UC3016', 'header', 'the content hash is zero');
    return;
  }
  const actual = contentHash(entries.map((entry) => ({ type: entry.type, bytes: stored(bytes, entry) })));
  if (expected.some((byte, i) => byte !== actual[i])) {
    findings.report(
      'UC3015',
      'header',
      `header ${hexOf(expected.slice(0, 4))}…, chunks ${hexOf(actual.subarray(0, 4))}…`,
    );
  }
}

async function unpack(bytes: Uint8Array, entry: ChunkEntry, findings: Findings): Promise<Uint8Array | null> {
  const block = stored(bytes, entry);
  if (entry.compression === null) return null;
  if (entry.compression === 'none') return block;
  if (entry.uncompressedSize === 0) return null;
  let result: Unpacked;
  if (entry.compression === 'lz4') result = unpackLz4(block, entry.uncompressedSize);
  else result = await unpackZstd(block, entry.uncompressedSize);
  if ('bytes' in result) return result.bytes;
  findings.report(result.fault.code, `chunk ${entry.name}`, result.fault.message);
  return null;
}

/** "UEXT", little-endian. */
const PLUGIN_MAGIC = 0x54584555;
const PLUGIN_VERSION = 1;
/** magic u32, version u16, idLength u16, kind u32, chunk version u32; the id follows. */
const PLUGIN_ENVELOPE = 16;

function readEnvelope(entry: ChunkEntry, payload: Uint8Array, findings: Findings): PluginEnvelope | null {
  const wrong = (message: string) => {
    findings.report('UC3032', `chunk ${entry.name}`, message);
    return null;
  };
  if (payload.length < PLUGIN_ENVELOPE) return wrong(`${payload.length} bytes are less than the envelope`);
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  if (view.getUint32(0, true) !== PLUGIN_MAGIC) return wrong('does not begin with "UEXT"');
  if (view.getUint16(4, true) !== PLUGIN_VERSION) return wrong(`envelope version ${view.getUint16(4, true)}`);
  const end = PLUGIN_ENVELOPE + view.getUint16(6, true);
  if (end > payload.length) return wrong('the plugin’s name reaches beyond the chunk');
  try {
    const id = new TextDecoder('utf-8', { fatal: true }).decode(payload.subarray(PLUGIN_ENVELOPE, end));
    return { type: entry.type, id, kind: view.getUint32(8, true), version: view.getUint32(12, true) };
  } catch {
    return wrong('the plugin’s name is not UTF-8');
  }
}

/**
 * Reads the structure of a file. Null when not even the chunk table can be read (UC3000, UC3001, UC3002); otherwise
 * findings say what is wrong, and `payloads` holds what could be unpacked.
 */
export async function readContainer(
  bytes: Uint8Array,
  findings: Findings,
  { engine, only }: ContainerOptions,
): Promise<Container | null> {
  const header = readHeader(bytes, findings);
  if (!header) return null;
  const fileType = (FILE_TYPES as Readonly<Record<number, FileType>>)[header.fileType] ?? null;
  const entries = readEntries(bytes, header, findings);
  const sound = checkEntries(bytes, entries, findings);
  checkRequired(entries, fileType, findings);
  // Bytes that several chunks name would be hashed and unpacked once for each chunk.
  if (!only && sound.size === entries.length) checkHash(bytes, header, entries, findings);

  const payloads = new Map<number, Uint8Array>();
  const plugins: PluginEnvelope[] = [];
  const seen = new Set<number>();
  let total = 0;
  for (const entry of entries) {
    const { type, name, compression, uncompressedSize } = entry;
    if (seen.has(type)) continue;
    seen.add(type);
    if (engine && compression === 'zstd') findings.report('UC3017', `chunk ${name}`, 'compressed with zstd');
    const known = chunkKind(type) !== undefined;
    if (!known && type < FIRST_PLUGIN_CHUNK) findings.report('UC3033', `chunk ${name}`, `chunk type ${type}`);
    if (!sound.has(entry) || (!known && type < FIRST_PLUGIN_CHUNK) || (only && !only.includes(type))) continue;
    if (compression !== 'none' && total + uncompressedSize > MAX_UNPACKED_BYTES) {
      findings.report('UC3024', `chunk ${name}`, `unpacks to ${uncompressedSize} bytes, after ${total} of others`);
      continue;
    }
    const payload = await unpack(bytes, entry, findings);
    if (!payload) continue;
    if (compression !== 'none') total += payload.length;
    if (known) {
      payloads.set(type, payload);
    } else {
      const envelope = readEnvelope(entry, payload, findings);
      if (envelope) plugins.push(envelope);
    }
  }
  return { bytes, header, fileType, entries, payloads, plugins };
}

/** The entry of a chunk, the first where it stands twice. */
export function entryOf(container: Container, type: number): ChunkEntry | undefined {
  return container.entries.find((entry) => entry.type === type);
}

/** Header fields that repeat the length of a table. */
export const HEADER_COUNTS: readonly { readonly field: keyof Header & string; readonly type: number }[] = [
  { field: 'meshCount', type: CHUNK.mesh },
  { field: 'materialCount', type: CHUNK.material },
  { field: 'textureRefCount', type: CHUNK.texture },
  { field: 'entityCount', type: CHUNK.entity },
];

/** Chunks that are tables of records, with their sizes in this file's version. */
export function tableKinds(version: number) {
  return CHUNKS.flatMap((kind) =>
    kind.record ? [{ ...kind, record: kind.record, size: recordSize(kind.record, version) }] : [],
  );
}
