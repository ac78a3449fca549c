// ASTC blocks for tests: images of them as KTX2 files, which another decoder takes, and blocks of random bits.

import { kernel } from '../../src/kernel/kernel.ts';

/** Width and height of every two-dimensional block. */
export const FOOTPRINTS: readonly (readonly [width: number, height: number])[] = [
  [4, 4],
  [5, 4],
  [5, 5],
  [6, 5],
  [6, 6],
  [8, 5],
  [8, 6],
  [8, 8],
  [10, 5],
  [10, 6],
  [10, 8],
  [10, 10],
  [12, 10],
  [12, 12],
];

export interface BlockImage {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly isSrgb: boolean;
  readonly blocks: Uint8Array;
}

/** Our decoder's texels. */
export function decode(image: BlockImage): { readonly texels: Uint8Array; readonly illegal: number } {
  const { width, height, blockWidth, blockHeight, isSrgb, blocks } = image;
  return kernel.within((memory) => {
    const from = memory.put(blocks);
    const to = memory.allocate(width * height * 4);
    const illegal = memory.calls.decodeAstc(from, width, height, blockWidth, blockHeight, isSrgb, to);
    return { texels: memory.uint8(to, width * height * 4).slice(), illegal };
  });
}

/** The number of the first block that is not of the LDR profile; as many as there are if all are. */
export function firstIllegal(blocks: Uint8Array, blockWidth: number, blockHeight: number): number {
  return kernel.within((memory) =>
    memory.calls.firstIllegalBlock(memory.put(blocks), blocks.length / 16, blockWidth, blockHeight),
  );
}

/** Numbers of 32 bits that are the same in every run (xorshift, Marsaglia 2003). */
export function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Blocks of random bits, half of them with one partition, because few of the others are legal. */
export function randomBlocks(count: number, next: () => number): Uint8Array {
  const blocks = new Uint8Array(count * 16);
  for (let i = 0; i < blocks.length; i++) blocks[i] = next() >>> 11;
  for (let i = 0; i < count; i += 2) blocks[i * 16 + 1] &= 0xe7;
  return blocks;
}

/** Legal blocks among random ones. */
export function legalBlocks(count: number, [width, height]: readonly [number, number], next: () => number): Uint8Array {
  const found = new Uint8Array(count * 16);
  for (let done = 0; done < count; ) {
    const some = randomBlocks(1024, next);
    for (let at = 0; at < some.length && done < count; ) {
      const left = some.subarray(at);
      const skipped = firstLegal(left, width, height);
      if (skipped === left.length / 16) break;
      found.set(left.subarray(skipped * 16, skipped * 16 + 16), done * 16);
      done++;
      at += skipped * 16 + 16;
    }
  }
  return found;
}

function firstLegal(blocks: Uint8Array, width: number, height: number): number {
  return kernel.within((memory) => {
    const count = blocks.length / 16;
    const from = memory.put(blocks);
    for (let i = 0; i < count; i++) if (memory.calls.firstIllegalBlock(from + i * 16, 1, width, height) === 1) return i;
    return count;
  });
}

/** VK_FORMAT_ASTC_4x4_UNORM_BLOCK; the sRGB format of each footprint follows its linear one. */
const VULKAN_ASTC_4X4 = 157;

/** A KTX2 file of one level. */
export function astcKtx2({ width, height, blockWidth, blockHeight, isSrgb, blocks }: BlockImage): Uint8Array {
  const index = FOOTPRINTS.findIndex(([w, h]) => w === blockWidth && h === blockHeight);
  const dfd = 104;
  const data = (dfd + 44 + 15) & ~15;
  const out = Buffer.alloc(data + blocks.length);
  Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]).copy(out);
  const format = VULKAN_ASTC_4X4 + 2 * index + (isSrgb ? 1 : 0);
  for (const [i, word] of [format, 1, width, height, 0, 0, 1, 1, 0, dfd, 44].entries()) {
    out.writeUInt32LE(word, 12 + i * 4);
  }
  for (const [i, word] of [data, blocks.length, blocks.length].entries()) {
    out.writeBigUInt64LE(BigInt(word), 80 + i * 8);
  }
  // Basic descriptor: colour model ASTC, primaries BT.709, transfer, flags, block less one, bytes of a block.
  out.writeUInt32LE(44, dfd);
  out.writeUInt32LE((40 << 16) | 2, dfd + 8);
  Buffer.from([162, 1, isSrgb ? 2 : 1, 0, blockWidth - 1, blockHeight - 1, 0, 0, 16]).copy(out, dfd + 12);
  Buffer.from([0, 0, 127, 0]).copy(out, dfd + 28);
  out.writeUInt32LE(0xffffffff, dfd + 40);
  out.set(blocks, data);
  return new Uint8Array(out);
}
