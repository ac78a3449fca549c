// Names of outputs that look like those of files and are none of ours: a misspelt ending must not become a folder.

import { extname, sep } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import { KINDS } from '../formats/kinds.ts';
import { formatOfName } from '../formats/registry.ts';
import { isFolder } from '../importers/wholeFile.ts';
import { OUTPUT_EXTENSIONS } from './fileKinds.ts';
import { nearestNames } from './nearest.ts';
import { showPath } from './showPath.ts';

/** What people take for the ending of a file: a letter, then letters and digits. `v1.2` has none. */
const FILE_ENDING = /^\.\p{L}[\p{L}\p{N}]{0,11}$/u;

/** Endings that are written as files of another one. */
const WRITTEN_AS: Readonly<Record<string, string>> = { '.gltf': '.glb' };

/** Endings of packages that `untold pack` makes and no cook. */
const PACKED: readonly string[] = KINDS.usdz.extensions;

const listed = (words: readonly string[]): string =>
  words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;

/** The ending by which a path that is no folder looks like that of a file; '' for none. */
function fileEnding(out: string): string {
  const ending = extname(out);
  return FILE_ENDING.test(ending) && !out.endsWith(sep) && !isFolder(out) ? ending : '';
}

/** The endings of outputs that are nearest to one that is none of them. */
export function nearestEndings(ending: string): readonly string[] {
  const asked = ending.toLowerCase();
  return WRITTEN_AS[asked] ? [WRITTEN_AS[asked]] : nearestNames(asked, OUTPUT_EXTENSIONS, 2);
}

/** What may have been meant by a name, as a sentence. */
function meantName(shown: string, ending: string): string {
  const asked = ending.toLowerCase();
  if (PACKED.includes(asked)) {
    return `\`untold pack\` makes a ${asked} package, of a folder or a layer with all that it brings in.`;
  }
  if (asked === '.json') return 'give the folder that the manifest lies in; the source names the manifest.';
  const near = nearestEndings(ending);
  const stem = shown.slice(0, -ending.length);
  return near.length > 0
    ? `did you mean ${listed(near.map((one) => stem + one))}?`
    : `files end in ${listed(OUTPUT_EXTENSIONS)}.`;
}

const folderOfName = (out: string, cwd: string): string => `A folder of this name is written ${showPath(out, cwd)}/`;

/** Throws UC1003 for a path of --out that is no folder and ends like a file that no cook writes. */
export function checkOutputName(out: string, cwd: string): void {
  const ending = fileEnding(out);
  if (ending === '' || formatOfName(out) !== null) return;
  const shown = showPath(out, cwd);
  const message = `"${shown}" was given, and no output is a ${ending} file`;
  fail('UC1003', '', '--out', message, `${meantName(shown, ending)} ${folderOfName(out, cwd)}`);
}

/** Throws UC1003 for a path of --out that looks like that of a file, of a command that writes folders alone. */
export function checkFolderName(out: string, cwd: string): void {
  const ending = fileEnding(out);
  if (ending === '') return;
  const message = `"${showPath(out, cwd)}" was given, and the command writes a folder`;
  fail('UC1003', '', '--out', message, `leave ${ending} out. ${folderOfName(out, cwd)}`);
}
