// Bones of BPX models: literal records of a small skeleton, weights of vertices, and what has no place.

import { expect, test } from 'vitest';
import { BPX } from '../../../src/formats/bpx/format.ts';
import { bonesOf } from '../../../src/formats/bpx/target/bones.ts';
import { storeMesh } from '../../../src/formats/floatMesh.ts';
import { identity, translation } from '../../../src/scene/matrix.ts';
import type { RigSkeleton } from '../../../src/scene/rig.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { modelIn } from './sameAsUntold.ts';

const SKELETON: RigSkeleton = {
  name: 'arm',
  joints: [
    { parent: -1, path: '/Hip', bind: translation(1, 2, 3), rest: translation(1, 2, 3) },
    { parent: 0, path: '/Hip/Leg', bind: translation(1, 7, 4), rest: translation(0, 5, 1) },
  ],
};

const TRIANGLE = {
  vertexCount: 3,
  positions: Float32Array.of(1, 5, 0, 1, 5, 3, 2, 5, 0),
  attributes: {
    normal: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0),
    tangent: Float32Array.of(0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, 1),
    uv0: Float32Array.of(0, 0, 1, 0, 0.25, 4.75),
  },
  indices: Uint32Array.of(0, 1, 2),
};
const SKINNED = {
  ...TRIANGLE,
  attributes: {
    ...TRIANGLE.attributes,
    joints: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
    weights: Float32Array.of(1, 0, 0, 0, 0.75, 0.25, 0, 0, 1, 0, 0, 0),
  },
};

const common = {
  naming: { entity: 'one', mesh: 'one' },
  surface: { material: { ...DEFAULT_MATERIAL, name: 'skin' }, tint: null, palette: null },
};
const bounds = { min: [0, 0, 0], max: [9, 9, 9] } as const;

async function encode(skeletons: readonly RigSkeleton[]) {
  const { file } = await BPX.encode({
    fileType: 'tile',
    meshes: [
      { ...common, stored: storeMesh(SKINNED), rig: { skeleton: skeletons.length - 1, bounds } },
      { ...common, stored: storeMesh(TRIANGLE) },
    ],
    textures: [],
    authored: { skeletons },
    options: { compression: 'none', file: 'arm.usda' },
  });
  return file;
}

test('bones have paths as names and their matrices in the space of the model; vertices count them', async () => {
  const file = await encode([SKELETON]);
  const { bones, components, arrays } = await modelIn(file);
  expect(components.map(({ type, count }) => `${type} ${count}`)).toEqual([
    'f32 3',
    'f32 3',
    'f32 4',
    'f32 2',
    'u32 4',
    'f32 4',
  ]);
  expect(bones?.map(({ name }) => name)).toEqual(['Hip', 'Hip/Leg']);
  // By columns, the last one the place: (1, 7, 4) is (1, 4, 7).
  expect([...(bones?.[1].matrix ?? [])]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 4, 7, 1]);
  const view = new DataView(arrays[0].vertices.buffer, arrays[0].vertices.byteOffset);
  const row = (v: number) => [
    ...[0, 1, 2, 3].map((k) => view.getUint32(v * 80 + 48 + k * 4, true)),
    ...[0, 1, 2, 3].map((k) => view.getFloat32(v * 80 + 64 + k * 4, true)),
  ];
  expect([0, 1, 2].map(row)).toEqual([
    [1, 0, 0, 0, 1, 0, 0, 0],
    [0, 1, 0, 0, 0.75, 0.25, 0, 0],
    [0, 0, 0, 0, 1, 0, 0, 0],
  ]);
  const [moved, still] = await BPX.decode(file, 'f', [1, 1]);
  expect([...(moved.attributes.weights as Float32Array)]).toEqual([...SKINNED.attributes.weights]);
  expect([...(moved.attributes.joints as Float32Array)]).toEqual([...SKINNED.attributes.joints]);
  expect(still.attributes.weights, 'no bone moves it').toBeUndefined();
});

test('bones of several skeletons are one list, and roots of one name get numbers', async () => {
  const { bones, arrays } = await modelIn(await encode([SKELETON, SKELETON]));
  expect(bones?.map(({ name }) => name)).toEqual(['Hip', 'Hip/Leg', 'Hip_1', 'Hip_1/Leg']);
  const view = new DataView(arrays[0].vertices.buffer, arrays[0].vertices.byteOffset);
  expect(view.getUint32(48, true)).toBe(3);
});

test('a model has 1024 bones at most (UC2495)', () => {
  const joints = Array.from({ length: 1025 }, (_, i) => ({
    parent: -1,
    path: `/${i}`,
    bind: identity(),
    rest: identity(),
  }));
  expect(() => bonesOf([{ name: 'a', joints }], 'f')).toThrow(/UC2495.*1025 bones/);
  expect(bonesOf([{ name: 'a', joints: joints.slice(1) }], 'f')?.bones.length).toBe(1024);
});

test('clips and other poses at rest are named (UC2332), bones are not', () => {
  const prepared = { materials: [], textures: [] };
  const losses = (skeletons: readonly RigSkeleton[], clips = 0) =>
    BPX.lossesOf(
      { skeletons, clips: new Array(clips).fill({ name: 'walk', duration: 1, channels: [] }) },
      'f',
      prepared,
    ).map(({ code, message }) => `${code} ${message}`);
  expect(losses([SKELETON])).toEqual([]);
  const [root, leg] = SKELETON.joints;
  const bent = { ...SKELETON, joints: [root, { ...leg, rest: translation(0, 6, 1) }] };
  expect(losses([SKELETON, bent], 2)[0]).toMatch(/^UC2332 poses at rest of 1 skeleton and 2 clips: bones/);
});
