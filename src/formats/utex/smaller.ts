// A cooked texture without its largest mips: the same texels, so that it looks the same wherever those are not sampled.

import { readUtex } from './read.ts';
import { writeUtex } from './write.ts';

/** Smaller ones are not worth a file of their own. */
export const MIN_SMALLER_SIDE = 16;

export interface SmallerUtex {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly mipCount: number;
}

/** The file without its first mip, without its first two, and so on. Throws what the reader throws. */
export function smallerUtex(bytes: Uint8Array): SmallerUtex[] {
  const { header, mips } = readUtex(bytes, '');
  const { pixelFormat, flags } = header;
  const smaller: SmallerUtex[] = [];
  for (let first = 1; first < mips.length; first++) {
    const rest = mips.slice(first);
    const [{ width, height }] = rest;
    if (Math.max(width, height) < MIN_SMALLER_SIDE) break;
    smaller.push({ bytes: writeUtex({ pixelFormat, flags, mips: rest }), width, height, mipCount: rest.length });
  }
  return smaller;
}
