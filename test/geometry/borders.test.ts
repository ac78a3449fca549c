import { expect, test } from 'vitest';
import { neighbourObjects, touches } from '../../src/geometry/lod/borders.ts';
import type { Bounds } from '../../src/scene/types.ts';

/** A cube of 1 m from its least corner. */
const cube = (x: number, y: number, z: number): Bounds => ({ min: [x, y, z], max: [x + 1, y + 1, z + 1] });

/** Boxes on half metres, without their padding. */
const rounded = (boxes: readonly Bounds[]) =>
  boxes.map(({ min, max }) => [...min, ...max].map((x) => Math.round(x * 2) / 2 + 0));

test('boxes touch with a face, an edge or a corner in common', () => {
  expect(touches(cube(0, 0, 0), cube(1, 0, 0))).toBe(true);
  expect(touches(cube(0, 0, 0), cube(1, 1, 1))).toBe(true);
  expect(touches(cube(0, 0, 0), cube(0, 1.001, 0))).toBe(false);
  expect(touches(cube(0, 0, 0), cube(0, 0, -1.001))).toBe(false);
});

test('neighbours are single objects within reach, not all between them', () => {
  const tile = [cube(2, 0, 2), cube(4, 0, 4)];
  // A bucket all around the tile: only what reaches into the tile's own box is near.
  const bucket = [cube(0, 0, 0), cube(9, 0, 9), cube(5, 0, 5), cube(3, 0.5, 3)];
  const [ofTile, ofBucket, ofFar] = neighbourObjects([tile, bucket, [cube(50, 0, 50)]]);
  expect(rounded(ofTile)).toEqual([
    [5, 0, 5, 6, 1, 6],
    [3, 0.5, 3, 4, 1.5, 4],
  ]);
  expect(rounded(ofBucket)).toEqual([
    [2, 0, 2, 3, 1, 3],
    [4, 0, 4, 5, 1, 5],
  ]);
  expect(ofFar).toEqual([]);
});

test('a neighbour of very many objects is one box', () => {
  const many = Array.from({ length: 257 }, (_, i) => cube(i * 2, 0, 0));
  const few = many.slice(0, 256);
  // Between two of the cubes.
  const tile = [{ min: [1.25, 0, 0], max: [1.75, 1, 1] }] as const;
  expect(neighbourObjects([tile, few])[0]).toEqual([]);
  expect(rounded(neighbourObjects([tile, many])[0])).toEqual([[0, 0, 0, 513, 1, 1]]);
});

test('objects have room for the rounding of float32', () => {
  const [[box]] = neighbourObjects([[cube(1, 0, 0)], [cube(0, 0, 0)]]);
  expect(box.max[0]).toBeGreaterThan(1);
  expect(box.max[0]).toBeLessThan(1.00001);
});

test('a payload of nothing has no neighbours', () => {
  expect(neighbourObjects([[], [cube(0, 0, 0)]])).toEqual([[], []]);
});
