// Positions that several payloads share: found once for the whole scene, so that every level of every tile keeps its
// vertices there and neighbours go on meeting bit for bit. What is remembered are positions inside another payload's box
// while payloads are added, and the shared ones alone after that.

import type { Bounds } from '../scene/types.ts';
import { VERTEX_WORDS } from './pack.ts';
import type { PackedMesh } from './types.ts';
import { RowSet } from './weld.ts';

/** Planned boxes are float64, stored positions float32: boxes are taken this much larger, of their coordinates' size. */
const ROUNDING = 1e-6;

const SHARED = 0xffffffff;

/** Bits of a float32 -0. */
export const NEGATIVE_ZERO = 0x80000000;

/** The positions that more than one payload has. */
export interface SharedPositions {
  /** 1 for each vertex that stands at a shared position, of vertices of 8 words each. */
  lockedVertices(words: Uint32Array): Uint8Array;
  readonly count: number;
}

export class BorderMap {
  readonly #neighbours: readonly (readonly Bounds[])[];
  readonly #rows = new RowSet(3, 1024);
  /** Payload that each row was first seen in, or SHARED. */
  #owner = new Uint32Array(1024);

  /** `bounds`: a box of each payload that no vertex of it lies outside of. */
  constructor(bounds: readonly Bounds[]) {
    this.#neighbours = touching(bounds.map(padded));
  }

  /** Adds the meshes of payload `index`. The result does not depend on the order of payloads. */
  add(index: number, meshes: readonly PackedMesh[]): void {
    const boxes = this.#neighbours[index];
    if (boxes.length === 0) return;
    const { row } = this.#rows;
    for (const { vertices } of meshes) {
      const words = alignedWords(vertices);
      const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
      for (let at = 0; at < floats.length; at += VERTEX_WORDS) {
        if (!insideOne(boxes, floats[at], floats[at + 1], floats[at + 2])) continue;
        positionRow(words, at, row);
        const number = this.#rows.add();
        if (number === this.#owner.length) {
          const grown = new Uint32Array(number * 2);
          grown.set(this.#owner);
          this.#owner = grown;
        }
        // A fresh row has no owner yet: 0, so owners count from 1.
        const owner = this.#owner[number];
        if (owner === 0) this.#owner[number] = index + 1;
        else if (owner !== index + 1) this.#owner[number] = SHARED;
      }
    }
  }

  finish(): SharedPositions {
    const shared = new RowSet(3, 16);
    const { rows, count } = this.#rows;
    for (let i = 0; i < count; i++) {
      if (this.#owner[i] !== SHARED) continue;
      for (let k = 0; k < 3; k++) shared.row[k] = rows[i * 3 + k];
      shared.add();
    }
    return {
      count: shared.count,
      lockedVertices(words) {
        const locked = new Uint8Array(words.length / VERTEX_WORDS);
        for (let v = 0; v < locked.length; v++) {
          positionRow(words, v * VERTEX_WORDS, shared.row);
          if (shared.find() >= 0) locked[v] = 1;
        }
        return locked;
      },
    };
  }
}

/** The vertices' bytes as words; a copy only where they stand at an odd address. */
export function alignedWords(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

/** Bits of the position at word `at`, -0 as +0. */
function positionRow(words: Uint32Array, at: number, row: Uint32Array): void {
  for (let k = 0; k < 3; k++) {
    const bits = words[at + k];
    row[k] = bits === NEGATIVE_ZERO ? 0 : bits;
  }
}

function padded({ min, max }: Bounds): Bounds {
  const out = (value: number, sign: number) => value + sign * (Math.abs(value) + 1) * ROUNDING;
  return {
    min: [out(min[0], -1), out(min[1], -1), out(min[2], -1)],
    max: [out(max[0], 1), out(max[1], 1), out(max[2], 1)],
  };
}

/** For each box the others that it touches. Sorted along X, so that only boxes side by side are compared. */
function touching(boxes: readonly Bounds[]): readonly (readonly Bounds[])[] {
  const order = boxes.map((_, i) => i).sort((a, b) => boxes[a].min[0] - boxes[b].min[0] || a - b);
  const found: Bounds[][] = boxes.map(() => []);
  let open: number[] = [];
  for (const i of order) {
    open = open.filter((j) => boxes[j].max[0] >= boxes[i].min[0]);
    for (const j of open) {
      const a = boxes[i];
      const b = boxes[j];
      if (a.min[1] > b.max[1] || b.min[1] > a.max[1] || a.min[2] > b.max[2] || b.min[2] > a.max[2]) continue;
      found[i].push(b);
      found[j].push(a);
    }
    open.push(i);
  }
  return found;
}

function insideOne(boxes: readonly Bounds[], x: number, y: number, z: number): boolean {
  for (let i = 0; i < boxes.length; i++) {
    const { min, max } = boxes[i];
    if (x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] && z >= min[2] && z <= max[2]) return true;
  }
  return false;
}
