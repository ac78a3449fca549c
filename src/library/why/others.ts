// Which other cooked files name a texture: those of other sets that share a folder with it.

import { dirname, join, posix, resolve, sep } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import { formatOfContent, loadFormat } from '../../formats/registry.ts';
import { readWhole } from '../../importers/wholeFile.ts';
import { filesBelow } from '../outputsBelow.ts';
import type { OutputContent } from './content.ts';

/** More files than this are not searched: the texture lies in a folder of everything. */
const MAX_FILES = 10_000;

/** The absolute paths of the textures that a cooked file names; none where it cannot be read. */
async function texturesNamedBy(path: string): Promise<readonly string[]> {
  try {
    const bytes = readWhole(path);
    const id = formatOfContent(bytes);
    if (id === null) return [];
    const uris = await (await loadFormat(id)).textureUris(bytes);
    return uris.map((uri) => resolve(dirname(path), uri));
  } catch {
    return [];
  }
}

/** The `.untold` files below the folder that holds the folder of a texture, besides those of the output, relative to `cwd`. */
export async function otherUsers(texture: string, { folder, payloads }: OutputContent, cwd: string): Promise<string[]> {
  const path = join(folder, texture);
  const root = dirname(dirname(path));
  const own = new Set(payloads.map((row) => join(folder, row.path)));
  const others: string[] = [];
  let looked = 0;
  for (const file of filesBelow(root)) {
    if (++looked > MAX_FILES) break;
    if (!file.endsWith('.untold') || own.has(file)) continue;
    if ((await texturesNamedBy(file)).includes(path)) others.push(showPath(file, cwd));
  }
  return others.map((file) => file.split(sep).join(posix.sep)).sort();
}
