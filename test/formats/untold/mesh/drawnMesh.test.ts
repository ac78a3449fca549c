import { expect, test } from 'vitest';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import {
  drawnMesh,
  type PackedMesh,
  packMesh,
  packParts,
  placedBounds,
  unpackMesh,
} from '../../../../src/formats/untold/mesh/packMesh.ts';
import { packNormal, packTangent } from '../../../../src/formats/untold/mesh/vertexWords.ts';
import { storedTransform } from '../../../../src/geometry/instances/instance.ts';
import { joinMeshes } from '../../../../src/geometry/mesh/united.ts';
import { identity, multiply, rotation, scaling, translation } from '../../../../src/scene/matrix.ts';
import type { Mat4 } from '../../../../src/scene/types.ts';
import { random, triangleMesh } from '../../../geometry/meshes.ts';
import { pack, places, sphere } from '../../../geometry/packed.ts';

const place = { file: 'f', path: '/p' };
/** What instances draw, as a file would hold it. */
const bakePlacements = async (packed: PackedMesh, worlds: readonly Mat4[]) => packMesh(await drawnMesh(packed, worlds));
const wordsOf = ({ vertices }: PackedMesh) => new Uint32Array(vertices.slice().buffer);

/** Corners of all triangles as words, each triangle and all of them sorted: what is drawn, in whatever order. */
function drawn(mesh: PackedMesh, first: number, count: number): string[] {
  const words = wordsOf(mesh);
  const corner = (v: number) => [...words.subarray(v * 8 + first, v * 8 + first + count)].join();
  return Array.from({ length: mesh.indices.length / 3 }, (_, t) => {
    const corners = [0, 1, 2].map((k) => corner(mesh.indices[t * 3 + k]));
    const lowest = corners.indexOf([...corners].sort()[0]);
    return [0, 1, 2].map((k) => corners[(lowest + k) % 3]).join('|');
  }).sort();
}

const corner = triangleMesh(
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ],
  [0, 1, 2],
  {
    normal: Float32Array.of(0.6, 0.8, 0, 0.6, 0.8, 0, 0, 0, 1),
    tangent: Float32Array.of(1, 0, 0, 1, 0, 1, 0, -1, 1, 0, 0, 1),
    uv0: Float32Array.of(0, 0, 1, 0, 0, 1),
    color0: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
  },
);

test('positions, normals and tangents go as the format’s words say', async () => {
  // Twice as wide, then a quarter turn about Z: (x, y) goes to (-y, 2x); then 10 up.
  const world = Float64Array.of(0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 10, 0, 1);
  const baked = await bakePlacements(await pack(corner), [world]);
  const floats = new Float32Array(wordsOf(baked).buffer);
  const at = [0, 1, 2].map((v) => [...floats.subarray(v * 8, v * 8 + 3)].map((x) => x + 0));
  const by = (x: number, y: number) => at.findIndex((p) => p[0] === x && p[1] === y) * 8;
  const [origin, right, up] = [by(0, 10), by(0, 12), by(-1, 10)];
  const words = wordsOf(baked);
  // Inverse transpose: (0.6 / 2, 0.8) turned is (-0.8, 0.3); the stored one is (307, 409) / 511.
  expect(words[origin + 3]).toBe(packNormal(-409, 307 / 2, 0));
  expect(words[up + 3]).toBe(packNormal(0, 0, 1));
  expect(words[origin + 4]).toBe(packTangent(0, 1, 0, 1));
  expect(words[right + 4]).toBe(packTangent(-1, 0, 0, -1));
  // UVs and colours are those of the corner.
  expect([words[right + 5], words[right + 6], words[right + 7]]).toEqual([0x3c00, 0, 0x08070605]);
  expect(baked.bounds).toEqual({ min: [-1, 10, 0], max: [0, 12, 0] });
});

test('where directions stay, no bit of them changes', async () => {
  const next = random(3);
  const points = Array.from({ length: 3000 }, () => [next(), next(), next()]);
  const normal = Float32Array.from(points.flat(), () => next() - 0.5);
  const all = Array.from(points.keys());
  const packed = await pack(triangleMesh(points, all, { normal }));
  const worlds = [translation(3, 0, 0), multiply(translation(0, 9, 0), scaling(0.5, 0.5, 0.5))];
  for (const world of worlds) {
    const baked = await bakePlacements(packed, [world]);
    expect(drawn(baked, 3, 5)).toEqual(drawn(packed, 3, 5));
  }
});

/** Places of all kinds that entities can hold. */
function somePlaces(count: number): Mat4[] {
  const next = random(9);
  return Array.from({ length: count }, () => {
    const turn = [0, 1, 2, 3].map(() => next() - 0.5) as [number, number, number, number];
    const size = scaling(0.5 + next(), 0.5 + next(), 0.5 + next());
    const spot = translation(next() * 200 - 100, next() * 20, next() * 200 - 100);
    return storedTransform(multiply(spot, multiply(rotation(...turn), size)));
  });
}

test('positions are those of the cook’s own bake, bit for bit; normals but for one more rounding', async () => {
  const mesh = sphere(0.3, 1, -0.2, 1, 10);
  const worlds = somePlaces(20);
  const diagnostics = new Diagnostics();
  const cooked = await packParts(
    worlds.map((world) => ({ mesh, world })),
    diagnostics,
    place,
  );
  const packed = await packParts([{ mesh, world: null }], diagnostics, place);
  if (!cooked || !packed) throw new Error('nothing to compare');
  const baked = await bakePlacements(packed, worlds);
  expect(drawn(baked, 0, 3)).toEqual(drawn(cooked, 0, 3));
  expect(drawn(baked, 5, 3)).toEqual(drawn(cooked, 5, 3));
  expect(baked.bounds).toEqual(cooked.bounds);
  expect(baked.indices.length).toBe(cooked.indices.length);
  // Each normal of the bake within two steps of one of the cook's that has the same position.
  const normalsOf = (of: PackedMesh) => {
    const words = wordsOf(of);
    const found = new Map<string, number[][]>();
    for (let v = 0; v < of.vertexCount; v++) {
      const key = [...words.subarray(v * 8, v * 8 + 3)].join();
      const normal = [0, 10, 20].map((shift) => (words[v * 8 + 3] << (22 - shift)) >> 22);
      found.set(key, [...(found.get(key) ?? []), normal]);
    }
    return found;
  };
  const theirs = normalsOf(cooked);
  for (const [key, normals] of normalsOf(baked)) {
    for (const normal of normals) {
      const near = theirs.get(key)?.some((other) => normal.every((value, k) => Math.abs(value - other[k]) <= 2));
      expect(near).toBe(true);
    }
  }
});

test('the box of a placed mesh is that of its baked vertices, bit for bit', async () => {
  const packed = await pack(sphere(2, 0, 0, 1, 10));
  for (const world of somePlaces(40)) {
    expect(placedBounds(packed, world)).toEqual((await bakePlacements(packed, [world])).bounds);
  }
  // Tight: a square turned by an eighth reaches to √2, the box of its box to 2.
  const diamond = await pack(
    triangleMesh(
      [
        [1, 0, 0],
        [0, 1, 0],
        [-1, 0, 0],
        [0, -1, 0],
      ],
      [0, 1, 2, 0, 2, 3],
    ),
  );
  const { min, max } = placedBounds(
    diamond,
    storedTransform(rotation(0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8))),
  );
  for (let k = 0; k < 2; k++) {
    expect(max[k]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(min[k]).toBeCloseTo(-Math.SQRT1_2, 6);
  }
});

test('what meets is one vertex again', async () => {
  // Two squares side by side share the two vertices of their common edge.
  const square = await pack(
    triangleMesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [0, 1, 0],
      ],
      [0, 1, 2, 0, 2, 3],
    ),
  );
  const baked = await bakePlacements(square, [identity(), translation(1, 0, 0)]);
  expect(baked.vertexCount).toBe(6);
  expect(places([baked])).toEqual(['0,0,0', '0,1,0', '1,0,0', '1,1,0', '2,0,0', '2,1,0']);
});

test('triangles that lose their area go, unless none would be left', async () => {
  // 1 km off, float32 has steps of 6e-5 m: the small triangle becomes a point.
  const two = triangleMesh(
    [
      [0, 0, 0],
      [1e-6, 0, 0],
      [0, 1e-6, 0],
      [1, 0, 0],
      [0, 0, 1],
      [1, 0, 1],
    ],
    [0, 1, 2, 3, 4, 5],
  );
  const small = { ...two, indices: Uint32Array.of(0, 1, 2) };
  const far = translation(1000, 1000, 1000);
  expect((await bakePlacements(await pack(two), [far])).indices.length).toBe(3);
  expect((await bakePlacements(await pack(small), [far])).indices.length).toBe(3);
});

test('stored meshes become one, what they share once', async () => {
  const triangle = (x: number) =>
    pack(
      triangleMesh(
        [
          [x, 0, 0],
          [x + 1, 0, 0],
          [x, 1, 0],
        ],
        [0, 1, 2],
      ),
    );
  const [left, right] = [await triangle(0), await triangle(1)];
  const alone = unpackMesh(left);
  expect(await joinMeshes([alone])).toBe(alone);
  const merged = packMesh(await joinMeshes([left, right].map(unpackMesh)));
  expect([merged.vertexCount, merged.indices.length, merged.indices.BYTES_PER_ELEMENT]).toEqual([5, 6, 2]);
  expect(merged.bounds).toEqual({ min: [0, 0, 0], max: [2, 1, 0] });
  expect(drawn(merged, 0, 8)).toEqual([...drawn(left, 0, 8), ...drawn(right, 0, 8)].sort());
  await expect(joinMeshes([])).rejects.toThrow(RangeError);
});
