// Positions that several payloads share: found once for the whole scene, so that every level of every tile keeps its
// vertices there and neighbours still meet bit for bit. While payloads are added, each position inside another payload's
// box is kept; after that, the shared ones alone.

import { kernel } from '../../kernel/kernel.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { bitsOf } from '../mesh/mesh.ts';
import { writePositionRow } from '../mesh/positionIds.ts';
import { closedRows, RowSet } from '../mesh/weld.ts';

/** Planned boxes are float64, stored positions float32: boxes are taken this much larger, of their coordinates' size. */
const ROUNDING = 1e-6;

/** Bits of the filter for each shared position: enough that about one other position in sixteen passes. */
const FILTER_BITS = 16;

/** The positions that more than one payload has. */
export class SharedPositions {
  /** Three words each, the bits of x, y and z; each position once. */
  readonly rows: Uint32Array;
  readonly #set: RowSet;
  /** A bit for each hash of a shared position: most vertices are not shared and need no search. Its size is a power of two. */
  readonly #filter: Uint32Array;

  constructor(rows: Uint32Array) {
    this.rows = rows;
    const count = rows.length / 3;
    this.#set = new RowSet(3, count);
    let words = 1;
    while (words * 32 < count * FILTER_BITS) words *= 2;
    this.#filter = new Uint32Array(words);
    for (let at = 0; at < rows.length; at += 3) {
      for (let k = 0; k < 3; k++) this.#set.row[k] = rows[at + k];
      this.#set.add();
      const hash = hashPosition(rows[at], rows[at + 1], rows[at + 2]);
      this.#filter[(hash >>> 5) & (words - 1)] |= 1 << hash;
    }
  }

  get count(): number {
    return this.#set.count;
  }

  /** 1 for each vertex whose position is shared. */
  lockedVertices(positions: Float32Array): Uint8Array {
    const bits = bitsOf(positions);
    const locked = new Uint8Array(positions.length / 3);
    const filter = this.#filter;
    const set = this.#set;
    const { row } = set;
    for (let v = 0, at = 0; v < locked.length; v++, at += 3) {
      writePositionRow(bits, at, row);
      const hash = hashPosition(row[0], row[1], row[2]);
      if (((filter[(hash >>> 5) & (filter.length - 1)] >>> hash) & 1) === 0) continue;
      if (set.find() >= 0) locked[v] = 1;
    }
    return locked;
  }
}

/** 32 bits; shifts by it use the lowest five. */
function hashPosition(x: number, y: number, z: number): number {
  let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}

/** Another payload whose box a payload's vertices may lie in. */
export interface Neighbour {
  readonly index: number;
  readonly box: Bounds;
}

/** The neighbours of each payload, given boxes that no vertex of them lies outside of. */
export function neighboursOf(bounds: readonly Bounds[]): readonly (readonly Neighbour[])[] {
  return touching(bounds.map(padded));
}

/** A neighbour of more objects than this counts as one box. */
const MANY_OBJECTS = 256;

/**
 * For each payload, the bounds of every object in neighbouring payloads that overlap its own bounds; the bounds of a whole
 * neighbour would hold much that no object of it fills. `objects`: bounds of the objects of each payload.
 */
export function neighbourObjects(objects: readonly (readonly Bounds[])[]): readonly (readonly Bounds[])[] {
  const boxes = objects.map((own) => own.map(padded));
  const whole = boxes.map((own) => own.reduce<Bounds | null>(unite, null) ?? NOWHERE);
  return touching(whole).map((neighbours, i) =>
    neighbours.flatMap(({ index, box }) =>
      boxes[index].length > MANY_OBJECTS ? [box] : boxes[index].filter((object) => touches(object, whole[i])),
    ),
  );
}

const NOWHERE: Bounds = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };

/** Whether two boxes have a point in common. */
export function touches(a: Bounds, b: Bounds): boolean {
  for (let k = 0; k < 3; k++) if (a.min[k] > b.max[k] || b.min[k] > a.max[k]) return false;
  return true;
}

/** The positions of one payload's meshes that lie in another's box, each once: three words each, the bits of x, y and z. */
export function borderPositions(meshes: readonly Float32Array[], neighbours: readonly Bounds[]): Uint32Array {
  if (neighbours.length === 0) return new Uint32Array(0);
  const total = meshes.reduce((sum, positions) => sum + positions.length / 3, 0);
  return kernel.within((memory) => {
    const boxes = memory.put(Float64Array.from(neighbours.flatMap(({ min, max }) => [...min, ...max])));
    const rows = memory.allocate(total * 12);
    let found = 0;
    for (const positions of meshes) {
      found += memory.within(() => {
        const placed = [memory.put(positions), positions.length / 3] as const;
        return memory.calls.rowsInBoxes(...placed, boxes, neighbours.length, rows + found * 12);
      });
    }
    const { count } = closedRows(memory, rows, 3, found);
    return memory.uint32(rows, count * 3).slice();
  });
}

/** In place of the owner of a position that several have. */
const SEVERAL = 0;

/** Gathers the border positions of all payloads. What it gives does not depend on the order in which they are added. */
export class BorderMap {
  readonly #positions = new RowSet(3, 1024);
  /** Whose each position is; SEVERAL where it is not one's alone. */
  #owners = new Int32Array(1024);
  #alone = 0;

  /**
   * Adds what borderPositions gives of one payload; of each payload once. Payloads of the same `owner`, 0 or more, share
   * nothing with each other; without one, a payload is its own.
   */
  add(rows: Uint32Array, owner: number | null = null): void {
    const { row } = this.#positions;
    const own = owner === null ? -1 - this.#alone++ : owner + 1;
    for (let at = 0; at < rows.length; at += 3) {
      for (let k = 0; k < 3; k++) row[k] = rows[at + k];
      const known = this.#positions.count;
      const number = this.#positions.add();
      if (number < known) {
        if (this.#owners[number] !== own) this.#owners[number] = SEVERAL;
        continue;
      }
      if (number === this.#owners.length) {
        const grown = new Int32Array(number * 2);
        grown.set(this.#owners);
        this.#owners = grown;
      }
      this.#owners[number] = own;
    }
  }

  /** Three words for each position that several owners have, the bits of x, y and z. */
  sharedRows(): Uint32Array {
    const { rows, count } = this.#positions;
    let shared = 0;
    for (let i = 0; i < count; i++) if (this.#owners[i] === SEVERAL) shared++;
    const out = new Uint32Array(shared * 3);
    for (let i = 0, to = 0; i < count; i++) {
      if (this.#owners[i] !== SEVERAL) continue;
      for (let k = 0; k < 3; k++) out[to++] = rows[i * 3 + k];
    }
    return out;
  }
}

/** The box with room for the rounding of what was planned in float64 and is stored in float32. */
export function padded({ min, max }: Bounds): Bounds {
  const out = (value: number, sign: number) => value + sign * (Math.abs(value) + 1) * ROUNDING;
  return {
    min: [out(min[0], -1), out(min[1], -1), out(min[2], -1)],
    max: [out(max[0], 1), out(max[1], 1), out(max[2], 1)],
  };
}

/** For each box the others that it touches. Sorted along X, so that only boxes side by side are compared. */
function touching(boxes: readonly Bounds[]): readonly (readonly Neighbour[])[] {
  const order = boxes.map((_, i) => i).sort((a, b) => boxes[a].min[0] - boxes[b].min[0] || a - b);
  const found: Neighbour[][] = boxes.map(() => []);
  let open: number[] = [];
  for (const i of order) {
    open = open.filter((j) => boxes[j].max[0] >= boxes[i].min[0]);
    for (const j of open) {
      if (!touches(boxes[i], boxes[j])) continue;
      found[i].push({ index: j, box: boxes[j] });
      found[j].push({ index: i, box: boxes[i] });
    }
    open.push(i);
  }
  return found;
}

/** Whether a point lies in one of the boxes or touches it. */
export function insideOne(boxes: readonly Bounds[], x: number, y: number, z: number): boolean {
  for (let i = 0; i < boxes.length; i++) {
    const { min, max } = boxes[i];
    if (x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] && z >= min[2] && z <= max[2]) return true;
  }
  return false;
}
