// How large the blocks of a texture are: the largest ones that keep its looks. Sizes are tried on some blocks; the size that these
// allow is what the whole texture is encoded with, and measured then. Only where the whole loses more than its samples said, it is
// encoded once more in smaller blocks.

import type { TextureSettings } from '../types.ts';
import { ASTC_SIDES, type AstcKind, type AstcSide, astcBlockSide, astcBytes } from './astc.ts';
import { type BlockLoss, keepsLooks, lossFactor } from './blockLoss.ts';

interface Sized {
  readonly width: number;
  readonly height: number;
}

const chainBytes = (levels: readonly Sized[], side: AstcSide): number =>
  levels.reduce((sum, { width, height }) => sum + astcBytes(width, height, side), 0);

/** The sides of blocks that the settings allow, the largest first. With `auto`, a side is left out if the file is no smaller than with the next smaller one. */
function sidesOf(levels: readonly Sized[], kind: AstcKind, blocks: TextureSettings['blocks']): AstcSide[] {
  if (blocks === 'engine') return [astcBlockSide(kind)];
  if (blocks !== 'auto') return ASTC_SIDES.filter((side) => blocks === `${side}x${side}`);
  return ASTC_SIDES.filter(
    (side, i) => i === 0 || chainBytes(levels, side) < chainBytes(levels, ASTC_SIDES[i - 1]),
  ).reverse();
}

export class BlockChoice {
  readonly #kind: AstcKind;
  readonly #psnr: number;
  readonly #sides: AstcSide[];
  #sampled: BlockLoss | null = null;
  #factor = 1;

  constructor(levels: readonly Sized[], kind: AstcKind, { blocks, psnr }: Pick<TextureSettings, 'blocks' | 'psnr'>) {
    this.#kind = kind;
    this.#psnr = psnr;
    this.#sides = sidesOf(levels, kind, blocks);
  }

  /** The side to encode with. `sample`: what blocks of a side lose, by some of them. */
  next(sample: (side: AstcSide) => BlockLoss): AstcSide {
    this.#sampled = null;
    for (;;) {
      const side = this.#sides.shift();
      if (side === undefined) throw new Error('no size of blocks is left');
      if (this.#sides.length === 0) return side;
      const sampled = sample(side);
      if (!keepsLooks(sampled, this.#kind, this.#psnr, this.#factor)) continue;
      this.#sampled = sampled;
      return side;
    }
  }

  /** Whether what `next` gave last has to be measured; otherwise it is the only size that is left. */
  get isOpen(): boolean {
    return this.#sampled !== null;
  }

  /** Whether a texture that was encoded as `next` said may stay so. */
  accepts(whole: BlockLoss): boolean {
    if (keepsLooks(whole, this.#kind, this.#psnr)) return true;
    if (this.#sampled) this.#factor = lossFactor(whole, this.#sampled);
    return false;
  }
}
