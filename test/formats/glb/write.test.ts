// What a GLB holds, against literal numbers: the bytes of a triangle, V, winding, tangent sign, matrices, materials, lights,
// cameras; and what it refuses.

import { expect, test } from 'vitest';
import { type FloatMesh, storeMesh } from '../../../src/formats/floatMesh.ts';
import type { PayloadMesh } from '../../../src/formats/format.ts';
import { assembled } from '../../../src/formats/glb/builder.ts';
import { GLB } from '../../../src/formats/glb/format.ts';
import { identity, multiply, rotation, translation } from '../../../src/scene/matrix.ts';
import type { SceneCamera, SceneLight } from '../../../src/scene/types.ts';
import { decodeImageFile, encodePng } from '../../../src/textures/encode/png.ts';
import type { PreparedMaterial, PreparedTexture } from '../../../src/textures/types.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { partsOfGlb } from '../../animation/gltfPoses.ts';
import type { Json } from '../../importers/gltf/build.ts';
import { openGlb } from './glb.ts';
import { expectValid } from './khronos.ts';

const surface = (material: PreparedMaterial = DEFAULT_MATERIAL) => ({ material, tint: null, palette: null });

/** Counter-clockwise seen from +Z. */
const TRIANGLE = storeMesh({
  vertexCount: 3,
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0),
  attributes: {
    normal: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
    tangent: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1),
    uv0: Float32Array.of(0, 0, 1, 0, 0.25, 0.75),
  },
  indices: Uint32Array.of(0, 1, 2),
});

const encode = async (
  meshes: readonly PayloadMesh<FloatMesh>[],
  more: {
    authored?: object;
    textures?: readonly PreparedTexture[];
    options?: object;
    /** Of the validator, that the source is the reason for. */
    warnings?: readonly string[];
  } = {},
) => {
  const { authored = {}, textures = [], options = {}, warnings = [] } = more;
  const input = { fileType: 'tile', meshes, textures, authored, options: { compression: 'none', ...options } } as const;
  const { file } = await GLB.encode(input);
  await expectValid(file, warnings);
  return file;
};

const triangle = (more: Partial<PayloadMesh<FloatMesh>> = {}): PayloadMesh<FloatMesh> => ({
  naming: { entity: 'one', mesh: 'shape' },
  surface: surface(),
  stored: TRIANGLE,
  ...more,
});

/** A prepared texture of one colour. */
async function texture(rgb: readonly number[], stem: string): Promise<PreparedTexture> {
  const bytes = await encodePng(Uint8Array.from(rgb), 1, 1, false);
  return {
    fileName: `${stem}_00000000.png`,
    bytes,
    sha256: stem,
    width: 1,
    height: 1,
    format: 0,
    mipCount: 1,
    flags: 0,
  };
}

test('a triangle is these bytes', async () => {
  const bytes = await encode([
    triangle({ stored: storeMesh({ ...TRIANGLE, attributes: { normal: TRIANGLE.attributes.normal } }) }),
  ]);
  const json =
    '{"asset":{"generator":"untold","version":"2.0"},' +
    '"accessors":[{"type":"VEC3","componentType":5126,"count":3,"max":[1,2,0],"min":[0,0,0],"bufferView":0},' +
    '{"type":"VEC3","componentType":5126,"count":3,"bufferView":1},' +
    '{"type":"SCALAR","componentType":5123,"count":3,"bufferView":2}],' +
    '"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36,"byteStride":12,"target":34962},' +
    '{"buffer":0,"byteOffset":36,"byteLength":36,"byteStride":12,"target":34962},' +
    '{"buffer":0,"byteOffset":72,"byteLength":6,"target":34963}],"buffers":[{"byteLength":80}],' +
    '"materials":[{"name":"default_material","pbrMetallicRoughness":{"roughnessFactor":0.5,"metallicFactor":0}}],' +
    '"meshes":[{"name":"shape","primitives":[{"attributes":{"POSITION":0,"NORMAL":1},"mode":4,"material":0,"indices":2}]}],' +
    '"scenes":[{"nodes":[0]}],"scene":0,"nodes":[{"name":"one","mesh":0}]}';
  const jsonBytes = Math.ceil(json.length / 4) * 4;
  const word = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);
  expect(Buffer.from(bytes)).toEqual(
    Buffer.concat([
      Buffer.from('glTF'),
      word(2),
      word(12 + 8 + jsonBytes + 8 + 80),
      word(jsonBytes),
      Buffer.from('JSON'),
      Buffer.from(json.padEnd(jsonBytes)),
      word(80),
      Buffer.from('BIN\0'),
      floats(0, 0, 0, 1, 0, 0, 0, 2, 0),
      floats(0, 0, 1, 0, 0, 1, 0, 0, 1),
      Buffer.from(Uint16Array.of(0, 1, 2, 0).buffer),
    ]),
  );
});

test('V counts from the top, winding and tangent signs stay', async () => {
  const { json, rows } = openGlb(await encode([triangle()]));
  const [{ attributes, indices }] = json.meshes[0].primitives;
  expect(rows(attributes.TEXCOORD_0)).toEqual([
    [0, 1],
    [1, 1],
    [0.25, 0.25],
  ]);
  expect(rows(attributes.TANGENT)).toEqual([
    [1, 0, 0, 1],
    [1, 0, 0, 1],
    [1, 0, 0, -1],
  ]);
  expect(rows(indices).flat()).toEqual([0, 1, 2]);
});

test('placements are nodes that share a mesh, with columns of their matrices one after the other', async () => {
  // A quarter turn about Y, then a step: column-major [x', y', z', t].
  const turned = multiply(translation(5, 6, 7), rotation(0, Math.SQRT1_2, 0, Math.SQRT1_2));
  const { json } = openGlb(await encode([triangle({ placements: [identity(), turned] })]));
  expect(json.nodes.map(({ mesh }: { mesh: number }) => mesh)).toEqual([0, 0]);
  expect(json.nodes.map(({ name }: { name: string }) => name)).toEqual(['one', 'one_1']);
  expect(json.nodes[0].matrix).toBeUndefined();
  const rounded = json.nodes[1].matrix.map((value: number) => Math.round(value * 1e6) / 1e6 + 0);
  expect(rounded).toEqual([0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 5, 6, 7, 1]);
  expect(json.meshes).toHaveLength(1);
});

test('a placement that is nearly none stays as it is', async () => {
  const near = multiply(translation(4e-6, 0, 0), rotation(0, 4e-6, 0, 1));
  near[10] = 1 + 2 ** -20;
  const { json } = openGlb(await encode([triangle({ placements: [near] })]));
  expect(json.nodes[0].matrix).toEqual([...near].map(Math.fround));
});

test('a joint that hardly turns stays as it is', async () => {
  const rest = rotation(4e-6, 0, 0, 1);
  const joints = [{ parent: -1, path: '/Hip', bind: identity(), rest }];
  const { json } = openGlb(await encode([triangle()], { authored: { skeletons: [{ name: 's', joints }] } }));
  expect(json.nodes[0].rotation[0]).toBe(Math.fround(4e-6));
});

test('a file without meshes has its lights, and one with nothing no list', async () => {
  const { json } = openGlb(await encode([], { authored: { lights: [light] } }));
  expect([json.nodes.length, json.buffers, json.scenes]).toEqual([1, undefined, [{ nodes: [0] }]]);
  const empty = partsOfGlb(await encode([], { options: { geometry: 'meshopt' } }));
  expect(empty.json).toEqual({ asset: { generator: 'untold', version: '2.0' } });
});

test('a mesh that two materials draw has one geometry', async () => {
  const other = { ...DEFAULT_MATERIAL, name: 'other' };
  const { json } = openGlb(await encode([triangle(), triangle({ surface: surface(other) }), triangle()]));
  expect(
    json.meshes.map(({ primitives: [{ attributes, indices, material }] }: Json) => [attributes, indices, material]),
  ).toEqual([
    [{ POSITION: 0, NORMAL: 1, TANGENT: 2, TEXCOORD_0: 3 }, 4, 0],
    [{ POSITION: 0, NORMAL: 1, TANGENT: 2, TEXCOORD_0: 3 }, 4, 1],
  ]);
  expect(json.nodes.map(({ mesh }: Json) => mesh)).toEqual([0, 1, 0]);
});

test('metalness and roughness lie in blue and green of one image', async () => {
  const [rough, metal] = [await texture([10, 20, 30], 'rough'), await texture([40, 50, 60], 'metal')];
  const packedOf = async (
    roughnessChannel: number,
    metallicChannel: number,
    metallic: number,
    textures: PreparedTexture[],
  ) => {
    const slots = { ...DEFAULT_MATERIAL.slots, roughness: 0, metallic: textures.length - 1 };
    const material = { ...DEFAULT_MATERIAL, metallic, roughness: 0.25, slots, roughnessChannel, metallicChannel };
    const bytes = await encode([triangle({ surface: surface(material) })], { textures });
    const { json } = openGlb(bytes);
    const { bin } = partsOfGlb(bytes);
    const { byteOffset, byteLength } = json.bufferViews[json.images[0].bufferView];
    expect(json.images).toHaveLength(1);
    expect(json.materials[0].pbrMetallicRoughness).toEqual({
      // 1 is what a material has that states none.
      ...(metallic === 1 ? {} : { metallicFactor: metallic }),
      roughnessFactor: 0.25,
      metallicRoughnessTexture: { index: 0 },
    });
    return [...(await decodeImageFile(bin.slice(byteOffset, byteOffset + byteLength)))!.data];
  };
  // As it is: green and blue of the same file.
  expect(await packedOf(1, 2, 1, [rough])).toEqual([10, 20, 30, 255]);
  // Red of one and alpha-free red of the other.
  expect(await packedOf(0, 0, 1, [rough, metal])).toEqual([255, 10, 40, 255]);
});

test('materials keep modes, strength beyond 1 and both sides', async () => {
  const material: PreparedMaterial = {
    ...DEFAULT_MATERIAL,
    name: 'lamp',
    alphaMode: 'mask',
    alphaCutoff: 0.25,
    baseColor: [0.5, 1, 1, 0.5],
    emissive: [4, 2, 0],
    doubleSided: true,
  };
  const { json } = openGlb(await encode([triangle({ surface: { ...surface(material), tint: [0.5, 1, 1, 1] } })]));
  expect(json.materials).toEqual([
    {
      name: 'lamp',
      pbrMetallicRoughness: { baseColorFactor: [0.25, 1, 1, 0.5], metallicFactor: 0, roughnessFactor: 0.5 },
      emissiveFactor: [1, 0.5, 0],
      alphaMode: 'MASK',
      alphaCutoff: 0.25,
      doubleSided: true,
      extensions: { KHR_materials_emissive_strength: { emissiveStrength: 4 } },
    },
  ]);
  expect(json.extensionsUsed).toEqual(['KHR_materials_emissive_strength']);
});

test('glass has its transmission, and is seen through when the file is drawn', async () => {
  const glass = { ...DEFAULT_MATERIAL, name: 'pane', roughness: 0.05, transmission: 0.5 };
  const file = await encode([triangle({ surface: surface(glass) })]);
  const { json } = openGlb(file);
  expect(json.materials).toMatchObject([
    { name: 'pane', extensions: { KHR_materials_transmission: { transmissionFactor: 0.5 } } },
  ]);
  expect(json.materials[0].alphaMode).toBeUndefined();
  expect(json.extensionsUsed).toEqual(['KHR_materials_transmission']);
  const { materials } = await GLB.drawnFile(file, 'pane.glb');
  // What is not reflected of a half.
  expect(materials).toMatchObject([{ alphaMode: 'opaque', transmission: expect.closeTo(0.48, 6) }]);
});

const light: SceneLight = {
  name: 'lamp',
  path: '/lamp',
  kind: 'point',
  world: translation(1, 2, 3),
  color: [1, 0.5, 0.25],
  intensity: 4 * Math.PI,
  sourcePower: 4 * Math.PI,
  sourceExposure: 0,
  radius: 0,
  range: 8,
  cone: null,
  areaSize: null,
  castsShadow: true,
};

const NOTHING = { materials: [], textures: [] };

test('lights are candela and lux, 683 lumens a watt, and area lights become spots, which is said once', async () => {
  const lights: SceneLight[] = [
    light,
    { ...light, kind: 'directional', intensity: 2, range: 0 },
    { ...light, kind: 'spot', cone: { inner: 30, outer: 45 } },
    { ...light, kind: 'area', intensity: Math.PI, areaSize: [1, 1] },
  ];
  const { json } = openGlb(await encode([triangle()], { authored: { lights } }));
  expect(json.nodes[1]).toEqual({
    name: 'lamp',
    translation: [1, 2, 3],
    rotation: [0, 0, 0, 1],
    extensions: { KHR_lights_punctual: { light: 0 } },
  });
  const listed = json.extensions.KHR_lights_punctual.lights;
  expect(listed[0]).toEqual({ name: 'lamp', color: [1, 0.5, 0.25], range: 8, type: 'point', intensity: 683 });
  expect(listed[1]).toEqual({ name: 'lamp', color: [1, 0.5, 0.25], type: 'directional', intensity: 1366 });
  expect(listed[2].spot).toEqual({ innerConeAngle: Math.PI / 6, outerConeAngle: Math.PI / 4 });
  expect([listed[3].type, listed[3].intensity]).toEqual(['spot', 683]);
  expect(GLB.lossesOf({ lights }, 'f', NOTHING).map(({ code }) => code)).toEqual(['UC2300']);
  expect(GLB.lossesOf({ lights: lights.slice(0, 3) }, 'f', NOTHING)).toEqual([]);
});

test('cameras look along -Z', async () => {
  const camera: SceneCamera = {
    name: 'eye',
    path: '/eye',
    world: identity(),
    fovY: 90,
    near: 0.5,
    far: 100,
    aspectRatio: 1.5,
  };
  const { json } = openGlb(await encode([triangle()], { authored: { cameras: [camera] } }));
  expect(json.cameras).toEqual([
    { name: 'eye', type: 'perspective', perspective: { aspectRatio: 1.5, yfov: Math.PI / 2, znear: 0.5, zfar: 100 } },
  ]);
});

test('with meshopt the buffer of geometry has no bytes, and the extension is required', async () => {
  const bytes = await encode([triangle()], { options: { geometry: 'meshopt' } });
  const { json } = openGlb(bytes);
  expect([json.extensionsUsed, json.extensionsRequired]).toEqual([
    ['EXT_meshopt_compression'],
    ['EXT_meshopt_compression'],
  ]);
  expect(json.buffers[1]).toMatchObject({ extensions: { EXT_meshopt_compression: { fallback: true } } });
  expect(json.buffers[1].uri).toBeUndefined();
  const [positions] = json.accessors;
  expect(json.bufferViews[positions.bufferView]).toMatchObject({
    buffer: 1,
    byteOffset: 0,
    byteLength: 36,
    extensions: { EXT_meshopt_compression: { buffer: 0, byteStride: 12, count: 3, mode: 'ATTRIBUTES' } },
  });
  expect(await GLB.verify(bytes, 'f', { engine: false })).toEqual([]);
  const [mesh] = await GLB.decode(bytes, 'f', [1]);
  expect(mesh.positions).toEqual(TRIANGLE.positions);
});

test('a file beyond the length that its header can state is UC3790, and ends with 5', async () => {
  const make = () => assembled({ asset: { version: '2.0' } }, [new Uint8Array(100)], 'f', 120);
  expect(make).toThrow(/UC3790/);
});

test('a texture that is neither PNG nor JPEG is UC3791', async () => {
  const bad = { ...(await texture([1, 2, 3], 'x')), bytes: new TextEncoder().encode('BM bitmap') };
  await expect(encode([triangle()], { textures: [bad] })).rejects.toThrow(/UC3791/);
});
