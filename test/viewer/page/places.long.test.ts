// The loader of the page and the one that `untold check` runs hold the same at the same places.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GEOMETRY_SHARE, MIN_MEMORY } from '../../../src/engine/loading.ts';
import { view } from '../../../src/index.ts';
import { placesOf } from '../../../src/library/check/places.ts';
import { openCookedSet } from '../../../src/library/render/cookedSet.ts';
import type { Vec3 } from '../../../src/scene/types.ts';
import { eyeAt } from '../../../src/viewer/streaming/flight.ts';
import { StreamLoader } from '../../../src/viewer/streaming/loader.ts';
import { temporaryFolder } from '../../support/files.ts';
import { ABSENT, CHROMIUM, launch, openPage } from './browser.ts';
import { cookTown } from './town.ts';

if (CHROMIUM === null) test.skip(ABSENT, () => {});

const PLACES = 20;
/** Seconds of each look, in steps. */
const STEPS = 6;
const STEP = 0.5;
const DIRECTIONS: readonly Vec3[] = [
  [0, 0, -1],
  [1, 0, 0],
  [0, 0, 1],
  [-1, 0, 0],
];

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    await cookTown(folder);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('twenty places have the same peak of geometry in memory', async () => {
    const set = await openCookedSet(join(folder, 'town.json'), 'town.json', folder);
    const all = placesOf(set.tiles, set.cameras);
    const places = Array.from({ length: PLACES }, (_, i) => all[Math.floor((i * all.length) / PLACES)]);
    const { url, close } = await view(folder);
    const browser = await launch();
    try {
      const { page } = await openPage(browser, url as string, { width: 480, height: 320 });
      const sizes = (await page.evaluate(() => untoldViewer!.set.description.bytes)) as Record<string, number>;
      const { tanY, aspect } = await page.evaluate(() => {
        const { tanX, tanY } = untoldViewer!.eye();
        return { tanY, aspect: tanX / tanY };
      });
      await page.evaluate(() => {
        untoldViewer!.isPaused = true;
        untoldViewer!.mode = 'streamed';
      });
      const loader = new StreamLoader(set.tiles, {
        connection: { delay: 0.005, rate: 500e6 },
        budget: GEOMETRY_SHARE * MIN_MEMORY,
        fileBytes: (file) => sizes[file],
      });
      const looks = places.map((position) =>
        DIRECTIONS.map((direction) => position.map((value, k) => value + direction[k]) as unknown as Vec3),
      );
      const peaks = places.map((position, i) => {
        let peak = 0;
        for (const target of looks[i]) {
          for (let step = 0; step < STEPS; step++) {
            loader.advance(STEP, eyeAt(position, target, tanY, aspect));
            peak = Math.max(peak, loader.state().residentBytes);
          }
        }
        return peak;
      });
      // All in one go: the page draws nothing meanwhile.
      const ofPage = await page.evaluate(
        ([from, targets, steps, seconds]) =>
          from.map((position, i) => {
            let peak = 0;
            for (const target of targets[i]) {
              for (let step = 0; step < steps; step++) {
                untoldViewer!.rig.place(position, target);
                untoldViewer!.advance(seconds);
                peak = Math.max(peak, untoldViewer!.state!.residentBytes);
              }
            }
            return peak;
          }),
        [places, looks, STEPS, STEP] as const,
      );
      expect(ofPage).toEqual(peaks);
      // They are places at which different things are in memory.
      expect(new Set(peaks).size).toBeGreaterThan(5);
      await page.close();
    } finally {
      await browser.close();
      await close();
    }
  }, 300_000);
});
