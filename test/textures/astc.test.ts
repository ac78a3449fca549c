// The ASTC encoder, judged by the decoder of Basis Universal and by the kernel's own.

import { describe, expect, test } from 'vitest';
import { kernel } from '../../src/kernel/kernel.ts';
import {
  type AstcKind,
  type AstcQuality,
  astcBlockSide,
  astcBytes,
  astcRows,
  encodeAstc,
  encodeAstcAt,
} from '../../src/textures/encode/astc.ts';
import { angles, decodeByBasis, type Image, imageOf, normalsOf, psnr, randomNumbers } from './astcFile.ts';

const KINDS: readonly AstcKind[] = ['color', 'normal', 'data', 'opacity'];
const QUALITIES: readonly AstcQuality[] = ['fast', 'medium', 'thorough'];
const RGB = [0, 1, 2];
const RGBA = [0, 1, 2, 3];

/** The pixels that the kernel's decoder reads; throws at a block that is not of the LDR profile. */
function decoded(blocks: Uint8Array, { width, height }: Image, kind: AstcKind): Uint8Array {
  return kernel.within((kernel) => {
    const side = astcBlockSide(kind);
    const from = kernel.put(blocks);
    const to = kernel.allocate(width * height * 4);
    const illegal = kernel.calls.decodeAstc(from, width, height, side, side, kind === 'color', to);
    if (illegal > 0) throw new Error(`${illegal} illegal blocks`);
    return kernel.uint8(to, width * height * 4).slice();
  });
}

function firstIllegal(blocks: Uint8Array, kind: AstcKind): number {
  return kernel.within((kernel) => {
    const side = astcBlockSide(kind);
    return kernel.calls.firstIllegalBlock(kernel.put(blocks), blocks.length / 16, side, side);
  });
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Blocks of every kind of content: few and many colours, steps, noise of any contrast, alpha or none. */
function mixture(width: number, height: number, seed: number): Image {
  const random = randomNumbers(seed);
  const image = imageOf(width, height, () => [0, 0, 0, 255]);
  for (let top = 0; top < height; top += 12) {
    for (let left = 0; left < width; left += 12) {
      const base = Array.from({ length: 4 }, () => random() * 255);
      const other = Array.from({ length: 4 }, () => random() * 255);
      const contrast = random() ** 3;
      const noise = random() ** 4 * 128;
      const [grey, opaque, binary, edge] = [random() < 0.2, random() < 0.6, random() < 0.2, random() * 24];
      const slope = random() * 2;
      for (let y = top; y < Math.min(top + 12, height); y++) {
        for (let x = left; x < Math.min(left + 12, width); x++) {
          let share = (x - left + slope * (y - top)) / 36;
          if (binary) share = x - left + slope * (y - top) < edge ? 0 : 1;
          for (let c = 0; c < 4; c++) {
            const value = base[c] + (other[c] - base[c]) * share * contrast + (random() - 0.5) * noise;
            image.data[(y * width + x) * 4 + c] = Math.max(0, Math.min(255, value));
          }
          const at = (y * width + x) * 4;
          if (grey) image.data.fill(image.data[at], at, at + 3);
          if (opaque) image.data[at + 3] = 255;
        }
      }
    }
  }
  return image;
}

const gradient = imageOf(96, 96, (x, y) => [x * 2.6, y * 2.6, (x + y) * 1.3, 255]);
const cloth = (() => {
  const random = randomNumbers(3);
  return imageOf(192, 192, (x, y) => {
    const weave = 12 * Math.sin(x / 1.7) * Math.cos(y / 2.1) + 30 * Math.sin((x + y) / 31) + (random() - 0.5) * 6;
    return [150 + weave, 110 + weave * 0.9 + 20 * Math.sin(y / 40), 80 + weave * 0.7, 255];
  });
})();
const checker = imageOf(64, 64, (x, y) => (((x >> 1) ^ (y >> 1)) & 1 ? [220, 40, 30, 255] : [20, 60, 200, 255]));
const cutout = imageOf(96, 96, (x, y) => {
  const radius = Math.hypot((x & 31) - 16, (y & 31) - 16);
  return [60 + 40 * Math.sin(x / 9), 140 + 30 * Math.cos(y / 11), 40, radius < 10 ? 255 : radius < 12 ? 120 : 0];
});
const occlusion = imageOf(192, 192, (x, y) => {
  const value = 200 + 40 * Math.sin(x / 19) * Math.cos(y / 23) - 120 * Math.exp(-(((x % 64) - 32) ** 2) / 60);
  return [value, value, value, 255];
});
const packed = imageOf(192, 192, (x, y) => [
  220 + 30 * Math.sin(x / 19),
  128 + 80 * Math.cos(y / 13 + x / 29),
  (x >> 5) & 1 ? 255 : 0,
  255,
]);
const ripples = normalsOf(192, 192, (x, y) => 3 * Math.sin(x / 17) * Math.cos(y / 23) + 0.2 * Math.sin(x / 3 + y / 4));
const hills = normalsOf(192, 192, (x, y) => 20 * Math.sin(x / 57) * Math.cos(y / 43));

describe('blocks by hand', () => {
  test('one colour is a void extent without coordinates', () => {
    const blocks = encodeAstc(
      imageOf(4, 4, () => [1, 128, 255, 64]),
      'color',
      'fast',
    );
    expect(hex(blocks)).toBe('fcfdffffffffffff' + '0101' + '8080' + 'ffff' + '4040');
  });

  test('two greys are end points and weights', () => {
    const blocks = encodeAstc(
      imageOf(4, 4, (x) => [x < 2 ? 0 : 255, 0, 0, 255]),
      'opacity',
      'fast',
    );
    // Mode 0x253: a grid of 4 by 4 weights of 32 levels in one plane. One partition, luminance: 6 zeros. From bit 17 on the
    // end points 0 and 255. From bit 127 down the weights 0, 0, 31, 31 of each row: 10 zeros, 10 ones, four times.
    expect(hex(blocks)).toBe('530200fe0100' + 'ff03f03f00' + 'ff03f03f00');
  });
});

describe('quality', () => {
  // Floors a little below what the encoder reaches: a loss of quality shows.
  const COLORS: readonly [string, Image, AstcKind, readonly number[], readonly [number, number, number]][] = [
    ['gradient', gradient, 'color', RGB, [47, 49.4, 49.7]],
    ['cloth', cloth, 'color', RGB, [53, 53.4, 53.7]],
    ['checker', checker, 'color', RGB, [98, 98, 98]],
    ['cut-out', cutout, 'color', RGBA, [46.8, 48, 49.2]],
    ['occlusion', occlusion, 'data', RGB, [55.8, 56.2, 56.8]],
    ['packed channels', packed, 'data', RGB, [46.2, 52.5, 52.9]],
    ['opacity', occlusion, 'opacity', RGB, [58.6, 58.8, 67.9]],
  ];

  test.each(COLORS)('of %s', async (_, image, kind, channels, floors) => {
    for (const [i, quality] of QUALITIES.entries()) {
      const blocks = encodeAstc(image, kind, quality);
      const own = psnr(image.data, decoded(blocks, image, kind), channels);
      const { width, height } = image;
      const other = psnr(image.data, await decodeByBasis(blocks, width, height, astcBlockSide(kind)), channels);
      expect(own).toBeGreaterThan(floors[i]);
      // It rounds 16 bits a channel to 8 and reads sRGB blocks as linear ones, which costs a little.
      expect(other).toBeGreaterThan(floors[i] - 1.5);
    }
  });

  const NORMALS: readonly [string, Image, readonly [number, number, number], number][] = [
    ['ripples', ripples, [0.1, 0.05, 0.045], 1.3],
    ['hills', hills, [0.1, 0.005, 0.005], 1.3],
  ];

  test.each(NORMALS)('of the normals of %s', async (_, image, means, max) => {
    for (const [i, quality] of QUALITIES.entries()) {
      const blocks = encodeAstc(image, 'normal', quality);
      const own = decoded(blocks, image, 'normal');
      const other = await decodeByBasis(blocks, image.width, image.height, 4);
      for (const pixels of [own, other]) {
        const angle = angles(image.data, pixels);
        expect(angle.mean).toBeLessThan(means[i]);
        expect(angle.max).toBeLessThan(max);
        // The shader reads green for X.
        for (let at = 0; at < pixels.length; at += 4) if (pixels[at] !== pixels[at + 1]) expect(at).toBe(-1);
      }
    }
  });

  test('rises from fast to thorough', () => {
    const image = mixture(96, 96, 5);
    const [fast, medium, thorough] = QUALITIES.map((quality) =>
      psnr(image.data, decoded(encodeAstc(image, 'color', quality), image, 'color'), RGBA),
    );
    expect(medium).toBeGreaterThan(fast);
    expect(thorough).toBeGreaterThan(medium);
  });
});

describe('every image', () => {
  test.each(KINDS)('of kind %s gives legal blocks that both decoders read alike', async (kind) => {
    for (const quality of QUALITIES) {
      const image = mixture(156, 156, 11);
      const blocks = encodeAstc(image, kind, quality);
      expect(firstIllegal(blocks, kind)).toBe(blocks.length / 16);
      if (kind === 'color') continue;
      const own = decoded(blocks, image, kind);
      const other = await decodeByBasis(blocks, image.width, image.height, astcBlockSide(kind));
      // 16 bits a channel become 8 by cutting here and by rounding there.
      for (let i = 0; i < own.length; i++)
        if (Math.abs(own[i] - other[i]) > 1) expect([i, own[i]]).toEqual([i, other[i]]);
    }
  });

  test.each([
    [1, 1],
    [3, 5],
    [13, 29],
    [1, 4096],
    [4096, 1],
  ])('of %i by %i repeats its last column and row', (width, height) => {
    const part = mixture(width, height, 7);
    for (const kind of KINDS) {
      const side = astcBlockSide(kind);
      const whole = imageOf(Math.ceil(width / side) * side, Math.ceil(height / side) * side, (x, y) => {
        const at = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 4;
        return [...part.data.subarray(at, at + 4)];
      });
      const blocks = encodeAstc(part, kind, 'medium');
      expect(blocks.length).toBe(astcBytes(width, height, side));
      expect(hex(blocks)).toBe(hex(encodeAstc(whole, kind, 'medium')));
    }
  });

  test.each(KINDS)('of kind %s may be encoded by rows, in any order and between others', (kind) => {
    const image = mixture(100, 90, 9);
    const { data, width, height } = image;
    for (const quality of QUALITIES) {
      const whole = encodeAstc(image, kind, quality);
      const side = astcBlockSide(kind);
      const rows = astcRows(height, side);
      const perRow = whole.length / rows;
      for (let row = rows - 1; row >= 0; row--) {
        // Another block size, so that all tables change.
        encodeAstc(checker, kind === 'data' ? 'color' : 'data', 'fast');
        const part = kernel.within((kernel) => {
          const at = encodeAstcAt(kernel, kernel.put(data), width, height, kind, side, quality, row, row + 1);
          return kernel.uint8(at, perRow).slice();
        });
        expect(hex(part)).toBe(hex(whole.subarray(row * perRow, (row + 1) * perRow)));
      }
    }
  });

  test('of one colour a block keeps it exactly', () => {
    const random = randomNumbers(2);
    const colors = Array.from({ length: 64 }, () => Array.from({ length: 4 }, () => Math.floor(random() * 256)));
    const image = imageOf(32, 32, (x, y) => colors[(y >> 2) * 8 + (x >> 2)]);
    expect(hex(decoded(encodeAstc(image, 'color', 'fast'), image, 'color'))).toBe(hex(image.data));
  });

  test('with colours below alpha 0 keeps them about as well as the others', () => {
    const image = imageOf(64, 64, (x, y) => [x * 4, y * 4, 90, (x >> 3) & 1 ? 0 : 255]);
    const pixels = decoded(encodeAstc(image, 'color', 'fast'), image, 'color');
    expect(psnr(image.data, pixels, RGB)).toBeGreaterThan(38);
    expect(psnr(image.data, pixels, [3])).toBeGreaterThan(45);
  });

  test('with channels that are equal in a block keeps them so', () => {
    const random = randomNumbers(4);
    const image = imageOf(64, 64, (x, y) => [random() * 255, 77, (x >> 2) * 16, y < 32 ? 255 : 128]);
    const pixels = decoded(encodeAstc(image, 'color', 'medium'), image, 'color');
    expect(psnr(image.data, pixels, [1, 3])).toBeGreaterThan(45);
  });

  test('of opacity and normals ignores the channels that are not stored', () => {
    const image = mixture(64, 64, 21);
    const random = randomNumbers(1);
    const other = { ...image, data: image.data.slice() };
    for (let at = 0; at < other.data.length; at += 4) other.data[at + 2] = random() * 255;
    expect(hex(encodeAstc(other, 'normal', 'fast'))).toBe(hex(encodeAstc(image, 'normal', 'fast')));
    expect(hex(encodeAstc(other, 'opacity', 'fast'))).toBe(hex(encodeAstc(image, 'opacity', 'fast')));
  });
});
