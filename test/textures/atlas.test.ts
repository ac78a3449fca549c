// Atlases: where images lie, that nothing overlaps, and what is painted there.

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { halfBits, halfValue } from '../../src/formats/untold/mesh/halfFloat.ts';
import { atlasTexture, meanColor, repeated, type TintedImage } from '../../src/textures/atlas/atlas.ts';
import {
  type AtlasImage,
  type AtlasLayout,
  atlasLayout,
  colorUv,
  imageUv,
} from '../../src/textures/atlas/atlasLayout.ts';
import { decodeMips, type Mips } from '../../src/textures/atlas/mips.ts';
import type { Pixels } from '../../src/textures/decode/pixels.ts';
import { imageFiles } from '../../src/textures/encode/png.ts';
import { chunkTypes, pixelsOf } from './fixture.ts';

const image = (width: number, height: number, name = 'a'): AtlasImage => ({ name, width, height });
const many = (count: number, width: number, height = width) =>
  Array.from({ length: count }, (_, i) => image(width, height, String(i).padStart(5, '0')));

/** What each image and the colours take up, gutters included. */
function taken({ images, palette }: AtlasLayout) {
  const rects = images.filter((rect) => rect !== null).map((r) => [r.x - 4, r.y - 4, r.width + 8, r.height + 8]);
  return palette ? [...rects, [palette.x, palette.y, palette.layout.width, palette.layout.height]] : rects;
}

function expectApart(layout: AtlasLayout): void {
  const owner = new Uint8Array(layout.width * layout.height);
  let overlaps = 0;
  for (const [x, y, width, height] of taken(layout)) {
    expect(x >= 0 && y >= 0 && x + width <= layout.width && y + height <= layout.height).toBe(true);
    for (let row = y; row < y + height; row++) {
      for (let at = row * layout.width + x; at < row * layout.width + x + width; at++) {
        if (owner[at]++ > 0) overlaps++;
      }
    }
  }
  expect(overlaps).toBe(0);
}

describe('atlasLayout', () => {
  it('puts the highest first, then by name, on shelves', () => {
    // 16 + 8 = 24 and 8 + 8 = 16 pixels a side; colours: two cells of 8.
    const layout = atlasLayout([image(8, 8, 'c'), image(16, 16, 'b'), image(8, 8, 'a')], 2);
    expect([layout.width, layout.height]).toEqual([64, 32]);
    expect(layout.images).toEqual([
      { x: 44, y: 4, width: 8, height: 8 },
      { x: 4, y: 4, width: 16, height: 16 },
      { x: 28, y: 4, width: 8, height: 8 },
    ]);
    expect(layout.palette).toMatchObject({ x: 0, y: 24, layout: { width: 16, height: 8 } });
    expectApart(layout);
  });

  it('makes images smaller to 128 pixels in their shape, never larger', () => {
    const { images, palette } = atlasLayout([image(1024, 256), image(100, 300), image(3, 1), image(1, 1000)], 0);
    expect(images.map((rect) => [rect?.width, rect?.height])).toEqual([
      [128, 32],
      [43, 128],
      [3, 1],
      [1, 128],
    ]);
    expect(palette).toBeNull();
  });

  it('takes 64 and 32 pixels where images would not fit in 1024', () => {
    // 7 x 7 of 136 pixels, 14 x 14 of 72, 25 x 25 of 40.
    const sides = (count: number) => {
      const layout = atlasLayout(many(count, 512), 0);
      expectApart(layout);
      return [layout.width, layout.height, layout.images[0]?.width, layout.images.filter((r) => r !== null).length];
    };
    expect(sides(49)).toEqual([1024, 1024, 128, 49]);
    expect(sides(50)).toEqual([1024, 512, 64, 50]);
    expect(sides(196)).toEqual([1024, 1024, 64, 196]);
    expect(sides(197)).toEqual([1024, 512, 32, 197]);
    expect(sides(625)).toEqual([1024, 1024, 32, 625]);
    expect(sides(626)).toEqual([1024, 1024, 32, 625]);
  });

  it('leaves images out before colours', () => {
    const layout = atlasLayout(many(700, 512), 3);
    expectApart(layout);
    expect(layout.palette).not.toBeNull();
    // 25 shelves of 40 pixels below one of 8.
    expect(layout.images.filter((rect) => rect !== null).length).toBe(625);
    // By name: the first stay.
    expect(layout.images[0]).not.toBeNull();
    expect(layout.images[624]).not.toBeNull();
    expect(layout.images[625]).toBeNull();
  });

  it('keeps any mixture apart', () => {
    let state = 11;
    const random = (max: number) => {
      state = (state * 48271) % 2147483647;
      return 1 + (state % max);
    };
    for (let n = 0; n < 40; n++) {
      const images = Array.from({ length: random(60) }, (_, i) => image(random(300), random(300), `${i}`));
      expectApart(atlasLayout(images, random(256)));
    }
  });

  it('gives UVs with V up: exact for colours, whole pixels for images', () => {
    const layout = atlasLayout([image(8, 8, 'c'), image(16, 16, 'b'), image(8, 8, 'a')], 2);
    // b: pixels 4 to 20 of 64 and of 32.
    expect(imageUv(layout, { x: 4, y: 4, width: 16, height: 16 })).toEqual([0.0625, 0.375, 0.3125, 0.875]);
    // Centres at pixels (4, 28) and (12, 28).
    expect([colorUv(layout, 0), colorUv(layout, 1)]).toEqual([
      [0.0625, 0.125],
      [0.1875, 0.125],
    ]);
    const large = atlasLayout(many(40, 128), 256);
    for (let i = 0; i < 256; i++) for (const x of colorUv(large, i)) expect(halfValue(halfBits(x))).toBe(x);
  });
});

const pixels = (width: number, height: number, at: (x: number, y: number) => readonly number[]): Pixels => ({
  width,
  height,
  data: Uint8Array.from(
    Array.from({ length: width * height }, (_, i) => [...at(i % width, Math.floor(i / width)), 255]).flat(),
  ),
});

describe('atlasTexture', () => {
  it('holds images texel by texel, their edges around them, and colours in cells', async () => {
    const ramp = pixels(8, 4, (x, y) => [x * 30, y * 60, 7]);
    const layout = atlasLayout([image(8, 4)], 2);
    const texture = await atlasTexture(
      layout,
      [{ pixels: ramp, factor: [1, 1, 1] }],
      [
        [1, 0, 0],
        [0, 0.2158605, 0],
      ],
      imageFiles('keep'),
    );
    expect(texture).toMatchObject({ width: layout.width, height: layout.height, flags: 1 });
    expect(texture.fileName).toBe(`atlas_${texture.sha256.slice(0, 8)}.png`);
    expect(chunkTypes(texture.bytes)).toEqual(['IHDR', 'IDAT', 'IEND']);
    const { channels, rows } = await pixelsOf(texture.bytes);
    expect(channels).toBe(3);
    const at = (x: number, y: number) => rows[y].slice(x * 3, x * 3 + 3);
    const [rect] = layout.images as [NonNullable<AtlasLayout['images'][0]>];
    for (let y = -4; y < 8; y++) {
      for (let x = -4; x < 12; x++) {
        const edge = [Math.max(0, Math.min(7, x)) * 30, Math.max(0, Math.min(3, y)) * 60, 7];
        expect(at(rect.x + x, rect.y + y)).toEqual(edge);
      }
    }
    const { x, y } = layout.palette as NonNullable<AtlasLayout['palette']>;
    expect([at(x, y), at(x + 7, y + 7), at(x + 8, y), at(x + 15, y + 7)]).toEqual([
      [255, 0, 0],
      [255, 0, 0],
      [0, 128, 0],
      [0, 128, 0],
    ]);
  });

  it('multiplies texels in linear light', async () => {
    const layout = atlasLayout([image(1, 1), image(1, 1)], 0);
    const white = pixels(1, 1, () => [255, 188, 0]);
    const parts: TintedImage[] = [
      { pixels: white, factor: [0.5, 0.5, 0.5] },
      { pixels: white, factor: [1, 2, 1] },
    ];
    const { rows } = await pixelsOf((await atlasTexture(layout, parts, [], imageFiles('keep'))).bytes);
    const [a, b] = layout.images.map((rect) => rows[rect?.y ?? 0].slice((rect?.x ?? 0) * 3, (rect?.x ?? 0) * 3 + 3));
    // 188 is 0.5029 of white; half of it 0.2514, which is 137.
    expect([a, b]).toEqual([
      [188, 137, 0],
      [255, 255, 0],
    ]);
  });

  it('averages large images in linear light, and says when one is broken', async () => {
    // Black and white columns: half the light is 188, where half the bytes were 128.
    const data = Uint8Array.from({ length: 256 * 4 * 3 }, (_, i) => (Math.floor(i / 3) % 2) * 255);
    const bytes = await sharp(data, { raw: { width: 256, height: 4, channels: 3 } })
      .png()
      .toBuffer();
    const small = ((await decodeMips(bytes, 128, imageFiles('keep'))) as Mips)[0];
    expect([small.width, small.height]).toEqual([128, 2]);
    expect(new Set(small.data)).toEqual(new Set([188, 255]));
    expect(await decodeMips(bytes.subarray(0, 60), 128, imageFiles('keep'))).toBeNull();
    expect(await decodeMips(new Uint8Array(0), 128, imageFiles('keep'))).toBeNull();
  });
});

describe('repeated', () => {
  const four: Pixels = { width: 2, height: 2, data: Uint8Array.from([1, 2, 3, 4].flatMap((n) => [n, 0, 0, 255])) };
  const reds = ({ width, data }: Pixels) =>
    Array.from({ length: data.length / 4 / width }, (_, y) =>
      Array.from({ length: width }, (_, x) => data[(y * width + x) * 4]).join(''),
    );

  it('sets an image side by side and on top of itself', () => {
    expect(repeated(four, 1, 1)).toBe(four);
    expect(reds(repeated(four, 2, 1))).toEqual(['1212', '3434']);
    expect(reds(repeated(four, 1, 2))).toEqual(['12', '34', '12', '34']);
    expect(reds(repeated(four, 3, 2))).toEqual(['121212', '343434', '121212', '343434']);
  });

  it('makes it smaller first, so that all of it stays within 128 pixels', () => {
    const large: Pixels = { width: 128, height: 100, data: new Uint8Array(128 * 100 * 4).fill(128) };
    expect(repeated(large, 2, 1)).toMatchObject({ width: 128, height: 100 });
    expect(repeated(large, 2, 2)).toMatchObject({ width: 128, height: 128 });
    expect(new Set(repeated(large, 2, 2).data)).toEqual(new Set([128]));
  });
});

it('meanColor averages in linear light', () => {
  const pixels: Pixels = { width: 2, height: 1, data: Uint8Array.of(255, 128, 0, 255, 0, 128, 255, 0) };
  expect(meanColor(pixels).map((c) => c.toFixed(6))).toEqual(['0.500000', '0.215861', '0.500000']);
});
