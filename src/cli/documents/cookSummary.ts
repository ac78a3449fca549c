// The outcome of a cook in words: a line a source, a table of several, and the sum.

import { type Code, type Diagnostic, explain, isPack, type SourceResult } from '../../index.ts';
import type { Log } from '../terminal/log.ts';
import { commonFolder, count, duration, plural, shortened, size, table } from '../terminal/words.ts';
import type { Run } from './run.ts';

/** What became of one source, in a few words. */
export function resultLine({ plan, totals, target, status, isRecorded = false }: SourceResult): string {
  if (status === 'skipped') return 'skipped: there is nothing to draw in it';
  if (plan) {
    const { tiles } = plan;
    const triangles = tiles.reduce((sum, tile) => sum + tile.triangles, 0);
    const bytes = tiles.reduce((sum, tile) => sum + tile.expected.bytes, 0);
    return `planned ${plural(tiles.length, 'payload')}, ${plural(triangles, 'triangle')}, at most about ${size(bytes)}`;
  }
  if (!totals) return 'failed';
  const { tiles, trianglesOut, levels, bytes } = totals;
  const isOfPack = isPack(target);
  const what = isOfPack ? plural(tiles, 'model') : target.kind === 'folder' ? plural(tiles, 'tile') : 'one file';
  const made = levels
    .filter((level) => level.tiles > 0)
    .map(
      (level) => `, ${level.level} ${count(level.triangles)} in ${plural(level.tiles, isOfPack ? 'model' : 'tile')}`,
    );
  const since = isRecorded ? 'up to date: ' : '';
  return `${since}${what}, ${plural(trianglesOut, 'triangle')}${made.join('')}, ${size(bytes)}`;
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

/** How the end of a batch is shown. */
export interface SummaryStyle {
  /** Every source has a row, not only those that failed or have warnings. */
  readonly verbose: boolean;
  /** The longest line. */
  readonly room: number;
}

const warningsOf = ({ diagnostics }: SourceResult) => diagnostics.filter((item) => item.severity === 'warning');

/** How often each warning occurs, and in how many sources; the most frequent first. */
function warningTable(results: readonly SourceResult[], room: number): string[] {
  const found = new Map<Code, { warnings: number; sources: number }>();
  for (const result of results) {
    const warnings = warningsOf(result);
    for (const code of new Set(warnings.map((item) => item.code))) {
      const before = found.get(code) ?? { warnings: 0, sources: 0 };
      const more = warnings.filter((item) => item.code === code).length;
      found.set(code, { warnings: before.warnings + more, sources: before.sources + 1 });
    }
  }
  const sorted = [...found].sort(([a, x], [b, y]) => y.warnings - x.warnings || (a < b ? -1 : 1));
  const rows = sorted.map(([code, { warnings, sources }]) => [
    code,
    plural(warnings, 'warning'),
    `in ${plural(sources, 'source')}`,
    explain(code).title,
  ]);
  return table(rows, new Set([1])).map((line) => ending(line, room));
}

/** A line that is cut off at its end where it is too long. */
const ending = (line: string, room: number): string => (line.length > room ? `${line.slice(0, room - 1)}…` : line);

/** The outcome of each source in a row: `outcome`, tiles, triangles in and out, bytes. */
function outcomeCells(result: SourceResult): string[] {
  const { status, plan, totals, diagnostics } = result;
  const warnings = warningsOf(result).length;
  const warned = warnings === 0 ? '' : `, ${plural(warnings, 'warning')}`;
  if (plan) {
    const triangles = plan.tiles.reduce((sum, tile) => sum + tile.triangles, 0);
    return [`planned${warned}`, count(plan.tiles.length), count(triangles), '', ''];
  }
  if (!totals) {
    const codes = diagnostics.filter((d) => d.severity === 'error').map((d) => d.code);
    return [status === 'skipped' ? status : `failed ${[...new Set(codes)].join(' ')}`.trimEnd(), '', '', '', ''];
  }
  const { tiles, trianglesIn, trianglesOut, bytes } = totals;
  return [`ok${warned}`, count(tiles), count(trianglesIn), count(trianglesOut), size(bytes)];
}

/** The table at the end: the folder that all sources share, then their outcomes. */
function resultTable(results: readonly SourceResult[], { verbose, room }: SummaryStyle): string[] {
  const wanted = verbose
    ? results
    : results.filter((result) => result.status === 'failed' || warningsOf(result).length > 0);
  if (wanted.length === 0) return [];
  const folder = commonFolder(results.map(({ source }) => source));
  const cells = wanted.map(outcomeCells);
  const head = ['outcome', 'tiles', 'triangles in', 'out', 'bytes'];
  const others = table([head, ...cells], new Set([1, 2, 3, 4]));
  const widest = Math.max(...others.map((line) => line.length));
  // A source keeps a third of a narrow line; what does not fit beside it is cut off at its end.
  const max = Math.max(room - widest - 2, Math.floor(room / 3));
  const names = wanted.map(({ source }) => shortened(source.slice(folder.length), max));
  const rows = [ending(folder === '' ? 'source' : folder, max), ...names].map((name, i) => [name, others[i]]);
  return table(rows, new Set()).map((line) => ending(line, room));
}

/** Logs the table and the sum. `isPlan`: a dry run, which writes nothing; its plan is printed instead. */
export function summarise(
  results: readonly SourceResult[],
  isPlan: boolean,
  run: Run,
  log: Log,
  style: SummaryStyle,
): void {
  if (results.length > 1) log.lines([...warningTable(results, style.room), ...resultTable(results, style)]);
  const sum = { tiles: 0, trianglesIn: 0, trianglesOut: 0, bytes: 0, textures: 0 };
  for (const { totals } of results) {
    if (!totals) continue;
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += totals[key];
  }
  const having = (status: SourceResult['status']) => results.filter((result) => result.status === status).length;
  const [cooked, failed, skipped] = [having('ok'), having('failed'), having('skipped')];
  const warnings = results.flatMap((result) => result.diagnostics).filter((d) => d.severity === 'warning').length;
  const counts = [
    `${count(cooked)} of ${plural(results.length, 'source')} ${isPlan ? 'planned, nothing written' : 'cooked'}`,
  ];
  if (failed > 0) counts.push(`${count(failed)} failed`);
  if (skipped > 0) counts.push(`${count(skipped)} skipped`);
  if (warnings > 0) counts.push(plural(warnings, 'warning'));
  const written = [
    plural(sum.tiles, 'tile'),
    `${plural(sum.trianglesIn, 'triangle')} in, ${count(sum.trianglesOut)} out`,
    plural(sum.textures, 'texture file'),
    size(sum.bytes),
  ];
  const parts = [
    ...(isPlan || cooked === 0 ? [] : written),
    duration(run.seconds),
    `${size(run.peakBytes)} peak memory`,
  ];
  const fields = { event: 'finished', sources: results.length, cooked, failed, skipped, warnings, ...sum, ...run };
  log.info(`${counts.join(', ')}: ${parts.join(', ')}`, fields);
}
