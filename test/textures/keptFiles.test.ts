// Keys of baked textures: everything that decides a byte of the file changes the key, and nothing else does.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import type { Recipe } from '../../src/textures/bake/bake.ts';
import type { Charts } from '../../src/textures/bake/charts.ts';
import { imageFiles } from '../../src/textures/encode/png.ts';
import { keptFiles, keptPaintings, type ProductStore, requestKey } from '../../src/textures/keptFiles.ts';
import { type CheckedImageSource, makeFile, readRequest, type UnreadRequest } from '../../src/textures/makeFile.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { KEPT_TEXTURES, type TextureSettings } from '../../src/textures/types.ts';
import { colorUse, image, material, neverRead, rgb, scene, use } from './fixture.ts';

const hashes = ['first', 'second'].map((text) => createHash('sha256').update(text).digest('hex'));

const recipe: Recipe = {
  parts: [
    { image: 0, map: [1, 0, 0, 1, 0, 0], wrapS: 'repeat', wrapT: 'clamp', srgb: true },
    { image: 1, map: null, wrapS: 'repeat', wrapT: 'repeat', srgb: false },
  ],
  channels: [{ part: 0, channel: 0, scale: 1, bias: 0 }, null, { part: 1, channel: 2, scale: 0.5, bias: 0.25 }],
  srgb: true,
  normals: false,
  width: 8,
  height: 4,
};
const charts: Charts = {
  width: 2,
  height: 1,
  triangles: Int32Array.of(0, -1),
  from: Float64Array.of(0, 0, 1, 0, 0, 1),
  to: Float64Array.of(0, 0, 1, 0, 1, 1),
  reduction: 1,
};
const unread = (index: number, hash = hashes[index]): CheckedImageSource => ({
  index,
  info: {} as CheckedImageSource['info'],
  hash: () => hash,
  read: () => Promise.reject(new Error('an image was read')),
});
const request = (given: Recipe, withCharts: Charts | null, of = hashes): UnreadRequest => ({
  maxPixels: 64,
  texels: {
    kind: 'recipe',
    images: given.parts.map(({ image }) => unread(image, of[image])),
    recipe: given,
    charts: withCharts,
  },
  use: 'color',
  role: 'color',
  drawsAlpha: true,
  alphaCutoff: null,
  roughness: null,
});
const keyOf = (given: Recipe, withCharts: Charts | null = charts, of: readonly string[] = hashes) =>
  requestKey(request(given, withCharts, [...of]), KEPT_TEXTURES);

describe('the key of a baked texture', () => {
  it('depends on each part of what it is made of', () => {
    const [first, second] = recipe.parts;
    const swapped = recipe.channels.map((channel) => channel && { ...channel, part: 1 - channel.part });
    const keys = [
      keyOf(recipe),
      keyOf(recipe, null),
      keyOf(recipe, charts, [hashes[1], hashes[0]]),
      keyOf({ ...recipe, width: 9 }),
      keyOf({ ...recipe, height: 8, width: 4 }),
      keyOf({ ...recipe, srgb: false }),
      keyOf({ ...recipe, normals: true }),
      keyOf({ ...recipe, parts: [first] }),
      keyOf({ ...recipe, parts: [second, first] }),
      keyOf({ ...recipe, parts: [{ ...first, srgb: false }, second] }),
      keyOf({ ...recipe, parts: [{ ...first, wrapS: 'clamp' }, second] }),
      keyOf({ ...recipe, parts: [{ ...first, map: [1, 0, 0, 1, 0, 1e-300] }, second] }),
      keyOf({ ...recipe, parts: [{ ...first, map: [1, 0, 0, 1, 0, -0] }, second] }),
      keyOf({ ...recipe, parts: [{ ...first, map: [1, 0, 0, 1, 0, Infinity] }, second] }),
      keyOf({ ...recipe, parts: [{ ...first, map: [1, 0, 0, 1, 0, -Infinity] }, second] }),
      keyOf({ ...recipe, channels: swapped }),
      keyOf({ ...recipe, channels: [...recipe.channels, null] }),
      keyOf(recipe, { ...charts, width: 1, height: 2 }),
      keyOf(recipe, { ...charts, reduction: 2 }),
      keyOf(recipe, { ...charts, triangles: Int32Array.of(-1, 0) }),
      keyOf(recipe, { ...charts, from: charts.to, to: charts.from }),
      keyOf(recipe, { ...charts, to: Float64Array.of(0, 0, 1, 0, 1, 1 + 2 ** -52) }),
    ];
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('depends on what is asked of the texels, and on the settings', () => {
    const base = request(recipe, null);
    const { texels } = base;
    const settings: TextureSettings = { ...KEPT_TEXTURES, mode: 'utex' };
    const key = (asked: Partial<UnreadRequest>, more: Partial<TextureSettings> = {}) =>
      requestKey({ ...base, ...asked }, { ...settings, ...more });
    const keys = [
      key({}),
      key({ role: 'data' }),
      key({ use: 'data' }),
      key({ drawsAlpha: false }),
      key({ alphaCutoff: 0.5 }),
      key({ roughness: { normals: texels, channel: 1 } }),
      key({ roughness: { normals: texels, channel: 2 } }),
      key({ roughness: { normals: { kind: 'image', image: unread(0) }, channel: 1 } }),
      key({ texels: { kind: 'image', image: unread(0) } }),
      key({ texels: { kind: 'image', image: unread(1) } }),
      key({}, { mode: 'png' }),
      key({}, { quality: 'thorough' }),
      key({}, { maxSize: 64 }),
      key({}, { pot: 'up' }),
      key({}, { mipFilter: 'engine' }),
      key({}, { blocks: 'engine' }),
      key({}, { blocks: '8x8' }),
      key({}, { psnr: 50 }),
      key({}, { encoder: 'astcenc', encoderVersion: '4.2.0' }),
      key({}, { encoder: 'astcenc', encoderVersion: '5.3.0' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    // A limit decides whether there is a file, and none of its bytes.
    expect(key({ maxPixels: 5 })).toBe(key({}));
  });

  it('is that of the same work, whatever number an image has in its scene', () => {
    const renumbered = { ...recipe, parts: recipe.parts.map((part) => ({ ...part, image: 1 - part.image })) };
    expect(keyOf(renumbered, charts, [hashes[1], hashes[0]])).toBe(keyOf(recipe));
    expect(keyOf(structuredClone(recipe), structuredClone(charts))).toBe(keyOf(recipe));
    // A view into a larger buffer counts for its own elements.
    const padded = Float64Array.of(9, ...charts.to, 9).subarray(1, 7);
    expect(keyOf(recipe, { ...charts, to: padded })).toBe(keyOf(recipe));
  });
});

describe('files of a store', () => {
  it('are found without reading an image', async () => {
    const kept = new Map<string, Uint8Array>();
    const store: ProductStore = {
      find: async (_, key) => kept.get(key) ?? null,
      put: (_, key, payload) => kept.set(key, payload),
    };
    const file = { bytes: Uint8Array.of(1, 2, 3), extension: 'png', width: 1, height: 1, format: 0, mipCount: 1 };
    let made = 0;
    const files = keptFiles(
      async () => {
        made++;
        return { file, clipped: 5, clamped: false };
      },
      store,
      KEPT_TEXTURES,
    );
    const first = await files(request(recipe, null));
    const second = await files(request(recipe, null));
    expect(second).toEqual(first);
    expect(made).toBe(1);
  });
});

describe('painted textures of a store', () => {
  it('are one for each meaning of equal texels', async () => {
    const kept = new Map<string, Uint8Array>();
    const store: ProductStore = {
      find: async (_, key) => kept.get(key) ?? null,
      put: (_, key, payload) => kept.set(key, payload),
    };
    let made = 0;
    const encode = async () => {
      made++;
      return { bytes: Uint8Array.of(made), extension: 'png', width: 1, height: 1, format: 0, mipCount: 1 };
    };
    const files = keptPaintings({ ...imageFiles('png'), encode }, store, KEPT_TEXTURES);
    const texels = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3), channels: 3, alpha: false } as const;
    const bytesOf = async (role: 'color' | 'data' | 'normal') =>
      (await files.encode(texels, { role, alphaCutoff: null, split: true, roughness: null })).bytes[0];
    expect([await bytesOf('color'), await bytesOf('data'), await bytesOf('normal')]).toEqual([1, 2, 3]);
    expect([await bytesOf('color'), await bytesOf('data'), await bytesOf('normal')]).toEqual([1, 2, 3]);
  });
});

describe('requests', () => {
  it('read each of their images once', async () => {
    const reads: number[] = [];
    const image = (index: number): CheckedImageSource => ({
      ...unread(index),
      read: async () => {
        reads.push(index);
        return Uint8Array.of(index);
      },
    });
    const images = [image(0), image(1), image(0)];
    const normals = { kind: 'image', image: image(1) } as const;
    const read = await readRequest({
      ...request(recipe, null),
      texels: { kind: 'recipe', images, recipe, charts: null },
      roughness: { normals, channel: 1 },
    });
    expect(reads).toEqual([0, 1]);
    expect(read.texels).toMatchObject({ images: [0, 1, 0].map((index) => ({ index, bytes: Uint8Array.of(index) })) });
    expect(read.roughness?.normals).toMatchObject({ image: { index: 1, bytes: Uint8Array.of(1) } });
  });
});

describe('prepared materials', () => {
  const square = rgb([
    [255, 0, 0, 0, 255, 0],
    [0, 0, 255, 255, 255, 255],
  ]);

  async function prepare(store: ProductStore | null) {
    const diagnostics = new Diagnostics();
    const scaled = use(0, { channel: 'g', scale: [0, 3, 0, 0], bias: [0, 0, 0, 0] });
    const materials = [material({ baseColor: colorUse(1), roughness: scaled, emissive: use(0) })];
    const images = [image('a', square), image('b', rgb([[9, 9, 9]]))];
    const files = imageFiles('keep');
    const make = async (asked: UnreadRequest) => makeFile(await readRequest(asked), files);
    const prepared = await prepareMaterials(
      scene(materials, images),
      { missingTexture: 'error', makeFile: store ? keptFiles(make, store, KEPT_TEXTURES) : make },
      neverRead,
      diagnostics,
    );
    return { prepared, list: diagnostics.list };
  }

  it('bake once, and take files and warnings from the store from then on', async () => {
    const kept = new Map<string, Uint8Array>();
    const asked: string[] = [];
    let puts = 0;
    const store: ProductStore = {
      find: async (kind, key) => {
        asked.push(kind);
        return kept.get(key) ?? null;
      },
      put: (_, key, payload) => {
        puts++;
        kept.set(key, payload);
      },
    };
    const plain = await prepare(null);
    expect(plain.list.map(({ code }) => code)).toContain('UC2114');
    expect(await prepare(store)).toEqual(plain);
    expect(puts).toBe(kept.size);
    expect(puts).toBeGreaterThan(0);
    const before = puts;
    expect(await prepare(store)).toEqual(plain);
    expect(puts).toBe(before);
    expect(asked).toEqual(new Array(2 * before).fill('texture'));
  });
});
