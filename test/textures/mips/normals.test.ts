import { describe, expect, it } from 'vitest';
import type { Pixels } from '../../../src/textures/decode/pixels.ts';
import { mipChain } from '../../../src/textures/mips/mipChain.ts';
import type { MipOptions, NormalLengths } from '../../../src/textures/mips/types.ts';
import { lanczos3, resamplePlane } from './reference.ts';

const LINEAR: MipOptions = { filter: 'linear', alphaCutoff: null, roughness: null };

type Normal = (x: number, y: number) => readonly [number, number, number];
/** To the nearest byte; rounded down if `half` is 0. */
const byte = (v: number, half = 0.5) => Math.floor(v * 127.5 + 127.5 + half);

/** A map of unit normals in the direction of `normal`. */
function map(width: number, height: number, normal: Normal, half = 0.5): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const v = normal(i % width, Math.floor(i / width));
    const length = Math.hypot(...v);
    data.set([...v.map((c) => byte(c / length, half)), 255], i * 4);
  }
  return { width, height, data };
}

const bumps: Normal = (x, y) => [Math.sin(x * 0.9) * 0.8, Math.cos(y * 0.7 + x) * 0.6, 1];
/** Alternating slopes to both sides: an angle of 45 degrees. */
const ridges: Normal = (x) => [x % 2 === 0 ? 1 : -1, 0, 1];

const lengthOf = (bytes: Uint8Array, at: number) =>
  Math.hypot(bytes[at] / 127.5 - 1, bytes[at + 1] / 127.5 - 1, bytes[at + 2] / 127.5 - 1);

describe('normals', () => {
  it('have unit length in all levels', () => {
    let off = 0;
    for (const { bytes } of mipChain(map(61, 40, bumps), 'normal', LINEAR).levels) {
      for (let at = 0; at < bytes.length; at += 4) {
        off = Math.max(off, Math.abs(lengthOf(bytes, at) - 1), Math.abs(bytes[at + 3] - 255));
      }
    }
    expect(off).toBeLessThan(Math.sqrt(3) / 255);
  });

  it('are averages of vectors', () => {
    const image = map(32, 32, bumps);
    const values = Float64Array.from(image.data, (b, i) => (i % 4 === 3 ? 1 : b / 127.5 - 1));
    for (let i = 0; i < values.length; i += 4) {
      const length = Math.hypot(values[i], values[i + 1], values[i + 2]);
      for (let c = 0; c < 3; c++) values[i + c] /= length;
    }
    const expected = resamplePlane({ width: 32, height: 32, values }, 16, 16, lanczos3).values;
    const { levels, normals } = mipChain(image, 'normal', LINEAR);
    for (let i = 0; i < 256; i++) {
      const [x, y, z] = expected.subarray(i * 4);
      const length = Math.hypot(x, y, z);
      [x, y, z].forEach((v, c) => {
        expect(Math.abs(levels[1].bytes[i * 4 + c] - byte(v / length))).toBeLessThanOrEqual(1);
      });
      expect(Math.abs(normals![1].lengths![i] - Math.min(1, length) * 65535)).toBeLessThanOrEqual(1);
    }
  });

  it('stay in the first level where they are of unit length as far as bytes can say', () => {
    const image = map(24, 24, bumps);
    expect(mipChain(image, 'normal', LINEAR).levels[0].bytes).toEqual(image.data);
    // The same, rounded down by another writer.
    const down = map(24, 24, bumps, 0);
    expect(mipChain(down, 'normal', LINEAR).levels[0].bytes).toEqual(down.data);
  });

  it('become unit length in the first level where they are not', () => {
    // Half as long as it should be, along (0.6, 0, 0.8); then without a z at all; then beyond the unit circle.
    const data = Uint8Array.of(byte(0.3), 128, byte(0.4), 7, byte(0.6), byte(-0.3), 0, 255, 255, 255, 0, 255);
    const { levels } = mipChain({ width: 3, height: 1, data }, 'normal', LINEAR);
    const texel = (i: number) => [...levels[0].bytes.subarray(i * 4, i * 4 + 4)];
    expect(texel(0).map((b, i) => Math.abs(b - [byte(0.6), 128, byte(0.8), 7][i]) <= 1)).toEqual(Array(4).fill(true));
    expect(texel(1)).toEqual([byte(0.6), byte(-0.3), byte(Math.sqrt(1 - 0.36 - 0.09)), 255]);
    expect(texel(2)).toEqual([byte(Math.SQRT1_2), byte(Math.SQRT1_2), 128, 255]);
  });

  it('tell how long their averages are', () => {
    const { levels, normals } = mipChain(map(64, 64, ridges), 'normal', LINEAR);
    expect(normals!.map(({ width }) => width)).toEqual(levels.map(({ width }) => width));
    expect(normals![0].lengths).toBeNull();
    // Slopes to both sides cancel out: what is left is the z of 45 degrees, away from the image's sides.
    const middle = normals![1].lengths![16 * 32 + 16] / 65535;
    expect(middle).toBeCloseTo(Math.SQRT1_2, 2);
    const flat = mipChain(
      map(16, 16, () => [0, 0, 1]),
      'normal',
      LINEAR,
    ).normals!;
    for (const { lengths } of flat) if (lengths) expect([...new Set(lengths)]).toEqual([65535]);
  });
});

describe('roughness', () => {
  const rough = (width: number, height: number, value: number): Pixels => ({
    width,
    height,
    data: Uint8Array.from({ length: width * height * 4 }, (_, i) => [10, value, 200, 255][i % 4]),
  });
  const widened = (image: Pixels, normals: NormalLengths, channel: 0 | 1 | 2 | 3 = 1) =>
    mipChain(image, 'data', { ...LINEAR, roughness: { channel, normals } }).levels;
  /** Toksvig's variance, added to the square of the lobe's width. */
  const expected = (roughness: number, length: number) =>
    255 * Math.min(1, (roughness / 255) ** 4 + (2 * (1 - length)) / length) ** 0.25;

  it('takes up the spread of normals, in its channel and after the first level', () => {
    const { normals } = mipChain(map(64, 64, bumps), 'normal', LINEAR);
    let off = 0;
    for (const value of [0, 60, 128, 255]) {
      const levels = widened(rough(64, 64, value), normals!);
      expect(levels[0].bytes).toEqual(rough(64, 64, value).data);
      levels.slice(1).forEach(({ bytes }, i) => {
        normals![i + 1].lengths!.forEach((length, k) => {
          const [r, g, b, a] = bytes.subarray(k * 4, k * 4 + 4);
          const others = Math.max(Math.abs(r - 10), Math.abs(b - 200), Math.abs(a - 255));
          off = Math.max(off, Math.abs(g - expected(value, length / 65535)), others, value - g);
        });
      });
    }
    expect(off).toBeLessThan(1);
  });

  it('stays beside a flat normal map', () => {
    const flat = mipChain(
      map(32, 32, () => [0.2, 0.1, 1]),
      'normal',
      LINEAR,
    ).normals!;
    for (const { bytes } of widened(rough(32, 32, 0), flat)) {
      expect(bytes.filter((_, i) => i % 4 === 1).every((g) => g === 0)).toBe(true);
    }
  });

  it('uses the level of normals whose size is nearest', () => {
    const { normals } = mipChain(map(64, 64, ridges), 'normal', LINEAR);
    // A smaller roughness map: its second level is 16 x 16, as the normals' third one.
    const smaller = widened(rough(32, 32, 40), normals!, 1)[1];
    const at = 8 * 16 + 8;
    expect(Math.abs(smaller.bytes[at * 4 + 1] - expected(40, normals![2].lengths![at] / 65535))).toBeLessThan(1);
    // A larger one: levels that are finer than the normals' averages stay.
    const larger = widened(rough(256, 256, 40), normals!);
    expect(larger.map(({ bytes }) => bytes[bytes.length / 2 + 1] > 40)).toEqual(larger.map(({ width }) => width < 64));
  });

  it('resamples the spread where sizes differ', () => {
    const half: Normal = (x, y) => (y < 32 ? [0, 0, 1] : ridges(x, y));
    const { normals } = mipChain(map(64, 64, half), 'normal', LINEAR);
    const [, level] = widened(rough(72, 72, 30), normals!);
    const column = Array.from({ length: 36 }, (_, y) => level.bytes[(y * 36 + 18) * 4 + 1]);
    expect(column[0]).toBe(30);
    expect(column[35]).toBeGreaterThan(200);
    expect(column.every((g, i) => i === 0 || g >= column[i - 1] - 3)).toBe(true);
  });
});
