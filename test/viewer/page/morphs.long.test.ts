// Morph targets on the page of `untold view`: a slider for each, which moves the vertices that the file lists.

import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Mesh } from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEAD_TARGETS } from '../../../samples/head.ts';
import { cook, view } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/files.ts';
import { ABSENT, CHROMIUM, launch, openPage, settled } from './browser.ts';

const HEAD = resolve(import.meta.dirname, '../../../samples/glb/head.glb');

if (CHROMIUM === null) test.skip(ABSENT, () => {});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let folder: string;
  let browser: Browser;
  let stop: () => Promise<void> = async () => {};

  beforeAll(async () => {
    folder = temporaryFolder();
    browser = await launch();
    const { exitCode } = await cook(HEAD, { out: join(folder, 'head.untold') });
    expect(exitCode).toBe(0);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('each target has a slider, and its weight moves the mesh there and back', async () => {
    const { url, close, diagnostics } = await view(join(folder, 'head.untold'));
    stop = close;
    expect(diagnostics).toEqual([]);
    const { page, said } = await openPage(browser, url!);
    const names = await page.locator('#panel-scene .morphs label > span').allTextContents();
    expect([...names].sort()).toEqual(HEAD_TARGETS.map(({ name }) => name).sort());
    /** How far the points of the skin reach along Z: the nose. */
    const reach = () =>
      page.evaluate(() => {
        const [{ group }] = untoldViewer!.payloads.loaded;
        const { array } = (group.children[0] as Mesh).geometry.getAttribute('position');
        let max = Number.NEGATIVE_INFINITY;
        for (let i = 2; i < array.length; i += 3) max = Math.max(max, array[i]);
        return max;
      });
    const before = await reach();
    const set = async (name: string, value: number) => {
      const slider = page.locator('#panel-scene .morphs label', { hasText: name }).locator('input');
      await slider.fill(String(value));
      await settled(page);
    };
    const still = await page.locator('#canvas').screenshot();
    await set('noseLong', 1);
    expect((await reach()) - before).toBeGreaterThan(0.07);
    const moved = await page.locator('#canvas').screenshot();
    expect(moved.equals(still)).toBe(false);
    await page.getByRole('button', { name: 'All to 0' }).click();
    await settled(page);
    expect(await reach()).toBe(before);
    expect(said).toEqual([]);
  });
});
