import { MeshoptEncoder } from 'meshoptimizer';
import { expect, test } from 'vitest';
import { packLz4 } from '../../src/formats/untold/container/lz4.ts';
import {
  dropDegenerate,
  hasArea,
  orderForCache,
  orderForFetch,
  orderForPairs,
  orderPairs,
} from '../../src/geometry/mesh/optimise.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { random } from './meshes.ts';

const canonical = (indices: Uint32Array) =>
  Array.from({ length: indices.length / 3 }, (_, t) => {
    const [a, b, c] = indices.subarray(t * 3, t * 3 + 3);
    // The same triangle from its smallest corner on, winding kept.
    return a < b && a < c ? `${a},${b},${c}` : b < c ? `${b},${c},${a}` : `${c},${a},${b}`;
  }).sort();

/** Vertices that a FIFO cache of 16 has to transform, a triangle. */
function cacheMisses(indices: Uint32Array): number {
  const cache: number[] = [];
  let misses = 0;
  for (const v of indices) {
    if (cache.includes(v)) continue;
    misses++;
    cache.push(v);
    if (cache.length > 16) cache.shift();
  }
  return misses / (indices.length / 3);
}

function grid(n: number): Uint32Array {
  const out: number[] = [];
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const a = y * (n + 1) + x;
      out.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
    }
  }
  return Uint32Array.from(out);
}

test('triangles without area: repeated corners, equal positions, points on a line', () => {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0.1, 0.1, 0.1, 0.3, 0.3, 0.3, 0.7, 0.7, 0.7);
  const has = (a: number, b: number, c: number) => hasArea(positions, a * 3, b * 3, c * 3);
  expect(has(0, 1, 2)).toBe(true);
  expect(has(0, 1, 1)).toBe(false);
  expect(has(1, 2, 3)).toBe(false);
  expect(has(4, 5, 6)).toBe(false);
  const indices = Uint32Array.of(0, 1, 1, 0, 1, 2, 4, 5, 6, 2, 0, 3);
  expect(dropDegenerate(indices, positions)).toBe(6);
  expect([...indices.subarray(0, 6)]).toEqual([0, 1, 2, 2, 0, 3]);
});

test('a needle of float32 is kept: an edge of 1 with its tip one step beside it', () => {
  const positions = Float32Array.of(1, 0, 0, 2, 0, 0, 1.5, 2 ** -23, 0);
  expect(hasArea(positions, 0, 3, 6)).toBe(true);
  const tiny = positions.map((x) => x * 1e-30);
  expect(hasArea(tiny, 0, 3, 6)).toBe(true);
});

test('ordering keeps every triangle and its winding, and serves the cache', () => {
  for (const n of [1, 12, 150]) {
    const original = grid(n);
    const indices = original.slice();
    orderForCache(indices, (n + 1) ** 2);
    expect(canonical(indices)).toEqual(canonical(original));
    if (n > 100) expect(cacheMisses(indices)).toBeLessThan(0.8);
    const again = original.slice();
    orderForCache(again, (n + 1) ** 2);
    expect(again.join()).toBe(indices.join());
  }
});

test('the order for the cache is meshoptimizer’s, for triangles of any corners too', async () => {
  await MeshoptEncoder.ready;
  const next = random(3);
  const scattered = Array.from({ length: 60 }, () => {
    const vertexCount = 3 + Math.floor(next() * 200);
    return Uint32Array.from({ length: 3 * (1 + Math.floor(next() * 400)) }, () => Math.floor(next() * vertexCount));
  });
  for (const original of [grid(1), grid(40), ...scattered]) {
    // Numbers in the order of their first use, which both of them start from.
    const numbers = new Map<number, number>();
    for (const v of original) if (!numbers.has(v)) numbers.set(v, numbers.size);
    const indices = original.map((v) => numbers.get(v) as number);
    const theirs = indices.slice();
    const [remap] = MeshoptEncoder.reorderMesh(theirs, true, false);
    const before = new Map(Array.from(remap, (now, old) => [now, old]));
    orderForCache(indices, numbers.size);
    expect(indices.join()).toBe(theirs.map((v) => before.get(v) as number).join());
  }
});

test('a mesh of 45,000 triangles in random order is ordered as a whole', () => {
  const next = random(2);
  const original = grid(150);
  const order = Array.from({ length: original.length / 3 }, (_, t) => t);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const indices = Uint32Array.from(order.flatMap((t) => [...original.subarray(t * 3, t * 3 + 3)]));
  orderForCache(indices, 151 * 151);
  expect(canonical(indices)).toEqual(canonical(original));
  expect(cacheMisses(indices)).toBeLessThan(0.8);
});

test('a fan of 200,000 triangles around one vertex is left in its order', () => {
  const fan = new Uint32Array(600_000);
  for (let t = 0; t < 200_000; t++) fan.set([0, t + 1, t + 2], t * 3);
  const indices = fan.slice();
  orderForCache(indices, 200_002);
  expect(Buffer.compare(Buffer.from(indices.buffer), Buffer.from(fan.buffer))).toBe(0);
});

test('vertices are fetched in the order of first use, unused ones go', () => {
  const indices = Uint32Array.of(5, 2, 9, 2, 5, 0);
  expect([...orderForFetch(indices, 12)]).toEqual([5, 2, 9, 0]);
  expect([...indices]).toEqual([0, 1, 2, 1, 0, 3]);
});

const inPairs = (indices: Uint32Array) =>
  kernel.within((memory) => {
    const put = { indices: memory.put(indices), count: indices.length };
    orderForPairs(memory, put);
    return memory.uint32(put.indices, put.count).slice();
  });

test('a triangle is turned so that a pair of indices comes again, by hand', () => {
  // The second ends with 1 and the third begins with 2: that pair stands in the first one.
  expect([...inPairs(Uint32Array.of(0, 1, 2, 1, 0, 3, 2, 1, 4))]).toEqual([0, 1, 2, 0, 3, 1, 2, 1, 4]);
  expect([...inPairs(Uint32Array.of(7, 8, 9))]).toEqual([7, 8, 9]);
  expect([...inPairs(new Uint32Array(0))]).toEqual([]);
});

test('pairs of indices come again in a mesh that is ordered for the cache, which misses at most 1 % more', async () => {
  for (const n of [2, 40, 150]) {
    const cached = grid(n);
    orderForCache(cached, (n + 1) ** 2);
    const paired = inPairs(cached);
    expect(canonical(paired)).toEqual(canonical(cached));
    expect(cacheMisses(paired)).toBeLessThanOrEqual(cacheMisses(cached) * 1.01);
    const before = cached.slice();
    orderForFetch(before, (n + 1) ** 2);
    orderForFetch(paired, (n + 1) ** 2);
    const all = cached.slice();
    orderPairs(all, (n + 1) ** 2);
    expect(all.join()).toBe(paired.join());
    const packed = async (indices: Uint32Array) =>
      (await packLz4(new Uint8Array(Uint16Array.from(indices).buffer))).length;
    if (n === 40) expect(await packed(paired)).toBeLessThan((await packed(before)) * 0.9);
  }
});
