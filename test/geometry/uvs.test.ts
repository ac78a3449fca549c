import { expect, test } from 'vitest';
import { chosenUvs, cornerUvs, shiftIslands } from '../../src/geometry/uv/uvs.ts';
import { attribute, polygons, random, square } from './meshes.ts';

test('a choice names a set and moves it by its affine', () => {
  const mesh = square();
  expect(chosenUvs(mesh, { set: 'st', transform: null }).attribute).toBe(mesh.uvs.get('st'));
  expect(chosenUvs(mesh, { set: 'st1', transform: null }).attribute).toBeNull();
  expect(chosenUvs(mesh, { set: null, transform: null }).attribute).toBeNull();
  // u' = 2u + 3v + 10, v' = 5u + 7v + 20.
  const moved = chosenUvs(mesh, { set: 'st', transform: [2, 5, 3, 7, 10, 20] }).attribute!;
  expect([...moved.data]).toEqual([10, 20, 12, 25, 15, 32, 13, 27]);
});

test('UVs that are not finite become zeros and are counted', () => {
  const st = attribute(
    [
      [Number.NaN, 1],
      [1, Infinity],
      [3, 4],
    ],
    'vertex',
  );
  const { attribute: uvs, invalid } = chosenUvs(polygons([], [], { uvs: new Map([['st', st]]) }), {
    set: 'st',
    transform: null,
  });
  expect([...uvs!.data]).toEqual([0, 0, 0, 0, 3, 4]);
  expect(invalid).toBe(2);
});

test('corner UVs follow the triangles, whatever the interpolation', () => {
  const mesh = square({
    uvs: new Map([
      [
        'vertex',
        attribute(
          [
            [0, 1],
            [2, 3],
            [4, 5],
            [6, 7],
          ],
          'vertex',
        ),
      ],
      [
        'corner',
        attribute(
          [
            [0, 1],
            [2, 3],
          ],
          'faceVarying',
          [0, 1, 0, 1],
        ),
      ],
      ['face', attribute([[8, 9]], 'uniform')],
      ['all', attribute([[5, 5]], 'constant')],
    ]),
  });
  const sets = cornerUvs(mesh, -1, ['vertex', 'corner', 'face', 'all', 'none']);
  expect([...sets.get('vertex')!]).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 4, 5, 6, 7]);
  expect([...sets.get('corner')!]).toEqual([0, 1, 2, 3, 0, 1, 0, 1, 0, 1, 2, 3]);
  expect([...sets.get('face')!]).toEqual([8, 9, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9]);
  expect([...sets.get('all')!]).toEqual(new Array(12).fill(5));
  expect([...sets.get('none')!]).toEqual(new Array(12).fill(0));
});

/** Two separate triangles, one around (u, v), one within [0, 1]. */
function shifted(u: number, v: number, size = 0.5): number[] {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0);
  const uv0 = Float32Array.of(u, v, u + size, v, u, v + size, 0.25, 0.25, 0.75, 0.25, 0.25, 0.75);
  const out = shiftIslands(positions, uv0, Uint32Array.of(0, 1, 2, 3, 4, 5));
  expect([...out.subarray(6)]).toEqual([0.25, 0.25, 0.75, 0.25, 0.25, 0.75]);
  return [out[0], out[1]];
}

test('islands move by whole numbers to where they are nearest to 0', () => {
  expect(shifted(64.25, -3.25)).toEqual([0.25, -0.25]);
  expect(shifted(1, 0)).toEqual([0, 0]);
  expect(shifted(0.5, 2)).toEqual([0.5, 0]);
  // [0, 2] reaches less far as [-1, 1]; [-0.25, 1] and [0, 1] stay.
  expect(shifted(0, -0.25, 2)).toEqual([-1, -1.25]);
  expect(shifted(-0.5, 0, 1)).toEqual([-0.5, 0]);
});

test('UVs within one repeat are not touched', () => {
  const uv0 = Float32Array.of(0.5, 1, -1, 0, 0.75, 0.9);
  expect(shiftIslands(new Float32Array(9), uv0, Uint32Array.of(0, 1, 2))).toBe(uv0);
});

test('coordinates to which 1 cannot be added any more end the search too', () => {
  const uv0 = Float32Array.of(1e30, 0, 1e30, 1, 3e38, -3e38);
  const out = shiftIslands(new Float32Array(9), uv0, Uint32Array.of(0, 1, 2));
  expect(out).toHaveLength(6);
  expect(out.every(Number.isFinite)).toBe(true);
});

test('triangles hang together where position and UV agree, even with vertices of their own', () => {
  // A strip of two squares from u = 2 to u = 4, as loose triangles: one island, so one move.
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, /**/ 1, 0, 0, 2, 0, 0, 1, 1, 0);
  const uv0 = Float32Array.of(2, 0, 3, 0, 3, 1, /**/ 3, 0, 4, 0, 3, 1);
  const indices = Uint32Array.of(0, 1, 2, 3, 4, 5);
  expect([...shiftIslands(positions, uv0, indices)]).toEqual([-1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
  // With a seam in position they are two.
  positions[9] = positions[15] = 1.5;
  expect([...shiftIslands(positions, uv0, indices)]).toEqual([0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1]);
});

test('an island moves after another one with equal vertices too', () => {
  // Two triangles from u = 0 to 1 that share two vertices, stored apart, and one at u = 10 elsewhere.
  const positions = Float32Array.of(
    ...[0, 0, 0, 1, 0, 0, 1, 1, 0],
    ...[0, 0, 0, 1, 1, 0, 0, 1, 0],
    ...[8, 0, 0, 9, 0, 0, 9, 1, 0],
  );
  const uv0 = Float32Array.of(...[0, 0, 1, 0, 1, 1], ...[0, 0, 1, 1, 0, 1], ...[10, 0, 11, 0, 11, 1]);
  const out = shiftIslands(positions, uv0, Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8));
  expect([...out]).toEqual([...[0, 0, 1, 0, 1, 1], ...[0, 0, 1, 1, 0, 1], ...[0, 0, 1, 0, 1, 1]]);
});

test('moves are exact whole numbers, equal over an island, and never take UVs further away', () => {
  const next = random(11);
  for (let round = 0; round < 300; round++) {
    const scale = 10 ** Math.floor(next() * 4);
    const uv0 = Float32Array.from({ length: 12 }, () => (next() - 0.3) * scale);
    const positions = Float32Array.from({ length: 18 }, () => next());
    const out = shiftIslands(positions, uv0, Uint32Array.of(0, 1, 2, 3, 4, 5));
    for (const island of [0, 6]) {
      for (const axis of [0, 1]) {
        const before = [0, 2, 4].map((k) => uv0[island + axis + k]);
        const after = [0, 2, 4].map((k) => out[island + axis + k]);
        const moves = new Set(after.map((x, i) => x - before[i]));
        expect(moves.size).toBe(1);
        expect(Number.isInteger([...moves][0])).toBe(true);
        const reach = (list: readonly number[]) => Math.max(1, ...list.map(Math.abs));
        expect(reach(after)).toBeLessThanOrEqual(reach(before));
        // What is left spans no more than a repeat to either side of its middle.
        expect(reach(after)).toBeLessThanOrEqual(Math.max(...before) - Math.min(...before) + 1);
      }
    }
  }
});
