// The page of `untold view` on a phone and on a small screen, its camera and the ground, and what it says when files fail.

import { renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
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

  test('on a phone the picture takes the place of a closed panel, and every control is in reach', async () => {
    const { page, said } = await openPage(browser, url, { width: 400, height: 800 });
    const height = async () => (await page.locator('#canvas').boundingBox())!.height;
    const open = await height();
    const panel = (await page.locator('#side').boundingBox())!.height;
    await page.click('#toggle');
    await page.waitForFunction(() => document.querySelector('#side')!.clientHeight === 0);
    expect(await height()).toBeCloseTo(open + panel, 0);
    // Its drawing buffer follows.
    await page.waitForFunction(() => {
      const { width, height } = untoldViewer!.stage.renderer.domElement;
      const { clientWidth, clientHeight } = untoldViewer!.stage.renderer.domElement;
      return Math.abs(width / height - clientWidth / clientHeight) < 0.01;
    });
    expect(said).toEqual([]);
    await page.close();
  });

  test('no counter of the status line is cut off, however wide the window is', async () => {
    const { page, said } = await openPage(browser, url, { width: 400 });
    // The longest words and numbers that are usual.
    await page.evaluate(() => {
      const long = { triangles: '88,888,888', calls: '88,888', textures: '888, 888.8 MB', tone: 'Khronos PBR Neutral' };
      for (const [key, text] of Object.entries(long))
        document.querySelector(`[data-counter=${key}]`)!.textContent = text;
      document.querySelector('[data-counter=geometry]')!.textContent = '888.8 MB of 888.8 MB';
    });
    for (const width of [400, 1280, 1920]) {
      await page.setViewportSize({ width, height: 500 });
      const cut = await page.evaluate(() => {
        const line = document.querySelector('footer')!.getBoundingClientRect();
        return [...document.querySelectorAll('footer b')].filter((value) => {
          const { left, right, top, bottom } = value.getBoundingClientRect();
          return (
            left < line.left || right > line.right || top < line.top || bottom > line.bottom || bottom > innerHeight
          );
        }).length;
      });
      expect([width, cut]).toEqual([width, 0]);
    }
    expect(said).toEqual([]);
    await page.close();
  });

  const camera = (page: Page) => page.evaluate(() => untoldViewer!.stage.camera.position.toArray());

  test('orbiting stays above the ground, walking on it', async () => {
    const { page, said } = await openPage(browser, url, { height: 460 });
    // The yard is level: its ground is where a ray from above meets it.
    const ground = await page.evaluate(() => {
      untoldViewer!.rig.mode = 'walk';
      const { y } = untoldViewer!.stage.camera.position;
      untoldViewer!.rig.mode = 'orbit';
      return y - 1.7;
    });
    await page.evaluate(() => untoldViewer!.rig.place([6, 3, 6], [0, 0.5, 0]));
    const box = (await page.locator('#canvas').boundingBox())!;
    const before = Math.hypot(6, 2.5, 6);
    await page.mouse.move(box.x + 200, box.y + 300);
    await page.mouse.down();
    const heights: number[] = [];
    for (let i = 1; i <= 12; i++) {
      await page.mouse.move(box.x + 200 + i * 9, box.y + 300 - i * 24);
      heights.push((await camera(page))[1]);
    }
    await page.mouse.up();
    // Down to the ground and no further, as far away from what is circled as before.
    expect(Math.min(...heights)).toBeGreaterThan(ground + 0.05);
    expect(heights.at(-1)).toBeLessThan(1);
    const [x, y, z] = await camera(page);
    expect(Math.hypot(x, y - 0.5, z)).toBeCloseTo(before, 6);
    // The wheel neither.
    await page.evaluate(() => untoldViewer!.rig.place([4, 1.5, 4], [0, -3, 0]));
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -300);
    expect((await camera(page))[1]).toBeGreaterThan(ground);

    await page.evaluate(() => untoldViewer!.rig.place([2, 9, 2], [0, 0, 0]));
    await page.locator('#canvas').focus();
    await page.keyboard.press('k');
    expect(await page.locator('input[value="walk"]').isChecked()).toBe(true);
    const start = await camera(page);
    await page.keyboard.down('KeyS');
    await page.waitForFunction(([x]) => Math.abs(untoldViewer!.stage.camera.position.x - x) > 0.2, start);
    await page.keyboard.up('KeyS');
    const { min, max } = await page.evaluate(() => untoldViewer!.bounds);
    const end = await camera(page);
    expect(end[0] > min[0] && end[0] < max[0] && end[2] > min[2] && end[2] < max[2]).toBe(true);
    expect(await page.evaluate(() => untoldViewer!.stage.camera.position.y)).toBeGreaterThan(ground + 1.69);
    // To frame is to leave the ground.
    await page.keyboard.press('f');
    expect(await page.locator('input[value="orbit"]').isChecked()).toBe(true);
    expect(said).toEqual([]);
    await page.close();
  });

  test('a tile that is missing is asked for again until it is there; a server that ends is told', async () => {
    const served = await view(join(folder, 'court'));
    const page = await (await browser.newContext({ viewport: { width: 900, height: 500 } })).newPage();
    const tiles = join(folder, 'court');
    const description = await (await fetch(`${served.url}view.json`)).json();
    const [tile] = Object.keys(description.bytes);
    renameSync(join(tiles, tile), join(tiles, 'away'));
    await page.goto(served.url!);
    const notice = page.locator('#notice');
    await notice.waitFor({ state: 'visible' });
    expect(await notice.locator('h2').textContent()).toBe('A file of the set cannot be had');
    // In the middle of the picture.
    const [box, canvas] = [(await notice.boundingBox())!, (await page.locator('#canvas').boundingBox())!];
    expect(box.x + box.width / 2).toBeCloseTo(canvas.x + canvas.width / 2, -1);
    expect(box.y + box.height / 2).toBeCloseTo(canvas.y + canvas.height / 2, -1);
    await notice.getByText('Try now').click();
    renameSync(join(tiles, 'away'), join(tiles, tile));
    await settled(page);
    await notice.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => untoldViewer!.paths)).toEqual([tile]);
    await served.close();
    await notice.waitFor({ state: 'visible' });
    expect(await notice.locator('h2').textContent()).toBe('The server does not answer');
    await notice.getByText('Hide').click();
    expect(await notice.isVisible()).toBe(false);
    await page.close();
  });
});
