import { expect, test } from 'vitest';
import { judgeViews } from '../../src/raster/judge.ts';
import { meanDifference } from '../../src/raster/mean.ts';
import { type ByteDifference, peakRatio } from '../../src/raster/metrics.ts';
import { render } from '../../src/raster/render.ts';
import { buildRasterScene } from '../../src/raster/scene.ts';
import { glowing, pixelCamera, rectangle } from './shapes.ts';

/** A view whose bytes differ so that their squares have this mean. */
const view = (meanSquare: number, pixels: number, ssim = 1, meanColor = 0): ByteDifference => ({
  ssim,
  meanSquare,
  psnr: peakRatio(meanSquare),
  meanColor,
  pixels,
});

test('decibels are those of the mean squared error', () => {
  // 255 * 255 / 650.25 is 100: 20 dB. Four views of which one is equal have 3/4 of the error of the others.
  expect(peakRatio(650.25)).toBeCloseTo(20, 12);
  const four = meanDifference([view(0, 50), view(650.25, 50), view(650.25, 50), view(650.25, 50)]);
  expect(four.meanSquare).toBeCloseTo(487.6875, 9);
  expect(four.psnr).toBeCloseTo(20 + 1.2493873660829995, 12);
});

test('views count by their judged pixels, those without any not at all', () => {
  const mean = meanDifference([view(40, 30, 0.9, 2), view(0, 10, 1, 6), view(5, 0, 0.1, 200)]);
  expect(mean).toMatchObject({ meanSquare: 30, meanColor: 3, pixels: 40 });
  expect(mean.ssim).toBeCloseTo(0.925, 12);
  expect(mean.psnr).toBe(peakRatio(30));
});

test('views in which nothing is drawn are equal', () => {
  const equal = { ssim: 1, meanSquare: 0, psnr: Infinity, meanColor: 0, pixels: 0 };
  expect(meanDifference([])).toEqual(equal);
  expect(meanDifference([view(5, 0, 0.1, 200)])).toEqual(equal);
  expect(meanDifference([view(0, 7)])).toEqual({ ...equal, pixels: 7 });
});

test('a level that equals full detail in one view has the error of the others', () => {
  // Linear 0.2 and 0.25 are the bytes 124 and 137: 13 apart.
  const scene = (light: number) => buildRasterScene([rectangle([0, 0, 4, 4], -1, glowing([light, light, light]))]);
  const level = scene(0.25);
  const camera = pixelCamera(4, 4);
  const away = pixelCamera(4, 4, { back: [0, 0, -1], right: [-1, 0, 0] });
  const { mean, views } = judgeViews(
    [
      { camera, picture: render(scene(0.2), camera) },
      { camera, picture: render(level, camera) },
      { camera: away, picture: render(level, away) },
    ],
    level,
  );
  expect(views.map(({ difference }) => difference.psnr)).toEqual([peakRatio(169), Infinity, Infinity]);
  expect(views.map(({ difference }) => difference.pixels)).toEqual([16, 16, 0]);
  expect(mean).toMatchObject({ pixels: 32, meanSquare: 84.5, psnr: peakRatio(84.5) });
});
