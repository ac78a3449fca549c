// The formats that a cook can write: the only list of them. What commands and settings need of a format stands here; its
// code is loaded when a source is cooked or a file is checked.

import { isSpecPackage } from './bpx/container/layout.ts';
import type { Format, FormatCode, FormatFacts } from './format.ts';
import { CHUNK_HEADER_BYTES, HEADER_BYTES, JSON_BEGIN } from './glb/layout.ts';
import { isPackPath } from './untoldpack/document.ts';
import { MODEL_MAGICS } from './urho3d/model/magics.ts';

interface FormatEntry extends Omit<FormatFacts, 'id'> {
  /** Whether a file is of the format and of a kind that only this program writes; by its first bytes as Latin-1 text. */
  readonly recognises: (head: string) => boolean;
  /** Whether files with the extension are of this format alone, and not sources of other programs. */
  readonly ownsExtension: boolean;
  readonly load: () => Promise<FormatCode>;
}

/** Bytes that formats recognise a file by. */
export const HEAD_BYTES = 64;

export const FORMATS = {
  untold: {
    extension: '.untold',
    recognises: (head) => head.startsWith('UNTOLD\0\0'),
    ownsExtension: true,
    hasTiles: true,
    isWhole: false,
    textures: ['utex', 'png', 'keep'],
    options: ['compress', 'format-version', 'textures-dir', 'edges', 'color-grade', 'only', 'shard'],
    load: async () => (await import('./untold/format.ts')).UNTOLD,
  },
  glb: {
    extension: '.glb',
    // Behind the headers of file and chunk; other programs write GLB too.
    recognises: (head) => head.startsWith('glTF') && head.startsWith(JSON_BEGIN, HEADER_BYTES + CHUNK_HEADER_BYTES),
    ownsExtension: false,
    hasTiles: false,
    isWhole: true,
    textures: ['png', 'keep'],
    options: ['meshopt'],
    load: async () => (await import('./glb/format.ts')).GLB,
  },
  galileo: {
    extension: '.gali',
    // Its own tools write version 0.0.0.
    recognises: (head) => head.startsWith('GALI\x00\x01\x00\x00'),
    ownsExtension: true,
    hasTiles: false,
    isWhole: true,
    textures: [],
    options: [],
    load: async () => (await import('./galileo/format.ts')).GALILEO,
  },
  bpx: {
    extension: '.bpx',
    recognises: (head) => isSpecPackage(Buffer.from(head, 'latin1')),
    // Textures, shaders and packages of other programs have it too.
    ownsExtension: false,
    hasTiles: false,
    isWhole: true,
    textures: ['png'],
    options: ['layout'],
    load: async () => (await import('./bpx/format.ts')).BPX,
  },
  urho3d: {
    extension: '.mdl',
    recognises: (head) => MODEL_MAGICS.some((magic) => head.startsWith(magic)),
    ownsExtension: false,
    hasTiles: true,
    isWhole: false,
    textures: ['png'],
    options: [],
    load: async () => (await import('./urho3d/target/format.ts')).URHO3D,
  },
} as const satisfies Record<string, FormatEntry>;

export type FormatId = keyof typeof FORMATS;

export const FORMAT_IDS = Object.keys(FORMATS) as readonly FormatId[];

/** The format that is written unless settings or the name of the output ask for another. */
export const DEFAULT_FORMAT = 'untold' satisfies FormatId;

export async function loadFormat(id: FormatId): Promise<Format> {
  const { load, ...facts } = FORMATS[id];
  return { id, ...facts, ...(await load()) };
}

/** The format whose files begin as `bytes` do; null for none. */
export function formatOfContent(bytes: Uint8Array): FormatId | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  return FORMAT_IDS.find((id) => FORMATS[id].recognises(head)) ?? null;
}

/** The format of an output by its name, that of its models for a pack; null: it is called like none, and is a folder. */
export function formatOfName(path: string): FormatId | null {
  if (isPackPath(path)) return DEFAULT_FORMAT;
  return FORMAT_IDS.find((id) => path.endsWith(FORMATS[id].extension)) ?? null;
}

/** Extensions by which cooked files are looked for in folders. */
export const COOKED_EXTENSIONS: readonly string[] = FORMAT_IDS.filter((id) => FORMATS[id].ownsExtension).map(
  (id) => FORMATS[id].extension,
);
