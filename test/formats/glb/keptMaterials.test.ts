// Materials of glTF in a GLB: what the source states is in it, and nothing else. Both files are compared as JSON, with images
// in place of their indices.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, type Clearcoat, type Iridescence } from '@gltf-transform/extensions';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { GLTF_LAYER_NAMES, GLTF_LAYERS } from '../../../src/scene/gltfMaterial.ts';
import { partsOfGlb } from '../../animation/gltfPoses.ts';
import { buildGlb, type Json, type PrimitiveInput, type SceneInput } from '../../importers/gltf/build.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { chunk, png, rgb, SIGNATURE } from '../../textures/fixture.ts';
import { bmp } from '../../textures/imageFiles.ts';
import { ktx2, solidBlock } from '../../textures/ktx2File.ts';
import { openGlb } from './glb.ts';
import { expectValid } from './khronos.ts';

const folder = temporaryFolder();

/** A quad with two sets of texture coordinates, the second of which repeats. */
const QUAD: PrimitiveInput = {
  positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
  normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
  uvs: [0, 1, 1, 1, 1, 0, 0, 0],
  attributes: { TEXCOORD_1: [0.25, 2, 5, 2, 5, -1, 0.25, -1] },
  indices: [0, 1, 2, 0, 2, 3],
  material: 0,
};

/** Chunks that a writer of ours never makes: they show that bytes are the source's own. */
const NOTE = chunk('tEXt', Buffer.from('Comment\0as it is'));
const RED = rgb([[255, 0, 0, 10, 20, 30]], [NOTE]);
const GREEN = rgb([[0, 255, 0, 1, 2, 3]], [NOTE]);

let count = 0;

interface Cooked {
  readonly file: Uint8Array;
  readonly json: Json;
  readonly rows: (index: number) => number[][];
  readonly codes: string[];
  readonly said: string;
}

/** Cooks a file to GLB with the command line; it has to be sound. `warnings`: those of the validator that it has. */
async function cooked(source: Uint8Array | string, args: string[] = [], warnings: string[] = []): Promise<Cooked> {
  const name = `scene${count++}`;
  const input = typeof source === 'string' ? source : put(folder, `${name}.in.glb`, source);
  const run = await untold(folder, ['cook', input, '--out', `${name}.glb`, '--no-cache', ...args]);
  expect(run.code, run.stderr).toBe(0);
  const file = new Uint8Array(readFileSync(join(folder, `${name}.glb`)));
  await expectValid(file, warnings);
  const { json, rows } = openGlb(file);
  const said = run.stderr + run.stdout;
  return { file, json, rows, said, codes: [...new Set(said.match(/UC\d{4}/g) ?? [])].sort() };
}

/** The materials of a GLB with each textureInfo as the bytes of its image, its sampler and what else it says. */
function materialsOf(file: Uint8Array): Json[] {
  const { json, bin } = partsOfGlb(file);
  const bytesOf = (image: number) => {
    const { byteOffset = 0, byteLength } = json.bufferViews[json.images[image].bufferView];
    return Buffer.from(bin.subarray(byteOffset, byteOffset + byteLength)).toString('hex');
  };
  const visit = (value: Json, key: string): Json => {
    if (Array.isArray(value) || typeof value !== 'object') return value;
    if (!/Texture$/.test(key)) {
      return Object.fromEntries(Object.entries(value).map(([name, below]) => [name, visit(below, name)]));
    }
    const { index, texCoord = 0, ...info } = value;
    const { sampler, source, extensions = {} } = json.textures[index];
    const image = source ?? (Object.values(extensions) as Json[])[0].source;
    const usual = { wrapS: 10497, wrapT: 10497 };
    return { ...info, texCoord, image: bytesOf(image), sampler: { ...usual, ...json.samplers?.[sampler] } };
  };
  return json.materials.map((material: Json) => visit(material, ''));
}

const sceneOf = (material: object, more: Partial<SceneInput> = {}): SceneInput => ({
  meshes: [{ name: 'quad', primitives: [QUAD] }],
  materials: [{ name: 'm', ...material }],
  textures: [{ source: 0, sampler: 0 }, { source: 1 }, { source: 0, sampler: 1 }],
  samplers: [
    { magFilter: 9728, minFilter: 9984, wrapS: 33071, wrapT: 33648 },
    { magFilter: 9729, minFilter: 9987 },
  ],
  images: [RED, GREEN],
  ...more,
});

const build = (scene: SceneInput): Uint8Array => {
  const used = new Set(JSON.stringify(scene.materials).match(/(KHR|EXT)_[a-zA-Z_]+/g) ?? []);
  const { root = {}, ...rest } = scene;
  return buildGlb({ ...rest, root: { ...(used.size > 0 ? { extensionsUsed: [...used] } : {}), ...root } });
};

/** Cooks a material and compares it with its source. */
async function expectKept(material: object, more: Partial<SceneInput> = {}): Promise<Cooked> {
  const source = build(sceneOf(material, more));
  const result = await cooked(source);
  const [own] = materialsOf(result.file);
  const { pbrMetallicRoughness: pbr = {}, ...rest } = own;
  const [{ pbrMetallicRoughness: wanted = {}, ...others }] = materialsOf(source);
  // The values of glTF that a material without them has (5.19, 5.22).
  expect({ metallicFactor: 1, roughnessFactor: 1, ...pbr }).toEqual({
    metallicFactor: 1,
    roughnessFactor: 1,
    ...wanted,
  });
  expect(rest).toEqual(others);
  return result;
}

const clearcoat = {
  clearcoatFactor: 0.75,
  clearcoatRoughnessFactor: 0.125,
  clearcoatTexture: { index: 1 },
  clearcoatRoughnessTexture: { index: 0, texCoord: 1 },
  clearcoatNormalTexture: { index: 2, scale: 0.5 },
};

/** Each extension with every property. */
const LAYERS: Readonly<Record<string, object>> = {
  KHR_materials_anisotropy: { anisotropyStrength: 0.5, anisotropyRotation: 0.25, anisotropyTexture: { index: 1 } },
  KHR_materials_clearcoat: clearcoat,
  KHR_materials_diffuse_transmission: {
    diffuseTransmissionFactor: 0.25,
    diffuseTransmissionTexture: { index: 1 },
    diffuseTransmissionColorFactor: [0.5, 0.25, 1],
    diffuseTransmissionColorTexture: { index: 0 },
  },
  KHR_materials_dispersion: { dispersion: 0.5 },
  KHR_materials_emissive_strength: { emissiveStrength: 0.25 },
  KHR_materials_ior: { ior: 1.75 },
  KHR_materials_iridescence: {
    iridescenceFactor: 0.5,
    iridescenceTexture: { index: 1 },
    iridescenceIor: 1.5,
    iridescenceThicknessMinimum: 50,
    iridescenceThicknessMaximum: 300,
    iridescenceThicknessTexture: { index: 0 },
  },
  KHR_materials_sheen: {
    sheenColorFactor: [0.5, 0.25, 1],
    sheenColorTexture: { index: 0 },
    sheenRoughnessFactor: 0.5,
    sheenRoughnessTexture: { index: 1 },
  },
  KHR_materials_specular: {
    specularFactor: 0.5,
    specularTexture: { index: 1 },
    specularColorFactor: [0.5, 0.25, 1],
    specularColorTexture: { index: 0 },
  },
  KHR_materials_transmission: { transmissionFactor: 0.5, transmissionTexture: { index: 1 } },
  KHR_materials_unlit: {},
  KHR_materials_volume: {
    thicknessFactor: 0.5,
    thicknessTexture: { index: 1 },
    attenuationDistance: 2,
    attenuationColor: [0.5, 0.25, 1],
  },
};
/** What the validator of Khronos wants beside an extension. */
const BESIDE: Readonly<Record<string, object>> = {
  KHR_materials_dispersion: { KHR_materials_volume: LAYERS.KHR_materials_volume },
  KHR_materials_volume: { KHR_materials_transmission: { transmissionFactor: 1 } },
};

test('the extensions of the test are all that are passed on, with all of their properties', () => {
  expect(Object.keys(LAYERS)).toEqual(GLTF_LAYER_NAMES);
  for (const name of GLTF_LAYER_NAMES) {
    const { values, textures } = GLTF_LAYERS[name];
    expect(Object.keys(LAYERS[name]).sort()).toEqual([...Object.keys(values), ...Object.keys(textures)].sort());
  }
});

test.each(Object.keys(LAYERS))('%s is as the source states it, and nothing is reported', async (name) => {
  const extensions = {
    ...BESIDE[name],
    ...(name in BESIDE ? BESIDE[Object.keys(BESIDE[name])[0]] : {}),
    [name]: LAYERS[name],
  };
  const { codes, json } = await expectKept({ emissiveFactor: [0.5, 0.25, 1], extensions });
  expect(codes).toEqual([]);
  expect(json.extensionsUsed.sort()).toEqual(Object.keys(extensions).sort());
});

test('a value out of its range becomes the nearest, or is left out (UC2477)', async () => {
  const extensions = {
    KHR_materials_clearcoat: { clearcoatFactor: 1.5, clearcoatRoughnessFactor: -1 },
    KHR_materials_ior: { ior: 0.5 },
    KHR_materials_specular: { specularColorFactor: [2, -1, 0.5] },
    KHR_materials_transmission: { transmissionFactor: 1 },
    KHR_materials_volume: { thicknessFactor: 1, attenuationDistance: 0 },
  };
  const { json, codes } = await cooked(build(sceneOf({ extensions })));
  expect(codes).toEqual(['UC2477']);
  const { KHR_materials_clearcoat: coat, KHR_materials_ior: ior, ...others } = json.materials[0].extensions;
  expect(coat).toEqual({ clearcoatFactor: 1, clearcoatRoughnessFactor: 0 });
  expect(ior).toEqual({ ior: 1 });
  expect(others.KHR_materials_specular.specularColorFactor).toEqual([2, 0, 0.5]);
  expect(others.KHR_materials_volume.attenuationDistance).toBeUndefined();
  const bright = await cooked(build(sceneOf({ emissiveFactor: [2, -1, 0.5] })));
  expect([bright.codes, bright.json.materials[0].emissiveFactor]).toEqual([['UC2477'], [1, 0, 0.5]]);
  const mirror = await cooked(build(sceneOf({ extensions: { KHR_materials_ior: { ior: 0 } } })));
  expect([mirror.codes, mirror.json.materials[0].extensions.KHR_materials_ior]).toEqual([[], { ior: 0 }]);
});

test('a factor of glTF itself out of its range becomes the nearest, and is named (UC2477)', async () => {
  const factors = {
    pbrMetallicRoughness: { baseColorFactor: [2, 0.5, -1, 1], metallicFactor: -1, roughnessFactor: 3 },
    occlusionTexture: { index: 0, strength: 1.5 },
    normalTexture: { index: 1, scale: -3 },
    emissiveFactor: [0, 0, 7],
    alphaMode: 'MASK',
    alphaCutoff: -0.5,
  };
  const { json, said } = await cooked(build(sceneOf(factors)), ['-v']);
  const named = said.match(/\S+ is out of range/g) ?? [];
  expect(named.map((words) => words.split(' ')[0]).sort()).toEqual([
    'alphaCutoff',
    'emissiveFactor',
    'occlusionTexture.strength',
    'pbrMetallicRoughness.baseColorFactor',
    'pbrMetallicRoughness.metallicFactor',
    'pbrMetallicRoughness.roughnessFactor',
  ]);
  const { pbrMetallicRoughness: pbr, ...others } = json.materials[0];
  expect(pbr.baseColorFactor).toEqual([1, 0.5, 0, 1]);
  // What is left out is 1.
  expect([pbr.metallicFactor ?? 1, pbr.roughnessFactor ?? 1]).toEqual([0, 1]);
  expect([others.occlusionTexture.strength ?? 1, others.normalTexture.scale]).toEqual([1, -3]);
  expect([others.emissiveFactor, others.alphaCutoff]).toEqual([[0, 0, 1], 0]);
});

test('a property that the source does not state has the value of the specification, for gltf-transform too', async () => {
  const extensions = { KHR_materials_clearcoat: { clearcoatFactor: 0.75 }, KHR_materials_iridescence: {} };
  const { file } = await cooked(build({ meshes: [{ primitives: [QUAD] }], materials: [{ extensions }] }));
  const document = await new NodeIO().registerExtensions(ALL_EXTENSIONS).readBinary(file);
  const [material] = document.getRoot().listMaterials();
  const coat = material.getExtension<Clearcoat>('KHR_materials_clearcoat');
  expect([coat?.getClearcoatFactor(), coat?.getClearcoatRoughnessFactor(), coat?.getClearcoatTexture()]).toEqual([
    0.75,
    0,
    null,
  ]);
  const film = material.getExtension<Iridescence>('KHR_materials_iridescence');
  expect([film?.getIridescenceFactor(), film?.getIridescenceIOR(), film?.getIridescenceThicknessMaximum()]).toEqual([
    0, 1.3, 400,
  ]);
  expect(material.listExtensions()).toHaveLength(2);
});

test('tangents are made where something needs them, along the set that it uses', async () => {
  // U of TEXCOORD_1 grows along +Y.
  const turned = { ...QUAD, attributes: { TEXCOORD_1: [0, 0, 0, 1, 1, 1, 1, 0] } };
  const extensions = {
    KHR_materials_anisotropy: { anisotropyStrength: 1, anisotropyTexture: { index: 1, texCoord: 1 } },
  };
  const tangents = async (material: object) => {
    const { json, rows } = await cooked(build(sceneOf(material, { meshes: [{ primitives: [turned] }] })));
    const { TANGENT } = json.meshes[0].primitives[0].attributes;
    return TANGENT === undefined ? null : rows(TANGENT).map((row) => row.map((value) => Math.round(value) + 0));
  };
  expect(await tangents({ extensions })).toEqual([1, 2, 3, 4].map(() => [0, 1, 0, 1]));
  expect(await tangents({})).toBeNull();
  // Those of a normal map go along the texture as it is turned: a quarter turn.
  expect(await tangents({ normalTexture: { index: 0 } })).toEqual([1, 2, 3, 4].map(() => [1, 0, 0, 1]));
  const quarter = { KHR_texture_transform: { rotation: Math.PI / 2 } };
  expect(await tangents({ normalTexture: { index: 0, extensions: quarter } })).toEqual(
    [1, 2, 3, 4].map(() => [0, -1, 0, 1]),
  );
});

test('tangents of the source stay', async () => {
  const TANGENT = [0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1];
  const scene = sceneOf(
    { normalTexture: { index: 0 } },
    { meshes: [{ primitives: [{ ...QUAD, attributes: { TANGENT } }] }] },
  );
  const { json, rows } = await cooked(build(scene));
  expect(rows(json.meshes[0].primitives[0].attributes.TANGENT).flat()).toEqual(TANGENT);
});

const ALL_TEXTURES = {
  pbrMetallicRoughness: {
    baseColorFactor: [1, 0.5, 0.25, 0.75],
    baseColorTexture: { index: 0, texCoord: 1 },
    metallicFactor: 0.5,
    roughnessFactor: 0.25,
    metallicRoughnessTexture: { index: 1 },
  },
  normalTexture: { index: 2, scale: 0.5 },
  occlusionTexture: { index: 1, texCoord: 1, strength: 0.5 },
  emissiveTexture: { index: 0 },
  emissiveFactor: [1, 0.5, 0.25],
  alphaMode: 'MASK',
  alphaCutoff: 0.25,
  doubleSided: true,
};

test('textures keep bytes, samplers and sets of coordinates; each image is there once', async () => {
  const { json, rows, codes } = await expectKept(ALL_TEXTURES);
  expect(codes).toEqual([]);
  expect(json.images).toHaveLength(2);
  const { attributes, indices } = json.meshes[0].primitives[0];
  const corners = rows(indices).flat();
  const of = (semantic: string) => corners.map((vertex) => rows(attributes[semantic])[vertex]);
  const order = (values: number[]) => [0, 1, 2, 0, 2, 3].map((v) => values.slice(v * 2, v * 2 + 2));
  expect(of('TEXCOORD_0').sort()).toEqual(order(QUAD.uvs as number[]).sort());
  // Coordinates of textures that are clamped are not moved by whole numbers.
  expect(of('TEXCOORD_1').sort()).toEqual(order(QUAD.attributes?.TEXCOORD_1 as number[]).sort());
  expect(corners).toHaveLength(6);
  expect(rows(attributes.POSITION)).toHaveLength(4);
});

test('KHR_texture_transform stays with its texture, and the set that it chooses', async () => {
  const moved = { offset: [0.5, -0.25], rotation: 0.5, scale: [2, -3] };
  const result = await expectKept({
    pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: { KHR_texture_transform: moved } } },
    normalTexture: { index: 1 },
    extensions: {
      KHR_materials_clearcoat: {
        ...clearcoat,
        clearcoatTexture: { index: 1, extensions: { KHR_texture_transform: { ...moved, rotation: 1 } } },
      },
    },
  });
  expect(result.codes).toEqual([]);
  const chosen = { offset: [0, 0.5], rotation: 0, scale: [1, 1], texCoord: 1 };
  const source = build(
    sceneOf({
      pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: { KHR_texture_transform: chosen } } },
    }),
  );
  const { json } = await cooked(source);
  expect(json.materials[0].pbrMetallicRoughness.baseColorTexture.texCoord).toBe(1);
});

test('--textures png writes every texture as PNG, placed as before', async () => {
  const source = build(sceneOf(ALL_TEXTURES));
  const [kept] = materialsOf((await cooked(source)).file);
  const made = await cooked(source, ['--textures', 'png']);
  const [own] = materialsOf(made.file);
  const plain = (value: Json): Json =>
    JSON.parse(JSON.stringify(value), (key, part) => (key === 'image' ? undefined : part));
  expect(plain(own)).toEqual(plain(kept));
  expect(own.emissiveTexture.image).not.toBe(kept.emissiveTexture.image);
});

test('images of every kind keep their bytes, and what names them is required', async () => {
  const texels = sharp(Buffer.from([255, 0, 0, 0, 255, 0]), { raw: { width: 2, height: 1, channels: 3 } });
  const webp = new Uint8Array(await texels.clone().webp({ lossless: true }).toBuffer());
  const avif = new Uint8Array(await texels.clone().resize(16, 16).avif().toBuffer());
  const jpeg = new Uint8Array(await texels.clone().jpeg().withMetadata({ orientation: 1 }).toBuffer());
  const deep = png(1, 1, [[0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc]], { depth: 16, colorType: 2 });
  const basis = ktx2(4, 4, [solidBlock(200, 100, 50, 255)]);
  const kinds = [
    ['EXT_texture_webp', webp, 'image/webp'],
    ['EXT_texture_avif', avif, 'image/avif'],
    ['KHR_texture_basisu', basis, 'image/ktx2'],
    ['', jpeg, 'image/jpeg'],
    ['', deep, 'image/png'],
  ] as const;
  for (const [extension, bytes, mimeType] of kinds) {
    const texture = extension === '' ? { source: 0 } : { extensions: { [extension]: { source: 0 } } };
    const more = { images: [bytes], textures: [texture] };
    const material = { pbrMetallicRoughness: { baseColorTexture: { index: 0 } } };
    const source = buildGlb({ ...sceneOf(material, more), samplers: [] }, (json) => {
      delete json.samplers;
      json.images[0].mimeType = mimeType;
      if (extension !== '') Object.assign(json, { extensionsUsed: [extension], extensionsRequired: [extension] });
    });
    // The validator knows no AVIF, and no KTX 2.
    const unknown = ['image/avif', 'image/ktx2'].includes(mimeType)
      ? ['VALUE_NOT_IN_LIST', 'IMAGE_UNRECOGNIZED_FORMAT']
      : [];
    const { json, file, codes } = await cooked(source, [], unknown);
    expect([mimeType, codes]).toEqual([mimeType, []]);
    expect(json.images[0].mimeType).toBe(mimeType);
    expect(json.extensionsRequired ?? []).toEqual(extension === '' ? [] : [extension]);
    expect(materialsOf(file)[0].pbrMetallicRoughness.baseColorTexture.image).toBe(Buffer.from(bytes).toString('hex'));
  }
});

test('an image of a kind that glTF does not have becomes PNG', async () => {
  const bytes = bmp({ header: 40, width: 1, height: 1, depth: 24, pixels: [0, 0, 255, 0] } as never);
  const scene = sceneOf(
    { emissiveTexture: { index: 0 }, emissiveFactor: [1, 1, 1] },
    { images: [bytes], textures: [{ source: 0 }] },
  );
  const { json, file } = await cooked(build(scene));
  expect(json.images[0].mimeType).toBe('image/png');
  const { data } = await sharp(Buffer.from(materialsOf(file)[0].emissiveTexture.image, 'hex'))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)]).toEqual([255, 0, 0]);
});

test('colours of vertices stay with the vertices', async () => {
  const one = [1, 0.2, 0, 1, 1, 0.2, 0, 1, 1, 0.2, 0, 1, 1, 0.2, 0, 1];
  const two = [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1];
  for (const COLOR_0 of [one, two]) {
    const scene = sceneOf(
      { pbrMetallicRoughness: { metallicFactor: 0.5 } },
      { meshes: [{ primitives: [{ ...QUAD, attributes: { COLOR_0 } }] }] },
    );
    const { json, rows, codes } = await cooked(build(scene));
    expect(codes).toEqual([]);
    const { attributes } = json.meshes[0].primitives[0];
    const all = rows(attributes.COLOR_0).map((row) => row.map((value) => value / 255));
    expect(all.sort()).toEqual([0, 1, 2, 3].map((v) => COLOR_0.slice(v * 4, v * 4 + 4)).sort());
    expect(json.materials[0].pbrMetallicRoughness.baseColorFactor).toBeUndefined();
    expect(json.images).toBeUndefined();
  }
});

test('a set beyond the eighth is left out (UC2341), and one that is used and missing is 0 (UC2012)', async () => {
  const uvs = [0, 0, 1, 0, 1, 1, 0, 1];
  const sets = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`TEXCOORD_${n}`, uvs]));
  const nine = await cooked(build(sceneOf({}, { meshes: [{ primitives: [{ ...QUAD, attributes: sets }] }] })));
  expect(nine.codes).toEqual(['UC2341']);
  expect(Object.keys(nine.json.meshes[0].primitives[0].attributes).filter((key) => key.startsWith('TEX'))).toHaveLength(
    8,
  );
  const material = { emissiveTexture: { index: 0, texCoord: 1 }, emissiveFactor: [1, 1, 1] };
  const bare = { ...QUAD, attributes: {} };
  const zeros = await cooked(build(sceneOf(material, { meshes: [{ primitives: [bare] }] })));
  expect(zeros.codes).toEqual(['UC2012']);
  const { TEXCOORD_1 } = zeros.json.meshes[0].primitives[0].attributes;
  expect(new Set(zeros.rows(TEXCOORD_1).map((row) => row.join()))).toEqual(new Set(['0,0']));
  const tenth = { emissiveTexture: { index: 0, texCoord: 9 }, emissiveFactor: [1, 1, 1] };
  const { json } = await cooked(build(sceneOf(tenth)));
  const { texCoord = 0, extensions } = json.materials[0].emissiveTexture;
  expect([texCoord, extensions.KHR_texture_transform.scale]).toEqual([0, [0, 0]]);
});

test('a texture of a set that has no place is named (UC2341), and its mesh has the set that it is written with', async () => {
  const ninth = { emissiveTexture: { index: 0, texCoord: 8 }, emissiveFactor: [1, 1, 1] };
  const { uvs: _, ...plain } = QUAD;
  const bare = await cooked(build(sceneOf(ninth, { meshes: [{ primitives: [{ ...plain, attributes: {} }] }] })));
  expect(bare.codes).toEqual(['UC2012']);
  expect(Object.keys(bare.json.meshes[0].primitives[0].attributes)).toContain('TEXCOORD_0');
  const uvs = [0, 0, 1, 0, 1, 1, 0, 1];
  const sets = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`TEXCOORD_${n}`, uvs]));
  const at = (texCoord: number) => ({ index: 0, texCoord });
  const all = {
    ...ninth,
    normalTexture: at(0),
    occlusionTexture: at(1),
    pbrMetallicRoughness: { baseColorTexture: at(2), metallicRoughnessTexture: at(3) },
    extensions: {
      KHR_materials_clearcoat: {
        clearcoatFactor: 1,
        clearcoatTexture: at(4),
        clearcoatRoughnessTexture: at(5),
        clearcoatNormalTexture: at(6),
      },
      KHR_materials_sheen: { sheenColorFactor: [1, 1, 1], sheenColorTexture: at(7) },
    },
  };
  const nine = build(sceneOf(all, { meshes: [{ primitives: [{ ...QUAD, attributes: sets }] }] }));
  const run = await untold(folder, ['cook', put(folder, 'nine.in.glb', nine), '--out', 'nine.glb', '--no-cache']);
  expect(run.stderr).toContain('the textures that use TEXCOORD_8 show one texel');
});

describe('a set beyond the eighth that a texture uses', () => {
  const attributes = (numbers: readonly number[]) =>
    Object.fromEntries(numbers.map((n) => [`TEXCOORD_${n}`, [n, 0, n, 0, n, 0, n, 0]]));
  const emissive = (texCoord: number) => ({ emissiveTexture: { index: 0, texCoord }, emissiveFactor: [1, 1, 1] });
  const setsOf = ({ json, rows }: Cooked, mesh: number) =>
    Object.entries(json.meshes[mesh].primitives[0].attributes as Record<string, number>)
      .filter(([name]) => name.startsWith('TEX'))
      .map(([name, accessor]) => [name, rows(accessor)[0][0]]);

  test('takes a number that no mesh has, in all meshes and materials (UC2491)', async () => {
    const scene = sceneOf(
      {},
      {
        meshes: [
          { primitives: [{ ...QUAD, attributes: attributes([1, 11]) }] },
          { primitives: [{ ...QUAD, attributes: attributes([1, 11]), material: 1 }] },
        ],
        materials: [emissive(11), emissive(1)],
      },
    );
    const made = await cooked(build(scene), ['-v']);
    expect(made.codes).toContain('UC2491');
    expect(made.codes).not.toContain('UC2341');
    expect(made.said).toContain('TEXCOORD_11 and TEXCOORD_2 change places');
    expect(made.json.materials.map(({ emissiveTexture: { texCoord } }: Json) => texCoord)).toEqual([2, 1]);
    for (const mesh of [0, 1]) {
      expect(setsOf(made, mesh).slice(1)).toEqual([
        ['TEXCOORD_1', 1],
        ['TEXCOORD_2', 11],
      ]);
    }
  });

  test('takes the place of the last that no texture uses, where all have numbers', async () => {
    const scene = sceneOf(
      { ...emissive(8), occlusionTexture: { index: 0, texCoord: 7 } },
      { meshes: [{ primitives: [{ ...QUAD, attributes: attributes([1, 2, 3, 4, 5, 6, 7, 8]) }] }] },
    );
    const made = await cooked(build(scene));
    expect(made.codes).toEqual(['UC2341']);
    const [{ emissiveTexture, occlusionTexture }] = made.json.materials;
    expect([emissiveTexture.texCoord, occlusionTexture.texCoord]).toEqual([6, 7]);
    expect(setsOf(made, 0).map(([, value]) => value)).toEqual([expect.any(Number), 1, 2, 3, 4, 5, 8, 7]);
  });
});

test('a converted material whose set is missing has the first set, and so have sets that follow', async () => {
  const extensions = { KHR_materials_pbrSpecularGlossiness: { diffuseTexture: { index: 0, texCoord: 2 } } };
  for (const attributes of [{}, QUAD.attributes ?? {}]) {
    const primitive = { ...QUAD, attributes };
    const { json, codes } = await cooked(build(sceneOf({ extensions }, { meshes: [{ primitives: [primitive] }] })));
    expect(codes).toEqual(['UC1361', 'UC2012']);
    const sets = Object.keys(json.meshes[0].primitives[0].attributes).filter((name) => name.startsWith('TEX'));
    expect(sets).toEqual(['TEXCOORD_0', 'TEXCOORD_1', 'TEXCOORD_2'].slice(0, 2 + Object.keys(attributes).length));
  }
});

test('a texture of an extension that cannot be read follows --missing-texture', async () => {
  const extensions = { KHR_materials_sheen: { sheenColorFactor: [1, 1, 1], sheenColorTexture: { index: 0 } } };
  const source = build(sceneOf({ extensions }, { images: [SIGNATURE, GREEN] }));
  const input = put(folder, 'broken.glb', source);
  const strict = await untold(folder, ['cook', input, '--out', 'broken.out.glb', '--no-cache']);
  expect([strict.code, strict.stderr.includes('UC2101')]).toEqual([1, true]);
  const { json, codes } = await cooked(input, ['--missing-texture', 'drop']);
  expect(codes).toContain('UC2105');
  expect(json.materials[0].extensions.KHR_materials_sheen).toEqual({
    sheenColorFactor: [1, 1, 1],
    sheenRoughnessFactor: 0,
  });
});

describe('UsdPreviewSurface', () => {
  const stage = (inputs: string) => `#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "World"
{
    def Mesh "Quad" (prepend apiSchemas = ["MaterialBindingAPI"])
    {
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        rel material:binding = </World/Coated>
    }
    def Material "Coated"
    {
        token outputs:surface.connect = </World/Coated/Surface.outputs:surface>
        def Shader "Surface"
        {
            uniform token info:id = "UsdPreviewSurface"
            ${inputs}
            token outputs:surface
        }
        def Shader "Reader"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @none.png@
            float outputs:r
        }
    }
}
`;
  const cookStage = (inputs: string) => cooked(put(folder, `coat${count}.usda`, stage(inputs)));

  test('clear coat and index of refraction become extensions', async () => {
    const { json, codes } = await cookStage(`float inputs:clearcoat = 0.5
            float inputs:clearcoatRoughness = 0.25
            float inputs:ior = 1.75`);
    expect(codes).toEqual([]);
    expect(json.materials[0].extensions).toEqual({
      KHR_materials_clearcoat: { clearcoatFactor: 0.5, clearcoatRoughnessFactor: 0.25 },
      KHR_materials_ior: { ior: 1.75 },
    });
    const usual = await cookStage('float inputs:clearcoat = 1');
    expect(usual.json.materials[0].extensions.KHR_materials_clearcoat.clearcoatRoughnessFactor).toBe(0.01);
  });

  test('what it does not state is not there, and a texture of the coat is lost with a code', async () => {
    expect((await cookStage('')).json.materials[0].extensions).toBeUndefined();
    expect((await cookStage('float inputs:ior = 1.5')).json.materials[0].extensions).toBeUndefined();
    const { json, codes } = await cookStage('float inputs:clearcoat.connect = </World/Coated/Reader.outputs:r>');
    expect(codes).toEqual(['UC1914']);
    expect(json.materials[0].extensions).toBeUndefined();
  });
});

test('messages of a GLB do not speak of an engine', async () => {
  const source = buildGlb(
    {
      ...sceneOf({ extensions: { KHR_materials_unlit: {} } }),
      nodes: [{ mesh: 0 }, { camera: 0 }, { camera: 1 }],
    },
    (json) => {
      json.cameras = [
        { type: 'orthographic', orthographic: { xmag: 1, ymag: 1, znear: 0, zfar: 1 } },
        { type: 'perspective', perspective: { yfov: 4, znear: 0.1 } },
      ];
      json.meshes[0].primitives.push({ ...json.meshes[0].primitives[0], mode: 1 });
    },
  );
  const input = put(folder, 'spoken.glb', source);
  for (const out of ['spoken.out.glb', 'spoken.mdl']) {
    const run = await untold(folder, ['cook', input, '--out', out, '--no-cache', '-v']);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('UC1333');
    expect(run.stderr + run.stdout).not.toMatch(/engine/i);
  }
});
