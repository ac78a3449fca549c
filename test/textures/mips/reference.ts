// Levels in plain float64, written for clarity, to compare the kernel's with; and images to make them from.

import type { Pixels } from '../../../src/textures/decode/pixels.ts';

/** Four numbers a texel, not rounded. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

type Weight = (x: number) => number;

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
export const lanczos3: Weight = (x) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0);
export const soft: Weight = (x) => Math.max(0, 1 - Math.abs(x)) + Math.max(0, 1 - Math.abs(x) / 3) / 1024;

/** Resamples a row of `inputs` numbers, `stride` apart. */
function resampleLine(
  values: Float64Array,
  at: number,
  stride: number,
  inputs: number,
  outputs: number,
  weight: Weight,
): number[] {
  const scale = inputs / outputs;
  const stretch = Math.max(1, scale);
  return Array.from({ length: outputs }, (_, i) => {
    let sum = 0;
    let total = 0;
    for (let k = 0; k < inputs; k++) {
      const w = weight((k + 0.5 - (i + 0.5) * scale) / stretch);
      sum += w * values[at + k * stride];
      total += w;
    }
    return sum / total;
  });
}

export function resamplePlane({ width, height, values }: Plane, w: number, h: number, weight: Weight): Plane {
  const across = new Float64Array(w * height * 4);
  for (let y = 0; y < height; y++) {
    for (let c = 0; c < 4; c++) {
      const line = resampleLine(values, y * width * 4 + c, 4, width, w, weight);
      line.forEach((value, x) => {
        across[(y * w + x) * 4 + c] = value;
      });
    }
  }
  const out = new Float64Array(w * h * 4);
  for (let x = 0; x < w; x++) {
    for (let c = 0; c < 4; c++) {
      const line = resampleLine(across, x * 4 + c, w * 4, height, h, weight);
      line.forEach((value, y) => {
        out[(y * w + x) * 4 + c] = value;
      });
    }
  }
  return { width: w, height: h, values: out };
}

export const toLinear = (byte: number) => {
  const s = byte / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
};
const clamp = (x: number) => Math.min(1, Math.max(0, x));
export const toByte = (x: number) => Math.floor(clamp(x) * 255 + 0.5);
export const toSrgb = (l: number) => toByte(l <= 0.0031308 ? l * 12.92 : 1.055 * clamp(l) ** (1 / 2.4) - 0.055);

export function planeOf({ width, height, data }: Pixels, value: (byte: number, channel: number) => number): Plane {
  return { width, height, values: Float64Array.from(data, (byte, i) => value(byte, i % 4)) };
}

/** Linear light times alpha, and alpha, which is at least `min`. */
export function premultiplied(image: Pixels, min = 0): Plane {
  const plane = planeOf(image, (byte, c) => (c === 3 ? Math.max(min, byte / 255) : toLinear(byte)));
  plane.values.forEach((value, i) => {
    if (i % 4 !== 3) plane.values[i] = value * plane.values[i - (i % 4) + 3];
  });
  return plane;
}

/** Bytes that look random. */
export function noise(count: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

/** Random colours; `alpha` of 255 everywhere, or random too. */
export function noiseImage(width: number, height: number, alpha: 255 | 'random', seed = 1): Pixels {
  const data = noise(width * height * 4, seed);
  if (alpha === 255) for (let i = 3; i < data.length; i += 4) data[i] = 255;
  return { width, height, data };
}

/** Smooth colours with a few edges, as photographs have them. */
export function smoothImage(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const edge = (x * 3 + y * 5) % 41 < 13 ? 60 : 0;
      data[at] = 90 + edge + Math.round(60 * Math.sin(x / 7) * Math.cos(y / 9));
      data[at + 1] = 30 + edge + Math.round(30 * Math.sin((x + y) / 5));
      data[at + 2] = 180 - edge + Math.round(50 * Math.cos(x / 3));
      data[at + 3] = 255;
    }
  }
  return { width, height, data };
}

/** How far two lists of bytes are apart. */
export function difference(a: Uint8Array, b: Uint8Array): { max: number; different: number } {
  if (a.length !== b.length) throw new Error(`${a.length} and ${b.length} bytes`);
  let max = 0;
  let different = 0;
  a.forEach((value, i) => {
    max = Math.max(max, Math.abs(value - b[i]));
    if (value !== b[i]) different++;
  });
  return { max, different };
}
