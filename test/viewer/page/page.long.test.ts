// The page of `untold view` in a browser: what it draws, loads, names and refuses.

import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import type { SkinnedMesh } from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { GEOMETRY_SHARE, MIN_MEMORY } from '../../../src/engine/loading.ts';
import { tilesOf } from '../../../src/formats/manifest/tiles.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { cook, inspect, view } from '../../../src/index.ts';
import { openDrawing } from '../../../src/library/render/drawing.ts';
import { SKY } from '../../../src/raster/background.ts';
import { orbitCamera } from '../../../src/raster/camera.ts';
import { compareBytes } from '../../../src/raster/metrics.ts';
import { render as drawJudged, type Picture } from '../../../src/raster/render.ts';
import { buildRasterScene } from '../../../src/raster/scene.ts';
import { boundsOfPoints, unite } from '../../../src/scene/bounds.ts';
import type { Bounds, Vec3 } from '../../../src/scene/types.ts';
import { fly, placeAt } from '../../../src/viewer/streaming/flight.ts';
import { StreamLoader } from '../../../src/viewer/streaming/loader.ts';
import { enginePose } from '../../animation/engine.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { squareGltf } from '../../support/squareGltf.ts';
import { ABSENT, CHROMIUM, launch, type Opened, openPage, settled } from './browser.ts';
import { bundled } from './inPage.ts';
import { cookTown } from './town.ts';

const samples = resolve(import.meta.dirname, '../../../samples');

if (CHROMIUM === null) test.skip(ABSENT, () => {});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let folder: string;
  let browser: Browser;
  const stops: (() => Promise<void>)[] = [];

  /** Serves a set and gives its address. */
  const served = async (path: string): Promise<string> => {
    const { url, close, diagnostics } = await view(path);
    expect([url !== null, diagnostics]).toEqual([true, []]);
    stops.push(close);
    return url!;
  };

  /** Pages by the paths of what they show. To open one takes seconds, so that tests share it. */
  const pages = new Map<string, Promise<Opened>>();
  function pageOf(path: string): Promise<Opened> {
    const opened = pages.get(path) ?? served(join(folder, path)).then((url) => openPage(browser, url, { height: 420 }));
    pages.set(path, opened);
    return opened;
  }

  beforeAll(async () => {
    folder = temporaryFolder();
    browser = await launch();
    await cookTown(join(folder, 'town'));
    const court = await cook(join(samples, 'glb/courtyard.glb'), { out: join(folder, 'court.untold') });
    expect(court.exitCode).toBe(0);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the page has on the stage of each tile. */
  const stagedOf = (page: Page) => page.evaluate(() => untoldViewer!.paths);

  test('the town is shown: every tile is drawn, and nothing is said', async () => {
    const { page, said } = await pageOf('town');
    const manifest = JSON.parse(readFileSync(join(folder, 'town/town.json'), 'utf8'));
    const { tiles } = tilesOf(manifest);
    expect(await stagedOf(page)).toEqual(tiles.map(({ full }) => full));
    // From far above all of it is in view: as many triangles are drawn as the files have.
    let triangles = 0;
    for (const { full } of tiles) {
      const { document } = await inspect(join(folder, 'town', full));
      triangles += (document as { totals: { triangles: number } }).totals.triangles;
    }
    await page.evaluate(() => {
      untoldViewer!.rig.place([0, 400, 1], [0, 0, 0]);
    });
    await settled(page);
    expect(await page.evaluate(() => untoldViewer!.stage.counts.triangles)).toBe(triangles);
    expect(await page.textContent('#name')).toBe((await (await fetch(new URL('view.json', page.url()))).json()).name);
    expect(said).toEqual([]);
  });

  test('a flight loads and drops what the simulation in Node predicts', async () => {
    const size = { width: 480, height: 320 };
    const { page, said } = await openPage(browser, await served(join(folder, 'town')), size);
    const manifest = JSON.parse(readFileSync(join(folder, 'town/town.json'), 'utf8'));
    const { tiles } = tilesOf(manifest);
    const sizes = (await page.evaluate(() => untoldViewer!.set.description.bytes)) as Record<string, number>;
    const { tanY, aspect } = await page.evaluate(() => {
      const { tanX, tanY } = untoldViewer!.eye();
      return { tanY, aspect: tanX / tanY };
    });
    const path = [
      { time: 0, position: [-160, 12, 150] as Vec3, target: [0, 0, 0] as Vec3 },
      { time: 12, position: [0, 12, 20] as Vec3, target: [100, 0, -100] as Vec3 },
      { time: 24, position: [150, 12, -140] as Vec3, target: [250, 0, -250] as Vec3 },
      { time: 30, position: [150, 12, -140] as Vec3, target: [0, 0, 0] as Vec3 },
    ];
    const step = 0.5;
    const loader = new StreamLoader(tiles, {
      connection: { delay: 0.005, rate: 500e6 },
      budget: GEOMETRY_SHARE * MIN_MEMORY,
      fileBytes: (file) => sizes[file],
    });
    const predicted = fly(loader, path, step, { tanY, aspect });
    // The flight is one in which something happens.
    const all = predicted.map(({ shown }) => [...shown].join(' '));
    expect(new Set(all).size).toBeGreaterThan(8);
    expect(predicted.some(({ shown }) => shown.some((index) => index > 0))).toBe(true);

    await page.evaluate(() => {
      untoldViewer!.isPaused = true;
      untoldViewer!.mode = 'streamed';
    });
    const places = predicted.map((_, i) => placeAt(path, (i + 1) * step));
    /** The page goes from one look at the stage to the next in one go, in which it draws nothing. */
    const LOOK = 12;
    for (let from = 0; from < predicted.length; from += LOOK) {
      const states = predicted.slice(from, from + LOOK);
      const seen = await page.evaluate(
        ([steps, seconds]) =>
          steps.map(({ position, target }) => {
            untoldViewer!.rig.place(position, target);
            untoldViewer!.advance(seconds);
            const { shown, loaded, loading, residentBytes } = untoldViewer!.state!;
            return { shown: [...shown], loaded: [...loaded], loading: [...loading], residentBytes };
          }),
        [places.slice(from, from + LOOK), step] as const,
      );
      expect([from, seen]).toEqual([
        from,
        states.map(({ shown, loaded, loading, residentBytes }) => ({
          shown: [...shown],
          loaded: [...loaded],
          loading: [...loading],
          residentBytes,
        })),
      ]);
      await settled(page);
      const paths = [...states[states.length - 1].shown].map((index, tile) =>
        index < 0 ? null : loader.path(tile, index),
      );
      expect(await stagedOf(page)).toEqual(paths);
    }
    // What is not shown any more is not kept: payloads in memory are those of the last state.
    const held = await page.evaluate(() => untoldViewer!.payloads.loaded.map(({ path: file }) => file).sort());
    const last = predicted[predicted.length - 1];
    const expected = tiles.flatMap((_, tile) =>
      [0, 1, 2, 3].flatMap((bit) => ((last.loaded[tile] >>> bit) & 1 ? [loader.path(tile, bit)] : [])),
    );
    expect(held).toEqual([...new Set(expected)].sort());
    // A moment of the record is shown again.
    const again = await page.evaluate(() => {
      const { moments } = untoldViewer!.streamer;
      untoldViewer!.moment = 20;
      return [[...untoldViewer!.state!.shown], [...moments[20].state.shown], moments.length] as const;
    });
    expect(again[0]).toEqual(again[1]);
    expect(again[2]).toBe(predicted.length);
    expect(said).toEqual([]);
    await page.close();
  });

  test('a click names the entity, its material and tile; hostile names are text', async () => {
    const name = '<script>alert(1)</script><img src=x onerror=alert(2)>';
    const gltf = JSON.parse(squareGltf({ size: 4 }));
    gltf.nodes[0].name = `NM_${name}`;
    gltf.materials[0].name = name;
    const file = put(folder, 'hostile.gltf', JSON.stringify(gltf));
    expect((await cook(file, { out: join(folder, 'hostile') })).exitCode).toBe(0);
    const { page, said } = await openPage(browser, await served(join(folder, 'hostile')));
    const box = (await page.locator('#canvas').boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('#panel-selection dd').first().waitFor();
    const terms = await page.locator('#panel-selection dd').allTextContents();
    expect(terms[0]).toBe(`NM_${name}`);
    expect(terms).toContain('tile_0_0_0, full');
    expect(terms).toContain(name);
    expect(await page.locator('#panel-selection').isVisible()).toBe(true);
    expect(await page.locator('#panel-selection script, #panel-selection img').count()).toBe(0);
    // Beside it there is nothing.
    await page.mouse.click(box.x + 4, box.y + 4);
    await page.waitForFunction(() => untoldViewer!.selection === null);
    expect(said).toEqual([]);
    await page.close();
  });

  test('keys work: views, cameras and tabs', async () => {
    const { page, said } = await pageOf('court.untold');
    await page.locator('#canvas').focus();
    await page.keyboard.press('v');
    expect(await page.locator('#view').inputValue()).toBe('plain');
    await page.keyboard.press('g');
    expect(await page.locator('input[value="fly"]').isChecked()).toBe(true);
    const before = await page.evaluate(() => untoldViewer!.stage.camera.position.toArray());
    await page.keyboard.down('KeyW');
    await page.waitForFunction(([x]) => Math.abs(untoldViewer!.stage.camera.position.x - x) > 0.01, before);
    await page.keyboard.up('KeyW');
    await page.keyboard.press('f');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => untoldViewer!.selection === null)).toBe(false);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => untoldViewer!.selection)).toBe(null);
    await page.locator('#tab-selection').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#tab-messages').getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('#panel-messages').isVisible()).toBe(true);
    // Each view draws without an error of a shader.
    for (const view of ['base', 'normals', 'uv', 'density', 'sharpness', 'overdraw', 'wireframe', 'deviation', 'lit']) {
      await page.locator('#view').selectOption(view);
      await settled(page);
    }
    expect(said).toEqual([]);
  });

  /** Where every vertex is, as the page has handed joints and weights to the GPU. */
  const vertices = (page: Page): Promise<number[]> =>
    page.evaluate(() => {
      const [{ group }] = untoldViewer!.payloads.loaded;
      return (group.children as SkinnedMesh[]).flatMap((mesh) => {
        const place = mesh.position.clone();
        const { count } = mesh.geometry.getAttribute('position');
        return Array.from({ length: count }, (_, v) => mesh.getVertexPosition(v, place).toArray()).flat();
      });
    });

  /** The greatest distance of coordinates. */
  const apart = (a: readonly number[], b: readonly number[]) =>
    a.reduce((max, value, i) => Math.max(max, Math.abs(value - b[i])), a.length === b.length ? 0 : Infinity);

  let opened: Page;
  test('a character moves as the engine poses it, and as three.js’s own mixer does', async () => {
    const sprout = join(folder, 'sprout/sprout.untold');
    expect((await cook(join(samples, 'glb/sprout.glb'), { out: sprout })).exitCode).toBe(0);
    const scene = await readUntold(new Uint8Array(readFileSync(sprout)), sprout);
    const clipFile = join(folder, 'sprout/Animations/Walk/Walk.untoldanim');
    const [walk] = (await readUntold(new Uint8Array(readFileSync(clipFile)), clipFile)).clips!;
    const { page, said } = await openPage(browser, await served(sprout), { height: 420, bypassCSP: true });
    opened = page;
    expect(await page.locator('#clip option').allTextContents()).toEqual(['None (as stored)', 'Walk', 'Wave']);
    // Before a clip plays nothing has moved, and there is nothing to play.
    expect(apart(await vertices(page), enginePose(scene, null, 0).flat())).toBeLessThan(1e-6);
    expect(await page.locator('#play').isDisabled()).toBe(true);
    const { bounds } = await page.evaluate(() => ({ bounds: untoldViewer!.bounds }));
    expect(apart([...bounds.min, ...bounds.max], [...scene.worldBounds.min, ...scene.worldBounds.max])).toBeLessThan(
      1e-6,
    );

    await page.selectOption('#clip', { label: 'Walk' });
    await page.waitForFunction(() => untoldViewer!.player.isPlaying && untoldViewer!.player.seconds > 0.05);
    const early = await vertices(page);
    const before = await page.evaluate(() => untoldViewer!.player.seconds);
    await page.waitForFunction((from) => Math.abs(untoldViewer!.player.seconds - from) > 0.1, before);
    expect(apart(early, await vertices(page))).toBeGreaterThan(0.005);
    // Paused by the keyboard it stands still.
    await page.locator('#canvas').focus();
    await page.keyboard.press('p');
    expect(await page.textContent('#play')).toBe('Play');
    const still = await page.evaluate(() => untoldViewer!.player.seconds);
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => untoldViewer!.player.seconds)).toBe(still);

    await page.evaluate(await bundled());
    const glb = readFileSync(join(samples, 'glb/sprout.glb')).toString('base64');
    const pictures: Pixels[] = [];
    for (const seconds of [0, 0.25, 0.61]) {
      await page.locator('#clip-time').fill(String(seconds));
      expect(await page.evaluate(() => untoldViewer!.player.seconds)).toBe(seconds);
      expect(apart(await vertices(page), enginePose(scene, walk, seconds).flat())).toBeLessThan(1e-5);
      const { width, height, own, other } = await page.evaluate(
        async ([bytes, at]) => {
          untoldViewer!.rig.place([0.65, 0.75, 1.6], [0, 0.62, 0]);
          const { width, height } = untoldViewer!.stage.renderer.domElement;
          const own = pixelsOf(untoldViewer!.stage);
          const other = await gltfPicture(untoldViewer!, bytes, { clip: 'Walk', seconds: at });
          return { width, height, own, other };
        },
        [glb, seconds] as const,
      );
      pictures.push(rgb(own, width, height));
      expect(similarity(pictures.at(-1)!, rgb(other, width, height))).toBeGreaterThan(0.98);
    }
    expect(similarity(pictures[0], pictures[1])).toBeLessThan(0.98);

    // A thirtieth of a second on, joints, and every view with both.
    await page.locator('#canvas').focus();
    await page.keyboard.press('.');
    expect(await page.evaluate(() => untoldViewer!.player.seconds)).toBeCloseTo(0.61 + 1 / 30, 9);
    await page.keyboard.press('j');
    expect(await page.getAttribute('text=Joints', 'aria-pressed')).toBe('true');
    for (const view of ['plain', 'normals', 'wireframe', 'deviation', 'lit']) {
      await page.locator('#view').selectOption(view);
      await settled(page);
    }
    await page.selectOption('#clip', '-1');
    expect(apart(await vertices(page), enginePose(scene, null, 0).flat())).toBeLessThan(1e-6);
    // The test brings a three.js of its own.
    expect(said.filter((text) => !text.includes('Multiple instances of Three.js'))).toEqual([]);
  });

  test('whoever wants little motion gets the first pose of a clip, and plays it by hand', async () => {
    const page = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.selectOption('#clip', { label: 'Wave' });
    await page.waitForFunction(() => untoldViewer!.player.duration === 2);
    expect(await page.evaluate(() => [untoldViewer!.player.isPlaying, untoldViewer!.player.seconds])).toEqual([
      false,
      0,
    ]);
    await page.click('#play');
    await page.waitForFunction(() => untoldViewer!.player.seconds > 0);
    await page.close();
  });

  /** The picture of the page without what lies over it: its lower part. */
  async function lowerPart(page: Page): Promise<Pixels> {
    await page.waitForFunction(() => untoldViewer!.isSettled && untoldViewer!.isDrawn);
    // The picture reaches the screen with the next frames.
    await page.waitForTimeout(300);
    const { data, info } = await sharp(await page.locator('#canvas').screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const top = 60;
    const size = info.width * 3;
    return { width: info.width, height: info.height - top, rgb: new Uint8Array(data.subarray(top * size)) };
  }

  /** The columns from `from` to `to` of a picture. */
  function columns({ width, height, rgb }: Pixels, from: number, to: number): Pixels {
    const out = new Uint8Array((to - from) * height * 3);
    for (let y = 0; y < height; y++) {
      out.set(rgb.subarray((y * width + from) * 3, (y * width + to) * 3), y * (to - from) * 3);
    }
    return { width: to - from, height, rgb: out };
  }

  test('two levels, and two outputs, stand left and right of a divider that the keyboard moves', async () => {
    const near = () => {
      untoldViewer!.rig.place([0, 30, 60], [0, 0, 0]);
    };
    const pictures: Pixels[] = [];
    const { page, said } = await pageOf('town');
    await page.evaluate(near);
    for (const mode of ['full', 'hlod']) {
      await page.selectOption('#show', mode);
      pictures.push(await lowerPart(page));
    }
    const [full, hlod] = pictures;
    // There is something to tell them apart by on both sides.
    const half = full.width / 2;
    for (const [from, to] of [
      [0, half],
      [half, full.width],
    ]) {
      expect(similarity(columns(full, from, to), columns(hlod, from, to))).toBeLessThan(1);
    }

    await page.selectOption('#show', 'full');
    await page.selectOption('#compare', 'hlod');
    const check = async (share: number) => {
      const picture = await lowerPart(page);
      const at = Math.round(picture.width * share);
      const sides = [[0, at - 10] as const, [at + 10, picture.width] as const];
      for (const [i, [from, to]] of sides.entries()) {
        expect([share, i, similarity(columns(picture, from, to), columns(pictures[i], from, to))]).toEqual([
          share,
          i,
          1,
        ]);
      }
    };
    await check(0.5);
    expect(await page.textContent('#side-b')).toBe('B: HLOD');
    await page.focus('#divider');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.getAttribute('#divider', 'aria-valuenow')).toBe('62');
    await check(0.62);
    await page.selectOption('#compare', '');
    expect(await page.isVisible('#divider')).toBe(false);
    expect(similarity(await lowerPart(page), full)).toBe(1);
    expect(said).toEqual([]);

    const result = await view(join(folder, 'court.untold'), { against: join(folder, 'town') });
    stops.push(result.close);
    const two = await openPage(browser, result.url ?? '', { height: 200 });
    expect(await two.page.textContent('#side-b')).toBe('B: town/town.json: Full detail');
    expect(two.said).toEqual([]);
    await two.page.close();
  });

  test('a level is coloured by its distance from full detail', async () => {
    const { page, said } = await pageOf('town');
    await page.selectOption('#show', 'full');
    await page.selectOption('#view', 'deviation');
    await page.evaluate(() => {
      untoldViewer!.rig.place([0, 30, 60], [0, 0, 0]);
    });
    /** Pixels that are blue alone: at most a millimetre away; and others that are drawn. */
    const counted = ({ rgb: pixels }: Pixels) => {
      let [near, other] = [0, 0];
      for (let at = 0; at < pixels.length; at += 3) {
        const [r, g, b] = pixels.subarray(at, at + 3);
        if (b > 60 && r < 30 && g < 30) near++;
        else if (Math.max(r, g, b) > 60) other++;
      }
      return { near, other };
    };
    const same = counted(await lowerPart(page));
    expect(same.near).toBeGreaterThan(2500);
    await page.selectOption('#show', 'hlod');
    const level = counted(await lowerPart(page));
    expect(level.other).toBeGreaterThan(same.other + 250);
    expect(level.near).toBeLessThan(same.near - 250);
    expect(said).toEqual([]);
  });

  test('another origin gets nothing, and no path leads outside', async () => {
    const own = await pageOf('court.untold');
    const url = new URL('.', own.page.url()).href;
    const foreign = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'));
    await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done));
    const page = await (await browser.newContext()).newPage();
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    const got = await page.evaluate(async (address) => {
      const read = await fetch(`${address}view.json`).then(
        (response) => response.status,
        () => 'refused',
      );
      const image = await new Promise((done) => {
        const made = document.createElement('img');
        made.onload = () => done('loaded');
        made.onerror = () => done('refused');
        made.src = `${address}icon.svg`;
      });
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
      await new Promise((done) => frame.addEventListener('load', done));
      return [read, image, frame.contentDocument?.title ?? 'another'];
    }, url);
    expect(got).toEqual(['refused', 'refused', 'another']);
    const statuses = await own.page.evaluate(async () => {
      const paths = ['set/%2e%2e%2fsecret.png', 'set/..%5cx.png', '../view.json', 'set/court.gltf'];
      return Promise.all(paths.map(async (path) => (await fetch(path)).status));
    });
    expect(statuses).toEqual([403, 403, 404, 404]);
    // An address that belongs to nobody here is not even asked.
    const blocked = await own.page.evaluate(() =>
      fetch('https://example.org/').then(
        () => 'open',
        () => 'blocked',
      ),
    );
    expect(blocked).toBe('blocked');
    await page.close();
    foreign.close();
  });

  /** What the canvas of a page shows. */
  async function canvasOf(page: Page): Promise<Pixels> {
    await settled(page);
    const { width, height, own } = await page.evaluate(() => {
      const { width, height } = untoldViewer!.stage.renderer.domElement;
      return { width, height, own: pixelsOf(untoldViewer!.stage) };
    });
    return rgb(own, width, height);
  }

  describe('beside other pictures', () => {
    let court: Page;
    beforeAll(async () => {
      const url = await served(join(folder, 'court.untold'));
      court = (await openPage(browser, url, { height: 420, bypassCSP: true, scale: 1 })).page;
      await court.evaluate(await bundled());
    });
    afterAll(() => court?.close());

    test('without blocks on the GPU, textures are decoded to the same picture', async () => {
      // A browser without ASTC has one picture only.
      if (!(await court.evaluate(() => untoldViewer!.textures.takesBlocks))) return;
      const { page } = await openPage(browser, court.url(), {
        height: 420,
        scale: 1,
        before: () => {
          const get = WebGL2RenderingContext.prototype.getExtension as (name: string) => unknown;
          const without = (name: string) => !name.includes('astc');
          Object.assign(WebGL2RenderingContext.prototype, {
            getExtension(this: WebGL2RenderingContext, name: string) {
              return without(name) ? get.call(this, name) : null;
            },
          });
        },
      });
      expect(await page.evaluate(() => untoldViewer!.textures.takesBlocks)).toBe(false);
      await page.evaluate(await bundled());
      expect(similarity(await canvasOf(page), await canvasOf(court))).toBeGreaterThan(0.99);
      await page.close();
    });

    test('the GLB sample looks as three.js’s own loader shows it', async () => {
      const own = await canvasOf(court);
      const glb = readFileSync(join(samples, 'glb/courtyard.glb')).toString('base64');
      const other = await court.evaluate((bytes) => gltfPicture(untoldViewer!, bytes), glb);
      expect(similarity(own, rgb(other, own.width, own.height))).toBeGreaterThanOrEqual(0.98);
    });

    test.each(['court.untold', 'town'])('in plain light %s looks as it does to who judges levels', async (name) => {
      const page = name === 'town' ? (await pageOf(name)).page : court;
      await page.evaluate(await bundled());
      await page.selectOption('#show', 'full');
      await page.evaluate(() => {
        untoldViewer!.view = 'plain';
        untoldViewer!.frame();
      });
      const own = await canvasOf(page);
      const { rgb } = await judged(join(folder, name), own.width, own.height);
      const ssim = similarity(await third(own), await third({ ...own, rgb }));
      expect(ssim).toBeGreaterThanOrEqual(0.95);
    });
  });
});

/** The full detail of a file, drawn by the renderer that judges levels, from where the page frames it. */
async function judged(path: string, width: number, height: number): Promise<Picture> {
  const morphs = { weights: new Map(), found: new Set<string>() };
  const { set, meshes: meshesOf } = await openDrawing(
    path,
    path,
    resolve('.'),
    new Diagnostics(),
    morphs,
    undefined,
    true,
  );
  const meshes = (await Promise.all(set.tiles.map(({ full }) => meshesOf(full)))).flat();
  const bounds =
    set.bounds ?? meshes.reduce<Bounds | null>((sum, mesh) => unite(sum, boundsOfPoints(mesh.positions)), null);
  return drawJudged(buildRasterScene(meshes), orbitCamera(bounds!, width, height), { samples: 3, background: SKY });
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** A picture with a third of the pixels along each side: textures are filtered in other ways, which shows from pixel to pixel alone. */
async function third({ width, height, rgb }: Pixels): Promise<Pixels> {
  const [w, h] = [Math.floor(width / 3), Math.floor(height / 3)];
  const small = sharp(rgb, { raw: { width, height, channels: 3 } }).resize(w, h, { fit: 'fill' });
  return { width: w, height: h, rgb: new Uint8Array(await small.raw().toBuffer()) };
}

/** RGB rows from the top. */
function rgb(text: string, width: number, height: number): Pixels {
  const rgba = Buffer.from(text, 'base64');
  const out = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      const at = ((height - 1 - y) * width + x) * 4;
      out.set(rgba.subarray(at, at + 3), to);
    }
  }
  return { width, height, rgb: out };
}

/** The structural similarity over the whole picture. */
function similarity(a: Pixels, b: Pixels): number {
  const coverage = new Uint8Array(a.width * a.height).fill(255);
  return compareBytes({ ...a, coverage }, { ...b, coverage }).ssim;
}
