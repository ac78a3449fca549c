// Which of the dropped files is opened: what `untold view FOLDER` would show, else the only source, else the one that lies above
// all others.

import { extname, relative, sep } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { extensionsFor } from '../../formats/kinds.ts';
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

/** The files that lie in the fewest folders. */
function topmost(folder: string, paths: readonly string[]): string[] {
  const depths = paths.map((path) => relative(folder, path).split(sep).length);
  const least = Math.min(...depths);
  return paths.filter((_, i) => depths[i] === least);
}

/** The file below a folder that is to be opened; absolute. Throws UC5000. */
export async function droppedMain(folder: string): Promise<string> {
  const files = [...filesBelow(folder)];
  // What a single file is, and why it is refused, is said where it is opened.
  if (files.length === 1) return files[0];
  const outputs = onlySets(await mainFilesBelow(folder, 'view'));
  const found = outputs.length > 0 ? outputs : topmost(folder, files.filter(isSource));
  if (found.length === 1) return found[0];
  const remedy = `drop one file of ${extensionsFor('view').join(', ')}, with the files that it names, or a folder with one`;
  if (found.length === 0) return fail('UC5000', '', '', 'nothing of what was dropped can be shown', remedy);
  const names = found.slice(0, SHOWN).map((path) => relative(folder, path).split(sep).join('/'));
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  const message = `${found.length} of the dropped files can be shown: ${names.join(', ')}${more}`;
  return fail('UC5000', '', '', message, remedy);
}
