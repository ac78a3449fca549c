// Where a payload's textures are, for the page and for the server of the files: below the folder of the set, or in a folder
// above it that several sets share. Addresses have no `..`: a path that leads above the set is written with the number of them.

import { isSharedPath, sharedAbove, withoutDots } from '../formats/untold/sharedUris.ts';

/** Begins the address of a texture above the set; no file of a set is called so. */
const UP = '~up';

/**
 * Where the engine looks for a texture, as addresses below the set: below the payload's folder, else by its last part there. None for
 * a URI that leads where no texture may lie.
 */
export function placesOf(uri: string, payload: string): string[] {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) return [];
  const folder = payload.slice(0, payload.lastIndexOf('/') + 1);
  const plain = uri.replace(/^\/+/, '');
  if (/(^|[\\/])\.\.([\\/]|$)/.test(plain)) {
    const path = withoutDots(folder + plain);
    if (!isSharedPath(path)) return [];
    const above = path.lastIndexOf('../') / 3 + 1;
    return [path.startsWith('../') ? `${UP}/${above}/${path.slice(3 * above)}` : path];
  }
  return [...new Set([folder + plain, folder + plain.slice(plain.lastIndexOf('/') + 1)])];
}

/** The path above the set that an address stands for; null: it names a file of the set. */
export function pathAbove([up, count = '', ...rest]: readonly string[]): string | null {
  return up === UP && /^[1-9]\d?$/.test(count) ? sharedAbove('../'.repeat(Number(count)) + rest.join('/')) : null;
}
