// The page of `untold view`: objects with their search, textures with their channels, and texels a pixel.

import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook, view } from '../../../src/index.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { ABSENT, CHROMIUM, launch, openPage, settled } from './browser.ts';

const samples = resolve(import.meta.dirname, '../../../samples');

if (CHROMIUM === null) test.skip(ABSENT, () => {});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let folder: string;
  let browser: Browser;
  let page: Page;
  let said: string[];
  let close: () => Promise<void>;

  beforeAll(async () => {
    folder = temporaryFolder();
    browser = await launch();
    const court = await cook(join(samples, 'courtyard.usdz'), { out: join(folder, 'court'), textures: 'keep' });
    expect(court.exitCode).toBe(0);
    const served = await view(join(folder, 'court'));
    close = served.close;
    ({ page, said } = await openPage(browser, served.url!, { width: 1280, height: 600 }));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  test('objects are listed, searched by keys alone, and framed', async () => {
    await page.locator('#canvas').focus();
    await page.keyboard.press('/');
    const names = page.locator('#panel-objects button');
    const all = await page.evaluate(() =>
      untoldViewer!.payloads.loaded.flatMap(({ facts }) => facts.entities.map(({ name }) => name)),
    );
    expect((await page.locator('.tree div').allTextContents()).sort()).toEqual(all.sort());
    // A word that one name alone has.
    const word = all.find(
      (name) => all.filter((other) => other.toLowerCase().includes(name.toLowerCase())).length === 1,
    )!;
    await page.keyboard.type(word.toUpperCase());
    expect(await names.allTextContents()).toEqual([word]);
    await page.keyboard.press('Tab');
    // Over the heading of the tile.
    for (let i = 0; i < 3 && (await names.evaluate((button) => button !== document.activeElement)); i++)
      await page.keyboard.press('Tab');
    const before = await page.evaluate(() => untoldViewer!.stage.camera.position.toArray());
    await page.keyboard.press('Enter');
    expect(
      await page.evaluate(
        () => untoldViewer!.selection?.drawn.payload.facts.entities[untoldViewer!.selection.drawn.entity].name,
      ),
    ).toBe(word);
    expect(await page.evaluate(() => untoldViewer!.stage.camera.position.toArray())).not.toEqual(before);
    await page.fill('#search', 'there is no such thing');
    expect(await names.count()).toBe(0);
    expect(await page.textContent('#panel-objects p')).toBe('0 objects');
    expect(said).toEqual([]);
  });

  test('textures show their texels, whole and by channels', async () => {
    await page.click('#tab-textures');
    await settled(page);
    const files = await page.evaluate(
      () =>
        new Set(
          untoldViewer!.payloads.loaded.flatMap(({ surfaces }) =>
            surfaces.flatMap(({ textures }) => Object.values(textures).map((one) => one!.path)),
          ),
        ).size,
    );
    await page.locator('.texture').first().waitFor();
    expect(await page.locator('.texture').count()).toBe(files);
    const label = 'Show bricks';
    const bricks = page.locator(`.texture button[aria-label^="${label}"]`).first();
    await bricks.click();
    const dialog = page.locator('dialog.large');
    const bytesOf = async () => {
      const url = await dialog.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
      return sharp(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
        .removeAlpha()
        .raw()
        .toBuffer();
    };
    const path = (await dialog.locator('dd').first().textContent())!;
    const expected = await sharp(join(folder, 'court', path))
      .removeAlpha()
      .raw()
      .toBuffer();
    const apart = (a: Uint8Array, b: Uint8Array) =>
      a.reduce((max, value, i) => Math.max(max, Math.abs(value - b[i])), a.length === b.length ? 0 : 256);
    // The first row is the top one, and colours are as a screen shows them.
    expect(apart(await bytesOf(), expected)).toBeLessThanOrEqual(2);
    await dialog.locator('#channel').selectOption('g');
    expect(
      apart(
        await bytesOf(),
        expected.map((_, i) => expected[i - (i % 3) + 1]),
      ),
    ).toBeLessThanOrEqual(2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(said).toEqual([]);
  });

  test('a texture that has been unloaded is not given to the GPU again', async () => {
    await page.locator('.texture button').first().click();
    const held = () => page.evaluate(() => untoldViewer!.stage.renderer.info.memory.textures);
    await page.evaluate(() => {
      const { payloads } = untoldViewer!;
      for (const { path } of payloads.loaded) payloads.release(path);
    });
    const before = await held();
    await page.locator('#channel').selectOption('g');
    expect(await page.locator('#channel').isDisabled()).toBe(true);
    expect(await held()).toBe(before);
    await page.keyboard.press('Escape');
    expect(said).toEqual([]);
  });

  test('texels a pixel are those of the streaming distance', async () => {
    // A square of 4 m with 64 texels along a side has 16 texels a metre; 935.3 / 16 = 58.46 m away one is a pixel.
    const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    put(folder, 'white.png', image);
    const positions = Buffer.from(Float32Array.of(-2, 0, -2, -2, 0, 2, 2, 0, 2, 2, 0, -2).buffer);
    const uvs = Buffer.from(Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0).buffer);
    const indices = Buffer.from(Uint16Array.of(0, 1, 2, 0, 2, 3).buffer);
    const data = Buffer.concat([positions, uvs, indices]);
    const views = [positions, uvs, indices].map(({ length }, i, all) => ({
      buffer: 0,
      byteOffset: all.slice(0, i).reduce((sum, one) => sum + one.length, 0),
      byteLength: length,
    }));
    const gltf = {
      asset: { version: '2.0' },
      buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
      bufferViews: views,
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [-2, 0, -2], max: [2, 0, 2] },
        { bufferView: 1, componentType: 5126, count: 4, type: 'VEC2' },
        { bufferView: 2, componentType: 5123, count: 6, type: 'SCALAR' },
      ],
      images: [{ uri: 'white.png' }],
      textures: [{ source: 0 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      scene: 0,
    };
    const file = put(folder, 'square.gltf', JSON.stringify(gltf));
    const colors: number[][] = [];
    for (const radius of [58.46, 58.46 / 4, 58.46 * 4]) {
      const out = join(folder, `square${colors.length}`);
      expect((await cook(file, { out, textures: 'keep' })).exitCode).toBe(0);
      const manifest = JSON.parse(readFileSync(join(out, 'square.json'), 'utf8'));
      manifest.tiles[0].streaming_radius = radius;
      put(out, 'square.json', JSON.stringify(manifest));
      const served = await view(out);
      const opened = await openPage(browser, `${served.url}#camera=0,3,0.1,0,0,0&view=sharpness`, {
        width: 900,
        height: 400,
      });
      const [download] = await Promise.all([opened.page.waitForEvent('download'), opened.page.click('#picture')]);
      const { data: pixels, info } = await sharp(await download.path())
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
      colors.push([...pixels.subarray(middle, middle + 3)]);
      expect(opened.said).toEqual([]);
      await opened.page.close();
      await served.close();
    }
    const [one, quarter, four] = colors;
    expect(one[1]).toBeGreaterThan(200);
    expect(Math.max(one[0], one[2])).toBeLessThan(40);
    expect(quarter[2]).toBeGreaterThan(200);
    expect(four[0]).toBeGreaterThan(200);
  });
});
