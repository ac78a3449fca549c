// Skeletons, skins and bound meshes of USD.

import { describe, expect, it } from 'vitest';
import { layer, meshAt, quad } from '../importText.ts';
import {
  at,
  BOUND,
  boundAt,
  CHAIN,
  importText,
  influences,
  moved,
  PLAIN,
  rig,
  skeleton,
  skinningAt,
} from './skelText.ts';

const numbers = (data: ArrayLike<number> | undefined) => Array.from(data ?? []);

describe('a skeleton', () => {
  it('has joints with names, paths, parents and rest matrices, and a skin their bind matrices', async () => {
    const { scene, codes } = await importText(rig());
    expect(codes()).toEqual([]);
    expect(scene.skeletons?.map(({ name, path }) => [name, path])).toEqual([['S', '/R/S']]);
    expect(scene.skeletons?.[0].joints.map(({ name, path, parent, rest }) => [name, path, parent, ...rest])).toEqual([
      ['Hip', '/Hip', -1, ...moved(0, 1, 0)],
      ['Leg', '/Hip/Leg', 0, ...moved(0, 2, 0)],
    ]);
    expect(numbers(scene.skeletons?.[0].root)).toEqual(moved(0, 0, 0));
    expect(scene.skins?.map(({ path, skeleton }) => [path, skeleton])).toEqual([['/R/m', 0]]);
    const [skin] = scene.skins ?? [];
    expect(numbers(skin.joints)).toEqual([0, 1]);
    expect(numbers(skin.bind)).toEqual([...moved(0, 1, 0), ...moved(0, 3, 0)]);
    expect(numbers(skin.meshBind)).toEqual(moved(0, 0, 0));
    expect(scene.clips).toBeUndefined();
    expect(boundAt(scene)?.skin).toBe(0);
  });

  it('is placed by its own transform and those above it, with the up axis and the unit of the stage', async () => {
    const root = 'double3 xformOp:translate = (100, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const own = 'double3 xformOp:translate = (0, 0, 200)\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const { scene } = await importText(rig(undefined, skeleton(CHAIN, 'S', own), '', root), '( upAxis = "Z" )');
    // Centimetres; +Z up becomes +Y up: x' = x, y' = z, z' = -y.
    const matrix = [0.01, 0, 0, 0, 0, 0, -0.01, 0, 0, 0.01, 0, 0, 1, 2, 0, 1];
    numbers(scene.skeletons?.[0].root).forEach((v, i) => {
      expect(v).toBeCloseTo(matrix[i], 12);
    });
  });

  it('that moves as a whole is frozen, which is said', async () => {
    const own =
      'double3 xformOp:translate.timeSamples = { 0: (1, 0, 0), 1: (2, 0, 0) }\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const { scene, diagnostics } = await importText(rig(undefined, skeleton(CHAIN, 'S', own)));
    expect(diagnostics.list.map(({ code, path }) => `${code} ${path}`)).toEqual(['UC1702 /R/S']);
    expect(scene.skeletons?.[0].root[12]).toBe(1);
  });

  it('whose rest pose is missing rests as it is bound', async () => {
    const bones = CHAIN.replace(/uniform matrix4d\[\] restTransforms.*/, '');
    const { scene, codes } = await importText(rig(undefined, skeleton(bones)));
    expect(codes()).toEqual([]);
    expect(scene.skeletons?.[0].joints.map(({ rest }) => [...rest])).toEqual([moved(0, 1, 0), moved(0, 2, 0)]);
  });

  it('has parents before children, depth first, where the source has not', async () => {
    const bones = `uniform token[] joints = ["A/B/C", "D", "A/E", "A", "A/B"]
      uniform matrix4d[] bindTransforms = [${at(1, 0, 0)}, ${at(2, 0, 0)}, ${at(3, 0, 0)}, ${at(4, 0, 0)}, ${at(5, 0, 0)}]`;
    const mesh = `${BOUND}\n${influences('0, 1, 3, 4', '1, 1, 1, 1')}`;
    const { scene, codes } = await importText(rig(mesh, skeleton(bones)));
    expect(codes()).toEqual([]);
    expect(scene.skeletons?.[0].joints.map(({ path, parent, rest }) => [path, parent, rest[12]])).toEqual([
      ['/D', -1, 2],
      ['/A', -1, 4],
      ['/A/E', 1, -1],
      ['/A/B', 1, 1],
      ['/A/B/C', 3, -4],
    ]);
    expect(numbers(scene.skins?.[0].joints)).toEqual([4, 0, 2, 1, 3]);
    expect(numbers(scene.skins?.[0].bind).filter((_, i) => i % 16 === 12)).toEqual([1, 2, 3, 4, 5]);
    expect(numbers((await skinningAt(scene)).joints)).toEqual([0, 1, 3, 4]);
  });

  it('takes the nearest ancestor that is a joint as parent, as OpenUSD does; without one a joint is a root', async () => {
    const bones = `uniform token[] joints = ["A", "A/b/c", "A!/d", "X/y", "/Z"]
      uniform matrix4d[] bindTransforms = [${at(1, 0, 0)}, ${at(3, 0, 0)}, ${at(0, 0, 0)}, ${at(7, 0, 0)}, ${at(0, 0, 0)}]`;
    const { scene } = await importText(rig(undefined, skeleton(bones)));
    expect(scene.skeletons?.[0].joints.map(({ name, path, parent, rest }) => [name, path, parent, rest[12]])).toEqual([
      ['A', '/A', -1, 1],
      ['c', '/A/b/c', 0, 2],
      ['d', '/A!/d', -1, 0],
      ['y', '/X/y', -1, 7],
      ['Z', '/Z', -1, 0],
    ]);
  });

  it('is left out if nothing uses it; the others keep the order of the stage', async () => {
    const more = `${skeleton(CHAIN, 'T')}\n${skeleton(CHAIN, 'U')}\n${quad('n', `rel skel:skeleton = </R/T>\n${PLAIN}`)}`;
    const { scene } = await importText(rig(`rel skel:skeleton = </R/U>\n${PLAIN}`, skeleton(), more));
    expect(scene.skeletons?.map(({ path }) => path)).toEqual(['/R/T', '/R/U']);
    expect(scene.skins?.map(({ path, skeleton }) => [path, skeleton])).toEqual([
      ['/R/m', 1],
      ['/R/n', 0],
    ]);
  });
});

describe('a bound mesh', () => {
  it('is read as before, and with joints and weights by its binding', async () => {
    const { scene } = await importText(rig(`${BOUND}\n${influences('0, 0, 1, 1', '1, 0.5, 0, 2')}`));
    const plain = await meshAt(scene, '/R/m');
    const bound = await boundAt(scene)?.read();
    expect(plain.skinning).toBeUndefined();
    expect(bound).toEqual({ ...plain, skinning: bound?.skinning });
    const { influences: size, joints, weights } = await skinningAt(scene);
    expect([size, numbers(joints), numbers(weights)]).toEqual([1, [0, 0, 0, 1], [1, 0.5, 0, 2]]);
  });

  it('keeps eight influences', async () => {
    const joints = '0, 1, 0, 1, 0, 1, 0, 1';
    const weights = '0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125';
    const four = (text: string) => [text, text, text, text].join(', ');
    const { scene, codes } = await importText(rig(`${BOUND}\n${influences(four(joints), four(weights), 8)}`));
    const skinning = await skinningAt(scene);
    expect(codes()).toEqual([]);
    expect(skinning.influences).toBe(8);
    expect(numbers(skinning.joints).slice(8, 16)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
    expect(numbers(skinning.weights)).toEqual(new Array(32).fill(0.125));
  });

  it('that is rigid has its influences at every vertex, and so has a shape', async () => {
    const rigid = influences('1, 0', '0.75, 0.25', 2, 'constant');
    const cube = `def Cube "c" {\n${BOUND}\n${rigid}\n}`;
    const { scene } = await importText(rig(`${BOUND}\n${rigid}`, skeleton(), cube));
    const skinning = await skinningAt(scene);
    expect(numbers(skinning.joints)).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    expect(numbers(skinning.weights)).toEqual([0.75, 0.25, 0.75, 0.25, 0.75, 0.25, 0.75, 0.25]);
    const bound = await boundAt(scene, '/R/c')?.read();
    expect(bound?.skinning?.joints.length).toBe(((bound?.points.length ?? 0) / 3) * 2);
    expect(scene.skins?.length).toBe(1);
  });

  it('counts joints in an order of its own, and has a place in the bind pose', async () => {
    const own = `uniform token[] skel:joints = ["Hip/Leg", "Hip"]\nmatrix4d primvars:skel:geomBindTransform = ${at(4, 5, 6)}`;
    const { scene } = await importText(rig(`${BOUND}\n${PLAIN}\n${own}`));
    const [skin] = scene.skins ?? [];
    expect(numbers(skin.joints)).toEqual([1, 0]);
    expect(numbers(skin.bind)).toEqual([...moved(0, 3, 0), ...moved(0, 1, 0)]);
    expect(numbers(skin.meshBind)).toEqual(moved(4, 5, 6));
    expect(numbers((await skinningAt(scene)).joints)).toEqual([0, 0, 1, 1]);
  });

  it('inherits its binding from the prims up to the SkelRoot, and shares equal skins', async () => {
    const more = `def Xform "g" {\nuniform token[] skel:joints = ["Hip/Leg"]\n${quad('n', influences('0', '1', 1, 'constant'))}\n}
      ${quad('o', PLAIN)}`;
    const { scene, codes } = await importText(rig(PLAIN, skeleton(), more, BOUND));
    expect(codes()).toEqual([]);
    expect(scene.skins?.map(({ path, joints }) => [path, [...joints]])).toEqual([
      ['/R/m', [0, 1]],
      ['/R/g/n', [1]],
    ]);
    expect([boundAt(scene)?.skin, boundAt(scene, '/R/g/n')?.skin, boundAt(scene, '/R/o')?.skin]).toEqual([0, 1, 0]);
  });

  it('joint indices of no weight may be anything', async () => {
    const { scene } = await importText(rig(`${BOUND}\n${influences('0, -1, 9, 1', '1, 0, 0, 1')}`));
    expect(numbers((await skinningAt(scene)).joints)).toEqual([0, 0, 0, 1]);
  });

  it('needs a binding: a mesh without influences or without a skeleton is static', async () => {
    for (const mesh of [BOUND, PLAIN, `rel skel:skeleton = []\n${PLAIN}`]) {
      const { scene, diagnostics } = await importText(rig(mesh));
      expect(boundAt(scene)).toBeUndefined();
      expect([scene.skeletons, scene.skins]).toEqual([undefined, undefined]);
      expect(diagnostics.list.filter(({ code }) => code !== 'UC1837')).toEqual([]);
    }
  });

  it('follows a skeleton that is invisible', async () => {
    const { scene } = await importText(rig(undefined, skeleton(CHAIN, 'S', 'token visibility = "invisible"')));
    expect(boundAt(scene)?.skin).toBe(0);
  });
});

describe('references and instances', () => {
  const asset = (metadata = '') => ({
    '/scene/hero.usda': layer(rig().replace('def SkelRoot "R"', `def SkelRoot "R" ${metadata}`), 'defaultPrim = "R"'),
  });
  const hero = (name: string, metadata = '', x = 0) =>
    `def "${name}" (\nreferences = @./hero.usda@\n${metadata}\n) {\ndouble3 xformOp:translate = (${x}, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n}`;

  it('each reference moves with a skeleton of its own', async () => {
    const { scene, codes } = await importText(`${hero('a')}\n${hero('b', '', 5)}`, undefined, asset());
    expect(codes()).toEqual([]);
    expect(scene.skeletons?.map(({ path, root }) => [path, root[12]])).toEqual([
      ['/a/S', 0],
      ['/b/S', 5],
    ]);
    expect([boundAt(scene, '/a/m')?.skin, boundAt(scene, '/b/m')?.skin]).toEqual([0, 1]);
    expect(scene.skins?.map(({ skeleton }) => skeleton)).toEqual([0, 1]);
  });

  it('without skeletons references share their mesh, and nothing is said of what is broken', async () => {
    const body = `${hero('a')}\n${hero('b', '', 5)}\n${rig(`rel skel:skeleton = </None>\n${PLAIN}`)}`;
    const { scene, codes } = await importText(body, undefined, asset(), { keepsRigs: false });
    expect(codes()).toEqual(['UC1837']);
    expect(scene.meshes.length).toBe(2);
    expect(scene.nodes.filter(({ name }) => name === 'm').map(({ mesh }) => mesh)).toEqual([0, 0, 1]);
    expect([scene.skeletons, scene.skins, scene.clips]).toEqual([undefined, undefined, undefined]);
    expect(boundAt(scene, '/a/m')).toBeUndefined();
  });

  it('an instance moves with its skeleton, but several share a mesh without skinning (UC1858)', async () => {
    const one = await importText(hero('a', 'instanceable = true', 3), undefined, asset());
    expect(one.codes()).toEqual([]);
    expect(boundAt(one.scene, '/a/m')?.skin).toBe(0);
    expect(one.scene.skeletons?.[0].root[12]).toBe(3);
    const two = await importText(
      `${hero('a', 'instanceable = true')}\n${hero('b', 'instanceable = true', 5)}`,
      undefined,
      asset(),
    );
    expect(two.codes()).toEqual(['UC1858']);
    expect(two.scene.meshes.length).toBe(1);
    expect(boundAt(two.scene, '/a/m')).toBeUndefined();
    expect(two.scene.skeletons).toBeUndefined();
  });

  it('a mesh that an instancer draws has no skinning (UC1858)', async () => {
    const body = `def PointInstancer "p" {
      rel prototypes = </p/R>
      int[] protoIndices = [0]
      point3f[] positions = [(0, 0, 0)]
      ${rig().replaceAll('</R/', '</p/R/')}
    }`;
    const { scene, diagnostics } = await importText(body);
    expect(diagnostics.list.map(({ code, path }) => `${code} ${path}`)).toEqual(['UC1858 /p/R/m']);
    expect(scene.meshes[0].primitives[0].bound).toBeUndefined();
  });
});
