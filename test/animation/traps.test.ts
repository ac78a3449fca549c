// The traps of the engine's sampler and of its skeletons: the cook walks into none of them, whatever the source holds.

import { describe, expect, test } from 'vitest';
import { type Cooked, cookFiles } from '../cook/cooked.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { trs, turn } from './arithmetic.ts';
import { character, type Key, LEG, tube, WALK } from './characters.ts';
import { apart, farthest, SHARES, tracks } from './compare.ts';
import { enginePose } from './engine.ts';
import { GltfPoses, partsOfGlb } from './gltfPoses.ts';
import { usdCharacter } from './usdCharacter.ts';

const cook = (scene: SceneInput, settings: Parameters<typeof cookFiles>[1] = {}) =>
  cookFiles({ 'hero.glb': buildGlb(scene) }, settings);
const clipOf = ({ clips }: Cooked) => [...clips.values()][0].clips![0];
const channel = (out: Cooked, path: string) => clipOf(out).channels.find((one) => one.path === path)!;
const message = (out: Cooked, code: string) => out.outcome.diagnostics.find((item) => item.code === code)?.message;

describe('keys of a clip', () => {
  test('every channel ends where the clip ends, and begins at 0', async () => {
    const out = await cook(character());
    const { duration, channels } = clipOf(out);
    expect(duration).toBe(2);
    // The hip's rotation has its last key half a second before the end of the walk.
    for (const { translations, rotations } of channels) {
      for (const { times } of [translations, rotations]) {
        if (times.length === 0) continue;
        expect([times[0], times[times.length - 1], times.length > 1]).toEqual([0, 2, true]);
        for (let k = 1; k < times.length; k++) expect(times[k]).toBeGreaterThan(times[k - 1]);
      }
    }
  });

  test('a clip of a single moment lasts: duration 0 would show the rest pose', async () => {
    const keys: Key[] = [{ node: 2, path: 'rotation', times: [3], values: [turn([1, 0, 0], 60)] }];
    const out = await cook(character({ keys }));
    const { duration } = clipOf(out);
    expect(duration).toBeCloseTo(1 / 60, 7);
    const { rotations, translations } = channel(out, '/Hip/Knee');
    // Two keys for a constant: behind a single one the engine shows the rest pose. None for what rests.
    expect([[...rotations.times], translations.times.length]).toEqual([[0, Math.fround(1 / 60)], 0]);
    expect([...rotations.values.subarray(0, 4)]).toEqual([...rotations.values.subarray(4)]);
    expect(clipOf(out).channels.length).toBe(1);
  });

  test('rotations of other lengths than 1 are brought to it, which is said once a clip', async () => {
    const turned = turn([1, 0, 0], 60);
    const values = [turned.map((q) => 2 * q), turned, turned.map((q) => 0.5 * q)];
    const keys: Key[] = [{ node: 2, path: 'rotation', times: [0, 1, 2], values }];
    const out = await cook(character({ keys }));
    expect(out.codes).toEqual(['UC2467']);
    expect(message(out, 'UC2467')).toBe('"Walk" has 2 keys brought to length 1, up to 2 long');
    const { values: written } = channel(out, '/Hip/Knee').rotations;
    expect(Math.hypot(...written.subarray(0, 4))).toBeCloseTo(1, 6);
  });

  test('a constant that is not the rest has two keys, one that is has none', async () => {
    const keys: Key[] = [
      {
        node: 1,
        path: 'translation',
        times: [0, 1, 2],
        values: [
          [0, 2, 0],
          [0, 2, 0],
          [0, 2, 0],
        ],
      },
      {
        node: 2,
        path: 'translation',
        times: [0, 1, 2],
        values: [
          [0, -1.5, 0],
          [0, -1.5, 0],
          [0, -1.5, 0],
        ],
      },
      { node: 2, path: 'rotation', times: [0, 2], values: [turn([1, 0, 0], 20), turn([1, 0, 0], 50)] },
    ];
    const out = await cook(character({ keys }));
    expect(clipOf(out).channels.map(({ path }) => path)).toEqual(['/Hip/Knee']);
    expect([...channel(out, '/Hip/Knee').translations.times]).toEqual([0, 2]);
  });

  test('quaternions stay in one hemisphere', async () => {
    const minus = (q: number[]) => q.map((x) => -x);
    const [a, b, c] = [0, 40, 80].map((angle) => turn([0, 0, 1], angle));
    const keys: Key[] = [{ node: 1, path: 'rotation', times: [0, 1, 2], values: [a, minus(b), c] }];
    const settings = { rig: { animations: 'all', keepKeys: true, animateNodes: false } } as const;
    const { values } = channel(await cook(character({ keys }), settings), '/Hip').rotations;
    for (let k = 1; k < 3; k++) {
      const dot = [0, 1, 2, 3].reduce((sum, i) => sum + values[k * 4 + i] * values[k * 4 - 4 + i], 0);
      expect(dot).toBeGreaterThan(0);
    }
  });

  test('a clip that moves nothing is left out, which is said: UC2076', async () => {
    const keys: Key[] = [
      {
        node: 1,
        path: 'translation',
        times: [0, 1],
        values: [
          [0, 2, 0],
          [0, 2, 0],
        ],
      },
    ];
    const out = await cook(character({ keys }));
    expect([out.clips.size, out.codes]).toEqual([0, ['UC2076']]);
  });

  test('damaged channels are left out, which is said, and the others play: UC1349', async () => {
    const keys: Key[] = [
      WALK[1],
      {
        node: 2,
        path: 'rotation',
        times: [1, 0.5],
        values: [
          [0, 0, 0, 1],
          [0, 0, 0, 1],
        ],
      },
      {
        node: 3,
        path: 'rotation',
        times: [0, 1],
        values: [
          [0, 0, 0, 1],
          [Number.NaN, 0, 0, 1],
        ],
      },
    ];
    const out = await cook(character({ keys }));
    expect([out.outcome.status, out.codes]).toEqual(['ok', ['UC1349', 'UC1349']]);
    expect(clipOf(out).channels.map(({ path }) => path)).toEqual(['/Hip']);
  });
});

describe('skeletons', () => {
  test('parents come before their children, whatever the order of the source', async () => {
    const order = [2, 0, 1];
    const joints = LEG;
    const tokens = ['Hip', 'Hip/Knee', 'Hip/Knee/Foot'];
    const text = usdCharacter({ joints, tokens }).replace(
      /uniform token\[\] joints = \["Hip", "Hip\/Knee", "Hip\/Knee\/Foot"\]/,
      `uniform token[] joints = [${order.map((j) => `"${tokens[j]}"`).join(', ')}]`,
    );
    const out = await cookFiles({ 'hero.usda': new TextEncoder().encode(text) });
    expect(out.scene.skeletons?.[0].joints.map(({ path }) => path)).toEqual(tokens.map((token) => `/${token}`));
    for (const [j, { parent }] of out.scene.skeletons![0].joints.entries()) {
      expect(parent === 0xffffffff || parent < j).toBe(true);
    }
  });

  test('no two joints have one path: equal siblings are numbered, names keep no slash, joints without a name get one', async () => {
    const joints = [
      LEG[0],
      { ...LEG[1], name: 'a/b' },
      { ...LEG[2], parent: 0, name: 'a/b' },
      { ...LEG[2], parent: 1, name: '' },
    ];
    const out = await cook(character({ joints, keys: [WALK[1]] }));
    expect(out.scene.skeletons?.[0].joints.map(({ path }) => path)).toEqual([
      '/Hip',
      '/Hip/a_b',
      '/Hip/a_b/joint_4',
      '/Hip/a_b_2',
    ]);
  });

  test('two skeletons with equal paths get different ones, so that no clip moves both', async () => {
    const scene = character();
    const again = character().nodes!.slice(1, 4) as { children?: number[] }[];
    const nodes = [
      ...scene.nodes!,
      { name: 'Other', children: [6, 9], translation: [5, 0, 0] },
      ...again.map((node) => ({ ...node, ...(node.children ? { children: node.children.map((n) => n + 5) } : {}) })),
      { name: 'Tube2', mesh: 0, skin: 1 },
    ];
    const { skins, ...root } = scene.root as { skins: { joints: number[]; inverseBindMatrices: number }[] };
    const both = { ...scene, nodes, root: { ...root, skins: [skins[0], { ...skins[0], joints: [6, 7, 8] }] } };
    const out = await cook(both);
    expect(out.scene.skeletons?.map(({ joints }) => joints[2].path)).toEqual(['/Hip/Knee/Foot', '/Hip_2/Knee/Foot']);
    const bytes = buildGlb(both);
    const { json, bin } = partsOfGlb(bytes);
    const source = new GltfPoses(json, bin);
    const theirs = tracks(SHARES.map((share) => source.pose(0, 0.5 + 2 * share)));
    const ours = tracks(SHARES.map((share) => enginePose(out.scene, clipOf(out), 2 * share)));
    expect(farthest(ours, theirs)).toBeLessThan(5e-4);
  });

  test('a mesh whose bind matrices have no inverse is cooked at rest, which is said: UC2078', async () => {
    const binds = [0, 1, 2].map(() => trs([0, 0, 0], [0, 0, 0, 1], [1, 0, 1]));
    const out = await cook(character({ binds }));
    expect(out.scene.skins).toBeUndefined();
    expect(out.codes).toContain('UC2078');
  });

  test('axes that are not at right angles are said: UC2071', async () => {
    const out = await cook(
      character({ armature: { scale: [1, 3, 1] }, joints: LEG.map((j) => ({ ...j, q: turn([1, 0, 0], 30) })) }),
    );
    expect(out.codes).toContain('UC2071');
    expect(message(out, 'UC2071')).toMatch(/^\/Hip is at rest with axes up to [\d.]+ degrees off$/);
  });

  test('vertices without weights follow the root: UC1346', async () => {
    const mesh = tube(3);
    const weights = mesh.weights.map((weight, i) => (i < 4 ? 0 : weight));
    const out = await cook(character({ mesh: { ...mesh, weights } }));
    expect([out.codes, message(out, 'UC1346')]).toEqual([['UC1346'], '2 vertices']);
    // Weights of every vertex add up to 1, the largest first.
    const [skin] = out.scene.skins!;
    for (let v = 0; v < skin.weights.length; v += 4) {
      const own = [...skin.weights.subarray(v, v + 4)];
      expect(own.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
      expect([...own].sort((a, b) => b - a)).toEqual(own);
    }
    // The mapping has each joint once, ascending.
    expect([...skin.joints]).toEqual([...new Set(skin.joints)].sort((a, b) => a - b));
  });

  test('a skinned subdivision surface is drawn as its cage, which is said: UC2077', async () => {
    const text = usdCharacter().replace('subdivisionScheme = "none"', 'subdivisionScheme = "catmullClark"');
    const out = await cookFiles({ 'hero.usda': new TextEncoder().encode(text) }, { subdivide: 1 });
    expect(out.codes).toContain('UC2077');
    expect(out.scene.meshes[0].indices.length).toBe(tube(3).indices.length);
  });
});

describe('nodes that move without a skin', () => {
  /** A crane: base, arm and hook, the arm mirrored; the base carries a lamp that stands still in it. */
  const crane = (): SceneInput => {
    const box = (x: number) => ({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, x, 0, 1],
      indices: [0, 1, 2, 0, 2, 3],
      material: 0,
    });
    const keys = [
      { times: [0, 1, 2], values: [0, 120, 200].map((angle) => turn([0, 1, 0], angle)), path: 'rotation', node: 0 },
      {
        times: [0, 2],
        values: [
          [0, 2, 0],
          [0, 1, 0],
        ],
        path: 'translation',
        node: 2,
      },
    ];
    return {
      meshes: [{ primitives: [box(0.2)] }, { primitives: [box(0.7)] }],
      materials: [{ name: 'Iron' }],
      nodes: [
        { name: 'Base', mesh: 0, children: [1, 3], translation: [1, 0, 0] },
        { name: 'Arm', mesh: 1, children: [2], scale: [-1, 1, 1], translation: [0, 3, 0] },
        { name: 'Hook', mesh: 0, translation: [0, 2, 0] },
        { name: 'Lamp', mesh: 1, translation: [0, 0, 1] },
        { name: 'Ground', mesh: 1, translation: [-5, 0, 0] },
      ],
      accessors: keys.flatMap(({ times, values }) => [
        { data: times, type: 'SCALAR' },
        { data: values.flat(), type: `VEC${values[0].length}` },
      ]),
      root: {
        animations: [
          {
            name: 'Work',
            samplers: [
              { input: 4, output: 5 },
              { input: 6, output: 7 },
            ],
            channels: keys.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
          },
        ],
      },
    };
  };

  test('rest, which is said: UC2073', async () => {
    const out = await cook(crane());
    expect([out.codes, out.clips.size, out.scene.skins]).toEqual([['UC2076', 'UC2073'], 0, undefined]);
    expect(message(out, 'UC2073')).toBe('at rest: Base, Arm, Hook, Lamp');
  });

  test('move as a skeleton with --animate-nodes; what moves with nothing stays an object', async () => {
    const settings = { rig: { animations: 'all', keepKeys: false, animateNodes: true } } as const;
    const out = await cook(crane(), settings);
    expect(out.codes).toEqual([]);
    expect(out.scene.skeletons?.map(({ joints }) => joints.map(({ path }) => path))).toEqual([
      ['/Base', '/Base/Arm', '/Base/Arm/Hook', '/Base/Lamp'],
    ]);
    expect(out.scene.skins?.length).toBe(4);
    const { json, bin } = partsOfGlb(buildGlb(crane()));
    const source = new GltfPoses(json, bin);
    const theirs = tracks(SHARES.map((share) => source.pose(0, 2 * share)));
    // The ground has no skin: its entity's transform places it.
    const ground = out.scene.entities.find(({ name }) => name === 'Ground')!;
    const poses = SHARES.map((share) => {
      const all = enginePose(out.scene, clipOf(out), 2 * share);
      let at = 0;
      return out.scene.meshes.flatMap(({ vertexCount, entity }) => {
        const own = all.slice(at, at + vertexCount);
        at += vertexCount;
        const m = entity === ground.id ? ground.localTransform : null;
        return m ? own.map(([x, y, z]) => [x + m[12], y + m[13], z + m[14]]) : own;
      });
    });
    const ours = tracks(poses);
    expect(
      Math.max(
        ...theirs.map((track) =>
          apart(
            track,
            track.map(() => track[0]),
          ),
        ),
      ),
    ).toBeGreaterThan(1);
    expect(farthest(ours, theirs)).toBeLessThan(5e-4);
  });

  test('below a joint follow it', async () => {
    const scene = character({ more: [{ name: 'Shoe', mesh: 0, translation: [0, 0, 0.2] }] });
    const nodes = scene.nodes as { name: string; children?: number[] }[];
    nodes[3].children = [5];
    const settings = { rig: { animations: 'all', keepKeys: false, animateNodes: true } } as const;
    expect((await cook(scene)).codes).toEqual(['UC2073']);
    const out = await cook(scene, settings);
    expect(out.codes).toEqual([]);
    expect(out.scene.skeletons?.[0].joints.at(-1)?.path).toBe('/Hip/Knee/Foot/Shoe');
    const { json, bin } = partsOfGlb(buildGlb(scene));
    const source = new GltfPoses(json, bin);
    const theirs = tracks(SHARES.map((share) => source.pose(0, 0.5 + 2 * share)));
    const ours = tracks(SHARES.map((share) => enginePose(out.scene, clipOf(out), 2 * share)));
    expect(farthest(ours, theirs)).toBeLessThan(5e-4);
  });
});
