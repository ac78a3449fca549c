import { describe, expect, test } from 'vitest';
import { readDrawnFile } from '../../../src/formats/untold/drawnFile.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { NONE, type UntoldEntity, type UntoldScene } from '../../../src/formats/untold/types.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import { FIXTURE_NAMES, fixture, IDENTITY, putTogether, takeApart, view } from './edit.ts';

test.each(FIXTURE_NAMES)('%s is drawn where its entities are', async (name) => {
  const { meshes, materials } = await readDrawnFile(fixture(name), name);
  expect(meshes).toHaveLength(1);
  const [{ positions, normals, uv0, indices, material }] = meshes;
  expect([...positions]).toEqual([5, 0, 0, 7, 0, 0, 7, 1, 0, 5, 1, 0]);
  expect([...normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
  expect([...uv0]).toEqual([0, 0, 1, 0, 1, 1, 0, 1]);
  expect([...indices]).toEqual([0, 1, 2, 0, 2, 3]);
  expect(materials[material].alphaMode).toBe('opaque');
});

describe('entities', () => {
  /** The quad of a fixture, at each of these local transforms, each the parent of the next. */
  async function chain(transforms: readonly (readonly number[])[], material = 0): Promise<Uint8Array> {
    const scene = await readUntold(fixture('valid-v1-none.untold'), '');
    const [mesh] = scene.meshes;
    const box = { min: [-50, -50, -50], max: [50, 50, 50] } as const;
    const entities = transforms.map(
      (localTransform, id): UntoldEntity => ({
        id,
        parent: id === 0 ? NONE : id - 1,
        name: `entity${id}`,
        firstMesh: id,
        meshCount: 1,
        localBounds: mesh.localBounds,
        worldBounds: box,
        localTransform: Float64Array.from(localTransform),
      }),
    );
    const meshes = entities.map(({ id }) => ({ ...mesh, entity: id, material }));
    const content: UntoldScene = { ...scene, worldBounds: box, entities, meshes };
    return writeUntold(content, { compression: 'none' });
  }
  const at = (x: number, y: number, z: number) => [...IDENTITY.slice(0, 12), x, y, z, 1];
  /** A quarter turn about Y: X to -Z. */
  const TURN = [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1];

  test('are placed by their parents and turned with their normals', async () => {
    const { meshes } = await readDrawnFile(await chain([at(1, 2, 3), TURN]), '');
    expect(meshes.map(({ positions }) => [...positions.subarray(3, 6)])).toEqual([
      [3, 2, 3],
      [1, 2, 1],
    ]);
    expect([...meshes[1].normals.subarray(0, 3)].map((value) => value + 0)).toEqual([1, 0, 0]);
  });

  test('follow the root transform of the file', async () => {
    const edit = takeApart(await chain([at(0, 0, 0)]));
    // The matrix is at byte 76, its translation 12 numbers further.
    view(edit.header).setFloat32(76 + 12 * 4, 10, true);
    const { meshes } = await readDrawnFile(putTogether(edit), '');
    expect(meshes[0].positions[0]).toBe(10);
  });

  test('without a material are not drawn', async () => {
    expect((await readDrawnFile(await chain([at(0, 0, 0)], NONE), '')).meshes).toEqual([]);
  });
});
