// The ladder: the exporter's numbers, and that the engine's loader leaves ours as they are.

import { describe, expect, test } from 'vitest';
import { loaderBands } from '../../../src/engine/streaming.ts';
import { distanceOfError, errorAtDistance, exporterLadder, ladder } from '../../../src/tiling/streaming/ladder.ts';

const f32 = Math.fround;

test('the exporter puts the levels of a city with radii 38.535 and 57.803 at 44.15, 48.15 and 53.80', () => {
  const { lods, hlod } = exporterLadder(38.535, 57.803, 2, true);
  expect([...lods, hlod as number].map((d) => d.toFixed(2))).toEqual(['44.15', '48.15', '53.80']);
});

test('two pixels of 1080 at 60 degrees: a metre of error is unseen from 467.65 m on', () => {
  // 1080 / (2 * 2 * tan 30°)
  expect(distanceOfError(1)).toBeCloseTo(467.654, 3);
  expect(errorAtDistance(distanceOfError(0.3))).toBeCloseTo(0.3, 12);
});

const withError = (error: number) => ({ error });

describe('what is written passes the loader untouched, in its float32', () => {
  const errors = [
    [[], null],
    [[0.001], null],
    [[], 0.2],
    [[0.01, 0.02], 0.03],
    [[0.5, 0.1], 0.05],
    [[0.01, 0.02, 0.03, 0.04], 0.9],
  ] as const;
  for (const [lods, hlod] of errors) {
    for (const streaming of [1, 2.5, 10, 38.54, 142.29, 331.07, 480]) {
      for (const extra of [0, 1, 4, 8, 12.99, 19.27, 100]) {
        test(`errors ${lods} and ${hlod}, radii ${streaming} and ${streaming + extra}`, () => {
          const unload = streaming + extra;
          const made = ladder(streaming, unload, lods.map(withError), hlod === null ? null : { error: hlod });
          expect(made.lods.length).toBe(lods.length);
          expect(made.hlod === null).toBe(hlod === null);
          expect(made.unload).toBeGreaterThanOrEqual(unload);
          const used = loaderBands(f32(streaming), f32(made.unload), made.hlod && f32(made.hlod), made.lods.map(f32));
          expect(used.hlod).toBe(made.hlod && f32(made.hlod));
          expect(used.lods).toEqual(made.lods.map(f32));
          if (lods.length > 0 || hlod !== null) expect(used.unload).toBe(f32(made.unload));
          [...made.lods, ...(made.hlod === null ? [] : [made.hlod])].forEach((distance, i) => {
            expect(distance).toBeGreaterThanOrEqual(streaming + 4 - 0.005);
            const error = i < lods.length ? lods[i] : (hlod as number);
            expect(distance).toBeGreaterThanOrEqual(distanceOfError(error) - 0.005);
            expect(Math.abs(distance * 100 - Math.round(distance * 100))).toBeLessThan(1e-6);
          });
        });
      }
    }
  }
});

test('without levels nothing is widened', () => {
  expect(ladder(10, 11, [], null)).toEqual({ lods: [], hlod: null, unload: 11 });
});

test('no level starts nearer than from where its pictures look like full detail', () => {
  const lods = [{ error: 0, looksFrom: 60 }, { error: 0 }];
  const { lods: made, hlod, unload } = ladder(10, 20, lods, { error: 0, looksFrom: 300 });
  expect(made[0]).toBe(60);
  expect(made[1]).toBeGreaterThanOrEqual(64);
  expect(hlod).toBe(300);
  expect(unload).toBeGreaterThan(304);
});
