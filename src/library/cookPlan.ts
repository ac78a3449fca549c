// The work of a call of cook(), decided before the first byte is read: the sources, where each one goes, the settings.

import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type SettledOptions, settle } from '../config/options/option.ts';
import { COOK_CALL_OPTIONS } from '../config/options/table.ts';
import type { Preset } from '../config/presets.ts';
import { cookSettings } from '../config/settings.ts';
import { showPath } from '../config/showPath.ts';
import { expandSources, SOURCE_EXTENSIONS } from '../config/sources.ts';
import { planTargets } from '../config/targets.ts';
import type { CookJob } from '../cook/types.ts';
import { fail } from '../diagnostics/diagnostic.ts';
import type { SeverityPolicy } from '../diagnostics/policy.ts';
import { DEFAULT_FORMAT, FORMATS } from '../formats/registry.ts';
import { defaultRoot } from '../importers/files.ts';
import { isFolder } from '../importers/wholeFile.ts';
import { checkOptions } from './call/checkOptions.ts';
import { mergePreset } from './call/mergePreset.ts';
import { severityPolicy } from './call/policy.ts';

export interface CookPlan {
  readonly jobs: readonly CookJob[];
  readonly options: SettledOptions<typeof COOK_CALL_OPTIONS>;
  readonly preset: Preset | null;
  readonly policy: SeverityPolicy;
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Options that were given, on top of those of their preset. Throws as checkOptions and mergePreset do. */
function cookOptions(given: object, cwd: string): Pick<CookPlan, 'options' | 'preset'> {
  const checked = checkOptions(COOK_CALL_OPTIONS, given, cwd);
  const { options, preset } = mergePreset(checked, cwd);
  // A preset may also hold options of printing, which only the command line uses.
  const { json, quiet, verbose, logFormat, ...merged } = options;
  return { options: settle(COOK_CALL_OPTIONS, merged), preset };
}

/** The word that stands for standard input. A file of this name is `./-`. */
const STDIN = '-';
const STDIN_NAME = 'stdin';

interface StdinSource {
  /** Absolute: what its name stands for. There need be no such file. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** What `-` stands for, if it is among the words. Throws UC1060 where there is nothing, UC1012 for a name without it. */
function stdinSource(
  words: readonly string[],
  given: { readonly stdin?: Uint8Array | undefined },
  name: string | undefined,
  cwd: string,
): StdinSource | null {
  const times = words.filter((word) => word === STDIN).length;
  if (times === 0) {
    if (name !== undefined) fail('UC1012', '', '--stdin-name', 'given without the source -');
    return null;
  }
  if (times > 1) fail('UC1060', '', STDIN, `standard input was named ${times} times`, 'name it once');
  if (name === '') fail('UC1003', '', '--stdin-name', '"" was given, which is no name', 'give a name like chair.glb');
  if (given.stdin === undefined) return fail('UC1060', '', STDIN, 'there is no standard input');
  return { path: resolve(cwd, name ?? STDIN_NAME), content: given.stdin };
}

/** Throws SourceError with exit code 2 or 3 for everything that can be refused before a source is opened. */
export function planCook(
  words: readonly string[],
  given: { readonly stdin?: Uint8Array | undefined },
  cwd: string,
): CookPlan {
  const { options, preset } = cookOptions(given, cwd);
  const policy = severityPolicy(options);
  const { dryRun = false, force = false, only = null } = options;
  if (options.cache === false && options.cacheDir !== undefined) {
    fail('UC1012', '', '--no-cache', '--cache-dir was given too');
  }
  // Names in a plan are relative to the output: it is the same for any.
  const out = options.out ?? (dryRun ? cwd : undefined);
  if (out === undefined) {
    const file = `FILE${FORMATS[DEFAULT_FORMAT].extension}`;
    fail('UC1002', '', '--out', 'no output is named', `give --out DIR or --out ${file}`);
  }
  if (options.root !== undefined && !isFolder(options.root)) {
    fail('UC1003', '', '--root', `${showPath(options.root, cwd)} is not a folder`, 'give a folder that exists');
  }
  const root = options.root === undefined ? null : realFolder(options.root);
  if (words.length === 0) fail('UC1002', '', '', 'no source is named', 'name a file, a folder or a pattern');
  const stdin = stdinSource(words, given, options.stdinName, cwd);
  const onDisk = expandSources(stdin ? words.filter((word) => word !== STDIN) : words, cwd, SOURCE_EXTENSIONS);
  const paths = stdin ? [stdin.path, ...onDisk] : onDisk;
  const sources = paths.map((path) => ({ path, folder: realFolder(dirname(path)), name: showPath(path, cwd) }));
  const settings = cookSettings(options);
  const targets = planTargets(sources, out, root, FORMATS[settings.format ?? DEFAULT_FORMAT].extension);
  if (only !== null && targets.length > 1) {
    fail('UC1003', '', '--only', `${targets.length} sources were named`, 'name the one source of that tile');
  }
  if (only !== null && targets[0]?.kind === 'file') {
    fail('UC1003', '', '--only', 'a single file has no tiles', 'give the folder of the tiles to --out');
  }
  const jobs = sources.map(
    ({ path, name }, i): CookJob => ({
      source: name,
      content: path === stdin?.path ? stdin.content : null,
      root: root ?? defaultRoot(path),
      target: targets[i],
      settings,
      policy,
      force,
      dryRun,
      only,
    }),
  );
  return { jobs, options, preset, policy };
}
