// DDS files: blocks against texels worked out by hand from the format, plain texels, and what is refused. BC7 is held against
// Chromium in test/viewer/page/ddsBlocks.long.test.ts; here a block of each of two modes.

import { describe, expect, test } from 'vitest';
import { decodeBc7 } from '../../src/textures/decode/blocks/bc7.ts';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import { probeImage } from '../../src/textures/decode/probe.ts';
import { type DdsParts, dds } from './ddsFile.ts';

async function read(parts: DdsParts) {
  const bytes = dds(parts);
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) throw new Error(`${info.kind}: ${info.message}`);
  const pixels = await decodeImage(bytes, info);
  if (pixels instanceof ImageFault) throw new Error(pixels.message);
  const texels = Array.from({ length: pixels.data.length / 4 }, (_, i) => [...pixels.data.subarray(i * 4, i * 4 + 4)]);
  return { info, texels };
}

async function faultOf(parts: DdsParts, end?: number): Promise<string> {
  const info = await probeImage(dds(parts).subarray(0, end));
  return info instanceof ImageFault ? `${info.kind}: ${info.message}` : 'no fault';
}

const block = { width: 4, height: 4 } as const;
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
/** Indices 0 to 3 of two bits in each row: 0b11100100. */
const ROWS = 'e4e4e4e4';

describe('blocks', () => {
  // 5:6:5 bits: red is f800, blue 001f; the lower byte comes first.
  test('BC1 has four colours where the first is the larger', async () => {
    const { info, texels } = await read({ ...block, fourCC: 'DXT1', data: hex(`00f8 1f00 ${ROWS}`) });
    expect(info).toMatchObject({ format: 'dds', width: 4, height: 4, alpha: false, grey: false, pages: 1 });
    expect(texels.slice(0, 4)).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [170, 0, 85, 255],
      [85, 0, 170, 255],
    ]);
    expect(texels.slice(12)).toEqual(texels.slice(0, 4));
  });

  test('BC1 has three colours, and texels without alpha, where it is not', async () => {
    const { info, texels } = await read({ ...block, dxgi: 71, data: hex(`1f00 00f8 ${ROWS}`) });
    expect(info.alpha).toBe(true);
    expect(texels.slice(0, 4)).toEqual([
      [0, 0, 255, 255],
      [255, 0, 0, 255],
      [128, 0, 128, 255],
      [0, 0, 0, 0],
    ]);
    // No texel has the fourth colour.
    expect((await read({ ...block, dxgi: 71, data: hex('1f00 00f8 a4a4a4a4') })).info.alpha).toBe(false);
  });

  test('BC2 has four bits of alpha for each texel, and always four colours', async () => {
    const { info, texels } = await read({
      ...block,
      fourCC: 'DXT3',
      data: hex(`10 32 54 76 98 ba dc fe 1f00 00f8 ${ROWS}`),
    });
    expect(info.alpha).toBe(true);
    expect(texels.map(([, , , a]) => a)).toEqual(Array.from({ length: 16 }, (_, i) => i * 17));
    expect(texels[3].slice(0, 3)).toEqual([170, 0, 85]);
  });

  // Indices 0 to 7 of three bits: 0xfac688, the lower byte first.
  const EIGHT = '88c6fa 88c6fa';
  test('BC3 has eight values of alpha between two', async () => {
    const { texels } = await read({ ...block, fourCC: 'DXT5', data: hex(`ff 00 ${EIGHT} 00f8 1f00 00000000`) });
    expect(texels.slice(0, 8).map(([, , , a]) => a)).toEqual([255, 0, 219, 182, 146, 109, 73, 36]);
    expect(texels[9]).toEqual([255, 0, 0, 0]);
  });

  test('BC4 has six values and the ends where the first is not the larger, as greys', async () => {
    const { info, texels } = await read({ ...block, fourCC: 'ATI1', data: hex(`0a 6e ${EIGHT}`) });
    expect(info.grey).toBe(true);
    expect(texels.slice(0, 8)).toEqual([10, 110, 30, 50, 70, 90, 0, 255].map((v) => [v, v, v, 255]));
  });

  test('BC4 with signs runs from -1 to 1', async () => {
    // 127 and -128, which is -127: eight values.
    const { texels } = await read({ ...block, fourCC: 'BC4S', data: hex(`7f 80 ${EIGHT}`) });
    expect(texels.slice(0, 8).map(([v]) => v)).toEqual([255, 0, 219, 182, 146, 109, 73, 36]);
  });

  test('BC5 is X and Y of a normal of length 1', async () => {
    const { texels } = await read({ ...block, dxgi: 83, data: hex('ff 00 000000000000 80 80 000000000000') });
    expect(texels[0]).toEqual([255, 128, 128, 255]);
    const up = await read({ ...block, fourCC: 'ATI2', data: hex('80 80 000000000000 80 80 000000000000') });
    expect(up.texels[5]).toEqual([128, 128, 255, 255]);
  });

  /** Fields of value and bits, from the lowest. */
  const fields = (...list: readonly (readonly [number, number])[]) => {
    let [value, at] = [0n, 0n];
    for (const [field, bits] of list) {
      value |= BigInt(field) << at;
      at += BigInt(bits);
    }
    expect(at).toBe(128n);
    return Uint8Array.from({ length: 16 }, (_, i) => Number((value >> BigInt(i * 8)) & 255n));
  };

  test('BC7, mode 6: two endpoints of eight bits, sixteen steps', async () => {
    const channel = (a: number, b: number) =>
      [
        [a, 7],
        [b, 7],
      ] as const;
    const data = fields(
      [64, 7],
      ...[channel(127, 0), channel(0, 127), channel(64, 64), channel(127, 0)].flat(),
      [1, 1],
      [0, 1],
      [0, 3],
      ...Array.from({ length: 15 }, (_, i) => [i + 1, 4] as const),
    );
    const { info, texels } = await read({ ...block, dxgi: 98, data });
    expect(info.alpha).toBe(true);
    expect(texels[0]).toEqual([255, 1, 129, 255]);
    expect(texels[15]).toEqual([0, 254, 128, 0]);
    // Share 34 of 64: 255 * 30 / 64 is 119.5, (1 * 30 + 254 * 34) / 64 is 135.4, (129 * 30 + 128 * 34) / 64 is 128.5.
    expect(texels[8]).toEqual([120, 135, 128, 120]);
  });

  test('BC7, mode 5: the first rotation changes red and alpha', async () => {
    const data = fields(
      [32, 6],
      [1, 2],
      ...[
        [127, 7],
        [0, 7],
        [0, 7],
        [0, 7],
        [127, 7],
        [127, 7],
      ].map(([v, b]) => [v, b] as const),
      [128, 8],
      [64, 8],
      [0, 31],
      [0, 1],
      [3, 2],
      [0, 28],
    );
    const { texels } = await read({ ...block, dxgi: 99, data });
    expect(texels[0]).toEqual([128, 0, 255, 255]);
    expect(texels[1]).toEqual([64, 0, 255, 255]);
    expect(texels[2]).toEqual([128, 0, 255, 255]);
  });

  test('BC7 is read beyond 2^31 bits', () => {
    const bytes = new Uint8Array(2 ** 28 + 16);
    bytes.set(hex('c0ff3f00 e00f0818 0402a9f1 5c3b9d7e'));
    bytes.copyWithin(2 ** 28, 0, 16);
    const [first, last] = [0, 2 ** 28].map((at) => {
      const out = new Uint8Array(64);
      decodeBc7(bytes, at, out);
      return [...out];
    });
    expect(last).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(8);
  });

  test('BC7 of no mode is black, as the format says', async () => {
    const { texels } = await read({ ...block, dxgi: 98, data: new Uint8Array(16) });
    expect(texels).toEqual(Array.from({ length: 16 }, () => [0, 0, 0, 0]));
  });

  test('sides that are no multiple of four cut the last blocks', async () => {
    const red = `00f8 00f8 00000000`;
    const blue = `1f00 1f00 00000000`;
    const { texels } = await read({ width: 5, height: 2, fourCC: 'DXT1', data: hex(red + blue) });
    expect(texels.map(([r, , b]) => (r > b ? 'r' : 'b')).join('')).toBe('rrrrbrrrrb');
  });
});

describe('plain texels', () => {
  const one = { width: 1, height: 1 } as const;
  test.each<[string, Partial<DdsParts>, string, number[]]>([
    ['RGBA', { dxgi: 28 }, '01020304', [1, 2, 3, 4]],
    ['BGRA in sRGB', { dxgi: 91 }, '01020304', [3, 2, 1, 4]],
    ['BGRX', { dxgi: 88 }, '01020304', [3, 2, 1, 255]],
    ['masks of 24 bits', { bits: 24, masks: [0xff0000, 0xff00, 0xff, 0], flags: 0x40 }, '010203', [3, 2, 1, 255]],
    [
      'masks without the flag for alpha',
      { bits: 32, masks: [0xff, 0xff00, 0xff0000, 0xff000000], flags: 0x40 },
      '01020304',
      [1, 2, 3, 255],
    ],
    ['5:6:5', { dxgi: 85 }, '00f8', [255, 0, 0, 255]],
    ['5:5:5:1', { dxgi: 86 }, 'e083', [0, 255, 0, 255]],
    ['4:4:4:4', { dxgi: 115 }, '2143', [51, 34, 17, 68]],
    ['ten bits', { bits: 32, masks: [0x3ff, 0xffc00, 0x3ff00000, 0xc0000000] }, 'ff03 0080', [255, 0, 0, 170]],
    ['X and Y of a normal', { dxgi: 49 }, 'ff80', [255, 128, 128, 255]],
    ['luminance', { bits: 8, masks: [0xff, 0, 0, 0], flags: 0x20000 }, '63', [99, 99, 99, 255]],
    ['luminance and alpha', { bits: 16, masks: [0xff, 0, 0, 0xff00], flags: 0x20001 }, '6364', [99, 99, 99, 100]],
    ['alpha alone', { bits: 8, masks: [0, 0, 0, 0xff], flags: 0x2 }, '63', [0, 0, 0, 99]],
  ])('%s', async (_, parts, data, wanted) => {
    const { info, texels } = await read({ ...one, ...parts, data: hex(data) });
    expect(texels).toEqual([wanted]);
    if (wanted[3] !== 255) expect(info.alpha).toBe(true);
  });

  test('faces, layers and slices are pages', async () => {
    const data = new Uint8Array(64 * 6);
    expect((await read({ ...block, dxgi: 28, misc: 4, layers: 2, data })).info.pages).toBe(12);
    expect((await read({ ...block, fourCC: 'DXT1', caps2: 0xfe00, data })).info.pages).toBe(6);
    expect((await read({ ...block, fourCC: 'DXT1', caps2: 0x200000, depth: 3, data })).info.pages).toBe(3);
  });
});

describe('what is refused', () => {
  const data = new Uint8Array(16);
  test.each<[string, Partial<DdsParts>, RegExp]>([
    ['BC6H', { dxgi: 95 }, /^unsupported: DDS image of DXGI format 95: only BC1/],
    ['colours multiplied by alpha', { fourCC: 'DXT2' }, /^unsupported: DDS image of format DXT2/],
    [
      'the same in the second header',
      { dxgi: 98, alphaMode: 2 },
      /^unsupported: DDS image whose colours are multiplied/,
    ],
    ['floats of Direct3D 9', { fourCC: 'q\0\0\0' }, /^unsupported: DDS image of format 113/],
    ['a name of every object', { fourCC: 'toSt' }, /^unsupported/],
    ['odd bits', { bits: 12, masks: [15, 0, 0, 0] }, /^unsupported: DDS image with 12 bits/],
    ['masks beyond the bits', { bits: 16, masks: [0xff0000, 0, 0, 0] }, /^damaged/],
    ['no channel', { bits: 24, masks: [0, 0, 0, 0], flags: 0x40 }, /^damaged/],
    ['masks with gaps', { bits: 16, masks: [0x505, 0, 0, 0] }, /^damaged/],
    ['no pixels', { dxgi: 28, width: 0 }, /^damaged/],
    ['too many pixels', { dxgi: 28, width: 70_000 }, /^large/],
    ['fewer bytes than pixels', { dxgi: 28 }, /^cut: DDS of 4 x 4 pixels ends at byte 164/],
  ])('%s', async (_, parts, fault) => {
    expect(await faultOf({ ...block, data, ...parts })).toMatch(fault);
  });

  test('a file that ends early, anywhere', async () => {
    const parts = { ...block, dxgi: 98, data };
    expect(await faultOf(parts)).toBe('no fault');
    for (let end = 4; end < 164; end += 5) expect(await faultOf(parts, end)).toMatch(/^cut/);
  });
});
