// Samples an image as a renderer does: bilinear, in linear light, in any wrap mode. Shrinks an image whose result has fewer
// texels. For bake.ts.

import type { Wrap } from '../../scene/types.ts';
import type { Pixels } from '../decode/pixels.ts';
import { ENCODE_STEPS, LINEAR_OF_SRGB_BYTE, srgbEncodeTable, UNIT_OF_BYTE } from './color.ts';

/** Texel index under a wrap mode, -1 for the black border. */
function wrapIndex(i: number, n: number, wrap: Wrap): number {
  if (i >= 0 && i < n) return i;
  switch (wrap) {
    case 'clamp':
      return i < 0 ? 0 : n - 1;
    case 'black':
      return -1;
    case 'repeat':
      return i - Math.floor(i / n) * n;
    case 'mirror': {
      const j = i - Math.floor(i / (2 * n)) * 2 * n;
      return j < n ? j : 2 * n - 1 - j;
    }
  }
}

/** Writes the four linear channels at (u, v), V up, to `out`. */
export type Sampler = (u: number, v: number, out: Float64Array) => void;

/**
 * A bilinear sampler. `srgb` decodes red, green and blue before they are mixed; alpha is taken as it is. Texels outside of
 * a black border are (0, 0, 0, 0), as OpenGL's and Hydra's border colour.
 */
export function createSampler(pixels: Pixels, wrapS: Wrap, wrapT: Wrap, srgb: boolean): Sampler {
  const { width, height, data } = pixels;
  const decode = srgb ? LINEAR_OF_SRGB_BYTE : UNIT_OF_BYTE;
  const add = (x: number, y: number, weight: number, out: Float64Array) => {
    if (weight === 0 || x < 0 || y < 0) return;
    const at = (y * width + x) * 4;
    out[0] += weight * decode[data[at]];
    out[1] += weight * decode[data[at + 1]];
    out[2] += weight * decode[data[at + 2]];
    out[3] += weight * UNIT_OF_BYTE[data[at + 3]];
  };
  return (u, v, out) => {
    const x = u * width - 0.5;
    const y = (1 - v) * height - 0.5;
    const left = Math.floor(x);
    const top = Math.floor(y);
    const fx = x - left;
    const fy = y - top;
    const x0 = wrapIndex(left, width, wrapS);
    const x1 = wrapIndex(left + 1, width, wrapS);
    const y0 = wrapIndex(top, height, wrapT);
    const y1 = wrapIndex(top + 1, height, wrapT);
    out[0] = out[1] = out[2] = out[3] = 0;
    add(x0, y0, (1 - fx) * (1 - fy), out);
    add(x1, y0, fx * (1 - fy), out);
    add(x0, y1, (1 - fx) * fy, out);
    add(x1, y1, fx * fy, out);
  };
}

/** Averages the texels of row `y` over `target` equal parts and adds `weight` times each average to `sums`. */
function addRow(pixels: Pixels, y: number, target: number, decode: Float64Array, weight: number, sums: Float64Array) {
  const { width, data } = pixels;
  const step = width / target;
  for (let x = 0; x < target; x++) {
    const from = x * step;
    const to = Math.min(width, from + step);
    for (let i = Math.floor(from); i < to; i++) {
      const share = (weight * (Math.min(i + 1, to) - Math.max(i, from))) / step;
      const at = (y * width + i) * 4;
      sums[x * 4] += share * decode[data[at]];
      sums[x * 4 + 1] += share * decode[data[at + 1]];
      sums[x * 4 + 2] += share * decode[data[at + 2]];
      sums[x * 4 + 3] += share * UNIT_OF_BYTE[data[at + 3]];
    }
  }
}

/** The image averaged by area in linear light to a smaller size; the same object if the size is not smaller. */
export function shrink(pixels: Pixels, width: number, height: number, srgb: boolean): Pixels {
  if (width >= pixels.width && height >= pixels.height) return pixels;
  const decode = srgb ? LINEAR_OF_SRGB_BYTE : UNIT_OF_BYTE;
  const encode = srgb ? srgbEncodeTable() : null;
  const data = new Uint8Array(width * height * 4);
  const sums = new Float64Array(width * 4);
  const step = pixels.height / height;
  for (let y = 0; y < height; y++) {
    const from = y * step;
    const to = Math.min(pixels.height, from + step);
    sums.fill(0);
    for (let i = Math.floor(from); i < to; i++) {
      addRow(pixels, i, width, decode, (Math.min(i + 1, to) - Math.max(i, from)) / step, sums);
    }
    const row = y * width * 4;
    for (let i = 0; i < sums.length; i++) {
      const value = Math.min(1, sums[i]);
      data[row + i] =
        encode === null || i % 4 === 3 ? Math.round(value * 255) : encode[Math.round(value * ENCODE_STEPS)];
    }
  }
  return { width, height, data };
}
