// Maps of a set from above, one for each bound of a device: how much of it is in memory, wherever somebody stands.

import { type Device, geometryLimit, MEASURES } from '../../engine/devices.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { expectedAt, type Figures, type PlaceMeasure } from './measure.ts';
import type { MeasuredOutput } from './measureOutput.ts';
import { eyeHeight } from './places.ts';
import { shownPlace, shownValue } from './verdict.ts';

/** Cells along the longer side of a map. */
const CELLS = 40;
/** Pixels of the longer side of a map, between maps, and of the line of words above one. */
const SIDE = 520;
const GAP = 40;
const WORDS = 34;
/** Maps beside each other. */
const COLUMNS = 2;

/** Colours of shares of a bound, light to dark; each up to its share. */
const STEPS: readonly (readonly [share: number, color: string, words: string])[] = [
  [0.1, '#f1f5f0', 'up to 10 %'],
  [0.25, '#cfe6d5', 'up to 25 %'],
  [0.5, '#8fc7b5', 'up to 50 %'],
  [0.75, '#4a9aa0', 'up to 75 %'],
  [1, '#225a80', 'up to 100 %'],
  [Number.POSITIVE_INFINITY, '#c8321f', 'over'],
];

const colorOf = (share: number): string => (STEPS.find(([most]) => share <= most) ?? STEPS[STEPS.length - 1])[1];
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const digits = (value: number): string => String(Number(value.toFixed(2)));

/** What is in memory has bounds of its own at each place; views look one way and have none there. */
function boundsOf({ limits }: Device, freeMemory: number | undefined): (readonly [PlaceMeasure, number])[] {
  return (['geometry', 'textures', 'triangles', 'entities'] as const).flatMap((measure) => {
    const limit =
      measure === 'geometry' && freeMemory !== undefined ? geometryLimit(freeMemory) : limits[measure]?.value;
    return limit === undefined ? [] : [[measure, limit] as const];
  });
}

interface Cell {
  readonly x: number;
  readonly z: number;
  readonly figures: Figures;
}

/** The middle of each cell of a grid over the set, with what is in memory there. */
function cellsOver({ tiles, facts }: MeasuredOutput, box: Bounds, edge: number): Cell[] {
  const y = eyeHeight(box);
  const cells: Cell[] = [];
  for (let z = box.min[2] + edge / 2; z < box.max[2] + edge / 2; z += edge) {
    for (let x = box.min[0] + edge / 2; x < box.max[0] + edge / 2; x += edge) {
      cells.push({ x, z, figures: expectedAt(tiles, [x, y, z], facts) });
    }
  }
  return cells;
}

/** The maps as one SVG. +X is right and -Z is up, as on the plan map. Empty for an output without bounds. */
export function fitMap(output: MeasuredOutput, device: Device, freeMemory?: number): string {
  const boxes = output.tiles.flatMap(({ tile: { id, bounds } }) => (bounds ? [{ id, bounds }] : []));
  const box = boxes.reduce<Bounds | null>((all, { bounds }) => unite(all, bounds), null);
  if (box === null) return '';
  const span = Math.max(box.max[0] - box.min[0], box.max[2] - box.min[2], 1e-3);
  const scale = SIDE / span;
  const height = Math.max(1, (box.max[2] - box.min[2]) * scale);
  const edge = span / CELLS;
  const cells = cellsOver(output, box, edge);
  const outlines = boxes.map(({ id, bounds: { min, max } }) => {
    const [x, y] = [(min[0] - box.min[0]) * scale, (min[2] - box.min[2]) * scale];
    const size = `width="${digits((max[0] - min[0]) * scale)}" height="${digits((max[2] - min[2]) * scale)}"`;
    return `<rect x="${digits(x)}" y="${digits(y)}" ${size}><title>${escaped(id)}</title></rect>`;
  });
  const bounds = boundsOf(device, freeMemory);
  const maps = bounds.map(([measure, limit], i) => {
    const { title, unit } = MEASURES[measure];
    const most = cells.reduce((highest, { figures }) => Math.max(highest, figures[measure]), 0);
    const squares = cells.map(({ x, z, figures }) => {
      const left = (x - edge / 2 - box.min[0]) * scale;
      const top = (z - edge / 2 - box.min[2]) * scale;
      const words = `${shownPlace([x, eyeHeight(box), z])}: ${shownValue(unit, figures[measure])}`;
      // A little more than a cell, so that no seam shows between two.
      const side = digits(edge * scale + 0.4);
      return `<rect x="${digits(left)}" y="${digits(top)}" width="${side}" height="${side}" fill="${colorOf(figures[measure] / limit)}"><title>${words}</title></rect>`;
    });
    const at = `translate(${GAP + (i % COLUMNS) * (SIDE + GAP)} ${GAP + Math.floor(i / COLUMNS) * (height + GAP + WORDS)})`;
    const words = `${title}: at most ${shownValue(unit, most)} of ${shownValue(unit, limit)}`;
    return `<g transform="${at}"><text y="16" font-weight="600">${words}</text><g transform="translate(0 ${WORDS})">${squares.join('')}<g fill="none" stroke="#333" stroke-opacity="0.35">${outlines.join('')}</g></g></g>`;
  });
  const width = GAP + Math.min(COLUMNS, bounds.length) * (SIDE + GAP);
  const foot = GAP + Math.ceil(bounds.length / COLUMNS) * (height + GAP + WORDS);
  const legend = STEPS.map(
    ([, color, words], i) =>
      `<rect x="${GAP + i * 130}" y="${digits(foot)}" width="16" height="16" fill="${color}" stroke="#999"/><text x="${GAP + 22 + i * 130}" y="${digits(foot + 13)}">${words}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${digits(foot + GAP + 16)}" font-family="sans-serif" font-size="14">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${GAP}" y="24" font-size="16">${escaped(device.title)}: in memory where somebody stands and has looked around</text>`,
    ...maps,
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}
