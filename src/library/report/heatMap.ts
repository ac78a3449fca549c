// The tiles of a set seen from above, coloured by what they weigh. The colours stand for the same amounts in every report.

import { formatBytes } from '../../bytes/units.ts';
import { html, type Markup } from './markup.ts';
import type { TileRow } from './setFacts.ts';
import { count } from './table.ts';

/** Share of the width that is left free around the tiles. */
const MARGIN = 0.02;
/** Larger tiles lie below smaller ones, so that all can be reached. */
const area = ({ box: [minX, minZ, maxX, maxZ] }: TileRow): number => (maxX - minX) * (maxZ - minZ);

const rounded = (value: number): number => Number(value.toFixed(3));

interface Measure {
  readonly key: string;
  readonly title: string;
  readonly of: (tile: TileRow) => number;
  readonly text: (value: number) => string;
  /** The largest amounts of the colours but the last one. */
  readonly steps: readonly number[];
}

const MEASURES: readonly Measure[] = [
  {
    key: 'bytes',
    title: 'bytes with levels',
    of: ({ payloads }) => payloads.reduce((sum, { bytes }) => sum + bytes, 0),
    text: formatBytes,
    steps: [10e3, 25e3, 50e3, 100e3, 300e3, 1e6, 10e6, 50e6],
  },
  {
    key: 'triangles',
    title: 'triangles',
    of: ({ payloads }) => payloads[0]?.triangles ?? 0,
    text: (value) => `${count(value)} triangles`,
    steps: [100, 300, 1e3, 3e3, 10e3, 30e3, 100e3, 500e3],
  },
  {
    key: 'draws',
    title: 'meshes drawn',
    of: ({ payloads }) => payloads[0]?.draws ?? 0,
    text: (value) => `${count(value)} meshes`,
    steps: [2, 5, 10, 20, 50, 100, 200, 500],
  },
];

/** From little to much. Lightness falls all the way, so that the order is seen without hues as well. */
const COLORS = [
  '#fdf6d8',
  '#f9e3a2',
  '#f7c766',
  '#f1a340',
  '#e27b2c',
  '#cb5523',
  '#a83722',
  '#7d2020',
  '#4f1019',
] as const;

function colorOf({ steps }: Measure, value: number): string {
  const step = steps.findIndex((most) => value <= most);
  return COLORS[step < 0 ? steps.length : step];
}

function legendOf(map: string, measure: Measure, isShown: boolean): Markup {
  const { key, steps, text } = measure;
  const words = COLORS.map((_, i) => (i < steps.length ? `to ${text(steps[i])}` : `over ${text(steps[i - 1])}`));
  const entries = COLORS.map((color, i) => html`<li><i style="background:${color}"></i>${words[i]}</li>`);
  return html`<ul class="scale" data-legend="${map}" data-of="${key}"${!isShown && html` hidden="hidden"`}>${entries}</ul>\n`;
}

/** A map with a choice of what its colours say; without scripts they say the bytes. */
export function heatMap(id: string, tiles: readonly TileRow[]): Markup {
  const drawn = tiles.filter(({ box }) => box.every(Number.isFinite)).sort((a, b) => area(b) - area(a));
  if (drawn.length === 0) return html``;
  const edge = (k: 0 | 1 | 2 | 3, pick: typeof Math.min) =>
    drawn.reduce((all, { box }) => pick(all, box[k]), drawn[0].box[k]);
  const [minX, minZ, maxX, maxZ] = [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)];
  const margin = Math.max(maxX - minX, maxZ - minZ, 1e-3) * MARGIN;
  const view = [minX - margin, minZ - margin, maxX - minX + 2 * margin, maxZ - minZ + 2 * margin].map(rounded);
  const map = `${id}-map`;
  const rect = (tile: TileRow): Markup => {
    const [x, z, right, far] = tile.box;
    const fills = MEASURES.map((measure) => html` data-${measure.key}="${colorOf(measure, measure.of(tile))}"`);
    const says = [tile.id, tile.kind, ...MEASURES.map(({ of, text }) => text(of(tile)))].join(', ');
    const fill = colorOf(MEASURES[0], MEASURES[0].of(tile));
    return html`<rect x="${rounded(x)}" y="${rounded(z)}" width="${rounded(right - x)}" height="${rounded(far - z)}" fill="${fill}"${fills}><title>${says}</title></rect>`;
  };
  return html`<h3 id="${map}-title">Map</h3>
<div class="tools needs-script"><label>Colours show <select data-map="${map}">${MEASURES.map(({ key, title }) => html`<option value="${key}">${title}</option>`)}</select></label>
<span class="buttons"><button type="button" data-map="${map}" value="+" aria-label="Larger">+</button> <button type="button" data-map="${map}" value="-" aria-label="Smaller">−</button> <button type="button" data-map="${map}" value="0">Whole</button></span>
<span class="dim">Drag to move; + and − or Ctrl and the wheel zoom.</span></div>
<svg class="map" id="${map}" viewBox="${view.join(' ')}" preserveAspectRatio="xMidYMid meet" tabindex="0" role="img" aria-labelledby="${map}-title">${drawn.map(rect)}</svg>
${MEASURES.map((measure, i) => legendOf(map, measure, i === 0))}<p class="dim">Seen from above; −Z is up, as on the map of the plan. Where tiles lie over each other, the smaller one is on top, and its colour is its own.</p>`;
}
