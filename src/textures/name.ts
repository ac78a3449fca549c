// File names of prepared textures, `<stem>_<hash>.<ext>`, or `<stem>.<hash>.utex` for those that are cooked: the stem tells people and texture bakers what it is, the hash of
// the content lets scenes share one folder and caches keep what they have.

const MAX_STEM = 64;

/** ASCII letters, digits, `_` and `-`; anything else becomes `_`; at most 64 characters; `texture` for nothing. */
export function sanitizeStem(stem: string): string {
  const clean = stem.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, MAX_STEM);
  return clean === '' ? 'texture' : clean;
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
