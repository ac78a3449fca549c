// Packing sections: streams that zlib itself reads, of content of many kinds and lengths, always the same bytes.

import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packZlib } from '../../../src/formats/bpx/container/compress.ts';
import { toHex } from './files.ts';

/** Numbers from 0 to below 1, always the same. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const expectBack = (plain: Uint8Array): number => {
  const packed = packZlib(plain);
  expect(Buffer.compare(inflateSync(packed), plain), `${plain.length} bytes`).toBe(0);
  return packed.length;
};

test('nothing, and three bytes, as RFC 1950 and 1951 have them', () => {
  // Header; a last block with fixed codes (bits 1, 10) that ends at once (0000000); Adler-32 of nothing.
  expect(toHex(packZlib(new Uint8Array(0)))).toBe('785e030000000001');
  // "abc" with fixed codes, as every packer writes it; Adler-32 024d0127.
  expect(toHex(packZlib(Uint8Array.of(97, 98, 99)))).toBe('785e4b4c4a0600024d0127');
});

test('runs, noise and words of every length come back', () => {
  const next = numbers(7);
  for (let length = 0; length < 300; length++) {
    expectBack(new Uint8Array(length).fill(length));
    expectBack(Uint8Array.from({ length }, () => next() * 256));
    expectBack(Uint8Array.from({ length }, (_, i) => 'the same words again, '.charCodeAt(i % 22)));
  }
});

test('content of any number of different bytes, in runs and single, comes back', () => {
  const next = numbers(3);
  for (let i = 0; i < 120; i++) {
    const length = Math.floor(next() * 70000);
    const kinds = 1 + Math.floor(next() * 255);
    const longest = next() < 0.5 ? 1 : 400;
    const plain = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const end = Math.min(length, at + 1 + Math.floor(next() * longest));
      plain.fill(next() * kinds, at, end);
      at = end;
    }
    expectBack(plain);
  }
});

test('a skewed alphabet needs codes of at most fifteen bits', () => {
  // Counts like Fibonacci numbers make the deepest tree.
  const counts = [1, 1];
  while (counts.length < 24) counts.push(counts[counts.length - 1] + counts[counts.length - 2]);
  const plain = Uint8Array.from(counts.flatMap((count, i) => new Array<number>(Math.min(count, 6000)).fill(i * 7)));
  const next = numbers(11);
  for (let i = plain.length - 1; i > 0; i--) {
    const k = Math.floor(next() * (i + 1));
    [plain[i], plain[k]] = [plain[k], plain[i]];
  }
  expect(expectBack(plain)).toBeLessThan(plain.length / 2);
});

test('pieces of 4 MiB make one stream, which refers back across their borders', () => {
  const piece = 2 ** 22;
  const next = numbers(5);
  const noise = Uint8Array.from({ length: 30000 }, () => next() * 256);
  for (const length of [piece - 1, piece, piece + 1, 2 * piece + 5]) {
    const plain = new Uint8Array(length);
    for (let at = 0; at < length; at += noise.length) plain.set(noise.subarray(0, length - at), at);
    // All but the first occurrence is a reference: three bytes or so for each 258.
    expect(expectBack(plain)).toBeLessThan(noise.length + length / 40);
  }
  // What cannot be packed takes its own bytes and little more.
  const random = Uint8Array.from({ length: piece + 9 }, () => next() * 256);
  expect(expectBack(random)).toBeLessThan(random.length * 1.001);
});
