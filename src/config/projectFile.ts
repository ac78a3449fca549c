// The project file, `untold.config.json`: options for all sources of a project, and for those whose paths match a pattern;
// what the project is built of and where to; its targets, builds that differ in some of that; and its devices.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import { codeOf, readWholeText, refusal } from '../importers/wholeFile.ts';
import { isPattern } from './glob.ts';
import { fixedFolder, namesBelow, pathPattern } from './ignore.ts';
import type { OptionsOf } from './options/option.ts';
import { PRESET_OPTIONS, SOURCE_OPTIONS } from './options/table.ts';
import { outEachRoot } from './outEach.ts';
import {
  isPresetPath,
  type Misplaced,
  type PresetValues,
  parseObject,
  readValues,
  type ValuesPlace,
} from './presets.ts';
import { type ProjectDevices, parseDevices } from './projectDevices.ts';

export const PROJECT_FILE = 'untold.config.json';

/** Options of the sources that a pattern matches. */
export interface FileOverride {
  readonly match: readonly string[];
  readonly values: OptionsOf<typeof SOURCE_OPTIONS>;
}

/** What the file sets for a build: for all of them, or for one of its targets. */
export interface BuildPart {
  readonly values: PresetValues;
  /** In their order: later ones are stronger. */
  readonly files: readonly FileOverride[];
  /** Files, folders and patterns relative to the folder of the file; undefined: it names none. */
  readonly sources?: readonly string[] | undefined;
  /** The preset below the values: its name, or its absolute path; undefined: it names none. */
  readonly pipeline?: string | undefined;
}

export interface ProjectFile extends BuildPart {
  /** Absolute path of the file. */
  readonly path: string;
  /** Whether it was found and not named. */
  readonly isFound: boolean;
  /** Builds by their names, in the order of the file. */
  readonly targets: ReadonlyMap<string, BuildPart>;
  /** What it says of devices, by their names. */
  readonly devices: ProjectDevices;
}

/**
 * Options that a file may not set which was found and not named: whoever cooks in a folder that came from elsewhere has not
 * agreed to what it replaces where.
 */
const NOT_WHEN_FOUND = ['depfile', 'force'] as const;

/** Options of such a file that lead nowhere but below its own folder. */
const BELOW_WHEN_FOUND = ['out', 'outEach', 'texturesDir'] as const;
const WRITTEN = { out: 'out', outEach: 'out-each', texturesDir: 'textures-dir' } as const;

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

/** The real path of a path, of which the last folders may not be there yet. */
export function realPlace(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch {
      if (dirname(at) === at) return path;
      missing.unshift(basename(at));
    }
  }
}

const isAtOrBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** UC1023 for what a file may not say that was not named. `folder`: that of the project file; `at`: put before the keys. */
export function foundFaults(values: PresetValues, { file, folder, at }: Pick<ValuesPlace, 'file' | 'folder' | 'at'>) {
  const faults: Diagnostic[] = [];
  const own = realPlace(folder);
  for (const name of NOT_WHEN_FOUND) {
    if (values[name] !== undefined)
      faults.push(diagnostic('UC1023', file, `${at}${name}`, `it sets "${name}" and was not named`));
  }
  for (const name of BELOW_WHEN_FOUND) {
    const path = values[name];
    if (path === undefined || isAtOrBelow(own, realPlace(name === 'outEach' ? outEachRoot(path) : path))) continue;
    const key = WRITTEN[name];
    const message = `"${key}" leads out of the folder of the project file, which was not named`;
    faults.push(diagnostic('UC1023', file, `${at}${key}`, message));
  }
  return faults;
}

type Place = Omit<ValuesPlace, 'ownKeys'>;

/** What belongs to a build and stands in an entry of "files"; null for all other keys. */
function ofBuild(key: string): Misplaced | null {
  if (key === 'pipeline') {
    return {
      message: '"pipeline" is of a build, not of some of its sources',
      help: 'put it beside "files", or put what the preset sets into the entry; or make these sources a target with "sources", "out" and "pipeline"',
    };
  }
  if (key === 'targets') return { message: '"targets" is of the project', help: 'put it beside "files"' };
  const names: readonly string[] = [...BUILD_KEYS, ...PRESET_OPTIONS.map(({ name }) => name)];
  if (!names.includes(key)) return null;
  return {
    message: `"${key}" is of a build, not of some of its sources`,
    help: 'put it beside "files", or into a target',
  };
}

function parseOverride(value: unknown, index: number, { file, folder, at, faults }: Place): FileOverride[] {
  const place = `${at}files/${index}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(diagnostic('UC1008', file, place, 'an entry of "files" is no JSON object'));
    return [];
  }
  const { match } = value as { match?: unknown };
  const patterns = textsOf(match);
  if (patterns === null) {
    faults.push(diagnostic('UC1008', file, `${place}/match`, '"match" takes a pattern or a list of patterns'));
    return [];
  }
  const ownKeys = ['match'];
  const values = readValues(value, SOURCE_OPTIONS, {
    file,
    folder,
    at: `${place}/`,
    ownKeys,
    elsewhere: ofBuild,
    faults,
  });
  return [{ match: patterns, values }];
}

/** JSON can hold a NUL; a path of any system cannot. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && !value.includes('\0');

/** A text or a list of texts as a list; null for anything else, an empty list and an empty text among it. */
function textsOf(value: unknown): readonly string[] | null {
  const list: readonly unknown[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  const texts = list.filter(isText);
  return texts.length > 0 && texts.length === list.length ? texts : null;
}

/** Keys that a build has besides the options of a preset. */
export const BUILD_KEYS = ['description', 'sources', 'pipeline', 'files'] as const;

function parseBuild(object: object, ownKeys: readonly string[], place: Place): BuildPart {
  const { file, folder, at, faults } = place;
  const values = readValues(object, PRESET_OPTIONS, { ...place, ownKeys });
  const refuse = (key: string, words: string) => faults.push(diagnostic('UC1008', file, `${at}${key}`, words));
  const given = object as { files?: unknown; sources?: unknown; pipeline?: unknown };
  const { files = [], pipeline } = given;
  if (!Array.isArray(files)) refuse('files', '"files" takes a list');
  const list: readonly unknown[] = Array.isArray(files) ? files : [];
  const sources = given.sources === undefined ? undefined : textsOf(given.sources);
  if (sources === null) refuse('sources', '"sources" takes a file, folder or pattern, or a list of them');
  if (sources?.includes('-')) refuse('sources', 'standard input is no source of a project');
  if (pipeline !== undefined && !isText(pipeline))
    refuse('pipeline', '"pipeline" takes the name or the path of a preset');
  return {
    values,
    files: list.flatMap((value, i) => parseOverride(value, i, place)),
    sources: sources ?? undefined,
    pipeline: isText(pipeline) ? (isPresetPath(pipeline) ? resolve(folder, pipeline) : pipeline) : undefined,
  };
}

/** A name that is no path, no pattern and no option. */
export const TARGET_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

function parseTargets(value: unknown, place: Place): Map<string, BuildPart> {
  const { file, faults } = place;
  const targets = new Map<string, BuildPart>();
  if (value === undefined) return targets;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(
      diagnostic('UC1008', file, 'targets', '"targets" takes an object: the name of each build and its options'),
    );
    return targets;
  }
  for (const [name, part] of Object.entries(value) as [string, unknown][]) {
    const at = `targets/${name}`;
    if (!TARGET_NAME.test(name)) {
      const words = `"${name}" is no name of a target: letters, digits, . _ and -, and no . or - at the beginning`;
      faults.push(diagnostic('UC1008', file, at, words));
    } else if (typeof part !== 'object' || part === null || Array.isArray(part)) {
      faults.push(diagnostic('UC1008', file, at, 'a target is a JSON object with options'));
    } else targets.set(name, parseBuild(part, BUILD_KEYS, { ...place, at: `${at}/` }));
  }
  return targets;
}

/**
 * Reads a project file. `isFound`: it was not named; then some options are refused, and outputs lie below its folder
 * (UC1023). `show` turns an absolute path into what messages call it. Throws UC1024 for a file that cannot be read, UC1008
 * and UC1009 as presets do.
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
  const place = { file, folder, at: '', faults };
  const whole = parseBuild(object, ['$schema', ...BUILD_KEYS, 'targets', 'devices'], place);
  const targets = parseTargets((object as { targets?: unknown }).targets, place);
  const devices = parseDevices((object as { devices?: unknown }).devices, place);
  if (isFound) {
    faults.push(...foundFaults(whole.values, place));
    for (const [name, { values }] of targets) faults.push(...foundFaults(values, { ...place, at: `targets/${name}/` }));
  }
  if (faults.length > 0) throw new SourceError(faults);
  return { path, isFound, ...whole, targets, devices };
}

/** A test for sources: the overrides of a part of a project that match a path, in their order. */
export function overridesOf(path: string, { files }: BuildPart): (source: string) => readonly FileOverride[] {
  const tests = files.map(({ match }) => match.map(pathPattern));
  return (source) => {
    const names = namesBelow(dirname(path), source);
    return names[0] === '..' ? [] : files.filter((_, i) => tests[i].some((isMatch) => isMatch(names)));
  };
}

/** Where the values of a build lead; absolute. */
function placesOf({ values: { out, outEach, texturesDir } }: BuildPart): string[] {
  const places = [out, outEach === undefined ? undefined : outEachRoot(outEach), texturesDir];
  return places.filter((place) => place !== undefined);
}

/**
 * Whether a path is an output of the project: it is one or lies in one of some build, or it is named for a target, holds that
 * one's output and none of its sources.
 */
export function isOutputOfProject(project: ProjectFile, target: BuildPart, path: string): boolean {
  const folder = dirname(project.path);
  const places = [project, ...project.targets.values()].flatMap(placesOf);
  // Where outputs go into the folder of the project itself, it tells nothing.
  if (places.some((place) => !isAtOrBelow(place, folder) && isAtOrBelow(place, path))) return true;
  const sources = (target.sources ?? project.sources ?? []).map((word) => {
    const source = resolve(folder, word);
    return isPattern(word) && !existsSync(source) ? fixedFolder(source) : source;
  });
  const holdsSources = sources.some((source) => isAtOrBelow(path, source) || isAtOrBelow(source, path));
  return !holdsSources && placesOf(target).some((place) => isAtOrBelow(path, place));
}
