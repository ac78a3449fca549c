// The outcome of a cook in words: a line a source, a table of several, and the sum.

import type { SourceResult } from '../../index.ts';
import type { Log } from '../terminal/log.ts';
import { count, duration, plural, size, table } from '../terminal/words.ts';
import type { Run } from './run.ts';

/** What became of one source, in a few words. */
export function resultLine({ plan, totals, target, status }: SourceResult): string {
  if (status === 'skipped') return 'skipped: there is nothing to draw in it';
  if (plan) {
    const { tiles } = plan;
    const triangles = tiles.reduce((sum, tile) => sum + tile.triangles, 0);
    const bytes = tiles.reduce((sum, tile) => sum + tile.expected.bytes, 0);
    return `planned ${plural(tiles.length, 'payload')}, ${plural(triangles, 'triangle')}, at most about ${size(bytes)}`;
  }
  if (!totals) return 'failed';
  const { tiles, trianglesOut, levels, bytes } = totals;
  const what = target.kind === 'folder' ? plural(tiles, 'tile') : 'one file';
  const made = levels.map((level) => `, ${level.level} ${count(level.triangles)} in ${plural(level.tiles, 'tile')}`);
  return `${what}, ${plural(trianglesOut, 'triangle')}${made.join('')}, ${size(bytes)}`;
}

/** The table at the end: every source with its outcome. */
function resultTable(results: readonly SourceResult[]): string[] {
  const rows = results.map(({ source, status, plan, totals, diagnostics }) => {
    if (plan) {
      const triangles = plan.tiles.reduce((sum, tile) => sum + tile.triangles, 0);
      return [source, 'planned', count(plan.tiles.length), count(triangles), '', ''];
    }
    if (!totals) {
      const codes = diagnostics.filter((d) => d.severity === 'error').map((d) => d.code);
      const outcome = status === 'skipped' ? status : `failed ${[...new Set(codes)].join(' ')}`.trimEnd();
      return [source, outcome, '', '', '', ''];
    }
    const { tiles, trianglesIn, trianglesOut, bytes } = totals;
    return [source, 'ok', count(tiles), count(trianglesIn), count(trianglesOut), size(bytes)];
  });
  return table([['source', 'outcome', 'tiles', 'triangles in', 'out', 'bytes'], ...rows], new Set([2, 3, 4, 5]));
}

/** Logs the table and the sum. `isPlan`: a dry run, which writes nothing; its plan is printed instead. */
export function summarise(results: readonly SourceResult[], isPlan: boolean, run: Run, log: Log): void {
  if (results.length > 1) log.lines(resultTable(results));
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
  const parts = [...(isPlan ? [] : written), duration(run.seconds), `${size(run.peakBytes)} peak memory`];
  const fields = { event: 'finished', sources: results.length, cooked, failed, skipped, warnings, ...sum, ...run };
  log.info(`${counts.join(', ')}: ${parts.join(', ')}`, fields);
}
