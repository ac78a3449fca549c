// OpenEXR: every compression, sample type and layout against values worked out by hand, and files of hostile content.

import { describe, expect, it } from 'vitest';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import type { TextureUse } from '../../src/textures/decode/imageFormat.ts';
import { probeImage } from '../../src/textures/decode/probe.ts';
import { COMPRESSIONS, type ExrOptions, type ExrPlane, exr } from './exrFile.ts';

async function decode(bytes: Uint8Array, use: TextureUse = 'data') {
  const info = await probeImage(bytes);
  return info instanceof ImageFault ? info : decodeImage(bytes, info, use);
}

async function data(bytes: Uint8Array, use: TextureUse = 'data'): Promise<number[]> {
  const pixels = await decode(bytes, use);
  if (pixels instanceof ImageFault) throw new Error(`${pixels.kind}: ${pixels.message}`);
  return [...pixels.data];
}

async function faultOf(bytes: Uint8Array): Promise<string> {
  const result = await decode(bytes);
  return result instanceof ImageFault ? result.kind : 'pixels';
}

/** Bits of the halves of n / 256 for n from 0 to 255. */
const half = (n: number): number => {
  if (n === 0) return 0;
  const exponent = Math.floor(Math.log2(n));
  return ((exponent - 8 + 15) << 10) | ((n * 2 ** (10 - exponent)) & 1023);
};
/** The byte of n / 256. */
const byte = (n: number): number => Math.round((n * 255) / 256);

type Pattern = (x: number, y: number, c: number) => number;
const PATTERNS: readonly (readonly [string, Pattern])[] = [
  ['smooth', (x, y, c) => (x * 3 + y * 2 + c * 50) % 256],
  ['one value', (_x, _y, c) => 60 + c],
  ['noise', (x, y, c) => ((x * 7919 + y * 104729 + c * 15485863) * 48271) % 251],
];

function planes(names: string, type: number, pattern: Pattern): ExrPlane[] {
  return [...names].sort().map((name) => {
    const c = names.indexOf(name);
    const value = (x: number, y: number) => (type === 1 ? half(pattern(x, y, c)) : pattern(x, y, c) / 256);
    return { name, type, value };
  });
}

function expected(width: number, height: number, channels: number, pattern: Pattern): number[] {
  const out: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 4; c++) out.push(c < channels ? byte(pattern(x, y, c)) : 255);
    }
  }
  return out;
}

const RGB: ExrOptions = { width: 3, height: 2, compression: 'none', planes: planes('RGB', 1, PATTERNS[0][1]) };

describe.each(COMPRESSIONS)('EXR in %s', (compression) => {
  it.each(PATTERNS)('reads %s halves and floats of every size', async (_, pattern) => {
    for (const [width, height] of [
      [1, 1],
      [3, 2],
      [19, 35],
    ]) {
      for (const type of [1, 2]) {
        for (const names of ['RGB', 'RGBA']) {
          const bytes = exr({ width, height, compression, planes: planes(names, type, pattern) });
          expect(await data(bytes)).toEqual(expected(width, height, names.length, pattern));
        }
      }
    }
  });

  it('reads tiles', async () => {
    const pattern = PATTERNS[0][1];
    const file = { width: 21, height: 13, compression, tile: [8, 8] as const, planes: planes('RGBA', 1, pattern) };
    expect(await data(exr(file))).toEqual(expected(21, 13, 4, pattern));
  });

  it('reads whole numbers', async () => {
    const plane = { name: 'id', type: 0, value: (x: number) => x % 2 };
    const grey = await data(exr({ width: 40, height: 3, compression, planes: [plane] }));
    expect(grey).toEqual(Array.from({ length: 120 }, (_, i) => (i % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255])).flat());
  });

  it('answers files that are cut or broken', async () => {
    const bytes = exr({ width: 19, height: 35, compression, planes: planes('RGB', 1, PATTERNS[0][1]) });
    for (let length = 0; length < bytes.length; length += 7) {
      expect([length, await faultOf(bytes.slice(0, length))]).not.toEqual([length, 'pixels']);
    }
    for (let i = 0; i < bytes.length; i += 3) {
      const broken = bytes.slice();
      broken[i] ^= 0xff;
      expect(['pixels', 'unsupported', 'cut', 'damaged', 'large']).toContain(await faultOf(broken));
    }
  });
});

describe('EXR', () => {
  it('encodes colours as sRGB, but not alpha', async () => {
    const value = (v: number) => () => v;
    const file = exr({
      width: 1,
      height: 1,
      compression: 'none',
      planes: [
        { name: 'A', type: 2, value: value(0.5) },
        { name: 'B', type: 2, value: value(0.25) },
        { name: 'G', type: 2, value: value(0.5) },
        { name: 'R', type: 2, value: value(1) },
      ],
    });
    // IEC 61966-2-1: 0.5 is 187.5 of 255, a quarter 137.
    expect(await data(file, 'color')).toEqual([255, 188, 137, 128]);
    expect(await data(file, 'data')).toEqual([255, 128, 64, 128]);
  });

  it.each([
    [-0.5, 0],
    [2, 255],
    [Infinity, 255],
    [-Infinity, 0],
    [NaN, 0],
  ])('clamps %s and says so', async (value, expected) => {
    const plane = { name: 'Y', type: 2, value: (x: number) => (x === 0 ? value : 0.25) };
    const pixels = await decode(exr({ width: 2, height: 1, compression: 'none', planes: [plane] }));
    expect(pixels).toMatchObject({ clamped: true });
    expect([...(pixels as { data: Uint8Array }).data]).toEqual([...Array(3).fill(expected), 255, 64, 64, 64, 255]);
    const within = { ...plane, value: () => 1 };
    const whole = exr({ width: 2, height: 1, compression: 'none', planes: [within] });
    expect(await decode(whole)).toMatchObject({ clamped: false });
  });

  it('shows the display window: what is not stored is transparent black', async () => {
    const origin = [-1, 4] as const;
    const inner = exr({ ...RGB, origin, display: [0, 4, 1, 5] });
    const all = expected(3, 2, 3, PATTERNS[0][1]);
    expect(await data(inner)).toEqual([...all.slice(4, 12), ...all.slice(16, 24)]);
    const outer = await data(exr({ ...RGB, origin, display: [-2, 5, 2, 5] }));
    expect(outer).toEqual([0, 0, 0, 0, ...all.slice(12, 24), 0, 0, 0, 0]);
  });

  it.each([
    ['several parts', exr({ ...RGB, flags: 0x1000 }), 'unsupported'],
    ['deep pixels', exr({ ...RGB, flags: 0x800 }), 'unsupported'],
    ['B44', exr({ ...RGB, code: 6 }), 'unsupported'],
    ['an unknown compression', exr({ ...RGB, code: 77 }), 'unsupported'],
    ['channels of layers', exr({ ...RGB, planes: planes('XYZ', 1, PATTERNS[0][1]) }), 'unsupported'],
    ['a window of 100000 pixels', exr({ ...RGB, display: [0, 0, 99_999, 99_999] }), 'large'],
    ['an empty window', exr({ ...RGB, display: [5, 0, 4, 0] }), 'damaged'],
    ['the widest window', exr({ ...RGB, display: [-(2 ** 31), 0, 2 ** 31 - 1, 0] }), 'large'],
  ])('refuses %s', async (_, bytes, kind) => {
    expect(await faultOf(bytes)).toBe(kind);
  });

  it('refuses a chunk that unpacks to more than its pixels', async () => {
    const { deflateSync } = await import('node:zlib');
    const wide = { ...RGB, width: 4000, compression: 'zip' as const };
    const bomb = deflateSync(Buffer.alloc(2 ** 24));
    expect(await faultOf(exr({ ...wide, pack: () => bomb }))).toBe('damaged');
    const runs = Buffer.alloc(2000, 0x7f);
    expect(await faultOf(exr({ ...wide, compression: 'rle', pack: () => runs }))).toBe('damaged');
  });
});
