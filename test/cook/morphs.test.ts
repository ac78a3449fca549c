// Morph targets from source to file: names and deltas are those that an independent reader finds in the source, to half
// precision; what cannot be kept is named.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Logger, NodeIO, type Primitive } from '@gltf-transform/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CookSettings } from '../../src/config/types.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { validateUntold } from '../../src/formats/untold/check/validate.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldMorph, UntoldScene } from '../../src/formats/untold/types.ts';
import { buildGlb, buildJson, type SceneInput } from '../importers/gltf/build.ts';
import { cookFiles, cookToFile, verticesOf } from './cooked.ts';

const HEAD = resolve(import.meta.dirname, '../../samples/glb/head.glb');
const USD = resolve(import.meta.dirname, '../../../shared/assets/usd/tinyusdz-models');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-morphs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** IEEE 754 half precision. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** The deltas of an entry, position and normal. */
const entryOf = ({ deltas, positionScale }: UntoldMorph, e: number) => ({
  position: [0, 1, 2].map((k) => half(deltas[e * 6 + k]) * positionScale),
  normal: [3, 4, 5].map((k) => half(deltas[e * 6 + k])),
});

interface TheirDelta {
  readonly position: readonly number[];
  readonly normal: readonly number[];
}

/** What an independent reader finds: the deltas of each vertex by name, by the place of the vertex at the weights of the file. */
interface Theirs {
  readonly names: readonly string[];
  readonly byPlace: ReadonlyMap<string, ReadonlyMap<string, TheirDelta>>;
}

const placeKey = (place: readonly number[]): string => place.map((value) => Math.round(value * 2e4) + 0).join(' ');

function addPrimitive(
  primitive: Primitive,
  names: readonly string[],
  weights: readonly number[],
  byPlace: Map<string, ReadonlyMap<string, TheirDelta>>,
): void {
  const positions = primitive.getAttribute('POSITION')!;
  const normals = primitive.getAttribute('NORMAL')!;
  const targets = primitive.listTargets();
  for (let v = 0; v < positions.getCount(); v++) {
    const of = (semantic: string) =>
      targets.map((target) => target.getAttribute(semantic)?.getElement(v, [0, 0, 0]) ?? [0, 0, 0]);
    const [moves, turns] = [of('POSITION'), of('NORMAL')];
    const atRest = (base: readonly number[], deltas: readonly (readonly number[])[]) =>
      base.map((value, k) => deltas.reduce((sum, delta, t) => sum + (weights[t] ?? 0) * delta[k], value));
    // Vertices store normals of unit length: what is added to them is as much longer.
    const length = Math.hypot(...atRest(normals.getElement(v, [0, 0, 0]), turns));
    const rows = names.map((name, t): [string, TheirDelta] => [
      name,
      { position: moves[t], normal: turns[t].map((value) => value / length) },
    ]);
    byPlace.set(placeKey(atRest(positions.getElement(v, [0, 0, 0]), moves)), new Map(rows));
  }
}

async function readWithGltfTransform(path: string): Promise<Theirs> {
  const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  const byPlace = new Map<string, ReadonlyMap<string, TheirDelta>>();
  const names = new Set<string>();
  for (const mesh of (await io.read(path)).getRoot().listMeshes()) {
    const { targetNames = [] } = mesh.getExtras() as { targetNames?: string[] };
    for (const name of targetNames) names.add(name);
    for (const primitive of mesh.listPrimitives()) addPrimitive(primitive, targetNames, mesh.getWeights(), byPlace);
  }
  return { names: [...names], byPlace };
}

/** Compares each vertex of a file with what the other reader has at its place. Gives how many entries were compared. */
function compare({ meshes, morphs = [] }: UntoldScene, { names, byPlace }: Theirs, min: number): number {
  let entries = 0;
  const faults: string[] = [];
  for (const [m, mesh] of meshes.entries()) {
    const own = morphs.filter((morph) => morph.mesh === m);
    for (const [v, { position }] of verticesOf(mesh).entries()) {
      const rows = byPlace.get(placeKey(position));
      if (!rows) {
        faults.push(`mesh ${m} vertex ${v}: no such vertex`);
        continue;
      }
      for (const name of names) {
        const theirs = rows.get(name) ?? { position: [0, 0, 0], normal: [0, 0, 0] };
        const morph = own.find((one) => one.name === name);
        const e = morph ? morph.vertices.indexOf(v) : -1;
        if (!morph || e < 0) {
          const length = Math.hypot(...theirs.position);
          if (length > min || theirs.normal.some((value) => Math.abs(value) > 1e-3))
            faults.push(`${name}, mesh ${m}, vertex ${v} is not moved`);
          continue;
        }
        entries++;
        const ours = entryOf(morph, e);
        // Half a step of a half in [1/2, 1], and the rounding of float32 positions.
        const step = morph.positionScale * 2 ** -11;
        const off = theirs.position.map((value, k) => Math.abs(value - ours.position[k]));
        if (Math.max(...off) > step)
          faults.push(`${name}, mesh ${m}, vertex ${v}: ${ours.position} and not ${theirs.position}`);
        const turn = theirs.normal.map((value, k) => Math.abs((morph.hasNormals ? ours.normal[k] : 0) - value));
        if (Math.max(...turn) > 5e-3)
          faults.push(`${name}, mesh ${m}, vertex ${v}: normal ${ours.normal} and not ${theirs.normal}`);
      }
    }
  }
  expect(faults.slice(0, 5)).toEqual([]);
  return entries;
}

const totalEntries = ({ morphs = [] }: UntoldScene): number =>
  morphs.reduce((sum, { vertices }) => sum + vertices.length, 0);

async function glbOf(source: string): Promise<string> {
  const path = join(folder, 'out.glb');
  const settings: CookSettings = { missingTexture: 'error', tileSize: 25, compress: 'lz4', format: 'glb' };
  const target = { kind: 'file', path } as const;
  const { status } = await cookSource({ source, root: null, target, settings, policy: LENIENT, force: true });
  expect(status).toBe('ok');
  return path;
}

describe('a head with ten targets', () => {
  test('has the names and deltas that gltf-transform reads, at each copy of a vertex', async () => {
    const outcome = await cookToFile(HEAD, folder);
    const scene = await readUntold(new Uint8Array(readFileSync(outcome.file)), 'head');
    const theirs = await readWithGltfTransform(HEAD);
    expect(theirs.names).toHaveLength(10);
    expect([...new Set(scene.morphs?.map(({ name }) => name))].sort()).toEqual([...theirs.names].sort());
    expect(compare(scene, theirs, 1e-5)).toBe(totalEntries(scene));
    for (const { vertices } of scene.morphs ?? []) expect(new Set(vertices).size).toBe(vertices.length);
    expect(outcome.totals?.morphs?.map(({ name, weight }) => [name, weight]).slice(0, 2)).toEqual([
      ['smile', 0.25],
      ['frown', 0],
    ]);
    expect(outcome.diagnostics).toEqual([]);
  });

  test('is the same in the GLB that we write, and in the .untold that is made of ours', async () => {
    const first = await cookToFile(HEAD, folder);
    const bytes = new Uint8Array(readFileSync(first.file));
    const scene = await readUntold(bytes, 'head');
    const theirs = await readWithGltfTransform(await glbOf(HEAD));
    expect(compare(scene, theirs, 1e-5)).toBe(totalEntries(scene));
    const again = await cookFiles({ 'head.untold': bytes });
    const stripped = (morphs: UntoldScene['morphs']) => morphs?.map(({ mesh: _, ...morph }) => morph);
    expect(stripped(again.scene.morphs)).toEqual(stripped(scene.morphs));
    expect(again.codes).toEqual([]);
  });

  test('has none of them with --morphs none, nor in tiles', async () => {
    const rig = { animations: 'all', keepKeys: false, animateNodes: false, morphs: 'none' } as const;
    const outcome = await cookToFile(HEAD, folder, { rig });
    const scene = await readUntold(new Uint8Array(readFileSync(outcome.file)), 'head');
    expect([scene.morphs, outcome.totals?.morphs, outcome.diagnostics]).toEqual([undefined, undefined, []]);
    const tiles = { kind: 'folder', folder: join(folder, 'tiles'), sceneName: 'head' } as const;
    const settings = { missingTexture: 'error', tileSize: 25, compress: 'lz4', rig } as const;
    const set = await cookSource({ source: HEAD, root: null, target: tiles, settings, policy: LENIENT, force: true });
    expect(set.diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'UC1015 --morphs',
      'UC1342 meshes/0',
      'UC1341 nodes/0',
    ]);
  });
});

describe.skipIf(!existsSync(USD))('blend shapes of UsdSkel (skipped without the assets beside the project)', () => {
  test.each([
    ['blendshape.usda', ['Key_1'], 1],
    ['simple-blendshape-test-001.usda', ['Key_1'], 1],
    ['blendshape-and-animation-test-001.usda', ['Key_1'], 1],
  ])('%s: what gltf-transform reads of the GLB is what the .untold holds', async (name, names, meshes) => {
    const source = join(USD, name);
    const outcome = await cookToFile(source, folder);
    const bytes = new Uint8Array(readFileSync(outcome.file));
    expect(await validateUntold(bytes, name, { engine: true })).toEqual([]);
    const scene = await readUntold(bytes, name);
    const theirs = await readWithGltfTransform(await glbOf(source));
    expect([theirs.names, outcome.totals?.morphs]).toEqual([names, [{ name: 'Key_1', weight: 0, meshes }]]);
    expect(compare(scene, theirs, 1e-5)).toBe(totalEntries(scene));
  });

  test('offsets of a stage with Z up move vertices up Y', async () => {
    const outcome = await cookToFile(join(USD, 'simple-blendshape-test-001.usda'), folder);
    const { morphs = [], meshes } = await readUntold(new Uint8Array(readFileSync(outcome.file)), 'plane');
    const [morph] = morphs;
    const at = (v: number) => verticesOf(meshes[0])[v].position;
    // The file: (0, 0, 1.4126259) at (-1, 1, 0), (0, 0, 1.5390067) at (1, 1, 0).
    const moved = [...morph.vertices].map((v, e) => [at(v)[0], at(v)[2], ...entryOf(morph, e).position]);
    expect(moved.sort((a, b) => a[0] - b[0]).map((row) => row.map((value) => Number(value.toFixed(3)) + 0))).toEqual([
      [-1, -1, 0, 1.413, 0],
      [1, -1, 0, 1.539, 0],
    ]);
  });
});

/** A triangle that joint 0 moves. */
const BOUND = {
  positions: [0, 0, 0, 2, 0, 0, 0, 2, 0],
  normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
  attributes: { JOINTS_0: new Uint8Array(12), WEIGHTS_0: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] },
};
const skinnedScene = (primitive: object, node: object = {}, mesh: object = {}): SceneInput => ({
  meshes: [{ name: 'Face', primitives: [{ ...BOUND, ...primitive }], ...mesh }],
  nodes: [
    { name: 'Face', mesh: 0, skin: 0 },
    { name: 'Bone', ...node },
  ],
  root: { skins: [{ joints: [1] }] },
});
const cookGlb = (scene: SceneInput, settings: Partial<CookSettings> = {}) =>
  cookFiles({ 'scene.glb': buildGlb(scene) }, settings);
const movedOf = ({ morphs = [], meshes }: UntoldScene) =>
  morphs.flatMap((morph) =>
    [...morph.vertices].map((v, e) => {
      const { position, normal } = entryOf(morph, e);
      return [morph.name, verticesOf(meshes[morph.mesh])[v].position, position, morph.hasNormals ? normal : null];
    }),
  );

describe('deltas', () => {
  test('follow the linear part of what moves the vertices, a mirror too; normals its inverse transpose', async () => {
    const targets = [{ POSITION: [0, 0, 0, 0.5, 0.25, 0, 0, 0, 0], NORMAL: [0, 0, 0, 1, 0, 0, 0, 0, 0] }];
    const { scene } = await cookGlb(skinnedScene({ targets }, { scale: [-2, 1, 1], translation: [10, 0, 0] }));
    // x' = 10 - 2 x. The normal (0, 0, 1) keeps its length, so that its delta turns to (-1/2, 0, 0).
    expect(movedOf(scene)).toEqual([['target_0', [6, 0, 0], [-1, 0.25, 0], [-0.5, 0, 0]]]);
  });

  test('start from the weights of the node, which the document names', async () => {
    const targets = [{ POSITION: [0, 0, 1, 0, 0, 0, 0, 0, 0] }, { POSITION: [0, 1, 0, 0, 0, 0, 0, 0, 0] }];
    const scene = skinnedScene({ targets }, {}, { weights: [0.5, 0] });
    const { scene: file, outcome } = await cookGlb(scene);
    expect(movedOf(file)).toEqual([
      ['target_0', [0, 0, 0.5], [0, 0, 1], null],
      ['target_1', [0, 0, 0.5], [0, 1, 0], null],
    ]);
    expect(outcome.totals?.morphs).toEqual([
      { name: 'target_0', weight: 0.5, meshes: 1 },
      { name: 'target_1', weight: 0, meshes: 1 },
    ]);
    // The engine culls by these bounds: they hold the source's weights from 0 to 1.
    expect(file.worldBounds).toEqual({ min: [0, 0, 0], max: [2, 2, 1] });
  });

  test('shorter than a hundred-thousandth of the model are left out; a target without others is named', async () => {
    const size = Math.hypot(2, 2);
    const targets = [
      { POSITION: [0, 0, 1.1e-5 * size, 0.9e-5 * size, 0, 0, 0, 0, 0] },
      { POSITION: [0, 0, 0.9e-5 * size, 0, 0, 0, 0, 0, 0] },
    ];
    const { scene, codes } = await cookGlb(skinnedScene({ targets }));
    expect(movedOf(scene).map(([name, place]) => [name, place])).toEqual([['target_0', [0, 0, 0]]]);
    expect(codes).toEqual(['UC2094']);
  });

  test('of copies at a seam stand at each copy, of a vertex that is not moved at none', async () => {
    // Two triangles that share an edge, with other texture coordinates on each side of it.
    const primitive = {
      positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0],
      normals: Array.from({ length: 6 }, () => [0, 0, 1]).flat(),
      uvs: [0, 0, 0.4, 0, 0.4, 1, 0.6, 0, 1, 0, 0.6, 1],
      attributes: {
        JOINTS_0: new Uint8Array(24),
        WEIGHTS_0: Array.from({ length: 6 }, () => [1, 0, 0, 0]).flat(),
      },
      targets: [{ POSITION: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] }],
    };
    const { scene } = await cookGlb(skinnedScene(primitive));
    expect(scene.meshes[0].vertexCount).toBe(6);
    expect(movedOf(scene).map(([, place, by]) => [place, by])).toEqual([
      [
        [1, 0, 0],
        [0, 0, 1],
      ],
      [
        [1, 0, 0],
        [0, 0, 1],
      ],
    ]);
  });

  test('of vertices that are equal but move otherwise keep them apart', async () => {
    const primitive = {
      positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0],
      normals: Array.from({ length: 6 }, () => [0, 0, 1]).flat(),
      attributes: {
        JOINTS_0: new Uint8Array(24),
        WEIGHTS_0: Array.from({ length: 6 }, () => [1, 0, 0, 0]).flat(),
      },
      targets: [{ POSITION: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0] }],
    };
    const { scene } = await cookGlb(skinnedScene(primitive));
    // (1, 1, 0) is welded, (1, 0, 0) is not: its copies part.
    expect(scene.meshes[0].vertexCount).toBe(5);
    expect(movedOf(scene).map(([, , by]) => by)).toEqual([
      [0, 0, 1],
      [0, 0, -1],
    ]);
  });
});

describe('what is named', () => {
  const move = [0, 0, 1, 0, 0, 0, 0, 0, 0];
  /** With weights of the node 0 at two times. */
  const talking = (scene: SceneInput): SceneInput => {
    const first = buildJson(scene).json.accessors.length;
    const channels = [{ sampler: 0, target: { node: 0, path: 'weights' } }];
    const animations = [{ name: 'Talk', channels, samplers: [{ input: first, output: first + 1 }] }];
    const accessors = [
      { data: [0, 1], type: 'SCALAR' },
      { data: [0, 1], type: 'SCALAR' },
    ];
    return { ...scene, accessors, root: { ...scene.root, animations } };
  };

  test('deltas of tangents and colours, animated weights, more than 16 targets', async () => {
    const still = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    const full = {
      attributes: {
        ...BOUND.attributes,
        TANGENT: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1],
        COLOR_0: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      },
      targets: [
        { POSITION: move, TANGENT: { data: still, type: 'VEC3' }, COLOR_0: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
      ],
    };
    const named = skinnedScene(full, {}, { extras: { targetNames: ['grin'] } });
    const { outcome } = await cookGlb(talking(named));
    const said = outcome.diagnostics
      .filter(({ code }) => code.startsWith('UC209'))
      .map(({ code, message }) => `${code} ${message}`);
    expect(said.sort()).toEqual([
      'UC2092 tangent deltas of "grin"',
      'UC2093 colour deltas of "grin"',
      'UC2096 weights stay as they are in "Talk"',
    ]);
    const many = await cookGlb(skinnedScene({ targets: Array.from({ length: 17 }, () => ({ POSITION: move })) }));
    expect([many.codes, many.scene.morphs?.length]).toEqual([['UC2095'], 17]);
    expect(
      (await cookGlb(skinnedScene({ targets: Array.from({ length: 16 }, () => ({ POSITION: move })) }))).codes,
    ).toEqual([]);
  });

  /** A triangle of a joint with the blend shape `Up`, which moves point 1. */
  const blendShape = (shape: string, mesh = '') => {
    const still = '((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))';
    const text = `#usda 1.0
(
    defaultPrim = "Root"
    metersPerUnit = 1
    upAxis = "Y"
)
def SkelRoot "Root" {
    def Skeleton "Bones" {
        uniform token[] joints = ["A"]
        uniform matrix4d[] bindTransforms = [${still}]
        uniform matrix4d[] restTransforms = [${still}]
    }
    def Mesh "Face" (prepend apiSchemas = ["SkelBindingAPI"]) {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        rel skel:skeleton = </Root/Bones>
        ${mesh}
        int[] primvars:skel:jointIndices = [0] (interpolation = "constant")
        float[] primvars:skel:jointWeights = [1] (interpolation = "constant")
        uniform token[] skel:blendShapes = ["Up"]
        rel skel:blendShapeTargets = </Root/Face/up>
        def BlendShape "up" {
            uniform vector3f[] offsets = [(0, 0, 1)]
            uniform int[] pointIndices = [1]
            ${shape}
        }
    }
}
`;
    return cookFiles({ 'scene.usda': new TextEncoder().encode(text) });
  };

  test('in-between shapes of USD', async () => {
    const { codes, scene } = await blendShape('uniform vector3f[] inbetweens:half = [(0, 1, 0)] (weight = 0.5)');
    expect(codes).toContain('UC2091');
    // The shape at full weight stays.
    expect(movedOf(scene)).toEqual([['Up', [1, 0, 0], [0, 0, 1], null]]);
  });

  test('normal offsets of USD for a mesh without normals, if they turn any', async () => {
    const offsets = 'uniform vector3f[] normalOffsets = [(0, 1, 0)]';
    const made = await blendShape(offsets);
    const said = made.outcome.diagnostics.filter(({ code }) => code === 'UC2092').map(({ message }) => message);
    expect(said).toEqual(['normal deltas of "Up"']);
    expect(movedOf(made.scene)).toEqual([['Up', [1, 0, 0], [0, 0, 1], null]]);
    const authored = await blendShape(offsets, 'normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1)]');
    expect(authored.codes).not.toContain('UC2092');
    expect(movedOf(authored.scene)).toEqual([['Up', [1, 0, 0], [0, 0, 1], [0, 1, 0]]]);
    expect((await blendShape(offsets.replace('1', '0'))).codes).not.toContain('UC2092');
  });

  test('meshes without a skin; with --morphs all they get a skeleton of one joint', async () => {
    const { attributes: _, ...plain } = BOUND;
    const scene: SceneInput = {
      meshes: [{ name: 'Flag', primitives: [{ ...plain, targets: [{ POSITION: move }] }] }],
      nodes: [
        { name: 'Pole', translation: [0, 5, 0], children: [1] },
        { name: 'Flag', mesh: 0, scale: [2, 2, 2] },
      ],
      scenes: [{ nodes: [0] }],
    };
    const still = await cookGlb(scene);
    expect([still.codes, still.scene.morphs, still.scene.skeletons]).toEqual([['UC2090'], undefined, undefined]);
    const rig = { animations: 'all', keepKeys: false, animateNodes: false, morphs: 'all' } as const;
    const moved = await cookGlb(scene, { rig });
    expect(moved.codes).toEqual([]);
    expect(moved.scene.skeletons?.map(({ joints }) => joints.map(({ path }) => path))).toEqual([['/Flag']]);
    expect(
      moved.scene.skins?.map(({ mesh, indices, weights }) => [mesh, ...indices.slice(0, 4), ...weights.slice(0, 4)]),
    ).toEqual([[0, 0, 0, 0, 0, 1, 0, 0, 0]]);
    expect(movedOf(moved.scene)).toEqual([['target_0', [0, 5, 0], [0, 0, 2], null]]);
  });

  test('targets for a format that holds none', async () => {
    const outcome = await cookSource({
      source: HEAD,
      root: null,
      target: { kind: 'file', path: join(folder, 'head.bpx') },
      settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4', format: 'bpx' },
      policy: LENIENT,
      force: true,
    });
    expect(outcome.diagnostics.map(({ code }) => code)).toContain('UC2336');
  });
});
