// The options of a cook with those below them: flags, the preset that a flag names, what the project file says of one
// source, what it says of all; defaults are put below by settle().

import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { OptionsOf } from '../../config/options/option.ts';
import { type GivenValues, layerValues } from '../../config/options/option.ts';
import type { COOK_OPTIONS } from '../../config/options/table.ts';
import { loadPreset, type Preset } from '../../config/presets.ts';
import { findProjectFile, loadProjectFile, overridesOf, type ProjectFile } from '../../config/projectFile.ts';
import { showPath } from '../../config/showPath.ts';
import { type Environment, type Surrounded, variablesOf, workingFolder } from './environment.ts';

/** Options of a cook, those for printing included: a preset may hold them. */
export type CookAndPrintOptions = OptionsOf<typeof COOK_OPTIONS>;

/** Values from one place. */
export interface OptionLayer {
  /** What messages call the place; '' for options that were given. */
  readonly from: string;
  readonly values: GivenValues;
}

export interface MergedOptions {
  /** What holds for the call as a whole. */
  readonly options: CookAndPrintOptions;
  readonly preset: Preset | null;
  readonly project: ProjectFile | null;
  /** What patterns of `ignore` are relative to: the project file that has them, or the working folder. */
  readonly ignoreBase: string;
  /** The layers of one source, by its absolute path, or of the call (null), the weakest first. */
  layersOf(source: string | null): readonly OptionLayer[];
}

/** The home folder, as homedir() of node:os returns it. */
const homeFolder = ({ HOME, USERPROFILE }: Environment['env']): string =>
  (process.platform === 'win32' ? USERPROFILE : HOME) || homedir();

/** The project file of a call: the one that is named, one that is found if the call looks for it, or none. */
function projectFile({ config }: CookAndPrintOptions, cwd: string, env: Environment['env']): ProjectFile | null {
  if (config === undefined || config === false) return null;
  const show = (path: string) => showPath(path, cwd);
  if (typeof config === 'string') return loadProjectFile(config, false, show);
  const found = findProjectFile(cwd, homeFolder(env));
  return found === null ? null : loadProjectFile(found, true, show);
}

/** Without the ways to name an output if a stronger layer has one of them: they replace each other. */
function withoutReplaced({ out, outEach, ...rest }: GivenValues, stronger: readonly GivenValues[]): GivenValues {
  const isReplaced = stronger.some((values) => values.out !== undefined || values.outEach !== undefined);
  return isReplaced ? rest : { out, outEach, ...rest };
}

/** Throws UC1007, UC1008 and UC1009 for the preset, those, UC1023 and UC1024 for the project file. */
export function mergePreset(given: CookAndPrintOptions, cwd: string, env: Environment['env']): MergedOptions {
  const show = (path: string) => showPath(path, cwd);
  const preset = given.pipeline === undefined ? null : loadPreset(given.pipeline, cwd, show);
  const project = projectFile(given, cwd, env);
  // Every layer has the table's types.
  const own = given as GivenValues;
  const ofPreset = withoutReplaced((preset?.values ?? {}) as GivenValues, [own]);
  const ofProject = withoutReplaced((project?.values ?? {}) as GivenValues, [own, ofPreset]);
  const overrides = project && overridesOf(project);
  const layersOf = (source: string | null): OptionLayer[] => {
    const matching = source === null ? [] : (overrides?.(source) ?? []);
    const name = project ? show(project.path) : '';
    return [
      { from: name, values: ofProject },
      ...matching.map(({ match, values }) => ({
        from: `${name} (${match.join(', ')})`,
        values: values as GivenValues,
      })),
      { from: preset ? show(preset.path) : '', values: ofPreset },
      { from: '', values: own },
    ];
  };
  const merged = layerValues(...layersOf(null).map(({ values }) => values));
  const isProjects = own.ignore === undefined && ofPreset.ignore === undefined && ofProject.ignore !== undefined;
  const ignoreBase = project && isProjects ? dirname(project.path) : cwd;
  return { options: merged as CookAndPrintOptions, preset, project, ignoreBase, layersOf };
}

/**
 * The options with those of the preset that `pipeline` names and of the project file below them, as cook() applies them.
 * Throws SourceError as mergePreset does.
 */
export function withPreset(given: CookAndPrintOptions, call: Surrounded): CookAndPrintOptions {
  return mergePreset(given, workingFolder(call), variablesOf(call)).options;
}
