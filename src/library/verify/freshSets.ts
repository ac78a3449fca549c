// Whether outputs are what a cook of their sources would write now. The record of the last cook tells at once. Where there is
// none, the sources are cooked into a temporary folder, and the files are compared.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { outEachRoot } from '../../config/outEach.ts';
import { showPath } from '../../config/showPath.ts';
import { isPack, mainFile } from '../../config/targets.ts';
import { CookRecords } from '../../cook/kept/cookRecord.ts';
import { modelsOfPack } from '../../cook/outputs/pack/packFiles.ts';
import { clipsOfModel } from '../../cook/outputs/singleFile/clipNames.ts';
import type { CookJob } from '../../cook/types.ts';
import { type Diagnostic, Diagnostics, diagnostic } from '../../diagnostics/diagnostic.ts';
import { CLIP_EXTENSION } from '../../engine/names.ts';
import { filesOfManifest } from '../../formats/manifest/write.ts';
import { fileSha256 } from '../../importers/fileStamp.ts';
import { readWholeText, statusOf } from '../../importers/wholeFile.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { callCache, runCook } from '../cook.ts';
import type { CookPlan } from '../cookPlan.ts';
import type { CookOptions } from '../cookTypes.ts';
import { isBelow } from '../isBelow.ts';

/** What is known of one source. */
export interface CheckedSource {
  /** As the user named it; with --as-one its name. */
  readonly source: string;
  /** The manifest or single file that it is cooked into, relative to the working folder. */
  readonly output: string;
  /** 'unknown': it could not be cooked for the comparison; its diagnostics say why. */
  readonly status: 'fresh' | 'stale' | 'missing' | 'unknown';
  /** What told: the record of the last cook, or another cook; null: neither was needed. */
  readonly by: 'record' | 'cook' | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The outputs of a set, absolute, with their hashes; null: the file is gone. */
function filesOfSet(job: CookJob): Map<string, string | null> {
  const main = mainFile(job.target);
  const hashes = new Map([[main, hashOf(main)]]);
  if (job.target.kind === 'file') {
    const base = dirname(main);
    const beside = (isPack(job.target) ? modelsOfPack : clipsOfModel)(base, basename(main));
    for (const [path, sha256] of beside) hashes.set(join(base, path), sha256);
    return hashes;
  }
  const { folder, sceneName } = job.target;
  for (const path of filesOfManifest(readWholeText(main), sceneName)?.keys() ?? []) {
    hashes.set(join(folder, path), hashOf(join(folder, path)));
  }
  return hashes;
}

function hashOf(path: string): string | null {
  try {
    return fileSha256(path);
  } catch {
    return null;
  }
}

/** Differences in a message for one source at most. */
const MAX_DIFFERENCES = 20;

/** Compares what a cook into another folder has written with what is there. */
function differences(
  job: CookJob,
  written: readonly { readonly path: string; readonly sha256: string }[],
  [there, made]: readonly [there: string, made: string],
  cwd: string,
): Diagnostic[] {
  const before = filesOfSet(job);
  const stale: Diagnostic[] = [];
  const add = (path: string, what: string) => stale.push(diagnostic('UC3244', showPath(path, cwd), '', what));
  for (const { path, sha256 } of written) {
    const place = join(there, relative(made, path));
    // Textures of a single file are known by the cook alone.
    let is = before.has(place) ? before.get(place) : hashOf(place);
    // Where another model has a clip of this name, the model's own lies under another one.
    if (place.endsWith(CLIP_EXTENSION) && is !== sha256) {
      const other = [...before].find(([path, own]) => path.endsWith(CLIP_EXTENSION) && own === sha256);
      if (other) {
        before.delete(other[0]);
        is = sha256;
      }
    } else before.delete(place);
    if (is === null || is === undefined) add(place, 'a cook of the source writes this file, and it is not there');
    else if (is !== sha256) add(place, 'a cook of the source gives this file another content');
  }
  for (const place of before.keys()) add(place, 'a cook of the source does not write this file');
  const more = stale.length - MAX_DIFFERENCES;
  if (more <= 0) return stale;
  const rest = diagnostic('UC3244', showPath(mainFile(job.target), cwd), '', `and ${more} more files differ`);
  return [...stale.slice(0, MAX_DIFFERENCES), rest];
}

export interface FreshResult {
  readonly sources: readonly CheckedSource[];
  /** What concerns the cook as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: number;
  /** Absolute paths of the manifests and files that the sources are cooked into. */
  readonly outputs: ReadonlySet<string>;
}

/** The folder that holds all of these; all are absolute. */
function commonFolder(paths: readonly string[]): string {
  let [common] = paths;
  while (!paths.every((path) => isBelow(path, common)) && dirname(common) !== common) common = dirname(common);
  return common;
}

/** Where the outputs of a plan go if they go elsewhere, and the folder that this is instead of. */
function moved({ options, jobs }: CookPlan, made: string): { readonly from: string; readonly to: CookOptions } {
  const { out, outEach, texturesDir } = options;
  // A single file keeps its name, which its scene has.
  const isFile = jobs.some(({ target }) => target.kind === 'file');
  const place = outEach === undefined ? (isFile ? dirname(out as string) : (out as string)) : outEachRoot(outEach);
  const from = commonFolder(texturesDir === undefined ? [place] : [place, texturesDir]);
  const move = (path: string) => join(made, relative(from, path));
  return {
    from,
    to: {
      ...(outEach === undefined ? { out: move(out as string) } : { outEach: move(outEach) }),
      ...(texturesDir === undefined ? {} : { texturesDir: move(texturesDir) }),
    },
  };
}

/** Checks the outputs of sources, where the plan of their cook puts them. Throws SourceError for what cook() refuses. */
export async function checkFresh(
  words: readonly string[],
  plan: CookPlan,
  options: CookOptions,
  cwd: string,
): Promise<FreshResult> {
  const ofCall = new Diagnostics();
  for (const note of plan.notes) ofCall.add(note);
  const cache = await callCache(plan, cwd, ofCall);
  const checked = new Map<string, CheckedSource>();
  const open = new Map<string, CookJob>();
  try {
    for (const [index, job] of plan.jobs.entries()) {
      const { source } = job;
      const output = showPath(mainFile(job.target), cwd);
      const fault = plan.faults[index];
      const known = { source, output, by: null } as const;
      if (fault) checked.set(source, { ...known, status: 'unknown', diagnostics: [fault] });
      else if (statusOf(mainFile(job.target)).stat === null) {
        const missing = diagnostic('UC3245', source, '', `${output} is not there`);
        checked.set(source, { ...known, status: 'missing', diagnostics: [missing] });
      } else {
        const show = (path: string) => showPath(path, cwd);
        const { outcome, reasons, isRecorded } =
          cache && job.recordedFrom != null
            ? new CookRecords(cache, job.recordedFrom).check(job, show, { judges: true })
            : { outcome: null, reasons: [], isRecorded: false };
        if (outcome) {
          checked.set(source, { ...known, status: 'fresh', by: 'record', diagnostics: outcome.diagnostics });
        } else if (isRecorded) {
          const stale = reasons.map((reason) => diagnostic('UC3244', source, '', reason));
          checked.set(source, { ...known, status: 'stale', by: 'record', diagnostics: stale });
        } else open.set(source, job);
      }
    }
  } finally {
    await cache?.close();
  }
  let exitCode = 0;
  if (open.size > 0) {
    const made = join(realpathSync(mkdtempSync(join(tmpdir(), 'untold-verify-'))), 'out');
    const { from, to } = moved(plan, made);
    try {
      const onSelect = (name: string) => open.has(name);
      const cooked = await runCook(words, { ...options, ...to, incremental: false, onSelect });
      for (const item of cooked.diagnostics) ofCall.add(item);
      for (const result of cooked.results) {
        const job = open.get(result.source);
        if (!job) continue;
        const output = showPath(mainFile(job.target), cwd);
        const known = { source: result.source, output, by: 'cook' } as const;
        if (result.status !== 'ok') {
          const { diagnostics } = result;
          checked.set(result.source, { ...known, status: 'unknown', diagnostics });
          continue;
        }
        const stale = differences(job, result.outputs, [from, made], cwd);
        const diagnostics = [...result.diagnostics, ...stale];
        checked.set(result.source, { ...known, status: stale.length > 0 ? 'stale' : 'fresh', diagnostics });
      }
      exitCode = cooked.exitCode;
    } finally {
      rmSync(dirname(made), { recursive: true, force: true });
    }
  }
  const sources = plan.jobs.flatMap(({ source }) => checked.get(source) ?? []);
  const found = [...ofCall.list, ...sources.flatMap(({ diagnostics }) => diagnostics)];
  return {
    sources,
    diagnostics: ofCall.list,
    exitCode: exitCode !== 0 ? exitCode : exitCodeOf(found),
    outputs: new Set(plan.jobs.map(({ target }) => mainFile(target))),
  };
}
