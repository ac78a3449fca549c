import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOutEach, outEachRoot } from '../../src/config/outEach.ts';
import { mainFile, planTargets, sceneName, type TargetPlan, type TargetSource } from '../../src/config/targets.ts';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';

const OUT = resolve('/out');
const ROOT = resolve('/art');

function source(path: string): TargetSource {
  const absolute = resolve('/art', path);
  return { path: absolute, folder: resolve(absolute, '..'), name: path };
}

function planned(paths: readonly string[], given: Partial<TargetPlan>) {
  const plan = { out: OUT, outEach: null, root: null, workingFolder: ROOT, extension: '.untold', renames: false };
  return planTargets(paths.map(source), { ...plan, ...given });
}

function plan(paths: readonly string[], root: string | null, out = OUT): string[] {
  return planned(paths, { root, out }).map(({ target }) => mainFile(target));
}

/** What stands in the way of each source. */
function clashes(paths: readonly string[], given: Partial<TargetPlan> = {}): string[] {
  return planned(paths, given).map(({ fault }) => (fault ? `${fault.code} ${fault.file}: ${fault.message}` : ''));
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
    ['Aux.glb', 'Aux_'],
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
    expect(clashes(['a/Scene.gltf', 'c/other.glb', 'b/scene.gltf'])).toEqual([
      'UC1005 a/Scene.gltf: writes Scene.json, as b/scene.gltf does',
      '',
      'UC1005 b/scene.gltf: writes scene.json, as a/Scene.gltf does',
    ]);
    expect(clashes(['a/Scene.gltf', 'A/scene.glb'], { root: ROOT })[1]).toBe(
      'UC1005 A/scene.glb: writes A/scene.json, as a/Scene.gltf does',
    );
    expect(clashes(['my town.glb', 'my_town.usd']).filter((fault) => fault !== '')).toHaveLength(2);
  });

  test('take the extension into the names of those that clash', () => {
    const paths = ['ball.usdz', 'ball.usda', 'cube.glb'];
    const names = planned(paths, { renames: true }).map(({ target, fault }) => [mainFile(target), fault]);
    expect(names).toEqual([
      [join(OUT, 'ball_usdz.json'), null],
      [join(OUT, 'ball_usda.json'), null],
      [join(OUT, 'cube.json'), null],
    ]);
    // The name that one takes may be that of a third; equal extensions tell nothing apart.
    const codes = (more: readonly string[]) => clashes(more, { renames: true }).map((fault) => fault.slice(0, 6));
    expect(codes(['ball.usdz', 'ball.usda', 'ball_usdz.glb'])).toEqual(['UC1005', '', 'UC1005']);
    expect(codes(['a/ball.usdz', 'b/ball.usdz'])).toEqual(['UC1005', 'UC1005']);
  });

  test('are refused for several sources and one file, and for sources outside the root', () => {
    expect(faults(() => plan(['a.glb', 'b.glb'], null, resolve('/out/x.untold')))[0]).toMatch(/^UC1006/);
    expect(faults(() => plan(['../else/a.glb', 'b.glb'], ROOT))[0]).toMatch(/^UC1011 \.\.\/else\/a\.glb/);
    expect(faults(() => plan(['..b/a.glb'], ROOT))).toEqual([]);
  });

  test('are a file each by a pattern', () => {
    const each = (paths: readonly string[], pattern: string, given: Partial<TargetPlan> = {}) =>
      planned(paths, { out: null, outEach: resolve('/out', pattern), ...given }).map(({ target }) => mainFile(target));
    expect(each(['a/b/x y.glb', 'z.GLTF'], 'props/{dir}/{name}-{ext}.untold')).toEqual([
      resolve('/out/props/a/b/x_y-glb.untold'),
      resolve('/out/props/z-gltf.untold'),
    ]);
    expect(each(['a/b/x.glb'], '{dir}/{name}.untold', { root: resolve('/art/a') })).toEqual([
      resolve('/out/b/x.untold'),
    ]);
    // Without {dir} a source may lie anywhere.
    expect(each(['../x.glb'], '{name}.untold')).toEqual([resolve('/out/x.untold')]);
    expect(faults(() => each(['../x.glb'], '{dir}/{name}.untold'))).toEqual([
      'UC1011 ../x.glb: the source does not lie below the working folder, which {dir} is relative to',
    ]);
    expect(clashes(['a/x.glb', 'b/x.glb'], { out: null, outEach: resolve('/out/p/{name}.untold') })[0]).toBe(
      'UC1005 a/x.glb: writes x.untold, as b/x.glb does',
    );
    expect([outEachRoot(resolve('/o/p/q-{name}.untold')), outEachRoot(resolve('/o/x.untold'))]).toEqual([
      resolve('/o/p'),
      resolve('/o'),
    ]);
    expect(faults(() => checkOutEach('/out/{stem}.untold', '.untold'))[0]).toMatch(/^UC1003 .*\{stem\}/);
    expect(faults(() => checkOutEach('/out/{name}.glb', '.untold'))[0]).toMatch(/^UC1003 .*\.untold/);
  });
});
