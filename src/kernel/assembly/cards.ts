// The loops over foliage cards (geometry/hlod/cards.ts says what becomes of cards, and why). Boxes are least and greatest
// corner: six float32 a card, six float64 a plant.

import { spread } from './hierarchy.ts';
import { hypot3, roundNumber } from './numbers.ts';
import { rootOf, separate } from './sets.ts';
import { sortableBits, sortNumbers } from './sort.ts';
import { crossSquared } from './triangle.ts';
import { setWord, word } from './words.ts';

const BOX: usize = 24;
const PLANT_BOX: usize = 48;

/** Coverage is counted in squares, so many along the longest side of a plant, seen along three axes. */
const SQUARES: u32 = 24;
const SQUARES_BYTES: usize = 3 * SQUARES * SQUARES * 8;

/** Adds up the areas of the triangles of each card. `areas`: zeros, a float64 a card. */
export function cardAreas(positions: usize, indices: usize, triangleCount: u32, cardOf: usize, areas: usize): void {
  for (let t: u32 = 0, at = indices; t < triangleCount; t++, at += 12) {
    const a = positions + <usize>load<u32>(at) * 12;
    const b = positions + <usize>load<u32>(at, 4) * 12;
    const c = positions + <usize>load<u32>(at, 8) * 12;
    const area = areas + ((<usize>word(cardOf, t)) << 3);
    store<f64>(area, load<f64>(area) + sqrt<f64>(crossSquared(a, b, c)) / 2);
  }
}

/** A number of the box at `box`: `k` is 0 to 2 for the least corner, 3 to 5 for the greatest. */
function side(box: usize, k: usize): f64 {
  return <f64>load<f32>(box + (k << 2));
}

/** The axis along which boxes reach furthest together. */
function longestAxis(boxes: usize, count: u32): usize {
  let longest: usize = 0;
  let highest: f64 = -1;
  for (let k: usize = 0; k < 3; k++) {
    let low: f64 = Infinity;
    let high: f64 = -Infinity;
    for (let c: u32 = 0, box = boxes; c < count; c++, box += BOX) {
      if (side(box, k) < low) low = side(box, k);
      if (side(box, k + 3) > high) high = side(box, k + 3);
    }
    if (high - low <= highest) continue;
    highest = high - low;
    longest = k;
  }
  return longest;
}

/** Whether a box reaches as far as another one along x, and covers it along y and z. */
function covers(box: usize, other: usize, x: usize, y: usize, z: usize): bool {
  if (side(box, x + 3) < side(other, x + 3)) return false;
  if (side(box, y) > side(other, y) || side(box, y + 3) < side(other, y + 3)) return false;
  return side(box, z) <= side(other, z) && side(box, z + 3) >= side(other, z + 3);
}

/**
 * Numbers the plants of cards, in the order of their first cards, and gives how many there are: cards whose boxes touch, or
 * nearly do, belong to one. They are found in one sweep along the longest side of all. `keys`: room for 8 bytes a card;
 * `parent`, `open`: a word each.
 */
export function numberPlants(boxes: usize, count: u32, keys: usize, parent: usize, open: usize, plantOf: usize): u32 {
  if (count === 0) return 0;
  // Neighbours may be as far apart as a quarter of the middle one of all diagonals, whose bits sort as they do.
  for (let c: u32 = 0, box = boxes; c < count; c++, box += BOX) {
    const diagonal = hypot3(side(box, 3) - side(box, 0), side(box, 4) - side(box, 1), side(box, 5) - side(box, 2));
    store<f64>(keys + ((<usize>c) << 3), diagonal);
  }
  sortNumbers(keys, count);
  const gap = load<f64>(keys + ((<usize>(count >>> 1)) << 3)) / 4;
  const x = longestAxis(boxes, count);
  const y = (x + 1) % 3;
  const z = (x + 2) % 3;
  for (let c: u32 = 0; c < count; c++) {
    const from = load<f32>(boxes + <usize>c * BOX + (x << 2));
    store<u64>(keys + ((<usize>c) << 3), ((<u64>sortableBits(from)) << 32) | <u64>c);
  }
  sortNumbers(keys, count);

  separate(parent, count);
  let openCount: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const c = load<u32>(keys + ((<usize>i) << 3));
    const box = boxes + <usize>c * BOX;
    let left: u32 = 0;
    // What touches a card inside another one's box touches that as well: the inner one need not stay open.
    let isInner = false;
    for (let j: u32 = 0; j < openCount; j++) {
      const other = word(open, j);
      const to = boxes + <usize>other * BOX;
      if (side(to, x + 3) + gap < side(box, x)) continue;
      setWord(open, left++, other);
      if (side(to, y) > side(box, y + 3) + gap || side(box, y) > side(to, y + 3) + gap) continue;
      if (side(to, z) > side(box, z + 3) + gap || side(box, z) > side(to, z + 3) + gap) continue;
      const r = rootOf(parent, c);
      const s = rootOf(parent, other);
      if (r < s) setWord(parent, s, r);
      else setWord(parent, r, s);
      if (covers(to, box, x, y, z)) isInner = true;
      else if (covers(box, to, x, y, z)) left--;
    }
    openCount = left;
    if (!isInner) setWord(open, openCount++, c);
  }
  let plants: u32 = 0;
  // The root of a plant is its first card.
  for (let c: u32 = 0; c < count; c++) {
    const root = rootOf(parent, c);
    setWord(plantOf, c, root === c ? plants++ : word(plantOf, root));
  }
  return plants;
}

/** Writes the box of each plant. */
export function boundPlants(boxes: usize, count: u32, plantOf: usize, plantCount: u32, plantBoxes: usize): void {
  for (let p: u32 = 0, to = plantBoxes; p < plantCount; p++, to += PLANT_BOX) {
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(to + k, Infinity);
      store<f64>(to + k, -Infinity, 24);
    }
  }
  for (let c: u32 = 0, box = boxes; c < count; c++, box += BOX) {
    const to = plantBoxes + <usize>word(plantOf, c) * PLANT_BOX;
    for (let k: usize = 0; k < 3; k++) {
      const at = to + (k << 3);
      if (side(box, k) < load<f64>(at)) store<f64>(at, side(box, k));
      if (side(box, k + 3) > load<f64>(at, 24)) store<f64>(at, side(box, k + 3), 24);
    }
  }
}

/** The middle of a card's box. */
function centreOf(box: usize, k: usize): f64 {
  return (side(box, k) + side(box, k + 3)) / 2;
}

/** One of the three coordinates of a card's centre in the box of its plant, for a Morton curve: ten bits. */
function stepOf(box: usize, plantBox: usize, k: usize): u32 {
  const low = load<f64>(plantBox + (k << 3));
  const high = load<f64>(plantBox + (k << 3), 24);
  const scale = high > low ? 1023 / (high - low) : 0;
  return <u32>(<i32>((<f64>(<f32>centreOf(box, k)) - low) * scale) & 1023);
}

/** Of the plant whose coverage is counted: its least corner, and the edge of a square. */
let lowX: f64 = 0;
let lowY: f64 = 0;
let lowZ: f64 = 0;
let edge: f64 = 1;

/** Begins to count what cards cover of a plant, seen along the three axes. */
function beginSquares(squares: usize, plantBox: usize): void {
  lowX = load<f64>(plantBox);
  lowY = load<f64>(plantBox, 8);
  lowZ = load<f64>(plantBox, 16);
  let longest: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    longest = max<f64>(longest, load<f64>(plantBox + k, 24) - load<f64>(plantBox + k));
  }
  edge = longest / SQUARES;
  if (!(edge > 0)) edge = 1;
  memory.fill(squares, 0, SQUARES_BYTES);
}

/** The length that two intervals, each given by its beginning and length, have in common. */
function overlap(a: f64, aLength: f64, b: f64, bLength: f64): f64 {
  return max<f64>(0, min<f64>(a + aLength, b + bLength) - max<f64>(a, b));
}

/** Adds a rectangle to the squares seen along one axis. `area`: half of that of the scaled card. */
function addRectangle(squares: usize, area: f64, fromA: f64, sizeA: f64, fromB: f64, sizeB: f64): void {
  const rectangle = sizeA * sizeB;
  if (!(rectangle > 0)) return;
  const density = min<f64>(1, area / rectangle) / (edge * edge);
  const left = max<f64>(0, floor<f64>(fromA / edge));
  const right = min<f64>(SQUARES - 1, floor<f64>((fromA + sizeA) / edge));
  const bottom = max<f64>(0, floor<f64>(fromB / edge));
  const top = min<f64>(SQUARES - 1, floor<f64>((fromB + sizeB) / edge));
  for (let i = left; i <= right; i += 1) {
    const wide = overlap(fromA, sizeA, i * edge, edge) * density;
    let at = squares + ((<usize>(<u32>i * SQUARES + <u32>bottom)) << 3);
    for (let j = bottom; j <= top; j += 1, at += 8) {
      const covered = load<f64>(at);
      store<f64>(at, covered + (1 - covered) * wide * overlap(fromB, sizeB, j * edge, edge));
    }
  }
}

/**
 * Adds a card, scaled around its centre: in each square that its box overlaps, the share that the card's area has of the
 * largest side of its box is taken for covered by chance.
 */
function addCard(squares: usize, box: usize, scale: f64, cardArea: f64): void {
  const sizeX = (side(box, 3) - side(box, 0)) * scale;
  const sizeY = (side(box, 4) - side(box, 1)) * scale;
  const sizeZ = (side(box, 5) - side(box, 2)) * scale;
  const fromX = (side(box, 0) + side(box, 3) - sizeX) / 2 - lowX;
  const fromY = (side(box, 1) + side(box, 4) - sizeY) / 2 - lowY;
  const fromZ = (side(box, 2) + side(box, 5) - sizeZ) / 2 - lowZ;
  // A card of any slant shows a part of its area; half of it is the mean over all directions.
  const area = (cardArea * scale * scale) / 2;
  const bytes = (<usize>(SQUARES * SQUARES)) << 3;
  addRectangle(squares, area, fromY, sizeY, fromZ, sizeZ);
  addRectangle(squares + bytes, area, fromZ, sizeZ, fromX, sizeX);
  addRectangle(squares + bytes * 2, area, fromX, sizeX, fromY, sizeY);
}

/** Squares that are covered, along all axes. */
function sumSquares(squares: usize): f64 {
  let sum: f64 = 0;
  for (let at = squares; at < squares + SQUARES_BYTES; at += 8) sum += load<f64>(at);
  return sum;
}

/** Bytes of room for squares. */
export function squaresBytes(): usize {
  return SQUARES_BYTES;
}

/**
 * Keeps in `rows` the free cards of each plant, without those that are locked, along a Morton curve through their centres,
 * and moves `starts` accordingly; writes what each plant's free cards cover, in squares. `keys`: room for 8 bytes a card.
 */
export function coverPlants(
  boxes: usize,
  areas: usize,
  locked: usize,
  plantBoxes: usize,
  plantCount: u32,
  starts: usize,
  rows: usize,
  keys: usize,
  squares: usize,
  covered: usize,
): void {
  let end: u32 = 0;
  let from = word(starts, 0);
  for (let plant: u32 = 0; plant < plantCount; plant++, covered += 8, plantBoxes += PLANT_BOX) {
    const to = word(starts, plant + 1);
    setWord(starts, plant, end);
    store<f64>(covered, 0);
    let count: u32 = 0;
    for (; from < to; from++) {
      const card = word(rows, from);
      if (load<u8>(locked + <usize>card) !== 0) continue;
      const box = boxes + <usize>card * BOX;
      const key =
        spread(stepOf(box, plantBoxes, 0)) |
        (spread(stepOf(box, plantBoxes, 1)) << 1) |
        (spread(stepOf(box, plantBoxes, 2)) << 2);
      store<u64>(keys + ((<usize>count) << 3), ((<u64>key) << 32) | <u64>card);
      count++;
    }
    if (count === 0) continue;
    sortNumbers(keys, count);
    beginSquares(squares, plantBoxes);
    for (let i: u32 = 0; i < count; i++) {
      const card = load<u32>(keys + ((<usize>i) << 3));
      setWord(rows, end++, card);
      addCard(squares, boxes + <usize>card * BOX, 1, load<f64>(areas + ((<usize>card) << 3)));
    }
    store<f64>(covered, sumSquares(squares));
  }
  setWord(starts, plantCount, end);
}

/** Plants whose cards are thinned. */
@unmanaged
export class Thinning {
  /** The share of the cards that is to stay; more do where a plant would cover less than `coverage` of what it did. */
  ratio: f64;
  coverage: f64;
  /** How many times its size a card may have. */
  maxGrowth: f64;
  boxes: usize;
  areas: usize;
  plantBoxes: usize;
  plantCount: u32;
  /** Of coverPlants(). */
  starts: usize;
  rows: usize;
  covered: usize;
  squares: usize;
  /** Written for cards that stay: a byte, the scale, and how far it moves, 3 float64. */
  stays: usize;
  scales: usize;
  shifts: usize;
}

/** Where along the curve the card with a rank among those that stay is. */
function chosen(rows: usize, rank: f64, number: f64, count: u32): u32 {
  return word(rows, <u32>floor<f64>(((rank + 0.5) * <f64>count) / number));
}

/** Decides which cards of each plant stay, by how much they grow and how far they move. */
export function thinPlants(t: Thinning): void {
  const areas = t.areas;
  for (let plant: u32 = 0, plantBox = t.plantBoxes; plant < t.plantCount; plant++, plantBox += PLANT_BOX) {
    const first = word(t.starts, plant);
    const count = word(t.starts, plant + 1) - first;
    if (count === 0) continue;
    const rows = t.rows + ((<usize>first) << 2);
    let total: f64 = 0;
    for (let r: u32 = 0; r < count; r++) total += load<f64>(areas + ((<usize>word(rows, r)) << 3));

    // As many as asked for, or more until they cover enough.
    const wanted = t.coverage * load<f64>(t.covered + ((<usize>plant) << 3));
    let number = max<f64>(1, roundNumber(<f64>count * t.ratio));
    let scale: f64 = 1;
    for (;;) {
      let left: f64 = 0;
      for (let rank: f64 = 0; rank < number; rank += 1) {
        left += load<f64>(areas + ((<usize>chosen(rows, rank, number, count)) << 3));
      }
      scale = min<f64>(t.maxGrowth, left > 0 ? sqrt<f64>(total / left) : 1);
      if (number === <f64>count) break;
      beginSquares(t.squares, plantBox);
      for (let rank: f64 = 0; rank < number; rank += 1) {
        const card = <usize>chosen(rows, rank, number, count);
        addCard(t.squares, t.boxes + card * BOX, scale, load<f64>(areas + (card << 3)));
      }
      const covers = sumSquares(t.squares);
      if (covers >= wanted) break;
      // The more cards there are, the less each one adds.
      const factor = max<f64>(1.15, covers > 0 ? wanted / covers : 2);
      number = min<f64>(<f64>count, ceil<f64>(number * factor) + 1);
    }
    for (let rank: f64 = 0; rank < number; rank += 1) {
      const card = <usize>chosen(rows, rank, number, count);
      store<u8>(t.stays + card, 1);
      store<f64>(t.scales + (card << 3), scale);
      for (let k: usize = 0; k < 3; k++) {
        store<f64>(t.shifts + card * 24 + (k << 3), shiftInside(t.boxes + card * BOX, k, scale, plantBox + (k << 3)));
      }
    }
  }
}

/**
 * How far a scaled card has to move along an axis to lie in the box of its plant, if that has room for it: as far as it
 * reaches out on one side alone. `plant`: the plant's least number on the axis.
 */
function shiftInside(box: usize, k: usize, scale: f64, plant: usize): f64 {
  const centre = centreOf(box, k);
  const half = ((side(box, k + 3) - side(box, k)) / 2) * scale;
  const under = max<f64>(0, load<f64>(plant) - (centre - half));
  const over = max<f64>(0, centre + half - load<f64>(plant, 24));
  return under > 0 && over > 0 ? 0 : under - over;
}

/**
 * Writes the corners of the cards that stay, gives how many there are, and scales and moves the cards in place. Vertices at
 * one position belong to one card. `locked`: a byte a card, 1 for those that stay as they are. `moved`: zeros, a byte a vertex.
 */
export function growCards(
  t: Thinning,
  positions: usize,
  indices: usize,
  triangleCount: u32,
  cardOf: usize,
  locked: usize,
  moved: usize,
  kept: usize,
): u32 {
  let end: u32 = 0;
  for (let i: u32 = 0, at = indices; i < triangleCount; i++, at += 12) {
    const card = <usize>word(cardOf, i);
    if (load<u8>(t.stays + card) === 0) continue;
    const box = t.boxes + card * BOX;
    const scale = load<f64>(t.scales + (card << 3));
    for (let corner: usize = 0; corner < 12; corner += 4) {
      const v = load<u32>(at + corner);
      setWord(kept, end++, v);
      if (load<u8>(moved + <usize>v) === 1 || load<u8>(locked + card) === 1) continue;
      store<u8>(moved + <usize>v, 1);
      for (let k: usize = 0; k < 3; k++) {
        const p = positions + <usize>v * 12 + (k << 2);
        const centre = centreOf(box, k);
        const shift = load<f64>(t.shifts + card * 24 + (k << 3));
        store<f32>(p, <f32>(centre + (<f64>load<f32>(p) - centre) * scale + shift));
      }
    }
  }
  return end;
}
