// Presets: JSON files whose keys are the names of cook's options. Those that come with the package lie in pipelines/ and
// are named; others are given by their path. Every key and value is checked against the table of options.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { jsonFaultWords } from '../bytes/jsonFault.ts';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import { codeOf, readWholeText, refusal } from '../importers/wholeFile.ts';
import { nearest } from './nearest.ts';
import { camelCase, type OptionSpec, type OptionsOf, type OptionTable, type OptionValue } from './options/option.ts';
import { COOK_OPTIONS, PRESET_OPTIONS } from './options/table.ts';
import { absoluteValue, parseJsonValue, Refusal } from './options/values.ts';

/** Options that a preset holds; paths are absolute. */
export type PresetValues = OptionsOf<typeof PRESET_OPTIONS>;

export interface Preset {
  /** Absolute path of the file. */
  readonly path: string;
  readonly values: PresetValues;
}

/** Keys that describe the file itself: for editors, and for the help. */
const OWN_KEYS = ['$schema', 'description'];

/** A text as a JSON object. Throws UC1008. */
export function parseObject(text: string, file: string): object {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return fail('UC1008', file, '', `not JSON: ${jsonFaultWords(json)}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return fail('UC1008', file, '', 'the file does not hold a JSON object');
  }
  return parsed;
}

/**
 * The values of a preset. `file` is what messages call it, `folder` what its paths are relative to. Throws SourceError
 * with every fault found: UC1008 not JSON, not an object or a value of the wrong kind, UC1009 an unknown key.
 */
export function parsePreset(text: string, file: string, folder: string): PresetValues {
  const parsed = parseObject(text, file);
  const faults: Diagnostic[] = [];
  const values = readValues(parsed, PRESET_OPTIONS, { file, folder, at: '', ownKeys: OWN_KEYS, faults });
  if (faults.length > 0) throw new SourceError(faults);
  return values;
}

/** What is said of a key that stands where it does not belong. */
export interface Misplaced {
  readonly message: string;
  readonly help: string;
}

/** Of options of one run; null for all other keys. */
function ofCommandLine(key: string): Misplaced | null {
  if (key === 'pipeline') {
    const help = 'give --pipeline to untold cook, or put it into the project file';
    return { message: '"pipeline" names a preset, and no preset lies below another', help };
  }
  if (!COOK_OPTIONS.some(({ name }) => name === key)) return null;
  return { message: `"${key}" is of one run, which no file sets`, help: `give --${key} to untold cook` };
}

/** Where values stand. */
export interface ValuesPlace {
  /** What messages call the file. */
  readonly file: string;
  /** What paths are relative to. */
  readonly folder: string;
  /** Put before the keys in messages. */
  readonly at: string;
  /** Keys that are no options. */
  readonly ownKeys: readonly string[];
  /** What is said of keys that stand in another place of the file; null: they do not. */
  readonly elsewhere?: (key: string) => Misplaced | null;
  /** Gets UC1008 for values of the wrong kind and UC1009 for unknown keys. */
  readonly faults: Diagnostic[];
}

/** Reads the options of `table` from a JSON object. The result has their names in camelCase; faults go to `faults`. */
export function readValues<T extends OptionTable>(
  object: object,
  table: T,
  { file, folder, at, ownKeys, faults, elsewhere }: ValuesPlace,
): OptionsOf<T> {
  const known = new Map<string, OptionSpec>(table.map((spec) => [spec.name, spec]));
  const values: Record<string, OptionValue> = {};
  for (const [key, value] of Object.entries(object)) {
    const spec = known.get(key);
    if (!spec) {
      if (ownKeys.includes(key)) continue;
      const misplaced = elsewhere?.(key) ?? ofCommandLine(key);
      const near = nearest(key, [...known.keys(), ...ownKeys]);
      const remedy = near === null ? undefined : `did you mean "${near}"?`;
      const { message, help } = misplaced ?? { message: `there is no option "${key}"`, help: remedy };
      faults.push(diagnostic('UC1009', file, `${at}${key}`, message, help));
      continue;
    }
    const checked = parseJsonValue(spec.kind, value);
    if (checked instanceof Refusal)
      faults.push(diagnostic('UC1008', file, `${at}${key}`, `"${key}" ${checked.message}`));
    else values[camelCase(key)] = absoluteValue(spec.kind, checked, folder);
  }
  // Every value was checked against its row of the table.
  return values as OptionsOf<T>;
}

/** The folder of the presets that come with the package: beside src/ and beside dist/. */
function presetFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pipelines', 'default.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the folder pipelines/ is missing from the package');
    folder = parent;
  }
  return join(folder, 'pipelines');
}

/** Names of the presets that come with the package, sorted, each with its description. */
export function shippedPresets(): { readonly name: string; readonly description: string }[] {
  const folder = presetFolder();
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    description: String(JSON.parse(readFileSync(join(folder, file), 'utf8')).description),
  }));
}

/** Whether what names a preset is its path: it ends in .json or holds a slash. */
export const isPresetPath = (nameOrFile: string): boolean => /[/\\]|\.json$/.test(nameOrFile);

/**
 * The preset that `--pipeline` names: a path as isPresetPath() tells, else a name. `show` turns an
 * absolute path into what messages call it. Throws UC1007 when there is none, and what parsePreset throws.
 */
export function loadPreset(nameOrFile: string, cwd: string, show: (path: string) => string): Preset {
  const isPath = isPresetPath(nameOrFile);
  const path = isPath ? resolve(cwd, nameOrFile) : join(presetFolder(), `${nameOrFile}.json`);
  if (!isPath && !existsSync(path)) {
    const names = shippedPresets().map((preset) => preset.name);
    const near = nearest(nameOrFile, names);
    const hint = near === null ? undefined : `did you mean ${near}?`;
    return fail('UC1007', '', '', `no preset "${nameOrFile}"; there are ${names.join(', ')}`, hint);
  }
  let text: string;
  try {
    text = readWholeText(path);
  } catch (error) {
    return fail('UC1007', show(path), '', `the file ${refusal(codeOf(error))}`);
  }
  return { path, values: parsePreset(text, show(path), dirname(path)) };
}
