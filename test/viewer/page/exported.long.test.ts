// A page that `untold view --export` wrote, on a web server that knows nothing of it.

import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook, view } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/files.ts';
import { ABSENT, CHROMIUM, launch, openPage, settled } from './browser.ts';

const samples = resolve(import.meta.dirname, '../../../samples');

if (CHROMIUM === null) test.skip(ABSENT, () => {});

/** The media types that scripts and styles need; all else has none. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let folder: string;
  let browser: Browser;
  let server: Server;
  const asked: string[] = [];

  beforeAll(async () => {
    folder = temporaryFolder();
    browser = await launch();
    expect((await cook(join(samples, 'courtyard.usdz'), { out: join(folder, 'court') })).exitCode).toBe(0);
    const { exported } = await view(join(folder, 'court'), {
      against: join(folder, 'court'),
      export: join(folder, 'www/here/site'),
    });
    expect(exported?.files).toBeGreaterThan(8);
    server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname);
      asked.push(path);
      try {
        const file = join(folder, 'www', path.endsWith('/') ? `${path}index.html` : path);
        const type = TYPES[extname(file)];
        const bytes = readFileSync(file);
        response.writeHead(200, type ? { 'Content-Type': type } : {}).end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('it shows the set with its textures, below any folder, and asks for nothing else', async () => {
    const { port } = server.address() as AddressInfo;
    const { page, said } = await openPage(browser, `http://127.0.0.1:${port}/here/site/`);
    await settled(page);
    expect(
      await page.evaluate(() => [untoldViewer!.stage.counts.triangles > 0, untoldViewer!.textures.bytes > 0]),
    ).toEqual([true, true]);
    expect(await page.locator('#compare option').count()).toBeGreaterThan(1);
    expect(asked.every((path) => path.startsWith('/here/site/'))).toBe(true);
    // Nobody watches a server of files: once all is there, nothing more is asked for.
    await page.waitForTimeout(4000);
    const before = asked.length;
    await page.waitForTimeout(6000);
    expect(asked.length).toBe(before);
    await page.locator('#open').click();
    expect(await page.locator('#drop').textContent()).toContain('This page was exported: it has no server');
    expect(said).toEqual([]);
    await page.close();
  });
});
