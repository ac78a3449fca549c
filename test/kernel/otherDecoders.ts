// The decoder of ASTC against two of other hands: the one in the module of ktx2-encoder, and astcenc of Arm where it is
// installed.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { astcKtx2, type BlockImage, decode, legalBlocks, randomBlocks, randomWords } from './astcBlocks.ts';

export const MAGENTA = [255, 0, 255, 255];

export type Footprint = readonly [width: number, height: number];

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

/** Blocks along a side of the images. */
const ACROSS = 48;
const COUNT = ACROSS * ACROSS;

/** A square of legal blocks, the same for a footprint in every run. */
export function legalImage([blockWidth, blockHeight]: Footprint, isSrgb: boolean): BlockImage {
  const blocks = legalBlocks(COUNT, [blockWidth, blockHeight], randomWords(99 + blockWidth * blockHeight));
  return { width: ACROSS * blockWidth, height: ACROSS * blockHeight, blockWidth, blockHeight, isSrgb, blocks };
}

export async function compareWithBasis(footprints: readonly Footprint[]): Promise<void> {
  const { NodeBasisEncoder } = await import('ktx2-encoder');
  const module = (await new NodeBasisEncoder().init()) as unknown as Transcoder;

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

  test.each(footprints)('random legal blocks decode as Basis Universal decodes them: %i x %i', (width, height) => {
    const srgb = legalImage([width, height], true);
    const { texels, illegal } = decode(srgb);
    expect(illegal).toBe(0);
    const [colors, alpha] = differences(texels, transcode(srgb));
    expect([...colors.keys()]).toEqual([0]);
    // They take the upper 8 bits of alpha and of linear colours too, as a decoder of 8 bits may.
    expect(greatest(alpha)).toBeLessThanOrEqual(1);
    const linear = { ...srgb, isSrgb: false };
    for (const map of differences(decode(linear).texels, transcode(linear))) {
      expect(greatest(map)).toBeLessThanOrEqual(1);
      expect(map.get(0)!).toBeGreaterThan(0.7 * COUNT * width * height);
    }
  });
}

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

/** What is compared, and the footprints for it. */
interface WithAstcenc {
  readonly decoded: readonly Footprint[];
  readonly encoded: readonly Footprint[];
}

export function compareWithAstcenc({ decoded, encoded }: WithAstcenc): void {
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

  const both = describe.skipIf(version === null);
  both('astcenc (skipped where neither ASTCENC_BIN nor PATH has it)', () => {
    test.each(decoded)('decodes random blocks alike: %i x %i', async (blockWidth, blockHeight) => {
      const blocks = randomBlocks(COUNT, randomWords(blockWidth * 100 + blockHeight));
      // Images end within their last blocks.
      const size = { width: ACROSS * blockWidth - 1, height: ACROSS * blockHeight - 2 };
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

    test.each(encoded)('encodes images that decode alike: %i x %i', async (blockWidth, blockHeight) => {
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
}
