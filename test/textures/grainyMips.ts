// Mips of images without equal blocks, and whether astcenc makes the same of them in a sheet.

import { describe, expect, it } from 'vitest';
import { encodeWithAstcenc, findAstcenc } from '../../src/textures/encode/astcenc.ts';
import type { Picture } from '../../src/textures/encode/astcSheet.ts';

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

export function mips(width: number, height: number): Picture[] {
  const list: Picture[] = [];
  for (let w = width, h = height; ; w = Math.max(1, w >> 1), h = Math.max(1, h >> 1)) {
    list.push(picture(w, h));
    if (w === 1 && h === 1) return list;
  }
}

export const SIZES = [
  [64, 64],
  [52, 20],
  [1, 40],
  [40, 1],
  [5, 7],
  [1, 1],
] as const;

function hasAstcenc(): boolean {
  try {
    findAstcenc();
    return true;
  } catch {
    return false;
  }
}

type Role = 'color' | 'normal' | 'data';
type Size = readonly [width: number, height: number];

export function expectSameBlocks(roles: readonly Role[], sizes: readonly Size[]): void {
  describe.skipIf(!hasAstcenc())('astcenc (skipped where neither ASTCENC_BIN nor PATH has it)', () => {
    it.each(roles)('makes the same blocks of %s in a sheet', async (role) => {
      const side = role === 'data' ? 6 : 4;
      for (const [width, height] of sizes) {
        const list = mips(width, height);
        const alone: Uint8Array[] = [];
        for (const mip of list) alone.push(...(await encodeWithAstcenc([mip], role, side, 'medium')));
        expect(await encodeWithAstcenc(list, role, side, 'medium')).toEqual(alone);
      }
    });
  });
}
