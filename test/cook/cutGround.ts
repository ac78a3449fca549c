// Ground that spans a scene, and what holds for its cooks whatever the tiles: nothing lost, nothing twice, no crack at any
// level, and the same bytes with any number of threads.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { DEFAULT_TILING, type TilingOptions } from '../../src/tiling/options.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { ground, sphere } from '../geometry/packed.ts';
import { gltf, plain, type Thing } from './things.ts';

export let folder: string;
let pool: WorkerPool;

/** A folder with the ground for the tests of a file, which begins with this: files share this module. */
export function useGround(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'untold-split-'));
    pool = new WorkerPool(3);
    writeFileSync(join(folder, 'town.gltf'), gltf(things(), MATERIALS));
  });
  afterAll(async () => {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

export const EDGE = 130;
export const MATERIALS = [plain('grass', [0.1, 0.5, 0.1]), plain('stone', [0.5, 0.5, 0.5])];

/** A square of ground 130 m wide, not aligned with any cell, and balls that stand on it here and there. */
function things(): Thing[] {
  const balls = Array.from({ length: 24 }, (_, i): Thing => {
    const x = 8 + ((i * 37) % 114);
    const z = 8 + ((i * 53) % 114);
    return { mesh: sphere(x, 3, z, 2, 10), material: 1, name: `Ball_${i}` };
  });
  return [{ mesh: ground(0, 0, EDGE, 64), material: 0, name: 'Ground_floor' }, ...balls];
}

interface Entry {
  tile_id: string;
  path_relative_to_manifest: string;
  bounds: { min: number[]; max: number[] };
  lod_levels?: { path: string }[];
  hlod_levels: { path: string }[];
}
interface Manifest {
  shared_bucket: Entry | null;
  tiles: Entry[];
}

export async function cook(
  out: string,
  tiling: Partial<TilingOptions>,
  levels: boolean,
  threads = new WorkerPool(1),
  source = 'town.gltf',
) {
  const outcome = await cookSource(
    {
      source: join(folder, source),
      root: null,
      target: { kind: 'folder', folder: join(folder, out), sceneName: 'town' },
      settings: {
        missingTexture: 'error',
        tileSize: 25,
        compress: 'lz4',
        // The balls are copies of each other, and each is named.
        findCopies: 'never',
        tiling: { ...DEFAULT_TILING, ...tiling },
        ...(levels ? { lods: [0.5, 0.2], hlod: 0.1 } : {}),
      },
      policy: LENIENT,
      force: false,
    },
    { pool: threads },
  );
  expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return outcome;
}

export const manifest = (out: string) => JSON.parse(readFileSync(join(folder, out, 'town.json'), 'utf8')) as Manifest;

/** A triangle's corners as the bits of their positions, and its area. */
interface Drawn {
  readonly material: string;
  readonly corners: readonly [string, string, string];
  readonly points: readonly (readonly number[])[];
  readonly area: number;
}

function area([a, b, c]: readonly (readonly number[])[]): number {
  const u = [0, 1, 2].map((k) => b[k] - a[k]);
  const v = [0, 1, 2].map((k) => c[k] - a[k]);
  return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
}

export async function drawn(out: string, path: string): Promise<Drawn[]> {
  const { meshes, materials } = await readUntold(readFileSync(join(folder, out, path)), path);
  return meshes.flatMap(({ vertices, indices, material }) => {
    const view = new DataView(vertices.buffer, vertices.byteOffset, vertices.byteLength);
    const point = (v: number) => [0, 4, 8].map((k) => view.getFloat32(v * 32 + k, true));
    const bits = (v: number) => [0, 4, 8].map((k) => view.getUint32(v * 32 + k, true).toString(16)).join(' ');
    return Array.from({ length: indices.length / 3 }, (_, t): Drawn => {
      const [a, b, c] = [indices[t * 3], indices[t * 3 + 1], indices[t * 3 + 2]];
      const points = [point(a), point(b), point(c)];
      return { material: materials[material].name, corners: [bits(a), bits(b), bits(c)], points, area: area(points) };
    });
  });
}

/** Directed edges that no triangle has the other way round. */
function openEdges(triangles: readonly Drawn[]): string[] {
  const count = new Map<string, number>();
  for (const { corners } of triangles) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [corners[k], corners[(k + 1) % 3]];
      const edge = `${from}|${to}`;
      const back = `${to}|${from}`;
      const other = count.get(back) ?? 0;
      if (other > 0) count.set(back, other - 1);
      else count.set(edge, (count.get(edge) ?? 0) + 1);
    }
  }
  return [...count].filter(([, n]) => n > 0).map(([edge]) => edge);
}

/** Whether an edge, as bits, lies along the outline of the ground. */
function onOutline(edge: string): boolean {
  const [from, to] = edge.split('|').map((point) => {
    const bits = Uint32Array.from(point.split(' '), (word) => Number.parseInt(word, 16));
    return new Float32Array(bits.buffer);
  });
  return [0, 2].some((k) => from[k] === to[k] && (from[k] === 0 || from[k] === EDGE));
}

export function describeCuts(partition: TilingOptions['partition']): void {
  describe(`cut by a ${partition}`, () => {
    const tiling = { partition, profile: 'outdoor', split: 'auto', minObjects: 1 } as const;
    let withLevels: CookOutcome;
    beforeAll(async () => {
      withLevels = await cook(`${partition}-levels`, tiling, true);
    });

    test('each piece lies in one tile, and their area is that of the ground', async () => {
      const { diagnostics } = await cook(`${partition}-one`, tiling, false);
      // The slivers of the balls are all that is left out.
      const leftOut = diagnostics.filter(({ code }) => code === 'UC2001').map(({ path }) => path);
      expect(leftOut).toEqual(Array.from({ length: 24 }, (_, i) => `meshes/${i + 1}/primitives/0`).sort());
      const { tiles, shared_bucket } = manifest(`${partition}-one`);
      expect(shared_bucket).toBeNull();
      const all: Drawn[] = [];
      let withGround = 0;
      for (const { path_relative_to_manifest: path, bounds } of tiles) {
        const own = await drawn(`${partition}-one`, path);
        const within = (point: readonly number[]) =>
          [0, 1, 2].every((k) => point[k] >= bounds.min[k] && point[k] <= bounds.max[k]);
        expect(own.filter(({ points }) => !points.every(within))).toEqual([]);
        if (own.some(({ material }) => material === 'grass')) withGround++;
        all.push(...own);
      }
      expect(withGround).toBeGreaterThan(3);
      const grass = all.filter(({ material }) => material === 'grass');
      const mesh = ground(0, 0, EDGE, 64);
      const whole = Array.from({ length: mesh.indices.length / 3 }, (_, t) => {
        const corners = [0, 1, 2].map((k) => mesh.indices[t * 3 + k]);
        return area(corners.map((v) => [0, 1, 2].map((k) => mesh.positions[v * 3 + k])));
      }).reduce((sum, a) => sum + a, 0);
      const cut = grass.reduce((sum, triangle) => sum + triangle.area, 0);
      expect(Math.abs(cut / whole - 1)).toBeLessThan(1e-6);
      // What is not cut is there once; the ground is open along its outline alone. A ball has two rings of slivers at its poles.
      expect(all.filter(({ material }) => material === 'stone').length).toBe(24 * (2 * 20 * 10 - 2 * 20));
      const open = openEdges(grass);
      expect(open.length).toBeGreaterThanOrEqual(4 * 64);
      expect(open.filter((edge) => !onOutline(edge))).toEqual([]);
    });

    test('no crack opens at any level, nor between tiles of different levels', async () => {
      const { tiles } = manifest(`${partition}-levels`);
      const levelsOf = ({ path_relative_to_manifest, lod_levels = [], hlod_levels }: Entry) => [
        path_relative_to_manifest,
        ...lod_levels.map(({ path }) => path),
        ...hlod_levels.map(({ path }) => path),
      ];
      // Each tile at a level of its own, in turn.
      for (const turn of [0, 1, 2, 3]) {
        const all: Drawn[] = [];
        for (const [i, tile] of tiles.entries()) {
          const levels = levelsOf(tile);
          all.push(...(await drawn(`${partition}-levels`, levels[Math.min(levels.length - 1, (i + turn) % 4)])));
        }
        // In an HLOD the colours have moved into a palette: what is flat and low is ground.
        const low = all.filter(({ points }) => points.every((point) => point[1] < 0.9));
        expect(openEdges(low).filter((edge) => !onOutline(edge))).toEqual([]);
      }
    });

    test('gives the same bytes in several threads', async () => {
      const told = ({ outputs, diagnostics }: CookOutcome) => ({
        files: outputs.map(({ path }) => createHash('sha256').update(readFileSync(path)).digest('hex')),
        diagnostics,
      });
      expect(told(await cook(`${partition}-three`, tiling, true, pool))).toEqual(told(withLevels));
    });
  });
}
