import { describe, expect, it } from 'vitest';
import { packZstd, unpackLz4, unpackZstd, zstdBound } from '../../../src/formats/untold/container/compress.ts';
import { packLz4 } from '../../../src/formats/untold/container/lz4.ts';

const hello = [0x68, 0x65, 0x6c, 0x6c, 0x6f];
/** Token 0x50: five literals, no match. */
const helloBlock = Uint8Array.from([0x50, ...hello]);
const codeOf = (result: Awaited<ReturnType<typeof unpackZstd>>) => ('fault' in result ? result.fault.code : 'none');

function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[i] = i % 4 === 0 ? state >>> 24 : i >>> 8;
  }
  return bytes;
}

describe('raw LZ4 blocks', () => {
  it('unpacks a block written by hand: literals, then an overlapping match, then literals', () => {
    expect(unpackLz4(helloBlock, 5)).toEqual({ bytes: Uint8Array.from(hello) });
    // "ab", then 6 bytes from 2 back (match length 4 + 2), then five literals.
    const block = Uint8Array.from([0x22, 0x61, 0x62, 2, 0, 0x50, 1, 2, 3, 4, 5]);
    expect(unpackLz4(block, 13)).toEqual({
      bytes: Uint8Array.from([0x61, 0x62, 0x61, 0x62, 0x61, 0x62, 0x61, 0x62, 1, 2, 3, 4, 5]),
    });
  });

  it('writes blocks without the size prefix of the library', async () => {
    expect([...(await packLz4(Uint8Array.from(hello)))]).toEqual([...helloBlock]);
  });

  it.each([
    ['one byte too many declared', helloBlock, 6, 'UC3001'],
    ['one byte too few declared', helloBlock, 4, 'UC3001'],
    ['cut off', helloBlock.subarray(0, 4), 5, 'UC3001'],
    ['empty', new Uint8Array(0), 0, 'UC3001'],
    ['a match from before the start', Uint8Array.from([0x10, 65, 5, 0, 0]), 9, 'UC3001'],
    ['a match offset of 0', Uint8Array.from([0x10, 65, 0, 0, 0]), 9, 'UC3001'],
    ['more than 255 times its size', helloBlock, 6 * 255 + 1, 'UC3001'],
    ['4 GB from six bytes', helloBlock, 0xffffffff, 'UC3001'],
  ])('refuses %s', (_name, block, size, code) => {
    expect(codeOf(unpackLz4(block, size))).toBe(code);
  });

  it('gives back what it packed', async () => {
    const raw = noise(300_000);
    const packed = await packLz4(raw);
    expect(packed.length).toBeLessThan(raw.length);
    const result = unpackLz4(packed, raw.length);
    expect('bytes' in result && Buffer.compare(result.bytes, raw)).toBe(0);
  });
});

describe('Zstandard frames', () => {
  /** One raw block of five bytes, content size in the header (RFC 8878): single segment, last block, raw, 5 << 3. */
  const helloFrame = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, (5 << 3) | 1, 0, 0, ...hello]);
  /** The same with a window descriptor and no content size. */
  const sizeless = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0, (5 << 3) | 1, 0, 0, ...hello]);
  const skippable = Uint8Array.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);

  it('unpacks frames written by hand', async () => {
    for (const frames of [helloFrame, sizeless, Uint8Array.from([...skippable, ...helloFrame])]) {
      expect(await unpackZstd(frames, 5)).toEqual({ bytes: Uint8Array.from(hello) });
    }
  });

  it('knows from the block headers how much frames can hold', () => {
    expect(zstdBound(helloFrame)).toBe(5);
    // An RLE block: one byte, 1000 times.
    expect(
      zstdBound(Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0, ((1000 << 3) | 3) & 255, 1000 >> 5, 0, 7])),
    ).toBe(1000);
    expect(zstdBound(helloFrame.subarray(0, 10))).toBe(null);
    expect(zstdBound(Uint8Array.from([...helloFrame, 1]))).toBe(null);
  });

  it.each([
    ['one byte too many declared', sizeless, 6, 'UC3001'],
    ['one byte too few declared', helloFrame, 4, 'UC3001'],
    ['cut off', helloFrame.subarray(0, 12), 5, 'UC3001'],
    ['empty', new Uint8Array(0), 5, 'UC3001'],
    ['something else', Uint8Array.from(hello), 5, 'UC3001'],
    ['only a skippable frame', skippable, 5, 'UC3001'],
  ])('refuses %s', async (_name, frames, size, code) => {
    expect(codeOf(await unpackZstd(frames, size))).toBe(code);
  });

  it('gives back what it packed, and refuses a size that is one off', async () => {
    const raw = noise(300_000);
    const packed = (await packZstd(raw)) as Uint8Array;
    expect(packed.length).toBeLessThan(raw.length);
    const result = await unpackZstd(packed, raw.length);
    expect('bytes' in result && Buffer.compare(result.bytes, raw)).toBe(0);
    expect(codeOf(await unpackZstd(packed, raw.length + 1))).toBe('UC3001');
    expect(codeOf(await unpackZstd(packed, raw.length - 1))).toBe('UC3001');
    // A frame header that states 300,001 bytes: the data cannot fulfil it.
    const lying = packed.slice();
    expect(lying[4] >>> 6).toBe(2);
    view32(lying).setUint32(lying[4] & 0x20 ? 5 : 6, raw.length + 1, true);
    expect(codeOf(await unpackZstd(lying, raw.length + 1))).toBe('UC3001');
  });
});

const view32 = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
