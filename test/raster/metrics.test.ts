import { expect, test } from 'vitest';
import { judge, look, lookCloser } from '../../src/raster/judge.ts';
import { compare, differencePicture } from '../../src/raster/metrics.ts';
import type { Picture } from '../../src/raster/render.ts';
import { buildRasterScene } from '../../src/raster/scene.ts';
import { painted, rectangle } from './shapes.ts';

/** Grey pixels, all covered unless told otherwise. */
function grey(width: number, values: readonly number[], coverage?: readonly number[]): Picture {
  return {
    width,
    height: values.length / width,
    rgb: Uint8Array.from(values.flatMap((value) => [value, value, value])),
    coverage: Uint8Array.from(coverage ?? values.map(() => 255)),
  };
}

test('equal pictures are equal by every measure', () => {
  const picture = grey(
    16,
    Array.from({ length: 256 }, (_, i) => (i * 37) % 256),
  );
  expect(compare(picture, picture)).toEqual({
    ssim: 1,
    meanSquare: 0,
    psnr: Infinity,
    deltaE: 0,
    silhouette: 0,
    meanColor: 0,
    pixels: 256,
  });
  expect(compare(grey(2, [1, 2], [0, 0]), grey(2, [3, 4], [0, 0]))).toMatchObject({
    ssim: 1,
    silhouette: 0,
    pixels: 0,
  });
});

test('SSIM of a window is what its formula gives', () => {
  // Means 100 and 110, variances 100 and 0, covariance 0.
  const a = grey(2, [90, 110, 110, 90]);
  const b = grey(2, [110, 110, 110, 110]);
  const c1 = (0.01 * 255) ** 2;
  const c2 = (0.03 * 255) ** 2;
  const expected = ((2 * 100 * 110 + c1) * c2) / ((100 ** 2 + 110 ** 2 + c1) * (100 + c2));
  expect(compare(a, b).ssim).toBeCloseTo(expected, 12);
  // Covariance: b is a with half the contrast. Means 100, variances 100 and 25, covariance 50.
  const flat = grey(2, [95, 105, 105, 95]);
  const half = ((2 * 100 * 100 + c1) * (100 + c2)) / ((2 * 100 ** 2 + c1) * (125 + c2));
  expect(compare(a, flat).ssim).toBeCloseTo(half, 12);
});

test('windows count by what is drawn in them', () => {
  // Two windows of 8 x 8 and those between; only the left column of pixels is drawn, and only there do they differ.
  const left = Array.from({ length: 128 }, (_, i) => (i % 16 === 0 ? 255 : 0));
  const a = grey(16, Array(128).fill(50), left);
  const b = grey(
    16,
    left.map((covered) => (covered ? 70 : 50)),
    left,
  );
  const { ssim, pixels } = compare(a, b);
  expect(pixels).toBe(8);
  // The one window that holds the column: means 50 and 52.5, variance of b (20 ** 2) * (1/8) * (7/8).
  const c1 = (0.01 * 255) ** 2;
  const c2 = (0.03 * 255) ** 2;
  expect(ssim).toBeCloseTo(((2 * 50 * 52.5 + c1) * c2) / ((50 ** 2 + 52.5 ** 2 + c1) * (43.75 + c2)), 12);
});

test('PSNR, mean colour and Oklab distance are over judged pixels', () => {
  const a = grey(2, [10, 20, 30, 200], [255, 255, 255, 0]);
  const b = grey(2, [14, 20, 28, 0], [255, 255, 255, 0]);
  const { psnr, meanColor, pixels } = compare(a, b);
  expect(pixels).toBe(3);
  expect(psnr).toBeCloseTo(10 * Math.log10(255 ** 2 / (20 / 3)), 12);
  expect(meanColor).toBeCloseTo(2 / 3, 12);
  const black = grey(1, [0]);
  expect(compare(black, grey(1, [255])).deltaE).toBeCloseTo(1, 6);
  expect(compare(black, grey(1, [255])).psnr).toBe(0);
});

test('the silhouette is what one of both covers alone', () => {
  const a = grey(4, [9, 9, 9, 9], [255, 255, 0, 0]);
  const b = grey(4, [9, 9, 9, 9], [0, 255, 255, 0]);
  expect(compare(a, b).silhouette).toBeCloseTo(2 / 3, 12);
});

test('pictures of two sizes cannot be compared', () => {
  expect(() => compare(grey(2, [1, 2]), grey(1, [1, 2]))).toThrow('pictures of 2 x 1 and 1 x 2');
});

test('the picture of a difference is grey where there is none', () => {
  expect([...differencePicture(grey(3, [10, 20, 200]), grey(3, [10, 30, 0])).rgb]).toEqual([
    128, 128, 128, 138, 138, 138, 0, 0, 0,
  ]);
});

test('a judged level is compared from all sides, and its worst view is one of them', () => {
  const scene = (height: number) => buildRasterScene([rectangle([-5, 0, 5, height], 0, painted([0.5, 0.5, 0.5, 1]))]);
  const bounds = { min: [-5, 0, 0], max: [5, 10, 0] } as const;
  const same = judge(scene(10), scene(10), bounds, 40);
  expect([same.mean.ssim, same.mean.silhouette, same.worst.difference.ssim]).toEqual([1, 0, 1]);
  // A fifth is gone of what was seen.
  const lower = judge(scene(10), scene(8), bounds, 40);
  expect(lower.mean.silhouette).toBeCloseTo(0.2, 1);
  expect(lower.worst.difference.ssim).toBeLessThan(lower.mean.ssim);
});

test('a look finds the worst of eight views in few pixels, or compares two of them', () => {
  const scene = (height: number) => buildRasterScene([rectangle([-5, 0, 5, height], 0, painted([0.5, 0.5, 0.5, 1]))]);
  const bounds = { min: [-5, 0, 0], max: [5, 10, 0] } as const;
  // From 8 m the ten metres are 1169 pixels wide.
  const [same, lower] = look(scene(10), [scene(10), scene(8)], bounds, 8, 'around');
  expect(same.map(({ difference }) => difference.ssim)).toEqual(new Array(8).fill(1));
  expect(lower.map(({ view }) => view).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const ssims = lower.map(({ difference }) => difference.ssim);
  expect([...ssims].sort((a, b) => a - b)).toEqual(ssims);
  expect(Math.max(...lower.map(({ full }) => Math.max(full.width, full.height)))).toBe(128);
  const closer = lookCloser(scene(10), scene(8), bounds, 8, lower);
  expect(closer.map(({ view }) => view).sort()).toEqual(
    lower
      .slice(0, 2)
      .map(({ view }) => view)
      .sort(),
  );
  expect(Math.max(...closer.map(({ full }) => Math.max(full.width, full.height)))).toBe(320);
  expect(compare(closer[0].full, closer[0].level).silhouette).toBeGreaterThan(0.1);
  const [sides] = look(scene(10), [scene(8)], bounds, 8, 'sides');
  expect(sides.map(({ view }) => view).sort()).toEqual([1, 5]);
});
