// Writes the depfile of a cook: one rule a source, for Make and for ninja.

import { basename, dirname } from 'node:path';
import { type DepfileRule, formatDepfile } from '../config/depfile.ts';
import { fail } from '../diagnostics/diagnostic.ts';
import { codeOf, readWholeText, refusal } from '../importers/wholeFile.ts';
import { OutputSet } from '../output/outputSet.ts';

/** Another cook writes the same depfile for a moment only. */
const DEPFILE_WAIT_MS = 5_000;

/** Writes the depfile at an absolute path as a set of one file: whole or not at all. Throws UC4000. */
export function writeDepfile(path: string, rules: readonly DepfileRule[]): void {
  const main = basename(path);
  const earlierFiles = () => new Map([[main, null]]);
  // Several cooks that run at once may keep their rules in one depfile.
  const set = OutputSet.open({ base: dirname(path), main, earlier: earlierFiles, force: true, wait: DEPFILE_WAIT_MS });
  try {
    let earlier = '';
    try {
      earlier = readWholeText(path);
    } catch (error) {
      // The first cook has no earlier depfile. One that cannot be read is not replaced: its rules would be lost.
      if (codeOf(error) !== 'ENOENT') fail('UC4000', path, '', `the earlier depfile ${refusal(codeOf(error))}`);
    }
    set.write(main, new TextEncoder().encode(formatDepfile(rules, earlier)));
    set.commit();
  } finally {
    set.discard();
  }
}
