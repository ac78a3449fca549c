// No streamed set has a hole: 24 cameras around and in the sample town, a covered arcade, and a town of real parts where those
// are there. Cooked with the options that a user gets without asking, and with the cache that all tests share.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arcade } from '../../samples/arcade.ts';
import { writeGlb } from '../../samples/gltf.ts';
import { townGlb } from '../../samples/kaykit.ts';
import { cook } from '../../src/index.ts';
import { temporaryFolder } from '../support/files.ts';
import { holesOf } from './holes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PARTS = resolve(ROOT, '../shared/assets/gltf/kaykit-city/gltf');

/** Milliseconds for a cook with levels and 24 pictures on a machine that is busy. */
const BUSY = 600_000;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Cooks a source, and looks at it from everywhere. */
async function expectNoHoles(source: string, name: string, options: NonNullable<Parameters<typeof cook>[1]>) {
  const cacheDir = process.env.UNTOLD_CACHE_DIR;
  const { exitCode, results } = await cook(source, {
    root: ROOT,
    jobs: 1,
    cacheDir,
    ...options,
    out: join(folder, name),
  });
  expect([exitCode, results[0].totals?.streamed]).toMatchObject([0, { cameras: 12, largestHole: expect.any(Number) }]);
  const stem = results[0].outputs.find(({ path }) => path.endsWith('.json'))?.path as string;
  const holes = await holesOf(stem);
  expect(holes).toHaveLength(24);
  expect(holes.filter(({ pixels }) => pixels > 4)).toEqual([]);
}

test(
  "the README's town has no holes",
  () => expectNoHoles(join(ROOT, 'samples/usda/town.usda'), 'town', { pipeline: 'outdoor' }),
  BUSY,
);

// In cells of 25 m some tiles have no levels, and their instances are part of the HLOD of their cluster: with HLODs alone as well.
test.each([
  { hlodLevels: 2, tileSize: 50 },
  { hlodLevels: 4, tileSize: 25, lod: [] },
])(
  'the town in clusters of $hlodLevels levels over cells of $tileSize m has no holes',
  (options) => expectNoHoles(join(ROOT, 'samples/usda/town.usda'), `clusters-${options.hlodLevels}`, options),
  BUSY,
);

describe('a covered arcade has no holes', () => {
  test.each(['grid', 'quadtree', 'kdtree'] as const)(
    'cut as a %s',
    async (partition) => {
      const source = join(folder, 'arcade.glb');
      writeFileSync(source, writeGlb(arcade(10)));
      await expectNoHoles(source, partition, { root: folder, partition });
    },
    BUSY,
  );
});

test.skipIf(!existsSync(PARTS))(
  'a town of real parts has no holes',
  async () => {
    // Two blocks along each side have all kinds of parts, in tiles with levels and with HLODs.
    const source = join(folder, 'kaykit.glb');
    writeFileSync(source, await townGlb(PARTS, 7, 2));
    await expectNoHoles(source, 'kaykit', { root: folder });
  },
  BUSY,
);
