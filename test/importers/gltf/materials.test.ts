import { describe, expect, test } from 'vitest';
import { DEFAULT_FACTORS } from '../../../src/scene/materialSlots.ts';
import type { Vec2 } from '../../../src/scene/types.ts';
import { buildGlb, buildGltf, load, ONE_TRIANGLE, refusal, type SceneInput, TRIANGLE } from './build.ts';

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

async function materialOf(material: object, more: SceneInput = {}) {
  const textures = [{ source: 0 }, { source: 1, sampler: 0 }];
  const samplers = [{ wrapS: 33071, wrapT: 33648, magFilter: 9729 }];
  const base = { ...ONE_TRIANGLE, textures, samplers, images: [PNG, PNG] };
  const { scene, codes, diagnostics } = await load(buildGlb({ ...base, ...more, materials: [material] }));
  return { material: scene.materials[0], scene, codes, diagnostics };
}

describe('metallic-roughness', () => {
  test('the defaults of glTF', async () => {
    const { material } = await materialOf({ name: 'Bare' });
    expect(material).toEqual({
      name: 'Bare',
      path: 'materials/0',
      alphaMode: 'opaque',
      alphaCutoff: 0.5,
      doubleSided: false,
      ...DEFAULT_FACTORS,
      textures: {},
      usesVertexColors: false,
    });
  });

  test('factors, emission with its strength, and packed channels', async () => {
    const { material, codes } = await materialOf({
      pbrMetallicRoughness: {
        baseColorFactor: [0.1, 0.2, 0.3, 0.4],
        metallicFactor: 0.5,
        roughnessFactor: 0.25,
        baseColorTexture: { index: 0 },
        metallicRoughnessTexture: { index: 1, texCoord: 1 },
      },
      normalTexture: { index: 0, scale: 0.5 },
      occlusionTexture: { index: 1, strength: 0.75, texCoord: 1 },
      emissiveTexture: { index: 0 },
      emissiveFactor: [1, 0.5, 0],
      alphaMode: 'MASK',
      alphaCutoff: 0.3,
      doubleSided: true,
      extensions: { KHR_materials_emissive_strength: { emissiveStrength: 4 } },
    });
    expect(codes).toEqual([]);
    expect(material).toMatchObject({
      alphaMode: 'mask',
      alphaCutoff: 0.3,
      doubleSided: true,
      baseColor: [0.1, 0.2, 0.3, 0.4],
      metallic: 0.5,
      roughness: 0.25,
      emissive: [4, 2, 0],
      normalScale: 0.5,
      occlusionStrength: 0.75,
    });
    const uses = Object.entries(material.textures).map(([slot, use]) => [
      slot,
      use.image,
      use.uvSet,
      use.channel,
      use.colorSpace,
      use.wrapS,
      use.wrapT,
    ]);
    expect(uses.sort()).toEqual([
      ['baseColor', 0, 'TEXCOORD_0', 'rgb', 'srgb', 'repeat', 'repeat'],
      ['emissive', 0, 'TEXCOORD_0', 'rgb', 'srgb', 'repeat', 'repeat'],
      ['metallic', 1, 'TEXCOORD_1', 'b', 'linear', 'clamp', 'mirror'],
      ['normal', 0, 'TEXCOORD_0', 'rgb', 'linear', 'repeat', 'repeat'],
      ['occlusion', 1, 'TEXCOORD_1', 'r', 'linear', 'clamp', 'mirror'],
      ['opacity', 0, 'TEXCOORD_0', 'a', 'linear', 'repeat', 'repeat'],
      ['roughness', 1, 'TEXCOORD_1', 'g', 'linear', 'clamp', 'mirror'],
    ]);
    expect(material.textures.metallic).toMatchObject({ transform: null, scale: [1, 1, 1, 1], bias: [0, 0, 0, 0] });
  });

  test('an opaque material has no opacity, whatever its texture holds', async () => {
    const { material } = await materialOf({ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } });
    expect(material.textures.opacity).toBeUndefined();
  });
});

describe('KHR_texture_transform on V-up UVs', () => {
  const transformOf = async (transform: object) => {
    const info = { index: 0, extensions: { KHR_texture_transform: transform } };
    const { material } = await materialOf({ pbrMetallicRoughness: { baseColorTexture: info } });
    return material.textures.baseColor!;
  };
  const apply = (m: readonly number[], [u, v]: Vec2): Vec2 => [m[0] * u + m[2] * v + m[4], m[1] * u + m[3] * v + m[5]];

  test('the example of its text: the lower left quarter of the image, turned', async () => {
    const { transform } = await transformOf({ offset: [0, 1], rotation: Math.PI / 2, scale: [0.5, 0.5] });
    // glTF corners (0,0) (1,0) (0,1) (1,1) go to (0,1) (0,.5) (.5,1) (.5,.5), V down; here both sides are V up.
    const corners: [Vec2, Vec2][] = [
      [
        [0, 1],
        [0, 0],
      ],
      [
        [1, 1],
        [0, 0.5],
      ],
      [
        [0, 0],
        [0.5, 0],
      ],
      [
        [1, 0],
        [0.5, 0.5],
      ],
    ];
    for (const [from, to] of corners) expect(apply(transform!, from)).toEqual(to.map((n) => expect.closeTo(n, 12)));
  });

  test('scale comes before rotation', async () => {
    const { transform } = await transformOf({ rotation: Math.PI / 2, scale: [2, 3] });
    // V down: (u, v) -> (2u, 3v) -> (3v, -2u). So (1, 0) -> (0, -2) and (0, 1) -> (3, 0).
    expect(apply(transform!, [1, 1])).toEqual([expect.closeTo(0, 12), expect.closeTo(3, 12)]);
    expect(apply(transform!, [0, 0])).toEqual([expect.closeTo(3, 12), expect.closeTo(1, 12)]);
  });

  test('an offset alone: down in glTF is down here', async () => {
    expect((await transformOf({ offset: [0.25, 0.5] })).transform).toEqual([1, 0, 0, 1, 0.25, -0.5]);
    expect((await transformOf({ scale: [1, 4] })).transform).toEqual([1, 0, 0, 4, 0, -3]);
  });

  test('the identity is none, and texCoord overrides', async () => {
    expect((await transformOf({ offset: [0, 0], scale: [1, 1], rotation: 0 })).transform).toBeNull();
    expect((await transformOf({ texCoord: 3 })).uvSet).toBe('TEXCOORD_3');
  });
});

describe('other material models', () => {
  test('unlit keeps its colour alone, with a warning', async () => {
    const { material, codes } = await materialOf({
      pbrMetallicRoughness: {
        baseColorFactor: [1, 0, 0, 1],
        baseColorTexture: { index: 0 },
        metallicFactor: 0.7,
        roughnessFactor: 0.1,
      },
      normalTexture: { index: 0 },
      emissiveFactor: [1, 1, 1],
      extensions: { KHR_materials_unlit: {} },
    });
    expect(material).toMatchObject({ baseColor: [1, 0, 0, 1], metallic: 0, roughness: 1, emissive: [0, 0, 0] });
    expect(Object.keys(material.textures)).toEqual(['baseColor']);
    expect(codes).toEqual(['UC1360']);
  });

  const glossy = (values: object, core?: object) =>
    materialOf({
      ...(core && { pbrMetallicRoughness: core }),
      extensions: { KHR_materials_pbrSpecularGlossiness: values },
    });

  test('specular-glossiness: a dielectric of 4 % and a mirror', async () => {
    const plastic = await glossy({
      diffuseFactor: [0.5, 0.25, 0, 0.75],
      specularFactor: [0.04, 0.04, 0.04],
      glossinessFactor: 0.8,
    });
    expect(plastic.codes).toEqual(['UC1361']);
    expect(plastic.material.metallic).toBeCloseTo(0, 9);
    expect(plastic.material.roughness).toBeCloseTo(0.2, 9);
    [0.5, 0.25, 0, 0.75].forEach((value, i) => {
      expect(plastic.material.baseColor[i]).toBeCloseTo(value, 9);
    });
    const gold = (await glossy({ diffuseFactor: [0, 0, 0, 1], specularFactor: [1, 0.8, 0.3] })).material;
    expect(gold.metallic).toBeCloseTo(1, 9);
    [1, 0.8, 0.3].forEach((value, i) => {
      expect(gold.baseColor[i]).toBeCloseTo(value, 9);
    });
  });

  test('specular-glossiness: textures wait for their conversion, with the factors of the file', async () => {
    const { material, codes, diagnostics } = await glossy({
      diffuseTexture: { index: 0 },
      specularGlossinessTexture: { index: 1, texCoord: 1 },
      diffuseFactor: [1, 0.5, 0.25, 0.75],
      specularFactor: [0.5, 0.5, 0.5],
      glossinessFactor: 0.5,
    });
    expect(material.specularWorkflow).toEqual({
      diffuse: [1, 0.5, 0.25],
      specular: [0.5, 0.5, 0.5],
      roughness: 0.5,
    });
    expect(material.baseColor[3]).toBe(0.75);
    expect(material.textures).toMatchObject({
      baseColor: { image: 0, channel: 'rgb', colorSpace: 'srgb' },
      metallic: { image: 1, channel: 'rgb', colorSpace: 'srgb', uvSet: 'TEXCOORD_1' },
      roughness: {
        image: 1,
        channel: 'a',
        colorSpace: 'linear',
        uvSet: 'TEXCOORD_1',
        scale: [-0.5, -0.5, -0.5, -0.5],
        bias: [1, 1, 1, 1],
      },
    });
    expect(codes).toEqual(['UC1361']);
    expect(diagnostics.list[0]).toMatchObject({ path: 'materials/0', message: 'materials/0: converted' });
  });

  test('specular-glossiness under unlit is its diffuse colour', async () => {
    const { material, codes } = await materialOf({
      extensions: {
        KHR_materials_unlit: {},
        KHR_materials_pbrSpecularGlossiness: {
          diffuseFactor: [0.5, 0.25, 0, 1],
          diffuseTexture: { index: 0 },
          specularGlossinessTexture: { index: 1 },
        },
      },
    });
    expect(material).toMatchObject({ baseColor: [0.5, 0.25, 0, 1], metallic: 0, roughness: 1 });
    expect(material.specularWorkflow).toBeUndefined();
    expect(Object.keys(material.textures)).toEqual(['baseColor']);
    expect(codes).toEqual(['UC1360', 'UC1361']);
  });

  test('specular-glossiness: metallic-roughness values beside it are used', async () => {
    const { material } = await glossy(
      { diffuseFactor: [1, 0, 0, 1] },
      { baseColorFactor: [0, 1, 0, 1], metallicFactor: 0.5 },
    );
    expect(material).toMatchObject({ baseColor: [0, 1, 0, 1], metallic: 0.5 });
  });

  test('malformed values are errors with their place', async () => {
    const cases: [object, string, string][] = [
      [{ alphaMode: 'FADE' }, 'UC1307', 'materials/0'],
      [{ emissiveFactor: [1, 2] }, 'UC1307', 'materials/0'],
      [{ pbrMetallicRoughness: { metallicFactor: 'much' } }, 'UC1307', 'materials/0/pbrMetallicRoughness'],
      [{ normalTexture: { index: 9 } }, 'UC1308', 'materials/0/normalTexture'],
      [{ normalTexture: {} }, 'UC1307', 'materials/0/normalTexture'],
    ];
    for (const [material, code, path] of cases) {
      await expect(refusal(materialOf(material))).resolves.toMatchObject({ code, path });
    }
  });
});

describe('images', () => {
  test('embedded by view and by data URI, with stems from names', async () => {
    const images = [PNG, { name: 'Bricks.png', uri: `data:image/png;base64,${Buffer.from(PNG).toString('base64')}` }];
    const { scene } = await materialOf({}, { images });
    expect(await scene.images[0].read()).toEqual(PNG);
    expect(await scene.images[1].read()).toEqual(PNG);
    expect(scene.images.map(({ path, uri, stem }) => [path, uri, stem])).toEqual([
      ['images/0', 'bufferViews/1', ''],
      ['images/1', 'data:image/png', 'Bricks'],
    ]);
  });

  test('beside a .gltf, percent-encoded', async () => {
    const input = { ...ONE_TRIANGLE, images: [{ uri: 'tex/Gr%C3%BCn%20A.jpg' }] };
    const files: Record<string, Uint8Array> = { ...buildGltf(input), 'tex/Grün A.jpg': new Uint8Array([1, 2]) };
    const { scene } = await load(files['scene.gltf'], { files });
    expect([...(await scene.images[0].read())]).toEqual([1, 2]);
    expect(scene.images[0]).toMatchObject({ uri: 'tex/Gr%C3%BCn%20A.jpg', stem: 'Grün A' });
    expect(scene.images[0].file.endsWith('Grün A.jpg')).toBe(true);
  });

  test('missing, absolute, remote, outside the root: an error when they are read, not before', async () => {
    const read = async (bytes: Uint8Array, root?: string) => {
      const { scene } = await load(bytes, { files: { 'scene.bin': new Uint8Array(36) }, ...(root && { root }) });
      return (await refusal(scene.images[0].read())).code;
    };
    const inGltf = (uri: string) => buildGltf({ ...ONE_TRIANGLE, images: [{ uri }] })['scene.gltf'];
    const inGlb = (uri: string) => buildGlb({ ...ONE_TRIANGLE, images: [{ uri }] });
    for (const of of [inGltf, inGlb]) {
      expect(await read(of('gone.png'))).toBe('UC1203');
      expect(await read(of('/etc/passwd'))).toBe('UC1205');
      expect(await read(of('https://example.com/a.png'))).toBe('UC1205');
      expect(await read(of('file:///a.png'))).toBe('UC1205');
      expect(await read(of('..%2F..%2Fa.png'), '/scenes')).toBe('UC1204');
    }
    const glb = await load(buildGlb({ ...ONE_TRIANGLE, images: [{ uri: 'a.png' }, {}] }), { files: { 'a.png': PNG } });
    expect(await glb.scene.images[0].read()).toEqual(PNG);
    expect(glb.scene.images[0].file.endsWith('a.png')).toBe(true);
    expect((await refusal(glb.scene.images[1].read())).code).toBe('UC1307');
  });

  test('WebP, AVIF, KTX2 and DDS stand in, in this order, where there is no other source', async () => {
    const ktx = new Uint8Array([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
    const material = { pbrMetallicRoughness: { baseColorTexture: { index: 0 } } };
    const of = async (texture: object) => {
      const {
        material: read,
        scene,
        codes,
      } = await materialOf(material, { images: [PNG, PNG, ktx], textures: [texture] });
      return { use: read.textures.baseColor, scene, codes };
    };
    expect((await of({ source: 0, extensions: { EXT_texture_webp: { source: 1 } } })).use!.image).toBe(0);
    expect((await of({ extensions: { EXT_texture_webp: { source: 1 } } })).use!.image).toBe(1);
    expect(
      (await of({ extensions: { KHR_texture_basisu: { source: 2 }, EXT_texture_avif: { source: 1 } } })).use!.image,
    ).toBe(1);
    const basis = await of({ extensions: { KHR_texture_basisu: { source: 2 } } });
    expect(basis.use!.image).toBe(2);
    expect(await basis.scene.images[2].read()).toEqual(ktx);
    const both = { MSFT_texture_dds: { source: 1 }, KHR_texture_basisu: { source: 2 } };
    expect((await of({ extensions: both })).use!.image).toBe(2);
    expect((await of({ extensions: { MSFT_texture_dds: { source: 1 } } })).use!.image).toBe(1);
    const none = await of({});
    expect(none.use).toBeUndefined();
    expect(none.codes).toEqual(['UC1364']);
  });

  test('a primitive without a material has the default values of one', async () => {
    const white = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    const { scene, codes } = await load(
      buildGlb({
        materials: [{ name: 'Own' }],
        meshes: [{ primitives: [{ ...TRIANGLE, material: 0 }, TRIANGLE] }, { primitives: [TRIANGLE] }],
      }),
    );
    expect(codes).toEqual([]);
    expect(scene.meshes.map(({ primitives }) => primitives.map(({ material }) => material))).toEqual([[0, 1], [1]]);
    expect(scene.materials.length).toBe(2);
    expect(scene.materials[1]).toMatchObject({
      path: 'materials/default',
      baseColor: [1, 1, 1, 1],
      metallic: 1,
      roughness: 1,
      emissive: [0, 0, 0],
      alphaMode: 'opaque',
      doubleSided: false,
      usesVertexColors: false,
    });
    const colored = await load(
      buildGlb({ meshes: [{ primitives: [{ ...TRIANGLE, attributes: { COLOR_0: white } }] }] }),
    );
    expect(colored.scene.materials).toMatchObject([{ metallic: 1, roughness: 1, usesVertexColors: true }]);
    const all = await load(buildGlb({ materials: [{}], meshes: [{ primitives: [{ ...TRIANGLE, material: 0 }] }] }));
    expect(all.scene.materials.length).toBe(1);
  });

  test('sharp filtering is said once', async () => {
    const { codes } = await materialOf({}, { samplers: [{ magFilter: 9728 }, { magFilter: 9728 }] });
    expect(codes).toEqual(['UC1365']);
  });
});
