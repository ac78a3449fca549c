// The texels of a cooked texture for whoever samples it: the judge of levels, proxies and pictures.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { Pixels } from '../../textures/decode/pixels.ts';
import { decodeMip } from './decode.ts';
import { readUtex } from './read.ts';

/** The largest mip whose longer side has `side` pixels at most, or the last one; null: the file cannot be read. */
export function utexTexels(bytes: Uint8Array, side = Infinity): Pixels | null {
  try {
    const utex = readUtex(bytes, '');
    const level = utex.mips.findIndex(({ width, height }) => Math.max(width, height) <= side);
    return decodeMip(utex, level < 0 ? utex.mips.length - 1 : level);
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}
