// The mini map: tiles from above, north (-Z) up, in the colours of what is shown of them, with the camera. A click moves the
// camera there.

import type { CookedTile } from '../../../formats/manifest/tiles.ts';
import type { Bounds } from '../../../scene/types.ts';
import { element } from './element.ts';

export interface MapState {
  /** A colour for each tile; null: nothing of it is shown. */
  readonly colors: readonly (string | null)[];
  /** Tiles of which something is being loaded. */
  readonly loading: ReadonlySet<number>;
  readonly position: readonly number[];
  readonly forward: readonly number[];
  /** Half of the horizontal field of view, in radians. */
  readonly halfView: number;
  readonly selected: number | null;
}

const HEIGHT = 250;

export class MiniMap {
  readonly canvas: HTMLCanvasElement;
  readonly #tiles: readonly CookedTile[];
  readonly #bounds: Bounds;
  /** Indices of tiles, the widest first: small ones lie on top. */
  readonly #order: readonly number[];
  #scale = 1;
  #left = 0;
  #top = 0;

  constructor(tiles: readonly CookedTile[], bounds: Bounds, onPick: (x: number, z: number) => void) {
    this.#tiles = tiles;
    this.#bounds = bounds;
    const area = ({ bounds: box }: CookedTile) =>
      box ? (box.max[0] - box.min[0]) * (box.max[2] - box.min[2]) : Infinity;
    this.#order = tiles.map((_, i) => i).sort((a, b) => area(tiles[b]) - area(tiles[a]));
    this.canvas = element('canvas', {
      class: 'map',
      role: 'img',
      'aria-label': 'Map of the tiles from above. The table below has the same content.',
    });
    this.canvas.addEventListener('click', ({ offsetX, offsetY }) => {
      onPick((offsetX - this.#left) / this.#scale, (offsetY - this.#top) / this.#scale);
    });
  }

  draw(state: MapState): void {
    const { canvas } = this;
    const width = canvas.clientWidth;
    if (width === 0) return;
    const ratio = devicePixelRatio;
    const { min, max } = this.#bounds;
    const [w, d] = [Math.max(max[0] - min[0], 0.1), Math.max(max[2] - min[2], 0.1)];
    const height = Math.min(HEIGHT, Math.max(80, Math.round((width * d) / w)));
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    this.#scale = Math.min((width - 16) / w, (height - 16) / d);
    this.#left = width / 2 - ((min[0] + max[0]) / 2) * this.#scale;
    this.#top = height / 2 - ((min[2] + max[2]) / 2) * this.#scale;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(canvas);
    const lines = style.getPropertyValue('--quiet');
    context.clearRect(0, 0, width, height);
    for (const i of this.#order) this.#tile(context, i, state, lines);
    this.#camera(context, state, style.getPropertyValue('--text'));
  }

  #tile(context: CanvasRenderingContext2D, i: number, { colors, loading, selected }: MapState, lines: string): void {
    const { bounds } = this.#tiles[i];
    if (!bounds) return;
    const x = this.#left + bounds.min[0] * this.#scale;
    const y = this.#top + bounds.min[2] * this.#scale;
    const w = Math.max(1, (bounds.max[0] - bounds.min[0]) * this.#scale);
    const h = Math.max(1, (bounds.max[2] - bounds.min[2]) * this.#scale);
    const color = colors[i];
    context.globalAlpha = color === null ? 1 : 0.6;
    if (color !== null) {
      context.fillStyle = color;
      context.fillRect(x, y, w, h);
    }
    context.globalAlpha = color === null ? 0.45 : 1;
    context.lineWidth = i === selected ? 2.5 : 1;
    context.setLineDash(loading.has(i) ? [3, 3] : []);
    context.strokeStyle = color ?? lines;
    context.strokeRect(x, y, w, h);
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  #camera(context: CanvasRenderingContext2D, { position, forward, halfView }: MapState, color: string): void {
    const x = this.#left + position[0] * this.#scale;
    const y = this.#top + position[2] * this.#scale;
    const angle = Math.atan2(forward[2], forward[0]);
    context.fillStyle = color;
    context.globalAlpha = 0.22;
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, 46, angle - halfView, angle + halfView);
    context.fill();
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fill();
  }
}
