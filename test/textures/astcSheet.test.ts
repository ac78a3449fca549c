import { describe, expect, it } from 'vitest';
import { encodeAstc } from '../../src/textures/encode/astc.ts';
import { cutSheet, sheetOf } from '../../src/textures/encode/astcSheet.ts';
import { expectSameBlocks, mips, SIZES } from './grainyMips.ts';

describe('a sheet of mips', () => {
  it.each(SIZES)('gives the blocks that each of %i x %i has alone', (width, height) => {
    const list = mips(width, height);
    for (const kind of ['color', 'data'] as const) {
      const side = kind === 'data' ? 6 : 4;
      const sheet = sheetOf(list, side);
      // With less effort a block may stand for another one of its row.
      const blocks = cutSheet(sheet, encodeAstc(sheet.picture, kind, 'thorough'), side);
      expect(blocks).toEqual(list.map((mip) => encodeAstc(mip, kind, 'thorough')));
    }
  });

  it('is little larger than its mips', () => {
    const list = mips(512, 512);
    const pixels = list.reduce((sum, { width, height }) => sum + width * height, 0);
    const sheet = sheetOf(list, 6).picture;
    expect(sheet.width * sheet.height).toBeLessThan(1.2 * pixels);
  });
});

// The long test of the same name has normals and data, and all sizes.
expectSameBlocks(['color'], [[52, 20]]);
