// Position ids: two vertices have the same id exactly if their positions are equal bit for bit. So vertices of a tile and
// of its levels can be compared by position, even if their materials and attributes differ.

import type { Vec3 } from '../../scene/types.ts';
import { bitsOf } from './mesh.ts';
import { RowSet } from './weld.ts';

/** Bits of a float32 -0. */
const NEGATIVE_ZERO = 0x80000000;

/** Writes the bits of the position at `bits[at]` to `row`, -0 as +0. */
export function writePositionRow(bits: Uint32Array, at: number, row: Uint32Array): void {
  const x = bits[at];
  const y = bits[at + 1];
  const z = bits[at + 2];
  row[0] = x === NEGATIVE_ZERO ? 0 : x;
  row[1] = y === NEGATIVE_ZERO ? 0 : y;
  row[2] = z === NEGATIVE_ZERO ? 0 : z;
}

export class PositionIds {
  readonly #set: RowSet;

  /** `expected`: how many positions to make room for; it may be exceeded. */
  constructor(expected: number) {
    this.#set = new RowSet(3, expected);
  }

  /** Ids go from 0 to below this. */
  get count(): number {
    return this.#set.count;
  }

  /** The id of each vertex; positions that were not seen before get the next ids. */
  of(positions: Float32Array): Uint32Array {
    const set = this.#set;
    const bits = bitsOf(positions);
    const ids = new Uint32Array(positions.length / 3);
    for (let v = 0, at = 0; v < ids.length; v++, at += 3) {
      writePositionRow(bits, at, set.row);
      ids[v] = set.add();
    }
    return ids;
  }

  position(id: number): Vec3 {
    const { rows } = this.#set;
    const [x, y, z] = new Float32Array(rows.buffer, rows.byteOffset + id * 12, 3);
    return [x, y, z];
  }
}
