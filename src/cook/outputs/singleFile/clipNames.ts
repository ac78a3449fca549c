// Where clips lie: `Animations/<clip>/<clip>.untoldanim` beside their model, one clip a file. Several models may share the
// folder. Each clip says in its own name whose it is, `<model>|<clip>`, so that no cook replaces what another model has.

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../bytes/sha256.ts';
import { CLIP_EXTENSION, CLIP_FOLDER } from '../../../engine/names.ts';
import { readWhole } from '../../../importers/wholeFile.ts';

const MAGIC = 'UNTOLD\0\0';
/** Between the name of a model and that of its clip. */
const OF = '|';
/** Larger files are not looked into: no clip of ours is nearly as large. */
export const MAX_CLIP_BYTES = 2 ** 28;

/** The name of a model: that of its file without the extension. */
export const modelName = (main: string): string => main.replace(/\.[^.]*$/, '');

/** The name that a clip has in its file. */
export const nameInFile = (model: string, clip: string): string => `${model}${OF}${clip}`;

export const clipPath = (name: string): string => `${CLIP_FOLDER}/${name}/${name}${CLIP_EXTENSION}`;

/** Whether a path, relative to the folder of a model, is one that clipPath gives. */
export function isClipPath(path: string): boolean {
  const [folder, name, ...rest] = path.split('/');
  return folder === CLIP_FOLDER && name !== '' && rest.length === 1 && rest[0] === `${name}${CLIP_EXTENSION}`;
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** A file of a clip that is there; null where there is none that can be read. */
function readClip(path: string): Uint8Array | null {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > MAX_CLIP_BYTES) return null;
    const bytes = readWhole(path);
    return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC ? bytes : null;
  } catch {
    return null;
  }
}

/** Whether a clip of this model is at a path, relative to `base`: yes, no, or nothing is there. */
export function ownerOf(base: string, path: string, model: string): 'own' | 'other' | 'none' {
  const full = join(base, path);
  const bytes = readClip(full);
  if (bytes === null) {
    try {
      lstatSync(full);
      return 'other';
    } catch {
      return 'none';
    }
  }
  // Strings of the table end in a zero byte. Metadata of a clip is never compressed.
  const begin = Buffer.from(`\0${model}${OF}`, 'utf8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(begin) ? 'own' : 'other';
}

/** The clips of a model that are beside it, by path relative to `base`, with their SHA-256. */
export function clipsOfModel(base: string, main: string): ReadonlyMap<string, string> {
  const model = modelName(main);
  const found = new Map<string, string>();
  for (const name of entriesOf(join(base, CLIP_FOLDER))) {
    const path = clipPath(name);
    if (ownerOf(base, path, model) === 'own') found.set(path, sha256Hex(readClip(join(base, path)) as Uint8Array));
  }
  return found;
}
