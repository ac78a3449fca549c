// The picture of a chart: its texels as the means of the samples in them, in linear light, with a border of texels like its
// own. Coverage decides: a window smaller than a texel shows by its share of it.

import { ENCODE_STEPS, LINEAR_OF_SRGB_BYTE, srgbEncodeTable } from '../bake/color.ts';
import type { Mips } from './mips.ts';

/** Linear: a colour from 0 to 1 each, or light that is given, from 0 on. */
export type Rgb = readonly [number, number, number];

/** A factor and the image that it is multiplied into. */
export interface Tinted {
  readonly factor: Rgb;
  /** Repeats in both directions; null: white. */
  readonly mips: Mips | null;
}

/** What a surface has its look from. */
export interface ColorSource {
  readonly color: Tinted;
  /** Null: it gives no light. */
  readonly emission: Tinted | null;
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
  /** Linear, three a texel, with the border on all sides. */
  readonly colors: Float32Array;
  /** Null: none. */
  readonly emission: Float32Array | null;
  /** Of the texels that have samples. */
  readonly mean: ColorAndEmission;
  /** The most that a byte of a texel with samples differs from the mean's: sRGB, emission as a share of the largest. */
  readonly spread: number;
}

export interface ColorAndEmission {
  readonly color: Rgb;
  readonly emission: Rgb;
}

/** Rings of texels around those with samples that take their colours from their neighbours; beyond is the mean. */
const RINGS = 2;

/** Numbers a texel while samples are added: colour, emission, samples. */
const SUMS = 7;

/** `sources`: by number; `sourceOf`: that number for each triangle. Null where no sample shows anything. */
export function chartPicture(
  shown: PictureSamples,
  { width, height, samples, gutter }: PictureRequest,
  sources: readonly ColorSource[],
  sourceOf: Uint32Array,
): ChartPicture | null {
  const across = width + 2 * gutter;
  const down = height + 2 * gutter;
  const sums = new Float64Array(across * down * SUMS);
  const columns = width * samples;
  const rows = height * samples;
  for (let row = 0, i = 0; row < rows; row++) {
    const first = (Math.floor(row / samples) + gutter) * across + gutter;
    for (let column = 0; column < columns; column++, i++) {
      const triangle = shown.triangles[i];
      if (triangle < 0) continue;
      const { color, emission } = sources[sourceOf[triangle]];
      const to = (first + Math.floor(column / samples)) * SUMS;
      addColor(color, shown, i, sums, to);
      if (emission) addColor(emission, shown, i, sums, to + 3);
      sums[to + SUMS - 1]++;
    }
  }
  const mean = meanOf(sums);
  if (mean === null) return null;
  const isShown = new Uint8Array(across * down);
  const colors = new Float32Array(across * down * 3);
  const emission = mean.emission.some((light) => light > 0) ? new Float32Array(across * down * 3) : null;
  for (let i = 0; i < isShown.length; i++) {
    const weight = sums[i * SUMS + SUMS - 1];
    if (weight === 0) continue;
    isShown[i] = 1;
    for (let c = 0; c < 3; c++) colors[i * 3 + c] = sums[i * SUMS + c] / weight;
    if (emission) for (let c = 0; c < 3; c++) emission[i * 3 + c] = sums[i * SUMS + 3 + c] / weight;
  }
  let spread = spreadOf(colors, mean.color, 1, isShown);
  if (emission) spread = Math.max(spread, emissionSpread(emission, mean.emission, isShown));
  dilate(colors, isShown, mean.color, across, down);
  if (emission) dilate(emission, isShown, mean.emission, across, down);
  return { width, height, colors, emission, mean, spread };
}

/** Adds what a sample shows of an image. */
function addColor({ factor, mips }: Tinted, shown: PictureSamples, i: number, sums: Float64Array, to: number) {
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

function meanOf(sums: Float64Array): ColorAndEmission | null {
  const totals = new Float64Array(SUMS);
  for (let i = 0; i < sums.length; i += SUMS) for (let k = 0; k < SUMS; k++) totals[k] += sums[i + k];
  const weight = totals[SUMS - 1];
  if (weight === 0) return null;
  const [r, g, b, er, eg, eb] = totals.map((total) => total / weight);
  return { color: [r, g, b], emission: [er, eg, eb] };
}

/** The largest difference of bytes, of values from 0 to `most`. */
function spreadOf(values: Float32Array, mean: Rgb, most: number, isShown: Uint8Array): number {
  const middle = mean.map((value) => colorByte(value / most));
  let spread = 0;
  for (let i = 0; i < isShown.length; i++) {
    if (isShown[i] === 0) continue;
    for (let c = 0; c < 3; c++) {
      spread = Math.max(spread, Math.abs(colorByte(values[i * 3 + c] / most) - middle[c]));
    }
  }
  return spread;
}

function emissionSpread(emission: Float32Array, mean: Rgb, isShown: Uint8Array): number {
  let most = 0;
  for (let i = 0; i < emission.length; i++) if (emission[i] > most) most = emission[i];
  return spreadOf(emission, mean, most, isShown);
}

/** Linear to an sRGB byte. */
export function colorByte(linear: number): number {
  return srgbEncodeTable()[Math.round(Math.max(0, Math.min(1, linear)) * ENCODE_STEPS)];
}

/** Gives texels that show nothing the mean of their neighbours, ring by ring, and the mean of all beyond. */
function dilate(values: Float32Array, isShown: Uint8Array, mean: Rgb, across: number, down: number): void {
  const ring = isShown.slice();
  for (let now = 2; now < 2 + RINGS; now++) {
    for (let y = 0, i = 0; y < down; y++) {
      for (let x = 0; x < across; x++, i++) {
        if (ring[i] !== 0) continue;
        let count = 0;
        for (let dy = y > 0 ? -1 : 0; dy <= 1 && y + dy < down; dy++) {
          for (let dx = x > 0 ? -1 : 0; dx <= 1 && x + dx < across; dx++) {
            const other = i + dy * across + dx;
            if (ring[other] === 0 || ring[other] === now) continue;
            for (let c = 0; c < 3; c++) values[i * 3 + c] += values[other * 3 + c];
            count++;
          }
        }
        if (count === 0) continue;
        ring[i] = now;
        for (let c = 0; c < 3; c++) values[i * 3 + c] /= count;
      }
    }
  }
  for (let i = 0; i < ring.length; i++) {
    if (ring[i] === 0) for (let c = 0; c < 3; c++) values[i * 3 + c] = mean[c];
  }
}
