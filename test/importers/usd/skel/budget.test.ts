// What a small file can ask for many times is bounded.

import { describe, expect, it } from 'vitest';
import { Budget } from '../../../../src/importers/usd/skel/budget.ts';
import { quad } from '../importText.ts';
import { at, BOUND, boundAt, importText, influences, rig, skeleton } from './skelText.ts';

describe('a budget', () => {
  it('gives what is left, and nothing for what does not fit', () => {
    const budget = new Budget(10);
    expect([budget.take(6), budget.take(5), budget.take(4), budget.take(1), budget.take(0)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(budget.take(Number.NaN)).toBe(false);
  });
});

describe('influences that are the same at every vertex', () => {
  it('are refused where they would be too many', async () => {
    const count = 70_000;
    const many = new Array(count).fill('0').join();
    const points = `point3f[] points = [${new Array(1000).fill('(0, 0, 0)').join()}]`;
    const mesh = quad('n', `${BOUND}\n${influences(many, many, count, 'constant')}`).replace(
      /point3f\[\] points = .*/,
      points,
    );
    const { scene, diagnostics } = await importText(rig('', skeleton(), mesh));
    expect(boundAt(scene, '/R/n')).toBeUndefined();
    const item = diagnostics.list.find(({ code }) => code === 'UC1846');
    expect(item?.message).toBe('the skinning is left out: 70000 influences for each of 1000 points');
  });
});

describe('values of any type', () => {
  const VALUES = [
    'int x = 1',
    'int[] x = [1, 2, 3, 4]',
    'float x = 1',
    'float[] x = [1, 2, 3, 4]',
    'double[] x = [1, 1, 1, 1]',
    'half[] x = [1, 1, 1, 1]',
    'token x = "Hip"',
    'token[] x = ["Hip", "Hip/Leg", "", "/"]',
    'string[] x = ["Hip"]',
    'token[] x = []',
    'asset x = @a.usda@',
    'float3[] x = [(1, 2, 3)]',
    'quatf[] x = [(1, 0, 0, 0)]',
    'matrix4d x = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))',
    `matrix4d[] x = [${at(0, 0, 0)}]`,
    'matrix3d[] x = [((1, 0, 0), (0, 1, 0), (0, 0, 1))]',
    'bool[] x = [1]',
    'int64[] x = [1, 2]',
    'int[] x = None',
    'int[] x',
    'rel x = </R/S>',
    'float[] x.timeSamples = { 0: [1], 1: None }',
  ];
  const PLACES: Readonly<Record<string, readonly string[]>> = {
    mesh: [
      'skel:skeleton',
      'skel:joints',
      'primvars:skel:jointIndices',
      'primvars:skel:jointIndices:indices',
      'primvars:skel:jointWeights',
      'primvars:skel:geomBindTransform',
      'primvars:skel:skinningMethod',
    ],
    skeleton: ['joints', 'bindTransforms', 'restTransforms', 'skel:animationSource'],
    animation: ['joints', 'translations', 'rotations', 'scales'],
  };

  it('end in a stage that is drawn', async () => {
    const lines = (kind: string, name: string, value: string) =>
      Object.entries(SOUND)
        .filter(([key]) => key.startsWith(`${kind} `))
        .map(([key, text]) => (key === `${kind} ${name}` ? value.replace(' x', ` ${name}`) : text))
        .concat(`${kind} ${name}` in SOUND ? [] : [value.replace(' x', ` ${name}`)])
        .join('\n');
    const severities = new Set<string>();
    for (const [broken, names] of Object.entries(PLACES)) {
      for (const name of names) {
        for (const value of VALUES) {
          const part = (kind: string) => lines(kind, kind === broken ? name : '', kind === broken ? value : '');
          const walk = `def SkelAnimation "W" {\n${part('animation')}\n}`;
          const body = rig(part('mesh'), skeleton(part('skeleton')), walk).replaceAll('; ', '\n');
          const { scene, diagnostics } = await importText(body);
          for (const { severity } of diagnostics.list) severities.add(severity);
          await scene.meshes[0].primitives[0].bound?.read();
        }
      }
    }
    expect([...severities]).toEqual(['warning']);
  });

  const SOUND: Readonly<Record<string, string>> = {
    'mesh skel:skeleton': BOUND,
    'mesh primvars:skel:jointIndices': 'int[] primvars:skel:jointIndices = [0]',
    'mesh primvars:skel:jointWeights': 'float[] primvars:skel:jointWeights = [1]',
    'skeleton joints': 'uniform token[] joints = ["Hip"]',
    'skeleton bindTransforms': `uniform matrix4d[] bindTransforms = [${at(0, 1, 0)}]`,
    'skeleton skel:animationSource': 'rel skel:animationSource = </R/W>',
    'animation joints': 'uniform token[] joints = ["Hip"]',
    'animation translations': 'float3[] translations = [(1, 2, 3)]',
  };
});
