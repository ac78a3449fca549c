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

  test('a Radiance picture becomes the surroundings: it is seen, it lights, and it brings its own sun', async () => {
    const { page, said } = await openPage(browser, `${url}#camera=6,4,7,0,1,0`, { width: 760, height: 420 });
    const before = await saved(page);
    // All of one red, in two pixels.
    const bytes = Buffer.concat([
      Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n'),
      Uint8Array.of(200, 20, 20, 129, 200, 20, 20, 129),
    ]);
    const isPicture = () =>
      page.waitForFunction(() => document.querySelector<HTMLSelectElement>('#sky')?.value === 'picture');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#sky-picture')]);
    await chooser.setFiles({ name: 'red.hdr', mimeType: 'image/vnd.radiance', buffer: bytes });
    await isPicture();
    const red = await saved(page);
    const [r, g, b] = red.pixels;
    expect(Math.min(r - g, r - b)).toBeGreaterThan(30);
    expect(await page.locator('#sky option:checked').textContent()).toBe('red.hdr');
    expect(await page.locator('#hour').isDisabled()).toBe(true);
    await page.selectOption('#sky', 'neutral');
    expect((await saved(page)).pixels).toEqual(before.pixels);
    expect(await page.locator('#hour').isDisabled()).toBe(false);

    // A drop does the same, and what is broken is told of.
    const drop = (name: string, content: number[]) =>
      page.evaluate(
        ([file, numbers]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([Uint8Array.from(numbers as number[])], file as string));
          dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        [name, content] as const,
      );
    await drop('again.hdr', [...bytes]);
    await isPicture();
    expect((await saved(page)).pixels).toEqual(red.pixels);
    await drop('cut.hdr', [...bytes.subarray(0, -1)]);
    await page.locator('#drop.failed').waitFor();
    expect(await page.locator('#drop .message').textContent()).toMatch(/^error UC2102 cut\.hdr/);

    // A file that takes long to be read does not replace what was chosen after it.
    await page.evaluate(() => {
      const read = File.prototype.arrayBuffer;
      const slow = new Promise<void>((resolve) => {
        (globalThis as unknown as { letSlowCome: () => void }).letSlowCome = resolve;
      });
      File.prototype.arrayBuffer = async function (this: File) {
        if (this.name === 'slow.hdr') await slow;
        return read.call(this);
      };
    });
    const letSlowCome = async () => {
      await page.evaluate(() => (globalThis as unknown as { letSlowCome: () => void }).letSlowCome());
      // Longer than these two pixels take.
      await page.waitForTimeout(1000);
    };
    await drop('slow.hdr', [...bytes]);
    await drop('fast.hdr', [...bytes]);
    await page.waitForFunction(
      () => document.querySelector('#sky option[value="picture"]')?.textContent === 'fast.hdr',
    );
    await drop('slow.hdr', [...bytes]);
    await page.selectOption('#sky', 'neutral');
    await letSlowCome();
    expect(await page.locator('#sky').inputValue()).toBe('neutral');
    expect(await page.locator('#sky option[value="picture"]').textContent()).toBe('fast.hdr');
    expect((await saved(page)).pixels).toEqual(before.pixels);
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
