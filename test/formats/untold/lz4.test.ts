// Packing of LZ4 blocks: literal bytes, what three decoders make of blocks, the rules at the end of a block, and that none is
// larger than the fast one.

import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { unpackLz4 } from '../../../src/formats/untold/container/compress.ts';
import { packLz4, packLz4Fast, searchedBlock } from '../../../src/formats/untold/container/lz4.ts';
import { decodeLz4Block } from '../../../src/importers/usd/crate/coding/lz4Block.ts';
import { unpackLz4Block } from '../../../src/viewer/standIns/lz4Block.ts';

const { uncompressSync } = createRequire(import.meta.url)('lz4-napi') as typeof import('lz4-napi');

const text = (words: string) => new TextEncoder().encode(words);
const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...text(part)] : [part])));

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

const filled = (length: number, at: (i: number) => number) => Uint8Array.from({ length }, (_, i) => at(i));

/** Vertices of 32 bytes as tiles have them: a grid with heights, a normal in few directions, UVs, no second UVs, white. */
function vertices(count: number): Uint8Array {
  const next = random(count);
  const view = new DataView(new ArrayBuffer(count * 32));
  for (let v = 0; v < count; v++) {
    view.setFloat32(v * 32, 37 + (v % 61) * 0.37, true);
    view.setFloat32(v * 32 + 4, (next() % 1000) / 300, true);
    view.setFloat32(v * 32 + 8, -12 + Math.floor(v / 61) * 0.37, true);
    view.setUint32(v * 32 + 12, 0x1ff00 + (next() % 5), true);
    view.setUint32(v * 32 + 16, 0x400001ff, true);
    view.setUint32(v * 32 + 20, next() % 4096, true);
    view.setUint32(v * 32 + 28, 0xffffffff, true);
  }
  return new Uint8Array(view.buffer);
}

/** Bytes that begin with noise, which comes again `distance` bytes later. */
function again(distance: number): Uint8Array {
  const next = random(distance);
  const noise = filled(distance + 600, () => next() & 255);
  noise.copyWithin(distance, 0, 500);
  return noise;
}

/** What the kernel weighs together. */
const SEGMENT = 2 ** 15;
const noise = random(7);
const letters = random(8);
const CASES: (readonly [string, Uint8Array])[] = [
  ...Array.from({ length: 41 }, (_, n) => [`${n} equal bytes`, new Uint8Array(n).fill(65)] as const),
  ...Array.from({ length: 21 }, (_, n) => [`${n} different bytes`, filled(n, (i) => i)] as const),
  ['noise', filled(70_000, () => noise() & 255)],
  ['few letters', filled(70_000, () => 97 + (letters() % 3))],
  ['zeros in three segments', new Uint8Array(2 * SEGMENT + 77)],
  ['a pattern of 7 bytes', filled(200_000, (i) => i % 7)],
  ['vertices', vertices(3000)],
  ['vertices in two segments', vertices(SEGMENT / 32 + 500)],
  ['ascending uint16', new Uint8Array(Uint16Array.from({ length: 30_000 }, (_, i) => i).buffer)],
  ['a match from 65,535 bytes before', again(65_535)],
  ['a match from 65,536 bytes before', again(65_536)],
  ...[-13, -6, -5, -1, 0, 1, 4, 5, 12, 13].map(
    (more) => [`a segment and ${more} bytes`, filled(SEGMENT + more, (i) => (i >> 3) & 63)] as const,
  ),
];

/** Walks a block and gives what breaks the rules of its end, or the sizes that it states. */
function walked(block: Uint8Array, size: number): string {
  let at = 0;
  let out = 0;
  const length = (start: number) => {
    let sum = start;
    if (start === 15) {
      do sum += block[at];
      while (block[at++] === 255);
    }
    return sum;
  };
  for (;;) {
    const token = block[at++];
    const literals = length(token >> 4);
    at += literals;
    out += literals;
    if (at === block.length) {
      if ((token & 15) !== 0) return 'a length of a match in the last token';
      if (size > 5 && literals < 5) return `${literals} literals at the end`;
      return out === size ? 'sound' : `${out} bytes`;
    }
    if (out > size - 12) return `a match ${size - out} bytes before the end`;
    const distance = block[at] | (block[at + 1] << 8);
    if (distance === 0 || distance > out) return `distance ${distance} at ${out}`;
    at += 2;
    out += length(token & 15) + 4;
  }
}

describe('packLz4', () => {
  it('writes a match between literals', async () => {
    const raw = text('abcdefghabcdefghwxyz12345678');
    // 8 literals and a match of 8 (4 more than the least) from 8 before; 12 literals.
    expect(await packLz4(raw)).toEqual(bytes(0x84, 'abcdefgh', 8, 0, 0xc0, 'wxyz12345678'));
  });

  it('leaves the first match out where a longer one begins a byte later', async () => {
    const raw = text('abcd0bcdefghijk1abcdefghijkuvwxyz123456');
    const block = await packLz4(raw);
    // 15 and 2 literals up to the third "a", a match of 10 from 12 before; 12 literals.
    expect(block).toEqual(bytes(0xf6, 2, 'abcd0bcdefghijk1a', 12, 0, 0xc0, 'uvwxyz123456'));
    expect(block.length).toBeLessThan((await packLz4Fast(raw)).length);
  });

  it('writes lengths of 15 and more, and ends 5 bytes before the end', async () => {
    // One literal, then 299 of the same from one before: 4 + 15 + 255 + 25.
    expect(await packLz4(new Uint8Array(305).fill(7))).toEqual(bytes(0x1f, 7, 1, 0, 255, 25, 0x50, 7, 7, 7, 7, 7));
  });

  it('gives blocks that three decoders read back', async () => {
    const wrong: string[] = [];
    for (const [name, raw] of CASES) {
      const block = searchedBlock(raw);
      const prefixed = new Uint8Array(4 + block.length);
      new DataView(prefixed.buffer).setUint32(0, raw.length, true);
      prefixed.set(block, 4);
      const ours = new Uint8Array(raw.length);
      decodeLz4Block(block, 0, block.length, ours, 0, raw.length);
      const checked = unpackLz4(block, raw.length);
      const results = [uncompressSync(prefixed), ours, unpackLz4Block(block, raw.length)];
      if ('bytes' in checked) results.push(checked.bytes);
      if (results.length < 4 || results.some((result) => Buffer.compare(Buffer.from(result), raw) !== 0))
        wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });

  it('keeps the rules of the end of a block', () => {
    const found = CASES.map(([name, raw]) => [name, walked(searchedBlock(raw), raw.length)]);
    expect(found.filter(([, words]) => words !== 'sound')).toEqual([]);
  });

  it('gives the same bytes again, whatever the memory held, and never more than the fast parse', async () => {
    const before = new Map<string, Uint8Array>();
    for (const [name, raw] of CASES) before.set(name, await packLz4(raw));
    const wrong: string[] = [];
    for (const [name, raw] of [...CASES].reverse()) {
      const block = await packLz4(raw);
      if (Buffer.compare(block, before.get(name) as Uint8Array) !== 0) wrong.push(`${name} differs`);
      if (block.length > (await packLz4Fast(raw)).length) wrong.push(`${name} is larger`);
    }
    expect(wrong).toEqual([]);
  });

  it('makes vertices a tenth smaller than the fast parse', async () => {
    const raw = vertices(3000);
    expect((await packLz4(raw)).length).toBeLessThan((await packLz4Fast(raw)).length * 0.9);
  });
});
