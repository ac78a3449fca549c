// TGA, BMP and HDR: every variant against texels worked out by hand, and files of hostile or broken content.

import { describe, expect, it } from 'vitest';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import type { TextureUse } from '../../src/textures/decode/imageFormat.ts';
import { probeImage } from '../../src/textures/decode/probe.ts';
import { bmp, hdr, hdrRuns, tga, tgaRuns } from './imageFiles.ts';

async function decode(bytes: Uint8Array, use: TextureUse = 'color') {
  const info = await probeImage(bytes);
  return info instanceof ImageFault ? info : decodeImage(bytes, info, use);
}

async function texels(bytes: Uint8Array, use: TextureUse = 'color'): Promise<number[][]> {
  const pixels = await decode(bytes, use);
  if (pixels instanceof ImageFault) throw new Error(`${pixels.kind}: ${pixels.message}`);
  return Array.from({ length: pixels.data.length / 4 }, (_, i) => [...pixels.data.subarray(i * 4, i * 4 + 4)]);
}

async function faultOf(bytes: Uint8Array): Promise<string> {
  const result = await decode(bytes);
  return result instanceof ImageFault ? result.kind : 'pixels';
}

/** Each beginning of the file, seven bytes longer than the one before, must be a fault; the whole file must be none. */
async function expectCuts(bytes: Uint8Array): Promise<void> {
  for (let length = 0; length < bytes.length; length += 7) {
    expect([length, await faultOf(bytes.slice(0, length))]).not.toEqual([length, 'pixels']);
  }
  expect(await faultOf(bytes)).toBe('pixels');
}

/** Every byte of the first ones turned over: pixels or a fault, never an exception. */
async function expectAnswers(bytes: Uint8Array, max = 160): Promise<void> {
  for (let i = 0; i < Math.min(bytes.length, max); i++) {
    for (const value of [0, 0x7f, 0x80, 0xff, bytes[i] ^ 1]) {
      const broken = bytes.slice();
      broken[i] = value;
      expect(['pixels', 'unsupported', 'cut', 'damaged', 'large']).toContain(await faultOf(broken));
    }
  }
}

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const WHITE = [255, 255, 255, 255];
const size = { width: 2, height: 2 };

describe('TGA', () => {
  // Blue first.
  const bgr = [0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255];
  const bgra = [0, 0, 255, 1, 0, 255, 0, 2, 255, 0, 0, 3, 255, 255, 255, 4];
  const words = [0x00, 0xfc, 0xe0, 0x03, 0x1f, 0x80, 0xff, 0x7f];

  it.each([
    ['from the top', 0x20, [RED, GREEN, BLUE, WHITE]],
    ['from the bottom', 0x00, [BLUE, WHITE, RED, GREEN]],
    ['from the right', 0x30, [GREEN, RED, WHITE, BLUE]],
    ['from the lower right', 0x10, [WHITE, BLUE, GREEN, RED]],
  ])('reads rows and columns %s', async (_, descriptor, expected) => {
    expect(await texels(tga({ ...size, type: 2, depth: 24, pixels: bgr, descriptor }))).toEqual(expected);
    const runs = tgaRuns(bgr, 3);
    expect(await texels(tga({ ...size, type: 10, depth: 24, pixels: runs, descriptor }))).toEqual(expected);
  });

  it('reads alpha where the descriptor counts its bits', async () => {
    const expected = [RED, GREEN, BLUE, WHITE];
    const withAlpha = expected.map(([r, g, b], i) => [r, g, b, i + 1]);
    const file = { ...size, type: 2, depth: 32, pixels: bgra };
    expect(await texels(tga({ ...file, descriptor: 0x28, id: 'my id', footer: true }))).toEqual(withAlpha);
    expect(await texels(tga({ ...file, descriptor: 0x20 }))).toEqual(expected);
    const runs = tgaRuns(bgra, 4);
    expect(await texels(tga({ ...file, type: 10, pixels: runs, descriptor: 0x28 }))).toEqual(withAlpha);
    const bits = [RED, [0, 255, 0, 0], BLUE, [255, 255, 255, 0]];
    expect(await texels(tga({ ...size, type: 2, depth: 16, pixels: words, descriptor: 0x21 }))).toEqual(bits);
    expect(await texels(tga({ ...size, type: 2, depth: 15, pixels: words }))).toEqual(expected);
  });

  it('reads grey with and without alpha', async () => {
    expect(await texels(tga({ width: 2, height: 1, type: 3, depth: 8, pixels: [9, 200] }))).toEqual([
      [9, 9, 9, 255],
      [200, 200, 200, 255],
    ]);
    const pair = { width: 2, height: 1, depth: 16, descriptor: 0x28 };
    const expected = [
      [9, 9, 9, 7],
      [9, 9, 9, 7],
    ];
    expect(await texels(tga({ ...pair, type: 3, pixels: [9, 7, 9, 7] }))).toEqual(expected);
    expect(await texels(tga({ ...pair, type: 11, pixels: [0x81, 9, 7] }))).toEqual(expected);
  });

  it('reads colour maps of every depth', async () => {
    const maps = [
      [15, [0x00, 0x7c, 0xe0, 0x03]],
      [16, [0x00, 0x7c, 0xe0, 0x03]],
      [24, [0, 0, 255, 0, 255, 0]],
      [32, [0, 0, 255, 0, 0, 255, 0, 0]],
    ] as const;
    for (const [depth, bytes] of maps) {
      const file = { width: 3, height: 1, depth: 8, map: { depth, bytes, first: 5 } };
      expect(await texels(tga({ ...file, type: 1, pixels: [6, 5, 6] }))).toEqual([GREEN, RED, GREEN]);
      expect(await texels(tga({ ...file, type: 9, pixels: [0x80, 6, 1, 5, 6] }))).toEqual([GREEN, RED, GREEN]);
      const wide = { ...file, depth: 16, type: 1, pixels: [6, 0, 5, 0, 6, 0] };
      expect(await texels(tga(wide))).toEqual([GREEN, RED, GREEN]);
      expect(await faultOf(tga({ ...file, type: 1, pixels: [6, 5, 7] }))).toBe('damaged');
      expect(await faultOf(tga({ ...file, type: 1, pixels: [6, 5, 4] }))).toBe('damaged');
    }
  });

  it('reads one pixel, and refuses sides that no texture has', async () => {
    expect(await texels(tga({ width: 1, height: 1, type: 2, depth: 24, pixels: [1, 2, 3] }))).toEqual([[3, 2, 1, 255]]);
    expect(await faultOf(tga({ width: 1, height: 65535, type: 3, depth: 8, pixels: Array(65535).fill(1) }))).toBe(
      'large',
    );
    expect(await faultOf(tga({ width: 16384, height: 16384, type: 10, depth: 24, pixels: [0xff, 1, 2, 3] }))).toBe(
      'cut',
    );
    expect(await faultOf(tga({ ...size, type: 0, depth: 24, pixels: bgr, footer: true }))).toBe('unsupported');
  });

  it('answers files that are cut or broken', async () => {
    const runs = tga({ ...size, type: 10, depth: 32, pixels: tgaRuns(bgra, 4), descriptor: 0x28 });
    await expectCuts(runs);
    await expectCuts(tga({ ...size, type: 2, depth: 24, pixels: bgr }));
    await expectAnswers(runs);
    await expectAnswers(tga({ ...size, type: 1, depth: 8, map: { depth: 24, bytes: bgr }, pixels: [0, 1, 2, 3] }));
  });
});

describe('BMP', () => {
  const palette = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0];

  it('reads 1, 4 and 8 bits, with rows from the bottom or the top', async () => {
    const two = palette.slice(0, 8);
    const one = { header: 40, width: 2, depth: 1, palette: two, pixels: [0b01000000, 0, 0, 0, 0b10000000, 0, 0, 0] };
    expect(await texels(bmp({ ...one, height: 2 }))).toEqual([GREEN, RED, RED, GREEN]);
    expect(await texels(bmp({ ...one, height: -2 }))).toEqual([RED, GREEN, GREEN, RED]);
    const four = { header: 40, width: 3, height: 1, depth: 4, palette, colors: 4 };
    expect(await texels(bmp({ ...four, pixels: [0x01, 0x20, 0, 0] }))).toEqual([RED, GREEN, BLUE]);
    expect(await faultOf(bmp({ ...four, pixels: [0x01, 0x40, 0, 0] }))).toBe('damaged');
    const eight = { ...four, depth: 8, pixels: [3, 2, 1, 0] };
    expect(await texels(bmp(eight))).toEqual([WHITE, BLUE, GREEN]);
  });

  it('reads 16, 24 and 32 bits', async () => {
    const file = { header: 40, width: 2, height: 1 };
    expect(await texels(bmp({ ...file, depth: 24, pixels: [0, 0, 255, 0, 255, 0, 0, 0] }))).toEqual([RED, GREEN]);
    expect(await texels(bmp({ ...file, depth: 16, pixels: [0x00, 0x7c, 0xe0, 0x03] }))).toEqual([RED, GREEN]);
    // The fourth byte means nothing without a mask.
    expect(await texels(bmp({ ...file, depth: 32, pixels: [0, 0, 255, 9, 0, 255, 0, 0] }))).toEqual([RED, GREEN]);
  });

  it.each([40, 52, 56, 108, 124])('reads bit fields with a header of %i bytes', async (header) => {
    const file = { header, width: 2, height: 1, compression: 3 };
    const masks = [0xf800, 0x07e0, 0x001f];
    const words = [0x00, 0xf8, 0xe0, 0x07];
    expect(await texels(bmp({ ...file, depth: 16, masks, pixels: words }))).toEqual([RED, GREEN]);
    const wide = { ...file, depth: 32, masks: [0xff, 0xff00, 0xff0000, 0xff000000], pixels: [1, 2, 3, 4, 5, 6, 7, 0] };
    const alpha = header >= 56;
    expect(await texels(bmp({ ...wide, masks: alpha ? wide.masks : wide.masks.slice(0, 3) }))).toEqual([
      [1, 2, 3, alpha ? 4 : 255],
      [5, 6, 7, alpha ? 0 : 255],
    ]);
    if (header === 40) expect((await texels(bmp({ ...wide, compression: 6 })))[0]).toEqual([1, 2, 3, 4]);
    expect(await faultOf(bmp({ ...wide, masks: [0xf0f, 0xf000, 0xf0000, 0] }))).toBe('damaged');
  });

  it('takes ten bits a channel by their upper eight', async () => {
    const masks = [0x3ff00000, 0x000ffc00, 0x000003ff];
    const value = ((1023 << 20) | (512 << 10) | 3) >>> 0;
    const pixels = [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
    const file = { header: 108, width: 1, height: 1, depth: 32, compression: 3, masks: [...masks, 0], pixels };
    expect(await texels(bmp(file))).toEqual([[255, 128, 0, 255]]);
  });

  it('refuses what it cannot hold', async () => {
    const file = { header: 40, width: 2, height: 1, depth: 24, pixels: [0, 0, 255, 0, 255, 0, 0, 0] };
    expect(await faultOf(bmp({ ...file, width: 100_000, height: 100_000 }))).toBe('large');
    expect(await faultOf(bmp({ ...file, width: 1, height: 65_536 }))).toBe('large');
    expect(await faultOf(bmp({ ...file, width: -2 }))).toBe('damaged');
    expect(await faultOf(bmp({ ...file, height: -(2 ** 31) }))).toBe('large');
    expect(await faultOf(bmp({ ...file, compression: 4 }))).toBe('unsupported');
    expect(await faultOf(bmp({ ...file, header: 12 }))).toBe('unsupported');
    expect(await faultOf(bmp({ ...file, header: 64 }))).toBe('unsupported');
    expect(await faultOf(bmp({ ...file, depth: 8, compression: 1 }))).toBe('unsupported');
    expect(await faultOf(bmp({ ...file, depth: 4, compression: 2 }))).toBe('unsupported');
    expect(await faultOf(bmp({ ...file, depth: 8, colors: 300 }))).toBe('damaged');
  });

  it('answers files that are cut or broken', async () => {
    const file = { header: 40, width: 4, height: 2, palette, colors: 4, depth: 8, pixels: [0, 1, 2, 3, 3, 2, 1, 0] };
    const indices = bmp(file);
    const fields = { header: 124, width: 2, height: 1, depth: 32, compression: 3, masks: [255, 0xff00, 0xff0000, 0] };
    const masked = bmp({ ...fields, pixels: [1, 2, 3, 4, 5, 6, 7, 0] });
    await expectCuts(masked);
    await expectAnswers(masked);
    await expectCuts(indices);
    await expectAnswers(indices);
  });
});

describe('HDR', () => {
  // Exponent 129 doubles n / 256: 128 is 1, 64 is a half; 136 leaves n as it is.
  const pixels = [
    [128, 64, 0, 129],
    [32, 128, 128, 129],
    [255, 0, 0, 136],
    [0, 0, 0, 0],
  ];
  const linear = [
    [255, 128, 0, 255],
    [64, 255, 255, 255],
    [255, 0, 0, 255],
    [0, 0, 0, 255],
  ];

  it('reads plain pixels as linear data, and as colours in sRGB', async () => {
    const bytes = hdr('-Y 2 +X 2', pixels.flat());
    expect(await texels(bytes, 'data')).toEqual(linear);
    // IEC 61966-2-1: 0.5 is 187.5 of 255, a quarter 137.
    expect(await texels(bytes, 'color')).toEqual([
      [255, 188, 0, 255],
      [137, 255, 255, 255],
      [255, 0, 0, 255],
      [0, 0, 0, 255],
    ]);
    expect(await decode(bytes, 'data')).toMatchObject({ clamped: true });
    expect(await decode(hdr('-Y 1 +X 2', pixels.slice(0, 2).flat()), 'data')).toMatchObject({ clamped: false });
  });

  it.each([
    ['+Y 2 +X 2', [2, 3, 0, 1]],
    ['-Y 2 -X 2', [1, 0, 3, 2]],
    ['+Y 2 -X 2', [3, 2, 1, 0]],
  ])('reads the orientation %s', async (resolution, order) => {
    expect(await texels(hdr(resolution, pixels.flat()), 'data')).toEqual(order.map((i) => linear[i]));
  });

  it('reads both run-length encodings', async () => {
    const row = [0, 0, 0, 1, 1, 2, 3, 3, 3, 3];
    const newer = [...hdrRuns(row.map((i) => pixels[i])), ...hdrRuns(row.map((i) => pixels[3 - i]))];
    expect(await texels(hdr('-Y 2 +X 10', newer), 'data')).toEqual([
      ...row.map((i) => linear[i]),
      ...row.map((i) => linear[3 - i]),
    ]);
    const older = [...pixels[0], 1, 1, 1, 2, ...pixels[1], 1, 1, 1, 1];
    expect(await texels(hdr('-Y 1 +X 5', older), 'data')).toEqual([0, 0, 0, 1, 1].map((i) => linear[i]));
    const long = [...pixels[1], 1, 1, 1, 3, 1, 1, 1, 1];
    expect(await texels(hdr('-Y 1 +X 260', long), 'data')).toEqual(Array(260).fill(linear[1]));
  });

  it('refuses what it cannot hold', async () => {
    const row = pixels.slice(0, 2).flat();
    expect(await faultOf(hdr('-Y 1 +X 2', row, '32-bit_rle_xyze'))).toBe('unsupported');
    expect(await faultOf(hdr('+X 2 -Y 1', row))).toBe('unsupported');
    expect(await faultOf(hdr('nothing', row))).toBe('damaged');
    expect(await faultOf(hdr('-Y 100000 +X 100000', row))).toBe('large');
    expect(await faultOf(hdr('-Y 65536 +X 1', row))).toBe('large');
    expect(await faultOf(hdr('-Y 1 +X 2', [1, 1, 1, 1, ...row]))).not.toBe('pixels');
    expect(await faultOf(hdr('-Y 1 +X 16', [2, 2, 0, 15, ...row, ...row]))).toBe('damaged');
    expect(await faultOf(hdr('-Y 1 +X 16', [2, 2, 0, 16, 128, ...row, ...row]))).not.toBe('pixels');
  });

  it('answers files that are cut or broken', async () => {
    const row = Array.from({ length: 12 }, (_, i) => pixels[i % 3]);
    const bytes = hdr('-Y 2 +X 12', [...hdrRuns(row), ...hdrRuns(row)]);
    await expectCuts(bytes);
    await expectAnswers(bytes, 400);
  });
});
