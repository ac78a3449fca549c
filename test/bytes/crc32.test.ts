import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { crc32, ownCrc32 } from '../../src/bytes/crc32.ts';

const text = (value: string) => new TextEncoder().encode(value);

describe.each([
  ['the one in use', crc32],
  ['ours', ownCrc32],
])('%s', (_, checksum) => {
  test('gives the published checksums', () => {
    expect(checksum(text(''))).toBe(0);
    // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
    expect(checksum(text('123456789'))).toBe(0xcbf43926);
    expect(checksum(text('The quick brown fox jumps over the lazy dog'))).toBe(0x414fa339);
    // The checksum that ends every PNG file.
    expect(checksum(text('IEND'))).toBe(0xae426082);
    expect(checksum(new Uint8Array(32).fill(255))).toBe(0xff6cab0b);
  });

  test('reads a view from its own offset', () => {
    const bytes = text('xx123456789yy');
    expect(checksum(bytes.subarray(2, 11))).toBe(0xcbf43926);
  });
});

test('both agree on every length of a tail', () => {
  const bytes = Uint8Array.from({ length: 67 }, (_, i) => (i * 37 + 11) & 255);
  for (let length = 0; length <= bytes.length; length++) {
    expect(ownCrc32(bytes.subarray(0, length))).toBe(crc32(bytes.subarray(0, length)));
  }
});

test.skipIf(typeof zlib.crc32 !== 'function')('zlib computes it where Node has it', () => {
  expect(crc32).not.toBe(ownCrc32);
});
