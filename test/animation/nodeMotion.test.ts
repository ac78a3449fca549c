// Nodes that clips move without a skin, in a GLB: keys of the nodes themselves, which put all where the source has it.

import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/animation/curves.ts';
import { multiply } from '../../src/scene/matrix.ts';
import { fromParts, partsOf } from '../../src/scene/quaternion.ts';
import type { Mat4, Scene } from '../../src/scene/types.ts';
import { box, readScene } from '../cook/outputs/treeScenes.ts';
import { bytesOf, fileOf, toGlb, toUntold, useFolder } from '../formats/glb/cooking.ts';
import { openGlb } from '../formats/glb/glb.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { turn } from './arithmetic.ts';

useFolder();

/** The world matrix of each named node at a time of the only clip. */
function posed({ nodes, clips = [] }: Scene, time: number): Map<string, Mat4> {
  const channels = new Map(
    clips[0]?.channels.map((channel) => [channel.target.kind === 'node' ? channel.target.node : -1, channel]),
  );
  const worlds: Mat4[] = [];
  const named = new Map<string, Mat4>();
  for (const [i, { name, parent, local }] of nodes.entries()) {
    const rest = partsOf(local);
    const channel = channels.get(i);
    const part = (kind: 'translation' | 'rotation' | 'scale'): number[] => {
      const curve = channel?.[kind];
      if (!curve) return [...rest[kind]];
      const out = new Float64Array(curve.size);
      valueAt(curve, time, out, 0);
      return [...out];
    };
    const own = channel ? fromParts(part('translation'), part('rotation'), part('scale')) : local;
    worlds[i] = parent < 0 ? own : multiply(worlds[parent], own);
    named.set(name, worlds[i]);
  }
  return named;
}

const at = (m: Mat4, p: readonly number[]): number[] =>
  [0, 1, 2].map((k) => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]);

/** How far a point of each node, in engine space at rest, is from where the source has it, at nine times of the clip. */
function farthest(source: Scene, cooked: Scene, names: readonly string[]): number {
  const { duration } = source.clips![0];
  expect(cooked.clips![0].duration).toBeCloseTo(duration, 5);
  let worst = 0;
  let moved = 0;
  for (let k = 0; k <= 8; k++) {
    // The last key of a clip that repeats is its first: a little before it.
    const time = (duration * k) / 8.001;
    const [theirs, ours] = [posed(source, time), posed(cooked, time)];
    for (const name of names) {
      const [rest, mine] = [
        posed({ ...source, clips: [] }, 0).get(name)!,
        posed({ ...cooked, clips: [] }, 0).get(name)!,
      ];
      // The same point of the engine at rest, in the spaces of both nodes: what follows the node.
      const follow = (m: Mat4, from: Mat4) => multiply(m, inverted(from));
      for (const point of [
        [0, 0, 0],
        [1, 2, 3],
        [-2, 0.5, 1],
      ]) {
        const [a, b] = [at(follow(theirs.get(name)!, rest), point), at(follow(ours.get(name)!, mine), point)];
        worst = Math.max(worst, Math.hypot(...a.map((value, i) => value - b[i])));
        moved = Math.max(moved, Math.hypot(...a.map((value, i) => value - point[i])));
      }
    }
  }
  expect(moved).toBeGreaterThan(0.3);
  return worst;
}

/** By cofactors: nothing of the program is used. */
function inverted(m: Mat4): Mat4 {
  const c = (r: number, k: number) => m[k * 4 + r];
  const cof = (r: number, k: number) => {
    const [a, b] = [(r + 1) % 3, (r + 2) % 3];
    const [x, y] = [(k + 1) % 3, (k + 2) % 3];
    return c(a, x) * c(b, y) - c(a, y) * c(b, x);
  };
  const det = c(0, 0) * cof(0, 0) + c(0, 1) * cof(0, 1) + c(0, 2) * cof(0, 2);
  const out = new Float64Array(16);
  for (let r = 0; r < 3; r++) for (let k = 0; k < 3; k++) out[r * 4 + k] = cof(r, k) / det;
  for (let k = 0; k < 3; k++) out[12 + k] = -(out[k] * m[12] + out[4 + k] * m[13] + out[8 + k] * m[14]);
  out[15] = 1;
  return out;
}

const mesh = { name: 'Leaf', primitives: [box([0, 0, 0], [1, 2, 0.1])] };

const GATE: SceneInput = {
  meshes: [mesh],
  nodes: [
    { name: 'Gate', translation: [4, 0, 0], scale: [2, 2, 2], children: [1] },
    { name: 'Door', mesh: 0, translation: [1, 0, 0], rotation: turn([0, 1, 0], 20), children: [2] },
    { name: 'Handle', mesh: 0, translation: [0.8, 1, 0], scale: [0.1, 0.1, 0.5] },
  ],
  accessors: [
    { data: [1, 2, 3], type: 'SCALAR' },
    { data: [20, 100, -30].flatMap((angle) => turn([0, 1, 0], angle)), type: 'VEC4' },
    { data: [4, 0, 0, 5, 0, 1, 4, 0, 0], type: 'VEC3' },
    { data: [0.1, 0.1, 0.5, 0.2, 0.1, 0.5, 0.1, 0.3, 0.5], type: 'VEC3' },
  ],
  root: {
    animations: [
      {
        name: 'Open',
        samplers: [
          { input: 3, output: 4 },
          { input: 3, output: 5 },
          { input: 3, output: 6, interpolation: 'STEP' },
        ],
        channels: [
          { sampler: 0, target: { node: 1, path: 'rotation' } },
          { sampler: 1, target: { node: 0, path: 'translation' } },
          { sampler: 2, target: { node: 2, path: 'scale' } },
        ],
      },
    ],
  },
};

describe('a gate of glTF', () => {
  test('moves in a GLB by keys of its nodes, scales too, without a skeleton', async () => {
    writeFileSync(fileOf('gate.glb'), buildGlb(GATE));
    const { diagnostics } = await toGlb(fileOf('gate.glb'), 'open.glb');
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
    const { json } = openGlb(bytesOf('open.glb'));
    expect([json.skins, json.animations.length, json.animations[0].name]).toEqual([undefined, 1, 'Open']);
    const [source, cooked] = [await readScene(fileOf('gate.glb'), true), await readScene(fileOf('open.glb'), true)];
    expect(farthest(source, cooked, ['Gate', 'Door', 'Handle'])).toBeLessThan(5e-4);
    const scales = cooked.clips![0].channels.find(({ scale }) => scale)?.scale;
    expect([...scales!.values].slice(0, 3).map((value) => Math.round(value * 1e6) / 1e6)).toEqual([0.1, 0.1, 0.5]);
  });

  test('stands at rest in .untold, and in a GLB with --flatten, which is said', async () => {
    writeFileSync(fileOf('gate2.glb'), buildGlb(GATE));
    expect((await toUntold(fileOf('gate2.glb'), 'rest.untold')).diagnostics.map(({ code }) => code)).toContain(
      'UC2073',
    );
    const flat = await toGlb(fileOf('gate2.glb'), 'rest.glb', { flatten: true });
    expect(flat.diagnostics.map(({ code }) => code)).toContain('UC2073');
    expect(openGlb(bytesOf('rest.glb')).json.animations).toBeUndefined();
  });

  test('with a mirrored node is at rest where keys would not hold, which is said', async () => {
    const [gate, door, handle] = GATE.nodes as object[];
    const nodes = [gate, { ...door, scale: [-1, 1, 1] }, handle];
    writeFileSync(fileOf('mirrored.glb'), buildGlb({ ...GATE, nodes }));
    const { diagnostics } = await toGlb(fileOf('mirrored.glb'), 'mirrored_out.glb');
    const said = diagnostics.filter(({ code }) => code === 'UC2073').map(({ message }) => message);
    expect(said).toEqual(['at rest, as mirrors and shears are part of the vertices: Door, Handle']);
    expect(openGlb(bytesOf('mirrored_out.glb')).json.animations[0].channels.length).toBe(1);
  });
});

describe('what has no keys in a GLB', () => {
  /** A mesh that stands, and other nodes, each moved if its number is listed. */
  const moving = (moved: readonly number[], nodes: readonly object[], root: object = {}): SceneInput => ({
    meshes: [mesh],
    nodes: [{ name: 'Wall', mesh: 0 }, ...nodes],
    accessors: [
      { data: [1, 2], type: 'SCALAR' },
      { data: [0, 1, 0, 0, 2, 0], type: 'VEC3' },
    ],
    root: {
      ...root,
      animations: [
        {
          name: 'Pan',
          samplers: [{ input: 3, output: 4 }],
          channels: moved.map((node) => ({ sampler: 0, target: { node, path: 'translation' } })),
        },
      ],
    },
  });
  const SEEN = {
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1, zfar: 100, aspectRatio: 1 } }],
    extensionsUsed: ['KHR_lights_punctual'],
    extensions: { KHR_lights_punctual: { lights: [{ type: 'point' }] } },
  };
  const EYE = { name: 'Eye', camera: 0 };
  const LAMP = { name: 'Lamp', extensions: { KHR_lights_punctual: { light: 0 } } };
  const said = async (name: string, scene: SceneInput) => {
    writeFileSync(fileOf(`${name}.glb`), buildGlb(scene));
    const { diagnostics } = await toGlb(fileOf(`${name}.glb`), `${name}_out.glb`);
    const { animations = [] } = openGlb(bytesOf(`${name}_out.glb`)).json;
    const channels = animations.map(({ channels }: { channels: unknown[] }) => channels.length);
    return [diagnostics.map(({ code, message }) => `${code} ${message}`), channels];
  };

  test('is no camera or lamp: a clip of them alone is kept, and one beside or above them', async () => {
    expect(await said('seen', moving([1, 2], [EYE, LAMP], SEEN))).toEqual([[], [2]]);
    expect(await said('beside', moving([0, 1], [EYE], SEEN))).toEqual([[], [2]]);
    const nodes = [{ name: 'Head', mesh: 0, children: [2] }, EYE];
    expect(await said('held', moving([1], nodes, SEEN))).toEqual([[], [1]]);
  });

  test('a node with a scale of 0 at rest is said with that reason, and what is below it', async () => {
    const still = async (name: string, nodes: readonly object[]) => {
      const [messages] = (await said(name, moving([1, 2], nodes))) as [string[]];
      return messages.filter((message) => message.startsWith('UC2073'));
    };
    const FLAT = 'UC2073 at rest, as the node or one above it has a scale of 0 at rest:';
    const cap = { name: 'Cap', mesh: 0, translation: [0, 1, 0] };
    const pop = { name: 'Pop', mesh: 0, scale: [0, 0, 0], children: [2] };
    expect(await still('pop', [pop, cap])).toEqual([`${FLAT} Pop, Cap`]);
    const back = { name: 'Back', mesh: 0, scale: [-1, 1, 1] };
    expect(await still('both', [back, { name: 'Pop', mesh: 0, scale: [1, 0, 1] }])).toEqual([
      'UC2073 at rest, as mirrors and shears are part of the vertices: Back',
      `${FLAT} Pop`,
    ]);
  });

  test('is no node without a name and a mesh', async () => {
    expect(await said('unnamed', moving([1], [{}]))).toEqual([[], [1]]);
  });
});

const cube = (ops: string, inner = '') => `#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Z"
    timeCodesPerSecond = 24
    startTimeCode = 1
    endTimeCode = 49
)
def Xform "Crane"
{
${ops}
    def Mesh "Arm"
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (100, 0, 0), (0, 100, 50)]
        uniform token subdivisionScheme = "none"
${inner}
    }
}
`;

const OPS = `    double3 xformOp:translate = (100, 0, 0)
    float3 xformOp:rotateXYZ.timeSamples = { 1: (0, 0, 0), 25: (0, 30, 90), 49: (20, 0, 180) }
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]`;
const SLIDE = `        double3 xformOp:translate.timeSamples = { 1: (0, 0, 0), 49: (0, 0, 200) }
        float3 xformOp:scale.timeSamples = { 1: (1, 1, 1), 25: (2, 1, 1) }
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]`;

describe('a crane of USD', () => {
  test('moves in a GLB as its ops say, upright and in metres', async () => {
    writeFileSync(fileOf('crane.usda'), cube(OPS, SLIDE));
    const { diagnostics } = await toGlb(fileOf('crane.usda'), 'crane.glb');
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
    const cooked = await readScene(fileOf('crane.glb'), true);
    expect(cooked.clips![0].duration).toBeCloseTo(2, 6);
    // A turn of 90 degrees about Z of the stage, and 30 about its Y: at the middle, by hand. Z up is Y up, centimetres are metres.
    const middle = posed(cooked, 1).get('Arm')!;
    const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    // The corner (100, 0, 0), twice as far by its scale: (200, 0, 100) with the slide; about Y, then about Z; moved.
    const p = [200, 0, 100];
    const y = [p[0] * cos + p[2] * sin, p[1], -p[0] * sin + p[2] * cos];
    const z = [-y[1] + 100, y[0], y[2]];
    const ours = at(middle, [1, 0, 0]);
    [z[0] / 100, z[2] / 100, -z[1] / 100].forEach((value, k) => {
      expect(ours[k]).toBeCloseTo(value, 3);
    });
    // At rest it is upright: no turn of the axes is left in its frame.
    expect([...posed({ ...cooked, clips: [] }, 0).get('Crane')!].map((value) => Math.round(value * 1e6) / 1e6)).toEqual(
      [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1],
    );
  });

  test('takes a camera along, which is no node in USD', async () => {
    const eye = `    def Camera "Eye"
    {
        double3 xformOp:translate = (0, -300, 120)
        double3 xformOp:rotateXYZ = (90, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]
    }`;
    writeFileSync(fileOf('seen.usda'), cube(`${OPS}\n${eye}`));
    expect((await toGlb(fileOf('seen.usda'), 'seen.glb')).diagnostics.map(({ code }) => code)).toEqual([]);
    const { nodes, animations } = openGlb(bytesOf('seen.glb')).json;
    const above = (index: number): number =>
      nodes.findIndex(({ children = [] }: { children?: number[] }) => children.includes(index));
    const chain: number[] = [];
    for (let at = nodes.findIndex(({ camera }: { camera?: number }) => camera === 0); at >= 0; at = above(at))
      chain.push(at);
    // The node Eye is upright as all nodes are; the camera looks another way, so that it has a node below.
    expect(chain.map((at) => nodes[at].name)).toEqual(['Eye_1', 'Eye', 'Crane']);
    expect(animations[0].channels.map(({ target }: { target: { node: number } }) => target.node)).toContain(chain[2]);
    // 3 m before and 1.2 m above the crane; a camera that is turned by 90 degrees looks along Y of the stage, -Z of the file.
    const [{ world }] = (await readScene(fileOf('seen.glb'), true)).cameras!;
    expect([...world].map((value) => Math.round(value * 1e5) / 1e5 + 0)).toEqual([
      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1.2, 3, 1,
    ]);
  });

  test('gets a skeleton in .untold with --animate-nodes, and stands still without, which is said', async () => {
    writeFileSync(fileOf('crane2.usda'), cube(OPS));
    const still = await toUntold(fileOf('crane2.usda'), 'still.untold');
    expect(still.diagnostics.map(({ code }) => code)).toEqual(['UC2076', 'UC2073']);
    const rig = { animations: 'all', keepKeys: false, animateNodes: true } as const;
    const moving = await toUntold(fileOf('crane2.usda'), 'moving.untold', { rig });
    expect(moving.diagnostics.map(({ code }) => code)).toEqual([]);
    expect(moving.outputs.some(({ path }) => path.endsWith('.untoldanim'))).toBe(true);
  });

  test('stays frozen where its matrices shear, as before', async () => {
    const sheared = `    matrix4d xformOp:transform.timeSamples = {
        1: ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
        25: ((1, 0, 0, 0), (0.5, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    }
    uniform token[] xformOpOrder = ["xformOp:transform"]`;
    writeFileSync(fileOf('sheared.usda'), cube(sheared));
    const { diagnostics } = await toGlb(fileOf('sheared.usda'), 'sheared.glb');
    expect(diagnostics.map(({ code }) => code)).toEqual(['UC1702']);
  });
});
