// The legend of the view and of the tint.

import type { CookedTile } from '../../../formats/manifest/tiles.ts';
import type { ViewName } from '../drawing/views.ts';
import { levelColor, TIER_NAMES, tierColor } from '../levels.ts';
import type { TintName } from '../viewer.ts';
import { element } from './element.ts';

function swatch(color: string, text: string): HTMLElement {
  const square = element('span', { class: 'swatch' });
  square.style.background = color;
  return element('div', {}, square, text);
}

function ramp(colors: string, text: string): HTMLElement {
  const bar = element('span', { class: 'ramp' });
  bar.style.background = `linear-gradient(to right, ${colors})`;
  return element('div', {}, bar, text);
}

function rowsOf(view: ViewName, tint: TintName, tiles: readonly CookedTile[]): HTMLElement[] {
  const rows: HTMLElement[] = [];
  if (view === 'density') {
    rows.push(ramp('#00f, #0f0, #f00', '16 to 1024 texels a metre'), swatch('#737373', 'no base colour texture'));
  }
  if (view === 'sharpness') {
    rows.push(ramp('#00f, #0f0, #f00', '¼ to 4 texels a pixel of 1080p, where the level comes in; green is 1'));
    rows.push(swatch('#737373', 'no base colour texture, or no such distance'));
  }
  if (view === 'deviation') {
    rows.push(ramp('#00f, #0f0, #f00', '1 mm to 1 m from full detail, seen from here; cut-outs count as whole'));
    rows.push(swatch('#ff33e6', 'where full detail is not'));
  }
  if (view === 'overdraw') rows.push(ramp('#000, #7a3210, #ffc08a', 'drawn once to many times'));
  if (view === 'normals')
    rows.push(swatch('#ff8080', '+X east'), swatch('#80ff80', '+Y up'), swatch('#8080ff', '+Z south'));
  if (tint === 'level') {
    const lods = tiles.reduce((max, tile) => Math.max(max, tile.lods.length), 0);
    const levels = ['full', ...Array.from({ length: lods }, (_, i) => `lod${i + 1}`), 'hlod'];
    rows.push(...levels.map((level) => swatch(levelColor(level), level)));
  }
  if (tint === 'tier') {
    const used = TIER_NAMES.filter((tier) => tiles.some((tile) => tile.tier === tier));
    rows.push(...used.map((tier) => swatch(tierColor(tier), tier)));
    if (tiles.some(({ tier }) => tier === null)) rows.push(swatch(tierColor(null), 'no tier'));
  }
  return rows;
}

/** Colours that the picture uses and what they stand for; none: no legend. */
export function showLegend(legend: HTMLElement, view: ViewName, tint: TintName, tiles: readonly CookedTile[]): void {
  const key = `${view} ${tint}`;
  if (legend.dataset.key === key) return;
  legend.dataset.key = key;
  const rows = rowsOf(view, tint, tiles);
  legend.hidden = rows.length === 0;
  legend.replaceChildren(...rows);
}
