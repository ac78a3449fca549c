// Files that are given to the page of `untold view`, by its button and by a drop, in a browser.

import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook, type ViewResult, view } from '../../../src/index.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { squareGltf } from '../../support/squareGltf.ts';
import { ABSENT, CHROMIUM, launch, openPage, settled } from './browser.ts';

const samples = resolve(import.meta.dirname, '../../../samples');

if (CHROMIUM === null) test.skip(ABSENT, () => {});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let folder: string;
  let browser: Browser;
  let served: ViewResult;
  let page: Page;
  let said: string[];

  beforeAll(async () => {
    folder = temporaryFolder();
    browser = await launch();
    put(folder, 'square/town.gltf', squareGltf());
    put(folder, 'square/.hidden', 'nobody’s business');
    put(folder, 'broken.gltf', '{"asset":{"version":"2.0"},"scene":1}');
    expect((await cook(join(folder, 'square/town.gltf'), { out: join(folder, 'tiles') })).exitCode).toBe(0);
    served = await view(join(folder, 'tiles'));
    ({ page, said } = await openPage(browser, served.url!));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const title = () => page.locator('#name').textContent();

  test('a file that cannot be shown is told of with its code, and what was shown stays', async () => {
    await page.locator('#open').click();
    await page.locator('#drop input').first().setInputFiles(join(folder, 'broken.gltf'));
    await page.locator('#drop.failed').waitFor();
    expect(await page.locator('#drop h2').textContent()).toBe('broken.gltf cannot be shown');
    expect(await page.locator('#drop .message').textContent()).toMatch(/^error UC1308 broken\.gltf/);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('#drop').isVisible()).toBe(false);
    expect(await title()).toMatch(/tiles\/town\.json$/);
  });

  test('a source is cooked, and the tree of its objects is there', async () => {
    await page.locator('#open').click();
    await page.locator('#drop input').first().setInputFiles(join(samples, 'courtyard.usdz'));
    await page.waitForFunction(() => document.getElementById('name')?.textContent === 'courtyard.usdz (cooked)');
    await settled(page);
    await page.locator('#tab-objects').click();
    await page.waitForFunction(() => document.querySelectorAll('#panel-objects button').length > 3);
    expect(await page.locator('#divider').isVisible()).toBe(true);
    expect(await page.locator('#side-b').textContent()).toContain('courtyard.usdz: ');
    expect(await page.evaluate(() => untoldViewer!.stage.counts.triangles)).toBeGreaterThan(100);
  });

  test('a folder is taken with all that lies in it', async () => {
    await page.locator('#open').click();
    await page.locator('#drop input').last().setInputFiles(join(folder, 'square'));
    await page.waitForFunction(() => document.getElementById('name')?.textContent === 'square/town.gltf (cooked)');
    await settled(page);
  });

  test('a file is dropped: the page says where, and shows it', async () => {
    const bytes = readFileSync(join(samples, 'courtyard.usdz')).toString('base64');
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(content), (one) => one.charCodeAt(0))], 'dropped.usdz'));
      return data;
    }, bytes);
    await page.dispatchEvent('#canvas', 'dragover', { dataTransfer: transfer });
    expect(await page.locator('#drop-here').isVisible()).toBe(true);
    await page.dispatchEvent('#canvas', 'drop', { dataTransfer: transfer });
    expect(await page.locator('#drop-here').isVisible()).toBe(false);
    await page.waitForFunction(() => document.getElementById('name')?.textContent === 'dropped.usdz (cooked)');
    await settled(page);
    expect(said).toEqual([]);
  });
});
