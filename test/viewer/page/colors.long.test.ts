// The colours of the page: every tint in every view and every level, and the engine's tone mapping, by pixels.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook, view } from '../../../src/index.ts';
import { VIEWS, type ViewName } from '../../../src/viewer/page/drawing/views.ts';
import { levelColor, tierColor } from '../../../src/viewer/page/levels.ts';
import { TINTS, type TintName } from '../../../src/viewer/page/viewer.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { ABSENT, CHROMIUM, launch, openPage, settled } from './browser.ts';
import { bundled } from './inPage.ts';
import { GREY, MIDDLES, moundsGlb, PLATE } from './mounds.ts';
import { PLAQUES, plaquesGlb } from './plaques.ts';

type Rgb = readonly number[];

const encoded = (x: number): number => 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * Math.min(1, x) ** (1 / 2.4) - 0.055);
const decoded = (byte: number): number => {
  const x = byte / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
};
const hex = (text: string): Rgb => [1, 3, 5].map((at) => decoded(Number.parseInt(text.slice(at, at + 2), 16)));

/** The hue of 0 to 360 degrees and the saturation of a colour, as HSV has them. */
function hueOf([r, g, b]: Rgb): { readonly hue: number; readonly saturation: number } {
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)];
  const range = Math.max(max - min, 1e-9);
  const sector = max === r ? (g - b) / range : max === g ? 2 + (b - r) / range : 4 + (r - g) / range;
  return { hue: (sector * 60 + 360) % 360, saturation: (max - min) / Math.max(max, 1e-9) };
}
const hueDistance = (a: number, b: number): number => Math.min(Math.abs(a - b), 360 - Math.abs(a - b));

/** Linear, of 55 % saturation and 52 % lightness. */
function ofHue(hue: number): Rgb {
  const chroma = (1 - Math.abs(2 * 0.52 - 1)) * 0.55;
  const channel = (shift: number): number => {
    const t = (((hue + shift) % 360) + 360) % 360;
    const level = t < 60 ? t / 60 : t < 180 ? 1 : t < 240 ? (240 - t) / 60 : 0;
    return decoded(255 * (0.52 - chroma / 2 + chroma * level));
  };
  return [channel(120), channel(0), channel(-120)];
}

const TINT_NAMES = Object.keys(TINTS) as TintName[];

/** A grey surface under a tint, linear. */
const mixed = (tint: Rgb | null): Rgb => [0, 1, 2].map((k) => (tint ? 0.4 * GREY + 0.6 * tint[k] : GREY));
/** Of a surface that looks up, in the plain light. */
const PLAIN_LIGHT = [0.8 * 0.72 + 0.34, 0.8 * 0.7 + 0.37, 0.8 * 0.65 + 0.41];

function expectColor(seen: Rgb, expected: Rgb, tolerance: number, what: string): void {
  const far = Math.max(...seen.map((value, k) => Math.abs(value - expected[k])));
  expect(far, `${what}: ${seen.map(Math.round)} instead of ${expected.map(Math.round)}`).toBeLessThanOrEqual(tolerance);
}

if (CHROMIUM === null) test.skip(ABSENT, () => {});

describe.skipIf(CHROMIUM === null)('colours in a browser', () => {
  let folder: string;
  let browser: Browser;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    folder = temporaryFolder();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page that shows what a GLB is cooked to. */
  async function opened(
    name: string,
    glb: Uint8Array,
    options: object,
  ): Promise<{ readonly page: Page; readonly said: string[] }> {
    const out = join(folder, name);
    expect((await cook(put(folder, `${name}.glb`, glb), { out, ...options })).exitCode).toBe(0);
    const { url, close } = await view(out);
    stops.push(close);
    const opened = await openPage(browser, url!, { width: 560, height: 320, bypassCSP: true, scale: 1 });
    await opened.page.evaluate(await bundled());
    // The test brings a three.js of its own.
    opened.said.length = 0;
    return opened;
  }

  const colors = (page: Page, places: readonly Rgb[]): Promise<number[][]> =>
    page.evaluate((at) => colorsAt(untoldViewer!, at), places);

  /** The same under each tint. */
  const tinted = (page: Page, places: readonly Rgb[]): Promise<number[][][]> =>
    page.evaluate(
      ([names, at]) =>
        names.map((name) => {
          untoldViewer!.tint = name;
          return colorsAt(untoldViewer!, at);
        }),
      [TINT_NAMES, places] as const,
    );

  test('tints and views', async () => {
    const options = { partition: 'quadtree', minObjectsPerTileTier: 1 };
    const { page, said } = await opened('mounds', moundsGlb(), options);
    const lookDown = ([x, z]: readonly number[], height: number): Promise<void> =>
      page.evaluate(([at, y, to]) => untoldViewer!.rig.place([at, y, to + 0.1], [at, 0, to]), [x, height, z] as const);
    await page.evaluate(() => {
      untoldViewer!.isPaused = true;
      untoldViewer!.mode = 'full';
    });
    await lookDown([40, 40], 75);
    await settled(page);
    const tiles = await page.evaluate(() =>
      untoldViewer!.set.tiles.map(({ tier, bounds }) => ({
        tier: String(tier),
        middle: [0, 2].map((k) => (bounds!.min[k] + bounds!.max[k]) / 2),
      })),
    );
    expect(tiles.map(({ middle }) => middle.map(Math.round)).sort()).toEqual(
      [...MIDDLES].map((middle) => [...middle]).sort(),
    );
    expect(new Set(tiles.map(({ tier }) => tier)).size).toBe(4);
    const floors = tiles.map(({ middle: [x, z] }) => [x, 0, z]);
    const half = (PLATE.from + PLATE.to) / 2;
    const plates = tiles.map(({ middle: [x, z] }) => [x + half, PLATE.height, z + half]);
    const along = Array.from({ length: 120 }, (_, i) => [
      tiles[0].middle[0] - 3 + i / 30,
      0,
      tiles[0].middle[1] + 0.25,
    ]);

    /** What a tint promises, linear. */
    const tintOf = (tint: TintName, tile: number, level: string): Rgb | null =>
      tint === 'level'
        ? hex(levelColor(level))
        : tint === 'tier'
          ? hex(tierColor(tiles[tile].tier))
          : tint === 'tile'
            ? ofHue(Math.round((tile * 137.508) % 360))
            : null;

    for (const name of Object.keys(VIEWS) as ViewName[]) {
      await page.locator('#view').selectOption(name);
      // Lines, and millimetres, are told apart from near by.
      const isNear = name === 'wireframe' || name === 'deviation';
      if (isNear) await lookDown(tiles[0].middle, 10);
      else await lookDown([40, 40], 75);
      await settled(page);
      const pictures = await tinted(page, [...floors, ...plates, ...along]);
      for (const [t, tint] of TINT_NAMES.entries()) {
        const seen = pictures[t];
        const hues: number[] = [];
        for (const tile of isNear ? [0] : tiles.keys()) {
          const what = `${name}, tint ${tint}, tile ${tile}`;
          const color = tintOf(tint, tile, 'full');
          const [floor, plate] = [seen[tile], seen[tiles.length + tile]];
          if (name === 'base') expectColor(floor, mixed(color).map(encoded), 2, what);
          if (name === 'plain') {
            expectColor(
              floor,
              mixed(color).map((value, k) => encoded(value * PLAIN_LIGHT[k])),
              2,
              what,
            );
          }
          if (name === 'normals') expectColor(floor, [127.5, 255, 127.5], 1, what);
          // The dark square at the corner of the checker. A pixel is wide enough to change a coordinate by some hundredths.
          if (name === 'uv') {
            expectColor(
              floor,
              [1 / 16, 0.25, 1 / 16].map((value) => 255 * (0.65 * value + 0.35 * 0.92)),
              10,
              what,
            );
          }
          if (name === 'density') expectColor(floor, [115, 115, 115], 1, what);
          if (name === 'overdraw') {
            expectColor(floor, [28, 11, 4], 1, what);
            expectColor(plate, [56, 23, 8], 2, what);
          }
          if (name === 'deviation') expectColor(floor, [0, 0, 255], 1, what);
          if (name === 'lit') {
            const { hue, saturation } = hueOf(floor);
            if (color === null) expect(saturation, what).toBeLessThan(0.08);
            else {
              expect(hueDistance(hue, hueOf(mixed(color).map(encoded)).hue), what).toBeLessThan(12);
              expect(saturation, what).toBeGreaterThan(0.15);
            }
            hues.push(hue);
          }
        }
        if (name === 'lit' && tint === 'tile') {
          const apart = hues.flatMap((a, i) => hues.slice(i + 1).map((b) => hueDistance(a, b)));
          expect(Math.min(...apart)).toBeGreaterThan(20);
        }
        if (name === 'wireframe') {
          // Lines are smoothed: how much of each pixel is line, if it lies between both colours.
          const [ground, wire] = [
            [0x16, 0x18, 0x1c],
            [0x7f, 0xb2, 0xff],
          ];
          const shares = seen.slice(2 * tiles.length).map((pixel) => {
            const share = (pixel[2] - ground[2]) / (wire[2] - ground[2]);
            expectColor(
              pixel,
              [0, 1, 2].map((k) => ground[k] + share * (wire[k] - ground[k])),
              3,
              `tint ${tint}`,
            );
            return share;
          });
          expect(Math.min(...shares), `wireframe, tint ${tint}`).toBeLessThan(0.02);
          expect(Math.max(...shares), `wireframe, tint ${tint}`).toBeGreaterThan(0.4);
        }
      }
    }

    await page.locator('#view').selectOption('base');
    await lookDown([40, 40], 75);
    for (const mode of ['full', 'lod1', 'hlod', 'streamed']) {
      await page.locator('#show').selectOption(mode);
      if (mode === 'streamed') {
        await page.evaluate(() => {
          for (let step = 0; step < 40; step++) untoldViewer!.advance(0.5);
        });
      }
      await settled(page);
      const levels = await page.evaluate(() => untoldViewer!.levels);
      expect(levels.filter((level) => level !== null).length, mode).toBeGreaterThan(1);
      const pictures = await tinted(page, floors);
      for (const [t, tint] of TINT_NAMES.entries()) {
        for (const [tile, seen] of pictures[t].entries()) {
          const level = levels[tile];
          // The loader shows nothing of a tile whose radius does not reach the camera.
          if (level === null && mode === 'streamed') continue;
          const expected = mixed(tintOf(tint, tile, String(level))).map(encoded);
          expectColor(seen, expected, 6, `${mode}, tint ${tint}, tile ${tile}, ${level}`);
        }
      }
      if (mode === 'lod1' || mode === 'hlod') expect(levels).toContain(mode);
    }
    expect(said).toEqual([]);
    await page.close();
  }, 300_000);

  /** (x (2.51 x + 0.03)) / (x (2.43 x + 0.59) + 0.14), as the engine ends a picture. */
  const engineCurve = (x: number): number => Math.min(1, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));

  test('tone mappings: the engine’s is the first, and keeps dark metals', async () => {
    const { page, said } = await opened('plaques', plaquesGlb(), {});
    const seen = async (toneMapping: string, hour: number) => {
      await page.evaluate(
        ([name, time]) => {
          untoldViewer!.stage.hour = time as number;
          untoldViewer!.rig.place([4, 9, 9], [4, 0, 0]);
          if (name !== '') untoldViewer!.toneMapping = name as 'linear';
        },
        [toneMapping, hour],
      );
      await settled(page);
      return colors(
        page,
        PLAQUES.map(({ middle }) => [...middle]),
      );
    };
    expect(await page.locator('[data-counter="tone"]').textContent()).toBe('ACES filmic');
    expect(await page.locator('#panel-scene select').last().locator('option').allTextContents()).toContain(
      'Khronos PBR Neutral',
    );

    // At night plaques that shine have the light that they emit.
    const night = await seen('', 0);
    for (const [i, { emission }] of PLAQUES.entries()) {
      if (emission === null) continue;
      expectColor(
        night[i],
        emission.map((value) => encoded(engineCurve(value))),
        2,
        `emission ${emission}`,
      );
    }
    // By day metals have what the linear picture has, under the curve.
    const day = await seen('', 10);
    const linear = (await seen('linear', 10)).map((color) => color.map(decoded));
    for (const [i, { emission, color }] of PLAQUES.entries()) {
      if (emission !== null) continue;
      expectColor(
        day[i],
        linear[i].map((value) => encoded(engineCurve(value))),
        3,
        `metal ${color}`,
      );
      // Neither black nor with a stain of a colour that the metal has not.
      expect(Math.min(...day[i]), `metal ${color}`).toBeGreaterThan(20);
      const { saturation } = hueOf(day[i].map(decoded));
      expect(saturation, `metal ${color}`).toBeLessThan(2 * hueOf(linear[i]).saturation);
    }
    expect(said).toEqual([]);
    await page.close();
  });
});
