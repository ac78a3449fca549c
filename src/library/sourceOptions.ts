// sourceOptions(): which options hold for one source of a cook, and where each one comes from.

import { resolve } from 'node:path';
import { camelCase, type OptionValue } from '../config/options/option.ts';
import { COOK_OPTIONS } from '../config/options/table.ts';
import { writtenValue } from '../config/options/values.ts';
import { showPath } from '../config/showPath.ts';
import { unmatchedPatterns } from '../config/unmatchedPatterns.ts';
import { type Diagnostic, fail } from '../diagnostics/diagnostic.ts';
import { checkOptions } from './call/checkOptions.ts';
import { type Surrounded, variablesOf, workingFolder } from './call/environment.ts';
import { type CookAndPrintOptions, mergePreset, type OptionLayer } from './call/mergePreset.ts';

/** An option that has a value. */
export interface SourceOption {
  /** As on the command line and in files, without its dashes. */
  readonly name: string;
  /** As a preset writes it; paths relative to the working folder. */
  readonly value: ReturnType<typeof writtenValue>;
  /** `default`, `given`, or the file that sets it, with the patterns of its entry if it has some. */
  readonly from: string;
}

export interface SourceOptions {
  readonly source: string;
  /** The project file; null: there is none. */
  readonly config: string | null;
  /** The target whose options these are; null: they are those of the project. */
  readonly target: string | null;
  /** The targets of the project file. */
  readonly targets: readonly string[];
  /** In the order of the help. */
  readonly options: readonly SourceOption[];
  /** UC1080: patterns of the project file that match nothing. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Options of one call, which say nothing of a source. */
const OF_THE_CALL = new Set(['config', 'pipeline']);

function shown(value: OptionValue, kind: (typeof COOK_OPTIONS)[number]['kind'], cwd: string): SourceOption['value'] {
  const isPaths = kind.type === 'path' || (kind.type === 'list' && 'paths' in kind && kind.paths === 'items');
  const written = writtenValue(kind, value);
  if (!isPaths) return written;
  return Array.isArray(written) ? written.map((path) => showPath(path, cwd)) : showPath(String(written), cwd);
}

/** The options of `untold cook` for one source, in a build of the project: that of a target, or (null) the project itself. Throws SourceError as cook() does for options, preset and project file. */
export function sourceOptions(
  file: string,
  given: CookAndPrintOptions & Surrounded,
  target: string | null = null,
): SourceOptions {
  const cwd = workingFolder(given);
  const words = target === null ? [] : [target];
  const merged = mergePreset(checkOptions(COOK_OPTIONS, given, cwd), cwd, variablesOf(given), words);
  const { project, build, layersOf } = merged;
  if (target !== null && build.target === null) {
    const targets = [...(project?.targets.keys() ?? [])];
    const remedy = targets.length > 0 ? `its targets are ${targets.join(', ')}` : 'name the source alone';
    fail('UC1072', '', target, 'it is no target of a project file', remedy);
  }
  const layers: readonly OptionLayer[] = [...layersOf(resolve(cwd, file))].reverse();
  const options = COOK_OPTIONS.flatMap((spec): SourceOption[] => {
    if (OF_THE_CALL.has(spec.name)) return [];
    const key = camelCase(spec.name);
    const layer = layers.find(({ values }) => values[key] !== undefined);
    const value = layer?.values[key] ?? ('default' in spec ? spec.default : undefined);
    if (layer?.values[key] === null) return [{ name: spec.name, value: 'none', from: layer.from || 'given' }];
    if (value === undefined) return [];
    return [{ name: spec.name, value: shown(value, spec.kind, cwd), from: layer ? layer.from || 'given' : 'default' }];
  });
  return {
    source: showPath(resolve(cwd, file), cwd),
    config: project && showPath(project.path, cwd),
    target: build.target,
    targets: [...(project?.targets.keys() ?? [])],
    options,
    diagnostics: project ? unmatchedPatterns(project, [], cwd) : [],
  };
}
