// The page of --report in a browser: with its script, and without.

import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untold } from '../../support/command.ts';
import { temporaryFolder } from '../../support/files.ts';
import { CHROMIUM, launch } from '../../viewer/page/browser.ts';

const TOWN = resolve(import.meta.dirname, '../../../samples/usda/town.usda');

if (CHROMIUM === null) test.skip('Chromium is not installed: the page of --report is not tried in a browser', () => {});

describe.skipIf(CHROMIUM === null)('the page of a town', () => {
  let folder: string;
  let browser: Browser;
  let url: string;
  /** With the shared bucket. */
  let tiles: number;
  beforeAll(async () => {
    folder = temporaryFolder();
    // The set that other tests cook as well, so that it is cooked once.
    const options = ['--pipeline', 'outdoor', '--out', 'tiles', '--quiet', '--report', 'page.html'];
    const ran = await untold(folder, ['cook', TOWN, ...options]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const manifest = JSON.parse(readFileSync(join(folder, 'tiles/town.json'), 'utf8'));
    tiles = manifest.tiles.length + (manifest.shared_bucket ? 1 : 0);
    url = pathToFileURL(join(folder, 'page.html')).href;
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(more: object = {}): Promise<{ page: Page; said: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...more });
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) said.push(`asked for ${request.url()}`);
    });
    await page.goto(url);
    return { page, said };
  }

  const column = (page: Page, index: number) =>
    page.$$eval(
      '#s0-tile-table tbody tr:not([hidden])',
      (rows, at) =>
        rows.map((row) => {
          const cell = (row as unknown as { cells: { dataset: { value?: string }; textContent: string }[] }).cells[at];
          return cell.dataset.value ?? cell.textContent;
        }),
      index,
    );

  test('its table sorts by each column and filters, by keyboard as well', async () => {
    const { page, said } = await open();
    const before = (await column(page, 3)).map(Number);
    expect(before.length).toBe(tiles);
    await page.focus('#s0-tile-table th:nth-child(4) button');
    await page.keyboard.press('Enter');
    expect(await page.getAttribute('#s0-tile-table th:nth-child(4)', 'aria-sort')).toBe('descending');
    expect((await column(page, 3)).map(Number)).toEqual([...before].sort((a, b) => b - a));
    await page.keyboard.press('Enter');
    expect(await page.getAttribute('#s0-tile-table th:nth-child(4)', 'aria-sort')).toBe('ascending');
    expect((await column(page, 3)).map(Number)).toEqual([...before].sort((a, b) => a - b));
    await page.fill('[data-filters=s0-tile-table]', 'tile_1_0 hlod');
    const shown = await column(page, 0);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThan(tiles);
    for (const name of shown) expect(name).toMatch(/^tile_1_0/);
    expect(await page.textContent('[data-counts=s0-tile-table]')).toBe(`${shown.length} of ${tiles}`);
    expect(said).toEqual([]);
  });

  test('it draws the ten levels that look least like full detail, and no table is wider than the page', async () => {
    const { page, said } = await open();
    expect(await page.locator('article.level').count()).toBe(10);
    expect(await page.locator('article.level img').count()).toBe(30);
    const ssims = await page.$$eval('#s0-worst-table td:nth-child(4)', (cells) =>
      cells.map((one) => Number(one.textContent)),
    );
    expect(ssims).toHaveLength(10);
    expect([...ssims].sort((a, b) => a - b)).toEqual(ssims);
    const wide = await page.$$eval(
      '.scroll',
      (parts) => parts.filter((one) => one.scrollWidth > one.clientWidth).length,
    );
    expect(wide).toBe(0);
    expect(await page.locator('.bound').count()).toBeGreaterThan(5);
    expect(said).toEqual([]);
  });

  test('its map zooms, moves and changes its colours, by keyboard as well', async () => {
    const { page, said } = await open();
    const view = async () => (await page.getAttribute('#s0-map', 'viewBox'))?.split(' ').map(Number) ?? [];
    const whole = await view();
    await page.focus('#s0-map');
    await page.keyboard.press('+');
    expect((await view())[2]).toBeCloseTo(whole[2] / 1.2, 3);
    const [x] = await view();
    await page.keyboard.press('ArrowRight');
    expect((await view())[0]).toBeGreaterThan(x);
    await page.keyboard.press('0');
    expect(await view()).toEqual(whole);
    await page.locator('#s0-map').scrollIntoViewIfNeeded();
    const box = await page.locator('#s0-map').boundingBox();
    if (box === null) throw new Error('no map');
    const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(middleX, middleY);
    await page.mouse.down();
    await page.mouse.move(middleX + 50, middleY);
    await page.mouse.up();
    expect((await view())[0]).toBeLessThan(whole[0]);
    await page.click('button[data-map=s0-map][value="0"]');
    expect(await view()).toEqual(whole);
    const fills = () => page.$$eval('#s0-map rect', (rects) => rects.map((rect) => rect.getAttribute('fill')));
    const bytes = await fills();
    await page.selectOption('select[data-map=s0-map]', 'draws');
    expect(await fills()).not.toEqual(bytes);
    expect(said).toEqual([]);
  });

  test('without scripts all of it is read, and nothing is shown that does nothing', async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await page.locator('#s0-tile-table tbody tr').count()).toBe(tiles);
    expect(await page.locator('.needs-script:visible').count()).toBe(0);
    expect(await page.locator('#s0-map rect').count()).toBe(tiles);
  });

  test.each(['light', 'dark'] as const)(
    'its text stands out in the %s scheme: at least 4.5 to 1',
    async (colorScheme) => {
      const { page } = await open({ colorScheme });
      const min = await page.evaluate(() => {
        const numbers = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
        const light = ([r, g, b]: number[]) => {
          const [x, y, z] = [r, g, b].map((c) =>
            c / 255 <= 0.03928 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * x + 0.7152 * y + 0.0722 * z;
        };
        let lowest = 99;
        for (const element of document.querySelectorAll(
          'p, td, th, dt, dd, h1, h2, h3, a, summary, figcaption, .badge',
        )) {
          const ink = numbers(getComputedStyle(element).color);
          let behind: Element | null = element;
          let paper = [0, 0, 0, 0];
          for (; behind; behind = behind.parentElement) {
            paper = numbers(getComputedStyle(behind).backgroundColor);
            if (paper.length === 3 || paper[3] > 0) break;
          }
          const [a, b] = [light(ink), light(paper)].sort((p, q) => q - p);
          lowest = Math.min(lowest, (a + 0.05) / (b + 0.05));
        }
        return lowest;
      });
      expect(min).toBeGreaterThanOrEqual(4.5);
    },
  );
});
