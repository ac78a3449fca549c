// Skinned stages of other people, which are not part of the project; without them the tests are skipped.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import { diskFiles } from '../../../../src/importers/files.ts';
import { importSource } from '../../../../src/importers/index.ts';
import { inverse } from '../../../../src/importers/usd/geom/xform.ts';
import { multiply, transformPoint } from '../../../../src/scene/matrix.ts';
import type { Mat4, PolygonMesh, Scene, SceneSkin, Vec3 } from '../../../../src/scene/types.ts';

const ASSETS = resolve(import.meta.dirname, '../../../../../shared/assets/usd');
const MODELS = 'tinyusdz-models';

const FILES = [
  { file: `${MODELS}/simple-skin-test.usda`, joints: 2, clips: 0 },
  { file: `${MODELS}/simple-skin-test-002.usda`, joints: 3, clips: 0 },
  { file: `${MODELS}/skintest.usda`, joints: 2, clips: 0 },
  { file: `${MODELS}/skintest.usdc`, joints: 2, clips: 0 },
  { file: `${MODELS}/skintest-blender-4.1.usda`, joints: 2, clips: 0 },
  { file: 'usdz/CesiumMan/CesiumMan.usdz', joints: 19, clips: 1 },
];

/** The matrices of a skin that take points to engine space in the rest pose. */
function paletteAtRest(scene: Scene, skin: SceneSkin): Mat4[] {
  const worlds: Mat4[] = [];
  const { root, joints } = scene.skeletons![skin.skeleton];
  for (const { parent, rest } of joints) worlds.push(multiply(parent < 0 ? root : worlds[parent], rest));
  return [...skin.joints].map((joint, i) => {
    const bind = skin.bind.slice(i * 16, i * 16 + 16);
    return multiply(multiply(worlds[joint], inverse(bind)!), skin.meshBind);
  });
}

/** The greatest distance between points as a palette moves them and as `world` places them, in metres. */
function farthest({ points, skinning }: PolygonMesh, palette: readonly Mat4[], world: Mat4): number {
  const { influences, joints, weights } = skinning!;
  let max = 0;
  for (let v = 0; v < points.length / 3; v++) {
    const point: Vec3 = [points[v * 3], points[v * 3 + 1], points[v * 3 + 2]];
    const placed = [...transformPoint(world, point)];
    for (let k = v * influences; k < (v + 1) * influences; k++) {
      transformPoint(palette[joints[k]], point).forEach((x, c) => {
        placed[c] -= x * weights[k];
      });
    }
    max = Math.max(max, Math.hypot(...placed));
  }
  return max;
}

describe.skipIf(!existsSync(ASSETS))('skinned stages', () => {
  it.each(FILES)('$file has weights of 1, and its rest pose is where its meshes are placed', async (expected) => {
    const path = resolve(ASSETS, expected.file);
    const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: { keepsRigs: true } };
    const scene = await importSource(path, path, context);
    expect(scene.skeletons?.map(({ joints }) => joints.length)).toEqual([expected.joints]);
    expect(scene.clips?.length ?? 0).toBe(expected.clips);
    let vertices = 0;
    for (const { mesh: index, world } of scene.nodes) {
      const bound = index < 0 ? undefined : scene.meshes[index].primitives[0].bound;
      if (!bound) continue;
      const mesh = await bound.read();
      const { influences, weights } = mesh.skinning!;
      vertices += mesh.points.length / 3;
      for (let v = 0; v < mesh.points.length / 3; v++) {
        const sum = weights.slice(v * influences, (v + 1) * influences).reduce((a, b) => a + b, 0);
        if (Math.abs(sum - 1) > 1e-4) throw new Error(`vertex ${v} has the weight ${sum}`);
      }
      expect(farthest(mesh, paletteAtRest(scene, scene.skins![bound.skin]), world)).toBeLessThan(1e-5);
    }
    expect(vertices).toBeGreaterThan(0);
  });

  it('the clip of CesiumMan walks two seconds, less one frame, with every joint', async () => {
    const path = resolve(ASSETS, 'usdz/CesiumMan/CesiumMan.usdz');
    const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: { keepsRigs: true } };
    const [clip] = (await importSource(path, path, context)).clips ?? [];
    expect([clip.name, clip.channels.length]).toEqual(['skelAnim_0', 19]);
    expect(clip.start).toBeCloseTo(1 / 24, 12);
    expect(clip.duration).toBeCloseTo(47 / 24, 12);
    for (const { rotation } of clip.channels) {
      const { times, values } = rotation!;
      expect(times.length).toBe(48);
      for (let k = 0; k < times.length; k++) expect(Math.hypot(...values.slice(k * 4, k * 4 + 4))).toBeCloseTo(1, 3);
    }
  });
});
