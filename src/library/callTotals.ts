// What the sources of a call came to: sums over files of which each counts once, however many sources name it.

import { isPack, mainFile } from '../config/targets.ts';
import type { PlanOutcome } from '../cook/steps/plan/planOutcome.ts';
import { statusOf } from '../importers/wholeFile.ts';
import { isTexturePath } from '../textures/name.ts';
import type { CallTotals, CallWork, FileSum, PlannedTotals } from './callSums.ts';
import type { SourceResult } from './cookTypes.ts';
import { listedBy } from './listedFiles.ts';

export const NO_WORK: CallWork = { cooked: 0, upToDate: 0, written: { files: 0, bytes: 0 } };

const sourcesOf = ({ joined }: SourceResult): number => joined?.length ?? 1;

const sumOf = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0);

interface OutputFile {
  readonly bytes: number;
  /** How many sources name it. */
  uses: number;
}

/** The files of all outputs by path, with how many results name each. */
function filesOf(results: readonly SourceResult[]): Map<string, OutputFile> {
  const files = new Map<string, OutputFile>();
  for (const { path, bytes } of results.flatMap(({ outputs }) => outputs)) {
    const known = files.get(path);
    if (known) known.uses++;
    else files.set(path, { bytes, uses: 1 });
  }
  return files;
}

function sumFiles(
  files: ReadonlyMap<string, OutputFile>,
  counts: (path: string, file: OutputFile) => boolean,
): FileSum {
  const counted = [...files].filter(([path, file]) => counts(path, file));
  return { files: counted.length, bytes: sumOf(counted, ([, { bytes }]) => bytes) };
}

/** What these plans come to. */
export function plannedTotals(plans: readonly PlanOutcome[]): PlannedTotals {
  const most = plans.map((plan) => plan.atMost);
  const sum = (parts: readonly FileSum[]): FileSum => ({
    files: sumOf(parts, ({ files }) => files),
    bytes: sumOf(parts, ({ bytes }) => bytes),
  });
  const common = new Map(
    most.flatMap(({ common: files = [] }) => files.map(({ key, bytes }) => [key, bytes] as const)),
  );
  const textures = sum([
    ...most.flatMap((one) => (one.common ? [] : [one.textures])),
    { files: common.size, bytes: sumOf([...common.values()], (bytes) => bytes) },
  ]);
  const levels = sum(most.map((one) => one.levels));
  const tiles = plans.flatMap((plan) => plan.tiles);
  return {
    payloads: tiles.length,
    triangles: sumOf(tiles, ({ triangles }) => triangles),
    textures,
    levels,
    atMost: sum([textures, levels, ...most.flatMap((one) => [one.payloads, one.other])]),
  };
}

/** The files of earlier outputs of sources that failed; `files`: those of outputs that are counted already. */
function earlierFiles(results: readonly SourceResult[], files: ReadonlyMap<string, OutputFile>): FileSum {
  const failed = results.filter(({ status }) => status === 'failed').map(({ target }) => mainFile(target));
  const there = new Map<string, number>();
  for (const path of failed.flatMap((main) => [main, ...listedBy(main)])) {
    const { stat } = statusOf(path);
    if (stat?.isFile() && !files.has(path)) there.set(path, stat.size);
  }
  return { files: there.size, bytes: sumOf([...there.values()], (bytes) => bytes) };
}

/** The sums of results. */
export function callTotals(results: readonly SourceResult[]): CallTotals {
  const sources = sumOf(results, sourcesOf);
  const having = (status: SourceResult['status']) =>
    sumOf(
      results.filter((result) => result.status === status),
      sourcesOf,
    );
  const [ok, failed] = [having('ok'), having('failed')];
  const totals = results.flatMap(({ totals: one }) => one ?? []);
  const diagnostics = results.flatMap((result) => result.diagnostics);
  const files = filesOf(results);
  const plans = results.flatMap(({ plan }) => plan ?? []);
  const isSingle = ({ target, totals: one }: SourceResult) => one !== null && target.kind === 'file' && !isPack(target);
  return {
    sources,
    ok,
    failed,
    skipped: sources - ok - failed,
    tiles: sumOf(totals, ({ tiles }) => tiles),
    models: sumOf(totals, ({ models }) => models),
    singleFiles: results.filter(isSingle).length,
    trianglesIn: sumOf(totals, ({ trianglesIn }) => trianglesIn),
    trianglesOut: sumOf(totals, ({ trianglesOut }) => trianglesOut),
    output: sumFiles(files, () => true),
    textures: sumFiles(files, isTexturePath),
    shared: sumFiles(files, (path, { uses }) => uses > 1 && isTexturePath(path)),
    earlier: earlierFiles(results, files),
    ...(plans.length > 0 ? { planned: plannedTotals(plans) } : {}),
    warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
    notes: diagnostics.filter(({ severity }) => severity === 'info').length,
  };
}

/** What a call has done whose results these are. `written`: the files that it wrote, by path. */
export function callWork(results: readonly SourceResult[], written: ReadonlySet<string>): CallWork {
  const done = results.filter(({ status }) => status === 'ok');
  const cooked = sumOf(
    done.filter(({ isRecorded = false }) => !isRecorded),
    sourcesOf,
  );
  return {
    cooked,
    upToDate: sumOf(done, sourcesOf) - cooked,
    written: sumFiles(filesOf(results), (path) => written.has(path)),
  };
}
