// The sample scene is written once as glTF and once as USD, in all their containers: each cooks to the same triangles,
// bounds and materials.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldScene } from '../../src/formats/untold/types.ts';
import { cookToFile, trianglesOf } from './cooked.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');
const FILES = ['glb/courtyard.glb', 'gltf/courtyard.gltf', 'courtyard.usdz', 'usda/courtyard.usda'];

interface Sample {
  readonly scene: UntoldScene;
  readonly triangles: readonly string[];
  readonly materials: readonly string[];
}

let folder: string;
const cooked = new Map<string, Sample>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'untold-samples-'));
  for (const name of FILES) {
    // Baked: the normals of instances are stored in the space of their mesh, which is not the same in both formats.
    const outcome = await cookToFile(join(SAMPLES, name), folder, { instances: 'bake' });
    expect([name, outcome.status]).toEqual([name, 'ok']);
    const scene = await readUntold(new Uint8Array(readFileSync(outcome.file)), name);
    cooked.set(name, { scene, triangles: triangleKeys(scene), materials: materialKeys(scene) });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A material with its textures by the hash of their content, which stands in their names. */
function materialKey(scene: UntoldScene, index: number): string {
  const material = scene.materials[index];
  const named = Object.entries(material).map(([key, value]) => {
    if (!key.endsWith('Texture')) return [key, value];
    return [key, scene.textures[value as number]?.uri.replace(/^.*_/, '') ?? null];
  });
  return JSON.stringify(Object.fromEntries(named));
}

function materialKeys(scene: UntoldScene): string[] {
  return scene.materials.map((_, i) => materialKey(scene, i)).sort();
}

/** Each triangle with the name of its material, from its least corner on. Everything in it is as it is stored. */
function triangleKeys(scene: UntoldScene): string[] {
  return trianglesOf(scene)
    .map(({ corners, material }) => {
      const ring = corners.map(({ position, normal, uv }) =>
        [...position, ...normal, ...uv].map((value) => value + 0).join(' '),
      );
      const first = ring.indexOf([...ring].sort()[0]);
      return `${scene.materials[material].name}: ${[...ring.slice(first), ...ring.slice(0, first)].join(' | ')}`;
    })
    .sort();
}

test('the first has triangles and materials of several kinds', () => {
  const { scene, triangles } = cooked.get(FILES[0])!;
  expect(triangles.length).toBeGreaterThan(200);
  expect(new Set(scene.materials.map((material) => material.alphaMode)).size).toBeGreaterThan(1);
  expect(scene.textures.length).toBeGreaterThan(3);
});

test.each(FILES.slice(1))('%s is the same scene as the GLB', (name) => {
  const glb = cooked.get(FILES[0])!;
  const other = cooked.get(name)!;
  expect(other.scene.worldBounds).toEqual(glb.scene.worldBounds);
  expect(other.materials).toEqual(glb.materials);
  expect(other.triangles.length).toBe(glb.triangles.length);
  const known = new Set(glb.triangles);
  expect(other.triangles.filter((key) => !known.has(key)).slice(0, 3)).toEqual([]);
  expect(other.triangles).toEqual(glb.triangles);
});
