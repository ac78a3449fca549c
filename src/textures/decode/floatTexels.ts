// Texels of floating-point images (EXR, HDR) as bytes: values are held within 0 and 1, and colours are encoded as sRGB
// because such files store light itself.

import { ENCODE_STEPS, srgbEncodeTable } from '../bake/color.ts';
import type { TextureUse } from './imageFormat.ts';

/** Values outside [0, 1] by less than half a step of a byte are rounding. */
const TOLERANCE = 0.5 / 255;

/** Turns values into bytes and notes whether one was out of range. A value that is no number becomes 0. */
export class FloatTexels {
  /** A value was outside of [0, 1], or no number. */
  clamped = false;
  readonly #encode: Uint8Array | null;

  constructor(use: TextureUse) {
    this.#encode = use === 'color' ? srgbEncodeTable() : null;
  }

  /** Red, green and blue. */
  color(value: number): number {
    const kept = this.#hold(value);
    return this.#encode ? this.#encode[Math.round(kept * ENCODE_STEPS)] : Math.round(kept * 255);
  }

  alpha(value: number): number {
    return Math.round(this.#hold(value) * 255);
  }

  #hold(value: number): number {
    if (value >= 0 && value <= 1) return value;
    if (!(value >= -TOLERANCE && value <= 1 + TOLERANCE)) this.clamped = true;
    return value > 1 ? 1 : 0;
  }
}
