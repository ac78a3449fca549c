// The source, posed by its own specification, against the cooked file, posed by the engine's rules: at nine times of each clip
// every vertex is where it has to be.

import { describe, expect, test } from 'vitest';
import { type Cooked, cookFiles } from '../cook/cooked.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { trs, turn } from './arithmetic.ts';
import { type CharacterOptions, character, LEG, tube, WALK } from './characters.ts';
import { apart, farthest, SHARES, sizeOf, tracks } from './compare.ts';
import { enginePose } from './engine.ts';
import { GltfPoses, partsOfGlb } from './gltfPoses.ts';

const clipOf = ({ clips }: Cooked) => [...clips.values()][0].clips![0];

async function cooked(scene: SceneInput, settings: Parameters<typeof cookFiles>[1] = {}) {
  const bytes = buildGlb(scene);
  const { json, bin } = partsOfGlb(bytes);
  return { source: new GltfPoses(json, bin), out: await cookFiles({ 'hero.glb': bytes }, settings) };
}

/** Cooks a character and compares all poses; gives the codes that were said. */
async function expectSamePoses(scene: SceneInput, settings: Parameters<typeof cookFiles>[1] = {}): Promise<string[]> {
  const { source, out } = await cooked(scene, settings);
  expect(out.outcome.status).toBe('ok');
  const clip = clipOf(out);
  const [start, end] = source.span(0);
  expect(clip.duration).toBeCloseTo(end - start, 6);
  const theirs = tracks(SHARES.map((share) => source.pose(0, start + share * (end - start))));
  const ours = tracks(SHARES.map((share) => enginePose(out.scene, clip, share * (end - start))));
  const size = sizeOf(theirs);
  // The poses differ from each other: a clip that does nothing would not pass for one that does.
  expect(
    Math.max(
      ...theirs.map((track) =>
        apart(
          track,
          track.map(() => track[0]),
        ),
      ),
    ),
  ).toBeGreaterThan(size / 20);
  expect(farthest(ours, theirs)).toBeLessThan(Math.max(1e-4, 1e-4 * size));
  // The engine culls by the bounds of the file: they hold every pose.
  const { min, max } = out.scene.worldBounds;
  for (const p of ours.flat()) {
    for (let k = 0; k < 3; k++) {
      expect(p[k]).toBeGreaterThan(min[k] - 1e-3);
      expect(p[k]).toBeLessThan(max[k] + 1e-3);
    }
  }
  return [...out.codes];
}

describe('a character of glTF', () => {
  test('walks', async () => {
    expect(await expectSamePoses(character())).toEqual([]);
  });

  test('keeps every key on request, and walks the same', async () => {
    const straight = WALK.map((key) =>
      key.path === 'translation'
        ? { ...key, times: [0.5, 1, 1.5, 2.5], values: [0, 0.5, 1, 2].map((x) => [x, 2, 0]) }
        : key,
    );
    const settings = { rig: { animations: 'all', keepKeys: true, animateNodes: false } } as const;
    const all = await cooked(character({ keys: straight }), settings);
    const few = await cooked(character({ keys: straight }));
    const keys = (out: Cooked) => clipOf(out).channels.find(({ path }) => path === '/Hip')?.translations.times;
    expect([...keys(all.out)!]).toEqual([0, 0.5, 1, 2]);
    expect([...keys(few.out)!]).toEqual([0, 2]);
    await expectSamePoses(character({ keys: straight }), settings);
    await expectSamePoses(character({ keys: straight }));
  });

  test('whose joints at rest are not in the bind pose is stored as it is bound, which is said', async () => {
    const bent = LEG.map((joint, j) => (j === 1 ? { ...joint, q: turn([1, 0, 0], 60) } : joint));
    const { out } = await cooked(character({ joints: bent, binds: bindsOf(LEG) }));
    // The tube is stored straight: its ends are as far from each other as in the source.
    const points = enginePose(out.scene, null, 0);
    const longest = Math.max(...points.flatMap((p) => points.map((q) => Math.hypot(...p.map((x, k) => x - q[k])))));
    const { positions } = tube();
    const own = Array.from({ length: positions.length / 3 }, (_, v) => positions.slice(v * 3, v * 3 + 3));
    const wanted = Math.max(...own.flatMap((p) => own.map((q) => Math.hypot(...p.map((x, k) => x - q[k])))));
    expect(longest).toBeCloseTo(wanted, 5);
    expect(await expectSamePoses(character({ joints: bent, binds: bindsOf(LEG) }))).toEqual(['UC2070']);
  });

  test.each<[string, CharacterOptions]>([
    ['scaled to centimetres', armature({ scale: [0.01, 0.01, 0.01] })],
    [
      'scaled, turned and moved',
      armature({ scale: [2, 2, 2], rotation: turn([1, 1, 0], 50), translation: [3, -1, 7] }),
    ],
    ['mirrored', armature({ scale: [-1, 1, 1], rotation: turn([0, 1, 0], 30) })],
  ])('below an armature that is %s', async (_, options) => {
    expect(await expectSamePoses(character(options))).toEqual([]);
  });

  test('with a mirrored joint and joints of other scales', async () => {
    const joints = [
      { ...LEG[0], s: [1.5, 1.5, 1.5] },
      { ...LEG[1], s: [1, -1, 1] },
      { ...LEG[2], s: [0.5, 0.5, 0.5] },
    ];
    expect(await expectSamePoses(character({ joints }))).toEqual([]);
  });

  test('with steps and splines', async () => {
    const keys = [
      { ...WALK[0], interpolation: 'STEP' },
      {
        node: 1,
        path: 'rotation' as const,
        times: [0.5, 1.5, 2.5],
        interpolation: 'CUBICSPLINE',
        values: [
          [0, 0, 0, 0],
          [0, 0, 0, 1],
          [0.5, 0, 0, 0],
          [0, 0.2, 0, 0],
          turn([0, 1, 0], 60),
          [0, 0.3, 0, 0],
          [0, 0, 0, 0],
          [0, 0, 0, 1],
          [0, 0, 0, 0],
        ],
      },
      {
        node: 2,
        path: 'translation' as const,
        times: [0.5, 2.5],
        interpolation: 'CUBICSPLINE',
        values: [
          [0, 0, 0],
          [0, -1, 0],
          [0.8, 0, 0.3],
          [0, 0, -1],
          [0, -1.2, 0.2],
          [0, 0, 0],
        ],
      },
    ];
    expect(await expectSamePoses(character({ keys }))).toEqual([]);
    const { out } = await cooked(character({ keys }));
    const clip = clipOf(out);
    const hip = clip.channels.find(({ path }) => path === '/Hip')!;
    // Two steps at 0.75 s and 2 s of the clip: each held up to the last float32 before it.
    const below = (time: number) =>
      new Float32Array(Uint32Array.of(new Uint32Array(Float32Array.of(time).buffer)[0] - 1).buffer)[0];
    expect([...hip.translations.times]).toEqual([0, below(0.75), 0.75, below(2), 2]);
    // At most sixty samples a second.
    for (const { translations, rotations } of clip.channels) {
      expect(translations.times.length).toBeLessThanOrEqual(2 * 60 + 5);
      expect(rotations.times.length).toBeLessThanOrEqual(2 * 60 + 5);
    }
  });

  test('below nodes that move, whose motion goes into the root', async () => {
    const keys = [
      ...WALK,
      {
        node: 0,
        path: 'rotation' as const,
        times: [0.5, 1.5, 2.5],
        values: [0, 90, 180].map((angle) => turn([0, 1, 0], angle)),
      },
      {
        node: 0,
        path: 'translation' as const,
        times: [0.5, 2.5],
        values: [
          [0, 0, 0],
          [5, 0, 1],
        ],
      },
    ];
    expect(await expectSamePoses(character({ keys, armature: { translation: [1, 0, 0] } }))).toEqual(['UC2072']);
  });

  test('with scale in its animation: it keeps its rest, and the range is said', async () => {
    const keys = [
      ...WALK,
      {
        node: 2,
        path: 'scale' as const,
        times: [0.5, 2.5],
        values: [
          [1, 1, 1],
          [2, 1, 0.5],
        ],
      },
    ];
    const { out } = await cooked(character({ keys }));
    const said = out.outcome.diagnostics.find(({ code }) => code === 'UC1347');
    expect([out.codes, said?.message]).toEqual([['UC1347'], '/Hip/Knee (0.5 to 2 of its rest)']);
  });

  test('with two skins on one skeleton: one skeleton is written', async () => {
    const scene = character();
    const nodes = scene.nodes as { children?: number[] }[];
    nodes[0].children?.push(nodes.length);
    const { skins, ...root } = scene.root as { skins: { joints: number[]; inverseBindMatrices: number }[] };
    // The second names its joints in another order, and a mesh in another space.
    const lifted = trs([0, 0.5, 0], [0, 0, 0, 1], [2, 2, 2]);
    const order = [3, 1, 2];
    const binds = order.map((node) => multiplied(bindsOf(LEG)[node - 1], lifted));
    const two: SceneInput = {
      ...scene,
      meshes: [...scene.meshes!, { name: 'Second', primitives: [{ ...smaller(), material: 0 }] }],
      nodes: [...nodes, { name: 'Second', mesh: 1, skin: 1 }],
      accessors: [...scene.accessors!, { data: binds.flat(), type: 'MAT4' }],
      root: {
        ...shifted(root, 5),
        skins: [
          { ...skins[0], inverseBindMatrices: skins[0].inverseBindMatrices + 5 },
          { joints: order, inverseBindMatrices: 10 + scene.accessors!.length },
        ],
      },
    };
    expect(await expectSamePoses(two)).toEqual([]);
    const { out } = await cooked(two);
    expect([out.scene.skeletons?.length, out.scene.skins?.length]).toEqual([1, 2]);
    expect(out.scene.skeletons?.[0].joints.map(({ path }) => path)).toEqual(['/Hip', '/Hip/Knee', '/Hip/Knee/Foot']);
  });

  test('with eight influences keeps the four largest, and says what it drops', async () => {
    const joints = [
      ...LEG,
      ...LEG.map((joint, j) => ({
        ...joint,
        name: `${joint.name}2`,
        parent: j === 0 ? -1 : j + 2,
        t: [j === 0 ? 0.3 : 0, joint.t[1], joint.t[2]],
      })),
    ];
    const mesh = tube(3);
    const count = mesh.positions.length / 3;
    const scene = character({ joints, mesh });
    const attributes = {
      JOINTS_0: Uint8Array.from(Array.from({ length: count }, () => [0, 1, 2, 3]).flat()),
      WEIGHTS_0: Array.from({ length: count }, (_, v) => [0.4, 0.02, 0.2 + 0.001 * v, 0.01]).flat(),
      JOINTS_1: Uint8Array.from(Array.from({ length: count }, () => [4, 5, 0, 1]).flat()),
      WEIGHTS_1: Array.from({ length: count }, () => [0.15, 0.1, 0, 0]).flat(),
    };
    const eight = {
      ...scene,
      meshes: [{ name: 'Tube', primitives: [{ ...mesh, attributes, material: 0 }] }],
      root: shifted(scene.root!, 2),
    };
    expect(await expectSamePoses(eight)).toEqual(['UC1345']);
  });
});

/** Inverse bind matrices of joints at rest. */
function bindsOf(joints: typeof LEG): number[][] {
  const scene = character({ joints });
  const { data } = scene.accessors![0] as { data: number[] };
  return joints.map((_, j) => data.slice(j * 16, j * 16 + 16));
}

/** A character whose armature has a transform; its mesh is bound in the armature's space. */
function armature(transform: { scale?: number[]; rotation?: number[]; translation?: number[] }): CharacterOptions {
  return { armature: transform };
}

const multiplied = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i & 3)] * b[(i >> 2) * 4 + k], 0),
  );

/** A tube of half the size, half a metre further down. */
function smaller() {
  const mesh = tube(3);
  const positions = mesh.positions.map((value, i) => (i % 3 === 1 ? (value - 0.5) / 2 : value / 2));
  const pairs = (list: number[]) =>
    Array.from({ length: list.length / 2 }, (_, v) => [list[v * 2], list[v * 2 + 1], 0, 0]).flat();
  const order = [1, 2, 0];
  const joints = Uint8Array.from(pairs(mesh.joints.map((joint) => order[joint])));
  return {
    positions,
    normals: mesh.normals,
    indices: mesh.indices,
    attributes: { JOINTS_0: joints, WEIGHTS_0: pairs(mesh.weights) },
  };
}

/** Skins and animations whose accessors stand behind so many more. */
function shifted(root: Readonly<Record<string, unknown>>, by: number): Record<string, unknown> {
  const { skins, animations } = root as {
    skins?: { inverseBindMatrices: number }[];
    animations: { samplers: { input: number; output: number }[] }[];
  };
  return {
    ...(skins ? { skins: skins.map((skin) => ({ ...skin, inverseBindMatrices: skin.inverseBindMatrices + by })) } : {}),
    animations: animations.map((animation) => ({
      ...animation,
      samplers: animation.samplers.map((sampler) => ({
        ...sampler,
        input: sampler.input + by,
        output: sampler.output + by,
      })),
    })),
  };
}
