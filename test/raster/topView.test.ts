// Scenes from above: which colour each pixel has, whatever the order of the parts.

import { expect, test } from 'vitest';
import { TopView } from '../../src/raster/topView.ts';
import type { Bounds } from '../../src/scene/types.ts';
import { glowing, triangles } from './shapes.ts';

type Rect = readonly [west: number, north: number, east: number, south: number];

/** A flat rectangle at a height, with what bounds it. */
function plate([x0, z0, x1, z1]: Rect, y: number, surface: ReturnType<typeof glowing>) {
  const a = [x0, y, z0];
  const b = [x0, y, z1];
  const c = [x1, y, z1];
  const d = [x1, y, z0];
  const bounds: Bounds = { min: [x0, y, z0], max: [x1, y, z1] };
  return { mesh: triangles([...a, ...b, ...c, ...a, ...c, ...d], surface), bounds };
}

const RED = glowing([1, 0, 0]);
const GREEN = glowing([0, 1, 0]);
const BOUNDS: Bounds = { min: [10, 0, 20], max: [14, 4, 22] };

const R = [255, 0, 0, 255];
const G = [0, 255, 0, 255];
const NOTHING = [0, 0, 0, 0];

function drawn(parts: readonly ReturnType<typeof plate>[], side = 4) {
  const view = new TopView(BOUNDS, side);
  for (const { mesh, bounds } of parts) view.add([mesh], bounds);
  const { rgba, ...size } = view.picture();
  const pixels = Array.from({ length: rgba.length / 4 }, (_, i) => [...rgba.subarray(4 * i, 4 * i + 4)]);
  return { ...size, pixels };
}

test('west is left and north, which is -Z, is up', () => {
  const west = plate([10, 20, 12, 22], 0, RED);
  const northEast = plate([13, 20, 14, 21], 0, GREEN);
  const { width, height, across, down, pixels } = drawn([west, northEast]);
  expect([width, height, across, down]).toEqual([4, 2, 4, 2]);
  expect(pixels).toEqual([R, R, NOTHING, G, R, R, NOTHING, NOTHING]);
});

test('what is higher hides what is lower, in whatever order they come', () => {
  const ground = plate([10, 20, 14, 22], 0, RED);
  const roof = plate([11, 20, 13, 21], 3, GREEN);
  const expected = [R, G, G, R, R, R, R, R];
  expect(drawn([ground, roof]).pixels).toEqual(expected);
  expect(drawn([roof, ground]).pixels).toEqual(expected);
});

test('a pixel is as opaque as a part covers its four samples, and has that part alone as its colour', () => {
  const { pixels } = drawn([plate([10, 20, 10.5, 22], 0, RED)]);
  expect(pixels[0]).toEqual([255, 0, 0, 128]);
});

test('surfaces with little alpha are left out', () => {
  const ground = plate([10, 20, 14, 22], 0, RED);
  const pane = (alpha: number) =>
    plate([10, 20, 14, 22], 1, glowing([0, 1, 0], { alphaMode: 'blend', baseColor: [0, 0, 0, alpha] }));
  expect(drawn([ground, pane(0.4)]).pixels[0]).toEqual(R);
  expect(drawn([ground, pane(0.6)]).pixels[0]).toEqual(G);
});

test('towers stand straight: their walls are not seen', () => {
  const foot = plate([10, 20, 11, 21], 0, RED);
  const top = plate([13, 21, 14, 22], 4, GREEN);
  const { pixels } = drawn([foot, top], 64);
  expect(pixels.filter(([r]) => r === 255)).toHaveLength(16 * 16);
  expect(pixels.filter(([, g]) => g === 255)).toHaveLength(16 * 16);
});

test('a scene without extent is drawn', () => {
  const view = new TopView({ min: [1, 1, 1], max: [1, 1, 1] }, 8);
  expect(view.picture()).toMatchObject({ width: 1, height: 1, rgba: new Uint8Array(4) });
});
