// How far the nearest of many places is from a box, found through a grid over the places.

import type { Vec3 } from '../../scene/types.ts';

/** The smallest and the largest corner. */
export type Box = readonly [x0: number, y0: number, z0: number, x1: number, y1: number, z1: number];

/** Cells along a side of the grid at most. */
const MAX_CELLS = 128;

export class NearestPlaces {
  readonly #places: readonly Vec3[];
  readonly #cells = new Map<number, number[]>();
  readonly #x0: number;
  readonly #z0: number;
  readonly #edge: number;
  readonly #columns: number;
  readonly #rows: number;

  /** At least one place. */
  constructor(places: readonly Vec3[]) {
    if (places.length === 0) throw new Error('there is no place');
    this.#places = places;
    let [x1, z1] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let [x0, z0] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [x, , z] of places) {
      [x0, x1, z0, z1] = [Math.min(x0, x), Math.max(x1, x), Math.min(z0, z), Math.max(z1, z)];
    }
    const cells = Math.min(MAX_CELLS, Math.max(1, Math.ceil(Math.sqrt(places.length))));
    this.#x0 = x0;
    this.#z0 = z0;
    this.#edge = Math.max(x1 - x0, z1 - z0, 1e-6) / cells;
    this.#columns = Math.floor((x1 - x0) / this.#edge) + 1;
    this.#rows = Math.floor((z1 - z0) / this.#edge) + 1;
    for (const [i, [x, , z]] of places.entries()) {
      const cell = this.#row(z) * this.#columns + this.#column(x);
      const inside = this.#cells.get(cell);
      if (inside) inside.push(i);
      else this.#cells.set(cell, [i]);
    }
  }

  #column(x: number): number {
    return Math.max(0, Math.min(this.#columns - 1, Math.floor((x - this.#x0) / this.#edge)));
  }

  #row(z: number): number {
    return Math.max(0, Math.min(this.#rows - 1, Math.floor((z - this.#z0) / this.#edge)));
  }

  /** Metres from a box to the nearest place. */
  distanceTo(box: Box): number {
    const [left, right] = [this.#column(box[0]), this.#column(box[3])];
    const [top, bottom] = [this.#row(box[2]), this.#row(box[5])];
    const most = Math.max(this.#columns, this.#rows);
    let best = Number.POSITIVE_INFINITY;
    // What lies in a ring of cells around those of the box is at least so far away.
    for (let ring = 0; ring <= most && (ring - 1) * this.#edge <= best; ring++) {
      for (let row = top - ring; row <= bottom + ring; row++) {
        if (row < 0 || row >= this.#rows) continue;
        const isWhole = ring === 0 || row === top - ring || row === bottom + ring;
        // Between its ends this row was looked at in an earlier ring.
        const step = isWhole ? 1 : right - left + 2 * ring;
        for (let column = left - ring; column <= right + ring; column += step) {
          if (column < 0 || column >= this.#columns) continue;
          best = Math.min(best, this.#nearestIn(row * this.#columns + column, box));
        }
      }
    }
    return best;
  }

  #nearestIn(cell: number, [x0, y0, z0, x1, y1, z1]: Box): number {
    let best = Number.POSITIVE_INFINITY;
    for (const i of this.#cells.get(cell) ?? []) {
      const [x, y, z] = this.#places[i];
      const dx = Math.max(x0 - x, 0, x - x1);
      const dy = Math.max(y0 - y, 0, y - y1);
      const dz = Math.max(z0 - z, 0, z - z1);
      best = Math.min(best, Math.sqrt(dx * dx + dy * dy + dz * dz));
    }
    return best;
  }
}
