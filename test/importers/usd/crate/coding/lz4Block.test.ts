// Raw LZ4 blocks and the chunk framing, by literal bytes and against an independent encoder.

import { compressSync } from 'lz4-napi';
import { describe, expect, it } from 'vitest';
import { decodeLz4Block, decompress } from '../../../../../src/importers/usd/crate/coding/lz4Block.ts';
import { CrateFault } from '../../../../../src/importers/usd/crate/fault.ts';

const ascii = (text: string): number[] => [...text].map((c) => c.charCodeAt(0));

function unpack(block: readonly number[], size: number): number[] {
  const out = new Uint8Array(size);
  const n = decodeLz4Block(Uint8Array.from(block), 0, block.length, out, 0, size);
  return [...out.subarray(0, n)];
}

describe('decodeLz4Block', () => {
  it('copies literals', () => {
    expect(unpack([0x30, 1, 2, 3], 3)).toEqual([1, 2, 3]);
    expect(unpack([0x00], 0)).toEqual([]);
  });

  it('reads literal lengths of 15 and more, 255 included', () => {
    const text = Array.from({ length: 15 + 255 + 2 }, (_, i) => i & 0xff);
    expect(unpack([0xf0, 255, 2, ...text], text.length)).toEqual(text);
  });

  it('copies matches, overlapping ones too', () => {
    // "abc", then 7 bytes from 3 back, then "xyz".
    expect(unpack([0x33, ...ascii('abc'), 3, 0, 0x30, ...ascii('xyz')], 13)).toEqual(ascii('abcabcabcaxyz'));
    // "a", then 4 + 15 + 30 = 49 bytes from 1 back, then "b".
    expect(unpack([0x1f, 97, 1, 0, 30, 0x10, 98], 51)).toEqual([...ascii('a'.repeat(50)), 98]);
    // "abcde", then 4 + 15 + 41 = 60 bytes from 5 back: 12 times more.
    expect(unpack([0x5f, ...ascii('abcde'), 5, 0, 41, 0x10, 33], 66)).toEqual(ascii(`${'abcde'.repeat(13)}!`));
  });

  it('refuses input that lies about itself', () => {
    const bad: [string, number[], number][] = [
      ['empty', [], 8],
      ['literals beyond the end', [0x50, 1, 2], 8],
      ['literals beyond the output', [0x30, 1, 2, 3], 2],
      ['endless literal length', [0xf0, 255, 255], 1000],
      ['cut offset', [0x10, 1, 5], 8],
      ['offset 0', [0x11, 1, 0, 0, 0x10, 1], 20],
      ['match before the start', [0x10, 1, 2, 0, 0x10, 1], 20],
      ['match beyond the output', [0x1f, 1, 1, 0, 200, 0x10, 1], 20],
      ['endless match length', [0x1f, 1, 1, 0, 255, 255], 2000],
      ['no last literals', [0x10, 1, 1, 0], 20],
    ];
    for (const [what, block, size] of bad) expect(() => unpack(block, size), what).toThrow(CrateFault);
  });

  it('reads what another encoder writes', () => {
    let seed = 12345;
    const next = () => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return seed >>> 16;
    };
    for (const size of [1, 12, 13, 100, 4000, 70000, 300000]) {
      for (const spread of [1, 3, 17, 256]) {
        const data = Uint8Array.from({ length: size }, (_, i) => (spread === 17 ? (i >> 5) % 97 : next() % spread));
        // The library puts the size in four bytes before the raw block.
        const packed = compressSync(Buffer.from(data)).subarray(4);
        const out = new Uint8Array(size);
        expect(decodeLz4Block(packed, 0, packed.length, out, 0, size)).toBe(size);
        expect(Buffer.compare(out, data)).toBe(0);
      }
    }
  });
});

describe('decompress', () => {
  it('takes a leading 0 as one block for the rest', () => {
    const out = new Uint8Array(8);
    expect(decompress(Uint8Array.of(0, 0x20, 7, 8), out)).toBe(2);
    expect([...out]).toEqual([7, 8, 0, 0, 0, 0, 0, 0]);
  });

  it('reads several chunks, each with its size before it and a window of its own', () => {
    const first = [0x14, 5, 1, 0, 0x10, 6]; // 5, eight times 5, 6
    const second = [0x20, 1, 2];
    const block = [2, first.length, 0, 0, 0, ...first, second.length, 0, 0, 0, ...second];
    const out = new Uint8Array(12);
    expect(decompress(Uint8Array.from(block), out)).toBe(12);
    expect([...out]).toEqual([5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 1, 2]);
    // A match in the second chunk may not reach into the first.
    const reaching = [0x10, 1, 3, 0, 0x10, 1];
    const bad = [2, first.length, 0, 0, 0, ...first, reaching.length, 0, 0, 0, ...reaching];
    expect(() => decompress(Uint8Array.from(bad), new Uint8Array(40))).toThrow(CrateFault);
  });

  it('refuses chunks that do not fill the block exactly', () => {
    const out = new Uint8Array(64);
    for (const block of [
      [],
      [0],
      [1, 3, 0, 0],
      [1, 9, 0, 0, 0, 0x10, 1],
      [1, 0, 0, 0, 0],
      [1, 255, 255, 255, 255, 0x10, 1],
      [1, 2, 0, 0, 0, 0x10, 1, 99],
      [2, 2, 0, 0, 0, 0x10, 1],
    ]) {
      expect(() => decompress(Uint8Array.from(block), out), block.join()).toThrow(CrateFault);
    }
  });
});
