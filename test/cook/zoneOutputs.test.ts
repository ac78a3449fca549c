// Scenes for the eyes of a zone, in every kind of output and on any number of threads.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { buildGlb } from '../importers/gltf/build.ts';
import { contents } from '../support/files.ts';
import { around, box, grid, type Placed, sceneOf, zone } from './zoneScenes.ts';

const folder = mkdtempSync(join(tmpdir(), 'untold-zone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Eyes in front of a wall: a post stands on this side, two beyond it in tiles of their own. */
const SEATED = zone({ boxes: [around([0, 1.5, 0])], pixelsPerDegree: 1 });
const post = (x: number, more: object = {}): Placed => ({ shape: box([x, 0, -0.2], [x + 0.4, 2, 0.2]), node: more });
const tagged = { extras: { untold_semantic_override: 'FineProps' } };
const WALL: Placed = { shape: box([5, -50, -50], [5.2, 50, 50]) };

beforeAll(() => {
  const scene = { Near: post(3), Wall: WALL, Far: post(60), Farther: post(90) };
  writeFileSync(join(folder, 'posts.glb'), buildGlb(sceneOf(scene)));
  writeFileSync(join(folder, 'tagged.glb'), buildGlb(sceneOf({ ...scene, Tagged: post(120, tagged) })));
  // Two threads begin at more than 50,000 triangles.
  const ground = grid(160, 60, (x, z) => 0.3 * Math.sin(x) * Math.cos(z * 0.7) - 0.5);
  writeFileSync(
    join(folder, 'ground.glb'),
    buildGlb(sceneOf({ Ground: { shape: ground }, Near: post(3), Wall: WALL })),
  );
});

async function cook(source: string, out: string, viewerZone = SEATED, pool = new WorkerPool(1)): Promise<CookOutcome> {
  const path = join(folder, out);
  const outcome = await cookSource(
    {
      source: join(folder, source),
      root: null,
      target: out.endsWith('.untold') ? { kind: 'file', path } : { kind: 'folder', folder: path, sceneName: 'scene' },
      settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4', viewerZone },
      policy: LENIENT,
      force: false,
    },
    { pool },
  );
  expect(outcome.diagnostics.map(({ code }) => code)).toEqual([]);
  expect(outcome.status).toBe('ok');
  return outcome;
}

/** The materials that the .untold files below a folder draw with. */
async function drawn(out: string): Promise<string[]> {
  const names = new Set<string>();
  for (const file of readdirSync(join(folder, out), { recursive: true }).map(String)) {
    if (!file.endsWith('.untold')) continue;
    const { materials, meshes } = await readUntold(new Uint8Array(readFileSync(join(folder, out, file))), file);
    for (const { material } of meshes) names.add(materials[material]?.name ?? '');
  }
  return [...names].sort();
}

test('two threads write the bytes of one', async () => {
  const pool = new WorkerPool(2);
  try {
    const one = await cook('ground.glb', 'one.untold');
    const two = await cook('ground.glb', 'two.untold', SEATED, pool);
    expect(readFileSync(join(folder, 'two.untold')).equals(readFileSync(join(folder, 'one.untold')))).toBe(true);
    expect(two.totals?.zone).toEqual(one.totals?.zone);
    const { trianglesBefore = 0, trianglesAfter = 0 } = one.totals?.zone ?? {};
    expect(trianglesBefore).toBe(51_224);
    expect(trianglesAfter).toBeLessThan(trianglesBefore / 2);
  } finally {
    await pool.close();
  }
});

describe('tiles', () => {
  test('that nobody sees are not written', async () => {
    const { totals } = await cook('posts.glb', 'tiles');
    expect(await drawn('tiles')).toEqual(['Near', 'Wall']);
    const manifest = JSON.parse(readFileSync(join(folder, 'tiles/scene.json'), 'utf8'));
    expect(manifest.tiles.length).toBe(totals?.tiles);
    const bounds = manifest.tiles.flatMap((tile: { bounds: { max: number[] } }) => tile.bounds.max[0]);
    expect(Math.max(...bounds)).toBeLessThan(6);
    expect(totals?.zone?.trianglesAfter).toBe(totals?.trianglesOut);
  });

  test('what is tagged stays in a tile of its own', async () => {
    const { totals } = await cook('tagged.glb', 'tagged');
    expect(await drawn('tagged')).toEqual(['Near', 'Tagged', 'Wall']);
    expect(totals?.zone?.whole).toBe(1);
  });

  test('are the same twice', async () => {
    await cook('posts.glb', 'again');
    expect(contents(join(folder, 'again'))).toEqual(contents(join(folder, 'tiles')));
  });
});
