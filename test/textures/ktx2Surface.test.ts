// Roughness and metalness in one KTX2 file: packed before they are encoded, and encoded once.

import { expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import type { SceneImage, SceneTextures } from '../../src/scene/types.ts';
import { decodeImageFile, imageFiles } from '../../src/textures/encode/png.ts';
import { requestKey } from '../../src/textures/keptFiles.ts';
import { makeFile, readRequest, sizeOfTexels, type UnreadRequest } from '../../src/textures/makeFile.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { KEPT_TEXTURES, type MissingTexture } from '../../src/textures/types.ts';
import { chunk, image, material, missing, quad, rgb, SIGNATURE, scene, triangles, u32be, use } from './fixture.ts';

const row = (texel: readonly number[], width: number) => Array.from({ length: width }, () => texel).flat();
/** Images of one colour, which UASTC keeps exactly. */
const flat = (texel: readonly number[], side: number) => rgb(Array.from({ length: side }, () => row(texel, side)));
const FIRST = flat([10, 20, 30], 4);
const SECOND = flat([40, 50, 60], 8);
/** Its chunks are whole, its texels are not. */
const BROKEN = Buffer.concat([
  SIGNATURE,
  chunk('IHDR', [...u32be(8, 8), 8, 2, 0, 0, 0]),
  chunk('IDAT', [0x78, 0x9c, 1, 2, 3]),
  chunk('IEND', []),
]);

async function prepare(
  textures: SceneTextures,
  metallic = 1,
  missingTexture: MissingTexture = 'error',
  images?: SceneImage[],
) {
  const requests: UnreadRequest[] = [];
  const files = imageFiles('ktx2');
  const diagnostics = new Diagnostics();
  const prepared = await prepareMaterials(
    scene(
      [material(textures, { metallic, roughness: 0.5 })],
      images ?? [image('first', FIRST), image('second', SECOND)],
    ),
    {
      missingTexture,
      mode: 'ktx2',
      makeFile: async (request) => {
        requests.push(request);
        return makeFile(await readRequest(request), files);
      },
    },
    triangles({ st: quad(0, 0, 1, 1) }),
    diagnostics,
  );
  const [made] = prepared.materials;
  const texels = await Promise.all(
    prepared.textures.map(async ({ bytes }) => [
      ...((await decodeImageFile(bytes as Uint8Array))?.data ?? []).slice(0, 4),
    ]),
  );
  const codes = diagnostics.list.map(({ code }) => code).filter((code) => code !== 'UC2125');
  return { ...made, texels, requests, codes, fileNames: prepared.textures.map(({ fileName }) => fileName) };
}

it('takes each from a channel of an image of its own, at the larger size', async () => {
  const { slots, texels, requests, ...channels } = await prepare({
    roughness: use(0, { channel: 'r' }),
    metallic: use(1, { channel: 'g' }),
  });
  expect(channels).toMatchObject({ roughnessChannel: 1, metallicChannel: 2, roughness: 0.5, metallic: 1 });
  expect([slots.roughness, slots.metallic]).toEqual([0, 0]);
  expect(texels).toEqual([[255, 10, 50, 255]]);
  expect(requests).toHaveLength(1);
  expect(sizeOfTexels(requests[0].texels)).toEqual({ width: 8, height: 8 });
});

it('leaves an image that holds both as glTF does', async () => {
  const packed = await prepare({
    occlusion: use(0, { channel: 'r' }),
    roughness: use(0, { channel: 'g' }),
    metallic: use(0, { channel: 'b' }),
  });
  expect(packed.slots).toMatchObject({ occlusion: 0, roughness: 0, metallic: 0 });
  expect(packed.texels).toEqual([[10, 20, 30, 255]]);
  // Blue multiplies the metalness, which is 0.
  const rough = await prepare({ roughness: use(0, { channel: 'g' }) }, 0);
  expect([rough.slots.roughness, rough.slots.metallic, rough.texels]).toEqual([0, -1, [[10, 20, 30, 255]]]);
});

it('has 1 where there is no texture', async () => {
  const rough = await prepare({ roughness: use(0, { channel: 'g' }) }, 0.75);
  expect([rough.slots.roughness, rough.slots.metallic, rough.metallic]).toEqual([0, 0, 0.75]);
  expect(rough.texels).toEqual([[255, 20, 255, 255]]);
  const metal = await prepare({ metallic: use(0, { channel: 'b' }) });
  expect(metal).toMatchObject({ roughness: 0.5, roughnessChannel: 1, metallicChannel: 2 });
  expect(metal.texels).toEqual([[255, 255, 30, 255]]);
});

it('has the changed texels of a slot', async () => {
  const inverted = use(0, { channel: 'r', scale: [-1, 1, 1, 1], bias: [1, 0, 0, 0] });
  const { texels } = await prepare({ roughness: inverted, metallic: use(1, { channel: 'r' }) });
  expect(texels).toEqual([[255, 245, 40, 255]]);
});

it('of a lost metalness is the image of the roughness', async () => {
  const images = [image('first', FIRST), image('second', missing('images/second'))];
  const textures = { roughness: use(0, { channel: 'g' }), metallic: use(1, { channel: 'b' }) };
  for (const policy of ['drop', 'placeholder'] as const) {
    const made = await prepare(textures, 1, policy, images);
    expect([made.slots.roughness, made.slots.metallic, made.metallic, made.roughnessChannel]).toEqual([0, -1, 0, 1]);
    expect(made.texels).toEqual([[255, 20, 255, 255]]);
  }
});

it('of a lost roughness has 1, and the roughness is as authored', async () => {
  const images = [image('first', FIRST), image('second', missing('images/second'))];
  const textures = { roughness: use(1, { channel: 'g' }), metallic: use(0, { channel: 'b' }) };
  for (const policy of ['drop', 'placeholder'] as const) {
    const made = await prepare(textures, 1, policy, images);
    expect(made).toMatchObject({ roughness: 0.5, metallic: 1, roughnessChannel: 1, metallicChannel: 2 });
    // One file for both, which a GLB does not pack anew.
    expect([made.slots.roughness, made.slots.metallic]).toEqual([0, 0]);
    expect(made.texels).toEqual([[255, 255, 30, 255]]);
  }
});

it('of an image that cannot be decoded keeps the other one, and factors without a texture', async () => {
  const images = [image('first', FIRST), image('second', BROKEN)];
  const good = use(0, { channel: 'g' });
  const bad = use(1, { channel: 'b' });
  for (const [policy, code] of [
    ['drop', 'UC2105'],
    ['placeholder', 'UC2106'],
  ] as const) {
    const withoutMetal = await prepare({ roughness: good, metallic: bad }, 1, policy, images);
    expect(withoutMetal).toMatchObject({ slots: { roughness: 0, metallic: -1 }, roughness: 0.5, metallic: 0 });
    expect(withoutMetal.texels).toEqual([[255, 20, 255, 255]]);
    expect(withoutMetal.codes).toEqual([code]);
  }
  const withoutRough = await prepare({ roughness: bad, metallic: good }, 1, 'drop', images);
  expect(withoutRough).toMatchObject({ slots: { roughness: -1, metallic: 0 }, roughness: 0.5, metallic: 1 });
  expect(withoutRough.texels).toEqual([[255, 255, 20, 255]]);
  expect(withoutRough.codes).toEqual(['UC2105']);
  const rough = await prepare({ roughness: bad }, 0.75, 'drop', images);
  expect(rough).toMatchObject({ slots: { roughness: -1, metallic: -1 }, metallic: 0.75, codes: ['UC2105'] });
});

it('is found again by its images and channels', async () => {
  const textures = { roughness: use(0, { channel: 'r' }), metallic: use(1, { channel: 'g' }) };
  const keyOf = async (changes: SceneTextures) =>
    requestKey((await prepare({ ...textures, ...changes })).requests[0], { ...KEPT_TEXTURES, mode: 'ktx2' });
  const key = await keyOf({});
  expect(await keyOf({})).toBe(key);
  expect(await keyOf({ metallic: use(1, { channel: 'b' }) })).not.toBe(key);
  expect(await keyOf({ metallic: use(0, { channel: 'g' }) })).not.toBe(key);
});
