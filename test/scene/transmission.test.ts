// What can be seen through a surface, against values that are worked out by hand.

import { describe, expect, test } from 'vitest';
import { absorbedColor, alphaOfGlass, lightThrough, storedTransmission } from '../../src/scene/transmission.ts';

const glass = { baseColor: [1, 1, 1, 1], metallic: 0, roughness: 0, transmission: 1 } as const;
const plain = () => false;

describe('light through a face', () => {
  test('is all that is not reflected, of a polished surface that is no metal', () => {
    expect(lightThrough(glass, plain)).toBeCloseTo(0.96, 12);
    expect(lightThrough({ ...glass, roughness: 0.05, transmission: 0.5 }, plain)).toBeCloseTo(0.48, 12);
    expect(lightThrough({ ...glass, metallic: 0.25 }, plain)).toBeCloseTo(0.72, 12);
  });

  test('ends with a roughness of 0.5, and is half of it half-way', () => {
    expect(lightThrough({ ...glass, roughness: 0.275 }, plain)).toBeCloseTo(0.48, 12);
    expect(lightThrough({ ...glass, roughness: 0.5 }, plain)).toBe(0);
    expect(lightThrough({ ...glass, metallic: 1 }, plain)).toBe(0);
  });

  test('counts what a texture may clear', () => {
    const rough = { ...glass, roughness: 1, metallic: 1 };
    expect(lightThrough(rough, (slot) => slot === 'roughness')).toBe(0);
    expect(lightThrough(rough, (slot) => slot === 'roughness' || slot === 'metallic')).toBeCloseTo(0.96, 12);
  });
});

describe('the transmission that is stored', () => {
  test.each([
    ['as it is', {}, 1],
    ['above 1', { transmission: 2 }, 1],
    ['5 %', { transmission: 0.05 }, 0.05],
    ['less than 5 %', { transmission: 0.049 }, 0],
    ['dark', { baseColor: [0.04, 0.04, 0.04, 1] as const }, 0],
    ['pure blue', { baseColor: [0, 0, 0.06, 1] as const }, 1],
    ['nearly a metal', { metallic: 0.96 }, 0],
    ['rough', { roughness: 0.45 }, 0],
  ])('%s', (_, more, expected) => {
    expect(storedTransmission({ ...glass, ...more }, plain)).toBe(expected);
  });

  test('a textured colour counts as white', () => {
    expect(storedTransmission({ ...glass, baseColor: [0, 0, 0, 1] }, (slot) => slot === 'baseColor')).toBe(1);
  });
});

test('two thicknesses absorb twice', () => {
  expect(absorbedColor([1, 0.5, 0], 2, 1)).toEqual([1, 0.25, 0]);
  expect(absorbedColor([0.5, 0.5, 0.5], 0, 1)).toBeNull();
  expect(absorbedColor([0.5, 0.5, 0.5], 1, 0)).toBeNull();
});

test.each([
  ['a path beyond all numbers', [1, 0.5, 0], 1e300, 1e-300, [1, 0, 0]],
  ['a path of no length', [0, 0.5, 1], 1e-300, 1e300, null],
  ['an endless path and an endless distance', [0, 0.5, 1], Infinity, Infinity, null],
  ['channels that are no colours', [-0.5, 2, Number.NaN], 1, 2, [0, 1, 1]],
  ['endless channels', [Infinity, -Infinity, 1], 1, 2, [1, 0, 1]],
] as const)('a volume has a colour from 0 to 1: %s', (_, color, thickness, distance, expected) => {
  expect(absorbedColor(color, thickness, distance)).toEqual(expected);
});

test('alpha hides what does not pass, in the brightness of the tint', () => {
  expect(alphaOfGlass([1, 1, 1], 0.75)).toBeCloseTo(0.25, 12);
  expect(alphaOfGlass([0.25, 0.25, 0.25], 0.5)).toBeCloseTo(0.75, 12);
  expect(alphaOfGlass([1, 1, 1], 0)).toBe(1);
});
