import { describe, expect, it } from 'vitest';
import type { ScenePrimitive } from '../../../../src/scene/types.ts';
import { importText, quad } from '../importText.ts';

const SHAPE =
  'def BlendShape "up" {\nuniform vector3f[] offsets = [(0, 0, 1), (0, 0, 2)]\nuniform int[] pointIndices = [3, 1]\n}';
const bind = (names = '["Up"]', targets = '[</r/m/up>]') =>
  `uniform token[] skel:blendShapes = ${names}\nrel skel:blendShapeTargets = ${targets}`;
const skinned =
  'int[] primvars:skel:jointIndices = [0] ( interpolation = "constant" )\nfloat[] primvars:skel:jointWeights = [1] ( interpolation = "constant" )';
const skeleton = (more = '') =>
  `def Skeleton "s" {\nuniform token[] joints = ["A"]\nuniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\nuniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n${more}\n}`;
const stage = (mesh: string, more = '', animation = '') =>
  `def SkelRoot "r" {\n${skeleton(animation === '' ? '' : 'rel skel:animationSource = </r/anim>')}\n${animation}\n${quad('m', `rel skel:skeleton = </r/s>\n${skinned}\n${mesh}`)}\n${more}\n}`;
const animation = (weights: string) =>
  `def SkelAnimation "anim" {\nuniform token[] blendShapes = ["Other", "Up"]\nfloat[] blendShapeWeights${weights}\n}`;

async function read(text: string, keepsRigs = true, time?: number) {
  const { scene, codes } = await importText(
    text,
    undefined,
    {},
    { keepsRigs, ...(time === undefined ? {} : { time }) },
  );
  const primitive = scene.meshes[0].primitives[0] as ScenePrimitive;
  return { primitive, codes: codes(), deltas: await primitive.morphs?.read(), points: (await primitive.read()).points };
}

describe('a blend shape', () => {
  it('has the name of the mesh and the offsets of its target, in the order of the points', async () => {
    const { primitive, deltas, codes } = await read(stage(`${bind()}\n${SHAPE}`));
    expect(primitive.morphs?.targets).toEqual([{ name: 'Up', weight: 0 }]);
    expect(deltas).toEqual([
      { vertices: Uint32Array.of(1, 3), positions: Float32Array.of(0, 0, 2, 0, 0, 1), normals: null },
    ]);
    expect(primitive.bound).toBeDefined();
    expect(codes).toEqual([]);
  });

  it('without point indices moves all points; normal offsets come along; equal points add up', async () => {
    const whole =
      'def BlendShape "up" {\nuniform vector3f[] offsets = [(1, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 1)]\nuniform vector3f[] normalOffsets = [(0, 1, 0), (0, 0, 0), (0, 0, 0), (1, 0, 0)]\n}';
    const { deltas } = await read(stage(`${bind()}\n${whole}`));
    expect(deltas?.[0].vertices).toEqual(Uint32Array.of(0, 1, 2, 3));
    expect(deltas?.[0].normals).toEqual(Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0));
    const twice = await read(stage(`${bind()}\n${SHAPE.replace('[3, 1]', '[2, 2]')}`));
    expect(twice.deltas).toEqual([{ vertices: Uint32Array.of(2), positions: Float32Array.of(0, 0, 3), normals: null }]);
  });

  it('stands at the weight of the animation where that does not change, in tiles too', async () => {
    const text = stage(`${bind()}\n${SHAPE}`, '', animation(' = [0.9, 0.5]'));
    const { primitive, points, codes } = await read(text);
    expect(primitive.morphs?.targets).toEqual([{ name: 'Up', weight: 0.5 }]);
    expect([1, 3].map((v) => points[v * 3 + 2])).toEqual([1, 0.5]);
    expect(primitive.bounds?.max[2]).toBe(1);
    expect(codes).toEqual([]);
    const still = await read(text, false);
    expect([still.points[5], still.codes]).toEqual([1, ['UC1837']]);
  });

  it('stands at 0 where the weight changes, which is named, or at that of --time', async () => {
    const text = stage(`${bind()}\n${SHAPE}`, '', animation('.timeSamples = { 0: [0, 0.25], 10: [0, 1] }'));
    const { primitive, codes } = await read(text);
    expect([primitive.morphs?.targets, codes]).toEqual([[{ name: 'Up', weight: 0 }], ['UC2096']]);
    expect((await read(text, true, 10)).primitive.morphs?.targets).toEqual([{ name: 'Up', weight: 1 }]);
  });

  it('with in-between shapes says so', async () => {
    const between = SHAPE.replace(
      '\n}',
      '\nuniform vector3f[] inbetweens:half = [(0, 0, 1), (0, 0, 1)] ( weight = 0.5 )\n}',
    );
    const { primitive } = await read(stage(`${bind()}\n${between}`));
    expect(primitive.morphs?.targets).toEqual([{ name: 'Up', weight: 0, lost: ['in-between shapes'] }]);
  });

  it.each([
    ['without a target', bind('["Up"]', '[]'), SHAPE],
    ['whose target is none', bind('["Up"]', '[</r/m/none>]'), SHAPE],
    ['without offsets', bind(), 'def BlendShape "up" {}'],
    ['with more offsets than indices', bind(), SHAPE.replace('[3, 1]', '[3]')],
    ['of a point that is not there', bind(), SHAPE.replace('[3, 1]', '[3, 4]')],
    ['of a negative point', bind(), SHAPE.replace('[3, 1]', '[-1, 1]')],
    ['with an offset that is infinite', bind(), SHAPE.replace('(0, 0, 1)', '(0, 0, inf)')],
    [
      'with too few normal offsets',
      bind(),
      SHAPE.replace('\n}', '\nuniform vector3f[] normalOffsets = [(0, 0, 1)]\n}'),
    ],
  ])('%s is left out', async (_, binding, shape) => {
    const { primitive, codes } = await read(stage(`${binding}\n${shape}`));
    expect([primitive.morphs, codes]).toEqual([undefined, ['UC1859']]);
  });

  it('tells meshes of equal points apart', async () => {
    const other = quad('n', `rel skel:skeleton = </r/s>\n${skinned}\n${bind('["Down"]')}`);
    const { scene } = await importText(stage(`${bind()}\n${SHAPE}`, other), undefined, {}, { keepsRigs: true });
    expect(scene.meshes.map(({ primitives }) => primitives[0].morphs?.targets[0].name)).toEqual(['Up', 'Down']);
  });
});
