// init(): writes a project file for the sources that lie in a folder.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { OptionsOf } from '../config/options/option.ts';
import { INIT_CALL_OPTIONS } from '../config/options/table.ts';
import { findProjectFile, PROJECT_FILE } from '../config/projectFile.ts';
import { showPath } from '../config/showPath.ts';
import { type FoundSource, findSources, SOURCE_EXTENSIONS } from '../config/sources.ts';
import { type Diagnostic, fail } from '../diagnostics/diagnostic.ts';
import { isFolder, readWholeText } from '../importers/wholeFile.ts';
import { checkOptions } from './call/checkOptions.ts';
import { type Surrounded, variablesOf, workingFolder } from './call/environment.ts';
import { failedCall } from './call/faults.ts';
import { homeFolder } from './call/mergePreset.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { writeWhole } from './call/writeWhole.ts';
import { planCook } from './cookPlan.ts';
import { setsBelow } from './outputsBelow.ts';

/** The options of `untold init` in camelCase. */
export interface InitOptions extends OptionsOf<typeof INIT_CALL_OPTIONS>, Surrounded {}

/** What one entry of `sources` stands for. */
export interface InitSources {
  /** A folder with `/` at its end, or a pattern; as the project file has it. */
  readonly match: string;
  /** Files that it leads to. */
  readonly files: number;
  /** Their extensions with the number of each, the commonest first. */
  readonly extensions: Readonly<Record<string, number>>;
}

export interface InitDocument {
  /** The project file that was written, relative to the working folder. */
  readonly path: string;
  /** Whether one that was there was replaced. */
  readonly replaced: boolean;
  /** What it says. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly found: readonly InitSources[];
  /** Sources that `untold cook` would cook: without layers that others bring in. */
  readonly sources: number;
  /** Sets of earlier cooks in the folder of the output. */
  readonly sets: number;
  /** The project file that has held for the folder until now; null: there was none above it. */
  readonly above: string | null;
  /** A line for .gitignore, which keeps outputs out of the repository; null: it is not one, or has such a line. */
  readonly toIgnore: string | null;
  /** UC1020: layers that are parts of other sources. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface InitResult {
  readonly exitCode: number;
  /** Null when the call was refused. */
  readonly document: InitDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Folders that hold packages of programs, with assets that are no one's scenes. */
const NOT_SEARCHED = ['node_modules/'];

/** The folder for outputs: the first that is free, where none of them has outputs. */
const OUTPUT_FOLDERS = ['tiles', 'cooked', 'untold-tiles', 'untold-cooked'];

/** How often each value occurs, the commonest first. */
function counted(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

/** The sources as entries: each folder of the project, and patterns for files that lie in the project folder itself. */
function entriesOf(found: readonly FoundSource[], folder: string): InitSources[] {
  const byMatch = new Map<string, string[]>();
  for (const { path } of found) {
    const [first, ...below] = relative(folder, path).split(sep);
    const extension = extname(path);
    const match = below.length > 0 ? `${first}/` : `*${extension}`;
    const files = byMatch.get(match);
    if (files) files.push(extension.toLowerCase());
    else byMatch.set(match, [extension.toLowerCase()]);
  }
  return [...byMatch].map(([match, extensions]) => ({
    match,
    files: extensions.length,
    extensions: counted(extensions),
  }));
}

/** Where outputs go: a folder that has some and no source, else the first name that is free. */
function outputFolder(folder: string, taken: ReadonlySet<string>): { readonly name: string; readonly sets: number } {
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !taken.has(entry.name))
    .map(({ name }) => name)
    .filter((name) => !NOT_SEARCHED.includes(`${name}/`))
    .sort();
  for (const name of folders) {
    const sets = setsBelow(join(folder, name)).length;
    if (sets > 0) return { name, sets };
  }
  const free = OUTPUT_FOLDERS.find((name) => !existsSync(join(folder, name)));
  return { name: free ?? OUTPUT_FOLDERS[0], sets: 0 };
}

const schemaBelow = (folder: string): string | null => {
  const path = 'node_modules/untold-cook/schemas/config.schema.json';
  return existsSync(join(folder, path)) ? path : null;
};

/** The line that keeps a folder of outputs out of the repository around it; null: there is none, or it has such a line. */
function lineToIgnore(folder: string, out: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const path = relative(at, join(folder, out)).split(sep).join('/');
    const lines = existsSync(join(at, '.gitignore')) ? readWholeText(join(at, '.gitignore')).split(/\r?\n/) : [];
    const ignored = lines.map((line) => line.trim().replace(/\/(?:\*{1,2})?$/, ''));
    if (ignored.some((line) => line === out || line === path || line === `/${path}`)) return null;
    if (existsSync(join(at, '.git'))) return `/${path}/`;
    if (dirname(at) === at) return null;
  }
}

async function initFolder(given: string, call: InitOptions, cwd: string): Promise<InitDocument> {
  const { force = false } = checkOptions(INIT_CALL_OPTIONS, call, cwd);
  const folder = resolve(cwd, given);
  const shown = showPath(folder, cwd);
  if (!isFolder(folder)) fail('UC1003', '', shown, 'this is not a folder', 'name the folder that holds the sources');
  const path = join(folder, PROJECT_FILE);
  const replaced = existsSync(path);
  if (replaced && !force) fail('UC1073', showPath(path, cwd), '', 'it is there already');
  const found = findSources([folder], folder, { extensions: SOURCE_EXTENSIONS, ignore: NOT_SEARCHED, shownFrom: cwd });
  const entries = entriesOf(found, folder);
  const sources = entries.map(({ match }) => match);
  const out = outputFolder(folder, new Set(sources.map((match) => match.split('/')[0])));
  const hasFolders = new Set(found.map((source) => dirname(source.path))).size > 1;
  const env = variablesOf(call);
  const options = { out: join(folder, out.name), ...(hasFolders ? { root: folder } : {}), config: false };
  // As `untold cook` in the folder will plan it.
  const plan = await planCook(sources, { ...options, environment: { cwd: () => folder, env } });
  const above = findProjectFile(dirname(folder), homeFolder(env));
  const schema = schemaBelow(folder);
  const config = {
    ...(schema === null ? {} : { $schema: schema }),
    sources,
    ...(hasFolders ? { root: '.' } : {}),
    out: `${out.name}/`,
    ...(plan.faults.some((fault) => fault !== null) ? { 'on-clash': 'rename' } : {}),
  };
  writeWhole(path, new TextEncoder().encode(`${JSON.stringify(config, null, 2)}\n`), 'init');
  return {
    path: showPath(path, cwd),
    replaced,
    config,
    found: entries,
    sources: plan.jobs.length,
    sets: out.sets,
    toIgnore: lineToIgnore(folder, out.name),
    above: above === null ? null : showPath(above, cwd),
    diagnostics: plan.notes.map((item) => shownDiagnostic(item, cwd)),
  };
}

/** Runs a call of init(). Rejects only for a bug. */
export async function runInit(folder: string, given: InitOptions): Promise<InitResult> {
  try {
    return { exitCode: 0, document: await initFolder(folder, given, workingFolder(given)), diagnostics: [] };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
