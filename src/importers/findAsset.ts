// Finds the files that a source refers to when they are not where it says: moved folders (--remap), folders to search
// (--search-path), and for textures the places where people put them beside a layer. Packages are not searched.

import { dirname, join } from 'node:path';
import { SourceError } from '../diagnostics/diagnostic.ts';
import type { AssetSearch, SourceFiles } from './files.ts';

/** Where textures often lie beside a layer, in this order. */
const TEXTURE_FOLDERS = ['', 'textures', 'Textures'];

const REMOTE = /^(?!file:)[A-Za-z][A-Za-z0-9+.-]+:/i;
const ABSOLUTE = /^(?:\/|[A-Za-z]:|file:)/i;

const withSlashes = (path: string): string => path.replaceAll('\\', '/');

/** What follows `from` in `path`, at the end of a folder's name; null if the path does not begin so. */
function rest(path: string, from: string): string | null {
  const start = withSlashes(from).replace(/\/+$/, '');
  if (!path.startsWith(start)) return null;
  const after = path.slice(start.length);
  return after === '' || after.startsWith('/') ? after : null;
}

function remapped(path: string, { remaps }: AssetSearch): string | null {
  for (const { from, to } of remaps) {
    const after = rest(path, from);
    if (after !== null) return join(to, after);
  }
  return null;
}

/** Paths at which a file may be instead, in the order in which they are tried. */
function candidates(path: string, from: string, kind: 'texture' | 'layer', { folders }: AssetSearch): string[] {
  const isRelative = !ABSOLUTE.test(path);
  const below = isRelative ? folders.map((folder) => join(folder, path)) : [];
  if (kind === 'layer') return below;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '' || name === '.' || name === '..') return below;
  const beside = TEXTURE_FOLDERS.map((folder) => join(dirname(from), folder, name));
  return [...below, ...beside, ...folders.map((folder) => join(folder, name))];
}

const NO_SEARCH: AssetSearch = { folders: [], remaps: [] };

/**
 * The absolute path of the file that `from` refers to as `reference`. `resolve` gives the path that it means, or throws
 * SourceError for one that is forbidden. `onFound` hears of a file that is elsewhere. A file that is nowhere keeps the path
 * that it means, or throws what `resolve` throws.
 */
export function findAsset(
  files: SourceFiles,
  { reference, from, kind }: { readonly reference: string; readonly from: string; readonly kind: 'texture' | 'layer' },
  resolve: () => string,
  onFound: (path: string) => void,
): string {
  const search = files.search ?? NO_SEARCH;
  const path = withSlashes(reference);
  const moved = path.includes('\0') ? null : remapped(path, search);
  if (moved !== null) return moved;
  let meant: string | null = null;
  let fault: unknown;
  try {
    meant = resolve();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    fault = error;
  }
  if (meant !== null) {
    const to = remapped(withSlashes(meant), search);
    if (to !== null) return to;
  }
  const isSearched = path !== '' && !path.includes('\0') && !REMOTE.test(path.replace(/^[A-Za-z]:/, ''));
  const places = isSearched ? candidates(path, from, kind, search) : [];
  if (places.length > 0 && (meant === null || !files.exists(meant))) {
    const found = places.find((place) => place !== meant && files.exists(place));
    if (found !== undefined) {
      onFound(found);
      return found;
    }
  }
  if (meant === null) throw fault;
  return meant;
}
