// What is to be said of the choice of sources: which of the found files are none, and outputs that lie among them.

import { dirname, extname, relative, resolve, sep } from 'node:path';
import { OUTPUT_EXTENSIONS } from '../config/fileKinds.ts';
import { isPattern } from '../config/glob.ts';
import { fixedFolder, IgnoreRules } from '../config/ignore.ts';
import { outEachRoot } from '../config/outEach.ts';
import { showPath } from '../config/showPath.ts';
import { SOURCE_EXTENSIONS } from '../config/sources.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { isFolder } from '../importers/wholeFile.ts';

/** Names in a message at most. */
const MAX_NAMES = 3;

/** Notes which of the found files are no sources; `why` gets the pronoun for them. */
export function leftOutNote(
  code: 'UC1020' | 'UC1081',
  names: readonly string[],
  why: (pronoun: string) => string,
): Diagnostic {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const [verb, pronoun] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const message = `${names.slice(0, MAX_NAMES).join(', ')}${more} ${verb} not cooked: ${why(pronoun)}`;
  return diagnostic(code, '', '', message);
}

/** Endings of files that are outputs of a cook and sources of another. */
const BOTH = OUTPUT_EXTENSIONS.filter((extension) => SOURCE_EXTENSIONS.includes(extension));

/** Whether an output of this name would be found by a search for sources. */
export const endsLikeSource = (path: string): boolean => BOTH.includes(extname(path).toLowerCase());

/** Whether a path is a folder or lies below it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

/** What is searched for sources. */
interface Searched {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly ignore: readonly string[];
  readonly ignoreBase: string;
}

/** Where outputs go. */
interface OutputPlace {
  readonly out: string | null;
  readonly outEach: string | null;
  readonly isSet: boolean;
}

/** The place of outputs that must not lie among sources, and its option; null: they do no harm there. */
function placeOf({ out, outEach, isSet }: OutputPlace): { readonly place: string; readonly flag: string } | null {
  if (outEach !== null) return endsLikeSource(outEach) ? { place: outEachRoot(outEach), flag: '--out-each' } : null;
  return out !== null && (isSet || endsLikeSource(out)) ? { place: resolve(out), flag: '--out' } : null;
}

/** The folder that a word has searched; null: it names a file. */
function searchedFolder(word: string, cwd: string): string | null {
  const path = resolve(cwd, word);
  return isFolder(path) ? path : isPattern(word) ? fixedFolder(path) : null;
}

/**
 * UC1082 for outputs inside of a folder that is searched for sources and does not pass them over. Sets below the working folder
 * itself are where everything of a project is; GLB files are not, which become sources there.
 */
export function outputInside({ words, cwd, ignore, ignoreBase }: Searched, output: OutputPlace): Diagnostic | null {
  const found = placeOf(output);
  if (found === null) return null;
  const { place, flag } = found;
  const rules = new IgnoreRules({ cwd, base: ignoreBase, given: ignore }, () => {});
  const isSearched = (folder: string | null) => {
    if (folder === null || !isWithin(folder, place) || (output.isSet && isWithin(folder, cwd))) return false;
    const isFile = endsLikeSource(place);
    return (
      !rules.below(folder)(isFile ? dirname(place) : place, true) && !(isFile && rules.below(folder)(place, false))
    );
  };
  const word = words.find((one) => isSearched(searchedFolder(one, cwd)));
  if (word === undefined) return null;
  const where = searchedFolder(word, cwd) === place ? 'there' : `to ${showPath(place, cwd)} in it`;
  return diagnostic('UC1082', '', flag, `${word} is searched for sources, and outputs go ${where}`);
}
