// Channels that an image lacks: alpha is 1 there, as a factor and without a texture.

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import type { SceneImage, SceneMaterial } from '../../src/scene/types.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { colorUse, grey, image, material, missing, neverRead, png, rgb, scene, use } from './fixture.ts';

async function prepare(one: SceneMaterial, images: readonly SceneImage[], mode: 'keep' | 'utex' = 'keep') {
  const diagnostics = new Diagnostics();
  const options = { missingTexture: 'drop', mode } as const;
  const prepared = await prepareMaterials(scene([one], images), options, neverRead, diagnostics);
  return { prepared, list: diagnostics.list.map(({ code, message }) => `${code} ${message}`) };
}

const greyJpeg = () => sharp(Buffer.alloc(64 * 64, 90), { raw: { width: 64, height: 64, channels: 1 } }).jpeg();
const ALPHA = { channel: 'a' } as const;
const NO_FILES = { baseColor: -1, normal: -1, metallic: -1, roughness: -1, emissive: -1, occlusion: -1 };

describe('the alpha of an image without alpha', () => {
  it.each(['keep', 'utex'] as const)('is 1 for metallic and roughness, times the factors (%s)', async (mode) => {
    const bytes = await greyJpeg().toBuffer();
    const shiny = material({ metallic: use(0, ALPHA), roughness: use(0, ALPHA) }, { metallic: 0.75, roughness: 0.5 });
    const { prepared, list } = await prepare(shiny, [image('shine', bytes, 'jpg')], mode);
    expect(prepared.textures).toEqual([]);
    expect(prepared.materials[0]).toMatchObject({ metallic: 0.75, roughness: 0.5, slots: NO_FILES });
    expect(list).toEqual([
      'UC2116 metallic texture shine.jpg: its alpha is read and the image has none: 1 everywhere',
      'UC2116 roughness texture shine.jpg: its alpha is read and the image has none: 1 everywhere',
    ]);
  });

  it('has scale and bias: a glossiness becomes a roughness of 0', async () => {
    const gloss = use(0, { channel: 'a', scale: [1, 1, 1, -0.75], bias: [0, 0, 0, 1] });
    const { prepared, list } = await prepare(material({ roughness: gloss }), [image('gloss', rgb([[1, 2, 3]]))]);
    expect(prepared.materials[0]).toMatchObject({ roughness: 0.25, slots: NO_FILES });
    expect(list[0]).toContain('0.25 everywhere');
  });

  it('keeps the value within 0 to 1, but for emission', async () => {
    const images = [image('a', rgb([[1, 2, 3]]))];
    const much = use(0, { channel: 'a', scale: [1, 1, 1, 4] });
    const { prepared } = await prepare(
      material({ metallic: much, emissive: much }, { metallic: 0.5, emissive: [1, 0.5, 0] }),
      images,
    );
    expect(prepared.materials[0]).toMatchObject({ metallic: 1, emissive: [4, 2, 0], slots: NO_FILES });
  });

  it('is no occlusion, and a constant one is named', async () => {
    const images = [image('ao', grey([[7]]))];
    const plain = await prepare(material({ occlusion: use(0, ALPHA) }), images);
    expect([plain.prepared.textures, plain.list[0]]).toEqual([[], expect.stringMatching(/: 1 everywhere$/)]);
    const half = use(0, { channel: 'a', scale: [1, 1, 1, 0.5] });
    const dark = await prepare(material({ occlusion: half }), images);
    expect(dark.list[0]).toContain('0.5 everywhere, and there is no constant occlusion');
  });

  it('is opaque without a word: an image without alpha says no more', async () => {
    const images = [image('paint', rgb([[1, 2, 3]])), image('mask', grey([[7]]))];
    const glass = material(
      { baseColor: colorUse(0), opacity: use(1, ALPHA) },
      { alphaMode: 'blend', baseColor: [1, 1, 1, 0.5] },
    );
    const { prepared, list } = await prepare(glass, images);
    expect(list).toEqual([]);
    expect(prepared.materials[0].baseColor).toEqual([1, 1, 1, 0.5]);
    // The base colour's own bytes.
    expect(prepared.textures.map(({ bytes }) => bytes)).toEqual([await images[0].read()]);
  });
});

it('other textures of the material stay, in the UVs that they have', async () => {
  const images = [image('paint', rgb([[1, 2, 3]])), image('shine', grey([[7]]))];
  const both = material({ baseColor: colorUse(0, { uvSet: 'st1' }), roughness: use(1, ALPHA) });
  const { prepared } = await prepare(both, images);
  expect(prepared.materials[0]).toMatchObject({ uv: { set: 'st1' }, slots: { ...NO_FILES, baseColor: 0 } });
  const alone = await prepare(material({ roughness: use(1, ALPHA) }), images);
  expect(alone.prepared.materials[0].uv.set).toBeNull();
});

it('an alpha that is there is read, and so is red of a grey image', async () => {
  const images = [image('a', png(1, 1, [[90, 51]], { colorType: 4 })), image('b', grey([[90]]))];
  const { prepared, list } = await prepare(
    material({ roughness: use(0, ALPHA), metallic: use(1, { channel: 'b' }) }),
    images,
  );
  expect([prepared.textures.length, list]).toEqual([2, []]);
});

it('an image that is missing is missing', async () => {
  const { list } = await prepare(material({ roughness: use(0, ALPHA) }), [image('a', missing('images/a'))]);
  expect(list).toEqual([expect.stringMatching(/^UC2105/)]);
});
