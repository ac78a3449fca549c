// Records and manifest entries of lights and cameras, as literal numbers of the engine's decoder and exporter.

import { describe, expect, it } from 'vitest';
import { validateManifest } from '../../../src/formats/manifest/validate.ts';
import { type EmittedTile, manifestText, uniteAll } from '../../../src/formats/manifest/write.ts';
import { UniqueNames } from '../../../src/formats/uniqueNames.ts';
import { authoredLists, authoredRecords } from '../../../src/formats/untold/lightsAndCameras.ts';
import { tileScene } from '../../../src/formats/untold/tileScene.ts';
import { multiply, rotation, translation } from '../../../src/scene/matrix.ts';
import type { SceneCamera, SceneLight } from '../../../src/scene/types.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import { tileRadii } from '../../../src/tiling/streaming/setRadii.ts';

const H = Math.SQRT1_2;
/** Stands at (2, 3, 4) and has turned -Z, where it looks, down to -Y; X stays, Y looks along -Z. */
const DOWN = multiply(translation(2, 3, 4), rotation(-H, 0, 0, H));
const exact = (m: Float64Array) => m.map((v) => Math.round(v * 1e9) / 1e9 + 0);

const bulb: SceneLight = {
  name: 'Lamp',
  path: '/Lamp',
  kind: 'point',
  world: exact(DOWN),
  color: [1, 0.5, 0.25],
  intensity: 40,
  sourcePower: 10,
  sourceExposure: 2,
  radius: 0.25,
  range: 0,
  cone: null,
  areaSize: null,
  castsShadow: true,
};
const eye: SceneCamera = {
  name: 'Eye',
  path: '/Eye',
  world: exact(DOWN),
  fovY: 60,
  near: 0.5,
  far: 250,
  aspectRatio: 2,
};
const records = (lights: readonly SceneLight[], cameras: readonly SceneCamera[] = []) =>
  authoredRecords({ lights, cameras }, new UniqueNames(), 7);

describe('records', () => {
  it('a light: -Z is its direction, cones and area are the engine’s own where it has none', () => {
    expect(records([bulb]).lights).toEqual([
      {
        entity: 7,
        name: 'Lamp',
        type: 'point',
        castsShadow: true,
        radiometric: true,
        customDistance: false,
        color: [1, 0.5, 0.25],
        intensity: 40,
        position: [2, 3, 4],
        radius: 0.25,
        direction: [0, -1, 0],
        falloff: 0,
        right: [1, 0, 0],
        innerCone: 5,
        up: [0, 0, -1],
        outerCone: 10,
        areaSize: [1, 1],
        sourcePower: 10,
        sourceExposure: 2,
        localTransform: Float64Array.of(1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 2, 3, 4, 1),
      },
    ]);
  });

  it('a range is the falloff, and counts', () => {
    expect(records([{ ...bulb, range: 18 }]).lights).toMatchObject([{ falloff: 18, customDistance: true }]);
  });

  it.each([
    [12, 34, 12, 34],
    [0, 45, 0.1, 45],
    [0, 0, 0.1, 0.1],
    [40, 30, 30, 30],
  ])('a cone of %d to %d degrees is stored as %d to %d', (inner, outer, innerCone, outerCone) => {
    const [light] = records([{ ...bulb, kind: 'spot', cone: { inner, outer } }]).lights ?? [];
    expect(light).toMatchObject({ type: 'spot', innerCone, outerCone });
  });

  it('an area light: its edges, the longer one as its radius, none below a millimetre', () => {
    const [light] = records([{ ...bulb, kind: 'area', areaSize: [3, 0] }]).lights ?? [];
    expect(light).toMatchObject({ type: 'area', areaSize: [3, 0.001], radius: 3 });
    expect(records([{ ...bulb, radius: 0 }]).lights).toMatchObject([{ radius: 0.001 }]);
  });

  it('colours stay between 0 and 1', () => {
    expect(records([{ ...bulb, color: [-1, 2, 0.5] }]).lights).toMatchObject([{ color: [0, 1, 0.5] }]);
  });

  it('a camera: columns right, up, forward', () => {
    expect(records([], [eye]).cameras).toEqual([
      {
        entity: 7,
        name: 'Eye',
        position: [2, 3, 4],
        fovYDegrees: 60,
        forward: [0, -1, 0],
        nearClip: 0.5,
        up: [0, 0, -1],
        farClip: 250,
        right: [1, 0, 0],
        aspectRatio: 2,
        localTransform: Float64Array.of(1, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, 2, 3, 4, 1),
      },
    ]);
  });

  it('planes below a millimetre stay two planes', () => {
    const [camera] = records([], [{ ...eye, near: 1e-5, far: 1e-4 }]).cameras ?? [];
    expect(camera).toMatchObject({ nearClip: 0.001, farClip: 0.002 });
  });

  it('no negative zero: it would be another bit pattern of the same number', () => {
    const upright = { ...bulb, world: translation(0, 0, 0) };
    const [light] = records([upright]).lights ?? [];
    expect(light.direction.map((v) => Object.is(v, -0))).toEqual([false, false, false]);
  });

  it('ids follow the entities, lights first; names are unique among all of them', () => {
    const { lights, cameras } = authoredRecords({ lights: [bulb, bulb], cameras: [eye] }, new UniqueNames(), 3);
    expect(lights?.map(({ entity, name }) => [entity, name])).toEqual([
      [3, 'Lamp'],
      [4, 'Lamp_1'],
    ]);
    expect(cameras?.map(({ entity, name }) => [entity, name])).toEqual([[5, 'Eye']]);
    const nameless = authoredRecords(
      { lights: [{ ...bulb, name: '' }], cameras: [{ ...eye, name: '' }] },
      new UniqueNames(),
      0,
    );
    expect([nameless.lights?.[0].name, nameless.cameras?.[0].name]).toEqual(['light', 'camera']);
  });

  it('go into a payload only when they are given to it', () => {
    expect(tileScene('tile', [], [], null)).not.toHaveProperty('lights');
    expect(tileScene('tile', [], [], null, { lights: [], cameras: [] })).not.toHaveProperty('cameras');
    const scene = tileScene('tile', [], [], null, { lights: [bulb], cameras: [eye] });
    expect([scene.lights?.[0].entity, scene.cameras?.[0].entity]).toEqual([0, 1]);
  });
});

describe('the manifest', () => {
  it('a light, with the matrix row by row', () => {
    const spot: SceneLight = { ...bulb, kind: 'spot', cone: { inner: 15, outer: 20 }, range: 9 };
    expect(authoredLists({ lights: [spot] }, new UniqueNames())).toEqual({
      scene_lights: [
        {
          entity_name: 'Lamp',
          kind: 'spot',
          light_type: 3,
          color: [1, 0.5, 0.25],
          intensity: 40,
          position: [2, 3, 4],
          radius: 0.25,
          range: 9,
          direction: [0, -1, 0],
          falloff: 0.5,
          right: [1, 0, 0],
          inner_cone: 15,
          up: [0, 0, -1],
          outer_cone: 20,
          area_size: [1, 1],
          source_power: 10,
          source_exposure: 2,
          casts_shadow: true,
          uses_radiometric_units: true,
          local_transform_rows: [
            [1, 0, 0, 2],
            [0, 0, 1, 3],
            [0, -1, 0, 4],
            [0, 0, 0, 1],
          ],
        },
      ],
      scene_cameras: [],
    });
  });

  it('a camera, whose third column is forward', () => {
    expect(authoredLists({ cameras: [eye] }, new UniqueNames()).scene_cameras).toEqual([
      {
        entity_name: 'Eye',
        position: [2, 3, 4],
        forward: [0, -1, 0],
        up: [0, 0, -1],
        right: [1, 0, 0],
        fov_y_degrees: 60,
        near_clip: 0.5,
        far_clip: 250,
        aspect_ratio: 2,
        local_transform_rows: [
          [1, 0, 0, 2],
          [0, 0, -1, 3],
          [0, -1, 0, 4],
          [0, 0, 0, 1],
        ],
      },
    ]);
  });

  it('is what the engine decodes; an entity of a tile’s name is not made twice', async () => {
    const bounds = { min: [0, 0, 0], max: [1, 1, 1] } as const;
    const plan = planScene(
      [
        {
          node: 0,
          bounds,
          triangles: 1,
          vertices: 3,
          name: '',
          materialNames: [],
          draws: ['0'],
        },
      ],
      25,
      'town',
    );
    const [planned] = plan.tiles;
    const tile: EmittedTile = {
      planned,
      path: 'town/tile_0_0_0.untold',
      bytes: 1,
      bounds,
      gpuBytes: 1,
      meshes: 1,
      vertices: 3,
    };
    const authored = { lights: [bulb, { ...bulb, name: 'tile_0_0_0' }], cameras: [eye] };
    const text = manifestText({
      sceneName: 'town',
      folder: 'town/',
      settings: '0'.repeat(64),
      plan,
      maxBatchVertices: 160_000,
      tiles: [tile],
      shared: null,
      radii: tileRadii([tile], uniteAll([tile])),
      defaults: { streaming: 10, unload: 20 },
      authored,
      files: [],
    });
    const probe = { size: () => 1, read: () => new Uint8Array(1) };
    const { manifest } = await validateManifest(text, 'town.json', probe);
    expect(manifest).not.toBeNull();
    const { scene_lights: lights, scene_cameras: cameras } = JSON.parse(text);
    expect(lights.map((light: { entity_name: string }) => light.entity_name)).toEqual(['Lamp', 'tile_0_0_0_1']);
    expect(cameras).toHaveLength(1);
  });
});
