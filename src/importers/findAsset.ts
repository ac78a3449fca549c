// Finds the files that a source refers to when they are not where it says: moved folders (--remap), folders to search
// (--search-path), and for textures the places where people put them beside a layer. Packages are not searched.

import { dirname, join } from 'node:path';
import { SourceError } from '../diagnostics/diagnostic.ts';
import type { AssetSearch, SourceFiles } from './files.ts';
import type { Asked, Located, Lookup } from './fileTrace.ts';

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

/** `meantBy` gives the path that the reference means; null: that is forbidden. */
function locate(
  { reference, from, kind }: Asked,
  meantBy: () => string | null,
  search: AssetSearch,
  exists: (path: string) => boolean,
): Located {
  const path = withSlashes(reference);
  const moved = path.includes('\0') ? null : remapped(path, search);
  if (moved !== null) return { path: moved, isElsewhere: false };
  const meant = meantBy();
  const to = meant === null ? null : remapped(withSlashes(meant), search);
  if (to !== null) return { path: to, isElsewhere: false };
  const isSearched = path !== '' && !path.includes('\0') && !REMOTE.test(path.replace(/^[A-Za-z]:/, ''));
  const places = isSearched ? candidates(path, from, kind, search) : [];
  if (places.length > 0 && (meant === null || !exists(meant))) {
    const found = places.find((place) => place !== meant && exists(place));
    if (found !== undefined) return { path: found, isElsewhere: true };
  }
  return { path: meant, isElsewhere: false };
}

/**
 * The absolute path of the file that `from` refers to as `reference`. `resolve` gives the path that it means, or throws
 * SourceError for one that is forbidden. `onFound` hears of a file that is elsewhere. A file that is nowhere keeps the path
 * that it means, or throws what `resolve` throws.
 */
export function findAsset(
  files: SourceFiles,
  asked: Asked,
  resolve: () => string,
  onFound: (path: string) => void,
): string {
  let fault: unknown;
  let meant: string | null | undefined;
  const meantBy = () => {
    if (meant !== undefined) return meant;
    try {
      meant = resolve();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      fault = error;
      meant = null;
    }
    return meant;
  };
  const located = locate(asked, meantBy, files.search ?? NO_SEARCH, (path) => files.exists(path));
  files.located?.({ ...asked, meant: meantBy(), ...located });
  const { path, isElsewhere } = located;
  if (path === null) throw fault;
  if (isElsewhere) onFound(path);
  return path;
}

/** The lookups of an earlier cook that lead elsewhere with these folders, with where to; `exists`: as SourceFiles has it. */
export function changedLookups(
  lookups: readonly Lookup[],
  search: AssetSearch,
  exists: (path: string) => boolean,
): { readonly lookup: Lookup; readonly path: string | null }[] {
  return lookups.flatMap((lookup) => {
    const { path, isElsewhere } = locate(lookup, () => lookup.meant, search, exists);
    return path === lookup.path && isElsewhere === lookup.isElsewhere ? [] : [{ lookup, path }];
  });
}
