// The script that lays other people's parts out as a town. The layout needs none of them; what is made of the parts is
// cooked in every mode where they lie beside the project, and skipped where they do not.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as script, townGlb } from '../../samples/kaykit.ts';
import { kaykitLayout, type PartPlacement } from '../../samples/kaykitLayout.ts';
import { untold } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { environment } from '../support/process.ts';
import { readPlanMap } from './planMap.ts';
import { expectSame, moved, payloadsOf, readManifest, Tally, tallyOf } from './tally.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PARTS = resolve(PROJECT, '../shared/assets/gltf/kaykit-city/gltf');
const isThere = existsSync(PARTS);
const NO_LEVELS = ['--lod', 'none', '--hlod', 'none'] as const;
if (!isThere) process.stderr.write(`skipped: ${PARTS} is not there\n`);

describe('the layout', () => {
  const placed = kaykitLayout(1);
  const isTile = ({ part }: PartPlacement) => /^(road_|base$|building_)/.test(part);
  /** Tiles are 2 wide, 17 each way, around the origin. */
  const tileOf = ({ at: [x, , z] }: PartPlacement) => `${x / 2 + 8} ${z / 2 + 8}`;
  const tiles = new Map(placed.filter(isTile).map((tile) => [tileOf(tile), tile]));
  const neighbour = ({ at: [x, y, z] }: PartPlacement, turn: number): string => {
    // Degrees from +Z towards +X.
    const [dx, dz] = { 0: [0, 2], 90: [2, 0], 180: [0, -2], 270: [-2, 0] }[turn] as [number, number];
    return tileOf({ part: '', at: [x + dx, y, z + dz], turn: 0, scale: 1 });
  };
  /** Where a street leaves its tile, in degrees, from how the parts are modelled. */
  const EXITS: Readonly<Record<string, readonly number[]>> = {
    road_straight: [0, 180],
    road_straight_crossing: [0, 180],
    road_corner_curved: [0, 90],
    road_tsplit: [0, 90, 180],
    road_junction: [0, 90, 180, 270],
  };

  test('covers 17 x 17 tiles, each once', () => {
    expect(placed.filter(isTile)).toHaveLength(17 * 17);
    for (let j = 0; j < 17; j++) for (let i = 0; i < 17; i++) expect(tiles.has(`${i} ${j}`)).toBe(true);
  });

  test('has streets that go on wherever they leave a tile', () => {
    const exits = (tile: PartPlacement | undefined) =>
      new Set((EXITS[tile?.part ?? ''] ?? []).map((turn) => (turn + (tile as PartPlacement).turn) % 360));
    let streets = 0;
    for (const tile of tiles.values()) {
      for (const turn of exits(tile)) {
        streets++;
        expect([tileOf(tile), exits(tiles.get(neighbour(tile, turn))).has((turn + 180) % 360)]).toEqual([
          tileOf(tile),
          true,
        ]);
      }
    }
    // Five streets of 17 tiles each way: 16 borders each, seen from both sides.
    expect(streets).toBe(2 * 5 * 16 * 2);
  });

  test('has buildings that look at a street', () => {
    const buildings = [...tiles.values()].filter(({ part }) => part.startsWith('building_'));
    expect(buildings.length).toBeGreaterThan(50);
    for (const building of buildings) {
      expect(tiles.get(neighbour(building, building.turn))?.part).toMatch(/^road_straight/);
    }
  });

  test('has cars on streets that drive on the right', () => {
    const cars = placed.filter(({ part }) => part.startsWith('car_'));
    expect(cars.length).toBeGreaterThan(20);
    for (const { at, turn } of cars) {
      const [x, z] = [0, 2].map((axis) => at[axis] - 2 * Math.round(at[axis] / 2));
      expect(tiles.get(`${Math.round(at[0] / 2) + 8} ${Math.round(at[2] / 2) + 8}`)?.part).toMatch(/^road_/);
      // Cars look along +Z, with -X at their right hand.
      const right = { 0: -x, 90: z, 180: x, 270: -z }[turn] as number;
      expect(right).toBeCloseTo(0.35, 12);
    }
  });

  test('depends on the seed alone', () => {
    expect(kaykitLayout(1)).toEqual(placed);
    expect(kaykitLayout(2)).not.toEqual(placed);
  });
});

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the script refuses', () => {
  test.each([
    [[], 'usage:'],
    [['parts'], 'usage:'],
    [['parts', 'out.glb', '1', '2'], 'usage:'],
    [['/nowhere/at/all', '/tmp/out.glb'], '/nowhere/at/all is not a folder'],
    [['samples', '/tmp/out.gltf'], '/tmp/out.gltf does not end in .glb'],
    [['samples', '/tmp/out.glb', 'many'], 'the seed is many'],
    [['samples', 'samples/glb/city.glb'], 'samples/glb/city.glb lies inside the project'],
    [['samples', 'new/../samples/city.glb'], 'lies inside the project'],
  ])('%j', async (args, said) => {
    const ran = await script(args);
    expect([ran.code, ran.said]).toEqual([2, expect.stringContaining(said)]);
    expect(existsSync(join(PROJECT, 'samples/glb/city.glb'))).toBe(false);
  });

  test('a folder that lacks parts, or holds what is no glTF, and writes nothing', async () => {
    const parts = join(folder, 'parts');
    mkdirSync(parts);
    const out = join(folder, 'out.glb');
    expect(await script([parts, out])).toEqual({
      code: 2,
      said: expect.stringContaining('lacks base.gltf, bench.gltf'),
    });
    const names = new Set(kaykitLayout(1).map(({ part }) => part));
    for (const name of names) writeFileSync(join(parts, `${name}.gltf`), 'no glTF');
    expect(await script([parts, out])).toEqual({ code: 2, said: expect.stringContaining('base.gltf cannot be read') });
    expect(existsSync(out)).toBe(false);
  });
});

/** The triangles of a GLB by glTF-Transform: nothing of ours reads it. */
async function glbTriangles(file: string): Promise<Tally> {
  const tally = new Tally();
  const document = await new NodeIO().read(file);
  for (const node of document.getRoot().listNodes()) {
    const world = Float64Array.from(node.getWorldMatrix());
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      const points = moved(world, primitive.getAttribute('POSITION')?.getArray() as Float32Array);
      const indices = primitive.getIndices()?.getArray() as Uint16Array;
      for (let t = 0; t < indices.length; t += 3) {
        const corners = [0, 1, 2].flatMap((k) => [...points.subarray(indices[t + k] * 3, indices[t + k] * 3 + 3)]);
        tally.add(primitive.getMaterial()?.getName() ?? '', corners);
      }
    }
  }
  return tally;
}

describe.skipIf(!isThere)('a town of the parts (skipped without the assets beside the project)', () => {
  test('has each part and their material once, and the same bytes again', async () => {
    const source = join(folder, 'new/folder/kaykit.glb');
    const command = ['--import', 'tsx', join(PROJECT, 'samples/kaykit.ts'), PARTS, source];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env: environment() });
    expect([status, stderr]).toEqual([0, '']);
    const root = (await new NodeIO().read(source)).getRoot();
    expect([root.listMaterials().length, root.listTextures().length]).toEqual([1, 1]);
    // 24 parts of one node, five cars of a body and four wheels.
    expect(root.listMeshes()).toHaveLength(24 + 5 * 5);
    const again = join(folder, 'again.glb');
    expect(await script([PARTS, again])).toEqual({ code: 0, said: '' });
    expect(readFileSync(again).equals(readFileSync(source))).toBe(true);
    // Buildings by the dozen.
    const drawn = root.listNodes().flatMap((node) => node.getMesh()?.listPrimitives() ?? []);
    const corners = drawn.reduce((sum, primitive) => sum + (primitive.getIndices()?.getCount() ?? 0), 0);
    expect(corners / 3).toBeGreaterThan(200_000);
  });

  /** Of two blocks along each side: 108 m of 12 m tiles. */
  let source: string;
  let drawn: Tally;
  beforeAll(async () => {
    source = join(folder, 'kaykit.glb');
    writeFileSync(source, await townGlb(PARTS, 1, 2));
    drawn = await glbTriangles(source);
    expect(drawn.triangles).toBeGreaterThan(50_000);
  });

  test.each([
    ['grid', 'uniform_grid', NO_LEVELS],
    ['quadtree', 'quadtree_floor', NO_LEVELS],
    ['kdtree', 'kdtree_floor', ['--lod', '0.5,0.2', '--hlod', '0.1', '--lod-check', 'geometry']],
  ] as const)(
    'is cooked in the mode %s: valid, mapped, every triangle in exactly one payload',
    async (mode, name, more) => {
      const cooked = await untold(folder, [
        'cook',
        source,
        '--partition',
        mode,
        ...more,
        '--jobs',
        '1',
        '--out',
        mode,
        '--json',
      ]);
      expect([cooked.code, cooked.stderr.match(/^error.*/gm)]).toEqual([0, null]);
      const checked = await untold(folder, ['validate', '--strict', '--json', mode]);
      expect([checked.code, JSON.parse(checked.stdout).files.every((file: { ok: boolean }) => file.ok)]).toEqual([
        0,
        true,
      ]);
      const manifest = readManifest(join(folder, mode, 'kaykit.json'));
      expect([manifest.version, manifest.partitioning_mode]).toEqual([mode === 'grid' ? 3 : 4, name]);
      expect([0, 2].map((i) => Math.round(manifest.scene_bounds.max[i] - manifest.scene_bounds.min[i]))).toEqual([
        108, 108,
      ]);
      expectSame(await tallyOf(join(folder, mode, 'kaykit.json')), drawn);
      const map = readPlanMap(join(folder, mode, 'kaykit.plan.svg'));
      expect([map.root, [...map.tiles].sort()]).toEqual([
        'svg',
        payloadsOf(manifest)
          .map(({ tile_id }) => tile_id)
          .sort(),
      ]);
      const levels = manifest.tiles.flatMap((tile) => [...(tile.lod_levels ?? []), ...tile.hlod_levels]);
      expect(levels.length > 20).toBe(more !== NO_LEVELS);
    },
  );
});
