import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Kernel } from '../../../src/kernel/kernel.ts';
import type { Pixels } from '../../../src/textures/decode/pixels.ts';
import { mipChain, mipSizes, placeMipChain } from '../../../src/textures/mips/mipChain.ts';
import { placeImage } from '../../../src/textures/mips/place.ts';
import type { MipLevel, MipOptions, MipRole } from '../../../src/textures/mips/types.ts';
import {
  difference,
  lanczos3,
  noise,
  noiseImage,
  type Plane,
  planeOf,
  premultiplied,
  resamplePlane,
  smoothImage,
  soft,
  toByte,
  toLinear,
  toSrgb,
} from './reference.ts';

const LINEAR: MipOptions = { filter: 'linear', alphaCutoff: null, roughness: null };
const ROLES: readonly MipRole[] = ['color', 'normal', 'data', 'opacity', 'height'];

const heights = (width: number, height: number, seed = 1) => ({
  width,
  height,
  data: new Uint16Array(noise(width * height * 2, seed).buffer),
});
const imageFor = (role: MipRole, width: number, height: number, seed = 1) =>
  role === 'height' ? heights(width, height, seed) : noiseImage(width, height, 'random', seed);
const filled = (width: number, height: number, texel: readonly number[]): Pixels => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 4 }, (_, i) => texel[i % 4]),
});
const words = ({ bytes }: MipLevel) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);

/** The planes of all levels, each from the one before. */
function planes(first: Plane, filter: (x: number) => number): Plane[] {
  const all = [first];
  for (const [w, h] of mipSizes(first.width, first.height).slice(1)) all.push(resamplePlane(all.at(-1)!, w, h, filter));
  return all;
}

describe('sizes of levels', () => {
  it.each([
    [1, 1, ['1x1']],
    [3, 5, ['3x5', '1x2', '1x1']],
    [1, 4096, Array.from({ length: 13 }, (_, i) => `1x${4096 >> i}`)],
    [8, 2, ['8x2', '4x1', '2x1', '1x1']],
  ])('of %d x %d', (width, height, expected) => {
    for (const role of ROLES) {
      for (const filter of ['linear', 'engine'] as const) {
        const { levels } = mipChain(imageFor(role, width, height), role, { ...LINEAR, filter });
        expect(levels.map((level) => `${level.width}x${level.height}`)).toEqual(expected);
        for (const level of levels) {
          expect(level.bytes.length).toBe(level.width * level.height * (role === 'height' ? 2 : 4));
        }
      }
    }
  });
});

describe('levels', () => {
  it.each([
    ['color', 13, 7],
    ['data', 13, 7],
    ['opacity', 16, 5],
    ['color', 8, 16],
  ] as const)('of a constant image are constant: %s %d x %d', (role, width, height) => {
    let different = 0;
    for (let byte = 0; byte < 256; byte++) {
      const texel = [byte, 255 - byte, (byte * 7) & 255, role === 'color' && byte % 2 === 0 ? 255 : byte];
      for (const level of mipChain(filled(width, height, texel), role, LINEAR).levels) {
        different += difference(level.bytes, filled(level.width, level.height, texel).data).different;
      }
    }
    expect(different).toBe(0);
  });

  it('of constant heights and normals are constant', () => {
    for (const height of [0, 1, 255, 32768, 65534, 65535]) {
      const image = { width: 19, height: 6, data: new Uint16Array(114).fill(height) };
      for (const level of mipChain(image, 'height', LINEAR).levels) {
        expect(new Set(words(level))).toEqual(new Set([height]));
      }
    }
    for (const level of mipChain(filled(9, 12, [128, 128, 255, 255]), 'normal', LINEAR).levels) {
      expect(difference(level.bytes, filled(level.width, level.height, [128, 128, 255, 255]).data).different).toBe(0);
    }
  });

  it.each([
    ['noise', noiseImage(96, 80, 255)],
    ['noise of odd sizes', noiseImage(61, 35, 255)],
    ['a smooth image', smoothImage(128, 64)],
  ])('of opaque colours are those of float64: %s', (_, image) => {
    const expected = planes(premultiplied(image), lanczos3);
    mipChain(image, 'color', LINEAR).levels.forEach(({ bytes }, i) => {
      const right = Uint8Array.from(expected[i].values, (value, k) => (k % 4 === 3 ? 255 : toSrgb(value)));
      const { max, different } = difference(bytes, right);
      expect(max).toBeLessThanOrEqual(1);
      // float32 rounds to the other byte only where light is within its error of a border.
      expect(different).toBeLessThanOrEqual(bytes.length / 1000);
    });
  });

  it('of colours with alpha mix the sharp and the soft filter', () => {
    const image = noiseImage(52, 41, 'random');
    const sharp = planes(premultiplied(image), lanczos3);
    const blurred = planes(premultiplied(image, 2 ** -60), soft);
    mipChain(image, 'color', LINEAR).levels.forEach(({ bytes }, i) => {
      if (i === 0) {
        expect(bytes).toEqual(image.data);
        return;
      }
      const right = Uint8Array.from(sharp[i].values, (value, k) => {
        const at = k - (k % 4) + 3;
        const alpha = Math.min(1, Math.max(0, sharp[i].values[at]));
        if (k === at) return toByte(alpha);
        const mean = blurred[i].values[k] / blurred[i].values[at];
        const inside = value / Math.max(1, sharp[i].values[at]);
        return toSrgb(Math.min(alpha, Math.max(0, inside)) + (1 - alpha) * mean);
      });
      const { max, different } = difference(bytes, right);
      expect(max).toBeLessThanOrEqual(1);
      expect(different).toBeLessThanOrEqual(bytes.length / 500 + 1);
    });
  });

  it.each(['data', 'opacity'] as const)('of %s filter four numbers each alone', (role) => {
    const image = noiseImage(45, 70, 'random');
    const expected = planes(
      planeOf(image, (byte) => byte / 255),
      lanczos3,
    );
    mipChain(image, role, LINEAR).levels.forEach(({ bytes }, i) => {
      const { max, different } = difference(bytes, Uint8Array.from(expected[i].values, toByte));
      expect(max).toBeLessThanOrEqual(1);
      expect(different).toBeLessThanOrEqual(bytes.length / 500);
    });
  });

  it('of heights are those of float64', () => {
    const image = heights(50, 37);
    const four = Float64Array.from({ length: 50 * 37 * 4 }, (_, i) => image.data[i >> 2]);
    const expected = planes({ width: 50, height: 37, values: four }, lanczos3);
    mipChain(image, 'height', LINEAR).levels.forEach((level, i) => {
      const apart = words(level).map((value, k) => {
        const right = Math.min(65535, Math.max(0, expected[i].values[k * 4]));
        return Math.abs(value - Math.floor(right + 0.5));
      });
      expect(Math.max(...apart)).toBeLessThanOrEqual(1);
    });
  });

  it('keep the mean light', () => {
    const image = noiseImage(256, 256, 255);
    const mean = (bytes: Uint8Array) => {
      let sum = 0;
      bytes.forEach((byte, i) => {
        if (i % 4 !== 3) sum += toLinear(byte);
      });
      return sum / ((bytes.length / 4) * 3);
    };
    const whole = mean(image.data);
    for (const { width, bytes } of mipChain(image, 'color', LINEAR).levels) {
      // Overshoots of noise that are clamped do not cancel out; the last levels are few texels.
      if (width >= 4) expect(Math.abs(mean(bytes) - whole)).toBeLessThan(1 / 255);
    }
  });

  it('clamp what overshoots beside an edge', () => {
    const row = (low: number, high: number, x: number) => (x < 63 ? low : high);
    const image = (low: number, high: number): Pixels => ({
      width: 128,
      height: 8,
      data: Uint8Array.from({ length: 128 * 8 * 4 }, (_, i) => (i % 4 === 3 ? 255 : row(low, high, (i >> 2) % 128))),
    });
    const hard = mipChain(image(0, 255), 'color', LINEAR).levels[1].bytes;
    // Black and white come from one side of the edge each, without texels that wrap around.
    for (let x = 0; x < 30; x++) expect(hard[x * 4]).toBeLessThan(64);
    for (let x = 33; x < 64; x++) expect(hard[x * 4]).toBeGreaterThan(240);
    const low = mipChain(image(100, 200), 'data', LINEAR).levels[1].bytes;
    for (let x = 0; x < 64; x++) {
      // The overshoot of a step is below a tenth of it.
      expect(low[x * 4]).toBeGreaterThanOrEqual(90);
      expect(low[x * 4]).toBeLessThanOrEqual(210);
    }
  });
});

describe('colours under alpha', () => {
  /** A red disc on a ground of the given colour, whose alpha is 0. */
  const disc = (ground: readonly number[]): Pixels => {
    const data = new Uint8Array(64 * 64 * 4);
    for (let i = 0; i < 64 * 64; i++) {
      const inside = ((i % 64) - 20) ** 2 + ((i >> 6) - 30) ** 2 < 150;
      data.set(inside ? [200, 30, 60, 255] : [...ground, 0], i * 4);
    }
    return { width: 64, height: 64, data };
  };

  it('come from texels that are seen', () => {
    for (const { bytes } of mipChain(disc([0, 0, 0]), 'color', LINEAR).levels) {
      const seen = bytes.filter((_, i) => bytes[i | 3] > 0 && i % 4 !== 3);
      const red = Uint8Array.from(seen, (_, i) => [200, 30, 60][i % 3]);
      expect(difference(seen, red).max).toBeLessThanOrEqual(1);
    }
  });

  it('stay where nothing is seen', () => {
    const { levels } = mipChain(disc([10, 220, 90]), 'color', LINEAR);
    const { width, bytes } = levels[2];
    expect([...bytes.subarray((width * width - 1) * 4)]).toEqual([10, 220, 90, 0]);
    for (const level of mipChain(filled(20, 9, [10, 220, 90, 0]), 'color', LINEAR).levels) {
      expect(difference(level.bytes, filled(level.width, level.height, [10, 220, 90, 0]).data).different).toBe(0);
    }
  });
});

describe('the kernel', () => {
  it('gives equal bytes on every machine and in every run', () => {
    const hashes = ROLES.map((role) => {
      const once = () => {
        const hash = createHash('sha256');
        const { levels } = mipChain(imageFor(role, 75, 58, 3), role, { ...LINEAR, alphaCutoff: 0.5 });
        for (const { bytes } of levels) hash.update(bytes);
        return `${role} ${hash.digest('hex').slice(0, 16)}`;
      };
      const first = once();
      // Memory now holds something else.
      mipChain(imageFor('data', 90, 90, 7), 'data', LINEAR);
      expect(once()).toBe(first);
      return first;
    });
    expect(hashes).toMatchInlineSnapshot(`
      [
        "color 8132a906e987b516",
        "normal a0abc44740644413",
        "data fa18dc87225e5210",
        "opacity fa18dc87225e5210",
        "height 80607aeff5ce7e02",
      ]
    `);
  });

  it('needs little more memory than the levels', () => {
    for (const role of ['color', 'normal', 'data'] as const) {
      const memory = new Kernel(1 << 30);
      const used = memory.within(() => {
        const image = placeImage(memory, noiseImage(512, 512, 'random'), role);
        placeMipChain(memory, image, role, { ...LINEAR, alphaCutoff: 0.5 });
        return memory.bytes;
      });
      // Memory grows by whole megabytes.
      expect(used).toBeLessThan(2.5 * 4 * 512 * 512 + (1 << 20));
    }
  });

  it('refuses an image whose size is not that of its data', () => {
    expect(() => mipChain({ width: 3, height: 3, data: new Uint8Array(35) }, 'color', LINEAR)).toThrow('35 numbers');
    expect(() => mipChain({ width: 2, height: 1, data: new Uint8Array(8) }, 'height', LINEAR)).toThrow('height image');
  });
});
