// What the eyes of a zone left of a source: figures, and what went of each object.

import type { ZoneFigures, ZoneObject } from '../../cook/zone/figures.ts';
import { html, type Markup } from './markup.ts';
import { type Column, count, factsPart, plural, tableOf } from './table.ts';

/** Objects in the table at most. */
const MOST_OBJECTS = 500;

const wentOf = ({ triangles, kept }: ZoneObject): number => triangles - kept;
const sumOf = (objects: readonly ZoneObject[]): number => objects.reduce((sum, one) => sum + wentOf(one), 0);

const COLUMNS: readonly Column<ZoneObject>[] = [
  { title: 'Object', cell: ({ path }) => path },
  { title: 'Went', cell: (one) => [count(wentOf(one)), wentOf(one)] },
  {
    title: 'Why',
    cell: (one) => (one.kept === 0 ? 'never seen' : wentOf(one) > 0 ? 'beyond what is seen' : 'nothing went'),
  },
  { title: 'Triangles', cell: ({ triangles }) => [count(triangles), triangles] },
  { title: 'Seen', cell: ({ seen }) => [count(seen), seen] },
  { title: 'With neighbours', cell: ({ kept }) => [count(kept), kept] },
];

/** What the zone left. `id`: of the source on the page. */
export function zonePart(id: string, zone: ZoneFigures): Markup {
  const { eyes, objects, trianglesBefore, trianglesSeen, trianglesKept, trianglesAfter } = zone;
  const never = objects.filter(({ kept }) => kept === 0);
  const beyond = objects.filter(({ kept }) => kept > 0);
  const largest = [...objects].sort((a, b) => wentOf(b) - wentOf(a)).slice(0, MOST_OBJECTS);
  const left = objects.length - largest.length;
  return html`<h3 id="${id}-zone">Seen from the zone</h3>
<p>${plural(eyes, 'eye')} looked at ${plural(trianglesBefore, 'triangle')} and saw ${count(trianglesSeen)} of them.${zone.whole > 0 && html` ${plural(zone.whole, 'more object', 'more objects')} with ${plural(zone.trianglesWhole, 'triangle')} stayed whole: what moves, deforms or is tagged.`}</p>
${factsPart([
  ['Never seen', `−${count(sumOf(never))}`],
  ['Beyond what is seen', `−${count(sumOf(beyond))}`],
  ['Simplified', `−${count(trianglesKept - trianglesAfter)}`],
  ['Left', count(trianglesAfter)],
  ['For shadows alone', count(zone.casters)],
  ['Simplified up to, pixels', String(Number(zone.error.toFixed(2)))],
  [`Draws in ${plural(zone.sectors, 'sector')}`, count(zone.draws)],
  ...(zone.joined > 0 ? [['Materials joined', count(zone.joined)] as const] : []),
])}
<p>Triangles that went of each object, before the surfaces that are left were simplified together:</p>
${tableOf(`${id}-zone-table`, 'What went of each object', COLUMNS, largest, true)}
${left > 0 && html`<p class="dim">${plural(left, 'object')} more, of which less went, ${left === 1 ? 'is' : 'are'} in the document of --json.</p>`}`;
}
