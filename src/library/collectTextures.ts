// Removes textures of a shared folder that no file names any more.

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TargetOption } from '../formats/format.ts';
import { FORMAT_IDS, FORMATS, formatOfContent, loadFormat } from '../formats/registry.ts';
import { readWhole, statusOf } from '../importers/wholeFile.ts';
import { isSharedTexture, type SharedTextures } from '../output/sharedTextures.ts';
import { isBelow } from './isBelow.ts';

/** Of files that may name textures of a shared folder. */
const EXTENSIONS = FORMAT_IDS.map((id) => FORMATS[id])
  .filter(({ options }) => (options as readonly TargetOption[]).includes('textures-dir'))
  .map(({ extension }) => extension);

/** The cooked files below a folder, also behind links; null if a folder cannot be listed. */
function cookedFiles(root: string): string[] | null {
  const found: string[] = [];
  const entered = new Set<string>();
  const open = [root];
  while (open.length > 0) {
    const folder = open.pop() as string;
    const { stat } = statusOf(folder);
    const id = `${stat?.dev}:${stat?.ino}`;
    // Some systems give no numbers: links that lead in a circle then end at a path that is too long.
    if (stat?.ino && entered.has(id)) continue;
    entered.add(id);
    let names: string[];
    try {
      names = readdirSync(folder);
    } catch {
      return null;
    }
    for (const name of names) {
      const path = join(folder, name);
      if (statusOf(path).stat?.isDirectory()) open.push(path);
      else if (EXTENSIONS.some((extension) => name.endsWith(extension))) found.push(path);
    }
  }
  return found;
}

/**
 * The file names of all textures that cooked files below a folder name, those in `gone` left out; null if one of the files
 * cannot be read.
 */
async function namedBelow(root: string, gone: ReadonlySet<string>): Promise<ReadonlySet<string> | null> {
  const files = cookedFiles(root)?.filter((path) => !gone.has(path));
  if (!files) return null;
  const named = new Set<string>();
  for (const path of files) {
    try {
      const bytes = readWhole(path);
      const id = formatOfContent(bytes);
      // A file of another program that has this extension.
      if (id === null) continue;
      for (const uri of await (await loadFormat(id)).textureUris(bytes)) named.add(basename(uri));
    } catch {
      return null;
    }
  }
  return named;
}

/**
 * Removes what the call has left without a name. Nothing goes from a folder that does not lie below `root`: files elsewhere
 * may name its textures too.
 */
export async function collectTextures(textures: SharedTextures, root: string): Promise<void> {
  if (!isBelow(textures.folder, root)) return;
  await textures.collectGarbage(() => namedBelow(root, new Set()));
}

/** The textures of a shared folder that collectTextures() would remove were the files in `gone` not there, by name. */
export async function orphanTextures(folder: string, root: string, gone: ReadonlySet<string>): Promise<string[]> {
  if (!isBelow(folder, root)) return [];
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const named = await namedBelow(root, gone);
  return named === null ? [] : names.filter((name) => !named.has(name) && isSharedTexture(folder, name)).sort();
}
