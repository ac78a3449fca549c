// Broken skeletons and bindings: the stage is cooked as without them, with a warning that says what is broken.

import { describe, expect, it } from 'vitest';
import { quad } from '../importText.ts';
import { at, BOUND, boundAt, CHAIN, importText, influences, PLAIN, rig, skeleton } from './skelText.ts';

/** The warnings of a stage in which the mesh is not bound. */
async function unbound(body: string, path = '/R/m'): Promise<string[]> {
  const { scene, diagnostics } = await importText(body);
  expect(boundAt(scene, path)).toBeUndefined();
  expect(scene.skins).toBeUndefined();
  expect(diagnostics.list.every(({ severity }) => severity === 'warning')).toBe(true);
  const items = diagnostics.list.filter(({ code }) => code !== 'UC1837');
  return items.map(({ code, path, message }) => `${code} ${path} ${message}`);
}

const bones = (joints: string, bind: string, rest = '') =>
  `uniform token[] joints = [${joints}]\nuniform matrix4d[] bindTransforms = [${bind}]\n${rest}`;

const FLAT = '((1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))';

describe('UC1845 and UC1847', () => {
  it.each([
    ['no joints', '', 'it has no joints'],
    ['a wrong type', 'uniform int[] joints = [1, 2]', 'it has no joints'],
    ['a joint twice', bones('"A", "A"', `${at(0, 0, 0)}, ${at(0, 0, 0)}`), 'the joint "A" is there twice'],
    ['the same path twice', bones('"A", "/A"', `${at(0, 0, 0)}, ${at(0, 0, 0)}`), 'the joint "A" is there twice'],
    ['an empty name', bones('"A", "A//B"', `${at(0, 0, 0)}, ${at(0, 0, 0)}`), '"A//B" is no path of a joint'],
    ['no matrices', 'uniform token[] joints = ["A", "B"]', 'it has no bindTransforms'],
    [
      'a bind pose without an inverse and no rest pose',
      bones('"A", "A/B"', `${FLAT}, ${at(0, 0, 0)}`),
      'bindTransforms of "A" has no inverse',
    ],
    [
      'two poses that do not fit',
      bones('"A", "B"', at(0, 0, 0), `uniform matrix4d[] restTransforms = [${at(0, 0, 0)}]`),
      'restTransforms has 1 matrices for 2 joints, and bindTransforms has 1 matrices for 2 joints',
    ],
  ])('a skeleton with %s is left out', async (_, properties, why) => {
    expect(await unbound(rig(undefined, skeleton(properties)))).toEqual([
      `UC1845 /R/S the skeleton is left out: ${why}`,
      'UC1847 /R/m the skinning is left out: the skeleton </R/S> cannot be used',
    ]);
  });

  it.each([
    ['too few matrices', at(0, 0, 0), 'bindTransforms has 1 matrices for 2 joints'],
    [
      'nan',
      `${at(0, 0, 0)}, ((nan, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))`,
      'matrix 1 of bindTransforms is not finite',
    ],
    [
      'a projection',
      `${at(0, 0, 0)}, ((1, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))`,
      'matrix 1 of bindTransforms is projective',
    ],
    ['no inverse', `${at(0, 0, 0)}, ${FLAT}`, 'the bind matrix of "Hip/Leg" has no inverse'],
  ])('a bind pose with %s moves no mesh', async (_, bind, why) => {
    const own = CHAIN.replace(/bindTransforms = .*/, `bindTransforms = [${bind}]`);
    expect(await unbound(rig(undefined, skeleton(own)))).toEqual([
      `UC1847 /R/m the skinning is left out: of the skeleton </R/S>, ${why}`,
    ]);
  });

  it('a rest pose that does not fit is taken from the bind pose', async () => {
    const own = CHAIN.replace(/restTransforms = .*/, `restTransforms = [${at(0, 0, 0)}]`);
    const { scene, diagnostics } = await importText(rig(undefined, skeleton(own)));
    expect(diagnostics.list.map(({ code, path }) => `${code} ${path}`)).toEqual(['UC1845 /R/S']);
    expect(scene.skeletons?.[0].joints[1].rest[13]).toBe(2);
    expect(boundAt(scene)?.skin).toBe(0);
  });

  it.each([
    ['rel skel:skeleton = </R/None>', '</R/None> is no active Skeleton'],
    ['rel skel:skeleton = </R>', '</R> is no active Skeleton'],
    [
      `${BOUND}\nuniform token[] skel:joints = ["Hip", "Tail"]`,
      'skel:joints names "Tail", which the skeleton does not have',
    ],
    [`${BOUND}\nuniform token[] skel:joints = ["Hip", "Hip"]`, 'in skel:joints, the joint "Hip" is there twice'],
    [
      `${BOUND}\nmatrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0), (0, inf, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))`,
      'its geomBindTransform is not finite',
    ],
  ])('%s', async (binding, why) => {
    expect(await unbound(rig(`${binding}\n${PLAIN}`))).toEqual([`UC1847 /R/m the skinning is left out: ${why}`]);
  });

  it('a mesh that is not below a SkelRoot is static; one below two of them is not', async () => {
    const outside = `${rig()}\n${quad('n', `${BOUND}\n${PLAIN}`)}`.replaceAll(' }', '\n}');
    const { scene, diagnostics } = await importText(outside);
    expect(diagnostics.list.map(({ code, path }) => `${code} ${path}`)).toEqual(['UC1847 /n', 'UC1837 /n']);
    expect([boundAt(scene, '/n'), boundAt(scene)?.skin]).toEqual([undefined, 0]);
    const above = `def Xform "X" {\nrel skel:skeleton = </X/R/S>\n${rig(PLAIN)}\n}`;
    expect(await unbound(above, '/X/R/m')).toEqual([]);
    const nested = await importText(
      rig('', skeleton(), `def SkelRoot "I" {\n${quad('n', PLAIN)}\n}`, BOUND).replaceAll(' }', '\n}'),
    );
    expect(boundAt(nested.scene, '/R/I/n')?.skin).toBe(0);
  });
});

describe('UC1846', () => {
  const joints = (text: string) => `int[] primvars:skel:jointIndices = ${text}`;
  const weights = (text: string) => `float[] primvars:skel:jointWeights = ${text}`;
  const VERTEX = '( interpolation = "vertex" )';

  it.each([
    ['joints alone', joints(`[0, 0, 0, 0] ${VERTEX}`), 'joint indices without weights'],
    ['weights alone', weights(`[1, 1, 1, 1] ${VERTEX}`), 'weights without joint indices'],
    ['too few', influences('0, 0, 0', '1, 1, 1'), 'primvars:skel:jointIndices has 3 values, not 4'],
    ['other counts', influences('0, 0, 0, 0', '1, 1, 1'), 'primvars:skel:jointWeights has 3 values, not 4'],
    ['another size', influences('0, 0, 0, 0', '1, 1, 1, 1', 2), 'primvars:skel:jointIndices has 4 values, not 8'],
    ['no size', influences('0, 0, 0, 0', '1, 1, 1, 1', 0), 'primvars:skel:jointIndices has the elementSize 0'],
    ['faceVarying', influences('0', '1', 1, 'faceVarying'), 'influences are faceVarying, not vertex or constant'],
    ['varying', influences('0', '1', 1, 'varying'), 'influences are varying, not vertex or constant'],
    [
      'two interpolations',
      `${joints('[0]')}\n${weights(`[1, 1, 1, 1] ${VERTEX}`)}`,
      'joints are constant, weights vertex',
    ],
    [
      'two sizes',
      `${joints('[0, 0] ( elementSize = 2 )')}\n${weights('[1]')}`,
      'joints have the elementSize 2, weights 1',
    ],
    ['a joint too far', influences('0, 0, 0, 2', '1, 1, 1, 1'), 'joint index 3 is 2, and there are 2 joints'],
    ['a joint below 0', influences('0, -1, 0, 0', '1, 1, 1, 1'), 'joint index 1 is -1, and there are 2 joints'],
    ['a weight that is nan', influences('0, 0, 0, 0', '1, nan, 1, 1'), 'weight 1 is NaN'],
    ['a weight below 0', influences('0, 0, 0, 0', '1, 1, -0.5, 1'), 'weight 2 is -0.5'],
    [
      'a wrong type',
      `float[] primvars:skel:jointIndices = [0, 0, 0, 0] ${VERTEX}\n${weights(`[1, 1, 1, 1] ${VERTEX}`)}`,
      'primvars:skel:jointIndices is of the type Float',
    ],
    [
      'an index without a value',
      `${joints(`[0] ${VERTEX}`)}\nint[] primvars:skel:jointIndices:indices = [0, 0, 0, 1]\n${weights(`[1, 1, 1, 1] ${VERTEX}`)}`,
      'an index of primvars:skel:jointIndices has no value',
    ],
  ])('%s', async (_, text, why) => {
    expect(await unbound(rig(`${BOUND}\n${text}`))).toEqual([`UC1846 /R/m the skinning is left out: ${why}`]);
  });

  it('influences of points are refused on a shape that has none of its own', async () => {
    const cube = `def Cube "m" {\n${BOUND}\n${PLAIN}\n}`;
    const body = `def SkelRoot "R" {\n${skeleton()}\n${cube}\n}`.replaceAll(' }', '\n}');
    expect(await unbound(body)).toEqual(['UC1846 /R/m the skinning is left out: influences are vertex, not constant']);
  });

  it('indexed influences are read', async () => {
    const text = `${joints(`[1, 0] ${VERTEX}`)}\nint[] primvars:skel:jointIndices:indices = [0, 0, 1, 1]\n${weights(`[1, 1, 1, 1] ${VERTEX}`)}`;
    const { scene } = await importText(rig(`${BOUND}\n${text}`));
    expect([...((await boundAt(scene)?.read())?.skinning?.joints ?? [])]).toEqual([1, 1, 0, 0]);
  });
});

describe('UC1849', () => {
  it('dual quaternions are counted, and the mesh is bound', async () => {
    const method = (name: string) => `${BOUND}\n${PLAIN}\nuniform token ${name} = "dualQuaternion"`;
    const body = rig(method('primvars:skel:skinningMethod'), skeleton(), quad('n', method('skel:skinningMethod')));
    const { scene, diagnostics } = await importText(body);
    const item = diagnostics.list.find(({ code }) => code === 'UC1849');
    expect(item?.message).toContain('2 shapes');
    expect([boundAt(scene)?.skin, boundAt(scene, '/R/n')?.skin]).toEqual([0, 0]);
    expect((await importText(rig())).codes()).not.toContain('UC1849');
  });
});

it('a thousand joints below each other, the last one first', async () => {
  const tokens = Array.from({ length: 1000 }, (_, i) => `"${new Array(1000 - i).fill('j').join('/')}"`);
  const bind = tokens.map((_, i) => at(0, 1000 - i, 0));
  const { scene } = await importText(rig(undefined, skeleton(bones(tokens.join(), bind.join()))));
  const joints = scene.skeletons?.[0].joints ?? [];
  expect(joints.map(({ parent }) => parent)).toEqual(joints.map((_, i) => i - 1));
  expect(new Set(joints.map(({ rest }) => rest[13]))).toEqual(new Set([1]));
});
