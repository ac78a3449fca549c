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
  /** Linear, three a texel, with the border on all sides; null: all is as the mean. */
  readonly colors: Float32Array | null;
  /** Null: none, or all is as the mean. */
  readonly emission: Float32Array | null;
  /** Of the texels that have samples. */
  readonly mean: ColorAndEmission;
  /** The largest value of the emission of any texel. */
  readonly mostLight: number;
}

export interface ColorAndEmission {
  readonly color: Rgb;
  readonly emission: Rgb;
}

/** Rings of texels around those with samples that take their colours from their neighbours; beyond is the mean. */
const RINGS = 2;

/** A picture whose bytes differ by no more from their mean is one colour: sRGB, emission as a share of the largest. */
const UNSEEN_SPREAD = 2;

/** Numbers a texel while samples are added: colour, emission, samples. */
const SUMS = 7;

/** Makes pictures; what it needs meanwhile is kept from one to the next. */
export class ChartPainter {
  readonly #sources: readonly ColorSource[];
  readonly #sourceOf: Uint32Array;
  readonly #totals = new Float64Array(SUMS);
  #sums = new Float64Array(0);
  #colors = new Float32Array(0);
  #emission = new Float32Array(0);
  #ring = new Uint8Array(0);

  /** `sources`: by number; `sourceOf`: that number for each triangle. */
  constructor(sources: readonly ColorSource[], sourceOf: Uint32Array) {
    this.#sources = sources;
    this.#sourceOf = sourceOf;
  }

  /** Null where no sample shows anything. */
  picture(shown: PictureSamples, request: PictureRequest): ChartPicture | null {
    const { width, height, gutter } = request;
    const across = width + 2 * gutter;
    const down = height + 2 * gutter;
    this.#clear(width * height, across * down);
    this.#addSamples(shown, request);
    const totals = this.#totals;
    const sums = this.#sums;
    totals.fill(0);
    for (let i = 0; i < width * height * SUMS; i += SUMS) for (let k = 0; k < SUMS; k++) totals[k] += sums[i + k];
    const weight = totals[SUMS - 1];
    if (weight === 0) return null;
    const color: Rgb = [totals[0] / weight, totals[1] / weight, totals[2] / weight];
    const light: Rgb = [totals[3] / weight, totals[4] / weight, totals[5] / weight];
    const mean = { color, emission: light };
    const isLit = light[0] > 0 || light[1] > 0 || light[2] > 0;

    // 1. The texels that have samples.
    const colors = this.#colors;
    const emission = this.#emission;
    const ring = this.#ring;
    let mostLight = 0;
    for (let y = 0, from = 0; y < height; y++) {
      let i = (y + gutter) * across + gutter;
      for (let x = 0; x < width; x++, i++, from += SUMS) {
        const samples = sums[from + SUMS - 1];
        if (samples === 0) continue;
        ring[i] = 1;
        for (let c = 0; c < 3; c++) colors[i * 3 + c] = sums[from + c] / samples;
        if (!isLit) continue;
        for (let c = 0; c < 3; c++) {
          emission[i * 3 + c] = sums[from + 3 + c] / samples;
          if (emission[i * 3 + c] > mostLight) mostLight = emission[i * 3 + c];
        }
      }
    }
    const isPlain =
      (width === 1 && height === 1) ||
      (isOneColor(colors, color, 1, ring, across * down) &&
        (!isLit || isOneColor(emission, light, mostLight, ring, across * down)));
    if (isPlain) return { width, height, colors: null, emission: null, mean, mostLight };

    // 2. All others, from their neighbours.
    const ownColors = colors.slice(0, across * down * 3);
    const ownEmission = isLit ? emission.slice(0, across * down * 3) : null;
    const shownRing = ownEmission ? ring.slice(0, across * down) : null;
    dilate(ownColors, ring, color, across, down);
    if (ownEmission && shownRing) dilate(ownEmission, shownRing, light, across, down);
    return { width, height, colors: ownColors, emission: ownEmission, mean, mostLight };
  }

  #clear(texels: number, withBorder: number): void {
    if (this.#sums.length < texels * SUMS) this.#sums = new Float64Array(texels * SUMS * 2);
    if (this.#ring.length < withBorder) {
      this.#colors = new Float32Array(withBorder * 6);
      this.#emission = new Float32Array(withBorder * 6);
      this.#ring = new Uint8Array(withBorder * 2);
    }
    this.#sums.fill(0, 0, texels * SUMS);
    this.#colors.fill(0, 0, withBorder * 3);
    this.#emission.fill(0, 0, withBorder * 3);
    this.#ring.fill(0, 0, withBorder);
  }

  #addSamples(shown: PictureSamples, { width, height, samples }: PictureRequest): void {
    const sums = this.#sums;
    const { triangles } = shown;
    for (let y = 0, i = 0; y < height; y++) {
      for (let line = 0; line < samples; line++) {
        for (let x = 0, to = y * width * SUMS; x < width; x++, to += SUMS) {
          for (let k = 0; k < samples; k++, i++) {
            const triangle = triangles[i];
            if (triangle < 0) continue;
            const source = this.#sources[this.#sourceOf[triangle]];
            addColor(source.color, shown, i, sums, to);
            if (source.emission !== null) addColor(source.emission, shown, i, sums, to + 3);
            sums[to + SUMS - 1]++;
          }
        }
      }
    }
  }
}

/** Adds what a sample shows of an image. */
function addColor(tinted: Tinted, shown: PictureSamples, i: number, sums: Float64Array, to: number): void {
  const { factor, mips } = tinted;
  if (mips === null) {
    sums[to] += factor[0];
    sums[to + 1] += factor[1];
    sums[to + 2] += factor[2];
    return;
  }
  // The finest level of which the sample spans about a texel. An area that is not finite comes of UVs or a triangle without.
  const area = shown.uvArea[i];
  let level = 0;
  while (level < mips.length - 1 && !(area * mips[level].width * mips[level].height <= 2)) level++;
  const { width, height, data } = mips[level];
  const u = shown.u[i];
  const v = 1 - shown.v[i];
  const x = Math.min(width - 1, Math.floor((u - Math.floor(u)) * width));
  const y = Math.min(height - 1, Math.floor((v - Math.floor(v)) * height));
  const at = (y * width + x) * 4;
  sums[to] += factor[0] * LINEAR_OF_SRGB_BYTE[data[at]];
  sums[to + 1] += factor[1] * LINEAR_OF_SRGB_BYTE[data[at + 1]];
  sums[to + 2] += factor[2] * LINEAR_OF_SRGB_BYTE[data[at + 2]];
}

/** Whether values from 0 to `most` of all shown texels have nearly the bytes of their mean. */
function isOneColor(values: Float32Array, mean: Rgb, most: number, isShown: Uint8Array, count: number): boolean {
  for (let c = 0; c < 3; c++) {
    const middle = colorByte(mean[c] / most);
    for (let i = 0; i < count; i++) {
      if (isShown[i] === 0) continue;
      if (Math.abs(colorByte(values[i * 3 + c] / most) - middle) > UNSEEN_SPREAD) return false;
    }
  }
  return true;
}

/** Linear to an sRGB byte. */
export function colorByte(linear: number): number {
  return srgbEncodeTable()[Math.round(Math.max(0, Math.min(1, linear)) * ENCODE_STEPS)];
}

/**
 * Gives texels that show nothing the mean of their neighbours, ring by ring, and the mean of all beyond. `ring`: 1 for those
 * that show something, 0 for others; it is written to.
 */
function dilate(values: Float32Array, ring: Uint8Array, mean: Rgb, across: number, down: number): void {
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
  for (let i = 0; i < across * down; i++) {
    if (ring[i] === 0) for (let c = 0; c < 3; c++) values[i * 3 + c] = mean[c];
  }
}
