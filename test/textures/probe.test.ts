import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import { type ImageInfo, probeImage } from '../../src/textures/decode/probe.ts';
import { promisedFormat } from '../../src/textures/decode/registry.ts';
import { chunk, grey, png, rgb, rgba, SIGNATURE, u32be } from './fixture.ts';

const text = (s: string) => new TextEncoder().encode(s);

async function fault(bytes: Uint8Array): Promise<ImageFault> {
  const info = await probeImage(bytes);
  if (!(info instanceof ImageFault)) throw new Error('no fault');
  return info;
}

async function info(bytes: Uint8Array): Promise<ImageInfo> {
  const probed = await probeImage(bytes);
  if (probed instanceof ImageFault) throw new Error(probed.message);
  return probed;
}

async function decoded(bytes: Uint8Array): Promise<number[]> {
  const pixels = await decodeImage(bytes, await info(bytes));
  if (pixels instanceof ImageFault) throw new Error(pixels.message);
  return [...pixels.data];
}

describe('probeImage on what is no image of ours', () => {
  it.each([
    ['KTX', Uint8Array.of(0xab, 0x4b, 0x54, 0x58, 0x20, 0x31, 0x31, 0xbb, 13, 10)],
    ['BMP with a header that is not of Windows', text('BM\x10\0\0\0')],
    ['Photoshop document', text('8BPS\0\x01')],
    ['TGA image of type 0', Buffer.concat([Buffer.alloc(60), text('TRUEVISION-XFILE.\0')])],
    ['XML, SVG or HTML', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['XML, SVG or HTML', text('<!doctype html><title>404</title>')],
    ['text', text('no such file')],
    ['HEIF', Uint8Array.from([0, 0, 0, 16, ...text('ftypheic'), 0, 0, 0, 0])],
    ['unknown', Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)],
  ])('names %s', async (name, bytes) => {
    const found = await fault(bytes);
    expect(found.kind).toBe('unsupported');
    expect(found.message).toContain(name);
  });

  it('calls no bytes cut off', async () => {
    expect((await fault(new Uint8Array(0))).kind).toBe('cut');
  });
});

describe('probeImage on hostile images', () => {
  const ihdr = (width: number, height: number) => chunk('IHDR', [...u32be(width, height), 8, 2, 0, 0, 0]);
  const bomb = (width: number, height: number) =>
    Buffer.concat([SIGNATURE, ihdr(width, height), chunk('IDAT', [120, 156, 3, 0, 0, 0, 0, 1]), chunk('IEND', [])]);

  it.each([
    ['a PNG of 50000 x 50000', bomb(50000, 50000), 'large'],
    ['a PNG of 2^32 - 1 columns', bomb(0xffffffff, 1), 'large'],
    ['a PNG without rows', bomb(5, 0), 'damaged'],
    ['a PNG signature alone', SIGNATURE, 'cut'],
    ['a JPEG without EOI', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0), 'cut'],
    [
      'a WebP shorter than it says',
      Buffer.concat([text('RIFF'), Buffer.from([255, 255, 0, 0]), text('WEBPVP8L'), Buffer.alloc(20)]),
      'cut',
    ],
    ['a WebP of a few bytes', text('RIFF\x04\0\0\0WEBP'), 'cut'],
    ['an EXR of a few bytes', Uint8Array.of(0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0), 'cut'],
    ['an HDR without pixels', text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n'), 'cut'],
    ['a GIF header cut off', text('GIF89a\x01'), 'cut'],
    ['a TIFF of nothing', Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0), 'damaged'],
  ])('refuses %s', async (_, bytes, kind) => {
    expect((await fault(bytes)).kind).toBe(kind);
  });

  it('refuses JPEG processes that loaders do not know', async () => {
    const frame = [0xff, 0xc3, 0, 17, 8, 0, 5, 0, 7, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0];
    const scan = [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0];
    const bytes = Uint8Array.from([0xff, 0xd8, ...frame, ...scan, 0xff, 0xd9]);
    expect((await fault(bytes)).kind).toBe('unsupported');
  });

  it('turns a decoder that gives up into a fault', async () => {
    const webp = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#345' } })
      .webp()
      .toBuffer();
    const broken = Buffer.from(webp).fill(0x55, 34);
    const probed = await probeImage(broken);
    const result = probed instanceof ImageFault ? probed : await decodeImage(broken, probed);
    expect(result).toBeInstanceOf(ImageFault);
  });

  it('refuses to decode more than 67 million pixels, though it would copy them', async () => {
    const big = await info(bomb(16384, 16384));
    expect(big.copyable).toBe(true);
    const result = await decodeImage(bomb(16384, 16384), big);
    expect((result as ImageFault).kind).toBe('large');
  });
});

describe('probeImage', () => {
  it('knows what the engine loads as it is', async () => {
    expect(await info(rgb([[1, 2, 3]]))).toMatchObject({ format: 'png', copyable: true, grey: false, alpha: false });
    expect(await info(rgba([[1, 2, 3, 4]]))).toMatchObject({ copyable: true, alpha: true });
    expect(await info(grey([[1]]))).toMatchObject({ copyable: false, grey: true });
    const deep = png(1, 1, [[0, 0, 0, 0, 0, 0]], { depth: 16, colorType: 2 });
    expect(await info(deep)).toMatchObject({ copyable: false, deep: true });
  });

  it.each(['webp', 'gif', 'tiff', 'avif', 'jpeg', 'png'] as const)('reads the size of %s', async (format) => {
    const bytes = await sharp({ create: { width: 19, height: 7, channels: 3, background: '#345' } })
      .toFormat(format)
      .toBuffer();
    expect(await info(bytes)).toMatchObject({ format, width: 19, height: 7 });
  });

  it.each([{ lossless: true }, { lossless: false }])('reads the size of WebP with alpha, %o', async (options) => {
    const bytes = await sharp({ create: { width: 300, height: 2, channels: 4, background: '#3456' } })
      .webp(options)
      .toBuffer();
    expect(await info(bytes)).toMatchObject({ width: 300, height: 2, alpha: true });
  });

  it('knows JPEGs of one and four components', async () => {
    const create = { width: 8, height: 8, channels: 3 as const, background: '#c86432' };
    const one = await sharp({ create }).toColourspace('b-w').jpeg().toBuffer();
    expect(await info(one)).toMatchObject({ grey: true, copyable: false });
    const four = await sharp({ create }).toColourspace('cmyk').jpeg().toBuffer();
    expect(await info(four)).toMatchObject({ grey: false, copyable: false });
    // 200, 100, 50 through CMYK and back; the profile is ignored, so only nearly.
    const [r, g, b, a] = await decoded(four);
    expect(Math.abs(r - 200) + Math.abs(g - 100) + Math.abs(b - 50)).toBeLessThan(60);
    expect(a).toBe(255);
  });
});

describe('decodeImage', () => {
  it('rounds 16 bits to 8 instead of cutting them', async () => {
    // 0x00ff / 257 = 0.99, 0x7fff / 257 = 127.5 - 0.002, 0x8000 / 257 = 127.5 + 0.002.
    const row = [0x00, 0xff, 0x7f, 0xff, 0x80, 0x00, 0xff, 0xff];
    const bytes = png(4, 1, [row], { depth: 16, colorType: 0 });
    expect(await decoded(bytes)).toEqual([1, 1, 1, 255, 127, 127, 127, 255, 128, 128, 128, 255, 255, 255, 255, 255]);
  });

  it('applies neither gamma nor profile to the samples', async () => {
    const extra = [chunk('gAMA', u32be(100000))];
    expect(await decoded(rgb([[64, 128, 192]], extra))).toEqual([64, 128, 192, 255]);
    const tagged = await sharp({ create: { width: 1, height: 1, channels: 3, background: { r: 64, g: 64, b: 64 } } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const stored = (await sharp(tagged, { ignoreIcc: true }).raw().toBuffer())[0];
    expect((await decoded(tagged)).slice(0, 3)).toEqual([stored, stored, stored]);
  });

  it('expands palettes and transparent colours', async () => {
    const palette = png(2, 1, [[0, 1]], {
      colorType: 3,
      extra: [chunk('PLTE', [10, 20, 30, 40, 50, 60]), chunk('tRNS', [128])],
    });
    expect(await decoded(palette)).toEqual([10, 20, 30, 128, 40, 50, 60, 255]);
  });
});

describe('flipped bytes', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)('of %s end in pixels or a fault', async (format) => {
    const noise = Buffer.from(Array.from({ length: 16 * 16 * 3 }, (_, i) => (i * i * 37) % 251));
    const whole = await sharp(noise, { raw: { width: 16, height: 16, channels: 3 } })
      .toFormat(format)
      .toBuffer();
    let state = 12345;
    const next = (n: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % n;
    };
    for (let round = 0; round < 60; round++) {
      const broken = round % 4 === 0 ? whole.subarray(0, next(whole.length)) : Buffer.from(whole);
      // Headers break more than pixels do.
      if (broken.length > 0)
        broken[next(round % 2 === 0 ? Math.min(64, broken.length) : broken.length)] ^= 1 << next(8);
      const probed = await probeImage(broken);
      const result = probed instanceof ImageFault ? probed : await decodeImage(broken, probed);
      if (!(result instanceof ImageFault)) expect(result.data).toHaveLength(result.width * result.height * 4);
    }
  });
});

describe('promisedFormat', () => {
  it.each([
    ['a/b.PNG', 'png'],
    ['b.jpeg', 'jpeg'],
    ['c.usdz[tex/d.jpg]', 'jpeg'],
    ['data:image/webp', 'webp'],
    ['e.dds', 'dds'],
    ['e.psd', null],
    ['f', null],
  ])('of %s is %s', (uri, format) => expect(promisedFormat(uri)).toBe(format));
});
