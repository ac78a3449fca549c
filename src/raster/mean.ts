// The mean of how pictures of a level differ from full detail, over the views in which it is judged.

import { type ByteDifference, peakRatio } from './metrics.ts';

/** The mean of a measure over views, weighted with their judged pixels; null where no view has any. */
export function weightedMean<View extends { readonly pixels: number }>(
  views: readonly View[],
  measure: (view: View) => number,
): number | null {
  let pixels = 0;
  let sum = 0;
  for (const view of views) {
    if (view.pixels === 0) continue;
    pixels += view.pixels;
    sum += measure(view) * view.pixels;
  }
  return pixels === 0 ? null : sum / pixels;
}

/**
 * The means over views, weighted with their judged pixels; `pixels` is their sum. Decibels are those of the mean squared
 * error: a mean of decibels would be infinite as soon as one view is equal to full detail, however wrong the others are.
 */
export function meanDifference(views: readonly ByteDifference[]): ByteDifference {
  const meanSquare = weightedMean(views, (view) => view.meanSquare) ?? 0;
  return {
    ssim: weightedMean(views, ({ ssim }) => ssim) ?? 1,
    meanSquare,
    psnr: peakRatio(meanSquare),
    meanColor: weightedMean(views, ({ meanColor }) => meanColor) ?? 0,
    pixels: views.reduce((sum, { pixels }) => sum + pixels, 0),
  };
}
