// --viewer-zone, --portal and --no-keep-shadows through the command line and the library.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook as cookLibrary } from '../../src/index.ts';
import { box, rectangles, sceneOf } from '../cook/zoneScenes.ts';
import { buildGlb } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';

let folder: string;

/** Pictures for their eyes take milliseconds. */
const DEVICES = {
  blurred: { 'pixels-per-degree': 2 },
  small: { 'pixels-per-degree': 2, triangles: 20 },
};

/** Near: the eyes' side of a wall; Far: the other one. Two tiles of 25 m on the eyes' side. */
beforeAll(() => {
  folder = temporaryFolder();
  const wall = rectangles([
    [-60, 0, -9],
    [60, 0, -9],
    [60, 30, -9],
    [-60, 30, -9],
  ]);
  const objects = {
    Near: { shape: box([-3, 0, -6], [-2, 1, -5]) },
    Right: { shape: box([30, 0, -6], [31, 1, -5]) },
    Wall: { shape: wall },
    Far: { shape: box([-1, 0, -20], [1, 2, -19]) },
    untold_viewer_window: {
      shape: rectangles([
        [-3, 0, -2],
        [-1, 0, -2],
        [-1, 2, -2],
        [-3, 2, -2],
      ]),
    },
  };
  put(folder, 'town.glb', buildGlb(sceneOf(objects)));
  put(folder, 'eye.json', '[[0, 1.5, 0]]');
  put(folder, 'untold.config.json', JSON.stringify({ devices: DEVICES }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, ['cook', ...args]);
const zoneOf = (stdout: string) => JSON.parse(stdout).results[0].totals.zone;
/** Of each object the triangles that stay. */
const keptOf = (stdout: string): number[] => zoneOf(stdout).objects.map(({ kept }: { kept: number }) => kept);

describe('a cook for an eye', () => {
  const EYE = ['town.glb', '--viewer-zone', 'points:eye.json'];
  const KEPT = [...EYE, '--cache-dir', 'cache', '--device', 'blurred', '--json', '-v', '--out', 'one.untold'];
  const FRESH = [...EYE, '--no-cache', '--device', 'blurred'];

  test('says what is seen, writes it, and finds it again', async () => {
    const first = await run(...KEPT);
    expect(first.code).toBe(0);
    expect(first.stderr).toContain(' of 40 triangles');
    expect(zoneOf(first.stdout)).toMatchObject({ eyes: 1, rounds: 2, error: 0.5, whole: 0, casters: 0 });
    expect(keptOf(first.stdout)).toEqual([12, 12, 2, 0, 2]);
    const bytes = contents(folder)['one.untold'];
    // The second cook looks from nowhere: all is found in the cache.
    const second = await run(...KEPT);
    expect(JSON.parse(second.stdout).run).toMatchObject({ cooked: 0, upToDate: 1 });
    expect(zoneOf(second.stdout)).toEqual(zoneOf(first.stdout));
    expect(second.stderr).toContain(' of 40 triangles');
    expect(contents(folder)['one.untold']).toBe(bytes);
    // Another eye is another cook, and so are sharper eyes.
    put(folder, 'eye.json', '[[0, 1.5, 0.5]]');
    expect(JSON.parse((await run(...KEPT)).stdout).run).toMatchObject({ cooked: 1, upToDate: 0 });
    put(folder, 'eye.json', '[[0, 1.5, 0]]');
    put(folder, 'untold.config.json', JSON.stringify({ devices: { blurred: { 'pixels-per-degree': 3 } } }));
    expect(JSON.parse((await run(...KEPT)).stdout).run).toMatchObject({ cooked: 1, upToDate: 0 });
    put(folder, 'untold.config.json', JSON.stringify({ devices: DEVICES }));
  });

  test('a device says what fits: UC2283', async () => {
    const { code, stderr, stdout } = await run(...FRESH, '--device', 'small', '--out', 'small.untold', '--json');
    expect(code).toBe(0);
    // Boxes and rectangles have no triangle to give.
    expect(stderr).toContain(
      'UC2283 town.glb: surfaces were simplified up to 7.3 pixels, so that 28 triangles are left, still more than the device',
    );
    expect(zoneOf(stdout).error).toBeCloseTo(7.28, 2);
  });

  test('through a window sees what lies behind it', async () => {
    const { code, stdout } = await run(
      ...EYE,
      '--portal',
      'prim:/untold_viewer_window',
      '--no-keep-shadows',
      '--device',
      'vision-pro',
      '--out',
      'window.untold',
      '--json',
    );
    expect(code).toBe(0);
    const [near, right, wall, far] = keptOf(stdout);
    // Of the box, some triangles stand in the window; the wall is one rectangle and stays as a whole.
    expect([near > 6, right, wall, far]).toEqual([true, 0, 2, 0]);
  });

  test('in two parts is the set that one cook writes, and a pack has the same', async () => {
    const SET = [...FRESH, '--tile-size', '25'];
    const tiles = await run(...SET, '--out', 'tiles', '--json');
    expect(tiles.code).toBe(0);
    for (const part of [0, 1]) expect((await run(...SET, '--out', `p${part}`, '--shard', `${part}/2`)).code).toBe(0);
    const merged = await untold(folder, ['merge', 'p0', 'p1', '--out', 'merged', '--json']);
    expect(merged.code).toBe(0);
    // All figures of the cook but for the pictures, which are drawn where all of the set is.
    const { pictures: _, ...proof } = zoneOf(tiles.stdout).proof;
    expect(JSON.parse(merged.stdout).sets[0].totals.zone).toEqual({ ...zoneOf(tiles.stdout), proof });
    expect(merged.stderr).toContain(' of 40 triangles');
    expect(contents(join(folder, 'merged'))).toEqual(contents(join(folder, 'tiles')));
    const pack = await run(...FRESH, '--out', 'town.untoldpack', '--json');
    expect(pack.code).toBe(0);
    expect(JSON.parse(pack.stdout).totals.trianglesOut).toBe(28);
    expect((await untold(folder, ['validate', 'tiles', 'town.untoldpack'])).code).toBe(0);
  });

  test('is a function of the library', async () => {
    const options = { viewerZone: [`points:${join(folder, 'eye.json')}`], out: join(folder, 'library.untold') };
    const { exitCode, results } = await cookLibrary(join(folder, 'town.glb'), options);
    expect(exitCode).toBe(0);
    expect(results[0].totals?.zone).toMatchObject({ eyes: 1, trianglesAfter: 28 });
  });
});

describe('what is refused', () => {
  const bad = async (...args: string[]) => {
    const { code, stderr } = await run('town.glb', '--out', 'bad.untold', '--no-cache', ...args);
    return [code, stderr];
  };

  test.each([
    ['box:0,0,0,1,1', 'a box takes six numbers'],
    ['box:0,0,0,1,1,x', 'a box takes six numbers'],
    ['box:0,0,0,1,1,', 'a box takes six numbers'],
    ['box:0,0,0,1,1,1e9', 'a box takes six numbers'],
    ['seats', 'it is none of the three kinds'],
    ['prim:', 'it is none of the three kinds'],
  ])('UC1003: %s', async (zone, why) => {
    const [code, stderr] = await bad('--viewer-zone', zone);
    expect(code).toBe(2);
    expect(stderr).toMatch(/UC1003/);
    expect(stderr).toContain(why);
  });

  test.each([
    ['{', 'it is no JSON', ''],
    ['[]', 'it is no list of 1 to 10000 places', ''],
    ['{"a": 1}', 'it is no list of 1 to 10000 places', ''],
    ['[[0, 1, 2], [0, 1]]', 'it is no [x, y, z] or [x, y, z, radius] of metres', '[1]'],
    ['[[0, 1, 2, -1]]', 'it is no [x, y, z] or [x, y, z, radius] of metres', '[0]'],
    ['[[0, 1, null]]', 'it is no [x, y, z] or [x, y, z, radius] of metres', '[0]'],
    ['[[0, 1, 1e400]]', 'it is no [x, y, z] or [x, y, z, radius] of metres', '[0]'],
    ['[["0", 1, 2]]', 'it is no [x, y, z] or [x, y, z, radius] of metres', '[0]'],
  ])('UC2282: a file of %s', async (text, why, at) => {
    put(folder, 'places.json', text);
    const [code, stderr] = await bad('--viewer-zone', 'points:places.json');
    expect(code).toBe(2);
    expect(stderr).toContain(`UC2282 places.json${at && ` ${at}`}: ${why}`);
  });

  test('UC1200: a file that is not there', async () => {
    const [code, stderr] = await bad('--viewer-zone', 'points:nowhere.json');
    expect(code).not.toBe(0);
    expect(stderr).toContain('UC1200');
  });

  test('UC1012: windows and shadows without a zone', async () => {
    expect((await bad('--portal', 'prim:/Near')).join()).toMatch(/^2,.*UC1012 --portal: there is no --viewer-zone/s);
    expect((await bad('--no-keep-shadows')).join()).toMatch(
      /^2,.*UC1012 --no-keep-shadows: there is no --viewer-zone/s,
    );
  });

  test('UC1003: a window that is no prim', async () => {
    const [code, stderr] = await bad('--viewer-zone', 'box:0,0,0,1,1,1', '--portal', '/Near');
    expect([code, /UC1003.*a window is prim:\/PATH/.test(String(stderr))]).toEqual([2, true]);
  });

  test('UC2281: a prim that is not there', async () => {
    const [code, stderr] = await bad('--viewer-zone', 'prim:/Seats');
    expect([code, String(stderr).includes('UC2281 town.glb --viewer-zone: there is no /Seats')]).toEqual([1, true]);
  });
});
