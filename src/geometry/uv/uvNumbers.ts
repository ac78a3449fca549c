// Numbers for texture coordinates that are equal to the last bit: how palettes find the cell that a vertex points to.

import type { Vec2 } from '../../scene/types.ts';
import { RowSet } from '../mesh/weld.ts';

export class UvNumbers {
  readonly #set = new RowSet(2, 16);
  readonly #uv = new Float32Array(this.#set.row.buffer);

  /** Numbers go from 0 to below this. */
  get count(): number {
    return this.#set.count;
  }

  /** The number of a UV; one that was not added before gets the next. */
  add(u: number, v: number): number {
    this.#uv[0] = u;
    this.#uv[1] = v;
    return this.#set.add();
  }

  /** The number of a UV, -1 when it was not added. */
  find(u: number, v: number): number {
    this.#uv[0] = u;
    this.#uv[1] = v;
    return this.#set.find();
  }

  uv(number: number): Vec2 {
    const { rows } = this.#set;
    const [u, v] = new Float32Array(rows.buffer, rows.byteOffset + number * 8, 2);
    return [u, v];
  }
}
