// Warns of options that have no effect on a source, because they belong to another format.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { ImportOptions } from './importer.ts';

export type Family = 'glTF' | 'USD' | 'Galileo' | 'Urho3D' | 'BPX' | 'cooked';

/** Of each option: its flag, the families of sources that it acts on, and whether the user asks for it. */
const OPTIONS: readonly [
  flag: string,
  target: Family | readonly Family[],
  isGiven: (options: ImportOptions) => boolean,
][] = [
  ['--scene', 'glTF', ({ scene }) => scene !== undefined],
  ['--material-variant', 'glTF', ({ materialVariant }) => materialVariant !== undefined],
  ['--variant', 'USD', ({ variants }) => variants !== undefined && variants.length > 0],
  ['--select', ['USD', 'glTF'], ({ select }) => select !== undefined && select.length > 0],
  ['--exclude', ['USD', 'glTF'], ({ exclude }) => exclude !== undefined && exclude.length > 0],
  ['--purpose', 'USD', ({ purposes }) => purposes !== undefined && [...purposes].sort().join() !== 'default,render'],
  ['--binding-purpose', 'USD', ({ bindingPurpose }) => bindingPurpose === 'full'],
  ['--all-meshes', 'USD', ({ invisible }) => invisible === true],
  ['--time', 'USD', ({ time }) => time !== undefined],
  ['--meters-per-unit', 'USD', ({ metersPerUnit }) => metersPerUnit !== undefined],
  ['--up-axis', 'USD', ({ upAxis }) => upAxis !== undefined],
  ['--missing-asset', 'USD', ({ missingAsset }) => missingAsset === 'drop'],
  ['--subdivide', 'USD', ({ subdivides }) => subdivides === true],
];

/** What does the same for sources of other families, for options that have such a thing. */
const INSTEAD: Readonly<Record<string, string>> = {
  '--scene': 'leave it out; --select PRIM cooks a part of a stage',
  '--material-variant': 'leave it out; USD: --variant PRIM:SET=NAME chooses a variant',
  '--variant': 'leave it out; glTF: --material-variant NAME chooses a look',
  '--meters-per-unit': 'leave it out: only USD has other units than metres; --scale makes any source larger or smaller',
  '--up-axis': 'leave it out: only USD has another up axis than Y; --rotate X,Y,Z turns any source',
};

/** Reports UC1015 for each option that was given and acts on another family than `family`. */
export function noteUnusedOptions(
  file: string,
  family: Family,
  options: ImportOptions,
  diagnostics: Diagnostics,
): void {
  const source = family === 'cooked' ? 'a file that is cooked already' : `a ${family} source`;
  for (const [flag, target, isGiven] of OPTIONS) {
    if (![target].flat().includes(family) && isGiven(options)) {
      diagnostics.report('UC1015', file, flag, `no effect on ${source}`, INSTEAD[flag]);
    }
  }
}
