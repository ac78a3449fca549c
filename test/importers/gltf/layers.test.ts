// Material extensions on top of metallic-roughness: the nearest material without them, in numbers, and one warning a
// material that says what was made of each.

import { describe, expect, test } from 'vitest';
import { buildGlb, load, ONE_TRIANGLE, refusal } from './build.ts';

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A dielectric, rough by 0.5 and grey, with `extensions` (without their prefix) and other properties. */
async function layered(extensions: Record<string, object>, core: object = {}, more: object = {}) {
  const material = {
    name: 'M',
    pbrMetallicRoughness: {
      metallicFactor: 0,
      roughnessFactor: 0.5,
      baseColorFactor: [0.5, 0.5, 0.5, 1],
      ...core,
    },
    extensions: Object.fromEntries(Object.entries(extensions).map(([key, value]) => [`KHR_materials_${key}`, value])),
    ...more,
  };
  const file = buildGlb({
    ...ONE_TRIANGLE,
    materials: [material],
    textures: [{ source: 0 }, { source: 1 }],
    images: [PNG, PNG],
  });
  const { scene, diagnostics } = await load(file);
  return { material: scene.materials[0], said: diagnostics.list.map((d) => `${d.code} ${d.path} ${d.message}`) };
}
const approximated = (what: string) => [`UC1362 materials/0 "M": ${what}`];
const texture = { index: 1 };

test.each<[string, Record<string, object>]>([
  ['ior 1.5', { ior: { ior: 1.5 } }],
  ['specular of full strength', { specular: {} }],
  ['transmission 0', { transmission: {}, volume: { thicknessFactor: 1 } }],
  ['a coat of 0', { clearcoat: { clearcoatRoughnessFactor: 0.5 } }],
  ['a black sheen', { sheen: { sheenRoughnessFactor: 1 } }],
  [
    'anisotropy, iridescence, dispersion, diffuse transmission of 0',
    {
      anisotropy: {},
      iridescence: {},
      dispersion: {},
      diffuse_transmission: {},
    },
  ],
])('%s changes nothing and is not mentioned', async (_, extensions) => {
  const { material, said } = await layered(extensions);
  expect(said).toEqual([]);
  expect(material).toMatchObject({ baseColor: [0.5, 0.5, 0.5, 1], metallic: 0, roughness: 0.5, alphaMode: 'opaque' });
});

describe('reflectance', () => {
  test('none at all: as rough as can be', async () => {
    for (const extensions of [{ specular: { specularFactor: 0 } }, { ior: { ior: 1 } }]) {
      const { material, said } = await layered(extensions);
      expect(material.roughness).toBe(1);
      expect(said).toEqual(approximated(`${Object.keys(extensions)[0]} made rougher for reflecting less than 4 %`));
    }
  });

  test('half of 4 %: half way there, in the texture too', async () => {
    const half = { specular: { specularFactor: 0.5 } };
    expect((await layered(half)).material.roughness).toBeCloseTo(0.75, 9);
    const { material } = await layered(half, { metallicRoughnessTexture: texture });
    expect(material.roughness).toBe(1);
    // 1 - (1 - 0.5 t) / 2
    expect(material.textures.roughness).toMatchObject({ image: 1, channel: 'g' });
    expect(material.textures.roughness!.scale[1]).toBeCloseTo(0.25, 9);
    expect(material.textures.roughness!.bias[1]).toBeCloseTo(0.5, 9);
  });

  test('more than 4 %: metallic enough to reflect as much', async () => {
    const { material, said } = await layered({ ior: { ior: 2.4 }, specular: { specularColorFactor: [1, 1, 1] } });
    // Diamond: ((2.4 - 1) / (2.4 + 1)) ^ 2 of a grey.
    const reflected = (1.4 / 3.4) ** 2;
    const { metallic, baseColor } = material;
    expect(0.04 * (1 - metallic) + baseColor[0] * metallic).toBeCloseTo(reflected, 3);
    expect(said).toEqual(approximated('ior and specular made as metallic as it reflects'));
  });

  test('on a metal it means nothing; on a textured base colour it is left out', async () => {
    expect((await layered({ ior: { ior: 2.4 } }, { metallicFactor: 1 })).said).toEqual([]);
    const { material, said } = await layered({ ior: { ior: 2.4 } }, { baseColorTexture: { index: 0 } });
    expect(material.metallic).toBe(0);
    expect(said).toEqual(approximated('ior left out'));
  });
});

describe('transmission', () => {
  test('outside 0 to 1 is named', async () => {
    const above = await layered({ transmission: { transmissionFactor: 2 } }, clear);
    expect([above.material.transmission, above.said]).toEqual([
      1,
      [expect.stringContaining('transmission above 1 made 1')],
    ]);
    const below = await layered({ transmission: { transmissionFactor: -1 } }, clear);
    expect([below.material.transmission, below.said]).toEqual([0, [expect.stringContaining('its factor is below 0')]]);
  });

  const clear = { baseColorFactor: [1, 1, 1, 1], roughnessFactor: 0 };
  test('is kept, with alpha and its mode as they are', async () => {
    const { material, said } = await layered({ transmission: { transmissionFactor: 0.8 } }, clear);
    expect(material).toMatchObject({ transmission: 0.8, alphaMode: 'opaque', baseColor: [1, 1, 1, 1] });
    expect(said).toEqual([]);
    const color = { ...clear, baseColorFactor: [0.5, 0.5, 0.5, 0.25] };
    const blended = await layered({ transmission: { transmissionFactor: 1 } }, color, { alphaMode: 'BLEND' });
    expect(blended.material).toMatchObject({ transmission: 1, alphaMode: 'blend', baseColor: [0.5, 0.5, 0.5, 0.25] });
  });

  test('a volume colours it by its thickness', async () => {
    const volume = { thicknessFactor: 2, attenuationDistance: 1, attenuationColor: [1, 0.5, 0] };
    const { material, said } = await layered({ transmission: { transmissionFactor: 1 }, volume }, clear);
    expect(material).toMatchObject({ transmission: 1, baseColor: [1, 0.25, 0, 1] });
    expect(said).toEqual([...approximated('volume made base colour'), 'UC1221 materials/0 "M": thickness']);
  });

  test('what the engine ignores of glass has one code, and changes nothing', async () => {
    const glass = { transmission: { transmissionFactor: 1 }, ior: { ior: 1.7 }, dispersion: { dispersion: 0.1 } };
    const volume = { thicknessFactor: 0.5, thicknessTexture: texture };
    const { material, said } = await layered({ ...glass, volume }, clear);
    expect(material).toMatchObject({ metallic: 0, roughness: 0, baseColor: [1, 1, 1, 1] });
    expect(said).toEqual(['UC1221 materials/0 "M": ior, thickness, thickness texture, dispersion']);
  });

  test('its texture multiplies it, and takes no slot', async () => {
    const { material, said } = await layered(
      { transmission: { transmissionFactor: 0.5, transmissionTexture: texture } },
      clear,
    );
    expect(material).toMatchObject({ transmission: 0.5, textures: {} });
    expect(material.transmissionTexture).toMatchObject({ image: 1, channel: 'r', colorSpace: 'linear' });
    expect(said).toEqual([]);
  });

  test('where less than 5 % could be seen through, the surface is solid', async () => {
    const solid = approximated('transmission left out, because less than 5 % could be seen through');
    const faint = await layered({ transmission: { transmissionFactor: 0.04 } }, clear);
    expect([faint.material.transmission, faint.said]).toEqual([0, solid]);
    const rough = await layered({ transmission: { transmissionFactor: 1 } }, { ...clear, roughnessFactor: 0.5 });
    expect([rough.material.transmission, rough.said]).toEqual([0, solid]);
    const mapped = { ...clear, roughnessFactor: 1, metallicRoughnessTexture: { index: 0 } };
    const textured = await layered({ transmission: { transmissionFactor: 1 } }, mapped);
    expect([textured.material.transmission, textured.said]).toEqual([1, []]);
  });

  test('a metal lets nothing through', async () => {
    const { material, said } = await layered({ transmission: { transmissionFactor: 1 } }, { metallicFactor: 1 });
    expect([material.transmission, said]).toEqual([0, []]);
    // Its texture is checked all the same.
    const broken = { transmission: { transmissionFactor: 1, transmissionTexture: { index: 99 } } };
    const { code, path } = await refusal(layered(broken, { metallicFactor: 1 }));
    expect([code, path]).toEqual(['UC1308', 'materials/0/extensions/KHR_materials_transmission/transmissionTexture']);
  });
});

describe('other layers', () => {
  const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 9));
  const orange = { baseColorFactor: [1, 0.5, 0, 1] };
  const all = (value: number) => Array(4).fill(expect.closeTo(value, 9));
  const coated = (more: object = {}) => ({
    clearcoat: { clearcoatFactor: 0.5, clearcoatRoughnessFactor: 0.1, ...more },
  });

  test('a clear coat is the highlight of a dielectric, not of a metal, and whitens both', async () => {
    const { material, said } = await layered(coated(), orange);
    expect(material.roughness).toBeCloseTo(0.3, 9);
    // A half coat keeps 98 %, and adds 1.25 % to a dielectric, 2 % to a metal.
    expect(material.baseColor).toEqual(near([0.9925, 0.5025, 0.0125, 1]));
    expect(said).toEqual(approximated('clear coat made the roughness and mixed into the base colour'));
    const metal = await layered(coated(), { ...orange, metallicFactor: 1 });
    expect(metal.material).toMatchObject({ roughness: 0.5, baseColor: near([1, 0.51, 0.02, 1]) });
    expect(metal.said).toEqual(approximated('clear coat mixed into the base colour'));
  });

  test('a clear coat never makes a colour exceed 1', async () => {
    const white = { baseColorFactor: [1, 1, 1, 1] };
    const thick = { clearcoat: { clearcoatFactor: 7 } };
    expect((await layered(thick, { ...white, metallicFactor: 1 })).material.baseColor).toEqual(near([1, 1, 1, 1]));
    const { material } = await layered(thick, white);
    expect(material).toMatchObject({ baseColor: near([0.985, 0.985, 0.985, 1]), roughness: 0 });
  });

  test('a clear coat on textures: they are whitened and made glossy, and keep their alpha', async () => {
    const { material } = await layered(coated(), {
      baseColorTexture: { index: 0 },
      metallicRoughnessTexture: texture,
      baseColorFactor: [0.5, 1, 0, 0.25],
    });
    expect(material.baseColor).toEqual([1, 1, 1, 0.25]);
    expect(material.textures.baseColor).toMatchObject({
      scale: [0.49, 0.98, 0, 1].map((value) => expect.closeTo(value, 9)),
      bias: [0.0125, 0.0125, 0.0125, 0].map((value) => expect.closeTo(value, 9)),
    });
    // Half of 0.5 t, and half of 0.1.
    expect(material).toMatchObject({ roughness: 1, textures: { roughness: { scale: all(0.25), bias: all(0.05) } } });
  });

  test('textures of a clear coat make the roughness', async () => {
    const masked = await layered(coated({ clearcoatTexture: texture }), orange);
    // 0.5 (1 - t / 2) + 0.1 t / 2
    const read = { image: 1, channel: 'r', colorSpace: 'linear', scale: all(-0.2), bias: all(0.5) };
    expect(masked.material).toMatchObject({ roughness: 1, baseColor: [1, 0.5, 0, 1], textures: { roughness: read } });
    expect(masked.said).toEqual(approximated('clear coat made the roughness'));
    const rough = await layered(coated({ clearcoatRoughnessTexture: texture }), orange);
    const green = { image: 1, channel: 'g', colorSpace: 'linear', scale: all(0.05), bias: all(0.25) };
    expect(rough.material).toMatchObject({
      roughness: 1,
      baseColor: near([0.9925, 0.5025, 0.0125, 1]),
      textures: { roughness: green },
    });
    // One slot reads one texture.
    const own = { metallicRoughnessTexture: { index: 0 } };
    expect((await layered(coated({ clearcoatTexture: texture }), own)).said).toEqual(
      approximated('clear coat left out'),
    );
    const both = await layered(coated({ clearcoatRoughnessTexture: texture }), own);
    expect(both.said).toEqual(approximated('clear coat mixed into the base colour'));
    expect(both.material).toMatchObject({ roughness: 0.5, textures: { roughness: { image: 0, scale: all(1) } } });
  });

  test('two layers that change the roughness of a texture', async () => {
    const layers = { specular: { specularFactor: 0.5 }, ...coated() };
    const { material } = await layered(layers, { metallicRoughnessTexture: texture });
    // Half of 1 - (1 - 0.5 t) / 2, and half of 0.1.
    expect(material.textures.roughness).toMatchObject({ scale: all(0.125), bias: all(0.3) });
  });

  test('a sheen on black cloth is its colour, faintly', async () => {
    const { material, said } = await layered(
      { sheen: { sheenColorFactor: [1, 0, 0.5] } },
      { baseColorFactor: [0, 0, 0, 1] },
    );
    expect(material.baseColor).toEqual([expect.closeTo(0.157, 9), 0, expect.closeTo(0.0785, 9), 1]);
    expect(said).toEqual(approximated('sheen mixed into the base colour'));
  });

  test('a stretched highlight is made round', async () => {
    const { material } = await layered({ anisotropy: { anisotropyStrength: 1 } });
    // Widths 0.25 and 1: their mean is 0.5, a roughness of sqrt(0.5).
    expect(material.roughness).toBeCloseTo(Math.SQRT1_2, 9);
  });

  test('all in one warning a material, in one order', async () => {
    const { said } = await layered({
      iridescence: { iridescenceFactor: 1 },
      diffuse_transmission: { diffuseTransmissionFactor: 0.5 },
      sheen: { sheenColorFactor: [1, 1, 1] },
    });
    expect(said).toEqual(
      approximated('sheen mixed into the base colour; diffuse transmission left out; iridescence left out'),
    );
  });

  test('what is converted texel by texel keeps its factors', async () => {
    const { material, said } = await layered(
      {
        pbrSpecularGlossiness: { diffuseTexture: { index: 0 } },
        clearcoat: { clearcoatFactor: 1 },
        sheen: { sheenColorFactor: [1, 1, 1] },
      },
      {},
      { pbrMetallicRoughness: undefined },
    );
    expect(material.specularWorkflow).toBeDefined();
    expect(said[1]).toBe('UC1362 materials/0 "M": clear coat left out; sheen left out');
  });

  test('under unlit nothing else counts', async () => {
    const { material, said } = await layered({ unlit: {}, transmission: { transmissionFactor: 1 } });
    expect(material.alphaMode).toBe('opaque');
    expect(said.map((line) => line.slice(0, 6))).toEqual(['UC1360']);
  });
});
