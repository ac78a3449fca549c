// A plan in words: what `cook --dry-run` prints.

import { type PlanOutcome, plannedTotals } from '../../index.ts';
import { printable } from '../terminal/terminal.ts';
import { count, plural, size, table } from '../terminal/words.ts';
import { zoneLine } from './zoneLine.ts';

/** What plans come to: their payloads, and what lies on the disk at most. */
export function planWords(plans: readonly PlanOutcome[]): string {
  const { payloads, triangles, textures, levels, atMost } = plannedTotals(plans);
  const inFiles = textures.files > 0 ? ` in ${plural(textures.files, 'file')}` : '';
  const ofTextures = textures.bytes > 0 ? ` with ${size(textures.bytes)} of textures${inFiles}` : '';
  // Few payloads get all levels: how much they add is shown apart.
  const ofLevels = levels.bytes > 0 ? `, levels at most ${size(levels.bytes)} more` : '';
  const most = `at most ${size(atMost.bytes - levels.bytes)}${ofTextures}${ofLevels}`;
  return `${plural(payloads, 'payload')}, ${plural(triangles, 'triangle')}, ${most}`;
}

const metres = (value: number): string => String(Number(value.toFixed(2)));

/** A line on the whole, then a table of payloads; those over budget are marked. */
export function planLines(source: string, plan: PlanOutcome): string[] {
  const extent = plan.bounds.max.map((high, axis) => metres(high - plan.bounds.min[axis])).join(' x ');
  const how = [
    plan.mode,
    ...(plan.profile === null ? [] : [plan.profile, plural(plan.floors ?? 1, 'floor')]),
    ...(plan.mode === 'uniform_grid' ? [`cells of ${metres(plan.tileSize ?? 0)} m`] : []),
  ].join(', ');
  const { objects, pieces } = plan.cut;
  const cut = objects === 0 ? '' : `, ${plural(objects, 'object')} cut into ${plural(pieces, 'piece')}`;
  const rows = plan.tiles.map((tile) => [
    tile.id,
    count(tile.objects),
    count(tile.triangles),
    count(tile.expected.vertices),
    count(tile.expected.meshes),
    size(tile.expected.bytes),
    ...(tile.streamingRadius === null || tile.unloadRadius === null
      ? ['', '', '']
      : [metres(tile.streamingRadius), metres(tile.unloadRadius), String(tile.priority)]),
    tile.overBudget.length > 0 ? 'over budget' : '',
  ]);
  const head = ['tile', 'objects', 'triangles', 'vertices', 'meshes', 'bytes', 'loads m', 'unloads m', 'priority', ''];
  return [
    `${printable(source)}: ${extent} m, ${how}, ${plural(plan.tiles.length, 'payload')}${cut}`,
    ...(plan.zone ? [`  ${zoneLine(plan.zone)}`] : []),
    ...table([head, ...rows], new Set([1, 2, 3, 4, 5, 6, 7, 8])).map((line) => `  ${printable(line)}`),
  ];
}
