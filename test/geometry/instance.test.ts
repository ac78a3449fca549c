import { describe, expect, test } from 'vitest';
import { decompose, matchesBaked, storedTransform } from '../../src/geometry/instances/instance.ts';
import { multiply, rotation, scaling, translation } from '../../src/scene/matrix.ts';
import type { Mat4 } from '../../src/scene/types.ts';
import { random, triangleMesh } from './meshes.ts';

/** From rows, as matrices are written on paper. */
const matrix = (...rows: readonly (readonly number[])[]): Mat4 =>
  Float64Array.from({ length: 16 }, (_, i) => rows[i % 4][i >> 2]);

const S = Math.SQRT1_2;

describe('decompose', () => {
  test('a quarter turn about Y, twice the size, moved', () => {
    // +X goes to -Z, +Z to +X.
    const world = matrix([0, 0, 2, 10], [0, 2, 0, 20], [-2, 0, 0, 30], [0, 0, 0, 1]);
    const found = decompose(world);
    expect(found?.translation).toEqual([10, 20, 30]);
    expect(found?.scale).toEqual([2, 2, 2]);
    const [x, y, z, w] = found?.rotation ?? [];
    expect([x, z]).toEqual([0, 0]);
    expect(y).toBeCloseTo(S, 15);
    expect(w).toBeCloseTo(S, 15);
  });

  test('a scale of its own along each axis, before the turn', () => {
    // Scaled by 1, 3, 5, then a quarter turn about Z: +X goes to +Y.
    const found = decompose(matrix([0, -3, 0, 0], [1, 0, 0, 0], [0, 0, 5, 0], [0, 0, 0, 1]));
    expect(found?.scale).toEqual([1, 3, 5]);
    expect(found?.rotation[2]).toBeCloseTo(S, 15);
  });

  test.each([
    ['X', scaling(1, -1, -1), 0],
    ['Y', scaling(-1, 1, -1), 1],
    ['Z', scaling(-1, -1, 1), 2],
  ])('two negative axes are half a turn about %s', (_, world, axis) => {
    const found = decompose(world);
    expect(found?.scale).toEqual([1, 1, 1]);
    expect(found?.rotation.map((value) => Math.abs(value))).toEqual([0, 1, 2, 3].map((k) => (k === axis ? 1 : 0)));
  });

  test.each<[string, Mat4]>([
    ['mirrored', scaling(-1, 1, 1)],
    ['mirrored through the origin', scaling(-2, -2, -2)],
    ['flat', scaling(1, 0, 1)],
    ['nothing', scaling(0, 0, 0)],
    ['sheared', matrix([1, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])],
    ['sheared by 1e-4', matrix([1, 1e-4, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])],
    ['sheared, as a scale after a turn is', multiply(scaling(2, 1, 1), rotation(0, 0, Math.sin(0.3), Math.cos(0.3)))],
    ['projective', matrix([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0.1, 1])],
    ['not finite', translation(Number.NaN, 0, 0)],
    ['beyond float32', translation(1e39, 0, 0)],
    ['so small that float32 keeps no direction', scaling(1e-44, 1e-44, 3e-44)],
  ])('none that is %s', (_, world) => {
    expect(decompose(world)).toBeNull();
  });

  test('any translation, turn and positive scale, and its parts make the matrix again', () => {
    const next = random(71);
    for (let i = 0; i < 500; i++) {
      const [x, y, z] = [0, 1, 2].map(() => (next() - 0.5) * 2000);
      const turn = [0, 1, 2, 3].map(() => next() - 0.5) as [number, number, number, number];
      const [sx, sy, sz] = [0, 1, 2].map(() => 10 ** (next() * 6 - 3));
      const world = multiply(translation(x, y, z), multiply(rotation(...turn), scaling(sx, sy, sz)));
      const found = decompose(world);
      expect(found).not.toBeNull();
      if (!found) continue;
      const again = multiply(
        translation(...found.translation),
        multiply(rotation(...found.rotation), scaling(...found.scale)),
      );
      for (let c = 0; c < 3; c++) {
        const length = [sx, sy, sz][c];
        for (let k = 0; k < 3; k++) expect(Math.abs(again[c * 4 + k] - world[c * 4 + k])).toBeLessThan(1e-6 * length);
      }
      expect(Math.hypot(...found.rotation)).toBeCloseTo(1, 12);
    }
  });
});

test('a stored transform has float32 values', () => {
  const stored = storedTransform(translation(0.1, 1e-50, 16_777_217));
  expect([...stored.subarray(12)]).toEqual([0.10000000149011612, 0, 16_777_216, 1]);
});

describe('matchesBaked', () => {
  /** A corner at the origin, one 1 m along X, one 1 m along Z. */
  const corner = triangleMesh(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 1],
    ],
    [0, 2, 1],
  );
  const everywhere = [{ min: [-1e6, -1e6, -1e6], max: [1e6, 1e6, 1e6] }] as const;

  test('to the last bit where all is exact', () => {
    expect(matchesBaked(corner, translation(100, 0, 0.5), everywhere)).toBe(true);
  });

  test('but for the last bits with a translation that float32 rounds, and not at a border', () => {
    // As float32, 100.1 is 100.09999847: the end of the fence is at 0.1 when it is baked, else at 0.09999847.
    const fence = triangleMesh(
      [
        [0, 0, 0],
        [-100, 0, 0],
        [0, 0, 1],
      ],
      [0, 2, 1],
    );
    const world = translation(100.1, 0, 0);
    expect(matchesBaked(fence, world, [])).toBe(true);
    expect(matchesBaked(fence, world, everywhere)).toBe(false);
    // A box around the other two corners does not see it; one that begins where it is baked does.
    expect(matchesBaked(fence, world, [{ min: [100, -1, -1], max: [101, 1, 2] }])).toBe(true);
    expect(matchesBaked(fence, world, [{ min: [-1, 0, 0], max: [Math.fround(0.1), 0, 0] }])).toBe(false);
    expect(matchesBaked(fence, world, [{ min: [0.2, 0, 0], max: [50, 0, 0] }])).toBe(true);
  });

  test('not a mesh that lies so far from its own origin that float32 moves it', () => {
    // At 100 km a float32 has steps of 8 mm, in world space it is at the origin.
    const far = {
      ...corner,
      positions: Float64Array.from(corner.positions, (x, i) => x + (i % 3 === 0 ? 1e5 + 0.001 : 0)),
    };
    expect(matchesBaked(far, translation(-1e5, 0, 0), [])).toBe(false);
    expect(matchesBaked(far, translation(0, 0, 0), [])).toBe(true);
  });

  test('not where float32 ends', () => {
    expect(matchesBaked(corner, translation(1e39, 0, 0), [])).toBe(false);
  });

  test('at any rigid place within a kilometre', () => {
    const next = random(5);
    const points = Array.from({ length: 50 }, () => [next() * 4 - 2, next() * 8, next() * 4 - 2]);
    const tree = triangleMesh(points, [0, 1, 2]);
    for (let i = 0; i < 200; i++) {
      const turn = [0, 1, 2, 3].map(() => next() - 0.5) as [number, number, number, number];
      const world = multiply(translation(next() * 1000, next() * 10, next() * -1000), rotation(...turn));
      expect(matchesBaked(tree, world, [])).toBe(true);
    }
  });
});
