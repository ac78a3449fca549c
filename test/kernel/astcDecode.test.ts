// The ASTC decoder: blocks worked out by hand from the Khronos Data Format Specification, and random ones of some footprints
// against decoders of other hands. The long test of the same name has all footprints.

import { describe, expect, test } from 'vitest';
import { decode, firstIllegal } from './astcBlocks.ts';
import { compareWithAstcenc, compareWithBasis, MAGENTA } from './otherDecoders.ts';

/** One block of 4 by 4 texels. */
function decodeOne(hex: string, isSrgb: boolean, [blockWidth, blockHeight] = [4, 4]): number[][] {
  const blocks = Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  const { texels } = decode({ width: blockWidth, height: blockHeight, blockWidth, blockHeight, isSrgb, blocks });
  return Array.from({ length: texels.length / 4 }, (_, i) => [...texels.subarray(i * 4, i * 4 + 4)]);
}

const grey = (value: number) => [value, value, value, 255];
const legality = (hex: string, [width, height] = [4, 4]) =>
  firstIllegal(Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')), width, height) === 1;

describe('blocks worked out by hand', () => {
  // Void extent without coordinates: 0x1fc, no HDR, two bits of 1; then red 0x12f0, green 0xffff, blue 0, alpha 0x8000.
  const VOID = 'fc fd ff ff ff ff ff ff f0 12 ff ff 00 00 00 80';

  test('a void extent is one colour: sRGB by its upper 8 bits, others as half floats', () => {
    // 0x12f0 / 65536 * 255 is 18.86, 0x8000 / 65536 * 255 is 127.5.
    expect(decodeOne(VOID, false)).toEqual(Array(16).fill([19, 255, 0, 128]));
    expect(decodeOne(VOID, true)).toEqual(Array(16).fill([18, 255, 0, 128]));
    expect(decodeOne(VOID, true, [12, 10])).toEqual(Array(120).fill([18, 255, 0, 128]));
  });

  // A grid of 4 by 4 weights in 2 bits (mode 0x42), one partition, luminance from 16 to 208 in 8 bits each at bit 17. The
  // weights of each row are 0, 1, 2, 3, from bit 127 down, lowest bit first.
  const RAMP = '42 00 20 a0 01 00 00 00 00 00 00 00 27 27 27 27';

  test('weights of 2 bits lie at 0, 21, 43 and 64 of 64 between the end points', () => {
    // (4112 * 43 + 53456 * 21 + 32) >> 6 is 20303, as a half float 20288 / 65536: 78.94 of 255.
    const row = [grey(16), grey(79), grey(145), grey(208)];
    expect(decodeOne(RAMP, false)).toEqual([...row, ...row, ...row, ...row]);
    expect(decodeOne(RAMP, true)).toEqual([...row, ...row, ...row, ...row]);
  });

  test('a grid smaller than the block is spread over it', () => {
    // 8 by 8 texels: column s is at s * 146 * 3 / 64 sixteenths of a cell, so columns 0 and 7 are those of the grid.
    const texels = decodeOne(RAMP, true, [8, 8]);
    const first = texels.slice(0, 8).map(([red]) => red);
    expect([first[0], first[7]]).toEqual([16, 208]);
    // Column 1 is 7 sixteenths of the way from weight 0 to weight 21: 9 of 64.
    expect(first[1]).toBe((4224 * 55 + 53376 * 9 + 32) >> 14);
    for (let row = 1; row < 8; row++) expect(texels.slice(row * 8, row * 8 + 8)).toEqual(texels.slice(0, 8));
  });

  test('the image ends where its texels end, whatever the last blocks hold', () => {
    const blocks = new Uint8Array(16 * 4);
    for (let i = 0; i < 4; i++) blocks.set(Buffer.from((i === 3 ? VOID : RAMP).replaceAll(' ', ''), 'hex'), i * 16);
    const { texels, illegal } = decode({ width: 5, height: 6, blockWidth: 4, blockHeight: 4, isSrgb: true, blocks });
    expect(illegal).toBe(0);
    const red = Array.from({ length: 6 }, (_, y) => Array.from({ length: 5 }, (_, x) => texels[(y * 5 + x) * 4]));
    expect(red[3]).toEqual([16, 79, 145, 208, 16]);
    expect(red[4]).toEqual([16, 79, 145, 208, 18]);
  });

  test.each([
    ['a reserved block mode', '00'.repeat(16)],
    ['a void extent of the HDR profile', 'fc ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00'],
    ['a void extent without its bits of 1', 'fc f1 ff ff ff ff ff ff 00 00 00 00 00 00 00 00'],
    // S from 1 to 0.
    ['a void extent that ends before it begins', 'fc 1d 00 00 00 00 00 00 00 00 00 00 00 00 00 00'],
    // Mode 0x42 with 5 rows: bits 5 and 6.
    ['a grid larger than the block', '62 00 20 a0 01 00 00 00 00 00 00 00 27 27 27 27'],
    // Four partitions with two planes: bit 10, bits 11 and 12.
    ['four partitions in two planes', '42 1c 00 00 00 00 00 00 00 00 00 00 00 00 00 00'],
    // Mode 2 of the end points, an HDR one, at bit 13.
    ['end points of the HDR profile', '42 40 20 a0 01 00 00 00 00 00 00 00 27 27 27 27'],
  ])('%s is magenta', (_, hex) => {
    expect(decodeOne(hex, false)).toEqual(Array(16).fill(MAGENTA));
    expect(decodeOne(hex, true)).toEqual(Array(16).fill(MAGENTA));
    expect(legality(hex)).toBe(false);
  });

  test('legal blocks are told from others', () => {
    expect(legality(VOID)).toBe(true);
    expect(legality(RAMP)).toBe(true);
    const blocks = Buffer.from(`${RAMP}${VOID}${'00'.repeat(16)}${RAMP}`.replaceAll(' ', ''), 'hex');
    expect(firstIllegal(Uint8Array.from(blocks), 4, 4)).toBe(2);
  });
});

// The smallest, one that is not square, and the largest.
await compareWithBasis([
  [4, 4],
  [6, 5],
  [12, 12],
]);
compareWithAstcenc({ decoded: [[6, 5]], encoded: [[6, 5]] });
