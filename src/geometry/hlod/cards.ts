// Foliage cards: leaves drawn as many small separate quads with a cut-out texture. Simplifying them as a surface eats
// them; here some go, spread evenly over each plant, and those that stay grow, but never so far that a plant outgrows
// itself. A plant keeps as many cards as it takes to cover about what all of them covered.

import { mortonKeys, sortedByKey } from '../lod/boundingVolumeHierarchy.ts';
import { triangleArea } from '../lod/deviation.ts';
import { type Components, componentDiagonal, connectedComponents } from '../mesh/components.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { type PickedMesh, pickTriangles } from '../mesh/united.ts';

/** A mesh is taken for cards when it has at least this many connected components … */
const MIN_CARDS = 16;
/** … of at most this many triangles on average. */
const TRIANGLES_A_CARD = 8;

/** A card grows to this many times its size at the most: 1.5, less some room for the rounding of positions. */
export const MOST_GROWTH = 1.49;

/** The share of what a plant covered, seen along each axis, that its cards cover at least. */
const COVERAGE = 0.85;
/** Coverage is counted in squares, so many along the longest side of a plant. */
const SQUARES = 24;

function cardsOf({ positions, indices, vertexCount }: Float32Mesh, lockedVertices: Uint8Array): Components {
  return connectedComponents(positions, indices, new PositionIds(vertexCount).of(positions), lockedVertices);
}

/** Whether a mesh with a cut-out material is made of cards. */
export function isMadeOfCards(mesh: Float32Mesh): boolean {
  const triangles = mesh.indices.length / 3;
  if (triangles < MIN_CARDS) return false;
  const { count } = cardsOf(mesh, new Uint8Array(mesh.vertexCount));
  return count >= MIN_CARDS && triangles <= count * TRIANGLES_A_CARD;
}

/** What is asked of thinned cards. */
export interface Thinning {
  /** The share of the cards that is to stay; more do where a plant would cover too little. */
  readonly ratio: number;
  /** How many times its size a card may have. */
  readonly mostGrowth: number;
}

/**
 * Some of the cards of each plant: every so many along a Morton curve through their centres, and all with a locked vertex
 * as they are. The others that stay are scaled around their centres so that the area is what it was, as far as they may
 * grow, and moved back into the box of their plant.
 */
export async function thinCards(
  mesh: Float32Mesh,
  lockedVertices: Uint8Array,
  { ratio, mostGrowth }: Thinning,
): Promise<PickedMesh> {
  const { positions, indices, vertexCount } = mesh;
  const cards = cardsOf(mesh, lockedVertices);
  const { count, componentOf, boxes, locked } = cards;

  // 1. Area and plant of each card.
  const areas = new Float64Array(count);
  for (let t = 0; t < componentOf.length; t++) areas[componentOf[t]] += triangleArea(positions, indices, t * 3);
  const plants = plantsOf(cards);

  // 2. Which cards of each plant stay, by how much they grow and how far they move.
  const stays = new Uint8Array(count);
  const scales = new Float64Array(count).fill(1);
  const shifts = new Float64Array(count * 3);
  for (const plant of plants) thinPlant(plant, cards, areas, { ratio, mostGrowth }, { stays, scales, shifts });

  // 3. Their vertices; vertices at one position belong to one card.
  const grown = positions.slice();
  const moved = new Uint8Array(vertexCount);
  const kept = new Uint32Array(indices.length);
  let end = 0;
  for (let t = 0; t < componentOf.length; t++) {
    const card = componentOf[t];
    if (stays[card] === 0) continue;
    for (let i = t * 3; i < t * 3 + 3; i++) {
      const v = indices[i];
      kept[end++] = v;
      if (moved[v] === 1 || locked[card] === 1) continue;
      moved[v] = 1;
      for (let k = 0; k < 3; k++) {
        const centre = (boxes[card * 6 + k] + boxes[card * 6 + 3 + k]) / 2;
        grown[v * 3 + k] = centre + (grown[v * 3 + k] - centre) * scales[card] + shifts[card * 3 + k];
      }
    }
  }
  if (end === 0) return { mesh, vertices: Uint32Array.from({ length: vertexCount }, (_, v) => v) };
  return pickTriangles({ ...mesh, positions: grown }, kept.subarray(0, end));
}

/** Cards whose boxes touch, or nearly do, make a plant: their numbers, ascending. */
function plantsOf(cards: Components): Uint32Array[] {
  const { count, boxes } = cards;
  const parent = new Uint32Array(count);
  for (let c = 0; c < count; c++) parent[c] = c;
  const rootOf = (c: number): number => {
    while (parent[c] !== c) c = parent[c] = parent[parent[c]];
    return c;
  };
  // Neighbours may be as far apart as a quarter of the middle one of all diagonals.
  const diagonals = new Float64Array(count);
  for (let c = 0; c < count; c++) diagonals[c] = componentDiagonal(cards, c);
  const gap = diagonals.slice().sort()[Math.floor(count / 2)] / 4;
  const order = Uint32Array.from({ length: count }, (_, c) => c);
  order.sort((a, b) => boxes[a * 6] - boxes[b * 6] || a - b);
  let open: number[] = [];
  for (const c of order) {
    const at = c * 6;
    open = open.filter((o) => boxes[o * 6 + 3] + gap >= boxes[at]);
    for (const o of open) {
      if (boxes[o * 6 + 1] > boxes[at + 4] + gap || boxes[at + 1] > boxes[o * 6 + 4] + gap) continue;
      if (boxes[o * 6 + 2] > boxes[at + 5] + gap || boxes[at + 2] > boxes[o * 6 + 5] + gap) continue;
      const [r, s] = [rootOf(c), rootOf(o)];
      parent[Math.max(r, s)] = Math.min(r, s);
    }
    open.push(c);
  }
  const members = new Map<number, number[]>();
  for (let c = 0; c < count; c++) {
    const root = rootOf(c);
    const list = members.get(root);
    if (list) list.push(c);
    else members.set(root, [c]);
  }
  return [...members.values()].map((list) => Uint32Array.from(list));
}

/** What becomes of each card. */
interface Thinned {
  readonly stays: Uint8Array;
  readonly scales: Float64Array;
  /** 3 a card. */
  readonly shifts: Float64Array;
}

function thinPlant(
  plant: Uint32Array,
  { boxes, locked }: Components,
  areas: Float64Array,
  { ratio, mostGrowth }: Thinning,
  { stays, scales, shifts }: Thinned,
): void {
  // 1. Cards in their order along the curve; those with a locked vertex stay.
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const card of plant) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], boxes[card * 6 + k]);
      high[k] = Math.max(high[k], boxes[card * 6 + 3 + k]);
    }
    if (locked[card] === 1) stays[card] = 1;
  }
  const free = plant.filter((card) => locked[card] === 0);
  if (free.length === 0) return;
  const centres = new Float32Array(free.length * 3);
  for (let i = 0; i < free.length; i++) {
    for (let k = 0; k < 3; k++) centres[i * 3 + k] = (boxes[free[i] * 6 + k] + boxes[free[i] * 6 + 3 + k]) / 2;
  }
  const curve = sortedByKey(mortonKeys(centres, [low[0], low[1], low[2]], [high[0], high[1], high[2]]));
  let total = 0;
  for (const card of free) total += areas[card];

  // 2. As many as asked for, or more until they cover enough.
  const squares = new Coverage(low, high);
  for (const card of free) squares.add(boxes, card, 1, areas[card]);
  const wanted = COVERAGE * squares.take();
  const shift = new Float64Array(3);
  let number = Math.max(1, Math.round(free.length * ratio));
  for (; ; number = Math.min(free.length, Math.ceil(number * 1.15) + 1)) {
    let left = 0;
    for (let rank = 0; rank < number; rank++) left += areas[free[curve[chosen(rank, number, free.length)]]];
    const scale = Math.min(mostGrowth, left > 0 ? Math.sqrt(total / left) : 1);
    for (let rank = 0; rank < number; rank++) {
      const card = free[curve[chosen(rank, number, free.length)]];
      squares.add(boxes, card, scale, areas[card]);
    }
    const covers = squares.take();
    if (covers < wanted && number < free.length) continue;
    for (let rank = 0; rank < number; rank++) {
      const card = free[curve[chosen(rank, number, free.length)]];
      stays[card] = 1;
      scales[card] = scale;
      shiftInside(boxes, card, scale, low, high, shift);
      shifts.set(shift, card * 3);
    }
    return;
  }
}

/** The place along the curve of the card with a rank among those that stay. */
function chosen(rank: number, number: number, count: number): number {
  return Math.floor(((rank + 0.5) * count) / number);
}

/** How far a scaled card has to move to lie in a box that has room for it: as far as it reaches out on one side alone. */
function shiftInside(
  boxes: Float32Array,
  card: number,
  scale: number,
  low: readonly number[],
  high: readonly number[],
  shift: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    const centre = (boxes[card * 6 + k] + boxes[card * 6 + 3 + k]) / 2;
    const half = ((boxes[card * 6 + 3 + k] - boxes[card * 6 + k]) / 2) * scale;
    const under = Math.max(0, low[k] - (centre - half));
    const over = Math.max(0, centre + half - high[k]);
    shift[k] = under > 0 && over > 0 ? 0 : under - over;
  }
}

/** What cards cover of their plant, seen along the three axes. */
class Coverage {
  readonly #low: readonly number[];
  readonly #edge: number;
  readonly #covered = new Float64Array(3 * SQUARES * SQUARES);

  constructor(low: readonly number[], high: readonly number[]) {
    this.#low = low;
    this.#edge = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / SQUARES || 1;
  }

  /**
   * Adds a card, scaled around its centre: in each square that its box overlaps, the share that the card's area has of the
   * largest side of its box is taken for covered by chance.
   */
  add(boxes: Float32Array, card: number, scale: number, area: number): void {
    const size = [0, 1, 2].map((k) => (boxes[card * 6 + 3 + k] - boxes[card * 6 + k]) * scale);
    const from = [0, 1, 2].map((k) => (boxes[card * 6 + k] + boxes[card * 6 + 3 + k] - size[k]) / 2 - this.#low[k]);
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
      const side = size[a] * size[b];
      if (!(side > 0)) continue;
      // A card of any slant shows a part of its area; half of it is the mean over all directions.
      const density = Math.min(1, (area * scale * scale) / 2 / side);
      const first = Math.max(0, Math.floor(from[a] / this.#edge));
      const last = Math.min(SQUARES - 1, Math.floor((from[a] + size[a]) / this.#edge));
      for (let i = first; i <= last; i++) {
        const wide = overlap(from[a], size[a], i * this.#edge, this.#edge);
        const top = Math.min(SQUARES - 1, Math.floor((from[b] + size[b]) / this.#edge));
        for (let j = Math.max(0, Math.floor(from[b] / this.#edge)); j <= top; j++) {
          const share = (wide * overlap(from[b], size[b], j * this.#edge, this.#edge) * density) / this.#edge ** 2;
          const at = (axis * SQUARES + i) * SQUARES + j;
          this.#covered[at] += (1 - this.#covered[at]) * share;
        }
      }
    }
  }

  /** Squares that are covered, along all axes; none are afterwards. */
  take(): number {
    let sum = 0;
    for (let i = 0; i < this.#covered.length; i++) sum += this.#covered[i];
    this.#covered.fill(0);
    return sum;
  }
}

/** The length that two intervals, each given by its beginning and length, have in common. */
function overlap(a: number, aLength: number, b: number, bLength: number): number {
  return Math.max(0, Math.min(a + aLength, b + bLength) - Math.max(a, b));
}
