// What stands in the browser for Node's modules gives what those give.

import { createHash, randomBytes } from 'node:crypto';
import { compressSync } from 'lz4-napi';
import { describe, expect, test } from 'vitest';
import { createHash as createInBrowser } from '../../src/viewer/standIns/crypto.ts';
import { unpackLz4Block } from '../../src/viewer/standIns/lz4Block.ts';
import { createRequire } from '../../src/viewer/standIns/module.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('SHA-256', () => {
  test('of the standard’s example', () => {
    expect(hex(createInBrowser('sha256').update(Buffer.from('abc')).digest())).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  test('of all lengths around blocks, in one part and in many', () => {
    const bytes = randomBytes(400);
    for (let length = 0; length <= 260; length++) {
      const part = bytes.subarray(0, length);
      const expected = createHash('sha256').update(part).digest('hex');
      expect(hex(createInBrowser('sha256').update(part).digest())).toBe(expected);
      const many = createInBrowser('sha256');
      for (let at = 0; at < length; at += 37) many.update(part.subarray(at, Math.min(length, at + 37)));
      expect(hex(many.digest())).toBe(expected);
    }
  });

  test('of a megabyte', () => {
    const bytes = randomBytes(2 ** 20 + 3);
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(hex(createInBrowser('sha256').update(bytes).digest())).toBe(expected);
  });
});

/** Bytes with runs of many lengths, literals between them, and repeats of what is far before. */
function mixed(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let seed = 1;
  const next = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed >>> 8;
  };
  for (let at = 0; at < length; ) {
    const run = 1 + (next() % 700);
    const kind = next() % 3;
    const from = at > 1000 ? next() % (at - 999) : 0;
    for (let i = 0; i < run && at < length; i++, at++) {
      bytes[at] = kind === 0 ? run & 255 : kind === 1 ? next() : bytes[from + i];
    }
  }
  return bytes;
}

const packed = (bytes: Uint8Array) => new Uint8Array(compressSync(Buffer.from(bytes)).subarray(4));

describe('LZ4', () => {
  test.each([1, 4, 12, 13, 64, 5000, 70_000, 300_000])('gives back %i bytes', (length) => {
    for (const bytes of [mixed(length), new Uint8Array(length), new Uint8Array(randomBytes(length))]) {
      const out = unpackLz4Block(packed(bytes), length);
      expect(Buffer.compare(out as Uint8Array, bytes)).toBe(0);
    }
  });

  test('tells blocks that are too long, too short or damaged, and never writes beyond', () => {
    const bytes = mixed(5000);
    const block = packed(bytes);
    expect(unpackLz4Block(block, 4999)).toBe('too long');
    expect((unpackLz4Block(block, 5001) as Uint8Array).length).toBe(5000);
    expect(unpackLz4Block(block.subarray(0, -1), 5000)).toBe('malformed');
    expect(unpackLz4Block(new Uint8Array(0), 0)).toBe('malformed');
    // One literal, then a match that begins before the output.
    expect(unpackLz4Block(Uint8Array.of(0x10, 65, 2, 0, 0x50, 1, 2, 3, 4, 5), 20)).toBe('malformed');
    expect(unpackLz4Block(Uint8Array.of(0x10, 65, 0, 0, 0x50, 1, 2, 3, 4, 5), 20)).toBe('malformed');
  });

  test('as the readers call it', () => {
    const lz4 = createRequire()('lz4-napi') as { uncompressSync(bytes: Uint8Array): Uint8Array };
    const bytes = mixed(1000);
    const prefixed = (size: number) => Buffer.concat([Buffer.from(Uint32Array.of(size).buffer), packed(bytes)]);
    expect(Buffer.compare(lz4.uncompressSync(prefixed(1000)), bytes)).toBe(0);
    expect(() => lz4.uncompressSync(prefixed(999))).toThrow('too small');
  });
});
