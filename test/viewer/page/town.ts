// The sample town as the tests of the page show it.

import { resolve } from 'node:path';
import { expect } from 'vitest';
import { cook } from '../../../src/index.ts';

const TOWN = resolve(import.meta.dirname, '../../../samples/usda/town.usda');

/** Cooks the town once in a run of tests, and from the cache afterwards. Radii so small that a flight over 240 m loads and unloads. */
export async function cookTown(out: string): Promise<void> {
  const { exitCode } = await cook(TOWN, {
    out,
    tileSize: 40,
    lodCheck: 'geometry',
    jobs: 1,
    tierRadius: ['StructuralInterior=40,75', 'ExteriorShell=60,90'],
    ...(process.env.UNTOLD_CACHE_DIR && { cacheDir: process.env.UNTOLD_CACHE_DIR }),
  });
  expect(exitCode).toBe(0);
}
