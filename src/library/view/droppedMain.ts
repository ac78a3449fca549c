// Which of the dropped files is opened: what `untold view FOLDER` would show, else a source. Of several sources it is the one that is
// called like its folder, as the root layers of assets are; else the one that is no part of another, and lies above all others.

import { basename, dirname, extname, relative, sep } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { extensionsFor, takes } from '../../formats/kinds.ts';
import { diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import { mainFilesBelow } from '../namedOutputs.ts';
import { filesBelow } from '../outputsBelow.ts';
import { onlySets } from './open.ts';
import { isViewedSource } from './viewedSource.ts';

/** Names in a message at most. */
const SHOWN = 5;

function isSource(path: string): boolean {
  if (!extensionsFor('view').includes(extname(path).toLowerCase())) return false;
  try {
    return isViewedSource(path);
  } catch {
    // Nothing can be told of it; it is one that cannot be opened.
    return false;
  }
}

/** The paths that lie in the fewest folders. */
function topmost(folder: string, paths: readonly string[]): string[] {
  const depths = paths.map((path) => relative(folder, path).split(sep).length);
  const least = depths.reduce((a, b) => Math.min(a, b), Infinity);
  return paths.filter((_, i) => depths[i] === least);
}

const isCalledLikeItsFolder = (path: string): boolean =>
  basename(path, extname(path)).toLowerCase() === basename(dirname(path)).toLowerCase();

/** The sources among dropped files of which one is to be opened. */
async function mainSources(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const sources = files.filter(isSource);
  const named = topmost(folder, sources).filter(isCalledLikeItsFolder);
  if (named.length === 1 || sources.length < 2) return named.length === 1 ? named : sources;
  const { partsOfOthers } = await import('../../config/dependencies.ts');
  const found = sources.map((path) => ({ path, isNamed: false }));
  const parts = partsOfOthers(found, folder, { folders: [], remaps: [] });
  return topmost(
    folder,
    found.flatMap((source) => (parts.has(source) ? [] : [source.path])),
  );
}

async function candidates(folder: string, files: readonly string[]): Promise<readonly string[]> {
  // Its content alone decides, and why that cannot be read is said.
  if (files.length === 1) {
    return files.filter((path) => takes('view', recogniseContent(diskFiles(null).open(path, '', ''), path)));
  }
  const outputs = onlySets(await mainFilesBelow(folder, 'view'));
  return outputs.length > 0 ? outputs : mainSources(folder, files);
}

/** The file below a folder that is to be opened; absolute. Throws UC5000. */
export async function droppedMain(folder: string): Promise<string> {
  const found = await candidates(folder, [...filesBelow(folder)]);
  if (found.length === 1) return found[0];
  const remedy = `drop one file of ${extensionsFor('view').join(', ')}, with the files that it names, or a folder with one`;
  if (found.length === 0) return fail('UC5000', '', '', 'nothing of what was dropped can be shown', remedy);
  const names = found.slice(0, SHOWN).map((path) => relative(folder, path).split(sep).join('/'));
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  const message = `${found.length} of the dropped files can be shown: ${names.join(', ')}${more}`;
  return fail('UC5000', '', '', message, remedy);
}
