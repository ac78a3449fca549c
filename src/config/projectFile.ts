// The project file, `untold.config.json`: options for all sources of a project, and for those whose paths match a pattern.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import { codeOf, readWholeText, refusal } from '../importers/wholeFile.ts';
import { namesBelow, pathPattern } from './ignore.ts';
import type { OptionsOf } from './options/option.ts';
import { PRESET_OPTIONS, SOURCE_OPTIONS } from './options/table.ts';
import { type PresetValues, parseObject, readValues } from './presets.ts';

export const PROJECT_FILE = 'untold.config.json';

/** Options of the sources that a pattern matches. */
export interface FileOverride {
  readonly match: readonly string[];
  readonly values: OptionsOf<typeof SOURCE_OPTIONS>;
}

export interface ProjectFile {
  /** Absolute path of the file. */
  readonly path: string;
  readonly values: PresetValues;
  /** In their order: later ones are stronger. */
  readonly files: readonly FileOverride[];
}

/**
 * Options that a file may not set which was found and not named: whoever cooks in a folder that came from elsewhere has not
 * agreed to what it writes where.
 */
export const NOT_WHEN_FOUND = ['out', 'out-each', 'textures-dir', 'depfile', 'force'];

/** The folder at which the search ends: one that holds .git or the home folder; without either above it the folder itself. */
function lastFolder(folder: string, home: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (at === home || existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** The nearest project file from a folder up; null: there is none. Folders beyond, as /tmp, may be others'. */
export function findProjectFile(folder: string, home: string): string | null {
  const last = lastFolder(folder, home);
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, PROJECT_FILE);
    if (existsSync(path)) return path;
    if (at === last) return null;
  }
}

function parseOverride(
  value: unknown,
  index: number,
  file: string,
  folder: string,
  faults: Diagnostic[],
): FileOverride[] {
  const at = `files/${index}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(diagnostic('UC1008', file, at, 'an entry of "files" is no JSON object'));
    return [];
  }
  const { match } = value as { match?: unknown };
  const patterns = typeof match === 'string' ? [match] : match;
  const isList = Array.isArray(patterns) && patterns.length > 0;
  if (!isList || !patterns.every((one) => typeof one === 'string' && one !== '')) {
    faults.push(diagnostic('UC1008', file, `${at}/match`, '"match" takes a pattern or a list of patterns'));
    return [];
  }
  const values = readValues(value, SOURCE_OPTIONS, { file, folder, at: `${at}/`, ownKeys: ['match'], faults });
  return [{ match: patterns, values }];
}

/**
 * Reads a project file. `isFound`: it was not named; then some options are refused (UC1023). `show` turns an absolute path
 * into what messages call it. Throws UC1024 for a file that cannot be read, UC1008 and UC1009 as presets do.
 */
export function loadProjectFile(path: string, isFound: boolean, show: (path: string) => string): ProjectFile {
  const file = show(path);
  const folder = dirname(path);
  let text: string;
  try {
    text = readWholeText(path);
  } catch (error) {
    return fail('UC1024', file, '', `the file ${refusal(codeOf(error))}`);
  }
  const object = parseObject(text, file);
  const faults: Diagnostic[] = [];
  const ownKeys = ['$schema', 'description', 'files'];
  const values = readValues(object, PRESET_OPTIONS, { file, folder, at: '', ownKeys, faults });
  if (isFound) {
    for (const key of NOT_WHEN_FOUND) {
      if (Object.hasOwn(object, key))
        faults.push(diagnostic('UC1023', file, key, `it sets "${key}" and was not named`));
    }
  }
  const { files = [] } = object as { files?: unknown };
  if (!Array.isArray(files)) faults.push(diagnostic('UC1008', file, 'files', '"files" takes a list'));
  const list: readonly unknown[] = Array.isArray(files) ? files : [];
  const overrides = list.flatMap((value, i) => parseOverride(value, i, file, folder, faults));
  if (faults.length > 0) throw new SourceError(faults);
  return { path, values, files: overrides };
}

/** A test for sources: the overrides of a project that match a path, in their order. */
export function overridesOf({ path, files }: ProjectFile): (source: string) => readonly FileOverride[] {
  const tests = files.map(({ match }) => match.map(pathPattern));
  return (source) => {
    const names = namesBelow(dirname(path), source);
    return names[0] === '..' ? [] : files.filter((_, i) => tests[i].some((isMatch) => isMatch(names)));
  };
}
