// The formats that a cook can write: the only list of them. What commands and settings need of a format stands here; its
// code is loaded when a source is cooked or a file is checked.

import { isSpecPackage } from './bpx/container/layout.ts';
import type { Format, FormatCode, FormatFacts } from './format.ts';
import { CHUNK_HEADER_BYTES, HEADER_BYTES, JSON_BEGIN } from './glb/layout.ts';
import { extensionOf, type KindId } from './kinds.ts';
import { beginsAs } from './recognise.ts';
import { isPackPath } from './untoldpack/document.ts';

interface FormatEntry extends Omit<FormatFacts, 'id'> {
  /** The kinds of files that its code reads: first that of its outputs. */
  readonly kinds: readonly [KindId, ...KindId[]];
  /** Whether a file that begins as its kind does is of a sort that only this program writes; by its first bytes as Latin-1 text. Absent: each is. */
  readonly isOwn?: (head: string) => boolean;
  readonly load: () => Promise<FormatCode>;
}

/** Bytes that files of ours are known by. */
export const HEAD_BYTES = 64;

export const FORMATS = {
  untold: {
    kinds: ['untold', 'clip'],
    extension: extensionOf('untold'),
    hasTiles: true,
    isWhole: false,
    hasMorphs: true,
    tree: 'rigid',
    hasLenses: false,
    drawsColors: false,
    hasColorSets: false,
    hasUvSets: false,
    hasUnlit: false,
    keepsMaterials: false,
    textures: ['utex', 'png', 'keep'],
    compressors: ['lz4', 'none', 'lz4-fast', 'zstd'],
    options: ['compress', 'format-version', 'textures-dir', 'share-textures', 'edges', 'color-grade', 'only', 'shard'],
    load: async () => (await import('./untold/format.ts')).UNTOLD,
  },
  glb: {
    kinds: ['glb'],
    extension: extensionOf('glb'),
    // Behind the headers of file and chunk; other programs write GLB too.
    isOwn: (head) => head.startsWith(JSON_BEGIN, HEADER_BYTES + CHUNK_HEADER_BYTES),
    hasTiles: false,
    isWhole: true,
    hasMorphs: true,
    tree: 'scaled',
    hasLenses: true,
    drawsColors: true,
    hasColorSets: true,
    hasUvSets: true,
    hasUnlit: true,
    keepsMaterials: true,
    textures: ['keep', 'png', 'webp', 'ktx2'],
    compressors: ['none', 'meshopt', 'quantize', 'draco'],
    options: ['compress', 'meshopt', 'optimize'],
    load: async () => (await import('./glb/format.ts')).GLB,
  },
  galileo: {
    kinds: ['gali'],
    extension: extensionOf('gali'),
    // Its own tools write version 0.0.0.
    isOwn: (head) => head.startsWith('\x00\x01\x00\x00', 4),
    hasTiles: false,
    isWhole: true,
    hasMorphs: false,
    tree: 'none',
    hasLenses: false,
    drawsColors: true,
    hasColorSets: true,
    hasUvSets: true,
    hasUnlit: false,
    keepsMaterials: false,
    textures: [],
    compressors: [],
    options: [],
    load: async () => (await import('./galileo/format.ts')).GALILEO,
  },
  bpx: {
    kinds: ['bpx'],
    extension: extensionOf('bpx'),
    // Textures, shaders and packages of other programs begin alike.
    isOwn: (head) => isSpecPackage(Buffer.from(head, 'latin1')),
    hasTiles: false,
    isWhole: true,
    hasMorphs: false,
    tree: 'none',
    hasLenses: false,
    drawsColors: true,
    hasColorSets: true,
    hasUvSets: false,
    hasUnlit: false,
    keepsMaterials: false,
    textures: ['png'],
    packsTexels: true,
    compressors: [],
    options: ['layout'],
    load: async () => (await import('./bpx/format.ts')).BPX,
  },
  urho3d: {
    kinds: ['mdl'],
    extension: extensionOf('mdl'),
    hasTiles: true,
    isWhole: false,
    hasMorphs: true,
    tree: 'bones',
    hasLenses: false,
    drawsColors: true,
    hasColorSets: true,
    hasUvSets: false,
    hasUnlit: false,
    keepsMaterials: false,
    textures: ['png'],
    compressors: [],
    options: [],
    load: async () => (await import('./urho3d/target/format.ts')).URHO3D,
  },
} as const satisfies Record<string, FormatEntry>;

export type FormatId = keyof typeof FORMATS;

export const FORMAT_IDS = Object.keys(FORMATS) as readonly FormatId[];

/** The format that is written unless settings or the name of the output ask for another. */
export const DEFAULT_FORMAT = 'untold' satisfies FormatId;

const entry = (id: FormatId): FormatEntry => FORMATS[id];

export async function loadFormat(id: FormatId): Promise<Format> {
  const { load, ...facts } = FORMATS[id];
  return { id, ...facts, ...(await load()) };
}

/** The format that writes files of a kind; null for none. */
export const formatOfKind = (kind: KindId): FormatId | null =>
  FORMAT_IDS.find((id) => entry(id).kinds.includes(kind)) ?? null;

/** The format of which a file is that a cook may have written; null for none. */
export function formatOfContent(bytes: Uint8Array): FormatId | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const isOf = (id: FormatId) => beginsAs(entry(id).kinds[0], bytes) && (entry(id).isOwn?.(head) ?? true);
  return FORMAT_IDS.find(isOf) ?? null;
}

/** The format of an output by its name, that of its models for a pack; null: it is called like none, and is a folder. */
export function formatOfName(path: string): FormatId | null {
  if (isPackPath(path)) return DEFAULT_FORMAT;
  return FORMAT_IDS.find((id) => path.endsWith(FORMATS[id].extension)) ?? null;
}
