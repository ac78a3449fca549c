// Atlases of charts: where pictures and colours lie, their borders, and what has no room.

import { expect, test } from 'vitest';
import { kernel } from '../../src/kernel/kernel.ts';
import { CHART_GUTTER, type ChartPlace, chartAtlas, haveRoom } from '../../src/textures/atlas/chartAtlas.ts';
import { ChartPainter, type ChartPicture, type ColorSource } from '../../src/textures/atlas/chartPicture.ts';
import { decodeMips, mipsOf } from '../../src/textures/atlas/mips.ts';
import { srgbByte } from '../../src/textures/bake/color.ts';
import type { Pixels } from '../../src/textures/decode/pixels.ts';
import { imageFiles } from '../../src/textures/encode/png.ts';

const source = (r: number, g: number, b: number, glow = 0): ColorSource => ({
  color: { factor: [r, g, b], mips: null },
  emission: glow > 0 ? { factor: [glow, glow, 0], mips: null } : null,
});

/** A picture whose texel i has the source `of(i)`, none for -1. */
function picture(width: number, height: number, sources: ColorSource[], of: (i: number) => number): ChartPicture {
  const count = width * height;
  const triangles = Uint32Array.from({ length: count }, (_, i) => of(i));
  return pictureOf({ width, height, triangles, uv: () => [0, 0], uvArea: 0 }, sources);
}

interface Shown {
  readonly width: number;
  readonly height: number;
  /** Numbers of sources; -1: nothing. */
  readonly triangles: Uint32Array;
  readonly uv: (i: number) => readonly [number, number];
  readonly uvArea: number;
}

/** A picture of one sample a texel. */
function pictureOf({ width, height, triangles, uv, uvArea }: Shown, sources: readonly ColorSource[]): ChartPicture {
  return kernel.within((memory) => {
    const floats = (value: (i: number) => number) => memory.put(Float32Array.from(triangles, (_, i) => value(i)));
    const seen = [memory.put(triangles), floats((i) => uv(i)[0]), floats((i) => uv(i)[1]), floats(() => uvArea)];
    const sampling = memory.words(0, 0, 0, 0, width, height, 0, 0, ...seen);
    const texels = (width + 2 * CHART_GUTTER) * (height + 2 * CHART_GUTTER);
    const counts = sources.map(() => 1);
    const painter = new ChartPainter(memory, sources, counts, texels);
    const request = { width, height, samples: 1, gutter: CHART_GUTTER };
    return painter.picture({ sampling }, request) as ChartPicture;
  });
}

const BLACK_WHITE = [source(0, 0, 0), source(1, 1, 1)];
const checks = (width: number, height: number) =>
  picture(width, height, BLACK_WHITE, (i) => (Math.floor(i / width) + (i % width)) % 2);
const rectOf = (place: ChartPlace) => ('rect' in place ? place.rect : null);
const read = async (bytes: Uint8Array) => (await decodeMips(bytes, 1024, imageFiles('keep')))?.[0] as Pixels;

test('pictures with their borders lie apart, and inside', async () => {
  let seed = 7;
  const random = (max: number) => {
    seed = (seed * 48271) % 2147483647;
    return 1 + (seed % max);
  };
  const pictures = Array.from({ length: 120 }, () => checks(1 + random(30), 1 + random(12)));
  const made = await chartAtlas(pictures, 1024, imageFiles('keep'));
  const { width, height } = made?.texture ?? { width: 0, height: 0 };
  const used = new Uint8Array(width * height);
  made?.places.forEach((place, i) => {
    const rect = rectOf(place) ?? { x: -1, y: -1, width: 0, height: 0 };
    expect([rect.width, rect.height]).toEqual([pictures[i].width, pictures[i].height]);
    for (let y = rect.y - CHART_GUTTER; y < rect.y + rect.height + CHART_GUTTER; y++) {
      for (let x = rect.x - CHART_GUTTER; x < rect.x + rect.width + CHART_GUTTER; x++) {
        expect(x >= 0 && y >= 0 && x < width && y < height).toBe(true);
        expect(used[y * width + x]++).toBe(0);
      }
    }
  });
  expect([width, height].map(Math.log2).every(Number.isInteger)).toBe(true);
});

test('pictures of one colour share a cell, whose UV is its centre', async () => {
  const red = picture(5, 3, [source(1, 0, 0)], () => 0);
  const nearlyRed = picture(2, 2, [source(0.999, 0, 0)], () => 0);
  const texel = picture(1, 1, BLACK_WHITE, () => 1);
  const made = await chartAtlas([red, checks(4, 4), nearlyRed, texel], 1024, imageFiles('keep'));
  const places = made?.places ?? [];
  expect(places[2]).toEqual(places[0]);
  expect(places[3]).not.toEqual(places[0]);
  const { width, height, data } = await read(made?.texture.bytes as Uint8Array);
  for (const [i, color] of [
    [0, [255, 0, 0]],
    [3, [255, 255, 255]],
  ] as const) {
    const [u, v] = 'uv' in places[i] ? places[i].uv : [-1, -1];
    const at = ((1 - v) * height * width + u * width) * 4;
    // The centre is a corner of four texels of one colour.
    for (const to of [0, -4, -width * 4, -width * 4 - 4])
      expect([...data.subarray(at + to, at + to + 3)]).toEqual(color);
  }
});

test('borders go on as the edge does, and texels that show nothing are as their neighbours', async () => {
  const half = picture(4, 4, [source(1, 0, 0), source(0, 0, 1)], (i) => (i % 4 === 3 ? -1 : i % 4 === 0 ? 0 : 1));
  const made = await chartAtlas([half], 1024, imageFiles('keep'));
  const { width, data } = await read(made?.texture.bytes as Uint8Array);
  const { x, y } = rectOf(made?.places[0] as ChartPlace) as { x: number; y: number };
  const at = (dx: number, dy: number) => [...data.subarray(((y + dy) * width + x + dx) * 4).subarray(0, 3)];
  expect([at(-1, 1), at(-2, 1), at(0, -1), at(1, 1), at(3, 1), at(4, 1)]).toEqual([
    [255, 0, 0],
    [255, 0, 0],
    [srgbByte(0.5), 0, srgbByte(0.5)],
    [0, 0, 255],
    [0, 0, 255],
    [0, 0, 255],
  ]);
});

test('emission has a texture of the same places, scaled to its largest value', async () => {
  const lit = picture(2, 2, [source(0.2, 0.2, 0.2, 3), source(0.2, 0.2, 0.2)], (i) => i % 2);
  const made = await chartAtlas([lit, checks(2, 2)], 1024, imageFiles('keep'));
  expect(made?.emission?.factor).toBe(3);
  const { width, data } = await read(made?.emission?.texture.bytes as Uint8Array);
  const { x, y } = rectOf(made?.places[0] as ChartPlace) as { x: number; y: number };
  expect([...data.subarray((y * width + x) * 4).subarray(0, 3)]).toEqual([255, 255, 0]);
  expect([...data.subarray((y * width + x + 1) * 4).subarray(0, 3)]).toEqual([0, 0, 0]);
  expect((await chartAtlas([checks(2, 2)], 1024, imageFiles('keep')))?.emission).toBeNull();
});

test('what is too large has no room; single texels always have', async () => {
  expect(haveRoom([{ width: 1020, height: 3 }], 1024)).toBe(true);
  expect(haveRoom([{ width: 1021, height: 3 }], 1024)).toBe(false);
  expect(await chartAtlas([checks(200, 3)], 128, imageFiles('keep'))).toBeNull();
  const texels = Array.from({ length: 400 }, (_, i) => picture(1, 1, [source((i % 20) / 20, i / 400, 0.5)], () => 0));
  expect(haveRoom(texels, 128)).toBe(true);
  expect((await chartAtlas(texels, 128, imageFiles('keep')))?.places.length).toBe(400);
});

test('what shows nothing has no picture', () => {
  expect(picture(2, 2, BLACK_WHITE, () => -1)).toBeNull();
});

test('a picture takes the level of an image of which a sample spans about a texel, and its colours repeat', () => {
  // A chequerboard of 2 by 2 texels, whose smaller level is grey.
  const white = [255, 255, 255, 255];
  const black = [0, 0, 0, 255];
  const mips = mipsOf({ width: 2, height: 2, data: Uint8Array.from([white, black, black, white].flat()) });
  const image: ColorSource = { color: { factor: [1, 0.5, 0], mips }, emission: null };
  const triangles = new Uint32Array(4);
  const uv = (i: number) => [(i % 2) * 0.5 + 5.25, Math.floor(i / 2) * 0.5 - 2.75] as const;
  const near = pictureOf({ width: 2, height: 2, triangles, uv, uvArea: 1 / 4 }, [image]);
  // V up: the first row of samples shows the lower row of texels.
  const inner = [0, 1].map((x) => (CHART_GUTTER * (2 + 2 * CHART_GUTTER) + CHART_GUTTER + x) * 3);
  expect(inner.map((at) => [...(near.colors ?? []).slice(at, at + 3)])).toEqual([
    [0, 0, 0],
    [255, srgbByte(0.5), 0],
  ]);
  const far = pictureOf({ width: 2, height: 2, triangles, uv, uvArea: 4 }, [image]);
  expect(far.colors).toBeNull();
  expect(far.mean.color.map((value) => Math.round(value * 100))).toEqual([50, 25, 0]);
});
