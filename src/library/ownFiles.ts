// Which files that folders are searched for are ours.

import { isForeign } from '../formats/recognise.ts';
import { diskFiles } from '../importers/files.ts';
import { recogniseContent } from '../importers/index.ts';

/** Whether a file in a folder is ours, by its content where others have such names too. One that cannot be read is, so that it is reported. */
export function isOwn(path: string): boolean {
  try {
    return !isForeign(path, () => recogniseContent(diskFiles(null).open(path, '', ''), path));
  } catch {
    return true;
  }
}
