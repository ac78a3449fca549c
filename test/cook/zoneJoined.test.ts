// Materials that are joined where a device carries no more draws: what they look like then, and when they stay apart.

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/diagnostics/limits.ts';
import { decodeMip } from '../../src/formats/utex/decode.ts';
import { readUtex } from '../../src/formats/utex/read.ts';
import { createSampler, type Sampler, shrink } from '../../src/textures/bake/sample.ts';
import type { Pixels } from '../../src/textures/decode/pixels.ts';
import { decodeImageFile } from '../../src/textures/encode/png.ts';
import { KEPT_TEXTURES, type TextureBlocks } from '../../src/textures/types.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { type Cooked, cookFiles, type Triangle, trianglesOf } from './cooked.ts';
import { around, rectangles, zone } from './zoneScenes.ts';

const SIDE = 32;

async function png(color: (x: number, y: number) => readonly number[]): Promise<Uint8Array> {
  const data = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return color(pixel % SIDE, Math.floor(pixel / SIDE))[i % 3];
  });
  return new Uint8Array(
    await sharp(data, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .png()
      .toBuffer(),
  );
}

const waves = (x: number, y: number, c: number) => Math.round(128 + 100 * Math.sin((x * (c + 1)) / 5 + y / 7));

/** Squares of 0.8 m beside each other at 4 m, a material each, that repeat images so often. */
function squares(
  list: readonly { readonly material: object; readonly repeats?: number; readonly from?: number }[],
  images: readonly Uint8Array[],
): SceneInput {
  return {
    meshes: list.map(({ repeats: n = 1, from = 0 }, material) => {
      const x = material - list.length / 2;
      const shape = rectangles([
        [x, 1, -4],
        [x + 0.8, 1, -4],
        [x + 0.8, 1.8, -4],
        [x, 1.8, -4],
      ]);
      const uvs = [0, 0, n, 0, n, n, 0, n].map((value) => value + from);
      return { primitives: [{ ...shape, uvs, material }] };
    }),
    materials: list.map(({ material }) => material),
    textures: images.map((_, source) => ({ source })),
    images,
  };
}

const painted = (name: string, index: number, pbr: object = {}, more: object = {}) => ({
  name,
  pbrMetallicRoughness: { baseColorTexture: { index }, metallicFactor: 0, roughnessFactor: 0.9, ...pbr },
  ...more,
});
const plain = (name: string, color: readonly number[], roughnessFactor: number, more: object = {}) => ({
  name,
  pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor },
  ...more,
});

// Sharp enough that images keep all of their texels.
const SEATED = zone({ boxes: [around([0, 1.4, 0])], pixelsPerDegree: 8 });
const cookSquares = (scene: SceneInput, draws: number | null, threads?: number): Promise<Cooked> =>
  cookFiles({ 'scene.glb': buildGlb(scene) }, { viewerZone: { ...SEATED, draws }, ...(threads && { threads }) });

type Slot = 'baseColorTexture' | 'roughnessTexture' | 'metallicTexture' | 'emissiveTexture';

async function pixelsOf({ scene, texture }: Cooked, material: number, slot: Slot): Promise<Pixels | null> {
  const index = scene.materials[material][slot];
  return scene.textures[index] === undefined ? null : decodeImageFile(texture(scene.textures[index].uri));
}

/** What is drawn at a share of the way across and up each square, by slot. */
async function samplerOf(cooked: Cooked, material: number, slot: Slot): Promise<Sampler | null> {
  const pixels = await pixelsOf(cooked, material, slot);
  const isColor = slot === 'baseColorTexture' || slot === 'emissiveTexture';
  return pixels && createSampler(pixels, 'repeat', 'repeat', isColor);
}

/** The UV of a triangle at a point of the squares. */
function uvAt({ corners }: Triangle, x: number, y: number): readonly number[] | null {
  const [a, b, c] = corners.map(({ position }) => position);
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  const q = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
  const r = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
  if (q < 0 || r < 0 || q + r > 1) return null;
  return [0, 1].map((k) => corners[0].uv[k] * (1 - q - r) + corners[1].uv[k] * q + corners[2].uv[k] * r);
}

/** Base colour, roughness, metalness and emission at points of all squares. */
async function looks(cooked: Cooked, count: number, points: readonly (readonly [number, number])[]) {
  const triangles = trianglesOf(cooked.scene);
  const seen: number[][] = [];
  for (let square = 0; square < count; square++) {
    for (const [s, t] of points) {
      const [x, y] = [square - count / 2 + s * 0.8, 1 + t * 0.8];
      const hit = triangles.map((triangle) => ({ triangle, uv: uvAt(triangle, x, y) })).find(({ uv }) => uv !== null)!;
      const index = hit.triangle.material;
      const own = cooked.scene.materials[index];
      const [u, v] = hit.uv as number[];
      const texel = async (slot: Slot) => {
        const out = new Float64Array(4).fill(1);
        (await samplerOf(cooked, index, slot))?.(u, v, out);
        return out;
      };
      const base = await texel('baseColorTexture');
      const emissive = await texel('emissiveTexture');
      seen.push([
        ...[0, 1, 2].map((c) => base[c] * own.baseColorFactor[c]),
        (await texel('roughnessTexture'))[own.roughnessChannel] * own.roughnessFactor,
        (await texel('metallicTexture'))[own.metallicChannel] * own.metallicFactor,
        ...[0, 1, 2].map((c) => emissive[c] * own.emissiveFactor[c]),
      ]);
    }
  }
  return seen;
}

const POINTS = [
  [0.02, 0.03],
  [0.3, 0.4],
  [0.5, 0.51],
  [0.98, 0.6],
  [0.7, 0.99],
] as const;

let images: Uint8Array[];
beforeAll(async () => {
  images = [
    await png((x, y) => [0, 1, 2].map((c) => waves(x, y, c))),
    await png((x, y) => [waves(y, x, 2), waves(x, x, 1), waves(y, y, 0)]),
    await png(() => [255, 0, 0]),
    await png(() => [0, 0, 255]),
  ];
});

describe('materials that differ in factors and textures alone', () => {
  const list = () => [
    { material: plain('Red', [0.6, 0.1, 0.05], 0.9) },
    { material: plain('Steel', [0.3, 0.3, 0.32], 0.2, {}) },
    { material: plain('Lamp', [1, 0.9, 0.5], 0.5, { emissiveFactor: [1, 0.75, 0.25] }) },
    { material: painted('Paint', 0) },
    { material: painted('Tinted', 0, { baseColorFactor: [0.5, 1, 0.25, 1], roughnessFactor: 0.3 }) },
    { material: painted('Metal', 1, { metallicRoughnessTexture: { index: 0 }, metallicFactor: 0.8 }) },
    { material: painted('Tiles', 1), repeats: 2, from: 3 },
  ];

  test('look the same as one', async () => {
    const scene = squares(list(), images);
    const apart = await cookSquares(scene, 100);
    const joined = await cookSquares(scene, 3);
    expect(apart.scene.materials).toHaveLength(7);
    expect(apart.outcome.totals?.zone).toMatchObject({ joined: 0 });
    expect(joined.scene.materials.map(({ name }) => name)).toEqual(['joined_0']);
    expect(joined.outcome.totals?.zone).toMatchObject({ joined: 7, draws: 2 });
    expect(joined.codes).toEqual([]);
    const [of, made] = [await looks(apart, 7, POINTS), await looks(joined, 7, POINTS)];
    for (const [i, values] of of.entries()) {
      for (const [k, value] of values.entries()) expect(made[i][k], `${i} ${k}`).toBeCloseTo(value, 1.6);
    }
    expect(joined.outcome.totals?.zone?.proof.pictures?.ssimMin).toBeGreaterThan(0.995);
  });

  test('are the same bytes with any number of threads, and stay apart without a budget of draws', async () => {
    const scene = squares(list(), images);
    const [one, two] = [await cookSquares(scene, 3, 1), await cookSquares(scene, 3, 2)];
    expect(two.files).toEqual(one.files);
    expect((await cookSquares(scene, null)).scene.materials).toHaveLength(7);
  });
});

test('mips of an atlas mix no images that lie beside each other', async () => {
  const scene = squares([{ material: painted('Red', 2) }, { material: painted('Blue', 3) }], images);
  const cooked = await cookSquares(scene, 1);
  expect(cooked.scene.materials).toHaveLength(1);
  let pixels = (await pixelsOf(cooked, 0, 'baseColorTexture')) as Pixels;
  for (let mip = 0; mip <= 4; mip++) {
    const sample = createSampler(pixels, 'clamp', 'clamp', true);
    for (const triangle of trianglesOf(cooked.scene)) {
      const isRed = triangle.corners[0].position[0] < 0;
      for (const { uv } of triangle.corners) {
        const out = new Float64Array(4);
        sample(uv[0], uv[1], out);
        expect([...out].slice(0, 3).map((value) => Math.round(value * 100))).toEqual(isRed ? [100, 0, 0] : [0, 0, 100]);
      }
    }
    pixels = shrink(pixels, pixels.width / 2, pixels.height / 2, true);
  }
});

test('what differs in more, or repeats too often, stays as it is', async () => {
  const list = [
    { material: painted('Paint', 0) },
    { material: plain('Red', [0.6, 0.1, 0.05], 0.9) },
    { material: painted('Ground', 1), repeats: 20 },
    { material: painted('Leaves', 1, {}, { alphaMode: 'MASK' }) },
    { material: plain('Glass', [1, 1, 1], 0.1, { alphaMode: 'BLEND' }) },
    { material: painted('Carved', 1, {}, { normalTexture: { index: 0 } }) },
    { material: painted('Two', 0, {}, { doubleSided: true }) },
  ];
  const { scene, outcome } = await cookSquares(squares(list, images), 2);
  expect(scene.materials.map(({ name }) => name).sort()).toEqual(
    ['Carved', 'Glass', 'Ground', 'Leaves', 'Two', 'joined_0'].sort(),
  );
  expect(outcome.totals?.zone).toMatchObject({ joined: 2 });
});

test('an image that cannot be read is told as ever, and its material stays', async () => {
  const broken = Uint8Array.from(images[1].subarray(0, 200));
  const list = [
    { material: painted('Broken', 0) },
    { material: plain('Red', [0.6, 0.1, 0.05], 0.9) },
    { material: plain('Blue', [0.1, 0.1, 0.6], 0.9) },
  ];
  const scene = squares(list, [broken]);
  const apart = await cookSquares(scene, 100);
  const joined = await cookSquares(scene, 1);
  expect(apart.outcome.status).toBe('failed');
  expect(joined.codes).toEqual(apart.codes);
});

test('images of more pixels than may be decoded stay what they are', async () => {
  const list = [{ material: painted('Paint', 0) }, { material: painted('Other', 1) }];
  const limits = { ...DEFAULT_LIMITS, pixels: SIDE * SIDE - 1 };
  const source = { 'scene.glb': buildGlb(squares(list, images)) };
  const of = (viewerZone: object) => cookFiles(source, { viewerZone: { ...SEATED, ...viewerZone } }, limits);
  expect((await of({ draws: 1 })).scene.materials).toHaveLength(2);
});

test('cooked textures of an atlas have mips that mix nothing, not even under a filter that reaches far, whatever blocks are asked for', async () => {
  const list = [
    { material: painted('Red', 2) },
    { material: painted('Blue', 3) },
    { material: plain('Grey', [0.5, 0.5, 0.5], 0.9) },
  ];
  const source = { 'scene.glb': buildGlb(squares(list, images)) };
  const cookedTo = (blocks: TextureBlocks, draws: number | null) =>
    cookFiles(source, {
      viewerZone: { ...SEATED, draws },
      textures: { ...KEPT_TEXTURES, mode: 'utex', blocks },
    });
  const colors = ({ scene, texture }: Cooked) =>
    readUtex(texture(scene.textures[scene.materials[0].baseColorTexture].uri), 'colors');
  expect(colors(await cookedTo('8x8', null)).header.blockWidth).toBe(8);
  for (const blocks of ['auto', '8x8'] as const) {
    const cooked = await cookedTo(blocks, 1);
    const { scene } = cooked;
    expect(scene.materials).toHaveLength(1);
    const file = colors(cooked);
    // Images lie in steps of 16 texels: in mip 2 blocks of 8 x 8 texels would have two of them.
    expect([file.header.blockWidth, file.header.blockHeight]).toEqual([4, 4]);
    for (let mip = 0; mip <= 3; mip++) {
      const sample = createSampler(decodeMip(file, mip), 'clamp', 'clamp', true);
      for (const triangle of trianglesOf(scene)) {
        const x = triangle.corners[0].position[0];
        if (x > 0.4) continue;
        for (const { uv } of triangle.corners) {
          const out = new Float64Array(4);
          sample(uv[0], uv[1], out);
          const [red, , blue] = out;
          expect(x < -0.6 ? blue : red).toBeLessThan(0.03);
        }
      }
    }
  }
});
