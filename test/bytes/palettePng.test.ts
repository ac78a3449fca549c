// PNG files as another reader sees them.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { palettePng } from '../../src/bytes/palettePng.ts';

test('a reader gets the colours back', async () => {
  const png = await palettePng(Uint8Array.of(1, 2, 0, 2, 1, 1), 3, 2, Uint8Array.of(9, 9, 9, 200, 30, 4, 0, 255, 7));
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([3, 2, 4]);
  const [a, b, none] = [
    [200, 30, 4, 255],
    [0, 255, 7, 255],
    [9, 9, 9, 0],
  ];
  expect([...data]).toEqual([a, b, none, b, a, a].flat());
});

test('header, palette and end of one pixel, with the checksums of zlib', async () => {
  const png = Buffer.from(await palettePng(Uint8Array.of(1), 1, 1, Uint8Array.of(0, 0, 0, 255, 255, 255)));
  const header = ['89504e470d0a1a0a', '0000000d', '49484452', '00000001', '00000001', '0803000000', '28cb34bb'];
  expect(png.subarray(0, 33).toString('hex')).toBe(header.join(''));
  expect(png.subarray(33, 51).toString('hex')).toBe('00000006504c5445000000ffffffa5d99fdd');
  expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
});
