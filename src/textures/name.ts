// File names of prepared textures, `<stem>_<hash>.<ext>`, or `<stem>.<hash>.utex` for those that are cooked: the stem tells
// people and texture bakers what it is, the hash of the content lets scenes share one folder and caches keep what they have.

import { fileStem } from '../bytes/deviceNames.ts';

const MAX_STEM = 64;
/** 64 bits: a folder of a million textures has two names alike with a chance of one in forty million. */
const SHARED_DIGITS = 16;

/** ASCII letters, digits, `_` and `-`; anything else becomes `_`; at most 64 characters; `texture` for nothing; never the name of a device. */
export function sanitizeStem(stem: string): string {
  const clean = stem.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, MAX_STEM);
  return clean === '' ? 'texture' : fileStem(clean);
}

/**
 * The name of a texture in a folder that many files share: digits of its content's hash alone, so that equal textures of
 * all sources are one file, whatever their images are called.
 */
export function sharedTextureName({
  sha256,
  fileName,
}: {
  readonly sha256: string;
  readonly fileName: string;
}): string {
  return `${sha256.slice(0, SHARED_DIGITS)}${fileName.slice(fileName.lastIndexOf('.'))}`;
}

/**
 * A file name that no other content has: eight hex digits of the hash, more when `taken` (names in lower case, as disks
 * compare them) already holds that one.
 */
export function textureName(stem: string, sha256: string, extension: string, taken: ReadonlySet<string>): string {
  const begin = `${sanitizeStem(stem)}${extension === 'utex' ? '.' : '_'}`;
  for (let digits = 8; digits < sha256.length; digits += 8) {
    const name = `${begin}${sha256.slice(0, digits)}.${extension}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
  return `${begin}${sha256}.${extension}`;
}

/** The extensions of texture files that cooks write: cooked ones, and the images that the engine loads. */
const TEXTURE_EXTENSIONS: ReadonlySet<string> = new Set(['utex', 'png', 'jpg']);

/** Whether a file of an output is a texture. */
export const isTexturePath = (path: string): boolean => TEXTURE_EXTENSIONS.has(path.slice(path.lastIndexOf('.') + 1));
