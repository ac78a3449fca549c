import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mainFile, planTargets, sceneName, type TargetSource } from '../../src/config/targets.ts';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';

const OUT = resolve('/out');
const ROOT = resolve('/art');

function source(path: string): TargetSource {
  const absolute = resolve('/art', path);
  return { path: absolute, folder: resolve(absolute, '..'), name: path };
}

function plan(paths: readonly string[], root: string | null, out = OUT): string[] {
  return planTargets(paths.map(source), out, root, '.untold').map(mainFile);
}

function faults(action: () => unknown): string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics.map((d) => `${d.code} ${d.file}: ${d.message}`);
    throw error;
  }
  return [];
}

describe('scene names', () => {
  test.each([
    ['town.glb', 'town'],
    ['My Town (2).gltf', 'My_Town__2'],
    ['__x__.usd', 'x'],
    ['a.b.usdz', 'a_b'],
    ['north-gate_1.usda', 'north-gate_1'],
    ['Straße.glb', 'Straße'],
    ['Cafe\u0301.glb', 'Caf\u00e9'],
    ['(1).glb', '1'],
    ['!!!.glb', 'scene'],
  ])('%s gives %s', (file, name) => {
    expect(sceneName(`/art/${file}`)).toBe(name);
  });
});

describe('targets', () => {
  test('lie in the output folder itself without a root', () => {
    expect(plan(['a/town.glb', 'b/park.gltf'], null)).toEqual([join(OUT, 'town.json'), join(OUT, 'park.json')]);
  });

  test('keep the folders below a root', () => {
    expect(plan(['a/scene.gltf', 'b/c/scene.gltf', 'scene.gltf'], ROOT)).toEqual([
      join(OUT, 'a/scene.json'),
      join(OUT, 'b/c/scene.json'),
      join(OUT, 'scene.json'),
    ]);
  });

  test('are one file exactly when the output ends in .untold', () => {
    expect(plan(['a/town.glb'], null, resolve('/out/x.untold'))).toEqual([resolve('/out/x.untold')]);
    expect(plan(['a/town.glb'], null, resolve('/out/x.UNTOLD'))).toEqual([join(resolve('/out/x.UNTOLD'), 'town.json')]);
  });

  test('clash without case, and both sources are named', () => {
    expect(faults(() => plan(['a/Scene.gltf', 'b/scene.gltf'], null))).toEqual([
      'UC1005 b/scene.gltf: writes scene.json in --out, as a/Scene.gltf does',
    ]);
    expect(faults(() => plan(['a/Scene.gltf', 'A/scene.glb'], ROOT))).toEqual([
      'UC1005 A/scene.glb: writes A/scene.json in --out, as a/Scene.gltf does',
    ]);
    expect(faults(() => plan(['my town.glb', 'my_town.usd'], null))).toHaveLength(1);
  });

  test('are refused for several sources and one file, and for sources outside the root', () => {
    expect(faults(() => plan(['a.glb', 'b.glb'], null, resolve('/out/x.untold')))[0]).toMatch(/^UC1006/);
    expect(faults(() => plan(['../else/a.glb', 'b.glb'], ROOT))[0]).toMatch(/^UC1011 \.\.\/else\/a\.glb/);
    expect(faults(() => plan(['..b/a.glb'], ROOT))).toEqual([]);
  });
});
