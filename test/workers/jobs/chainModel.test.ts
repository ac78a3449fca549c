// Chains of models as any program may have written them: where entities scale their meshes, squeeze them or mirror them.

import { describe, expect, test } from 'vitest';
import { encodeLevel, type Model, openModel } from '../../../src/formats/untold/levelFile.ts';
import { storedMaterial } from '../../../src/formats/untold/materialRecord.ts';
import { packMesh, placedBounds, unpackMesh } from '../../../src/formats/untold/mesh/packMesh.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { NONE, type UntoldMesh, type UntoldScene } from '../../../src/formats/untold/types.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import { DEFAULT_FACTORS } from '../../../src/scene/materialSlots.ts';
import { identity, multiply, rotation, scaling, translation } from '../../../src/scene/matrix.ts';
import type { Mat4 } from '../../../src/scene/types.ts';
import { imageFiles } from '../../../src/textures/encode/png.ts';
import { ChainModel } from '../../../src/workers/jobs/chain/chainModel.ts';
import { type ChainRequest, cookChain } from '../../../src/workers/jobs/chain/cookChain.ts';
import { storedSurface } from '../../../src/workers/jobs/chain/storedSurface.ts';
import { surface } from '../../geometry/packed.ts';

const RATIOS = [0.5, 0.15];

/** Hills of 3,200 triangles over a square metre, `height` metres high along Z. */
const hills = (height = 1) => {
  const waves = (u: number, v: number) => height * 0.1 * Math.sin(u * 9) * Math.cos(v * 7);
  return packMesh(surface(40, 40, (u, v) => [u, v, waves(u, v)]));
};

const material = storedMaterial(
  { name: 'paint', alphaMode: 'opaque', alphaCutoff: 0.5, height: null },
  DEFAULT_FACTORS,
  { roughnessChannel: 1, metallicChannel: 2 },
  () => NONE,
);

/** A file of a mesh that an entity draws at each of the matrices. */
async function fileOf(worlds: readonly Mat4[], packed = hills()): Promise<Uint8Array> {
  const { vertexCount, vertices, indices, bounds: localBounds } = packed;
  const boxes = worlds.map((world) => placedBounds(packed, world));
  const corner = (of: 'min' | 'max') =>
    [0, 1, 2].map((k) => Math[of](...boxes.map((box) => box[of][k]))) as [number, number, number];
  const scene: UntoldScene = {
    fileType: 'tile',
    worldBounds: { min: corner('min'), max: corner('max') },
    entities: worlds.map((localTransform, id) => ({
      id,
      parent: NONE,
      name: `hills ${id}`,
      firstMesh: id,
      meshCount: 1,
      localBounds,
      worldBounds: boxes[id],
      localTransform,
    })),
    meshes: worlds.map(
      (_, entity): UntoldMesh => ({ entity, name: 'hills', material: 0, vertexCount, vertices, indices, localBounds }),
    ),
    materials: [material],
    textures: [],
  };
  return writeUntold(scene, { compression: 'none' });
}

const modelOf = async (...worlds: Mat4[]) => openModel(await fileOf(worlds), 'hills.untold');
const surfacesOf = (model: Model) => model.parts.map((part) => storedSurface(model.materials[part.material]));

const cook = (model: Model, options: Partial<ChainRequest> = {}) =>
  cookChain({
    model,
    surfaces: surfacesOf(model),
    images: async () => null,
    textures: imageFiles('keep'),
    ratios: RATIOS,
    quality: null,
    ...options,
  });

describe('an error', () => {
  test('is the same whether a mesh is flat or its only entity makes it so', async () => {
    const scaled = await cook(await modelOf(scaling(1, 1, 0.01)));
    const flat = await cook(await openModel(await fileOf([identity()], hills(0.01)), 'flat.untold'));
    expect(scaled.levels.length).toBe(RATIOS.length);
    for (const [i, { error, triangles }] of scaled.levels.entries()) {
      expect(error).toBeLessThan(0.01);
      expect(error).toBeCloseTo(flat.levels[i].error, 3);
      expect(Math.abs(triangles - flat.levels[i].triangles)).toBeLessThan(32);
    }
  });

  test.each([
    ['of the same scale', scaling(1, 1, 0.01), multiply(translation(3, 0, 0), scaling(1, 1, 0.01)), 1],
    ['turned', identity(), multiply(translation(3, 0, 0), rotation(0, 0, 1, 1)), 1],
    ['smaller', scaling(2, 2, 2), translation(3, 0, 0), 1],
    ['longer along one axis', scaling(3, 1, 1), multiply(translation(5, 0, 0), scaling(1, 2, 1)), 2],
  ])('of a second entity %s', async (_, first, second, stretch) => {
    const model = await modelOf(first, second);
    expect(model.parts.map(({ placements }) => placements.length)).toEqual([2]);
    expect(new ChainModel(model, surfacesOf(model)).stretch).toBeCloseTo(stretch, 6);
  });
});

describe('a model', () => {
  /** Its columns span a volume, and those of its inverse do not. */
  const needle = identity();
  needle[1] = needle[2] = 1;
  needle[5] = needle[10] = 1e-13;

  test.each([
    ['without a height', [scaling(1, 1, 0)]],
    ['that is a point', [scaling(0, 0, 0)]],
    ['that is a needle', [needle]],
    ['beside another', [identity(), multiply(translation(3, 0, 0), scaling(1, 0, 1))]],
  ])('with an entity %s has no levels and says why', async (_, worlds) => {
    const model = await modelOf(...worlds);
    expect(model.obstacle).toBe('an entity is flattened');
    expect(await cook(model)).toEqual({ levels: [], leftOut: 'an entity is flattened' });
  });

  test('that is mirrored has levels whose triangles face as its own', async () => {
    const file = await fileOf([scaling(-1, 1, 1)]);
    const model = await openModel(file, 'hills.untold');
    const { levels } = await cook(model);
    expect(levels.length).toBe(RATIOS.length);
    for (const { packed } of levels) {
      const { meshes } = await readUntold(await encodeLevel(file, 'hills.untold', model.parts, packed), 'level');
      const { positions, indices } = unpackMesh(meshes[0]);
      // Twice the area over X and Y: positive where triangles face up, as those of the hills do.
      let area = 0;
      for (let t = 0; t < indices.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => indices[t + k] * 3);
        const [ux, uy] = [positions[b] - positions[a], positions[b + 1] - positions[a + 1]];
        const [vx, vy] = [positions[c] - positions[a], positions[c + 1] - positions[a + 1]];
        area += ux * vy - uy * vx;
      }
      expect(area).toBeCloseTo(2, 1);
    }
  });

  test.each([{ ratios: null }, { ratios: RATIOS }])('whose bounds are a point has no levels: %j', async (options) => {
    const model: Model = { ...(await modelOf(identity())), bounds: { min: [1, 1, 1], max: [1, 1, 1] } };
    expect(await cook(model, options)).toEqual({ levels: [], leftOut: 'its bounds are a single point' });
  });
});
