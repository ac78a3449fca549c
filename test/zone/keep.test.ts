// What of a part is kept around what was seen.

import { expect, test } from 'vitest';
import { keptTriangles } from '../../src/zone/keep.ts';

/** A strip of squares along X, each of two triangles, at a depth: square i has the triangles 2 i and 2 i + 1. */
function strip(squares: number, width: number): { positions: Float32Array; corners: Uint32Array } {
  const positions = new Float32Array((squares + 1) * 6);
  for (let i = 0; i <= squares; i++) positions.set([i * width, 0, 0, i * width, width, 0], i * 6);
  const corners = Uint32Array.from({ length: squares * 6 }, (_, i) => {
    const first = Math.floor(i / 6) * 2;
    return first + [0, 2, 3, 0, 3, 1][i % 6];
  });
  return { positions, corners };
}

function kept(squares: number, width: number, seen: readonly number[], metres: number): number[] {
  const pixels = new Uint32Array(squares * 2);
  for (const triangle of seen) pixels[triangle] = 1;
  // A pixel covers a centimetre at 1 m.
  const flags = keptTriangles({ ...strip(squares, width), pixels, distance: () => metres, pixel: 0.01 });
  return [...flags.keys()].filter((t) => flags[t] === 1);
}

test('nothing is kept where nothing is seen', () => {
  expect(kept(10, 1, [], 1)).toEqual([]);
});

test('one ring of neighbours is kept: what shares a corner with what is seen', () => {
  // Triangle 10 has the corners 10, 12 and 13, triangle 8 has 8, 10 and 11. Triangle 9 has 8, 11 and 9: it touches none of them.
  expect(kept(20, 1, [10], 1)).toEqual([8, 10, 11, 12, 13]);
});

test('neighbours of neighbours are kept where they are no larger than a pixel, six rings of them', () => {
  // The longest edge of a triangle is 1.42 cm: below a pixel from 1.42 m on.
  expect(kept(40, 0.01, [40], 1.4)).toEqual([38, 40, 41, 42, 43]);
  expect(kept(40, 0.01, [40], 1.5)).toEqual([28, ...Array.from({ length: 24 }, (_, i) => 30 + i)]);
});

test('a large triangle in a crowd of small ones ends it', () => {
  const { positions, corners } = strip(40, 0.01);
  // From square 23 on, all is a hundred times as wide.
  for (let i = 46; i < positions.length / 3; i++) positions[i * 3] += (positions[i * 3] - 0.23) * 99;
  const pixels = new Uint32Array(80);
  pixels[40] = 1;
  const flags = keptTriangles({ positions, corners, pixels, distance: () => 2, pixel: 0.01 });
  expect([...flags.keys()].filter((t) => flags[t] === 1)).toEqual([
    28,
    ...Array.from({ length: 16 }, (_, i) => 30 + i),
  ]);
});

test('the distance is asked for where a triangle is', () => {
  const pixels = new Uint32Array(80);
  pixels[40] = 1;
  // Beyond x = 0.21 all is near: there, a crowd of small triangles is large.
  const distance = (x: number) => (x > 0.205 ? 0.1 : 9);
  const flags = keptTriangles({ ...strip(40, 0.01), pixels, distance, pixel: 0.01 });
  const found = [...flags.keys()].filter((t) => flags[t] === 1);
  expect(Math.max(...found)).toBe(43);
  expect(Math.min(...found)).toBe(28);
});
