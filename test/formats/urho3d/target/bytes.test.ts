// What a model of Urho3D holds, against bytes worked out by hand from the format: axes, winding, direction of V, sign of the
// tangent, bones, levels and their distances.

import { expect, test } from 'vitest';
import { elementBits } from '../../../../src/formats/urho3d/model/elements.ts';
import { readModel } from '../../../../src/formats/urho3d/model/read.ts';
import { writeModel } from '../../../../src/formats/urho3d/model/write.ts';
import { encodePayload } from '../../../../src/formats/urho3d/target/encode.ts';
import { joinModel, lodDistance, NO_BONES } from '../../../../src/formats/urho3d/target/join.ts';
import { readPiece } from '../../../../src/formats/urho3d/target/piece.ts';
import { animationOf, bonesOf } from '../../../../src/formats/urho3d/target/skeleton.ts';
import { fromParts } from '../../../../src/scene/quaternion.ts';
import type { PreparedTexture } from '../../../../src/textures/types.ts';
import { bytesOf, codesOf } from '../fixtures.ts';
import { drawn, encode, MATERIAL, surface, triangle } from './meshes.ts';

const piece = async (...meshes: Parameters<typeof encode>) => readPiece((await encode(...meshes)).file, 'piece');

test('a triangle: mirrored at Z, turned around, V down, the sign of the tangent as it is', async () => {
  const { model } = joinModel([{ distance: 0, piece: await piece(drawn(triangle())) }], NO_BONES, '');
  // POSITION VECTOR3, NORMAL VECTOR3, TEXCOORD VECTOR2, TANGENT VECTOR4.
  const elements = [0x0003, 0x0103, 0x0402, 0x0304];
  const expected = bytesOf(
    'UMD2',
    ['u32', 1, 3, elements.length, ...elements, 0, 0],
    ['f32', 0, 0, -1, 0, 0, -1, 0, 1, 1, 0, 0, 1],
    ['f32', 2, 0, -1, 0, 0, -1, 1, 1, 1, 0, 0, 1],
    ['f32', 0, 3, -1, 0, 0, -1, 0, 0.25, 1, 0, 0, 1],
    // One index buffer of three indices of 2 bytes: the first corner, then the others the other way around.
    ['u32', 1, 3, 2],
    ['u16', 0, 2, 1],
    // One geometry without bone mapping, one level from 0 on: triangle list, buffers 0 and 0, all three indices.
    ['u32', 1, 0, 1],
    ['f32', 0],
    ['u32', 0, 0, 0, 0, 3],
    // No morphs, no bones.
    ['u32', 0, 0],
    ['f32', 0, 0, -1, 2, 3, -1],
    ['f32', Math.fround(2 / 3), 1, -1],
  );
  expect([...writeModel(model)]).toEqual([...expected]);
  // (c - a) x (b - a) in the file's own order points along the normal; cross(T, N) w points up the image, against V.
  const [a, b, c] = [
    [0, 0, -1],
    [0, 3, -1],
    [2, 0, -1],
  ];
  const cross = (p: number[], q: number[]) => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const minus = (p: number[], q: number[]) => p.map((value, k) => value - q[k]);
  expect(cross(minus(b, a), minus(c, a))[2]).toBe(-6);
  expect(cross([1, 0, 0], [0, 0, -1]).map((value) => value + 0)).toEqual([0, 1, 0]);
});

test('vertex colours are bytes behind the normal; an occlusion map reads the second texture coordinates', async () => {
  const color0 = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const textures = [{ fileName: 'ao_1a2b3c4d.png' }] as unknown as PreparedTexture[];
  const occluded = surface({ slots: { ...MATERIAL.slots, occlusion: 0 } });
  const { file } = await encodePayload({
    fileType: 'tile',
    meshes: [drawn(triangle({ color0 }), occluded)],
    textures,
    authored: {},
    options: { compression: 'none' },
  });
  const { model, materials } = readPiece(file, 'piece');
  const [{ elements, data }] = model.vertexBuffers;
  // POSITION VECTOR3, NORMAL VECTOR3, COLOR UBYTE4_NORM, TEXCOORD 0 and 1 VECTOR2, TANGENT VECTOR4.
  expect(elements.map(elementBits)).toEqual([0x0003, 0x0103, 0x0506, 0x0402, 0x10402, 0x0304]);
  expect([...data.subarray(60 + 24, 60 + 28)]).toEqual([5, 6, 7, 8]);
  const uvs = new DataView(data.buffer, data.byteOffset).getFloat32.bind(new DataView(data.buffer, data.byteOffset));
  expect([28, 32, 36, 40].map((at) => uvs(2 * 60 + at, true))).toEqual([0, 0.25, 0, 0.25]);
  expect([materials[0].vertexColors, materials[0].textures.occlusion]).toEqual([true, 'ao_1a2b3c4d.png']);
});

test('levels: an HLOD with a material of its own takes the place of what is before it', async () => {
  const near = await piece(drawn(triangle()), drawn(triangle(), surface({ name: 'Roof' })));
  const lod = await piece(drawn(triangle()));
  const hlod = await piece(drawn(triangle(), surface({ name: 'Far' })));
  const levels = [
    { distance: 0, piece: near },
    { distance: 10, piece: lod },
    { distance: 50, piece: hlod },
  ];
  const { model, materials } = joinModel(levels, NO_BONES, '');
  expect(materials.map(({ name }) => name)).toEqual(['Wall', 'Roof', 'Far']);
  // The box has sides 2, 3, 0: their mean is 5/3, half the diagonal sqrt(13)/2. The engine measures to the centre.
  const at = (metres: number) => Math.fround((metres + Math.sqrt(13) / 2) / (5 / 3));
  expect(lodDistance(10, model.box)).toBe(at(10));
  const shown = model.geometries.map(({ levels: own }) => own.map((level) => [level.distance, level.indexCount]));
  expect(shown).toEqual([
    [
      [0, 3],
      [at(10), 3],
      [at(50), 0],
    ],
    [
      [0, 3],
      [at(10), 0],
    ],
    [
      [0, 0],
      [at(50), 3],
    ],
  ]);
  expect(readModel(writeModel(model), 'model').centres?.[2]).toEqual([Math.fround(2 / 3), 1, -1]);
});

test('what is drawn with one material is one geometry', async () => {
  const { model, materials } = joinModel(
    [{ distance: 0, piece: await piece(drawn(triangle()), drawn(triangle())) }],
    NO_BONES,
    '',
  );
  expect([model.geometries.length, materials.length, model.vertexBuffers[0].vertexCount]).toEqual([1, 1, 6]);
  expect([...model.indexBuffers[0]]).toEqual([0, 2, 1, 3, 5, 4]);
});

const half = Math.SQRT1_2;
const joint = (path: string, parent: number, at: readonly [number, number, number]) => ({
  path,
  parent,
  bind: fromParts(at, [0, 0, 0, 1], [1, 1, 1]),
  rest: fromParts(at, [half, 0, 0, half], [1, 1, 1]),
});

test('bones: mirrored rests and offsets, one root, tracks on one list of times', async () => {
  const bones = bonesOf([
    { name: 'a', joints: [joint('/Hip', -1, [1, 2, 3]), joint('/Hip/Leg', 0, [0, 1, 0])] },
    { name: 'b', joints: [joint('/Other/Leg', -1, [0, 0, 0])] },
  ]);
  expect(bones.bones.map(({ name, parent }) => [name, parent])).toEqual([
    ['Root', 0],
    ['Hip', 0],
    ['Leg', 1],
    ['Leg_1', 0],
  ]);
  expect(bones.first).toEqual([1, 3]);
  const [, hip] = bones.bones;
  expect(hip.position).toEqual([1, 2, -3]);
  // w x y z of a quarter turn about X: the mirror at Z turns it the other way.
  expect(hip.rotation.map((value) => Math.round(value * 1e6) + 0)).toEqual([707107, -707107, 0, 0]);
  expect([...hip.offset]).toEqual([1, 0, 0, -1, 0, 1, 0, -2, 0, 0, 1, 3]);

  const clip = {
    name: 'Walk',
    duration: 2,
    channels: [
      {
        path: '/Hip',
        translations: { times: Float32Array.of(0, 2), values: Float32Array.of(0, 0, 0, 4, 0, 2) },
        rotations: {
          times: Float32Array.of(0, 1, 2),
          values: Float32Array.of(0, 0, 0, 1, half, 0, 0, half, 0, 0, 0, 1),
        },
      },
    ],
  };
  const animation = animationOf(clip, bones, 'jack|Walk');
  const [{ bone, keys }] = animation?.tracks ?? [];
  expect([animation?.name, animation?.length, bone, [...keys.time]]).toEqual(['jack|Walk', 2, 'Hip', [0, 1, 2]]);
  expect([...(keys.position ?? [])].map((value) => value + 0)).toEqual([0, 0, 0, 2, 0, -1, 4, 0, -2]);
  const turn = Math.fround(half);
  expect([...(keys.rotation ?? [])].map((value) => value + 0)).toEqual([1, 0, 0, 0, turn, -turn, 0, 0, 1, 0, 0, 0]);
  expect(animationOf({ ...clip, channels: [] }, bones, 'x')).toBe(null);
});

const rig = { skeleton: 0, bounds: { min: [-5, 0, 0], max: [2, 3, 8] } } as const;

test('skinned vertices name bones of the model; many bones become a mapping for each geometry', async () => {
  const moved = triangle({
    joints: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0),
    weights: Float32Array.of(1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0),
  });
  const few = bonesOf([{ name: 'a', joints: Array.from({ length: 8 }, (_, i) => joint(`/j${i}`, i - 1, [0, 0, 0])) }]);
  const one = [{ distance: 0, piece: await piece(drawn(moved, surface(), rig)) }];
  const { model } = joinModel(one, few, '');
  const bytes = model.vertexBuffers[0].data;
  const indices = [0, 1, 2].map((vertex) => [...bytes.subarray((vertex + 1) * 68 - 4, (vertex + 1) * 68)]);
  // Where the weight is 0 the number is of no account: it is that of the first bone of the mesh.
  expect(indices).toEqual([
    [1, 0, 0, 0],
    [1, 0, 0, 0],
    [7, 0, 0, 0],
  ]);
  expect([[...model.geometries[0].boneMapping], model.box]).toEqual([[], [-5, 0, -8, 2, 3, 0]]);
  expect(writeModel(model).length).toBeGreaterThan(0);

  const many = bonesOf([
    { name: 'a', joints: Array.from({ length: 80 }, (_, i) => joint(`/j${i}`, i - 1, [0, 0, 0])) },
  ]);
  expect([...joinModel(one, many, '').model.geometries[0].boneMapping]).toEqual([0, 1, 7]);
});

test('limits of the target end in codes of their own', async () => {
  const count = 300;
  const positions = new Float32Array(count * 3).map((_, i) => (i * 7) % 11);
  const normal = new Float32Array(count * 3).map((_, i) => (i % 3 === 2 ? 1 : 0));
  const joints = new Float32Array(count * 4).map((_, i) => (i % 4 === 0 ? i / 4 : 0));
  const weights = new Float32Array(count * 4).map((_, i) => (i % 4 === 0 ? 1 : 0));
  const indices = Uint32Array.from({ length: count }, (_, i) => i);
  const bounds = { min: [0, 0, 0], max: [11, 11, 11] } as const;
  const large = { vertexCount: count, positions, attributes: { normal, joints, weights }, indices, bounds };
  await expect(encode(drawn(large, surface(), rig))).rejects.toMatchObject({
    diagnostics: [{ code: 'UC2410', path: 'thing' }],
  });
  const one = [{ distance: 0, piece: await piece(drawn(triangle())) }];
  expect(codesOf(() => joinModel(one, NO_BONES, 'scene', 100))).toEqual(['UC2411']);
});
