// Numbers for positions: equal where positions are, bit for bit, so that the vertices of a tile and of its levels are known
// to stand at the same place whatever they are drawn with.

import type { Vec3 } from '../../scene/types.ts';
import { NEGATIVE_ZERO } from '../lod/borders.ts';
import { VERTEX_WORDS } from './pack.ts';
import { RowSet } from './weld.ts';

export class PlaceNumbers {
  readonly #set: RowSet;

  /** `expected`: how many places to make room for; it may be exceeded. */
  constructor(expected: number) {
    this.#set = new RowSet(3, expected);
  }

  /** Numbers go from 0 to below this. */
  get count(): number {
    return this.#set.count;
  }

  /** The place of each vertex of 8 words; places that were not seen before get the next numbers. -0 is 0. */
  of(words: Uint32Array): Uint32Array {
    const set = this.#set;
    const { row } = set;
    const places = new Uint32Array(words.length / VERTEX_WORDS);
    for (let v = 0, at = 0; v < places.length; v++, at += VERTEX_WORDS) {
      const x = words[at];
      const y = words[at + 1];
      const z = words[at + 2];
      row[0] = x === NEGATIVE_ZERO ? 0 : x;
      row[1] = y === NEGATIVE_ZERO ? 0 : y;
      row[2] = z === NEGATIVE_ZERO ? 0 : z;
      places[v] = set.add();
    }
    return places;
  }

  position(place: number): Vec3 {
    const { rows } = this.#set;
    const at = place * 3;
    const [x, y, z] = new Float32Array(rows.buffer, rows.byteOffset + at * 4, 3);
    return [x, y, z];
  }
}
