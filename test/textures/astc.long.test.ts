// A quarter of a million blocks of each kind and quality are legal.

import { expect, test } from 'vitest';
import { kernel } from '../../src/kernel/kernel.ts';
import {
  type AstcKind,
  type AstcQuality,
  astcBlockSide,
  astcRows,
  encodeAstcAt,
} from '../../src/textures/encode/astc.ts';
import { randomNumbers } from './astcFile.ts';

const BLOCKS = 1 << 18;
const WIDTH = 1024;

test.each(
  (['color', 'normal', 'data', 'opacity'] as const).flatMap((kind) =>
    (['fast', 'medium'] as const).map((quality): [AstcKind, AstcQuality] => [kind, quality]),
  ),
)(
  'of %s, %s',
  async (kind, quality) => {
    const random = randomNumbers(99);
    const side = astcBlockSide(kind);
    const perRow = Math.ceil(WIDTH / side);
    const height = 60;
    const rows = astcRows(height, side);
    const data = new Uint8Array(WIDTH * height * 4);
    for (let done = 0; done < BLOCKS; done += perRow * rows) {
      // A block of its own contrast, base and alpha for each 12 by 12 texels, as one number in turn decides.
      for (let top = 0; top < height; top += 12) {
        for (let left = 0; left < WIDTH; left += 12) {
          const seed = Math.floor(random() * 0xffffffff);
          const mask = 0xff >> (seed & 7);
          const base = seed >>> 8;
          const keep = [seed & 8 ? 0 : 255, seed & 16 ? 0 : 255, seed & 32 ? 0 : 255, seed & 64 ? 0 : 255];
          let state = seed;
          for (let y = top; y < top + 12; y++) {
            for (let x = left; x < Math.min(left + 12, WIDTH); x++) {
              state = (Math.imul(state, 1664525) + 1013904223) | 0;
              const at = (y * WIDTH + x) * 4;
              for (let c = 0; c < 4; c++) {
                data[at + c] = ((base >>> (c * 8)) & 255) ^ ((state >>> (24 - c * 5)) & mask & keep[c]);
              }
              if (seed & 128) data[at + 3] = 255;
            }
          }
        }
      }
      const illegal = kernel.within((kernel) => {
        const blocks = encodeAstcAt(kernel, kernel.put(data), WIDTH, height, kind, astcBlockSide(kind), quality);
        return kernel.calls.firstIllegalBlock(blocks, perRow * rows, side, side);
      });
      expect(illegal).toBe(perRow * rows);
      // Lets the test runner say that it is alive.
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  600_000,
);
