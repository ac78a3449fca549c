// The work of a call of cook(), decided before the first byte is read: the sources, where each one goes, the settings.

import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
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
  const { json, quiet, verbose, logFormat, hide, ...merged } = options;
  return { options: settle(COOK_CALL_OPTIONS, merged), preset };
}

/** Throws SourceError with exit code 2 or 3 for everything that can be refused before a source is opened. */
export function planCook(words: readonly string[], given: object, cwd: string): CookPlan {
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
  const paths = expandSources(words, cwd, SOURCE_EXTENSIONS);
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
