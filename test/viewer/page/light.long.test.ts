// The page of `untold view`: exposure, surroundings, shadows, the picture as a file, and the address.

import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook, view } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/files.ts';
import { ABSENT, CHROMIUM, launch, openPage, settled } from './browser.ts';

const samples = resolve(import.meta.dirname, '../../../samples');

if (CHROMIUM === null) test.skip(ABSENT, () => {});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let folder: string;
  let browser: Browser;
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    folder = temporaryFolder();
    browser = await launch();
    expect((await cook(join(samples, 'courtyard.usdz'), { out: join(folder, 'court') })).exitCode).toBe(0);
    const served = await view(join(folder, 'court'));
    url = served.url!;
    close = served.close;
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The picture that the page saves: its pixels, and its name. */
  async function saved(page: Page) {
    await settled(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
    const { data, info } = await sharp(readFileSync(await download.path()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { name: download.suggestedFilename(), pixels: new Uint8Array(data), width: info.width, height: info.height };
  }
  const mean = ({ pixels }: { pixels: Uint8Array }) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length;

  test('pictures are saved as they are seen; exposure, surroundings and shadows change them', async () => {
    const { page, said } = await openPage(browser, url, { width: 760, height: 420 });
    const first = await saved(page);
    const size = await page.evaluate(() => {
      const { width, height } = untoldViewer!.stage.renderer.domElement;
      return { width, height };
    });
    expect([first.name, first.width, first.height]).toEqual(['courtyard.png', size.width, size.height]);
    expect((await saved(page)).pixels).toEqual(first.pixels);

    await page.check('#shadows');
    const shaded = await saved(page);
    const darker = shaded.pixels.reduce((sum, value, i) => sum + Number(value < first.pixels[i] - 8), 0);
    const brighter = shaded.pixels.reduce((sum, value, i) => sum + Number(value > first.pixels[i] + 8), 0);
    expect(darker).toBeGreaterThan(first.pixels.length / 500);
    expect(brighter).toBe(0);
    // Shadows are no triangles of the set.
    const { triangles } = await page.evaluate(() => untoldViewer!.stage.counts);
    await page.uncheck('#shadows');
    expect((await saved(page)).pixels).toEqual(first.pixels);
    expect((await page.evaluate(() => untoldViewer!.stage.counts)).triangles).toBe(triangles);

    const before = mean(first);
    await page.locator('#exposure').fill('3');
    expect(mean(await saved(page))).toBeGreaterThan(before + 10);
    await page.locator('#exposure').fill('-3');
    expect(mean(await saved(page))).toBeLessThan(before - 10);
    await page.locator('#exposure').fill('0');
    await page.selectOption('#sky', 'none');
    const black = await saved(page);
    expect(mean(black)).toBeLessThan(before / 2);
    // The sky is black, what the sun shines on is not.
    expect([...black.pixels.subarray(0, 3)]).toEqual([0, 0, 0]);
    expect(black.pixels.some((value) => value > 60)).toBe(true);
    await page.selectOption('#sky', 'neutral');
    expect((await saved(page)).pixels).toEqual(first.pixels);
    expect(said).toEqual([]);
    await page.close();
  });

  test('the address says where the camera is, and a link leads there', async () => {
    const { page, said } = await openPage(browser, `${url}#camera=6,4,7,0,1,0&show=full&view=normals&mode=fly`);
    const where = () =>
      page.evaluate(() => [
        ...untoldViewer!.stage.camera.position.toArray(),
        untoldViewer!.view,
        untoldViewer!.rig.mode,
      ]);
    expect(await where()).toEqual([6, 4, 7, 'normals', 'fly']);
    expect(await page.locator('#view').inputValue()).toBe('normals');
    await page.selectOption('#view', 'uv');
    await page.waitForFunction(() => location.hash.includes('view=uv'));
    await page.evaluate(() => {
      location.hash = '#camera=1,9,2,0,0,0';
    });
    await page.waitForFunction(() => untoldViewer!.stage.camera.position.y === 9);
    // What a link does not name stays, but for the camera's way to move.
    expect(await where()).toEqual([1, 9, 2, 'uv', 'orbit']);
    await page.evaluate(() => {
      location.hash = '#camera=nonsense&view=no';
    });
    await page.waitForFunction(() => location.hash.startsWith('#camera=1,9,2'));
    expect(await where()).toEqual([1, 9, 2, 'uv', 'orbit']);
    expect(said).toEqual([]);
    await page.close();
  });
});
