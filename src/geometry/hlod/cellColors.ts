// The colours of palette cells, found by the UVs that the vertices have.

import { UvNumbers } from '../uv/uvNumbers.ts';

/** Linear rgb, 0 to 1. */
type Rgb = readonly [number, number, number];

/** The colour of each cell of a palette, by the UV of its centre, which all corners of its triangles have. */
export class CellColors {
  readonly #uvs = new UvNumbers();
  readonly #colors: Rgb[] = [];

  /** `u`, `v`: as the vertices have them, to the last bit. Of one UV the last colour counts. */
  set(u: number, v: number, color: Rgb): void {
    this.#colors[this.#uvs.add(u, v)] = color;
  }

  /** Adds all cells of another palette. */
  setAll(other: CellColors): void {
    other.#colors.forEach((color, cell) => {
      this.set(...other.#uvs.uv(cell), color);
    });
  }

  /** The number of the cell with this UV, -1 where none has it. */
  find(u: number, v: number): number {
    return this.#uvs.find(u, v);
  }

  /** Cells are numbered from 0 to below this. */
  get count(): number {
    return this.#uvs.count;
  }

  color(cell: number): Rgb {
    return this.#colors[cell];
  }
}
