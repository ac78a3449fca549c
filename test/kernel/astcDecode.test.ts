// The ASTC decoder: blocks worked out by hand from the Khronos Data Format Specification, and random ones against two decoders
// of other hands: the one in the module of ktx2-encoder, and astcenc of Arm where it is installed.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  astcKtx2,
  type BlockImage,
  decode,
  FOOTPRINTS,
  firstIllegal,
  legalBlocks,
  randomBlocks,
  randomWords,
} from './astcBlocks.ts';

const MAGENTA = [255, 0, 255, 255];

/** One block of 4 by 4 texels. */
function decodeOne(hex: string, isSrgb: boolean, [blockWidth, blockHeight] = [4, 4]): number[][] {
  const blocks = Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  const { texels } = decode({ width: blockWidth, height: blockHeight, blockWidth, blockHeight, isSrgb, blocks });
  return Array.from({ length: texels.length / 4 }, (_, i) => [...texels.subarray(i * 4, i * 4 + 4)]);
}

const grey = (value: number) => [value, value, value, 255];
const legality = (hex: string, [width, height] = [4, 4]) =>
  firstIllegal(Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')), width, height) === 1;

describe('blocks worked out by hand', () => {
  // Void extent without coordinates: 0x1fc, no HDR, two bits of 1; then red 0x12f0, green 0xffff, blue 0, alpha 0x8000.
  const VOID = 'fc fd ff ff ff ff ff ff f0 12 ff ff 00 00 00 80';

  test('a void extent is one colour: sRGB by its upper 8 bits, others as half floats', () => {
    // 0x12f0 / 65536 * 255 is 18.86, 0x8000 / 65536 * 255 is 127.5.
    expect(decodeOne(VOID, false)).toEqual(Array(16).fill([19, 255, 0, 128]));
    expect(decodeOne(VOID, true)).toEqual(Array(16).fill([18, 255, 0, 128]));
    expect(decodeOne(VOID, true, [12, 10])).toEqual(Array(120).fill([18, 255, 0, 128]));
  });

  // A grid of 4 by 4 weights in 2 bits (mode 0x42), one partition, luminance from 16 to 208 in 8 bits each at bit 17. The
  // weights of each row are 0, 1, 2, 3, from bit 127 down, lowest bit first.
  const RAMP = '42 00 20 a0 01 00 00 00 00 00 00 00 27 27 27 27';

  test('weights of 2 bits lie at 0, 21, 43 and 64 of 64 between the end points', () => {
    // (4112 * 43 + 53456 * 21 + 32) >> 6 is 20303, as a half float 20288 / 65536: 78.94 of 255.
    const row = [grey(16), grey(79), grey(145), grey(208)];
    expect(decodeOne(RAMP, false)).toEqual([...row, ...row, ...row, ...row]);
    expect(decodeOne(RAMP, true)).toEqual([...row, ...row, ...row, ...row]);
  });

  test('a grid smaller than the block is spread over it', () => {
    // 8 by 8 texels: column s is at s * 146 * 3 / 64 sixteenths of a cell, so columns 0 and 7 are those of the grid.
    const texels = decodeOne(RAMP, true, [8, 8]);
    const first = texels.slice(0, 8).map(([red]) => red);
    expect([first[0], first[7]]).toEqual([16, 208]);
    // Column 1 is 7 sixteenths of the way from weight 0 to weight 21: 9 of 64.
    expect(first[1]).toBe((4224 * 55 + 53376 * 9 + 32) >> 14);
    for (let row = 1; row < 8; row++) expect(texels.slice(row * 8, row * 8 + 8)).toEqual(texels.slice(0, 8));
  });

  test('the image ends where its texels end, whatever the last blocks hold', () => {
    const blocks = new Uint8Array(16 * 4);
    for (let i = 0; i < 4; i++) blocks.set(Buffer.from((i === 3 ? VOID : RAMP).replaceAll(' ', ''), 'hex'), i * 16);
    const { texels, illegal } = decode({ width: 5, height: 6, blockWidth: 4, blockHeight: 4, isSrgb: true, blocks });
    expect(illegal).toBe(0);
    const red = Array.from({ length: 6 }, (_, y) => Array.from({ length: 5 }, (_, x) => texels[(y * 5 + x) * 4]));
    expect(red[3]).toEqual([16, 79, 145, 208, 16]);
    expect(red[4]).toEqual([16, 79, 145, 208, 18]);
  });

  test.each([
    ['a reserved block mode', '00'.repeat(16)],
    ['a void extent of the HDR profile', 'fc ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00'],
    ['a void extent without its bits of 1', 'fc f1 ff ff ff ff ff ff 00 00 00 00 00 00 00 00'],
    // S from 1 to 0.
    ['a void extent that ends before it begins', 'fc 1d 00 00 00 00 00 00 00 00 00 00 00 00 00 00'],
    // Mode 0x42 with 5 rows: bits 5 and 6.
    ['a grid larger than the block', '62 00 20 a0 01 00 00 00 00 00 00 00 27 27 27 27'],
    // Four partitions with two planes: bit 10, bits 11 and 12.
    ['four partitions in two planes', '42 1c 00 00 00 00 00 00 00 00 00 00 00 00 00 00'],
    // Mode 2 of the end points, an HDR one, at bit 13.
    ['end points of the HDR profile', '42 40 20 a0 01 00 00 00 00 00 00 00 27 27 27 27'],
  ])('%s is magenta', (_, hex) => {
    expect(decodeOne(hex, false)).toEqual(Array(16).fill(MAGENTA));
    expect(decodeOne(hex, true)).toEqual(Array(16).fill(MAGENTA));
    expect(legality(hex)).toBe(false);
  });

  test('legal blocks are told from others', () => {
    expect(legality(VOID)).toBe(true);
    expect(legality(RAMP)).toBe(true);
    const blocks = Buffer.from(`${RAMP}${VOID}${'00'.repeat(16)}${RAMP}`.replaceAll(' ', ''), 'hex');
    expect(firstIllegal(Uint8Array.from(blocks), 4, 4)).toBe(2);
  });
});

/** How often each difference of a channel occurs: [colours, alpha]. */
function differences(ours: Uint8Array, theirs: Uint8Array): [Map<number, number>, Map<number, number>] {
  expect(theirs.length).toBe(ours.length);
  const found: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  for (let i = 0; i < ours.length; i++) {
    const map = found[(i & 3) === 3 ? 1 : 0];
    map.set(ours[i] - theirs[i], (map.get(ours[i] - theirs[i]) ?? 0) + 1);
  }
  return found;
}

const greatest = (map: ReadonlyMap<number, number>) => Math.max(...[...map.keys()].map(Math.abs));

interface Transcoder {
  readonly KTX2File: new (
    bytes: Uint8Array,
  ) => {
    startTranscoding(): number;
    transcodeImage(to: Uint8Array, ...rest: readonly number[]): number;
    close(): void;
    delete(): void;
  };
  readonly transcoder_texture_format: { readonly cTFRGBA32: { readonly value: number } };
}

describe('random legal blocks decode as Basis Universal decodes them', async () => {
  const { NodeBasisEncoder } = await import('ktx2-encoder');
  const module = (await new NodeBasisEncoder().init()) as unknown as Transcoder;
  const across = 48;
  const count = across * across;

  /** A square of blocks. */
  function image([blockWidth, blockHeight]: readonly [number, number], isSrgb: boolean, seed: number): BlockImage {
    const blocks = legalBlocks(count, [blockWidth, blockHeight], randomWords(seed));
    return { width: across * blockWidth, height: across * blockHeight, blockWidth, blockHeight, isSrgb, blocks };
  }

  function transcode(given: BlockImage): Uint8Array {
    const file = new module.KTX2File(astcKtx2(given));
    expect(file.startTranscoding()).toBe(1);
    const texels = new Uint8Array(given.width * given.height * 4);
    const format = module.transcoder_texture_format.cTFRGBA32.value;
    expect(file.transcodeImage(texels, 0, 0, 0, format, 0, -1, -1)).toBe(1);
    file.close();
    file.delete();
    return texels;
  }

  test.each(FOOTPRINTS)('%i x %i', (width, height) => {
    const srgb = image([width, height], true, 99 + width * height);
    const { texels, illegal } = decode(srgb);
    expect(illegal).toBe(0);
    const [colors, alpha] = differences(texels, transcode(srgb));
    expect([...colors.keys()]).toEqual([0]);
    // They take the upper 8 bits of alpha and of linear colours too, as a decoder of 8 bits may.
    expect(greatest(alpha)).toBeLessThanOrEqual(1);
    const linear = { ...srgb, isSrgb: false };
    for (const map of differences(decode(linear).texels, transcode(linear))) {
      expect(greatest(map)).toBeLessThanOrEqual(1);
      expect(map.get(0)!).toBeGreaterThan(0.7 * count * width * height);
    }
  });

  test('every number of partitions, every mode of end points and both numbers of planes are among them', () => {
    const seen = { partitions: new Set<number>(), modes: new Set<number>(), planes: new Set<number>() };
    for (const footprint of FOOTPRINTS) {
      const { blocks } = image(footprint, true, 99 + footprint[0] * footprint[1]);
      for (let at = 0; at < blocks.length; at += 16) {
        const bits = blocks[at] | (blocks[at + 1] << 8) | (blocks[at + 2] << 16);
        if ((bits & 0x1ff) === 0x1fc) continue;
        seen.partitions.add(((bits >> 11) & 3) + 1);
        if (((bits >> 11) & 3) === 0) seen.modes.add((bits >> 13) & 15);
        // Grids of 6 to 9 weights a side use bit 10 for their height.
        const isSquare = (bits & 3) === 0 && ((bits >> 7) & 3) === 2;
        seen.planes.add(isSquare ? 1 : ((bits >> 10) & 1) + 1);
      }
    }
    const sorted = (set: ReadonlySet<number>) => [...set].sort((a, b) => a - b);
    expect(sorted(seen.partitions)).toEqual([1, 2, 3, 4]);
    expect(sorted(seen.planes)).toEqual([1, 2]);
    expect(sorted(seen.modes)).toEqual([0, 1, 4, 5, 6, 8, 9, 10, 12, 13]);
  });
});

const astcenc = process.env.ASTCENC_BIN ?? 'astcenc';

/** The version of astcenc; null where it is not installed. */
function installedVersion(): number | null {
  try {
    const [, version] = /astcenc v(\d+\.\d+)/.exec(execFileSync(astcenc, ['-version'], { encoding: 'utf8' })) ?? [];
    return version === undefined ? null : Number(version);
  } catch {
    return null;
  }
}

const version = installedVersion();

describe.skipIf(version === null)('astcenc (skipped where neither ASTCENC_BIN nor PATH has it)', () => {
  /** From 4.7 on it gives the upper 8 bits of linear colours instead of rounding their half floats. */
  const roundsHalves = version !== null && version < 4.7;

  async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), 'untold-astc-'));
    try {
      return await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  function astcFile({ width, height, blockWidth, blockHeight, blocks }: BlockImage): Uint8Array {
    const head = Buffer.alloc(16);
    Buffer.from([0x13, 0xab, 0xa1, 0x5c, blockWidth, blockHeight, 1]).copy(head);
    head.writeUIntLE(width, 7, 3);
    head.writeUIntLE(height, 10, 3);
    head.writeUIntLE(1, 13, 3);
    return Buffer.concat([head, blocks]);
  }

  function theirs(given: BlockImage): Promise<Uint8Array> {
    return withFolder(async (folder) => {
      const [from, to] = [join(folder, 'a.astc'), join(folder, 'a.png')];
      writeFileSync(from, astcFile(given));
      execFileSync(astcenc, [given.isSrgb ? '-ds' : '-dl', from, to]);
      return sharp(to, { ignoreIcc: true }).ensureAlpha().raw().toBuffer();
    });
  }

  test.each(FOOTPRINTS)('decodes random blocks alike: %i x %i', async (blockWidth, blockHeight) => {
    const across = 48;
    const blocks = randomBlocks(across * across, randomWords(blockWidth * 100 + blockHeight));
    // Images end within their last blocks.
    const size = { width: across * blockWidth - 1, height: across * blockHeight - 2 };
    for (const isSrgb of [false, true]) {
      const image = { ...size, blockWidth, blockHeight, isSrgb, blocks };
      const ours = decode(image);
      const other = await theirs(image);
      // Where a partition has HDR end points, versions before 4.7 give a magenta of 254 in linear images.
      for (let at = 0; at < other.length; at += 4) {
        if (other[at] === 254 && other[at + 1] === 0 && other[at + 2] === 254 && other[at + 3] === 254) {
          if (ours.texels.subarray(at, at + 4).join() === '255,0,255,255') other.set(MAGENTA, at);
        }
      }
      const [colors, alpha] = differences(ours.texels, other);
      expect(greatest(colors)).toBeLessThanOrEqual(isSrgb || roundsHalves ? 0 : 1);
      expect(greatest(alpha)).toBeLessThanOrEqual(!isSrgb && roundsHalves ? 0 : 1);
    }
  });

  test.each(FOOTPRINTS)('encodes images that decode alike: %i x %i', async (blockWidth, blockHeight) => {
    const [width, height] = [101, 77];
    const next = randomWords(7);
    const pixels = new Uint8Array(width * height * 4);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const wave = 127 + 120 * Math.sin(x / 7) * Math.cos(y / 5);
        pixels.set([wave, (x * 255) / width, next() & 63, x > 50 ? 255 : (y * 255) / height], (y * width + x) * 4);
      }
    }
    await withFolder(async (folder) => {
      const [from, to] = [join(folder, 'a.png'), join(folder, 'a.astc')];
      await sharp(pixels, { raw: { width, height, channels: 4 } }).toFile(from);
      for (const isSrgb of [false, true]) {
        execFileSync(astcenc, [isSrgb ? '-cs' : '-cl', from, to, `${blockWidth}x${blockHeight}`, '-fast', '-silent']);
        const blocks = new Uint8Array(readFileSync(to)).slice(16);
        const image = { width, height, blockWidth, blockHeight, isSrgb, blocks };
        const { texels, illegal } = decode(image);
        expect(illegal).toBe(0);
        const [colors, alpha] = differences(texels, await theirs(image));
        expect(greatest(colors)).toBeLessThanOrEqual(isSrgb || roundsHalves ? 0 : 1);
        expect(greatest(alpha)).toBeLessThanOrEqual(!isSrgb && roundsHalves ? 0 : 1);
      }
    });
  });
});
