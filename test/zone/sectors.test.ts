// Sectors around a zone.

import { describe, expect, test } from 'vitest';
import { sectorCount, sectorOf } from '../../src/zone/sectors.ts';
import { trianglesAt } from './zoneMeshes.ts';

describe('the sector of a direction', () => {
  test('counts from +X towards +Z', () => {
    expect([sectorOf(1, 0.1, 4), sectorOf(-0.1, 1, 4), sectorOf(-1, -0.1, 4), sectorOf(0.1, -1, 4)]).toEqual([
      0, 1, 2, 3,
    ]);
    expect(
      [10, 50, 95, 140, 190, 230, 280, 320].map((degrees) => {
        const turn = (degrees * Math.PI) / 180;
        return sectorOf(Math.cos(turn), Math.sin(turn), 8);
      }),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('is one of them on every axis, just beside it, and straight up', () => {
    expect([sectorOf(1, 0, 4), sectorOf(0, 1, 4), sectorOf(-1, 0, 4), sectorOf(0, -1, 4)]).toEqual([0, 1, 2, 3]);
    // So little below the axis that the turn rounds to a whole one.
    expect(sectorOf(1, -1e-20, 8)).toBe(0);
    expect(sectorOf(-1, -0, 8)).toBeLessThan(8);
    expect(sectorOf(0, 0, 8)).toBe(0);
    expect(sectorOf(3, -4, 1)).toBe(0);
  });
});

const around = Array.from({ length: 64 }, (_, i) => trianglesAt(((i + 0.5) * 360) / 64));

describe('the number of sectors', () => {
  test('is 8 where nobody counts draws', () => {
    expect(sectorCount(around, [0, 0, 0], null)).toBe(8);
  });

  test('is the largest one whose meshes are within the draws', () => {
    expect([100, 4, 3, 2, 1].map((draws) => sectorCount(around, [0, 0, 0], draws))).toEqual([4, 4, 3, 2, 1]);
    const two = [...around, ...Array.from({ length: 64 }, (_, i) => trianglesAt(((i + 0.5) * 360) / 64, '1'))];
    expect([8, 7, 4, 2].map((draws) => sectorCount(two, [0, 0, 0], draws))).toEqual([4, 3, 2, 1]);
    // Even one sector has two draws: it cannot be less.
    expect(sectorCount(two, [0, 0, 0], 1)).toBe(1);
    // What lies in one direction is one draw however many sectors there are.
    expect(sectorCount([trianglesAt(100), trianglesAt(101)], [0, 0, 0], 1)).toBe(4);
  });
});
