// Towns that are cooked in parts, which are merged: what the quick and the long tests of shards share.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type CookOptions, cook, type MergeOptions, merge } from '../../src/index.ts';
import { CELL, town } from '../cook/farTown.ts';
import { gltf, plain, type Thing } from '../cook/things.ts';
import { ground } from '../geometry/packed.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG } from '../support/squareGltf.ts';

/** The folder of the tests of a file, which begins with ownFolder(): files share this module. */
export let folder: string;
export function ownFolder(): void {
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

let calls = 0;
/** A folder that no other test uses. */
export const fresh = (name: string) => join(folder, `${name}${++calls}`);

/** Cooks all parts, each into a folder of its own below one, and gives that. */
export async function parts(
  source: string,
  count: number,
  options: CookOptions,
  more: CookOptions = {},
): Promise<string> {
  const out = fresh('parts');
  for (let i = 0; i < count; i++) {
    const { exitCode } = await cook(source, { ...options, out: join(out, `s${i}`), shard: `${i}/${count}`, ...more });
    expect(exitCode).toBe(0);
  }
  return out;
}

export async function whole(source: string, options: CookOptions) {
  const out = fresh('whole');
  const { exitCode, results } = await cook(source, { ...options, out });
  expect(exitCode).toBe(0);
  return { out, result: results[0] };
}

export async function merged(shards: string | readonly string[], options: MergeOptions = {}) {
  const out = fresh('merged');
  return { out, ...(await merge(shards, { out, ...options })) };
}

export const MATERIALS = ['grass', 'red', 'blue', 'sand'].map((name, i) => plain(name, [0.2 * i, 0.5, 0.1]));
export const LEVELS: CookOptions = { tileSize: CELL, lod: [0.6], hlod: 0.4, lodCheck: 'geometry' };

/** Eight cells of the town, so that cooks are quick. */
export const smallTown = () => town().filter(({ name = '' }) => /_[0-3]_[01]$/.test(name));

/** The town with a floor below several cells, and a light. */
function broadTown(): string {
  const things: Thing[] = [...smallTown(), { mesh: ground(0, 2 * CELL, 2 * CELL, 8), material: 3, name: 'Broad' }];
  const document = JSON.parse(gltf(things, MATERIALS));
  document.extensionsUsed = ['KHR_lights_punctual'];
  document.extensions = { KHR_lights_punctual: { lights: [{ type: 'point', intensity: 40 }] } };
  document.nodes.push({ name: 'Lamp', translation: [3, 4, 5], extensions: { KHR_lights_punctual: { light: 0 } } });
  document.scenes[0].nodes.push(document.nodes.length - 1);
  document.images = [{ uri: 'red.png' }];
  document.textures = [{ source: 0 }];
  for (const material of document.materials.slice(0, 2)) {
    material.pbrMetallicRoughness.baseColorTexture = { index: 0 };
  }
  return JSON.stringify(document);
}

function broadSource(): string {
  const place = fresh('art');
  put(place, 'red.png', RED_PNG);
  return put(place, 'town.gltf', broadTown());
}

/** Merges the town from so many shards, and compares it with one cook. */
export async function expectSameMerged(options: CookOptions, counts: readonly number[]): Promise<void> {
  const source = broadSource();
  const { out, result } = await whole(source, options);
  const expected = contents(out);
  const manifest = JSON.parse(readFileSync(join(out, 'town.json'), 'utf8'));
  expect(manifest.tiles.some((tile: { hlod_levels: unknown[] }) => tile.hlod_levels.length > 0)).toBe(true);
  for (const count of counts) {
    const shards = await parts(source, count, options, { jobs: 1 + (count % 2) });
    const done = await merged(shards);
    expect(contents(done.out)).toEqual(expected);
    const [{ totals, diagnostics }] = done.sets;
    expect([done.exitCode, totals, diagnostics]).toEqual([0, result.totals, result.diagnostics]);
  }
}
