// The picture of a chart: its texels as the means of the samples in them, in linear light, with a border of texels like its
// own. Coverage decides: a window smaller than a texel shows by its share of it.

import { ENCODE_STEPS, LINEAR_OF_SRGB_BYTE, srgbEncodeTable } from '../bake/color.ts';
import type { Mips } from './mips.ts';

/** Linear, 0 to 1. */
export type Rgb = readonly [number, number, number];

/** What a surface has its colours from. */
export interface ColorSource {
  /** Multiplied into the texels. */
  readonly factor: Rgb;
  /** Repeats in both directions; null: white. */
  readonly mips: Mips | null;
}

/** What each sample of a chart shows, row by row. */
export interface PictureSamples {
  /** Below 0: nothing. */
  readonly triangles: Int32Array;
  /** V up. */
  readonly u: Float32Array;
  readonly v: Float32Array;
  /** The area in texture coordinates that the sample spans. */
  readonly uvArea: Float32Array;
}

export interface PictureRequest {
  /** Texels without the border. */
  readonly width: number;
  readonly height: number;
  /** Samples along a texel's side. */
  readonly samples: number;
  /** Texels of the border. */
  readonly gutter: number;
}

export interface ChartPicture {
  /** Texels without the border. */
  readonly width: number;
  readonly height: number;
  /** sRGB bytes of the texels, three each, with the border on all sides. */
  readonly data: Uint8Array;
  /** Of the texels that have samples. */
  readonly mean: Rgb;
  /** The most that an sRGB byte of a texel with samples differs from the mean's. */
  readonly spread: number;
}

/** Rings of texels around those with samples that take their colours from their neighbours; beyond is the mean. */
const RINGS = 3;

/** `sources`: by number; `sourceOf`: that number for each triangle. Null where no sample shows anything. */
export function chartPicture(
  shown: PictureSamples,
  { width, height, samples, gutter }: PictureRequest,
  sources: readonly ColorSource[],
  sourceOf: Uint32Array,
): ChartPicture | null {
  const across = width + 2 * gutter;
  const down = height + 2 * gutter;
  const sums = new Float64Array(across * down * 4);
  const columns = width * samples;
  const rows = height * samples;
  for (let row = 0, i = 0; row < rows; row++) {
    const first = (Math.floor(row / samples) + gutter) * across + gutter;
    for (let column = 0; column < columns; column++, i++) {
      const triangle = shown.triangles[i];
      if (triangle < 0) continue;
      const source = sources[sourceOf[triangle]];
      const to = (first + Math.floor(column / samples)) * 4;
      addColor(source, shown, i, sums, to);
    }
  }
  const mean = meanOf(sums);
  if (mean === null) return null;
  const { bytes, spread } = encoded(sums, mean);
  dilate(bytes, sums, mean, across, down);
  return { width, height, data: bytes, mean, spread };
}

/** Adds the colour of a sample and 1. */
function addColor({ factor, mips }: ColorSource, shown: PictureSamples, i: number, sums: Float64Array, to: number) {
  sums[to + 3]++;
  if (mips === null) {
    for (let c = 0; c < 3; c++) sums[to + c] += factor[c];
    return;
  }
  const { width, height, data } = levelFor(mips, shown.uvArea[i]);
  const u = shown.u[i];
  const v = 1 - shown.v[i];
  const x = Math.min(width - 1, Math.floor((u - Math.floor(u)) * width));
  const y = Math.min(height - 1, Math.floor((v - Math.floor(v)) * height));
  const at = (y * width + x) * 4;
  for (let c = 0; c < 3; c++) sums[to + c] += factor[c] * LINEAR_OF_SRGB_BYTE[data[at + c]];
}

/** The finest level of which a sample spans about a texel. */
function levelFor(mips: Mips, uvArea: number): Mips[number] {
  let level = 0;
  // A number that is not finite comes of UVs or a triangle without an area.
  while (level < mips.length - 1 && !(uvArea * mips[level].width * mips[level].height <= 2)) level++;
  return mips[level];
}

function meanOf(sums: Float64Array): [number, number, number] | null {
  const mean: [number, number, number] = [0, 0, 0];
  let weight = 0;
  for (let i = 0; i < sums.length; i += 4) {
    if (sums[i + 3] === 0) continue;
    weight += sums[i + 3];
    for (let c = 0; c < 3; c++) mean[c] += sums[i + c];
  }
  return weight === 0 ? null : [mean[0] / weight, mean[1] / weight, mean[2] / weight];
}

function encoded(sums: Float64Array, mean: Rgb): { readonly bytes: Uint8Array; readonly spread: number } {
  const bytes = new Uint8Array((sums.length / 4) * 3);
  const middle = mean.map(colorByte);
  let spread = 0;
  for (let i = 0, to = 0; i < sums.length; i += 4, to += 3) {
    if (sums[i + 3] === 0) continue;
    for (let c = 0; c < 3; c++) {
      bytes[to + c] = colorByte(sums[i + c] / sums[i + 3]);
      spread = Math.max(spread, Math.abs(bytes[to + c] - middle[c]));
    }
  }
  return { bytes, spread };
}

/** Linear to an sRGB byte. */
export function colorByte(linear: number): number {
  return srgbEncodeTable()[Math.round(Math.max(0, Math.min(1, linear)) * ENCODE_STEPS)];
}

/** Gives texels without samples the mean of their neighbours, ring by ring, and the mean of all beyond. */
function dilate(bytes: Uint8Array, sums: Float64Array, mean: Rgb, across: number, down: number): void {
  const ring = new Uint8Array(across * down);
  for (let i = 0; i < ring.length; i++) if (sums[i * 4 + 3] > 0) ring[i] = 1;
  for (let now = 2; now < 2 + RINGS; now++) {
    for (let y = 0, i = 0; y < down; y++) {
      for (let x = 0; x < across; x++, i++) {
        if (ring[i] !== 0) continue;
        let [r, g, b, n] = [0, 0, 0, 0];
        for (let dy = y > 0 ? -1 : 0; dy <= 1 && y + dy < down; dy++) {
          for (let dx = x > 0 ? -1 : 0; dx <= 1 && x + dx < across; dx++) {
            const other = i + dy * across + dx;
            if (ring[other] === 0 || ring[other] === now) continue;
            r += bytes[other * 3];
            g += bytes[other * 3 + 1];
            b += bytes[other * 3 + 2];
            n++;
          }
        }
        if (n === 0) continue;
        ring[i] = now;
        bytes[i * 3] = Math.round(r / n);
        bytes[i * 3 + 1] = Math.round(g / n);
        bytes[i * 3 + 2] = Math.round(b / n);
      }
    }
  }
  for (let i = 0; i < ring.length; i++) {
    if (ring[i] === 0) for (let c = 0; c < 3; c++) bytes[i * 3 + c] = colorByte(mean[c]);
  }
}
