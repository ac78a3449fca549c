// Foliage cards: leaves drawn as many small separate quads with a cut-out texture. Simplifying them as a surface eats
// them; here some go, spread evenly over each plant, and those that stay grow, but never so far that a plant outgrows
// itself. A plant keeps as many cards as it takes to cover about what all of them covered.

import { mortonKeys, sortedByKey } from '../lod/boundingVolumeHierarchy.ts';
import { triangleArea } from '../lod/deviation.ts';
import { type Rows, rowsById } from '../lod/rows.ts';
import { type Components, componentDiagonal, connectedComponents, rootOf } from '../mesh/components.ts';
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

/** Up to so many cards of a plant are sorted by insertion. */
const FEW = 64;

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

/** The cards of a mesh by their plants: what does not depend on how many stay. */
export interface PlantedCards {
  readonly mesh: Float32Mesh;
  readonly cards: Components;
  /** Of each card. */
  readonly areas: Float64Array;
  /** The cards of each plant that have no locked vertex, along a Morton curve through their centres. */
  readonly plants: Rows;
  /** Six numbers a plant: least and greatest corner. */
  readonly boxes: Float64Array;
  /** What each plant's cards cover, in squares. */
  readonly covered: Float64Array;
}

/** `lockedVertices`: 1 for each vertex that stays where it is. */
export function plantedCards(mesh: Float32Mesh, lockedVertices: Uint8Array): PlantedCards {
  const { positions, indices } = mesh;
  const cards = cardsOf(mesh, lockedVertices);
  const { componentOf, locked } = cards;
  const areas = new Float64Array(cards.count);
  for (let t = 0; t < componentOf.length; t++) areas[componentOf[t]] += triangleArea(positions, indices, t * 3);

  // 1. The plants with their boxes.
  const { numbers, count } = plantsOf(cards);
  const boxes = new Float64Array(count * 6);
  for (let at = 0; at < boxes.length; at += 6) {
    boxes.fill(Infinity, at, at + 3);
    boxes.fill(-Infinity, at + 3, at + 6);
  }
  for (let card = 0; card < numbers.length; card++) {
    for (let k = 0; k < 3; k++) {
      const at = numbers[card] * 6 + k;
      if (cards.boxes[card * 6 + k] < boxes[at]) boxes[at] = cards.boxes[card * 6 + k];
      if (cards.boxes[card * 6 + 3 + k] > boxes[at + 3]) boxes[at + 3] = cards.boxes[card * 6 + 3 + k];
    }
  }

  // 2. Their free cards; those with a locked vertex belong to no row.
  const all = rowsById(numbers, count);
  const rows = new Uint32Array(all.rows.length);
  const starts = new Uint32Array(count + 1);
  const covered = new Float64Array(count);
  const squares = new Coverage();
  let end = 0;
  for (let plant = 0; plant < count; plant++) {
    starts[plant] = end;
    for (let r = all.starts[plant]; r < all.starts[plant + 1]; r++) {
      if (locked[all.rows[r]] === 0) rows[end++] = all.rows[r];
    }
    const free = rows.subarray(starts[plant], end);
    if (free.length === 0) continue;
    sortAlongCurve(free, cards.boxes, boxes.subarray(plant * 6, plant * 6 + 6));
    squares.begin(boxes, plant * 6);
    for (let i = 0; i < free.length; i++) squares.add(cards.boxes, free[i], 1, areas[free[i]]);
    covered[plant] = squares.sum();
  }
  starts[count] = end;
  return { mesh, cards, areas, plants: { starts, rows: rows.subarray(0, end) }, boxes, covered };
}

/**
 * Some of the cards of each plant: every so many along the curve, and all with a locked vertex as they are. The others that
 * stay are scaled around their centres so that the area is what it was, as far as they may grow, and moved back into the
 * box of their plant.
 */
export async function thinCards(planted: PlantedCards, thinning: Thinning): Promise<PickedMesh> {
  const { mesh, cards } = planted;
  const { positions, indices, vertexCount } = mesh;
  const { componentOf, boxes, locked } = cards;

  // 1. Which cards of each plant stay, by how much they grow and how far they move.
  const stays = locked.slice();
  const scales = new Float64Array(cards.count).fill(1);
  const shifts = new Float64Array(cards.count * 3);
  thinPlants(planted, thinning, { stays, scales, shifts });

  // 2. Their vertices; vertices at one position belong to one card.
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
  if (end === 0) {
    const vertices = new Uint32Array(vertexCount);
    for (let v = 0; v < vertexCount; v++) vertices[v] = v;
    return { mesh, vertices };
  }
  return pickTriangles({ ...mesh, positions: grown }, kept.subarray(0, end));
}

/**
 * Numbers the plants of cards, in the order of their first cards: cards whose boxes touch, or nearly do, belong to one.
 * They are found in one sweep along the longest side of all.
 */
function plantsOf(cards: Components): { readonly numbers: Uint32Array; readonly count: number } {
  const { count, boxes } = cards;
  const parent = new Uint32Array(count);
  for (let c = 0; c < count; c++) parent[c] = c;
  // Neighbours may be as far apart as a quarter of the middle one of all diagonals.
  const diagonals = new Float64Array(count);
  for (let c = 0; c < count; c++) diagonals[c] = componentDiagonal(cards, c);
  const gap = diagonals.sort()[Math.floor(count / 2)] / 4;
  const axis = longestAxis(boxes);
  const [x, y, z] = [axis, (axis + 1) % 3, (axis + 2) % 3];
  const order = new Uint32Array(count);
  for (let c = 0; c < count; c++) order[c] = c;
  order.sort((a, b) => boxes[a * 6 + x] - boxes[b * 6 + x] || a - b);

  const open = new Uint32Array(count);
  let openCount = 0;
  for (let i = 0; i < count; i++) {
    const c = order[i];
    const at = c * 6;
    let left = 0;
    // What touches a card inside another one's box touches that as well: the inner one need not stay open.
    let isInner = false;
    for (let j = 0; j < openCount; j++) {
      const other = open[j];
      const to = other * 6;
      if (boxes[to + 3 + x] + gap < boxes[at + x]) continue;
      open[left++] = other;
      if (boxes[to + y] > boxes[at + 3 + y] + gap || boxes[at + y] > boxes[to + 3 + y] + gap) continue;
      if (boxes[to + z] > boxes[at + 3 + z] + gap || boxes[at + z] > boxes[to + 3 + z] + gap) continue;
      const r = rootOf(parent, c);
      const s = rootOf(parent, other);
      if (r < s) parent[s] = r;
      else parent[r] = s;
      if (covers(boxes, to, at, x, y, z)) isInner = true;
      else if (covers(boxes, at, to, x, y, z)) left--;
    }
    openCount = left;
    if (!isInner) open[openCount++] = c;
  }
  const numbers = new Uint32Array(count);
  let plants = 0;
  // The root of a plant is its first card.
  for (let c = 0; c < count; c++) {
    const root = rootOf(parent, c);
    numbers[c] = root === c ? plants++ : numbers[root];
  }
  return { numbers, count: plants };
}

/** Whether a box reaches as far as another one along x, and covers it along y and z. */
function covers(boxes: Float32Array, at: number, other: number, x: number, y: number, z: number): boolean {
  if (boxes[at + 3 + x] < boxes[other + 3 + x]) return false;
  if (boxes[at + y] > boxes[other + y] || boxes[at + 3 + y] < boxes[other + 3 + y]) return false;
  return boxes[at + z] <= boxes[other + z] && boxes[at + 3 + z] >= boxes[other + 3 + z];
}

/** The axis along which boxes reach furthest together. */
function longestAxis(boxes: Float32Array): number {
  let longest = 0;
  let most = -1;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let at = k; at < boxes.length; at += 6) {
      if (boxes[at] < low) low = boxes[at];
      if (boxes[at + 3] > high) high = boxes[at + 3];
    }
    if (high - low <= most) continue;
    most = high - low;
    longest = k;
  }
  return longest;
}

/** Sorts the cards of a plant along a Morton curve through their centres. `box`: the plant's. */
function sortAlongCurve(plant: Uint32Array, boxes: Float32Array, box: Float64Array): void {
  const centres = new Float32Array(plant.length * 3);
  for (let i = 0; i < plant.length; i++) {
    for (let k = 0; k < 3; k++) centres[i * 3 + k] = (boxes[plant[i] * 6 + k] + boxes[plant[i] * 6 + 3 + k]) / 2;
  }
  const keys = mortonKeys(centres, [box[0], box[1], box[2]], [box[3], box[4], box[5]]);
  // Cards are ascending and few: an insertion sort keeps the order of equal keys and allocates nothing.
  if (plant.length > FEW) {
    const order = sortedByKey(keys);
    plant.set(order.map((i) => plant[i]));
    return;
  }
  for (let i = 1; i < plant.length; i++) {
    const key = keys[i];
    const card = plant[i];
    let j = i - 1;
    for (; j >= 0 && keys[j] > key; j--) {
      keys[j + 1] = keys[j];
      plant[j + 1] = plant[j];
    }
    keys[j + 1] = key;
    plant[j + 1] = card;
  }
}

/** What becomes of each card. */
interface Thinned {
  readonly stays: Uint8Array;
  readonly scales: Float64Array;
  /** 3 a card. */
  readonly shifts: Float64Array;
}

function thinPlants(
  { cards, areas, plants: { starts, rows }, boxes, covered }: PlantedCards,
  { ratio, mostGrowth }: Thinning,
  { stays, scales, shifts }: Thinned,
): void {
  const squares = new Coverage();
  for (let plant = 0; plant + 1 < starts.length; plant++) {
    const first = starts[plant];
    const count = starts[plant + 1] - first;
    if (count === 0) continue;
    let total = 0;
    for (let r = first; r < first + count; r++) total += areas[rows[r]];

    // As many as asked for, or more until they cover enough.
    const wanted = COVERAGE * covered[plant];
    let number = Math.max(1, Math.round(count * ratio));
    let scale = 1;
    for (;;) {
      let left = 0;
      for (let rank = 0; rank < number; rank++) left += areas[rows[first + chosen(rank, number, count)]];
      scale = Math.min(mostGrowth, left > 0 ? Math.sqrt(total / left) : 1);
      if (number === count) break;
      squares.begin(boxes, plant * 6);
      for (let rank = 0; rank < number; rank++) {
        const card = rows[first + chosen(rank, number, count)];
        squares.add(cards.boxes, card, scale, areas[card]);
      }
      const covers = squares.sum();
      if (covers >= wanted) break;
      // The more cards there are, the less each one adds.
      number = Math.min(count, Math.ceil(number * Math.max(1.15, covers > 0 ? wanted / covers : 2)) + 1);
    }
    for (let rank = 0; rank < number; rank++) {
      const card = rows[first + chosen(rank, number, count)];
      stays[card] = 1;
      scales[card] = scale;
      shiftInside(cards.boxes, card, scale, boxes, plant * 6, shifts);
    }
  }
}

/** Where along the curve the card with a rank among those that stay is. */
function chosen(rank: number, number: number, count: number): number {
  return Math.floor(((rank + 0.5) * count) / number);
}

/**
 * Writes how far a scaled card has to move to lie in the box at `plants[at]`, if that has room for it: as far as it reaches
 * out on one side alone.
 */
function shiftInside(
  boxes: Float32Array,
  card: number,
  scale: number,
  plants: Float64Array,
  at: number,
  shifts: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    const centre = (boxes[card * 6 + k] + boxes[card * 6 + 3 + k]) / 2;
    const half = ((boxes[card * 6 + 3 + k] - boxes[card * 6 + k]) / 2) * scale;
    const under = Math.max(0, plants[at + k] - (centre - half));
    const over = Math.max(0, centre + half - plants[at + 3 + k]);
    shifts[card * 3 + k] = under > 0 && over > 0 ? 0 : under - over;
  }
}

/** What cards cover of a plant, seen along the three axes. One for all plants, one after the other. */
class Coverage {
  #low = new Float64Array(3);
  #edge = 1;
  readonly #covered = new Float64Array(3 * SQUARES * SQUARES);
  readonly #size = new Float64Array(3);
  readonly #from = new Float64Array(3);

  /** Begins with the plant whose box is at `boxes[at]`. */
  begin(boxes: Float64Array, at: number): void {
    let longest = 0;
    for (let k = 0; k < 3; k++) {
      this.#low[k] = boxes[at + k];
      longest = Math.max(longest, boxes[at + 3 + k] - boxes[at + k]);
    }
    this.#edge = longest / SQUARES || 1;
    this.#covered.fill(0);
  }

  /**
   * Adds a card, scaled around its centre: in each square that its box overlaps, the share that the card's area has of the
   * largest side of its box is taken for covered by chance.
   */
  add(boxes: Float32Array, card: number, scale: number, area: number): void {
    const size = this.#size;
    const from = this.#from;
    const edge = this.#edge;
    const covered = this.#covered;
    for (let k = 0; k < 3; k++) {
      const low = boxes[card * 6 + k];
      const high = boxes[card * 6 + 3 + k];
      size[k] = (high - low) * scale;
      from[k] = (low + high - size[k]) / 2 - this.#low[k];
    }
    for (let axis = 0; axis < 3; axis++) {
      const a = axis === 2 ? 0 : axis + 1;
      const b = axis === 0 ? 2 : axis - 1;
      const side = size[a] * size[b];
      if (!(side > 0)) continue;
      // A card of any slant shows a part of its area; half of it is the mean over all directions.
      const density = Math.min(1, (area * scale * scale) / 2 / side) / (edge * edge);
      const left = Math.max(0, Math.floor(from[a] / edge));
      const right = Math.min(SQUARES - 1, Math.floor((from[a] + size[a]) / edge));
      const bottom = Math.max(0, Math.floor(from[b] / edge));
      const top = Math.min(SQUARES - 1, Math.floor((from[b] + size[b]) / edge));
      for (let i = left; i <= right; i++) {
        const wide = overlap(from[a], size[a], i * edge, edge) * density;
        for (let j = bottom; j <= top; j++) {
          const at = (axis * SQUARES + i) * SQUARES + j;
          covered[at] += (1 - covered[at]) * wide * overlap(from[b], size[b], j * edge, edge);
        }
      }
    }
  }

  /** Squares that are covered, along all axes. */
  sum(): number {
    let sum = 0;
    for (let i = 0; i < this.#covered.length; i++) sum += this.#covered[i];
    return sum;
  }
}

/** The length that two intervals, each given by its beginning and length, have in common. */
function overlap(a: number, aLength: number, b: number, bLength: number): number {
  return Math.max(0, Math.min(a + aLength, b + bLength) - Math.max(a, b));
}
