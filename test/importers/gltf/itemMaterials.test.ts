// Materials and textures of glTF, one small scene each, cooked to a single file and checked in numbers there: factors,
// alpha modes, slots and their channels, and the texels of the files that were written.

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Cooked, cookFiles, verticesOf } from '../../cook/cooked.ts';
import { ktx2, solidBlock } from '../../textures/ktx2File.ts';
import { buildGlb, buildGltf, type PrimitiveInput, type SceneInput } from './build.ts';

const NONE = 0xffffffff;

/** A square over the whole image, with the same UVs in both sets unless others are given. */
const SQUARE: PrimitiveInput = {
  positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
  uvs: [0, 1, 1, 1, 1, 0, 0, 0],
  indices: [0, 1, 2, 0, 2, 3],
};

async function png(pixels: readonly (readonly number[])[], format: 'png' | 'jpeg' | 'webp' | 'avif' = 'png') {
  const channels = pixels[0].length as 3 | 4;
  const raw = sharp(Uint8Array.from(pixels.flat()), { raw: { width: pixels.length, height: 1, channels } });
  const options =
    format === 'webp' || format === 'avif' ? { lossless: true } : { quality: 100, chromaSubsampling: '4:4:4' };
  return new Uint8Array(await raw.toFormat(format, format === 'png' ? {} : options).toBuffer());
}

async function pixels(cooked: Pick<Cooked, 'scene' | 'texture'>, index: number): Promise<number[][]> {
  const { uri } = cooked.scene.textures[index];
  const { data, info } = await sharp(cooked.texture(uri)).raw().toBuffer({ resolveWithObject: true });
  return Array.from({ length: info.width * info.height }, (_, i) => [
    ...data.subarray(i * info.channels, (i + 1) * info.channels),
  ]);
}

/** Cooks one square with a material; textures 0, 1 … are the images. */
async function cook(
  material: object,
  images: readonly (object | Uint8Array)[] = [],
  more: SceneInput & { primitive?: PrimitiveInput } = {},
) {
  const { primitive = {}, ...rest } = more;
  const scene: SceneInput = {
    meshes: [{ primitives: [{ ...SQUARE, ...primitive, material: 0 }] }],
    materials: [{ name: 'M', ...material }],
    textures: images.map((_, source) => ({ source })),
    images,
    ...rest,
  };
  const cooked = await cookFiles({ 'scene.glb': buildGlb(scene) });
  return { ...cooked, material: cooked.scene.materials[0] };
}
const core = (values: object) => ({ pbrMetallicRoughness: values });
const near = (values: readonly number[], digits = 6) => values.map((value) => expect.closeTo(value, digits));

describe('metallic-roughness', () => {
  test('factors, and emission with its strength', async () => {
    const { material, codes } = await cook({
      ...core({ baseColorFactor: [0.5, 0.25, 0.125, 1], metallicFactor: 0.25, roughnessFactor: 0.75 }),
      emissiveFactor: [1, 0.5, 0],
      doubleSided: true,
      extensions: { KHR_materials_emissive_strength: { emissiveStrength: 4 } },
    });
    expect(codes).toEqual([]);
    expect(material).toMatchObject({
      name: 'M',
      alphaMode: 'opaque',
      baseColorFactor: [0.5, 0.25, 0.125, 1],
      metallicFactor: 0.25,
      roughnessFactor: 0.75,
      emissiveFactor: [4, 2, 0],
    });
  });

  test('occlusion, roughness and metalness packed in one image: one file, as it is, by channel', async () => {
    const orm = await png([
      [10, 20, 30],
      [40, 50, 60],
    ]);
    const { material, scene, texture } = await cook(
      {
        ...core({ metallicRoughnessTexture: { index: 0 } }),
        occlusionTexture: { index: 0, strength: 0.5 },
      },
      [orm],
    );
    expect(scene.textures.length).toBe(1);
    expect(texture(scene.textures[0].uri)).toEqual(orm);
    expect(material).toMatchObject({
      metallicTexture: 0,
      metallicChannel: 2,
      roughnessTexture: 0,
      roughnessChannel: 1,
      occlusionTexture: 0,
      occlusionStrength: 0.5,
      baseColorTexture: NONE,
    });
  });

  test('normal scale', async () => {
    const blue = await png([[128, 128, 255]]);
    const { material } = await cook({ normalTexture: { index: 0, scale: 0.5 } }, [blue]);
    expect(material).toMatchObject({ normalTexture: 0, normalScale: 0.5 });
  });

  test.each([
    ['OPAQUE', 'opaque', 0.5],
    ['MASK', 'mask', 0.25],
    ['BLEND', 'blend', 0.5],
  ] as const)('alpha mode %s', async (mode, alphaMode, cutoff) => {
    const half = await png([
      [255, 0, 0, 255],
      [0, 255, 0, 100],
    ]);
    const { material, ...cooked } = await cook(
      { alphaMode: mode, ...(mode === 'MASK' && { alphaCutoff: cutoff }), ...core({ baseColorTexture: { index: 0 } }) },
      [half],
    );
    expect(material).toMatchObject({ alphaMode, alphaCutoff: cutoff });
    if (mode !== 'OPAQUE') expect((await pixels(cooked, 0))[1]).toEqual([0, 255, 0, 100]);
  });

  test('occlusion on a set of its own is brought into the layout of the base colour', async () => {
    const color = await png([
      [255, 0, 0],
      [0, 0, 255],
    ]);
    const shade = await png([
      [50, 50, 50],
      [200, 200, 200],
    ]);
    const { material, codes, ...cooked } = await cook(
      { ...core({ baseColorTexture: { index: 0 } }), occlusionTexture: { index: 1, texCoord: 1 } },
      [color, shade],
      // The second set has left and right exchanged.
      { primitive: { attributes: { TEXCOORD_1: [1, 1, 0, 1, 0, 0, 1, 0] } } },
    );
    expect(codes).toEqual(['UC2111']);
    const texels = await pixels(cooked, material.occlusionTexture);
    expect([texels[0][0], texels[texels.length - 1][0]]).toEqual([200, 50]);
  });

  test('KHR_texture_transform moves uv0; the bytes of the image stay', async () => {
    const color = await png([[9, 9, 9]]);
    const transform = { offset: [0.25, 0.5], scale: [2, 2] };
    const { scene, texture } = await cook(
      core({ baseColorTexture: { index: 0, extensions: { KHR_texture_transform: transform } } }),
      [color],
    );
    expect(texture(scene.textures[0].uri)).toEqual(color);
    const corners = verticesOf(scene.meshes[0]);
    // File: (0, 1) -> (0.25, 2.5), V up -1.5, and moved by whole numbers as the others are.
    const corner = (x: number, y: number) => corners.find(({ position }) => position[0] === x && position[1] === y)!.uv;
    const [u, v] = corner(0, 0);
    expect([u - Math.floor(u), v - Math.floor(v)]).toEqual([0.25, 0.5]);
    expect([corner(1, 0)[0] - u, corner(0, 1)[1] - v]).toEqual([2, 2]);
  });
});

describe('other models', () => {
  describe('KHR_materials_unlit', () => {
    const unlit = (values: object, more: object = {}) => ({
      ...core({ metallicFactor: 1, roughnessFactor: 0, ...values }),
      extensions: { KHR_materials_unlit: {} },
      ...more,
    });
    /** The least that the engine does not take for white. */
    const BLACK = near([0.001, 0.001, 0.001, 1]);

    test('the colour is emission over black, rough and no metal', async () => {
      const { material, codes } = await cook(unlit({ baseColorFactor: [1, 0.5, 0, 1] }));
      expect(material).toMatchObject({ baseColorFactor: BLACK, metallicFactor: 0, roughnessFactor: 1 });
      expect(material).toMatchObject({ emissiveFactor: [1, 0.5, 0], emissiveTexture: NONE });
      expect(codes).toEqual(['UC1360']);
    });

    test('the texture is that of emission, and its alpha cuts out', async () => {
      const image = await png([
        [10, 20, 30, 255],
        [40, 50, 60, 0],
      ]);
      const opaque = await cook(unlit({ baseColorTexture: { index: 0 } }), [image]);
      expect(opaque.material).toMatchObject({ baseColorTexture: NONE, emissiveFactor: [1, 1, 1] });
      const colors = await pixels(opaque, opaque.material.emissiveTexture);
      expect(colors.map((texel) => texel.slice(0, 3))).toEqual([
        [10, 20, 30],
        [40, 50, 60],
      ]);
      const masked = await cook(unlit({ baseColorTexture: { index: 0 } }, { alphaMode: 'MASK' }), [image]);
      expect(masked.material).toMatchObject({ baseColorFactor: BLACK, emissiveFactor: [1, 1, 1] });
      const alpha = await pixels(masked, masked.material.baseColorTexture);
      expect(alpha.map((texel) => texel[3])).toEqual([255, 0]);
    });

    test('colours of vertices are emission, too', async () => {
      const colors = (values: number[]) => ({ primitive: { attributes: { COLOR_0: values } } });
      const square = (color: number[]) => colors([0, 1, 2, 3].flatMap(() => color));
      const tinted = await cook(unlit({ baseColorFactor: [1, 0.5, 0, 1] }), [], square([0.5, 0.5, 1, 1]));
      expect(tinted.material).toMatchObject({ baseColorFactor: BLACK, emissiveFactor: [0.5, 0.25, 0] });
      const varying = colors([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1]);
      const baked = await cook(unlit({}), [], varying);
      expect(baked.material).toMatchObject({ baseColorTexture: NONE, emissiveTexture: 0, emissiveFactor: [1, 1, 1] });
      expect(baked.codes).toEqual(['UC1360']);
    });
  });

  test('KHR_materials_pbrSpecularGlossiness: factors', async () => {
    const { material, codes } = await cook({
      extensions: {
        KHR_materials_pbrSpecularGlossiness: {
          diffuseFactor: [0, 0, 0, 1],
          specularFactor: [1, 0.5, 0.25],
          glossinessFactor: 0.75,
        },
      },
    });
    expect(material.baseColorFactor).toEqual(near([1, 0.5, 0.25, 1], 5));
    expect([material.metallicFactor, material.roughnessFactor]).toEqual(near([1, 0.25], 5));
    expect(codes).toEqual(['UC1361']);
  });

  test('KHR_materials_pbrSpecularGlossiness: textures, texel by texel', async () => {
    const diffuse = await png([
      [200, 100, 50],
      [0, 0, 0],
    ]);
    const specular = await png([
      [56, 56, 56, 0],
      [255, 220, 100, 255],
    ]);
    const { material, codes, ...cooked } = await cook(
      {
        extensions: {
          KHR_materials_pbrSpecularGlossiness: {
            diffuseTexture: { index: 0 },
            specularGlossinessTexture: { index: 1 },
          },
        },
      },
      [diffuse, specular],
    );
    expect(codes).toEqual(['UC1361']);
    const close = (values: number[]) => values.map((value) => expect.closeTo(value, -0.5));
    expect(await pixels(cooked, material.baseColorTexture)).toEqual([close([200, 100, 50]), close([255, 220, 100])]);
    expect(material.metallicTexture).toBe(material.roughnessTexture);
    const packed = await pixels(cooked, material.metallicTexture);
    expect(packed.map((texel) => [texel[material.roughnessChannel], texel[material.metallicChannel]])).toEqual([
      [255, 0],
      [0, 255],
    ]);
    expect(material).toMatchObject({ metallicFactor: 1, roughnessFactor: 1, baseColorFactor: [1, 1, 1, 1] });
  });

  test.each<[string, object, object]>([
    ['ior', { ior: 1 }, { roughnessFactor: 1 }],
    ['specular', { specularFactor: 0 }, { roughnessFactor: 1 }],
    [
      'clearcoat',
      { clearcoatFactor: 1, clearcoatRoughnessFactor: 0.125 },
      { roughnessFactor: 0.125, baseColorFactor: near([0.985, 0.985, 0.985, 1], 5) },
    ],
    ['sheen', { sheenColorFactor: [0, 0, 0.5] }, { baseColorFactor: near([0.9215, 0.9215, 1, 1], 5) }],
    ['anisotropy', { anisotropyStrength: 1 }, { roughnessFactor: expect.closeTo(Math.SQRT1_2, 6) }],
    ['iridescence', { iridescenceFactor: 1 }, { roughnessFactor: 0.5 }],
    ['diffuse_transmission', { diffuseTransmissionFactor: 1 }, { alphaMode: 'opaque' }],
  ])('KHR_materials_%s: the nearest material, in one warning', async (name, values, expected) => {
    const { material, outcome } = await cook({
      ...core({ metallicFactor: 0, roughnessFactor: 0.5 }),
      extensions: { [`KHR_materials_${name}`]: values },
    });
    expect(material).toMatchObject(expected);
    expect(outcome.diagnostics).toMatchObject([
      { code: 'UC1362', path: 'materials/0', message: expect.stringMatching(/^"M": /) },
    ]);
  });

  test('KHR_materials_volume colours what passes', async () => {
    const { material } = await cook({
      ...core({ metallicFactor: 0, roughnessFactor: 0 }),
      extensions: {
        KHR_materials_transmission: { transmissionFactor: 1 },
        KHR_materials_volume: { thicknessFactor: 1, attenuationDistance: 1, attenuationColor: [0.5, 1, 0.25] },
      },
    });
    expect(material.baseColorFactor.slice(0, 3)).toEqual([0.5, 1, 0.25]);
  });

  test('KHR_materials_transmission: the factor, and the mean of the red of its texture', async () => {
    const glass = (transmissionFactor: number) => ({
      ...core({ metallicFactor: 0, roughnessFactor: 0, baseColorFactor: [1, 1, 1, 0.25] }),
      extensions: { KHR_materials_transmission: { transmissionFactor, transmissionTexture: { index: 0 } } },
    });
    // Data, not colours: the mean of 51 and 153 of 255 is 0.4.
    const half = await png([
      [51, 255, 0],
      [153, 255, 0],
    ]);
    const { material, outcome } = await cook(glass(0.5), [half]);
    expect(material).toMatchObject({ alphaMode: 'opaque', baseColorFactor: [1, 1, 1, 0.25], baseColorTexture: NONE });
    expect(material.transmissionFactor).toBeCloseTo(0.2, 7);
    expect(outcome.diagnostics).toMatchObject([
      { code: 'UC2122', message: expect.stringMatching(/its mean 0.4 is used$/) },
    ]);
    const dark = await cook(glass(0.1), [half]);
    expect(dark.material.transmissionFactor).toBe(0);
    expect(dark.outcome.diagnostics[0].message).toMatch(/solid because less than 5 % could be seen through$/);
  });

  test('glass that is opaque gets no alpha of a texture', async () => {
    const see = await png([
      [10, 20, 30, 0],
      [10, 20, 30, 255],
    ]);
    const opaque = { ...core({ metallicFactor: 0, roughnessFactor: 0, baseColorTexture: { index: 0 } }) };
    const alphaOf = async (more: object) => {
      const cooked = await cook({ ...opaque, ...more }, [see]);
      // An image without alpha has three channels.
      return (await pixels(cooked, cooked.material.baseColorTexture)).map((texel) => texel[3] ?? 255);
    };
    expect(await alphaOf({})).toEqual([0, 255]);
    const extensions = { KHR_materials_transmission: { transmissionFactor: 1 } };
    expect(await alphaOf({ extensions })).toEqual([255, 255]);
  });

  test('KHR_materials_variants: the default, and the one asked for', async () => {
    const primitive = { ...SQUARE, material: 0 };
    const bytes = buildGlb(
      {
        meshes: [{ primitives: [primitive] }],
        materials: [{ name: 'Red' }, { name: 'Blue' }],
        root: { extensions: { KHR_materials_variants: { variants: [{ name: 'blue' }] } } },
      },
      (json) => {
        json.meshes[0].primitives[0].extensions = {
          KHR_materials_variants: { mappings: [{ material: 1, variants: [0] }] },
        };
      },
    );
    const plain = await cookFiles({ 'scene.glb': bytes });
    expect([plain.scene.materials.map((m) => m.name), plain.codes]).toEqual([['Red'], ['UC1366']]);
    const blue = await cookFiles({ 'scene.glb': bytes }, { source: { materialVariant: 'blue' } });
    expect([blue.scene.materials.map((m) => m.name), blue.codes]).toEqual([['Blue'], []]);
    const green = await cookFiles({ 'scene.glb': bytes }, { source: { materialVariant: 'green' } });
    expect(green.outcome.diagnostics).toMatchObject([
      { code: 'UC1367', message: 'there is no variant "green"; the file has "blue"' },
    ]);
  });
});

describe('vertex colours', () => {
  const colored = (values: number[]) => ({ primitive: { attributes: { COLOR_0: values } } });
  test('a constant one tints the material', async () => {
    const { material, codes } = await cook(
      core({ baseColorFactor: [1, 0.5, 1, 1] }),
      [],
      colored([0, 1, 2, 3].flatMap(() => [0.5, 0.5, 0.25, 1])),
    );
    expect(material.baseColorFactor).toEqual(near([0.5, 0.25, 0.25, 1], 2));
    expect(codes).toEqual([]);
  });

  test('a few, one a triangle, become a palette', async () => {
    const six = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0];
    const { material, ...cooked } = await cook({}, [], {
      primitive: {
        positions: six,
        uvs: six.filter((_, i) => i % 3 < 2),
        indices: [0, 1, 2, 3, 4, 5],
        attributes: { COLOR_0: [0, 0, 0, 1, 1, 1].flatMap((blue) => [1 - blue, 0, blue, 1]) },
      },
    });
    const palette = await pixels(cooked, material.baseColorTexture);
    expect(new Set(palette.map((texel) => texel.slice(0, 3).join()))).toEqual(new Set(['255,0,0', '0,0,255']));
  });

  test('varying ones on a textured material are stored, with a warning', async () => {
    const { scene, codes } = await cook(
      core({ baseColorTexture: { index: 0 } }),
      [await png([[1, 2, 3]])],
      colored([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1]),
    );
    const { vertices, vertexCount } = scene.meshes[0];
    const colors = Array.from({ length: vertexCount }, (_, v) =>
      [...vertices.subarray(v * 32 + 28, v * 32 + 32)].join(),
    );
    expect(colors.sort()).toEqual(['0,0,255,255', '0,255,0,255', '255,0,0,255', '255,255,255,255']);
    expect(codes).toEqual(['UC2013']);
  });
});

describe('images', () => {
  const RED = [255, 0, 0];
  const base = core({ baseColorTexture: { index: 0 } });
  const uri = (bytes: Uint8Array, type: string) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

  test('PNG and JPEG stay as they are', async () => {
    for (const format of ['png', 'jpeg'] as const) {
      const bytes = await png([RED, RED], format);
      const { scene, texture } = await cook(base, [bytes]);
      expect(texture(scene.textures[0].uri)).toEqual(bytes);
    }
  });

  test.each([
    ['EXT_texture_webp', 'webp'],
    ['EXT_texture_avif', 'avif'],
  ] as const)('%s becomes PNG', async (extension, format) => {
    const bytes = await png([RED, [0, 0, 255]], format);
    const textures = [{ extensions: { [extension]: { source: 0 } } }];
    const { material, ...cooked } = await cook(base, [bytes], { textures });
    const texels = await pixels(cooked, material.baseColorTexture);
    expect(cooked.scene.textures[0].uri).toMatch(/\.png$/);
    texels[0].slice(0, 3).forEach((value, c) => {
      expect(Math.abs(value - RED[c])).toBeLessThanOrEqual(3);
    });
  });

  test('KHR_texture_basisu becomes PNG', async () => {
    const bytes = ktx2(8, 4, [solidBlock(255, 0, 0, 255), solidBlock(0, 64, 255, 255)]);
    const textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
    const root = { extensionsUsed: ['KHR_texture_basisu'], extensionsRequired: ['KHR_texture_basisu'] };
    const { material, codes, ...cooked } = await cook(base, [bytes], { textures, root });
    expect(codes).toEqual([]);
    const texels = await pixels(cooked, material.baseColorTexture);
    expect([texels.length, texels[0], texels[7]]).toEqual([32, RED, [0, 64, 255]]);
  });

  test.each([
    ['EXR that is cut off', new Uint8Array([0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]), 'UC2101'],
    ['HDR that is cut off', new TextEncoder().encode('#?RADIANCE\n'), 'UC2101'],
    [
      'TGA without an image',
      new Uint8Array(Buffer.concat([Buffer.alloc(60), Buffer.from('TRUEVISION-XFILE.\0')])),
      'UC2100',
    ],
    ['DDS that is cut off', new TextEncoder().encode('DDS |'), 'UC2101'],
  ])('%s is an error with a code', async (_, bytes, code) => {
    const { outcome } = await cook(base, [bytes]);
    expect(outcome).toMatchObject({ status: 'failed', diagnostics: [{ code, path: 'images/0' }] });
  });

  test('data URIs, whatever type they claim', async () => {
    const bytes = await png([RED]);
    for (const [type, expected] of [
      ['image/png', []],
      ['image/jpeg', ['UC2104']],
      ['application/octet-stream', []],
    ] as const) {
      const { codes, scene, texture } = await cook(base, [{ uri: uri(bytes, type) }]);
      expect(codes).toEqual(expected);
      expect(texture(scene.textures[0].uri)).toEqual(bytes);
    }
  });

  test('files beside the source: encoded, not ASCII, of a wrong MIME type', async () => {
    const bytes = await png([RED]);
    for (const [name, image] of [
      ['Grün A.png', { uri: 'Gr%C3%BCn%20A.png' }],
      ['Grün A.png', { uri: 'Grün A.png', mimeType: 'image/jpeg' }],
      ['tex/煉瓦.png', { uri: 'tex/%E7%85%89%E7%93%A6.png' }],
    ] as const) {
      const scene: SceneInput = {
        meshes: [{ primitives: [{ ...SQUARE, material: 0 }] }],
        materials: [base],
        textures: [{ source: 0 }],
        images: [image],
      };
      const cooked = await cookFiles({ ...buildGltf(scene), [name]: bytes });
      expect(cooked.codes).toEqual([]);
      expect(cooked.texture(cooked.scene.textures[0].uri)).toEqual(bytes);
    }
  });

  test('a missing file, by --missing-texture', async () => {
    const files = buildGltf({
      meshes: [{ primitives: [{ ...SQUARE, material: 0 }] }],
      materials: [core({ baseColorTexture: { index: 0 }, baseColorFactor: [0.5, 0.5, 0.5, 1] })],
      textures: [{ source: 0 }],
      images: [{ uri: 'gone.png' }],
    });
    const cookAs = (missingTexture: 'error' | 'drop' | 'placeholder') => cookFiles(files, { missingTexture });
    expect((await cookAs('error')).outcome).toMatchObject({ status: 'failed', diagnostics: [{ code: 'UC1203' }] });
    const dropped = await cookAs('drop');
    expect(dropped.codes).toEqual(['UC2105']);
    expect(dropped.scene.materials[0]).toMatchObject({ baseColorTexture: NONE, baseColorFactor: [0.5, 0.5, 0.5, 1] });
    const stood = await cookAs('placeholder');
    expect(stood.codes).toEqual(['UC2106']);
    expect(stood.scene.materials[0].baseColorTexture).toBe(0);
  });
});
