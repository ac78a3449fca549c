// The options of a cook with those below them: flags, the preset that a flag names, what the target of the project says, what
// the project file says of one source, what it says of all; defaults are put below by settle().

import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { OptionsOf } from '../../config/options/option.ts';
import { camelCase, type GivenValues, layerValues } from '../../config/options/option.ts';
import type { COOK_OPTIONS } from '../../config/options/table.ts';
import { loadPreset, type Preset } from '../../config/presets.ts';
import {
  type BuildPart,
  findProjectFile,
  foundFaults,
  loadProjectFile,
  overridesOf,
  type ProjectFile,
} from '../../config/projectFile.ts';
import { showPath } from '../../config/showPath.ts';
import { type Diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { type BuildWords, buildOf } from './build.ts';
import { type Environment, type Surrounded, variablesOf, workingFolder } from './environment.ts';

/** Options of a cook, those for printing included: a preset may hold them. */
export type CookAndPrintOptions = OptionsOf<typeof COOK_OPTIONS>;

/** Values from one place. */
export interface OptionLayer {
  /** What messages call the place; '' for options that were given. */
  readonly from: string;
  readonly values: GivenValues;
  /** Whether it is the project file, in one of its parts. */
  readonly isProjects?: boolean;
  /** Where the values stand in a file; absent: they were given. */
  readonly place?: { readonly file: string /** Put before the keys. */; readonly at: string };
}

export interface MergedOptions {
  /** What holds for the call as a whole. */
  readonly options: CookAndPrintOptions;
  readonly preset: Preset | null;
  readonly project: ProjectFile | null;
  /** What the words of the call mean. */
  readonly build: BuildWords;
  /** What patterns of `ignore` are relative to: the project file that has them, or the working folder. */
  readonly ignoreBase: string;
  /** What `{dir}` of `outEach` is relative to where there is no root, in the same way. */
  readonly outEachBase: string;
  /** The layers of one source, by its absolute path, or of the call (null), the weakest first. */
  layersOf(source: string | null): readonly OptionLayer[];
}

/** The home folder, as homedir() of node:os returns it. */
export const homeFolder = ({ HOME, USERPROFILE }: Environment['env']): string =>
  (process.platform === 'win32' ? USERPROFILE : HOME) || homedir();

/** The project file of a call: the one that is named, one that is found if the call looks for it, or none. */
export function projectFile(
  { config }: Pick<CookAndPrintOptions, 'config'>,
  cwd: string,
  env: Environment['env'],
): ProjectFile | null {
  if (config === undefined || config === false) return null;
  const show = (path: string) => showPath(path, cwd);
  if (typeof config === 'string') return loadProjectFile(config, false, show);
  const found = findProjectFile(cwd, homeFolder(env));
  return found === null ? null : loadProjectFile(found, true, show);
}

/** Whether values name an output. */
const namesOutput = ({ out, outEach }: GivenValues): boolean => out !== undefined || outEach !== undefined;

/**
 * Without the ways to name an output if a stronger layer has one of them: they replace each other. Where textures go in a
 * project belongs to its output.
 */
function withoutReplaced({ values, isProjects = false }: OptionLayer, stronger: readonly OptionLayer[]): GivenValues {
  if (!stronger.some((layer) => namesOutput(layer.values))) return values;
  const { out, outEach, texturesDir, ...rest } = values;
  return isProjects ? rest : { ...rest, texturesDir };
}

/** Loads a preset; a name that is none is a fault of the file that has it. */
function presetIn(place: Pick<Diagnostic, 'file' | 'path'>, load: () => Preset): Preset {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(error.diagnostics.map((item) => (item.file === '' ? { ...item, ...place } : item)));
  }
}

/** The preset that holds for a call, and what names it: the call itself, the target or the project. */
function presetOf(
  { pipeline }: CookAndPrintOptions,
  parts: readonly BuildPart[],
  project: ProjectFile | null,
  targetName: string | null,
  cwd: string,
): { readonly preset: Preset | null; readonly namedBy: BuildPart | null } {
  const show = (path: string) => showPath(path, cwd);
  if (pipeline !== undefined) return { preset: loadPreset(pipeline, cwd, show), namedBy: null };
  const namedBy = [...parts].reverse().find((part) => part.pipeline !== undefined) ?? null;
  if (namedBy?.pipeline === undefined || project === null) return { preset: null, namedBy: null };
  const folder = dirname(project.path);
  const target = parts.indexOf(namedBy) === 0 ? '' : `targets/${targetName}/`;
  const preset = presetIn({ file: show(project.path), path: `${target}pipeline` }, () =>
    loadPreset(namedBy.pipeline as string, folder, show),
  );
  const faults: readonly Diagnostic[] = project.isFound
    ? foundFaults(preset.values, { file: show(preset.path), folder, at: '' })
    : [];
  if (faults.length > 0) throw new SourceError(faults);
  return { preset, namedBy };
}

/**
 * `words`: those of the call; none where they are no sources of a cook and name no target. Throws UC1007, UC1008 and UC1009
 * for the preset, those, UC1023 and UC1024 for the project file, UC1071 and UC1072 for the words.
 */
export function mergePreset(
  given: CookAndPrintOptions,
  cwd: string,
  env: Environment['env'],
  words: readonly string[] = [],
): MergedOptions {
  const show = (path: string) => showPath(path, cwd);
  const project = projectFile(given, cwd, env);
  const build = buildOf(words, project, cwd);
  const target = build.target === null ? null : (project?.targets.get(build.target) ?? null);
  const parts: readonly BuildPart[] = project ? [project, ...(target ? [target] : [])] : [];
  const { preset, namedBy } = presetOf(given, parts, project, build.target, cwd);
  // Every layer has the table's types.
  const own = given as GivenValues;
  const ofPreset: OptionLayer = {
    from: preset ? show(preset.path) : '',
    values: (preset?.values ?? {}) as GivenValues,
    ...(preset ? { place: { file: show(preset.path), at: '' } } : {}),
  };
  const overrides = parts.map((part) => (project ? overridesOf(project.path, part) : () => []));
  const layersOf = (source: string | null): OptionLayer[] => {
    const file = project ? show(project.path) : '';
    const ofParts = parts.flatMap((part, i): OptionLayer[] => {
      const name = i === 0 ? file : `${file}, target ${build.target}`;
      const matching = source === null ? [] : overrides[i](source);
      return [
        ...(part === namedBy ? [ofPreset] : []),
        {
          from: name,
          values: part.values as GivenValues,
          isProjects: true,
          place: { file, at: i === 0 ? '' : `targets/${build.target}/` },
        },
        ...matching.map((override) => ({
          from: `${name} (${override.match.join(', ')})`,
          values: override.values as GivenValues,
        })),
      ];
    });
    const layers = [...ofParts, ...(namedBy === null ? [ofPreset] : []), { from: '', values: own }];
    return layers.map((layer, i) => ({ ...layer, values: withoutReplaced(layer, layers.slice(i + 1)) }));
  };
  const layers = layersOf(null);
  const merged = layerValues(...layers.map(({ values }) => values));
  /** The folder that patterns of an option are relative to, by where it is set. */
  const baseOf = (name: 'ignore' | 'outEach'): string => {
    const setBy = layers.filter(({ values }) => values[name] !== undefined).at(-1);
    return project && setBy?.isProjects === true ? dirname(project.path) : cwd;
  };
  return {
    options: merged as CookAndPrintOptions,
    preset,
    project,
    build,
    ignoreBase: baseOf('ignore'),
    outEachBase: baseOf('outEach'),
    layersOf,
  };
}

/**
 * What was thrown, with the file and the key of each option that a project file or a preset has set: whoever reads it has given no
 * such option.
 */
export function inOwnFiles(error: unknown, { layersOf }: Pick<MergedOptions, 'layersOf'>): unknown {
  if (!(error instanceof SourceError)) return error;
  const layers = layersOf(null);
  const placed = error.diagnostics.map((item): Diagnostic => {
    if (item.file !== '' || !item.path.startsWith('--')) return item;
    const key = item.path.slice(2);
    const place = layers.findLast(({ values }) => values[camelCase(key)] !== undefined)?.place;
    return place ? { ...item, file: place.file, path: `${place.at}${key}` } : item;
  });
  return new SourceError(placed);
}

/**
 * The options with those of the preset that `pipeline` names and of the project file below them, as cook() applies them to
 * these words. Throws SourceError as mergePreset does.
 */
export function withPreset(
  given: CookAndPrintOptions,
  call: Surrounded,
  words: readonly string[] = [],
): CookAndPrintOptions {
  return mergePreset(given, workingFolder(call), variablesOf(call), words).options;
}
