// The outcome of a cook in words: a line a source, a table of several, and the sum.

import { dirname } from 'node:path';
import {
  type CallTotals,
  type CallWork,
  type Diagnostic,
  type FileSum,
  isPack,
  type RepeatedTextures,
  type SourceResult,
} from '../../index.ts';
import type { Log } from '../terminal/log.ts';
import { commonFolder, count, duration, plural, shortened, size, table } from '../terminal/words.ts';
import { planWords } from './plan.ts';
import type { Run } from './run.ts';
import { ending, warningsOf, warningTable } from './warningTable.ts';

/** So many bytes in so many files. */
const filesOf = ({ files, bytes }: FileSum): string => `${size(bytes)} in ${plural(files, 'file')}`;

/** What kind of output a source has, with its number of tiles or models. */
function outputWords({ target, totals }: SourceResult): string {
  if (isPack(target)) return plural(totals?.models ?? 0, 'model');
  if (target.kind === 'file') return 'one file';
  const tiles = plural(totals?.tiles ?? 0, 'tile');
  const { shard } = target;
  return shard ? `part ${shard.index + 1} of ${shard.count}: ${tiles}` : tiles;
}

/** The bytes of an output; those of textures that lie in a folder for many outputs apart. */
function bytesWords({ target, totals, outputs }: SourceResult): string {
  const folder = target.shared?.folder;
  const bytes = totals?.bytes ?? 0;
  if (folder === undefined) return size(bytes);
  const textures = outputs.filter(({ path }) => dirname(path) === folder);
  const shared = textures.reduce((sum, file) => sum + file.bytes, 0);
  if (textures.length === 0) return size(bytes);
  return `${size(bytes - shared)} and ${plural(textures.length, 'texture')} of ${size(shared)} in the common folder`;
}

/** That a source failed, with the codes of its errors. */
function failedWords({ diagnostics }: SourceResult): string {
  const codes = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  return `failed ${[...new Set(codes)].join(' ')}`.trimEnd();
}

/** What became of one source, in a few words. */
export function resultLine(result: SourceResult): string {
  const { plan, totals, target, status, isRecorded = false } = result;
  if (status === 'skipped') return 'skipped: there is nothing to draw in it';
  if (plan) return `planned ${planWords([plan])}`;
  if (!totals) return failedWords(result);
  const { trianglesOut, levels } = totals;
  const made = levels
    .filter((level) => level.tiles > 0)
    .map((level) => {
      const where = plural(level.tiles, isPack(target) ? 'model' : 'tile');
      return `, ${level.level} ${count(level.triangles)} in ${where}`;
    });
  const since = `${isRecorded ? 'up to date: ' : ''}${result.joined ? `${plural(result.joined.length, 'source')} as one: ` : ''}`;
  return `${since}${outputWords(result)}, ${plural(trianglesOut, 'triangle')}${made.join('')}, ${bytesWords(result)}`;
}

/** What folders leave out, and the events of its lines. */
const LEFT_OUT: Readonly<Record<string, string>> = { UC1020: 'parts', UC1081: 'outputs' };

/** Logs the diagnostics of a call as a whole. What a folder leaves out is worth a line without --verbose. */
export function logOfCall(diagnostics: readonly Diagnostic[], log: Log): void {
  for (const { code, message } of diagnostics) {
    if (code in LEFT_OUT) log.info(message, { event: LEFT_OUT[code] });
  }
  log.diagnostics(diagnostics.filter(({ code }) => !(code in LEFT_OUT)));
}

/** The sums of a call. */
export interface CallSums {
  readonly totals: CallTotals;
  readonly work: CallWork;
}

/** How the end of a call is shown. */
export interface SummaryStyle {
  /** The sources that have a row: every one, those that failed or have warnings, or those that failed. */
  readonly shows: 'all' | 'warnings' | 'failures';
  /** The longest line. */
  readonly room: number;
}

/** The outcome of each source in a row: `outcome`, tiles or models, triangles in and out, files, bytes. */
function outcomeCells(result: SourceResult): string[] {
  const { status, plan, totals, isRecorded = false } = result;
  const warnings = warningsOf(result).length;
  const warned = warnings === 0 ? '' : `, ${plural(warnings, 'warning')}`;
  if (plan) {
    const triangles = plan.tiles.reduce((sum, tile) => sum + tile.triangles, 0);
    const parts = plan.mode === 'single_file' ? '' : count(plan.tiles.length);
    return [`planned${warned}`, parts, count(triangles), '', '', ''];
  }
  if (!totals) {
    return [status === 'skipped' ? status : failedWords(result), '', '', '', '', ''];
  }
  const { tiles, models, trianglesIn, trianglesOut, files, bytes } = totals;
  const parts = tiles + models;
  const outcome = `${isRecorded ? 'up to date' : 'ok'}${warned}`;
  return [outcome, parts > 0 ? count(parts) : '', count(trianglesIn), count(trianglesOut), count(files), size(bytes)];
}

const hasModels = ({ target }: SourceResult) => isPack(target);

/** The table at the end: the folder that all sources share, then their outcomes. */
function resultTable(results: readonly SourceResult[], { shows, room }: SummaryStyle): string[] {
  const wanted = results.filter(
    (result) =>
      shows === 'all' || result.status === 'failed' || (shows === 'warnings' && warningsOf(result).length > 0),
  );
  if (wanted.length === 0) return [];
  const folder = commonFolder(results.map(({ source }) => source));
  const cells = wanted.map(outcomeCells);
  const head = ['outcome', wanted.every(hasModels) ? 'models' : 'tiles', 'triangles in', 'out', 'files', 'bytes'];
  const all = [head, ...cells];
  // Columns of which no source has anything are left out.
  const shown = head.map((_, i) => i === 0 || cells.some((row) => row[i] !== ''));
  const others = table(
    all.map((row) => row.filter((_, i) => shown[i])),
    new Set([1, 2, 3, 4, 5]),
  );
  const widest = Math.max(...others.map((line) => line.length));
  // A source keeps a third of a narrow line; what does not fit beside it is cut off at its end.
  const max = Math.max(room - widest - 2, Math.floor(room / 3));
  const names = wanted.map(({ source }) => shortened(source.slice(folder.length), max));
  const rows = [ending(folder === '' ? 'source' : folder, max), ...names].map((name, i) => [name, others[i]]);
  return table(rows, new Set()).map((line) => ending(line, room));
}

/** That sources are cooked as one, or in part. */
function wayWords([first]: readonly SourceResult[]): string {
  const shard = first?.target.kind === 'folder' ? first.target.shard : undefined;
  return `${first?.joined ? ' as one' : ''}${shard ? `, only part ${shard.index + 1} of ${shard.count}` : ''}`;
}

/** How many sources came to what, and what was reported of them. */
function countWords(
  results: readonly SourceResult[],
  { totals, work }: CallSums,
  isPlan: boolean,
  style: SummaryStyle,
): string {
  const { sources, failed, skipped, warnings, notes } = totals;
  const { cooked, upToDate } = work;
  const done = `${isPlan ? 'planned' : 'cooked'}${wayWords(results)}${isPlan ? ', nothing written' : ''}`;
  const counts = [`${count(cooked)} of ${plural(sources, 'source')} ${done}`];
  if (upToDate > 0) counts.push(`${count(upToDate)} up to date`);
  if (failed > 0) counts.push(`${count(failed)} failed`);
  if (skipped > 0) counts.push(`${count(skipped)} skipped`);
  if (warnings > 0) counts.push(plural(warnings, 'warning'));
  if (notes > 0) counts.push(`${plural(notes, 'note')}${style.shows === 'all' ? '' : ' (-v shows them)'}`);
  return counts.join(', ');
}

/** What lies on the disk, each file once, and how much of it this call has written. */
function outputParts({ totals, work }: CallSums): string[] {
  const { tiles, models, singleFiles, trianglesIn, trianglesOut, output, textures, shared } = totals;
  const { written } = work;
  const kinds = [
    ...(tiles > 0 || models + singleFiles === 0 ? [plural(tiles, 'tile')] : []),
    ...(models > 0 ? [plural(models, 'model')] : []),
    ...(singleFiles > 0 ? [plural(singleFiles, 'single file')] : []),
  ];
  const isCommon = shared.files > 0 && shared.files === textures.files;
  const common = isCommon ? ' (shared)' : shared.files > 0 ? ` (${count(shared.files)} shared)` : '';
  const isAll = written.files === output.files;
  const done = isAll ? '' : written.files === 0 ? ', nothing written' : `, ${filesOf(written)} written`;
  return [
    ...kinds,
    `${plural(trianglesIn, 'triangle')} in, ${count(trianglesOut)} out`,
    `${plural(textures.files, 'texture file')}${common}`,
    `${filesOf(output)}${done}`,
  ];
}

/** What one folder of textures for all sets would save. */
export function logRepeated({ files, bytes }: RepeatedTextures, log: Log): void {
  const of = files === 1 ? 'is a copy of one' : 'are copies of those';
  const line = `${plural(files, 'texture file')} ${of} in other sets: --share-textures saves ${size(bytes)} where sets are read from disk`;
  log.summary([], line, { event: 'repeated', files, bytes }, false);
}

/** Logs the table and the sum. `isPlan`: a dry run, which writes nothing; its plan is printed instead. */
export function summarise(
  results: readonly SourceResult[],
  sums: CallSums,
  isPlan: boolean,
  run: Run,
  log: Log,
  style: SummaryStyle,
): void {
  const tables =
    results.length > 1
      ? [...(style.shows === 'failures' ? [] : warningTable(results, style.room)), ...resultTable(results, style)]
      : [];
  const { totals, work } = sums;
  const plans = results.flatMap(({ plan }) => plan ?? []);
  const parts = [
    ...(isPlan && plans.length > 0 ? [planWords(plans)] : []),
    ...(isPlan || totals.ok === 0 ? [] : outputParts(sums)),
    ...(isPlan || totals.earlier.files === 0
      ? []
      : [`${filesOf(totals.earlier)} of earlier cooks ${totals.earlier.files === 1 ? 'stays' : 'stay'}`]),
    duration(run.seconds),
    `${size(run.peakBytes)} peak memory`,
  ];
  const line = `${countWords(results, sums, isPlan, style)}: ${parts.join(', ')}`;
  const { bytes } = totals.output;
  const fields = { event: 'finished', ...totals, textures: totals.textures.files, bytes, ...work, ...run };
  log.summary(tables, line, fields, totals.failed > 0);
}
