import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fitSize } from '../../../src/textures/mips/fitSize.ts';
import { resize } from '../../../src/textures/mips/resize.ts';
import { difference, lanczos3, noiseImage, premultiplied, resamplePlane, smoothImage, toSrgb } from './reference.ts';

describe('resize', () => {
  it.each([
    ['down', 64, 48, 40, 30],
    ['up', 30, 21, 64, 32],
    ['up and down', 33, 90, 64, 64],
    ['to one texel', 17, 5, 1, 1],
    ['from one texel', 1, 1, 8, 4],
    ['down much', 300, 7, 2, 7],
  ])('gives the colours of float64: %s', (_, width, height, w, h) => {
    const image = smoothImage(width, height);
    const { values } = resamplePlane(premultiplied(image), w, h, lanczos3);
    const expected = Uint8Array.from(values, (value, i) => (i % 4 === 3 ? 255 : toSrgb(value)));
    const made = resize(image, w, h, 'color');
    expect([made.width, made.height]).toEqual([w, h]);
    const { max, different } = difference(made.bytes, expected);
    expect(max).toBeLessThanOrEqual(1);
    expect(different).toBeLessThanOrEqual(made.bytes.length / 500);
  });

  it('gives the image itself at its own size', () => {
    const image = noiseImage(9, 14, 'random');
    for (const role of ['color', 'normal', 'data'] as const) {
      expect(resize(image, 9, 14, role).bytes).toEqual(image.data);
    }
  });

  it('is exact along an axis that stays', () => {
    // Rows are constant, so that filtering across changes nothing.
    const data = noiseImage(1, 20, 'random').data;
    const rows = (width: number) =>
      Uint8Array.from({ length: width * 20 * 4 }, (_, i) => data[Math.floor(i / 4 / width) * 4 + (i % 4)]);
    expect(resize({ width: 12, height: 20, data: rows(12) }, 5, 20, 'data').bytes).toEqual(rows(5));
  });

  it.each([
    ['down', 96, 64, 48, 32],
    ['to an odd size', 96, 64, 41, 23],
  ])('agrees with the Lanczos filter of sharp in linear light: %s', async (_, width, height, w, h) => {
    const image = smoothImage(width, height);
    const other = await sharp(image.data, { raw: { width, height, channels: 4 } })
      .pipelineColourspace('scrgb')
      .resize(w, h, { kernel: 'lanczos3', fit: 'fill' })
      .toColourspace('srgb')
      .raw()
      .toBuffer();
    const { bytes } = resize(image, w, h, 'color');
    // libvips repeats texels beyond the sides, where this filter leaves them out.
    const inner = (data: Uint8Array) =>
      data.filter((_, i) => {
        const x = (i >> 2) % w;
        const y = Math.floor(i / 4 / w);
        return x >= 6 && x < w - 6 && y >= 6 && y < h - 6;
      });
    const { max } = difference(inner(bytes), inner(new Uint8Array(other)));
    expect(max).toBeLessThanOrEqual(3);
  });

  it('keeps heights and normals what they are', () => {
    const heights = resize({ width: 4, height: 4, data: new Uint16Array(16).fill(40001) }, 16, 16, 'height').bytes;
    expect(new Set(new Uint16Array(heights.buffer))).toEqual(new Set([40001]));
    const normals = resize(noiseImage(16, 16, 255), 32, 32, 'normal').bytes;
    for (let at = 0; at < normals.length; at += 4) {
      const length = Math.hypot(normals[at] / 127.5 - 1, normals[at + 1] / 127.5 - 1, normals[at + 2] / 127.5 - 1);
      expect(Math.abs(length - 1)).toBeLessThan(Math.sqrt(3) / 255);
    }
  });
});

describe('fitSize', () => {
  const sizes = (pot: 'nearest' | 'up' | 'keep', max: number | null) => (width: number, height: number) =>
    fitSize(width, height, { pot, max });

  it('finds the nearest power of two by ratio', () => {
    const nearest = sizes('nearest', null);
    expect(nearest(1024, 512)).toEqual([1024, 512]);
    expect(nearest(1, 3)).toEqual([1, 4]);
    // 1448 / 1024 is below sqrt(2), 1449 / 1024 above.
    expect(nearest(1448, 1449)).toEqual([1024, 2048]);
    expect(nearest(5, 6)).toEqual([4, 8]);
    const wrong = Array.from({ length: 3000 }, (_, i) => i + 1).filter((n) => {
      const [power] = nearest(n, 1);
      return Math.max(power / n, n / power) > Math.SQRT2 || (power & (power - 1)) !== 0;
    });
    expect(wrong).toEqual([]);
  });

  it('finds the next power of two', () => {
    const up = sizes('up', null);
    expect(up(1025, 1)).toEqual([2048, 1]);
    expect(up(64, 33)).toEqual([64, 64]);
  });

  it('halves both sides down to the longest one allowed', () => {
    expect(sizes('nearest', 1024)(4096, 1024)).toEqual([1024, 256]);
    expect(sizes('nearest', 1000)(1024, 1024)).toEqual([512, 512]);
    expect(sizes('up', 256)(4096, 3)).toEqual([256, 1]);
    expect(sizes('up', 1)(500, 300)).toEqual([1, 1]);
  });

  it('scales by one factor if any size is allowed', () => {
    expect(sizes('keep', null)(1061, 35)).toEqual([1061, 35]);
    expect(sizes('keep', 1000)(2000, 301)).toEqual([1000, 151]);
    expect(sizes('keep', 10)(1, 4000)).toEqual([1, 10]);
    expect(sizes('keep', 5000)(4553, 452)).toEqual([4553, 452]);
  });

  it('never exceeds what the engine loads', () => {
    expect(sizes('up', null)(16384, 9000)).toEqual([16384, 16384]);
    expect(sizes('nearest', 99999)(40000, 100)).toEqual([16384, 64]);
    expect(sizes('keep', null)(32768, 10)).toEqual([16384, 5]);
  });
});
