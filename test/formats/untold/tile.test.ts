import { expect, test } from 'vitest';
import type { PayloadMesh } from '../../../src/formats/format.ts';
import { validateUntold } from '../../../src/formats/untold/check/validate.ts';
import type { PackedMesh } from '../../../src/formats/untold/mesh/packMesh.ts';
import { encodePayload } from '../../../src/formats/untold/payload.ts';
import { tileScene } from '../../../src/formats/untold/tileScene.ts';
import { multiply, rotation, scaling, translation } from '../../../src/scene/matrix.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { triangleMesh } from '../../geometry/meshes.ts';
import { pack } from '../../geometry/packed.ts';

const surface = { material: DEFAULT_MATERIAL, tint: null, palette: null };

/** A triangle with its corners at the origin, 1 m along X and 2 m along Y. */
const corner = await pack(
  triangleMesh(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 2, 0],
    ],
    [0, 1, 2],
  ),
);
/** A quarter turn about Z, then 0.1 m along X: (x, y) goes to (0.1 - y, x). */
const turned = multiply(translation(0.1, 0, 0), Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
const X = Math.fround(0.1);

test('each placement is an entity with a record of its own on the same arrays', () => {
  const placed: PayloadMesh<PackedMesh> = {
    naming: { tile: 'tile_0', mesh: 'corner' },
    surface,
    stored: corner,
    placements: [translation(5, 0, 0), turned],
  };
  const scene = tileScene('tile', [placed, { naming: { tile: 'tile_0' }, surface, stored: corner }], [], null);
  expect(scene.entities.map(({ name, firstMesh, meshCount }) => [name, firstMesh, meshCount])).toEqual([
    ['tile_0_corner', 0, 1],
    ['tile_0_corner_1', 1, 1],
    ['tile_0_default_material', 2, 1],
  ]);
  expect(scene.meshes.map(({ entity, name, material }) => [entity, name, material])).toEqual([
    [0, 'corner', 0],
    [1, 'corner', 0],
    [2, 'tile_0_default_material', 0],
  ]);
  expect(
    scene.meshes.every(({ vertices, indices }) => vertices === corner.vertices && indices === corner.indices),
  ).toBe(true);
  const [first, second, third] = scene.entities;
  expect([...second.localTransform]).toEqual([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, X, 0, 0, 1]);
  expect([...third.localTransform]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const local = { min: [0, 0, 0], max: [1, 2, 0] };
  expect([first.localBounds, second.localBounds, third.localBounds]).toEqual([local, local, local]);
  expect(first.worldBounds).toEqual({ min: [5, 0, 0], max: [6, 2, 0] });
  expect(second.worldBounds).toEqual({ min: [Math.fround(X - 2), 0, 0], max: [X, 1, 0] });
  expect(third.worldBounds).toEqual(local);
  expect(scene.worldBounds).toEqual({ min: [Math.fround(X - 2), 0, 0], max: [6, 2, 0] });
});

test('a payload counts what is drawn and stores what is given', async () => {
  const eighth = rotation(0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8));
  const placements = [0, 1, 2, 3].map((i) => multiply(translation(i * 10, 0, 0), multiply(eighth, scaling(1, 2, 3))));
  const encode = (mesh: Partial<PayloadMesh<PackedMesh>>) =>
    encodePayload({
      fileType: 'tile',
      meshes: [{ naming: { entity: 'corner', mesh: 'corner' }, surface, stored: corner, ...mesh }],
      textures: [],
      authored: {},
      options: { compression: 'none' },
    });
  const { file, ...measures } = await encode({ placements });
  // Three vertices of 32 bytes and three indices of two, four times.
  expect(measures).toMatchObject({ gpuBytes: 4 * 102, meshes: 4, vertices: 12 });
  expect(await validateUntold(file, 'f', { engine: true })).toEqual([]);
  const once = await encode({});
  // Three more entities, mesh records and names (corner_1 …): 136, 104 and 9 bytes each, up to the alignment of chunks.
  expect(Math.abs(file.length - once.file.length - 3 * 249)).toBeLessThan(32);
});
