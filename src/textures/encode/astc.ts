// ASTC blocks of an image. The kernel encodes (kernel/assembly/astc); this says for which kind of texture which blocks are made.

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';

/**
 * What the texels are. `color`: sRGB, RGB or RGBA. `normal`: linear; red is X and green Y, which are stored as luminance and
 * alpha. `data`: linear, RGB or RGBA. `opacity`: linear, of the red channel alone.
 */
export type AstcKind = 'color' | 'normal' | 'data' | 'opacity';

export type AstcQuality = 'fast' | 'medium' | 'thorough';

/** The kernel's numbers of these. */
const KINDS: readonly AstcKind[] = ['color', 'normal', 'data', 'opacity'];
const QUALITIES: readonly AstcQuality[] = ['fast', 'medium', 'thorough'];

/** What the kernel calls a kind and a quality. */
export function astcNumbers(kind: AstcKind, quality: AstcQuality = 'fast'): { kind: number; quality: number } {
  return { kind: KINDS.indexOf(kind), quality: QUALITIES.indexOf(quality) };
}

const BLOCK_BYTES = 16;

/** Texels along one side of a block. */
export const ASTC_SIDES = [4, 5, 6, 8] as const;
export type AstcSide = (typeof ASTC_SIDES)[number];

/** The blocks that the engine's own tool makes of a kind. */
export function astcBlockSide(kind: AstcKind): AstcSide {
  return kind === 'data' ? 6 : 4;
}

/** How many rows of blocks an image of this height has. */
export function astcRows(height: number, side: AstcSide): number {
  return Math.ceil(height / side);
}

/** Bytes of the blocks of an image. */
export function astcBytes(width: number, height: number, side: AstcSide): number {
  return Math.ceil(width / side) * astcRows(height, side) * BLOCK_BYTES;
}

/**
 * Encodes pixels in the kernel's memory, RGBA of a byte each from the top row down; call it inside `within`. Gives the address
 * of the blocks, row by row from the top. Blocks do not depend on each other: `firstRow` and `endRow` name the rows of blocks
 * to be made where several threads share an image. `loss`: where the kernel adds what blocks lose; 0: nowhere. Width and
 * height are at least 1.
 */
export function encodeAstcAt(
  kernel: Kernel,
  pixels: Address,
  width: number,
  height: number,
  kind: AstcKind,
  side: AstcSide,
  quality: AstcQuality,
  firstRow = 0,
  endRow = astcRows(height, side),
  loss: Address = 0,
): Address {
  const perRow = Math.ceil(width / side) * BLOCK_BYTES;
  const to = kernel.allocate(perRow * (endRow - firstRow));
  const numbers = astcNumbers(kind, quality);
  kernel.calls.encodeAstc(pixels, width, height, numbers.kind, side, numbers.quality, firstRow, endRow, loss, to);
  return to;
}

/** Encodes an image, RGBA of a byte each from the top row down. Gives its blocks, row by row from the top. */
export function encodeAstc(
  image: { readonly data: Uint8Array; readonly width: number; readonly height: number },
  kind: AstcKind,
  quality: AstcQuality,
  side: AstcSide = astcBlockSide(kind),
): Uint8Array {
  const { data, width, height } = image;
  return kernel.within((kernel) => {
    const blocks = encodeAstcAt(kernel, kernel.put(data), width, height, kind, side, quality);
    return kernel.uint8(blocks, astcBytes(width, height, side)).slice();
  });
}
