// Every rule that the check of a GLB knows, broken one at a time; and files cut off at every length.

import { beforeAll, describe, expect, test } from 'vitest';
import { type FloatMesh, storeMesh } from '../../../src/formats/floatMesh.ts';
import { assembled } from '../../../src/formats/glb/builder.ts';
import { verifyGlb } from '../../../src/formats/glb/check.ts';
import { GLB } from '../../../src/formats/glb/format.ts';
import { identity } from '../../../src/scene/matrix.ts';
import { encodePng } from '../../../src/textures/encode/png.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { partsOfGlb } from '../../animation/gltfPoses.ts';
import type { Json } from '../../importers/gltf/build.ts';
import { expectValid } from './khronos.ts';

const BOUNDS = { min: [0, 0, 0], max: [1, 1, 0] } as const;
const MESH: FloatMesh = storeMesh({
  vertexCount: 3,
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  attributes: {
    normal: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
    tangent: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1),
    uv0: Float32Array.of(0, 0, 1, 0, 0, 1),
    joints: new Float32Array(12),
    weights: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
  },
  indices: Uint32Array.of(0, 1, 2),
});

let plain: Uint8Array;
let packed: Uint8Array;
let draco: Uint8Array;

beforeAll(async () => {
  const bytes = await encodePng(Uint8Array.of(1, 2, 3), 1, 1, false);
  const texture = { fileName: 'a_0.png', bytes, sha256: 'a', width: 1, height: 1, format: 0, mipCount: 1, flags: 1 };
  const material = { ...DEFAULT_MATERIAL, slots: { ...DEFAULT_MATERIAL.slots, baseColor: 0 } };
  const joint = { parent: -1, path: '/Hip', bind: identity(), rest: identity() };
  const keys = (values: number[]) => ({ times: Float32Array.of(0, 1), values: Float32Array.from(values) });
  const none = { times: new Float32Array(0), values: new Float32Array(0) };
  const clip = {
    name: 'c',
    duration: 1,
    channels: [{ path: '/Hip', translations: keys([0, 0, 0, 1, 0, 0]), rotations: none }],
  };
  const encode = async (geometry?: 'meshopt' | 'draco') =>
    (
      await GLB.encode({
        fileType: 'tile',
        meshes: [
          {
            naming: { entity: 'a', mesh: 'a' },
            surface: { material, tint: null, palette: null },
            stored: MESH,
            rig: { skeleton: 0, bounds: BOUNDS },
          },
        ],
        textures: [texture],
        authored: { skeletons: [{ name: 's', joints: [joint] }], clips: [clip] },
        options: { compression: 'none', ...(geometry ? { geometry } : {}) },
      })
    ).file;
  plain = await encode();
  packed = await encode('meshopt');
  draco = await encode('draco');
});

const codesOf = async (bytes: Uint8Array) => [
  ...new Set((await verifyGlb(bytes, 'f', { engine: false })).map(({ code }) => code)),
];

/** The file with JSON or bytes of the buffer changed. */
async function changed(file: Uint8Array, change: (json: Json, bin: DataView) => void): Promise<string[]> {
  const { json, bin } = partsOfGlb(file);
  const own = bin.slice();
  change(json, new DataView(own.buffer));
  return codesOf(assembled(json, [own], 'f'));
}

/** Where the values of an accessor begin in the buffer. */
const valuesAt = (json: Json, index: number): number =>
  json.bufferViews[json.accessors[index].bufferView].byteOffset + (json.accessors[index].byteOffset ?? 0);
const at = (json: Json, name: string) => {
  const [{ indices, attributes }] = json.meshes[0].primitives;
  return valuesAt(json, name === 'indices' ? indices : attributes[name]);
};

/** A list in a list, and so on. */
const nested = (levels: number): unknown[] => (levels === 0 ? [] : [nested(levels - 1)]);

/** Nodes each of which is below the one before, and the first below the last. */
const circle = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ children: [from + ((i + 1) % count)] }));

/** Gives an attribute another name. */
function moveSet(json: Json, from: string, to: string): void {
  const [{ attributes }] = json.meshes[0].primitives;
  attributes[to] = attributes[from];
  delete attributes[from];
}

/** Mappings to the last material with these lists of two variants. */
function mapVariants(json: Json, ...lists: (number[] | null)[]): void {
  json.extensions = { KHR_materials_variants: { variants: [{ name: 'day' }, { name: 'night' }] } };
  const mappings = lists.map((variants) => ({ material: json.materials.length - 1, variants }));
  json.meshes[0].primitives[0].extensions = { KHR_materials_variants: { mappings } };
}

test('sound variants have no finding', async () => {
  expect(await changed(plain, (json) => mapVariants(json, [1], [0]))).toEqual([]);
});

test('sound files have no finding', async () => {
  expect([await codesOf(plain), await codesOf(packed)]).toEqual([[], []]);
  await expectValid(plain);
  await expectValid(packed);
});

describe('the container', () => {
  const edited = (offset: number, value: number) => {
    const bytes = plain.slice();
    new DataView(bytes.buffer).setUint32(offset, value, true);
    return codesOf(bytes);
  };
  test.each([
    ['magic', 0, 0, 'UC3700'],
    ['version', 4, 1, 'UC3701'],
    ['length', 8, 100, 'UC3702'],
    ['length of the JSON', 12, 2 ** 31, 'UC3702'],
    ['kind of the first chunk', 16, 7, 'UC3702'],
    ['JSON', 20, 0x20202020, 'UC3703'],
  ])('with another %s', async (_, offset, value, code) => expect(await edited(offset, value)).toEqual([code]));

  test('cut off anywhere has findings, and throws nothing', async () => {
    for (let length = 0; length < plain.length; length += 7) {
      expect((await codesOf(plain.slice(0, length))).length).toBeGreaterThan(0);
    }
  });
});

test.each<[string, string, (json: Json, bin: DataView) => void]>([
  ['a list that is none', 'UC3703', (json) => (json.nodes = 5)],
  ['an empty list', 'UC3703', (json) => (json.cameras = [])],
  ['an element that is no object', 'UC3703', (json) => json.nodes.push(5)],
  ['children that are no list', 'UC3703', (json) => (json.nodes[0].children = 1)],
  ['a mesh without primitives', 'UC3703', (json) => json.meshes.push({})],
  ['a primitive without attributes', 'UC3703', (json) => (json.meshes[0].primitives[0].attributes = null)],
  ['extensions that are no list', 'UC3703', (json) => (json.extensionsRequired = 'EXT_other')],
  ['a rotation that is none', 'UC3703', (json) => (json.nodes[0].rotation = null)],
  ['a matrix of nine numbers', 'UC3703', (json) => (json.nodes[0].matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1])],
  ['a range that is no list', 'UC3703', (json) => (json.accessors[0].min = '000')],
  ['lists in lists without end', 'UC3703', (json) => (json.extras = nested(65))],
  ['no version', 'UC3703', (json) => (json.asset = {})],
  ['a mesh that is not there', 'UC3704', (json) => (json.nodes[1].mesh = 9)],
  ['a joint that is not there', 'UC3704', (json) => json.skins[0].joints.push(77)],
  ['an image that is not there', 'UC3704', (json) => (json.textures[0].source = -1)],
  [
    'a base colour that is not there',
    'UC3704',
    (json) => (json.materials[0].pbrMetallicRoughness.baseColorTexture.index = 9),
  ],
  ['a normal map that is not there', 'UC3704', (json) => (json.materials[0].normalTexture = { index: 9 })],
  [
    'a set of texture coordinates that is not there',
    'UC3704',
    (json) => (json.materials[0].pbrMetallicRoughness.baseColorTexture.texCoord = 1),
  ],
  [
    'such a set of a transform',
    'UC3704',
    (json) =>
      (json.materials[0].pbrMetallicRoughness.baseColorTexture.extensions = { KHR_texture_transform: { texCoord: 1 } }),
  ],
  [
    'such a set of an extension',
    'UC3704',
    (json) =>
      (json.materials[0].extensions = { KHR_materials_clearcoat: { clearcoatTexture: { index: 0, texCoord: 7 } } }),
  ],
  ['a set that is no number', 'UC3704', (json) => (json.materials[0].normalTexture = { index: 0, texCoord: 'a' })],
  ['no set at all', 'UC3704', (json) => delete json.meshes[0].primitives[0].attributes.TEXCOORD_0],
  ['a gap between sets', 'UC3716', (json) => moveSet(json, 'TEXCOORD_0', 'TEXCOORD_1')],
  ['a gap between joints', 'UC3716', (json) => moveSet(json, 'JOINTS_0', 'JOINTS_2')],
  ['a mapping without a variant', 'UC3703', (json) => mapVariants(json, [])],
  ['a mapping without a list', 'UC3703', (json) => mapVariants(json, null)],
  ['a variant that is not there', 'UC3704', (json) => mapVariants(json, [2])],
  ['a variant twice in a mapping', 'UC3703', (json) => mapVariants(json, [1, 1])],
  ['a variant in two mappings', 'UC3703', (json) => mapVariants(json, [0, 1], [1])],
  [
    'a set that the material of a variant needs',
    'UC3704',
    (json) => {
      json.materials.push({ normalTexture: { index: 0, texCoord: 1 } });
      mapVariants(json, [0]);
    },
  ],
  ['a sampler that is not there', 'UC3704', (json) => (json.animations[0].channels[0].sampler = 4)],
  ['a view beyond the buffer', 'UC3705', (json) => (json.bufferViews[0].byteLength = 1e9)],
  [
    'an accessor beyond its view',
    'UC3706',
    (json) => (json.accessors[json.meshes[0].primitives[0].attributes.NORMAL].count = 4),
  ],
  [
    'another range',
    'UC3707',
    (json) => (json.accessors[json.meshes[0].primitives[0].attributes.POSITION].max = [2, 1, 0]),
  ],
  ['an index too large', 'UC3708', (json, bin) => bin.setUint16(at(json, 'indices'), 3, true)],
  ['a position that is no number', 'UC3709', (json, bin) => bin.setFloat32(at(json, 'POSITION'), Number.NaN, true)],
  ['a joint beyond the skin', 'UC3710', (json, bin) => bin.setUint16(at(json, 'JOINTS_0'), 1, true)],
  ['weights of another sum', 'UC3710', (json, bin) => bin.setFloat32(at(json, 'WEIGHTS_0'), 0.5, true)],
  ['a node below itself', 'UC3711', (json) => (json.nodes[0].children = [0])],
  ['an index that is missing', 'UC3704', (json) => (json.meshes[0].primitives[0].indices = undefined)],
  ['a circle of many nodes', 'UC3711', (json) => json.nodes.push(...circle(json.nodes.length, 20_000))],
  ['a node below two', 'UC3711', (json) => json.nodes.push({ children: [1] }, { children: [1] })],
  ['an image of another type', 'UC3712', (json) => (json.images[0].mimeType = 'image/jpeg')],
  ['an extension that nobody knows', 'UC3713', (json) => (json.extensionsRequired = ['EXT_other'])],
  ['a normal that is too long', 'UC3715', (json, bin) => bin.setFloat32(at(json, 'NORMAL') + 8, 2, true)],
  ['a tangent without a sign', 'UC3715', (json, bin) => bin.setFloat32(at(json, 'TANGENT') + 12, 0, true)],
  [
    'times that go back',
    'UC3717',
    (json, bin) => bin.setFloat32(valuesAt(json, json.animations[0].samplers[0].input) + 4, -1, true),
  ],
])('%s is found', async (_, code, change) => expect(await changed(plain, change)).toContain(code));

test('attributes of different lengths are found', async () => {
  const codes = await changed(plain, (json) => {
    json.accessors[json.meshes[0].primitives[0].attributes.NORMAL].count = 2;
  });
  expect(codes).toContain('UC3716');
});

test('damaged compressed views are found', async () => {
  const codes = await changed(packed, (json, bin) => {
    const { byteOffset } =
      json.bufferViews[json.accessors[json.meshes[0].primitives[0].attributes.POSITION].bufferView].extensions
        .EXT_meshopt_compression;
    bin.setUint8(byteOffset, 0);
  });
  expect(codes).toContain('UC3714');
});

const DRACO = 'KHR_draco_mesh_compression';

test.each<[string, string, (json: Json, bin: DataView) => void]>([
  ['data of another kind', 'UC3714', (json, bin) => bin.setUint8(dracoStart(json), 0)],
  ['a byte in the middle of the data', 'UC3714', (json, bin) => bin.setUint8(dracoStart(json) + 24, 0xff)],
  ['data that is cut off', 'UC3714', (json) => (json.bufferViews[dracoOf(json).bufferView].byteLength = 20)],
  ['an attribute that the data has not', 'UC3714', (json) => (dracoOf(json).attributes.NORMAL = 77)],
  ['an id that is no number', 'UC3714', (json) => (dracoOf(json).attributes.NORMAL = 'a')],
  ['an attribute that the primitive has not', 'UC3714', (json) => (dracoOf(json).attributes.COLOR_0 = 0)],
  ['more indices than the data has', 'UC3714', (json) => (indicesOf(json).count = 300)],
  ['more vertices than the data has', 'UC3714', (json) => (positionsOf(json).count = 300)],
  ['a box that is not that of the vertices', 'UC3707', (json) => (positionsOf(json).max[0] += 0.01)],
  ['the extension is not required', 'UC3713', (json) => (json.extensionsRequired = undefined)],
  ['numbers that are nowhere', 'UC3706', (json) => (json.meshes[0].primitives[0].extensions = undefined)],
  ['data in no view', 'UC3704', (json) => (dracoOf(json).bufferView = 99)],
])('of Draco, %s is found', async (_, code, change) => {
  expect(await codesOf(draco)).toEqual([]);
  expect(await changed(draco, change)).toContain(code);
});

const dracoOf = (json: Json) => json.meshes[0].primitives[0].extensions[DRACO];
const dracoStart = (json: Json): number => json.bufferViews[dracoOf(json).bufferView].byteOffset ?? 0;
const positionsOf = (json: Json) => json.accessors[json.meshes[0].primitives[0].attributes.POSITION];
const indicesOf = (json: Json) => json.accessors[json.meshes[0].primitives[0].indices];

test('a small file whose targets share their numbers ends in a code, not in hours of reading', async () => {
  const bin = new Uint8Array(24_000);
  const vertices = { bufferView: 0, componentType: 5126, count: 2000, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] };
  const indices = { bufferView: 0, componentType: 5125, count: 3, type: 'SCALAR' };
  const file = (targets: number, primitives: number) => {
    const target = { POSITION: 0 };
    const primitive = { attributes: { POSITION: 0 }, indices: 1, targets: Array(targets).fill(target) };
    const root = {
      asset: { version: '2.0' },
      buffers: [{ byteLength: bin.length }],
      bufferViews: [{ buffer: 0, byteLength: bin.length }],
      accessors: [vertices, indices],
      meshes: [{ primitives: Array(primitives).fill(targets > 0 ? primitive : { ...primitive, targets: undefined }) }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
    };
    return assembled(root, [bin], 'f');
  };
  const codes = async (bytes: Uint8Array) => (await verifyGlb(bytes, 'f', { engine: true })).map(({ code }) => code);
  expect(await codes(file(4000, 1))).toEqual(['UC3037']);
  // Parts that share their vertices have them read once.
  expect(await codes(file(0, 4000))).toEqual([]);
});
