// What blocks of ASTC lose of a texture, and whether that is little enough to be stored in blocks of this size.

import type { Address, Kernel } from '../../kernel/kernel.ts';
import { type AstcKind, type AstcQuality, type AstcSide, astcNumbers, astcRows } from './astc.ts';

/** Sums over the texels of mips. */
export interface BlockLoss {
  /** Mean squared error of colours that are seen, in bytes; of normals the mean squared chord. */
  readonly colors: number;
  /** Mean squared error of alpha; 0 for normals. */
  readonly alpha: number;
}

interface PlacedPixels {
  readonly width: number;
  readonly height: number;
  readonly address: Address;
}

/** The kernel's Loss: four float64. */
const SUMS_BYTES = 32;

/** The blocks of a texture that are tried before all are made: enough to tell its PSNR to some tenths of a dB. */
const SAMPLES = 1024;

/** Data and alpha may lose so many dB more than colours: shading and blending hide a part of their errors. */
const DATA_DECIBELS = 3;
/** Where colours have to keep NORMAL_DECIBELS, normals may be off by this angle (root mean square); for 20 dB less by ten times as much. */
const NORMAL_DEGREES = 0.6;
const NORMAL_DECIBELS = 42;

/** Room for sums in the kernel's memory, all 0. */
export function placeSums(memory: Kernel): Address {
  const at = memory.allocate(SUMS_BYTES);
  memory.uint8(at, SUMS_BYTES).fill(0);
  return at;
}

export const sumsOf = (memory: Kernel, at: Address): Float64Array =>
  new Float64Array(memory.uint8(at, SUMS_BYTES).slice().buffer);

const isNumber = (value: number): number => (Number.isFinite(value) ? value : 0);

/** Adds up what is lost, mip by mip. */
export class LossSum {
  readonly #sums = new Float64Array(4);

  add(sums: Float64Array): void {
    for (let i = 0; i < 4; i++) this.#sums[i] += sums[i];
  }

  get mean(): BlockLoss {
    const [squares, weight, alphaSquares, alphaWeight] = this.#sums;
    return { colors: isNumber(squares / weight), alpha: isNumber(alphaSquares / alphaWeight) };
  }
}

/** What blocks in the kernel's memory lose of pixels that lie there. */
export function measuredLoss(
  memory: Kernel,
  { width, height, address }: PlacedPixels,
  kind: AstcKind,
  side: AstcSide,
  blocks: Address,
): Float64Array {
  const to = placeSums(memory);
  memory.calls.measureAstc(address, width, height, astcNumbers(kind).kind, side, blocks, to);
  return sumsOf(memory, to);
}

/** What the blocks of the mips would lose, by some of them: always the same ones, spread over every mip. */
export function sampledLoss(
  memory: Kernel,
  levels: readonly PlacedPixels[],
  kind: AstcKind,
  side: AstcSide,
  quality: AstcQuality,
): BlockLoss {
  const [{ width, height }] = levels;
  const step = Math.max(1, Math.floor((Math.ceil(width / side) * astcRows(height, side)) / SAMPLES));
  const numbers = astcNumbers(kind, quality);
  const to = placeSums(memory);
  const sum = new LossSum();
  for (const level of levels) {
    const { calls } = memory;
    calls.sampleAstc(level.address, level.width, level.height, numbers.kind, side, numbers.quality, step, to);
    sum.add(sumsOf(memory, to));
  }
  return sum.mean;
}

/** The greatest losses at which a texture may have larger blocks. */
function greatestLoss(kind: AstcKind, decibels: number): BlockLoss {
  const squares = (db: number) => 255 ** 2 / 10 ** (db / 10);
  const data = squares(decibels - DATA_DECIBELS);
  if (kind !== 'normal') return { colors: kind === 'color' ? squares(decibels) : data, alpha: data };
  const angle = ((NORMAL_DEGREES * Math.PI) / 180) * 10 ** ((NORMAL_DECIBELS - decibels) / 20);
  return { colors: (2 * Math.sin(Math.min(angle, Math.PI) / 2)) ** 2, alpha: 0 };
}

/** Whether losses keep what is asked for. `factor`: how much more whole textures lose than is said here. */
export function keepsLooks({ colors, alpha }: BlockLoss, kind: AstcKind, decibels: number, factor = 1): boolean {
  const greatest = greatestLoss(kind, decibels);
  return colors * factor <= greatest.colors && alpha * factor <= greatest.alpha;
}

/** How much more the blocks of a whole texture lose than their samples said. */
export function lossFactor(whole: BlockLoss, sampled: BlockLoss): number {
  const ratios = [whole.colors / sampled.colors, whole.alpha / sampled.alpha].map(isNumber);
  return Math.max(1, ...ratios);
}
