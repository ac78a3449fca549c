// How far a picture of a level is from the picture of full detail. All measures are over the judged pixels, those where
// either picture has something drawn, so that the background counts for nothing.

import { oklabOfBytes } from './color.ts';
import type { Picture } from './render.ts';
import { scratchArray } from './scratch.ts';

/** The measures that compareBytes takes. */
export type ByteDifference = Pick<Difference, 'ssim' | 'psnr' | 'meanColor' | 'pixels'>;

export interface Difference {
  /** Structural similarity of luma, 1 for equal pictures. */
  readonly ssim: number;
  /** Peak signal-to-noise ratio of the sRGB bytes in decibels; Infinity for equal pictures. */
  readonly psnr: number;
  /** Mean distance in Oklab, where black and white are 1 apart. */
  readonly deltaE: number;
  /** Share of what either picture covers that only one covers, 0 to 1. */
  readonly silhouette: number;
  /** Largest difference, over red, green and blue, of the mean sRGB bytes: 0 to 255. */
  readonly meanColor: number;
  /** Judged pixels. */
  readonly pixels: number;
}

/** Edge of an SSIM window in pixels. */
const WINDOW = 8;
/** Luma of sRGB bytes (ITU-R BT.601) in thousandths: whole numbers, so that sums are exact. */
const LUMA = [299, 587, 114] as const;
/** The constants of SSIM, (0.01 L)^2 and (0.03 L)^2 for a range L of 255, for lumas in thousandths. */
const C1 = 2550 * 2550;
const C2 = 7650 * 7650;

const SCRATCH = {
  first: scratchArray(Float64Array),
  second: scratchArray(Float64Array),
  columns: scratchArray(Float64Array),
  judged: scratchArray(Uint8Array),
};

function lumas({ rgb }: Picture, out: Float64Array): Float64Array {
  for (let i = 0, at = 0; i < out.length; i++, at += 3) {
    out[i] = LUMA[0] * rgb[at] + LUMA[1] * rgb[at + 1] + LUMA[2] * rgb[at + 2];
  }
  return out;
}

/**
 * The mean structural similarity (Wang, Bovik, Sheikh, Simoncelli, "Image Quality Assessment", 2004) over square windows of
 * 8 pixels at every position, each weighted with its judged pixels. Pictures smaller than a window are one.
 */
function structuralSimilarity(a: Picture, b: Picture, judged: Uint8Array): number {
  const { width, height } = a;
  const across = Math.min(WINDOW, width);
  const down = Math.min(WINDOW, height);
  const first = lumas(a, SCRATCH.first(width * height));
  const second = lumas(b, SCRATCH.second(width * height));
  // Sums over the window's rows of each column: lumas, squares, product, judged pixels.
  const sums = SCRATCH.columns(6 * width).fill(0);
  const columns = Array.from({ length: 6 }, (_, i) => sums.subarray(i * width, (i + 1) * width));
  const [sumA, sumB, sumAA, sumBB, sumAB, sumJudged] = columns;
  const addRow = (row: number, sign: number): void => {
    for (let x = 0, at = row * width; x < width; x++, at++) {
      const p = first[at];
      const q = second[at];
      sumA[x] += sign * p;
      sumB[x] += sign * q;
      sumAA[x] += sign * p * p;
      sumBB[x] += sign * q * q;
      sumAB[x] += sign * p * q;
      sumJudged[x] += sign * judged[at];
    }
  };
  const size = across * down;
  const window = new Float64Array(6);
  let total = 0;
  let weight = 0;
  for (let row = 0; row < down; row++) addRow(row, 1);
  for (let y = 0; y + down <= height; y++) {
    if (y > 0) {
      addRow(y - 1, -1);
      addRow(y + down - 1, 1);
    }
    for (let k = 0; k < 6; k++) {
      window[k] = 0;
      for (let x = 0; x < across; x++) window[k] += columns[k][x];
    }
    for (let x = 0; x + across <= width; x++) {
      if (x > 0) for (let k = 0; k < 6; k++) window[k] += columns[k][x + across - 1] - columns[k][x - 1];
      const counted = window[5];
      if (counted === 0) continue;
      const meanA = window[0] / size;
      const meanB = window[1] / size;
      // Differences of whole numbers: exact where the pictures are equal.
      const varianceA = (window[2] * size - window[0] * window[0]) / (size * size);
      const varianceB = (window[3] * size - window[1] * window[1]) / (size * size);
      const covariance = (window[4] * size - window[0] * window[1]) / (size * size);
      const similarity =
        ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
        ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2));
      total += similarity * counted;
      weight += counted;
    }
  }
  return weight === 0 ? 1 : total / weight;
}

/** The decimal logarithm by arithmetic alone, whose last bit is the same everywhere; x positive and finite. */
function decimalLogarithm(x: number): number {
  let exponent = 0;
  let rest = x;
  for (; rest >= 2; exponent++) rest /= 2;
  for (; rest < 1; exponent--) rest *= 2;
  // ln rest = 2 atanh t.
  const t = (rest - 1) / (rest + 1);
  const square = t * t;
  let sum = 0;
  for (let k = 45; k >= 1; k -= 2) sum = sum * square + 1 / k;
  return (exponent * Math.LN2 + 2 * t * sum) / Math.LN10;
}

/** Compares two pictures of one size. Equal where nothing is drawn in either. */
export function compare(a: Picture, b: Picture): Difference {
  const likeness = compareBytes(a, b);
  const { pixels } = likeness;
  if (pixels === 0) return { ...likeness, deltaE: 0, silhouette: 0 };
  const labA = new Float64Array(3);
  const labB = new Float64Array(3);
  let distance = 0;
  let inOne = 0;
  let inEither = 0;
  for (let i = 0, at = 0; i < a.coverage.length; i++, at += 3) {
    const coveredA = a.coverage[i];
    const coveredB = b.coverage[i];
    if (coveredA === 0 && coveredB === 0) continue;
    inOne += Math.abs(coveredA - coveredB);
    inEither += Math.max(coveredA, coveredB);
    if (a.rgb[at] === b.rgb[at] && a.rgb[at + 1] === b.rgb[at + 1] && a.rgb[at + 2] === b.rgb[at + 2]) continue;
    oklabOfBytes(a.rgb[at], a.rgb[at + 1], a.rgb[at + 2], labA);
    oklabOfBytes(b.rgb[at], b.rgb[at + 1], b.rgb[at + 2], labB);
    const l = labA[0] - labB[0];
    const m = labA[1] - labB[1];
    const n = labA[2] - labB[2];
    distance += Math.sqrt(l * l + m * m + n * n);
  }
  return { ...likeness, deltaE: distance / pixels, silhouette: inOne / inEither };
}

/** The measures over sRGB bytes alone, which take a fraction of the time of the others. */
export function compareBytes(a: Picture, b: Picture): ByteDifference {
  if (a.width !== b.width || a.height !== b.height) {
    throw new Error(`pictures of ${a.width} x ${a.height} and ${b.width} x ${b.height}`);
  }
  const count = a.width * a.height;
  const judged = SCRATCH.judged(count).fill(0);
  const sums = new Float64Array(3);
  let pixels = 0;
  let squares = 0;
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    if (a.coverage[i] === 0 && b.coverage[i] === 0) continue;
    judged[i] = 1;
    pixels++;
    const r = a.rgb[at] - b.rgb[at];
    const g = a.rgb[at + 1] - b.rgb[at + 1];
    const blue = a.rgb[at + 2] - b.rgb[at + 2];
    sums[0] += r;
    sums[1] += g;
    sums[2] += blue;
    squares += r * r + g * g + blue * blue;
  }
  if (pixels === 0) return { ssim: 1, psnr: Infinity, meanColor: 0, pixels };
  const meanSquare = squares / (pixels * 3);
  return {
    ssim: structuralSimilarity(a, b, judged),
    psnr: meanSquare === 0 ? Infinity : 10 * decimalLogarithm((255 * 255) / meanSquare),
    meanColor: Math.max(Math.abs(sums[0]), Math.abs(sums[1]), Math.abs(sums[2])) / pixels,
    pixels,
  };
}

/** Where two pictures differ: grey where they are equal, by the difference brighter or darker in each channel. */
export function differencePicture(a: Picture, b: Picture): Picture {
  const rgb = new Uint8Array(a.rgb.length);
  for (let i = 0; i < rgb.length; i++) rgb[i] = Math.max(0, Math.min(255, 128 + b.rgb[i] - a.rgb[i]));
  const coverage = a.coverage.map((covered, i) => Math.max(covered, b.coverage[i]));
  return { width: a.width, height: a.height, rgb, coverage };
}
