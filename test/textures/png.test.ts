import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import {
  checkPngData,
  crc32,
  dropChunks,
  dropColorChunks,
  type PngHeader,
  readPng,
} from '../../src/textures/decode/png.ts';
import { chunk, chunkTypes, png, rgb, SIGNATURE, u32be } from './fixture.ts';

function header(bytes: Uint8Array): PngHeader {
  const read = readPng(bytes);
  if (read instanceof ImageFault) throw new Error(read.message);
  return read;
}

function fault(bytes: Uint8Array): ImageFault {
  const read = readPng(bytes);
  if (!(read instanceof ImageFault)) throw new Error('no fault');
  return read;
}

describe('crc32', () => {
  it('is the CRC that every IEND chunk ends with', () => {
    expect(crc32(new TextEncoder().encode('IEND'), 0, 4)).toBe(0xae426082);
  });
});

describe('readPng', () => {
  it('reads size, depth, colour type and transparency', () => {
    expect(header(rgb([[1, 2, 3, 4, 5, 6]]))).toMatchObject({
      width: 2,
      height: 1,
      bitDepth: 8,
      colorType: 2,
      interlaced: false,
      hasTransparency: false,
    });
    const palette = png(2, 1, [[0x40]], {
      depth: 1,
      colorType: 3,
      extra: [chunk('PLTE', [1, 2, 3, 4, 5, 6]), chunk('tRNS', [0])],
    });
    expect(header(palette)).toMatchObject({ width: 2, bitDepth: 1, colorType: 3, hasTransparency: true });
  });

  it('finds a file cut anywhere', () => {
    const whole = rgb([[1, 2, 3]]);
    for (let n = 8; n < whole.length; n++) expect(fault(whole.subarray(0, n)).kind).toBe('cut');
  });

  it('finds a flipped bit in any chunk', () => {
    const whole = rgb([[1, 2, 3]]);
    for (let at = 12; at < whole.length - 12; at++) {
      const broken = whole.slice();
      broken[at] ^= 0x10;
      expect(readPng(broken)).toBeInstanceOf(ImageFault);
    }
  });

  it('refuses a length beyond the file, impossible headers and missing chunks', () => {
    const bare = (...chunks: Uint8Array[]) => Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', [])]);
    const ihdr = (...end: number[]) => chunk('IHDR', [...u32be(1, 1), ...end]);
    const idat = chunk('IDAT', deflateSync(Buffer.from([0, 0])));
    const long = Buffer.from(rgb([[1, 2, 3]]));
    long.writeUInt32BE(0xffffffff, 33);
    expect(fault(long).kind).toBe('cut');
    expect(fault(bare(idat)).message).toContain('IHDR');
    expect(fault(bare(ihdr(8, 2, 0, 0, 0))).message).toContain('IDAT');
    expect(fault(bare(ihdr(3, 2, 0, 0, 0), idat)).message).toContain('bit depth');
    expect(fault(bare(ihdr(8, 5, 0, 0, 0), idat)).message).toContain('bit depth');
    expect(fault(bare(ihdr(8, 2, 1, 0, 0), idat)).message).toContain('compression');
    expect(fault(bare(ihdr(8, 3, 0, 0, 0), idat)).message).toContain('PLTE');
  });
});

describe('checkPngData', () => {
  const check = (bytes: Uint8Array) => checkPngData(bytes, header(bytes));
  const withData = (data: Uint8Array, interlace = 0) =>
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', [...u32be(5, 3), 8, 2, 0, 0, interlace]),
      chunk('IDAT', data),
      chunk('IEND', []),
    ]);

  it('accepts exactly filter byte and samples a row, and more', async () => {
    expect(await check(withData(deflateSync(Buffer.alloc(3 * 16))))).toBeNull();
    expect(await check(withData(deflateSync(Buffer.alloc(3 * 16 + 100))))).toBeNull();
    expect((await check(withData(deflateSync(Buffer.alloc(3 * 16 - 1)))))?.kind).toBe('cut');
  });

  it('counts the passes of Adam7', async () => {
    // Pass 1: 1 x 1, 2: 1 x 1, 3: 2 x 0, 4: 1 x 1, 5: 3 x 1, 6: 2 x 2, 7: 5 x 1.
    const bytes = 4 + 4 + 0 + 4 + 10 + 14 + 16;
    expect(await check(withData(deflateSync(Buffer.alloc(bytes)), 1))).toBeNull();
    expect((await check(withData(deflateSync(Buffer.alloc(bytes - 1)), 1)))?.kind).toBe('cut');
  });

  it('finds a broken and a cut stream behind right CRCs', async () => {
    const noise = Buffer.from(Array.from({ length: 48 }, (_, i) => (i * 89) % 251));
    const data = deflateSync(noise);
    expect((await check(withData(data.subarray(0, 20))))?.kind).toBe('cut');
    expect((await check(withData(Buffer.alloc(30, 0xaa))))?.kind).toBe('damaged');
  });

  it('reads data in many chunks, and finds what is wrong in the last of them', async () => {
    // More data than is given to zlib at once, in chunks as encoders write them.
    const [width, height] = [640, 800];
    const rows = Buffer.alloc(height * (1 + 3 * width));
    for (let i = 0, state = 1; i < rows.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      rows[i] = state >>> 24;
    }
    const data = deflateSync(rows, { level: 1 });
    expect(data.length).toBeGreaterThan(2 ** 20 + 2 ** 14);
    const split = (stream: Uint8Array, size = 8192) =>
      Buffer.concat([
        SIGNATURE,
        chunk('IHDR', [...u32be(width, height), 8, 2, 0, 0, 0]),
        ...Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
          chunk('IDAT', stream.subarray(i * size, (i + 1) * size)),
        ),
        chunk('IEND', []),
      ]);
    expect(await check(split(data))).toBeNull();
    expect((await check(split(data.subarray(0, -5000))))?.kind).toBe('cut');
    const shorter = deflateSync(rows.subarray(1), { level: 1 });
    expect((await check(split(shorter)))?.kind).toBe('cut');
    expect((await check(split(Buffer.concat([data.subarray(0, -9000), Buffer.alloc(9000, 0xff)]))))?.kind).toBe(
      'damaged',
    );
  });

  it('does not unpack a bomb to its end', async () => {
    // 64 MiB of zeros for an image of 48 bytes.
    expect(await check(withData(deflateSync(Buffer.alloc(1 << 26))))).toBeNull();
  });
});

describe('dropColorChunks', () => {
  const gamma = chunk('gAMA', u32be(45455));
  const srgb = chunk('sRGB', [0]);
  const profile = chunk('iCCP', [120, 0, 0]);
  const text = chunk('tEXt', [65, 0, 66]);

  it('takes every colour space chunk out of data and leaves the rest byte for byte', () => {
    const bytes = rgb([[1, 2, 3]], [gamma, srgb, text]);
    const out = dropColorChunks(bytes, header(bytes), 'data');
    expect(Buffer.compare(out, rgb([[1, 2, 3]], [text]))).toBe(0);
  });

  it('takes foreign colour spaces out of colours, but leaves what says sRGB alone', () => {
    const tagged = rgb([[1, 2, 3]], [srgb, gamma]);
    expect(dropColorChunks(tagged, header(tagged), 'color')).toBe(tagged);
    const foreign = rgb([[1, 2, 3]], [profile, gamma]);
    expect(chunkTypes(dropColorChunks(foreign, header(foreign), 'color'))).toEqual(['IHDR', 'IDAT', 'IEND']);
  });

  it('gives the same array when there is nothing to drop', () => {
    const plain = rgb([[1, 2, 3]]);
    expect(dropColorChunks(plain, header(plain), 'data')).toBe(plain);
    expect(dropChunks(plain, () => false)).toBe(plain);
  });
});
