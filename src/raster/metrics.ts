// How far a picture of a level is from the picture of full detail. All measures are over the judged pixels, those where
// either picture has something drawn, so that the background counts for nothing.

import { oklabOfBytes } from './color.ts';
import { painter } from './placed.ts';
import type { Picture } from './render.ts';

/** The measures that compareBytes takes. */
export type ByteDifference = Pick<Difference, 'ssim' | 'meanSquare' | 'psnr' | 'meanColor' | 'pixels'>;

export interface Difference {
  /** Structural similarity of luma, 1 for equal pictures. */
  readonly ssim: number;
  /** Mean squared error of the sRGB bytes, over red, green and blue. */
  readonly meanSquare: number;
  /** Peak signal-to-noise ratio of the sRGB bytes in decibels, of meanSquare; Infinity for equal pictures. */
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

/** The peak signal-to-noise ratio of bytes with a mean squared error, in decibels. */
export function peakRatio(meanSquare: number): number {
  return meanSquare === 0 ? Infinity : 10 * decimalLogarithm((255 * 255) / meanSquare);
}

/** Compares two pictures of one size. Equal where nothing is drawn in either. */
export function compare(a: Picture, b: Picture): Difference {
  const similarity = compareBytes(a, b);
  const { pixels } = similarity;
  if (pixels === 0) return { ...similarity, deltaE: 0, silhouette: 0 };
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
  return { ...similarity, deltaE: distance / pixels, silhouette: inOne / inEither };
}

/** The measures over sRGB bytes alone, which take a fraction of the time of the others. */
export function compareBytes(a: Picture, b: Picture): ByteDifference {
  if (a.width !== b.width || a.height !== b.height) {
    throw new Error(`pictures of ${a.width} x ${a.height} and ${b.width} x ${b.height}`);
  }
  const [pixels, red, green, blue, squares, ssim] = measured(a, b);
  if (pixels === 0) return { ssim: 1, meanSquare: 0, psnr: Infinity, meanColor: 0, pixels };
  const meanSquare = squares / (pixels * 3);
  return {
    ssim,
    meanSquare,
    psnr: peakRatio(meanSquare),
    meanColor: Math.max(Math.abs(red), Math.abs(green), Math.abs(blue)) / pixels,
    pixels,
  };
}

/** Judged pixels, sums of the differences in red, green and blue, sum of their squares, mean structural similarity. */
function measured(a: Picture, b: Picture): Float64Array {
  const { width, height } = a;
  return painter.within((memory) => {
    const result = memory.allocate(6 * 8);
    const pair = memory.words(
      width,
      height,
      memory.put(a.rgb),
      memory.put(b.rgb),
      memory.put(a.coverage),
      memory.put(b.coverage),
      memory.allocate(width * height),
      memory.allocate(width * height * 2 * 8),
      memory.allocate(width * 6 * 8),
      result,
    );
    memory.calls.comparePictures(pair);
    return memory.float64(result, 6).slice();
  });
}

/** Where two pictures differ: grey where they are equal, by the difference brighter or darker in each channel. */
export function differencePicture(a: Picture, b: Picture): Picture {
  const rgb = new Uint8Array(a.rgb.length);
  for (let i = 0; i < rgb.length; i++) rgb[i] = Math.max(0, Math.min(255, 128 + b.rgb[i] - a.rgb[i]));
  const coverage = a.coverage.map((covered, i) => Math.max(covered, b.coverage[i]));
  return { width: a.width, height: a.height, rgb, coverage };
}
