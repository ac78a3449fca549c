// What is said of a level, from pictures of a few pixels whose differences are known.

import { expect, test } from 'vitest';
import { coveredBox, levelSentence, seenDifference } from '../../../src/library/render/levelSentence.ts';
import type { Picture } from '../../../src/raster/render.ts';

const SIDE = 9;

/** Grey pixels; where `covered` says no, nothing is drawn. */
function picture(
  grey: (x: number, y: number) => number,
  covered: (x: number, y: number) => boolean = () => true,
): Picture {
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  const coverage = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    rgb.fill(grey(x, y), i * 3, i * 3 + 3);
    coverage[i] = covered(x, y) ? 255 : 0;
  }
  return { width: SIDE, height: SIDE, rgb, coverage };
}

const said = (a: Picture, b: Picture, distance = 96) => levelSentence(seenDifference(a, b), distance);
const checked = picture((x, y) => ((x + y) % 2 === 0 ? 60 : 200));
const flat = picture(() => 128);

test('equal pictures, and colours that nobody tells apart, are not visible', () => {
  expect(said(checked, checked)).toBe('Not visible from 96 m: no pixel differs noticeably.');
  // 128 and 130 are 0.007 apart in Oklab.
  expect(
    said(
      flat,
      picture(() => 130),
      5.25,
    ),
  ).toBe('Not visible from 5.3 m: no pixel differs noticeably.');
});

test('what lost its contrast is blurred, what gained some is harder', () => {
  expect(said(checked, flat)).toBe(
    'From 96 m, 100 % of what is drawn differs noticeably: details are blurred or gone, with less than 0.01 % of the contrast there.',
  );
  expect(
    said(
      picture((x) => 100 + 20 * (x % 2)),
      picture((x) => 80 + 60 * (x % 2)),
    ),
  ).toMatch(/edges are harder, with 300 %/);
});

test('one side of equal is lighter or darker', () => {
  const lighter = picture(() => 150);
  expect(said(flat, lighter)).toMatch(/: surfaces are lighter\.$/);
  expect(said(lighter, flat)).toMatch(/: surfaces are darker\.$/);
});

test('what one alone covers is the outline, and the place is that of most of it', () => {
  const whole = picture(() => 40);
  const cut = picture(
    (x, y) => (x < 3 && y < 3 ? 200 : 40),
    (x, y) => x >= 3 || y >= 3,
  );
  expect(said(whole, cut)).toBe(
    'From 96 m, 11 % of what is drawn differs noticeably: its outline has changed, most of it at the upper left.',
  );
});

test('the covered box is the smallest that holds what either picture covers', () => {
  const a = picture(
    () => 0,
    (x, y) => x === 2 && y === 5,
  );
  const b = picture(
    () => 0,
    (x, y) => x === 7 && y === 4,
  );
  expect(coveredBox(a, b)).toEqual({ left: 2, top: 4, width: 6, height: 2 });
  const none = picture(
    () => 0,
    () => false,
  );
  expect(coveredBox(none, none)).toEqual({ left: 0, top: 0, width: SIDE, height: SIDE });
});
