// Writes the depfile of a cook: one rule a source, for Make and for ninja.

import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type DepfileRule, formatDepfile } from '../config/depfile.ts';
import { fail } from '../diagnostics/diagnostic.ts';
import { codeOf, readWholeText, refusal } from '../importers/wholeFile.ts';
import { OutputSet } from '../output/outputSet.ts';

/** Another cook writes the same depfile for a moment only. */
const DEPFILE_WAIT_MS = 5_000;

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The rules of earlier cooks, '' where there is no file. One that cannot be read is not replaced: they would be lost. */
function earlierRules(path: string): string {
  try {
    return readWholeText(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') fail('UC4000', path, '', `the earlier depfile ${refusal(codeOf(error))}`);
    return '';
  }
}

/** The file that a depfile's path leads to, so that a link stays and its file is replaced: /dev/stdout is one. */
function behindLinks(given: string): string {
  earlierRules(given);
  try {
    return realpathSync(given);
  } catch {
    if (isLink(given)) fail('UC4000', given, '', 'it is a link that leads to no file', 'give the path of a file');
    return given;
  }
}

/** Writes the depfile at an absolute path as a set of one file: whole or not at all. Throws UC4000. */
export function writeDepfile(given: string, rules: readonly DepfileRule[]): void {
  const path = behindLinks(given);
  const main = basename(path);
  const earlierFiles = () => new Map([[main, null]]);
  // Several cooks that run at once may keep their rules in one depfile.
  const set = OutputSet.open({ base: dirname(path), main, earlier: earlierFiles, force: true, wait: DEPFILE_WAIT_MS });
  try {
    set.write(main, new TextEncoder().encode(formatDepfile(rules, earlierRules(path))));
    set.commit();
  } finally {
    set.discard();
  }
}
