// Blocks of every size: read by two decoders, measured as they are, the same by rows, and repeated where that loses next to nothing.

import { describe, expect, test } from 'vitest';
import { kernel } from '../../src/kernel/kernel.ts';
import {
  ASTC_SIDES,
  type AstcKind,
  type AstcSide,
  astcBytes,
  astcRows,
  encodeAstc,
  encodeAstcAt,
} from '../../src/textures/encode/astc.ts';
import { BlockChoice } from '../../src/textures/encode/blockChoice.ts';
import {
  type BlockLoss,
  keepsLooks,
  LossSum,
  measuredLoss,
  placeSums,
  sampledLoss,
  sumsOf,
} from '../../src/textures/encode/blockLoss.ts';
import { decodeByBasis, type Image, imageOf, normalsOf, psnr, randomNumbers } from './astcFile.ts';

const random = randomNumbers(11);
const cloth = imageOf(120, 120, (x, y) => {
  const weave = 30 * Math.sin((x + y) / 31) + 8 * Math.sin(x / 3) + (random() - 0.5) * 6;
  return [150 + weave, 110 + weave * 0.9 + 20 * Math.sin(y / 40), 80 + weave * 0.7, 255];
});
const ripples = normalsOf(120, 120, (x, y) => 3 * Math.sin(x / 17) * Math.cos(y / 23));
const veiled = imageOf(120, 120, (x, y) => [2 * x, 2 * y, 90, x < 60 ? 0 : 255 - y]);

function decoded(blocks: Uint8Array, { width, height }: Image, side: AstcSide, isSrgb: boolean): Uint8Array {
  return kernel.within((memory) => {
    const from = memory.put(blocks);
    const to = memory.allocate(width * height * 4);
    expect(memory.calls.decodeAstc(from, width, height, side, side, isSrgb, to)).toBe(0);
    return memory.uint8(to, width * height * 4).slice();
  });
}

/** What the encoder says that its blocks lose, and what a decoder finds. */
function losses({ data, width, height }: Image, kind: AstcKind, side: AstcSide): [BlockLoss, BlockLoss] {
  return kernel.within((memory) => {
    const address = memory.put(data);
    const sums = placeSums(memory);
    const rows = astcRows(height, side);
    const blocks = encodeAstcAt(memory, address, width, height, kind, side, 'fast', 0, rows, sums);
    const [told, found] = [new LossSum(), new LossSum()];
    told.add(sumsOf(memory, sums));
    found.add(measuredLoss(memory, { width, height, address }, kind, side, blocks));
    return [told.mean, found.mean];
  });
}

describe.each(ASTC_SIDES)('blocks of %i texels a side', (side) => {
  test('are read alike by two decoders, and smaller ones are nearer to their image', async () => {
    const blocks = encodeAstc(cloth, 'color', 'fast', side);
    expect(blocks.length).toBe(astcBytes(120, 120, side));
    const own = psnr(cloth.data, decoded(blocks, cloth, side, true), [0, 1, 2]);
    const other = psnr(cloth.data, await decodeByBasis(blocks, 120, 120, side), [0, 1, 2]);
    expect(own).toBeGreaterThan({ 4: 51, 5: 47, 6: 44, 8: 39 }[side]);
    expect(Math.abs(own - other)).toBeLessThan(1.5);
  });

  test('of rows by themselves are those of the whole image', () => {
    const whole = encodeAstc(cloth, 'color', 'fast', side);
    const perRow = whole.length / astcRows(120, side);
    for (let row = 0; row < astcRows(120, side); row++) {
      const part = kernel.within((memory) => {
        const at = encodeAstcAt(memory, memory.put(cloth.data), 120, 120, 'color', side, 'fast', row, row + 1);
        return memory.uint8(at, perRow).slice();
      });
      expect(part).toEqual(whole.slice(row * perRow, (row + 1) * perRow));
    }
  });

  test('lose what the encoder says', () => {
    for (const [image, kind] of [
      [cloth, 'color'],
      [veiled, 'color'],
    ] as const) {
      const [told, found] = losses(image, kind, side);
      expect(told.colors).toBeCloseTo(found.colors, 4);
      expect(told.alpha).toBeCloseTo(found.alpha, 4);
    }
    // Linear values are not rounded to bytes where they are sampled.
    for (const [image, kind] of [
      [cloth, 'data'],
      [ripples, 'normal'],
    ] as const) {
      const [told, found] = losses(image, kind, side);
      const rounding = kind === 'data' ? 1 / 6 : (2 / 12 + 1 / 6) / 127.5 ** 2;
      expect(Math.abs(told.colors - found.colors)).toBeLessThan(0.15 * found.colors + rounding);
    }
  });

  test('of a few samples tell what all lose', () => {
    const { data, width, height } = cloth;
    kernel.within((memory) => {
      const level = { width, height, address: memory.put(data) };
      const { colors } = sampledLoss(memory, [level], 'color', side, 'fast');
      const [, found] = losses(cloth, 'color', side);
      expect(10 * Math.abs(Math.log10(colors / found.colors))).toBeLessThan(0.5);
    });
  });
});

describe('what blocks lose', () => {
  test('of colours that alpha hides does not count, and alpha counts by itself', () => {
    const hidden = imageOf(64, 64, () => [255 * random(), 255 * random(), 255 * random(), 0]);
    const seen = imageOf(64, 64, (x, y) => [...hidden.data.subarray((y * 64 + x) * 4, (y * 64 + x) * 4 + 3), 255]);
    const [, [unseen], [whole]] = [0, losses(hidden, 'color', 8), losses(seen, 'color', 8)];
    expect(unseen.colors).toBe(0);
    expect(whole.colors).toBeGreaterThan(1000);
    const edges = imageOf(64, 64, () => [9, 9, 9, 255 * random()]);
    const [, { alpha }] = losses(edges, 'color', 8);
    expect(keepsLooks({ colors: 0, alpha }, 'color', 42)).toBe(false);
  });

  test('is judged by decibels of colours and of data, and by the angle of normals', () => {
    // 255² / 10^4.2 is 4.103, 10^3.9 gives 8.186; 0.6 degrees have a chord of 0.010472.
    expect(keepsLooks({ colors: 4.09, alpha: 0 }, 'color', 42)).toBe(true);
    expect(keepsLooks({ colors: 4.11, alpha: 0 }, 'color', 42)).toBe(false);
    expect(keepsLooks({ colors: 8.18, alpha: 0 }, 'data', 42)).toBe(true);
    expect(keepsLooks({ colors: 8.19, alpha: 0 }, 'data', 42)).toBe(false);
    expect(keepsLooks({ colors: 0.01047 ** 2, alpha: 0 }, 'normal', 42)).toBe(true);
    expect(keepsLooks({ colors: 0.01048 ** 2, alpha: 0 }, 'normal', 42)).toBe(false);
    // Ten times less with 20 dB more.
    expect(keepsLooks({ colors: 0.001047 ** 2, alpha: 0 }, 'normal', 62)).toBe(true);
    expect(keepsLooks({ colors: 0.001048 ** 2, alpha: 0 }, 'normal', 62)).toBe(false);
  });
});

describe('the choice', () => {
  const level = [{ width: 64, height: 64 }];
  const AUTO = { blocks: 'auto', psnr: 42 } as const;
  const lossOf = (colors: number): BlockLoss => ({ colors, alpha: 0 });

  test('takes the first size whose samples keep the looks, and measures it', () => {
    const choice = new BlockChoice(level, 'color', AUTO);
    const tried: number[] = [];
    const side = choice.next((one) => {
      tried.push(one);
      return lossOf(one === 8 ? 9 : 4);
    });
    expect([side, tried, choice.isOpen, choice.accepts(lossOf(3.1))]).toEqual([6, [8, 6], true, true]);
  });

  test('counts on what the whole lost more than its samples said', () => {
    const choice = new BlockChoice(level, 'color', AUTO);
    expect(choice.next(() => lossOf(4))).toBe(8);
    expect(choice.accepts(lossOf(8))).toBe(false);
    // Twice 2.1 is too much, twice 2 is not.
    expect(choice.next((side) => lossOf(side === 6 ? 2.1 : 2))).toBe(5);
    expect(choice.accepts(lossOf(4.2))).toBe(false);
    expect([choice.next(() => lossOf(0)), choice.isOpen]).toEqual([4, false]);
  });
});

test('blocks that hardly differ are one, and files of them pack well', () => {
  const steps = imageOf(256, 64, (x, y) => [100 + ((x * 7 + y * 3) % 5 === 0 ? 1 : 0), 100, 100, 255]);
  const blocks = encodeAstc(steps, 'color', 'fast', 4);
  const different = new Set<string>();
  for (let at = 0; at < blocks.length; at += 16)
    different.add(Buffer.from(blocks.subarray(at, at + 16)).toString('hex'));
  expect([...different]).toEqual(['fcfdffffffffffff' + '6464' + '6464' + '6464' + 'ffff']);
  // The greatest effort keeps every step.
  const exact = encodeAstc(steps, 'color', 'thorough', 4);
  expect(psnr(steps.data, decoded(exact, steps, 4, true), [0, 1, 2])).toBeGreaterThan(60);
});
