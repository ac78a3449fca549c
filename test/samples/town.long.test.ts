// Our town through the command line in every mode: all that is drawn is in exactly one payload, and what its names and
// tags say has come through. The samples of the folder are what their descriptions make.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleFiles } from '../../samples/files.ts';
import type { StageNode } from '../../samples/stage.ts';
import { town } from '../../samples/town.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { identity, multiply, rotation, scaling, translation } from '../../src/scene/matrix.ts';
import type { Mat4 } from '../../src/scene/types.ts';
import { untold } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { readPlanMap } from './planMap.ts';
import { addPayload, expectSame, type Manifest, moved, payloadsOf, readManifest, Tally, tallyOf } from './tally.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');
const SOURCE = join(SAMPLES, 'usda/town.usda');

describe('the files of the samples', () => {
  const committed = (readdirSync(SAMPLES, { recursive: true }) as string[])
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('tiles/') && /\.(png|usd[acz]|gl(tf|b)|bin)$/.test(path));
  const packed = Object.fromEntries(
    committed
      .filter((path) => path.startsWith('textures/'))
      .map((path) => [path.slice('textures/'.length), readFileSync(join(SAMPLES, path))]),
  );
  const made = sampleFiles(packed);

  test('are those that the descriptions make, and no others', () => {
    expect(committed.sort()).toEqual([...made.keys()].sort());
  });

  test('have the texels that are described', async () => {
    const texels = async (bytes: Uint8Array) => {
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      return [info.width, info.height, info.channels, data.toString('base64')];
    };
    const textures = [...sampleFiles()].filter(([path]) => extname(path) === '.png');
    expect(textures).toHaveLength(8);
    for (const [path, bytes] of textures) {
      expect([path, await texels(readFileSync(join(SAMPLES, path)))]).toEqual([path, await texels(bytes)]);
    }
  });

  test.each(committed)('%s has the bytes that are made', (path) => {
    expect(readFileSync(join(SAMPLES, path)).equals(made.get(path) as Uint8Array)).toBe(true);
  });
});

/** Scaled, tilted about X, turned about Y, moved. */
function matrixOf({ at = [0, 0, 0], turn = 0, tilt = 0, scale = 1 }: StageNode): Mat4 {
  const [y, x] = [turn, tilt].map((degrees) => (degrees * Math.PI) / 360);
  const turned = multiply(rotation(0, Math.sin(y), 0, Math.cos(y)), rotation(Math.sin(x), 0, 0, Math.cos(x)));
  return multiply(multiply(translation(...at), turned), scaling(scale, scale, scale));
}

/** What the text states, for a number of the description. */
const stated = (value: number) => Math.fround(Math.round(value * 1e4) / 1e4);

/** The town's triangles by its description: parts put in their places, faces cut as fans. */
function describedTriangles(): Tally {
  const tally = new Tally();
  const part = (name: string) => town.parts.find((node) => node.name === name) as StageNode;
  const draw = (node: StageNode, above: Mat4, paint: Readonly<Record<string, string>>) => {
    const world = multiply(above, matrixOf({ ...node, at: node.at?.map((v) => Math.round(v * 1e4) / 1e4) as never }));
    for (const { material, faces } of node.mesh?.parts ?? []) {
      for (const face of faces) {
        const points = moved(
          world,
          face.flatMap(([x, y, z]) => [stated(x), stated(y), stated(z)]),
        );
        for (let i = 3; i + 3 < points.length; i += 3) {
          tally.add(paint[node.name] ?? material, [...points.slice(0, 3), ...points.slice(i, i + 6)]);
        }
      }
    }
    const painted = { ...node.paint, ...paint };
    if (node.part) draw(part(node.part), world, painted);
    for (const { part: index, at, scale, isTurned } of node.swarm?.places ?? []) {
      const name = (node.swarm as NonNullable<StageNode['swarm']>).parts[index];
      draw({ name, part: name, at, scale, turn: isTurned ? 180 : 0 }, world, {});
    }
    for (const child of node.children ?? []) draw(child, world, painted);
  };
  for (const node of town.nodes) draw(node, identity(), {});
  return tally;
}

const NO_LEVELS = ['--lod', 'none', '--hlod', 'none'] as const;

describe.each([
  ['grid', 'uniform_grid', 3, NO_LEVELS],
  ['quadtree', 'quadtree_floor', 4, ['--lod', '0.5,0.2', '--hlod', '0.1', '--lod-check', 'geometry']],
  ['kdtree', 'kdtree_floor', 4, NO_LEVELS],
] as const)('the town in the mode %s', (mode, name, version, levels) => {
  let folder: string;
  let manifest: Manifest;
  beforeAll(async () => {
    folder = temporaryFolder();
    const args = ['cook', SOURCE, '--root', SAMPLES, '--partition', mode, ...levels, '--out', 'tiles', '--json'];
    const { code, stdout } = await untold(folder, [...args, '--jobs', '1']);
    const { diagnostics } = JSON.parse(stdout).results[0] as { diagnostics: { severity: string }[] };
    expect([code, diagnostics.filter(({ severity }) => severity !== 'info')]).toEqual([0, []]);
    manifest = readManifest(join(folder, 'tiles/usda/town.json'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is valid, of this version and mode', async () => {
    const { code, stdout } = await untold(folder, ['validate', '--strict', '--json', 'tiles']);
    expect([code, JSON.parse(stdout).files.every((file: { ok: boolean }) => file.ok)]).toEqual([0, true]);
    expect([manifest.version, manifest.partitioning_mode]).toEqual([version, name]);
    expect(manifest.tiles.length).toBeGreaterThan(20);
    const { min, max } = manifest.scene_bounds;
    expect([0, 2].map((i) => Math.round(max[i] - min[i]))).toEqual([240, 240]);
  });

  test('has every triangle in exactly one payload', async () => {
    const described = describedTriangles();
    expect(described.triangles).toBeGreaterThan(30_000);
    expect(described.triangles).toBeLessThan(100_000);
    // What is wider than any cell may be cut.
    const cut = ['Meadow', 'Rampart'];
    expectSame(await tallyOf(join(folder, 'tiles/usda/town.json')), described, cut);
  });

  test('has a map with every payload on it', () => {
    const map = readPlanMap(join(folder, 'tiles/usda/town.plan.svg'));
    expect(map.root).toBe('svg');
    expect([...map.tiles].sort()).toEqual(
      payloadsOf(manifest)
        .map(({ tile_id }) => tile_id)
        .sort(),
    );
  });

  test('is outdoors, though one of its houses has rooms', () => {
    expect(manifest.interior_zone ?? null).toBeNull();
    expect(manifest.tiles.filter(({ interior }) => interior)).toEqual([]);
    // The sun and the eight lamps of the square.
    expect([manifest.scene_lights?.length, manifest.scene_cameras?.length]).toEqual([9, 2]);
  });

  test('keeps the fountain first, and the hedge out of the shared bucket', async () => {
    // Critical is 15, High 12; nothing else is said of what stands in a grid.
    const priorities = payloadsOf(manifest).map(({ priority }) => priority);
    expect(Math.max(...priorities)).toBe(15);
    if (mode === 'grid') expect([...new Set(priorities)].sort((a, b) => a - b)).toEqual([10, 12, 15]);
    const shared = manifest.shared_bucket;
    if (!shared) return;
    const file = join(folder, 'tiles/usda', shared.path_relative_to_manifest);
    const { materials } = await readUntold(new Uint8Array(readFileSync(file)), file);
    expect(['Meadow', 'Rampart']).toEqual(expect.arrayContaining(materials.map((material) => material.name)));
  });

  test.runIf(mode !== 'grid')('tells rooms from streets', async () => {
    const count = (tier: string) =>
      manifest.tiles.filter((tile) => tile.semantic_tier === tier).reduce((sum, tile) => sum + tile.object_count, 0);
    // On each of two floors a table, four chairs, two shelves, two beds and two lamps; and eight seats, by their size.
    expect(count('RoomContents')).toBe(2 * 11 + 8);
    // A pipe and a switch on each floor.
    expect(count('FineProps')).toBe(4);
    // By their size alone, streets would be structure.
    const tiers = new Set<string | undefined>();
    for (const tile of manifest.tiles) {
      const file = join(folder, 'tiles/usda', tile.path_relative_to_manifest);
      const { materials } = await readUntold(new Uint8Array(readFileSync(file)), file);
      if (materials.some((material) => material.name === 'Asphalt')) tiers.add(tile.semantic_tier);
    }
    expect([...tiers]).toEqual(['ExteriorShell']);
  });

  test.runIf(levels !== NO_LEVELS)('has levels that get coarser', async () => {
    let lods = 0;
    let hlods = 0;
    for (const tile of manifest.tiles) {
      const paths = [tile.path_relative_to_manifest, ...(tile.lod_levels ?? []).map(({ path }) => path)];
      const counts: number[] = [];
      for (const path of [...paths, ...tile.hlod_levels.map((level) => level.path)]) {
        const tally = new Tally();
        await addPayload(tally, join(folder, 'tiles/usda', path));
        counts.push(tally.triangles);
      }
      for (let i = 1; i < counts.length; i++)
        expect([tile.tile_id, counts[i] < counts[i - 1]]).toEqual([tile.tile_id, true]);
      lods += paths.length - 1;
      hlods += tile.hlod_levels.length;
    }
    expect(lods).toBeGreaterThan(20);
    expect(hlods).toBeGreaterThan(10);
  });
});

test('refers to its textures alone', () => {
  const assets = [...readFileSync(SOURCE, 'utf8').matchAll(/@([^@\n]*)@/g)].map(([, path]) => path);
  expect(new Set(assets)).toEqual(new Set(Object.keys(town.textures).map((file) => `../textures/${file}`)));
  expect(Object.keys(town.textures).filter((file) => !existsSync(join(SAMPLES, 'textures', file)))).toEqual([]);
});
