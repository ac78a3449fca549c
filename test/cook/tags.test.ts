// Tags that authors leave on nodes, from the glTF to the manifest of a folder.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cookSource } from '../../src/cook/cookSource.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { buildGlb } from '../importers/gltf/build.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-tags-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function manifestOf(nodes: readonly object[]) {
  const source = join(folder, 'scene.glb');
  const wide = { positions: [0, 0, 0, 150, 0, 0, 0, 0, -2] };
  const small = { positions: [0, 0, 0, 1, 0, 0, 0, 0, -1] };
  writeFileSync(source, buildGlb({ meshes: [{ primitives: [small] }, { primitives: [wide] }], nodes }));
  const outcome = await cookSource({
    source,
    root: null,
    target: { kind: 'folder', folder, sceneName: 'scene' },
    settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4' },
    policy: LENIENT,
    force: true,
  });
  expect([outcome.status, outcome.diagnostics]).toEqual(['ok', []]);
  return JSON.parse(readFileSync(join(folder, 'scene.json'), 'utf8'));
}
const hint = (priority: string) => ({ extras: { untold_streaming_priority_hint: priority } });
const priorities = (manifest: { tiles: { tile_id: string; priority: number }[] }) =>
  manifest.tiles.map((tile) => [tile.tile_id, tile.priority]);

test('the highest hint of a tile is its priority, never below the default of the file', async () => {
  const manifest = await manifestOf([
    { mesh: 0, translation: [1, 0, -1], ...hint('High') },
    { mesh: 0, translation: [5, 0, -1], ...hint('Critical') },
    // An empty cell between them keeps cells of next to nothing from being joined.
    { mesh: 0, translation: [55, 0, -1], ...hint('Low') },
    { mesh: 0, translation: [110, 0, -1] },
    // A group without a mesh hands its hint to what hangs below it.
    { ...hint('High'), children: [5] },
    { mesh: 0, translation: [160, 0, -1] },
  ]);
  expect(priorities(manifest)).toEqual([
    ['tile_0_0_0', 15],
    ['tile_2_0_0', 10],
    ['tile_4_0_0', 10],
    ['tile_6_0_0', 12],
  ]);
  expect(manifest.streaming_defaults.priority).toBe(10);
});

test('what spans goes to the shared bucket with its hint, unless it is to be local', async () => {
  const wide = { mesh: 1, translation: [0, 0, -1] };
  const near = { mesh: 0, translation: [1, 0, -1] };
  const shared = await manifestOf([near, { ...wide, ...hint('High') }]);
  expect(shared.shared_bucket).toMatchObject({ priority: 12, object_count: 1 });
  expect(priorities(shared)).toEqual([['tile_0_0_0', 10]]);
  const local = await manifestOf([near, { ...wide, extras: { untold_tile_policy: 'force_local' } }]);
  expect(local.shared_bucket).toBeNull();
  // Its centre is at x = 75: the fourth cell. It is seen from as far as its own size asks for.
  expect(priorities(local)).toEqual([
    ['tile_0_0_0', 10],
    ['tile_3_0_0', 10],
  ]);
  expect(local.tiles[1].streaming_radius).toBeGreaterThan(150);
});
