// The tiles of a set seen from above, coloured by what they weigh.

import { formatBytes } from '../../bytes/units.ts';
import { html, type Markup } from './markup.ts';
import type { TileRow } from './setFacts.ts';

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
}

const MEASURES: readonly Measure[] = [
  {
    key: 'bytes',
    title: 'bytes with levels',
    of: ({ payloads }) => payloads.reduce((sum, { bytes }) => sum + bytes, 0),
    text: formatBytes,
  },
  {
    key: 'triangles',
    title: 'triangles',
    of: ({ payloads }) => payloads[0]?.triangles ?? 0,
    text: (value) => `${value} triangles`,
  },
  {
    key: 'draws',
    title: 'meshes drawn',
    of: ({ payloads }) => payloads[0]?.draws ?? 0,
    text: (value) => `${value} meshes`,
  },
];

/** From blue over amber to red; the script of the page has the same one. */
function heat(share: number): string {
  return share < 0.25 ? 'hsl(210 74% 59%)' : share < 0.75 ? 'hsl(40 85% 55%)' : 'hsl(5 77% 49%)';
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
  const max = Math.max(1, ...drawn.map((tile) => MEASURES[0].of(tile)));
  const map = `${id}-map`;
  const rect = (tile: TileRow): Markup => {
    const [x, z, right, far] = tile.box;
    const data = MEASURES.map(
      ({ key, of, text }) => html` data-${key}="${of(tile)}" data-${key}-text="${text(of(tile))}"`,
    );
    const says = [tile.id, tile.kind, ...MEASURES.map(({ of, text }) => text(of(tile)))].join(', ');
    const fill = heat(Math.sqrt(MEASURES[0].of(tile) / max));
    return html`<rect x="${rounded(x)}" y="${rounded(z)}" width="${rounded(right - x)}" height="${rounded(far - z)}" fill="${fill}" fill-opacity="0.72"${data}><title>${says}</title></rect>`;
  };
  return html`<h3 id="${map}-title">Map</h3>
<div class="tools needs-script"><label>Colours show <select data-map="${map}">${MEASURES.map(({ key, title }) => html`<option value="${key}">${title}</option>`)}</select></label>
<button type="button" data-map="${map}" value="+" aria-label="Larger">+</button><button type="button" data-map="${map}" value="-" aria-label="Smaller">−</button><button type="button" data-map="${map}" value="0">Whole</button>
<span class="dim">Drag to move; + and − or Ctrl and the wheel zoom.</span></div>
<svg class="map" id="${map}" viewBox="${view.join(' ')}" preserveAspectRatio="xMidYMid meet" tabindex="0" role="img" aria-labelledby="${map}-title">${drawn.map(rect)}</svg>
<p class="scale"><span>little</span><i></i><span data-most="${map}">${MEASURES[0].text(max)}</span><span>Seen from above; −Z is up, as on the map of the plan.</span></p>`;
}
