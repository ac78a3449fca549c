// Levels as the engine's own baker makes them, bit for bit: Pillow's Lanczos from the image for each level, on stored numbers.

import type { Address, Kernel } from '../../kernel/kernel.ts';
import { slotsOf } from './levels.ts';
import type { PlacedLevel } from './types.ts';
import { LANCZOS3, type WindowWeights, windowWeights } from './weights.ts';

/** Weights of bytes have 22 fraction bits: 32, without the 8 of a byte and 2 for what weights may sum up to. */
const ONE = 1 << 22;

/** Fixed-point weights, halves rounded away from 0. */
function fixed(weights: Float64Array): Uint32Array {
  const rounded = Int32Array.from(weights, (w) => (w < 0 ? Math.trunc(w * ONE - 0.5) : Math.trunc(w * ONE + 0.5)));
  return new Uint32Array(rounded.buffer);
}

function place(memory: Kernel, { taps, starts, weights }: WindowWeights, isHeight: boolean): Address {
  const at = memory.put(isHeight ? weights : fixed(weights));
  return memory.words(taps, memory.put(starts), at);
}

/** Makes the levels of `sizes` from an image in memory, which stays as it is: RGBA bytes, or uint16 heights. */
export function makeEngineLevels(
  memory: Kernel,
  image: PlacedLevel,
  sizes: readonly (readonly [width: number, height: number])[],
  isHeight: boolean,
): PlacedLevel[] {
  const { width, height } = image;
  const pixels = width * height;
  const levels = sizes.map(([w, h]) => ({ width: w, height: h, address: memory.allocate(w * h * (isHeight ? 2 : 4)) }));
  const hasAlpha = !isHeight && !memory.calls.isOpaque(image.address, pixels);
  memory.within(() => {
    let from = image.address;
    if (hasAlpha) {
      from = memory.allocate(pixels * 4);
      memory.calls.premultiply(image.address, pixels, from);
    }
    for (const level of levels) {
      memory.within(() => {
        const across = windowWeights(width, level.width, LANCZOS3);
        const down = windowWeights(height, level.height, LANCZOS3);
        const windows = [place(memory, across, isHeight), place(memory, down, isHeight)] as const;
        const slots = slotsOf(height, down);
        const ring = memory.allocate(slots * level.width * 4);
        const size = [level.width, level.height] as const;
        if (isHeight) {
          memory.calls.resampleHeights(from, width, height, ...windows, ring, slots, ...size, level.address);
          return;
        }
        const wide = memory.zeros(Math.max(width, across.taps) * 16);
        memory.calls.resampleBytes(from, width, height, ...windows, wide, ring, slots, ...size, level.address);
        if (hasAlpha) memory.calls.unpremultiply(level.address, level.width * level.height);
      });
    }
  });
  return [image, ...levels];
}
