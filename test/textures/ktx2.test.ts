// KTX2 textures: blocks written by hand come out as their colours, an encoder's as what went in, and nothing that is
// wrong reaches the decoder.

import { Zstd } from '@hpcc-js/wasm-zstd';
import { NodeBasisEncoder } from 'ktx2-encoder';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import { readKtx2 } from '../../src/textures/decode/ktx2.ts';
import { probeImage } from '../../src/textures/decode/probe.ts';
import { ktx2, solidBlock } from './ktx2File.ts';

const RED = [255, 0, 0, 255];
const SKY = [10, 128, 250, 64];
const blocks = [solidBlock(255, 0, 0, 255), solidBlock(10, 128, 250, 64)];

async function decoded(bytes: Uint8Array) {
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) throw new Error(info.message);
  const pixels = await decodeImage(bytes, info);
  if (pixels instanceof ImageFault) throw new Error(pixels.message);
  return {
    info,
    pixels,
    at: (x: number, y: number) => [...pixels.data.subarray((y * pixels.width + x) * 4).subarray(0, 4)],
  };
}

describe('UASTC', () => {
  test('blocks of one colour, side by side, and a size that cuts the last', async () => {
    const { info, pixels, at } = await decoded(ktx2(7, 3, blocks, { channel: 3 }));
    expect(info).toMatchObject({ format: 'ktx2', width: 7, height: 3, alpha: true, copyable: false });
    expect([pixels.width, pixels.height, pixels.data.length]).toEqual([7, 3, 84]);
    expect([at(0, 0), at(3, 2), at(4, 0), at(6, 2)]).toEqual([RED, RED, SKY, SKY]);
  });

  test('in Zstandard; alpha is what the descriptor says there is', async () => {
    const zstd = await Zstd.load();
    const stored = zstd.compress(Buffer.concat(blocks));
    const { info, at } = await decoded(ktx2(8, 4, blocks, { scheme: 2, stored, channel: 0 }));
    expect(info.alpha).toBe(false);
    expect(at(7, 3).slice(0, 3)).toEqual(SKY.slice(0, 3));
  });

  test('an orientation and a swizzle that glTF allows', async () => {
    const keyValues = [
      ['KTXorientation', 'rd'],
      ['KTXswizzle', 'rgba'],
      ['KTXwriter', 'by hand'],
    ] as const;
    expect((await decoded(ktx2(8, 4, blocks, { keyValues }))).at(0, 0).slice(0, 3)).toEqual([255, 0, 0]);
  });
});

describe('what an encoder makes', () => {
  const files: Record<string, Uint8Array> = {};
  const texel = (x: number, y: number) => [x < 8 ? 240 : 16, 128, y < 8 ? 32 : 200, x < 8 ? 255 : 64];
  beforeAll(async () => {
    // The encoder tells of its progress on the console.
    const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const encoder = new NodeBasisEncoder();
    const data = Uint8Array.from({ length: 16 * 16 }, (_, i) => i).reduce(
      (out, i) => {
        out.set(texel(i % 16, Math.floor(i / 16)), i * 4);
        return out;
      },
      new Uint8Array(16 * 16 * 4),
    );
    const imageDecoder = async () => ({ width: 16, height: 16, data });
    for (const [name, isUASTC] of [
      ['uastc', true],
      ['etc1s', false],
    ] as const) {
      files[name] = await encoder.encode(new Uint8Array(1), {
        isUASTC,
        generateMipmap: true,
        needSupercompression: true,
        imageDecoder,
      });
    }
    quiet.mockRestore();
  });

  test.each(['uastc', 'etc1s'])('%s with mipmaps and alpha', async (name) => {
    const { info, at } = await decoded(files[name]);
    expect(info).toMatchObject({ width: 16, height: 16, alpha: true });
    for (const [x, y] of [
      [1, 1],
      [14, 2],
      [3, 13],
      [12, 12],
    ]) {
      texel(x, y).forEach((value, c) => {
        expect(Math.abs(at(x, y)[c] - value)).toBeLessThanOrEqual(8);
      });
    }
  });

  test('flips and cuts end in an image or in a fault', async () => {
    let state = 7;
    const random = (n: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * n);
    };
    const seen = new Set<string>();
    for (let i = 0; i < 600; i++) {
      const source = files[i % 2 === 0 ? 'uastc' : 'etc1s'];
      let bytes = source.slice();
      if (i % 5 === 0) bytes = bytes.slice(0, random(bytes.length));
      else for (let flips = 1 + random(3); flips > 0; flips--) bytes[12 + random(bytes.length - 12)] ^= 1 << random(8);
      const info = bytes.length < 12 ? new ImageFault('cut', '') : await probeImage(bytes);
      // Large sizes are allowed, but not worth the time here.
      if (!(info instanceof ImageFault) && info.width * info.height > 2 ** 16) continue;
      const result = info instanceof ImageFault ? info : await decodeImage(bytes, info);
      seen.add(result instanceof ImageFault ? result.kind : 'image');
    }
    expect([...seen].sort()).toEqual(['cut', 'damaged', 'image', 'large', 'unsupported']);
    expect((await decoded(files.etc1s)).at(1, 1)[3]).toBeGreaterThan(240);
  });
});

describe('refused before the decoder', () => {
  const cases: [string, (view: DataView) => void, string, RegExp][] = [
    ['another format', (v) => v.setUint32(12, 37, true), 'unsupported', /Vulkan format 37/],
    ['a cube', (v) => v.setUint32(36, 6, true), 'unsupported', /6 faces/],
    ['an array', (v) => v.setUint32(32, 2, true), 'unsupported', /2 layers/],
    ['a volume', (v) => v.setUint32(28, 4, true), 'unsupported', /depth of 4/],
    ['more levels than a chain has', (v) => v.setUint32(40, 5, true), 'damaged', /5 levels for 8 x 4/],
    ['billions of levels', (v) => v.setUint32(40, 4e9, true), 'damaged', /levels/],
    ['no pixels', (v) => v.setUint32(20, 0, true), 'damaged', /blocks|0 x 4/],
    ['more pixels than blocks', (v) => v.setUint32(20, 16000, true), 'damaged', /for 4000 blocks/],
    ['a descriptor past the end', (v) => v.setUint32(48, 4e9, true), 'cut', /data format descriptor/],
    ['a descriptor without samples', (v) => v.setUint32(52, 28, true), 'damaged', /without samples/],
    ['another colour model', (v) => v.setUint8(104 + 12, 134), 'unsupported', /colour model 134/],
    ['UASTC in BasisLZ', (v) => v.setUint32(44, 1, true), 'unsupported', /supercompression scheme 1/],
    ['a level past the end', (v) => v.setBigUint64(80, 2n ** 60n, true), 'cut', /level 0/],
    ['a level longer than the file', (v) => v.setBigUint64(88, 4000n, true), 'cut', /level 0/],
    ['an unpacked size out of proportion', (v) => v.setBigUint64(96, 2n ** 40n, true), 'damaged', /level 0 has/],
    ['global data past the end', (v) => v.setBigUint64(64, 5000n, true), 'cut', /global data/],
  ];
  test.each(cases)('%s', (_, edit, kind, message) => {
    const bytes = ktx2(8, 4, blocks);
    edit(new DataView(bytes.buffer));
    const fault = readKtx2(bytes);
    expect(fault).toBeInstanceOf(ImageFault);
    expect(fault).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  test('a file of the identifier alone, and one upside down', () => {
    expect(readKtx2(ktx2(8, 4, blocks).slice(0, 40))).toMatchObject({ kind: 'cut' });
    for (const pair of [
      ['KTXorientation', 'ru'],
      ['KTXswizzle', 'rrr1'],
    ] as const) {
      expect(readKtx2(ktx2(8, 4, blocks, { keyValues: [pair] }))).toMatchObject({ kind: 'unsupported' });
    }
  });
});
