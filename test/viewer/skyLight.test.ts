// The light of the sky as surfaces of the page mirror it.

import { expect, test } from 'vitest';
import { lobeAt, lobesOf, skyAt } from '../../src/viewer/page/drawing/skyLight.ts';

const sky = { up: [0, 0, 1], horizon: [1, 1, 1], down: [0, 1, 0] } as const;

test('the sky has its three colours above, ahead and below', () => {
  expect([skyAt(sky, 1), skyAt(sky, 0), skyAt(sky, -1)]).toEqual([
    [0, 0, 1],
    [1, 1, 1],
    [0, 1, 0],
  ]);
  // 1 - (1 - 0.5)^2 of the way up.
  expect(skyAt(sky, 0.5)).toEqual([0.25, 0.25, 1]);
});

test('a mirror shows the sky itself, and an even sky looks even whatever mirrors it', () => {
  const mirror = lobesOf(sky, 0, 5);
  for (const [i, height] of [-1, -0.5, 0, 0.5, 1].entries()) {
    expect([...mirror.subarray(i * 3, i * 3 + 3)].map((value) => Number(value.toFixed(6)))).toEqual(skyAt(sky, height));
  }
  const grey = { up: [0.25, 0.25, 0.25], horizon: [0.25, 0.25, 0.25], down: [0.25, 0.25, 0.25] } as const;
  for (const roughness of [0, 0.3, 1])
    for (const value of lobesOf(grey, roughness, 9)) expect(value).toBeCloseTo(0.25, 6);
});

test('the rougher a surface, the less it tells above from below', () => {
  const spread = (roughness: number) => {
    const table = lobesOf(sky, roughness, 3);
    return table[8] - table[2];
  };
  const spreads = [0, 0.25, 0.5, 0.75, 1].map(spread);
  expect(spreads).toEqual([...spreads].sort((a, b) => b - a));
  // Of roughness 1 all directions of the half count, by their cosine: the mean height is 2/3.
  const linear = { up: [1, 0, 0], horizon: [0, 0, 0], down: [-1, 0, 0] } as const;
  const table = lobesOf(linear, 1, 3);
  // The integral of 2 h (1 - (1 - h)^2) over h from 0 to 1 is 5/6.
  expect(table[6]).toBeCloseTo(5 / 6, 2);
  expect(table[0]).toBeCloseTo(-5 / 6, 2);
  expect(table[3]).toBeCloseTo(0, 6);
});

test('between its steps a table is interpolated, and beyond them it ends', () => {
  const table = Float32Array.of(0, 0, 0, 1, 2, 4, 3, 2, 0);
  expect([lobeAt(table, -1), lobeAt(table, -0.5), lobeAt(table, 0.5), lobeAt(table, 2)]).toEqual([
    [0, 0, 0],
    [0.5, 1, 2],
    [2, 2, 2],
    [3, 2, 0],
  ]);
});
