import { describe, expect, it } from 'vitest';
import { encodeAstc } from '../../src/textures/encode/astc.ts';
import { encodeWithAstcenc, findAstcenc } from '../../src/textures/encode/astcenc.ts';
import { cutSheet, type Picture, sheetOf } from '../../src/textures/encode/astcSheet.ts';

/** Grain over slopes, so that no two blocks are equal. */
function picture(width: number, height: number): Picture {
  const data = new Uint8Array(width * height * 4);
  let state = width * 31 + height;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = (i % 4 === 3 ? 255 : 60 + ((i * 7) % 100)) - (state >>> 29);
  }
  return { width, height, data };
}

function mips(width: number, height: number): Picture[] {
  const list: Picture[] = [];
  for (let w = width, h = height; ; w = Math.max(1, w >> 1), h = Math.max(1, h >> 1)) {
    list.push(picture(w, h));
    if (w === 1 && h === 1) return list;
  }
}

const SIZES = [
  [64, 64],
  [52, 20],
  [1, 40],
  [40, 1],
  [5, 7],
  [1, 1],
] as const;

describe('a sheet of mips', () => {
  it.each(SIZES)('gives the blocks that each of %i x %i has alone', (width, height) => {
    const list = mips(width, height);
    for (const kind of ['color', 'data'] as const) {
      const side = kind === 'data' ? 6 : 4;
      const sheet = sheetOf(list, side);
      const blocks = cutSheet(sheet, encodeAstc(sheet.picture, kind, 'fast'), side);
      expect(blocks).toEqual(list.map((mip) => encodeAstc(mip, kind, 'fast')));
    }
  });

  it('is little larger than its mips', () => {
    const list = mips(512, 512);
    const pixels = list.reduce((sum, { width, height }) => sum + width * height, 0);
    const sheet = sheetOf(list, 6).picture;
    expect(sheet.width * sheet.height).toBeLessThan(1.2 * pixels);
  });
});

function hasAstcenc(): boolean {
  try {
    findAstcenc();
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasAstcenc())('astcenc (skipped where neither ASTCENC_BIN nor PATH has it)', () => {
  it.each(['color', 'normal', 'data'] as const)('makes the same blocks of %s in a sheet', async (role) => {
    const side = role === 'data' ? 6 : 4;
    for (const [width, height] of SIZES) {
      const list = mips(width, height);
      const alone: Uint8Array[] = [];
      for (const mip of list) alone.push(...(await encodeWithAstcenc([mip], role, side, 'medium')));
      expect(await encodeWithAstcenc(list, role, side, 'medium')).toEqual(alone);
    }
  });
});
