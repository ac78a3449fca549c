// The least error with which a scene fits, and how many are tried for it.

import { describe, expect, test } from 'vitest';
import { firstThatFits, growingErrors } from '../../src/cook/zone/errorSearch.ts';

/** Looks among errors for the first with which a scene fits whose triangles fall so; gives it with the errors that were tried. */
async function search(errors: readonly number[], shareOf: (error: number) => number) {
  const tried: number[] = [];
  const found = await firstThatFits(errors, async (error) => {
    tried.push(error);
    return { error, share: shareOf(error) };
  });
  return { error: found.error, tried };
}

const ERRORS = growingErrors(0.5, 1.25, 8);

test('errors grow evenly up to the greatest that may be', () => {
  expect(growingErrors(1, 2, 8)).toEqual([1, 2, 4, 8]);
  expect(growingErrors(9, 2, 8)).toEqual([9]);
  expect(ERRORS).toHaveLength(13);
});

describe('the first error that fits', () => {
  test('is the first of all where that one fits, and no other is tried', async () => {
    expect(await search(ERRORS, () => 1)).toEqual({ error: 0.5, tried: [0.5] });
  });

  test('is the last one where none fits', async () => {
    const { error, tried } = await search(ERRORS, () => 2);
    expect(error).toBe(ERRORS[12]);
    expect(tried.length).toBeLessThan(5);
  });

  test('is found for every place and power, each error tried once, and mostly a few', async () => {
    const powers = [0.1, 0.4, 0.7, 1, 2];
    const places = ERRORS.keys();
    const all = [...places].flatMap((place) => powers.map((power) => ({ place, power })));
    const searches = await Promise.all(
      all.map(async ({ place, power }) => {
        const shareOf = (error: number) => (ERRORS[place] / error) ** power * 0.999;
        return { place, ...(await search(ERRORS, shareOf)) };
      }),
    );
    expect(searches.map(({ error }) => error)).toEqual(searches.map(({ place }) => ERRORS[place]));
    expect(searches.every(({ tried }) => new Set(tried).size === tried.length)).toBe(true);
    const mean = searches.reduce((sum, { tried }) => sum + tried.length, 0) / searches.length;
    expect(mean).toBeLessThan(4.2);
  });

  test('is found where shares fall in steps', async () => {
    for (const place of ERRORS.keys()) {
      const { error } = await search(ERRORS, (own) => (own < ERRORS[place] ? 3 : 0.2));
      expect(error).toBe(ERRORS[place]);
    }
  });
});
