// merge(): puts the shards of several machines together to the sets that one machine would have cooked.

import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type OptionsOf, settle } from '../config/options/option.ts';
import { MERGE_CALL_OPTIONS } from '../config/options/table.ts';
import { checkFolderName } from '../config/outputName.ts';
import { showPath } from '../config/showPath.ts';
import type { CookTarget } from '../config/types.ts';
import { throwIfAborted } from '../cook/interruption.ts';
import type { NamedShard } from '../cook/merge/agreement.ts';
import { mergedTarget, mergeShards } from '../cook/merge/mergeShards.ts';
import { TEXTURE_FOLDER } from '../cook/outputs/pack/modelNames.ts';
import type { CookOutput, CookTotals } from '../cook/types.ts';
import { type Diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import { SHARD_ENDING } from '../formats/shard/document.ts';
import { readShardText } from '../formats/shard/text.ts';
import { codeOf, readWholeText, refusal, statusOf } from '../importers/wholeFile.ts';
import { SharedTextures } from '../output/sharedTextures.ts';
import { type CallOptions, checkOptions } from './call/checkOptions.ts';
import { workingFolder } from './call/environment.ts';
import { exitCodeOf, worst } from './call/exitCode.ts';
import { failedCall } from './call/faults.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { collectTextures } from './collectTextures.ts';

/** The options of `untold merge` in camelCase, and callbacks. Callbacks must not throw. */
export interface MergeOptions extends OptionsOf<typeof MERGE_CALL_OPTIONS>, CallOptions {
  /** Another process holds a set: its merge waits. */
  readonly onWait?: ((source: string, holder: string) => void) | undefined;
}

/** What became of one set. */
export interface MergedSet {
  /** As the cook of the shards named it. */
  readonly source: string;
  /** The main files of the shards, relative to the working folder, with `/`. */
  readonly shards: readonly string[];
  readonly target: CookTarget;
  /** 'ok': the whole set was written, read back, checked and moved in. 'failed': nothing has changed at the target. */
  readonly status: 'ok' | 'failed';
  readonly outputs: readonly CookOutput[];
  /** Those of a cook of the whole source; null when nothing was written. */
  readonly totals: CookTotals | null;
  /** Those of a cook of the whole source, with the severities of the cooks; and what is wrong with the shards. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface MergeResult {
  /** What `untold merge` would end with: 0 exactly when every set is 'ok'. */
  readonly exitCode: number;
  /** One for each set, sorted by its place; empty when the call was refused before. */
  readonly sets: readonly MergedSet[];
  /** What concerns the call as a whole: options, shards that cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The main file of a shard is smaller than this; its text has to fit one string. */
const MAX_TEXT = 2 ** 28;

/** The main files of shards below a folder, in order. Links are not followed, and payloads hold none. */
function shardFilesBelow(root: string): string[] {
  const found: string[] = [];
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.')) open.push(path);
      else if (entry.isFile() && entry.name.endsWith(SHARD_ENDING)) found.push(path);
    }
  }
  return found.sort();
}

/** The main files that the words name: files, and all below folders. Throws UC1200 and UC4200. */
function shardFiles(words: readonly string[], cwd: string): string[] {
  const files = words.flatMap((word) => {
    const path = resolve(cwd, word);
    const { stat, code } = statusOf(path);
    if (stat === null) return fail('UC1200', path, '', `${word} ${refusal(code)}`);
    if (!stat.isDirectory()) return [path];
    const found = shardFilesBelow(path);
    return found.length > 0 ? found : fail('UC4200', path, '', 'the folder holds no shard');
  });
  return [...new Set(files)];
}

function readShard(file: string): NamedShard {
  const { stat } = statusOf(file);
  if (!stat?.isFile()) return fail('UC4200', file, '', 'it is not a regular file');
  if (stat.size > MAX_TEXT) return fail('UC4200', file, '', `it has ${stat.size} bytes, more than any shard`);
  let text: string;
  try {
    text = readWholeText(file);
  } catch (error) {
    return fail('UC1200', file, '', `${basename(file)} ${refusal(codeOf(error))}`);
  }
  return { file, part: readShardText(text, file) };
}

/** The shards of each set, by where it goes. Throws all that is wrong with their main files. */
function shardsBySet(files: readonly string[]): readonly NamedShard[][] {
  const sets = new Map<string, NamedShard[]>();
  const faults: Diagnostic[] = [];
  for (const file of files) {
    try {
      const shard = readShard(file);
      const { place, scene } = shard.part.common;
      const key = `${place}/${scene}`;
      const others = sets.get(key);
      if (others) others.push(shard);
      else sets.set(key, [shard]);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      faults.push(...error.diagnostics);
    }
  }
  if (faults.length > 0) throw new SourceError(faults);
  return [...sets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shards]) => shards);
}

async function mergeAll(words: readonly string[], given: MergeOptions, cwd: string): Promise<MergedSet[]> {
  const { signal, onWait = () => {} } = given;
  const { out, force = false, lockTimeout } = settle(MERGE_CALL_OPTIONS, checkOptions(MERGE_CALL_OPTIONS, given, cwd));
  if (words.length === 0) fail('UC1002', '', '', 'no shard is named', 'name the folders that cook --shard has written');
  if (out === undefined) return fail('UC1002', '', '--out', 'no output is named', 'give --out DIR');
  checkFolderName(out, cwd);
  const folder = resolve(out);
  const textures = new SharedTextures(join(folder, TEXTURE_FOLDER), force);
  const merged: MergedSet[] = [];
  for (const shards of shardsBySet(shardFiles(words, cwd))) {
    throwIfAborted(signal);
    const job = { shards, out: folder, force, lockTimeout, textures };
    const { source } = shards[0].part.common;
    const outcome = await mergeShards(job, (holder) => onWait(source, holder), signal);
    const { status, outputs, totals, diagnostics } = outcome;
    merged.push({
      source,
      shards: shards.map(({ file }) => showPath(file, cwd)),
      target: mergedTarget(job),
      status,
      outputs,
      totals,
      diagnostics: diagnostics.map((item) => shownDiagnostic(item, cwd)),
    });
  }
  await collectTextures(textures, folder);
  return merged;
}

/** Runs a call of merge(). Rejects only for a bug. */
export async function runMerge(words: readonly string[], given: MergeOptions): Promise<MergeResult> {
  try {
    throwIfAborted(given.signal);
    const sets = await mergeAll(words, given, workingFolder(given));
    const codes = sets.map(({ status, diagnostics }) => worst([exitCodeOf(diagnostics), status === 'failed' ? 1 : 0]));
    return { exitCode: worst(codes), sets, diagnostics: [] };
  } catch (error) {
    return { sets: [], ...failedCall(error, given) };
  }
}
