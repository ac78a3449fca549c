// The outputs of earlier cooks below a folder.

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { outEachMatcher } from '../config/outEach.ts';
import { modelsListed, modelsOfPack, packAt } from '../cook/outputs/pack/packFiles.ts';
import { filesBeside, isOwnFile } from '../cook/outputs/singleFile/ownFiles.ts';
import { filesOfManifest } from '../formats/manifest/write.ts';
import { formatOfContent, loadFormat } from '../formats/registry.ts';
import { isPackPath } from '../formats/untoldpack/document.ts';
import { readWhole, readWholeText } from '../importers/wholeFile.ts';
import type { ListedFiles } from '../output/removeSet.ts';

/** An output of an earlier cook; `listed`: as removeSet() takes it. */
export interface FoundOutput {
  readonly main: string;
  readonly listed: () => ListedFiles | null;
}

/** All files below a folder, in order. Links are not followed: what lies behind them is not below the folder. */
export function* filesBelow(root: string): Generator<string> {
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile()) yield path;
      else if (entry.isDirectory()) open.push(path);
    }
  }
}

/** The files that a manifest of ours lists; null: the file is none. */
function listedBy(manifest: string): ListedFiles | null {
  try {
    return filesOfManifest(readWholeText(manifest), basename(manifest, '.json'));
  } catch {
    return null;
  }
}

/** The sets below a folder. */
export function setsBelow(root: string): FoundOutput[] {
  return [...filesBelow(root)]
    .filter((path) => extname(path) === '.json' && listedBy(path) !== null)
    .map((main) => ({ main, listed: () => listedBy(main) }));
}

/** Whether a file is a cooked one that stands alone, not a tile of a set. */
async function isSingleFile(path: string): Promise<boolean> {
  try {
    const bytes = readWhole(path);
    const id = formatOfContent(bytes);
    return id !== null && isOwnFile(path) && !(await loadFormat(id)).isTileOfSet(basename(path), bytes);
  } catch {
    return false;
  }
}

/** The models that a pack owns; null: the file is no pack. */
function packListing(main: string): ListedFiles | null {
  return packAt(main) ? modelsOfPack(dirname(main), basename(main)) : null;
}

/** Single files and packs whose paths match the pattern and that no manifest or pack lists. */
export async function singleFilesBelow(root: string, pattern: string): Promise<FoundOutput[]> {
  const matcher = outEachMatcher(pattern);
  const ofSets = new Set(
    setsBelow(root).flatMap(({ main, listed }) =>
      [...(listed()?.keys() ?? [])].map((path) => join(dirname(main), path)),
    ),
  );
  const files = [...filesBelow(root)];
  for (const main of files.filter(isPackPath)) {
    for (const path of modelsListed(dirname(main), basename(main))) ofSets.add(join(dirname(main), path));
  }
  const found: FoundOutput[] = [];
  for (const main of files) {
    if (ofSets.has(main) || !matcher.test(main.split(sep).join('/'))) continue;
    if (isPackPath(main)) {
      if (packAt(main)) found.push({ main, listed: () => packListing(main) });
      continue;
    }
    if (await isSingleFile(main)) found.push({ main, listed: () => filesBeside(main) });
  }
  return found;
}
