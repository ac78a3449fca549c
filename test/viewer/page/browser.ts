// Chromium for the tests of the page, drawing in software; null where it is not installed.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where Debian and others put it; UNTOLD_CHROMIUM names another one. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const CHROMIUM: string | null =
  process.env.UNTOLD_CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path)) ??
  null;

/** What is said where there is none. */
export const ABSENT = 'Chromium is not installed, so that the page of `untold view` is not tested';

export function launch(): Promise<Browser> {
  const software = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  // As root Chromium has no sandbox.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: CHROMIUM!, args: ['--headless=new', ...software, ...root] });
}

/** A page, and all that its console says and that it throws. */
export interface Opened {
  readonly page: Page;
  readonly said: string[];
}

/**
 * Opens a page. `before` runs in it before its own scripts. `scale`: pixels of the picture for one of the page along each side; half
 * of them take a third of the time.
 */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 900, height = 500, bypassCSP = false, scale = 0.5, before = () => {} } = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width, height }, bypassCSP, deviceScaleFactor: scale });
  const page = await context.newPage();
  await page.addInitScript(before);
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    said.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  await settled(page);
  return { page, said };
}

/** Waits until all that is to be shown is drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const viewer = (globalThis as unknown as { untoldViewer?: { isSettled: boolean; isDrawn: boolean } })
        .untoldViewer;
      return viewer?.isSettled && viewer.isDrawn;
    },
    null,
    { timeout: 100_000 },
  );
}
