// The options of a cook with those of its preset below them.

import type { OptionsOf } from '../../config/options/option.ts';
import { layerValues } from '../../config/options/option.ts';
import type { COOK_OPTIONS } from '../../config/options/table.ts';
import { loadPreset, type Preset } from '../../config/presets.ts';
import { showPath } from '../../config/showPath.ts';
import { workingFolder } from './workingFolder.ts';

/** Options of a cook, those for printing included: a preset may hold them. */
export type CookAndPrintOptions = OptionsOf<typeof COOK_OPTIONS>;

export interface MergedOptions {
  readonly options: CookAndPrintOptions;
  readonly preset: Preset | null;
}

/** Throws UC1007, UC1008 and UC1009 for the preset. */
export function mergePreset(given: CookAndPrintOptions, cwd: string): MergedOptions {
  if (given.pipeline === undefined) return { options: given, preset: null };
  const preset = loadPreset(given.pipeline, cwd, (path) => showPath(path, cwd));
  // A place for the output replaces the other way to name one.
  const { out, outEach, ...rest } = preset.values;
  const values = given.out !== undefined || given.outEach !== undefined ? rest : preset.values;
  // Both layers have the table's types.
  return { options: layerValues(values, given as typeof preset.values) as CookAndPrintOptions, preset };
}

/**
 * The options with those of the preset that `pipeline` names below them, as cook() applies them. Throws SourceError UC1007,
 * UC1008 and UC1009 for the preset.
 */
export function withPreset(given: CookAndPrintOptions): CookAndPrintOptions {
  return mergePreset(given, workingFolder()).options;
}
