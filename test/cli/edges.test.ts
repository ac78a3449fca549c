// `--edges` through the command line: which files hold edges, and that they cost nothing where nobody asked.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { buildGlb } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = async (path: string) => readUntold(new Uint8Array(readFileSync(join(folder, path))), path);
const files = (name: string) =>
  (readdirSync(join(folder, name), { recursive: true }) as string[]).filter((f) => f.endsWith('.untold')).sort();

/** A bumpy sheet of so many squares a side, `x` metres away. */
function sheet(side: number, x = 0): { positions: number[]; indices: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= side; j++) {
    for (let i = 0; i <= side; i++) positions.push(x + i, Math.sin(i * 0.9) * Math.cos(j * 0.7), j);
  }
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      const a = j * (side + 1) + i;
      indices.push(a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2);
    }
  }
  return { positions, indices };
}

test('a single file holds edges of the type of its indices, instances share them, and it is valid', async () => {
  const square = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], indices: [0, 1, 2, 0, 2, 3] };
  const nodes = [0, 2, 4, 6].map((x) => ({ mesh: 0, translation: [x, 0, 0] }));
  put(folder, 'a.glb', buildGlb({ meshes: [{ primitives: [square] }], nodes }));
  const cook = async (...args: string[]) => (await untold(folder, ['cook', 'a.glb', '--no-cache', ...args])).code;
  expect([await cook('--out', 'with.untold', '--edges'), await cook('--out', 'without.untold')]).toEqual([0, 0]);
  const { meshes } = await read('with.untold');
  for (const { edges } of meshes) {
    expect(edges).toBeInstanceOf(Uint16Array);
    // The border of the square and not its diagonal.
    expect(edges?.length).toBe(8);
  }
  const sizes = ['with.untold', 'without.untold'].map((name) => readFileSync(join(folder, name)).length);
  // One square's edges, 16 bytes, however often it is placed; the entry of the chunk, and what aligns it.
  expect(sizes[0] - sizes[1]).toBeLessThan(160);
  expect((await read('without.untold')).meshes.every(({ edges }) => edges === undefined)).toBe(true);
  expect((await untold(folder, ['validate', '--strict', 'with.untold'])).code).toBe(0);
  const { stdout } = await untold(folder, ['inspect', 'with.untold']);
  expect(stdout).toMatch(/edges/);
});

test('tiles and LODs hold edges, HLODs do not', async () => {
  const meshes = [0, 400, 800].map((x) => ({ primitives: [sheet(24, x)] }));
  put(folder, 'b.glb', buildGlb({ meshes }));
  const args = ['cook', 'b.glb', '--no-cache', '--out', 'tiles', '--tile-size', '100', '--lod', '0.5', '--hlod', '0.2'];
  expect((await untold(folder, [...args, '--lod-check', 'geometry', '--edges'])).code).toBe(0);
  const found = { tile: 0, lod: 0, hlod: 0 } as Record<string, number>;
  for (const name of files('tiles')) {
    const { fileType, meshes } = await read(join('tiles', name));
    const edges = meshes.reduce((sum, mesh) => sum + (mesh.edges?.length ?? 0), 0);
    if (meshes.length > 0) found[fileType] = (found[fileType] ?? 0) + 1;
    if (fileType === 'hlod') expect([name, edges]).toEqual([name, 0]);
    else if (meshes.length > 0) expect(edges).toBeGreaterThan(0);
  }
  expect(Math.min(found.tile, found.lod, found.hlod)).toBeGreaterThan(0);
  expect((await untold(folder, ['validate', '--strict', 'tiles'])).code).toBe(0);
});
