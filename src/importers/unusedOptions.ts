// Options that say nothing to a source of another format: they are named, so that nobody waits for their effect.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { ImportOptions } from './importer.ts';

export type Family = 'glTF' | 'USD' | 'cooked';

/** The flag of each option, the one family that it is about, and whether it asks for anything. */
const OPTIONS: readonly [flag: string, family: Family, isGiven: (options: ImportOptions) => boolean][] = [
  ['--scene', 'glTF', ({ scene }) => scene !== undefined],
  ['--material-variant', 'glTF', ({ materialVariant }) => materialVariant !== undefined],
  ['--variant', 'USD', ({ variants }) => variants !== undefined && variants.length > 0],
  ['--select', 'USD', ({ select }) => select !== undefined && select.length > 0],
  ['--exclude', 'USD', ({ exclude }) => exclude !== undefined && exclude.length > 0],
  ['--purpose', 'USD', ({ purposes }) => purposes !== undefined && [...purposes].sort().join() !== 'default,render'],
  ['--binding-purpose', 'USD', ({ bindingPurpose }) => bindingPurpose === 'full'],
  ['--all-meshes', 'USD', ({ invisible }) => invisible === true],
  ['--time', 'USD', ({ time }) => time !== undefined],
  ['--meters-per-unit', 'USD', ({ metersPerUnit }) => metersPerUnit !== undefined],
  ['--up-axis', 'USD', ({ upAxis }) => upAxis !== undefined],
  ['--missing-asset', 'USD', ({ missingAsset }) => missingAsset === 'drop'],
  ['--subdivide', 'USD', ({ subdivides }) => subdivides === true],
];

/** Says UC1015 for each option that was given and is not about `family`. */
export function noteUnusedOptions(
  file: string,
  family: Family,
  options: ImportOptions,
  diagnostics: Diagnostics,
): void {
  const what = family === 'cooked' ? 'a file that is cooked already' : `a ${family} source`;
  for (const [flag, about, isGiven] of OPTIONS) {
    if (about !== family && isGiven(options)) diagnostics.report('UC1015', file, flag, `it means nothing for ${what}`);
  }
}
