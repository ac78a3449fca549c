// Lights and cameras from a source to what the engine loads: in a single file's chunks, in a folder's manifest, and in
// no tile. Both importers, whole cooks, read back by the strict reader and the manifest's own decoder.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cookSource } from '../../src/cook/cookSource.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { validateManifest } from '../../src/formats/manifest/validate.ts';
import { validateUntold } from '../../src/formats/untold/check/validate.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { buildGlb, ONE_TRIANGLE } from '../importers/gltf/build.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-lights-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function cook(source: string, out: string): Promise<string[]> {
  const path = join(folder, out);
  const outcome = await cookSource({
    source: join(folder, source),
    root: null,
    target: out.endsWith('.untold') ? { kind: 'file', path } : { kind: 'folder', folder: path, sceneName: 'scene' },
    settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4' },
    policy: LENIENT,
    force: false,
  });
  expect(outcome.diagnostics.map(({ code, path: at }) => `${code} ${at}`)).toEqual([]);
  expect(outcome.status).toBe('ok');
  return outcome.outputs.map((output) => output.path);
}
const bytes = (path: string) => new Uint8Array(readFileSync(path));

/** Two triangles apart in two tiles, a sun from above, a bulb of 4 pi W, a camera. */
const GLB = buildGlb({
  ...ONE_TRIANGLE,
  nodes: [
    { name: 'Near', mesh: 0 },
    { name: 'Far', mesh: 0, translation: [60, 0, 0] },
    {
      name: 'Sun',
      rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      extensions: { KHR_lights_punctual: { light: 0 } },
    },
    { name: 'Near', translation: [1, 2, 3], extensions: { KHR_lights_punctual: { light: 1 } } },
    { name: 'Eye', translation: [0, 1, 5], camera: 0 },
  ],
  root: {
    extensionsUsed: ['KHR_lights_punctual'],
    extensions: {
      KHR_lights_punctual: {
        lights: [
          { type: 'directional', intensity: 1366 },
          { type: 'point', intensity: 683, range: 8 },
        ],
      },
    },
    cameras: [{ type: 'perspective', perspective: { yfov: Math.PI / 2, znear: 0.25, zfar: 500, aspectRatio: 1.25 } }],
  },
});

const USDA = `#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Z"
)
def Xform "World"
{
    def Mesh "Slab"
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (100, 0, 0), (0, 100, 0)]
        uniform token subdivisionScheme = "none"
    }
    def RectLight "Panel"
    {
        float inputs:intensity = 683
        float inputs:width = 200
        float inputs:height = 100
        double3 xformOp:translate = (0, 0, 300)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def Camera "Eye"
    {
        float horizontalAperture = 30
        float verticalAperture = 20
        float focalLength = 10
        float2 clippingRange = (10, 50000)
        double3 xformOp:translate = (0, -500, 100)
        float xformOp:rotateX = 90
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateX"]
    }
}
`;

const round = (values: readonly number[]) => values.map((v) => Math.round(v * 1e5) / 1e5 + 0);

describe('a single file', () => {
  it('of glTF carries them, named among its entities', async () => {
    writeFileSync(join(folder, 'scene.glb'), GLB);
    const [path] = await cook('scene.glb', 'scene.untold');
    expect(await validateUntold(bytes(path), path, { engine: true })).toEqual([]);
    const scene = await readUntold(bytes(path), path);
    expect(scene.entities.map(({ id, name }) => [id, name])).toEqual([
      [0, 'Near'],
      [1, 'Far'],
    ]);
    expect(scene.lights?.map(({ entity, name, type }) => [entity, name, type])).toEqual([
      [2, 'Sun', 'directional'],
      [3, 'Near_1', 'point'],
    ]);
    const [sun, bulb] = scene.lights ?? [];
    expect([sun.intensity, ...round(sun.direction)]).toEqual([2, 0, -1, 0]);
    expect([round([bulb.intensity])[0], bulb.falloff, bulb.customDistance]).toEqual([12.56637, 8, true]);
    expect(bulb.position).toEqual([1, 2, 3]);
    const [eye] = scene.cameras ?? [];
    expect(eye).toMatchObject({ entity: 4, name: 'Eye', position: [0, 1, 5], forward: [0, 0, -1] });
    expect([eye.fovYDegrees, eye.nearClip, eye.farClip, eye.aspectRatio]).toEqual([90, 0.25, 500, 1.25]);
  });

  it('of USD carries them in metres and Y up', async () => {
    writeFileSync(join(folder, 'scene.usda'), USDA);
    const [path] = await cook('scene.usda', 'scene.untold');
    expect(await validateUntold(bytes(path), path, { engine: true })).toEqual([]);
    const { lights, cameras } = await readUntold(bytes(path), path);
    // -Z of a stage with Z up is -Y of the engine; 683 nits on 2 m2 are 2 pi W.
    expect(lights).toMatchObject([{ entity: 2, name: 'Panel', type: 'area' }]);
    const [panel] = lights ?? [];
    expect(round([panel.intensity, ...panel.areaSize])).toEqual([6.28319, 2, 1]);
    expect(round([...panel.position, ...panel.direction])).toEqual([0, 3, 0, 0, -1, 0]);
    // Turned up by 90 degrees the camera looks along +Y of the stage, -Z of the engine.
    const [eye] = cameras ?? [];
    expect(eye).toMatchObject({ entity: 3, name: 'Eye', fovYDegrees: 90, farClip: 500 });
    expect(round([...eye.position, ...eye.forward, ...eye.up])).toEqual([0, 1, 5, 0, 0, -1, 0, 1, 0]);
    expect(round([eye.nearClip, eye.aspectRatio])).toEqual([0.1, 1.5]);
  });
});

describe('a folder', () => {
  it.each([
    ['scene.glb', GLB, ['Sun', 'Near'], 2],
    ['scene.usda', USDA, ['Panel'], 1],
  ] as const)('of %s has them in its manifest and in no tile', async (source, content, names, tiles) => {
    writeFileSync(join(folder, source), content);
    const paths = await cook(source, 'out');
    const payloads = paths.filter((path) => path.endsWith('.untold'));
    expect(payloads).toHaveLength(tiles);
    for (const path of payloads) {
      const tile = await readUntold(bytes(path), path);
      expect('lights' in tile || 'cameras' in tile).toBe(false);
    }
    const text = readFileSync(join(folder, 'out/scene.json'), 'utf8');
    const probe = {
      size: (path: string) =>
        paths.includes(join(folder, 'out', path)) ? bytes(join(folder, 'out', path)).length : null,
      read: (path: string) => bytes(join(folder, 'out', path)),
    };
    const report = await validateManifest(text, 'scene.json', probe);
    expect(report.diagnostics).toEqual([]);
    const manifest = JSON.parse(text);
    expect(manifest.scene_lights.map((light: { entity_name: string }) => light.entity_name)).toEqual(names);
    expect(manifest.scene_cameras).toMatchObject([{ entity_name: 'Eye' }]);
    expect(round([manifest.scene_cameras[0].fov_y_degrees])).toEqual([90]);
  });
});
