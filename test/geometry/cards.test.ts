// Plants of cards and what is left of them, against their definitions in plain code.

import { expect, test } from 'vitest';
import { plantedCards, thinCards } from '../../src/geometry/hlod/cards.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { cross, lots, sub, type Vector } from './bruteForce.ts';

const SQUARES = 24;
const f32 = Math.fround;

interface Card {
  readonly corners: readonly Vector[];
  readonly low: Vector;
  readonly high: Vector;
  readonly area: number;
  readonly isLocked: boolean;
}

interface Plant {
  readonly low: Vector;
  readonly high: Vector;
  /** Of the free cards. */
  readonly cards: readonly number[];
}

const lengthOf = (a: Vector) => Math.hypot(...a);
const min = (all: readonly Vector[]) => [0, 1, 2].map((k) => Math.min(...all.map((p) => p[k])));
const max = (all: readonly Vector[]) => [0, 1, 2].map((k) => Math.max(...all.map((p) => p[k])));

/** Quads around some places; every few are locked. */
function scatter(places: readonly Vector[], count: number, seed: number): Card[] {
  const random = lots(seed);
  const vector = (size: number) => [0, 1, 2].map(() => (random() - 0.5) * size);
  return Array.from({ length: count }, (_, i) => {
    const place = places[Math.floor(random() * places.length)];
    const middle = vector(3).map((x, k) => x + place[k]);
    const [u, v] = [vector(0.8), vector(0.8)];
    const corner = (a: number, b: number) => middle.map((x, k) => f32(x + a * u[k] + b * v[k]));
    const corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    const areas = [
      [1, 2],
      [2, 3],
    ].map(([b, c]) => lengthOf(cross(sub(corners[b], corners[0]), sub(corners[c], corners[0]))) / 2);
    const isLocked = i % 17 === 3;
    return { corners, low: min(corners), high: max(corners), area: areas[0] + areas[1], isLocked };
  });
}

function meshOf(cards: readonly Card[]): { readonly mesh: Float32Mesh; readonly locked: Uint8Array } {
  const positions = Float32Array.from(cards.flatMap(({ corners }) => corners.flat()));
  const vertexCount = cards.length * 4;
  const indices = Uint32Array.from(cards.flatMap((_, c) => [0, 1, 2, 0, 2, 3].map((k) => c * 4 + k)));
  const mesh = { vertexCount, positions, attributes: { normal: new Float32Array(vertexCount * 3).fill(1) }, indices };
  // One locked vertex locks the card.
  const locked = Uint8Array.from({ length: vertexCount }, (_, v) => +(v % 4 === 2 && cards[v >> 2].isLocked));
  return { mesh, locked };
}

/** The Morton key of a card's centre in the box of its plant, bit by bit. */
function keyOf({ low, high }: Card, plant: { readonly low: Vector; readonly high: Vector }): number {
  const steps = [0, 1, 2].map((k) => {
    const centre = f32((low[k] + high[k]) / 2);
    return Math.floor(((centre - plant.low[k]) * 1023) / (plant.high[k] - plant.low[k]) + 1e-9);
  });
  let key = 0;
  for (let bit = 9; bit >= 0; bit--) for (const k of [2, 1, 0]) key = key * 2 + ((steps[k] >> bit) & 1);
  return key;
}

/** Cards whose boxes are no further apart than a quarter of the middle diagonal belong together. */
function plantsOf(cards: readonly Card[]): Plant[] {
  const diagonals = cards.map(({ low, high }) => lengthOf(sub(high, low))).sort((a, b) => a - b);
  const gap = diagonals[cards.length >> 1] / 4;
  const touches = (a: Card, b: Card) =>
    [0, 1, 2].every((k) => a.low[k] <= b.high[k] + gap && b.low[k] <= a.high[k] + gap);
  const seen = new Set<number>();
  const plants: Plant[] = [];
  for (const first of cards.keys()) {
    if (seen.has(first)) continue;
    seen.add(first);
    const own = [first];
    for (const c of own) {
      for (const d of cards.keys()) {
        if (seen.has(d) || !touches(cards[c], cards[d])) continue;
        seen.add(d);
        own.push(d);
      }
    }
    const box = { low: min(own.map((c) => cards[c].low)), high: max(own.map((c) => cards[c].high)) };
    const key = new Map(own.map((c) => [c, keyOf(cards[c], box)]));
    const free = own.filter((c) => !cards[c].isLocked);
    plants.push({ ...box, cards: free.sort((a, b) => key.get(a)! - key.get(b)! || a - b) });
  }
  return plants;
}

/** The squares that some cards of a plant cover, seen along the three axes, as chance has it. */
function coverage(plant: Plant, cards: readonly Card[], scale: number): number {
  const edge = Math.max(...sub(plant.high, plant.low)) / SQUARES;
  let sum = 0;
  for (const [a, b] of [
    [1, 2],
    [2, 0],
    [0, 1],
  ]) {
    for (let i = 0; i < SQUARES; i++) {
      for (let j = 0; j < SQUARES; j++) {
        let open = 1;
        for (const { low, high, area } of cards) {
          const size = sub(high, low).map((x) => x * scale);
          const overlap = (k: number, n: number) => {
            const from = (low[k] + high[k] - size[k]) / 2 - plant.low[k];
            return Math.max(0, Math.min(from + size[k], (n + 1) * edge) - Math.max(from, n * edge)) / edge;
          };
          const density = Math.min(1, (area * scale * scale) / 2 / (size[a] * size[b]));
          open *= 1 - density * overlap(a, i) * overlap(b, j);
        }
        sum += 1 - open;
      }
    }
  }
  return sum;
}

/** The corners of all cards that stay, as they lie then. */
function thinned(cards: readonly Card[], plants: readonly Plant[], ratio: number, maxGrowth: number): Vector[][] {
  const left = cards.filter(({ isLocked }) => isLocked).map(({ corners }) => [...corners]);
  for (const plant of plants) {
    const own = plant.cards.map((c) => cards[c]);
    if (own.length === 0) continue;
    const total = own.reduce((sum, { area }) => sum + area, 0);
    const wanted = 0.85 * coverage(plant, own, 1);
    let number = Math.max(1, Math.round(own.length * ratio));
    for (;;) {
      const chosen = Array.from({ length: number }, (_, rank) => own[Math.floor(((rank + 0.5) * own.length) / number)]);
      const scale = Math.min(maxGrowth, Math.sqrt(total / chosen.reduce((sum, { area }) => sum + area, 0)));
      const covers = number === own.length ? Infinity : coverage(plant, chosen, scale);
      if (covers < wanted) {
        number = Math.min(own.length, Math.ceil(number * Math.max(1.15, wanted / covers)) + 1);
        continue;
      }
      for (const { corners, low, high } of chosen) {
        const shift = [0, 1, 2].map((k) => {
          const [centre, half] = [(low[k] + high[k]) / 2, ((high[k] - low[k]) / 2) * scale];
          const under = Math.max(0, plant.low[k] - (centre - half));
          const over = Math.max(0, centre + half - plant.high[k]);
          return under > 0 && over > 0 ? 0 : under - over;
        });
        const middle = low.map((x, k) => (x + high[k]) / 2);
        left.push(corners.map((p) => p.map((x, k) => f32(middle[k] + (x - middle[k]) * scale + shift[k]))));
      }
      break;
    }
  }
  return left;
}

// One plant of many cards, whose keys are sorted as a heap; several; and some alone.
const PLACES = [[0, 2, 0], ...[8, 16, 24].map((x) => [x, 1, x / 3]), [0, -40, 9], [-6, 3, -70]];

test.each([
  [1, 130, PLACES.slice(0, 1)],
  [2, 120, PLACES],
  [3, 12, PLACES.map((place) => place.map((x) => -x * 3))],
])('are those that the definition says (seed %d, %d cards)', async (seed, count, places) => {
  const cards = scatter(places, count, seed * 104_729);
  const { mesh, locked } = meshOf(cards);
  const plants = plantsOf(cards);
  const planted = plantedCards(mesh, locked);
  const { starts, rows } = planted.plants;
  expect(plants.map((_, p) => [...rows.subarray(starts[p], starts[p + 1])])).toEqual(plants.map((p) => p.cards));
  expect(starts.length).toBe(plants.length + 1);
  expect([...planted.boxes]).toEqual(plants.flatMap(({ low, high }) => [...low, ...high]));
  for (const [c, { area }] of cards.entries()) expect(planted.areas[c]).toBeCloseTo(area, 12);
  for (const [p, plant] of plants.entries()) {
    const free = plant.cards.map((c) => cards[c]);
    expect(planted.covered[p]).toBeCloseTo(free.length > 0 ? coverage(plant, free, 1) : 0, 8);
  }

  for (const [ratio, maxGrowth] of [
    [0.5, 1.49],
    [0.05, 1.2],
    [1, 1.49],
  ]) {
    const wanted = thinned(cards, plants, ratio, maxGrowth);
    const { mesh: left, vertices } = await thinCards(planted, { ratio, maxGrowth });
    // Each vertex by its card and corner, which it had before.
    const found = [...vertices].map((v, i) => ({ v, p: [...left.positions.subarray(i * 3, i * 3 + 3)] }));
    expect(left.indices.length).toBe(wanted.length * 6);
    expect(found.length).toBe(wanted.length * 4);
    const key = (p: Vector) => p.map((x) => x.toFixed(4)).join();
    expect(found.map(({ p }) => key(p)).sort()).toEqual(wanted.flat().map(key).sort());
    for (const { v, p } of found) if (cards[v >> 2].isLocked) expect(p).toEqual(cards[v >> 2].corners[v & 3]);
  }
});
