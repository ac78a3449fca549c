// `npx tsx bench/flights.ts MANIFEST…`: the triangles that levels save along three flights through and around a set, where a camera
// stays at each point until all is loaded, and where it flies on at ten metres a second and the engine's loader follows. Nothing
// here is a test.

import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FLIGHTS, flightFigures, pointsOf } from '../src/formats/manifest/flights.ts';
import type { TileManifest } from '../src/formats/manifest/schema.ts';
import { type CookedTile, tilesOf } from '../src/formats/manifest/tiles.ts';
import { readUntold } from '../src/formats/untold/read.ts';
import type { Bounds } from '../src/scene/types.ts';
import { fly, type Waypoint } from '../src/viewer/streaming/flight.ts';
import { StreamLoader } from '../src/viewer/streaming/loader.ts';

const SPEED = 10;
const STEP = 0.5;

/** The mean of the triangles that the loader shows along a flight. */
function flown(tiles: readonly CookedTile[], flight: (typeof FLIGHTS)[number], bounds: Bounds, set: Files): number {
  const connection = { delay: 0.05, rate: 50e6 };
  const loader = new StreamLoader(tiles, { connection, budget: 1e9, fileBytes: set.bytesOf });
  const points = pointsOf(flight, bounds);
  let time = 0;
  const path = points.map((position, i): Waypoint => {
    const [before, next] = [points[Math.max(0, i - 1)], points[Math.min(points.length - 1, i + 1)]];
    if (i > 0) time += Math.hypot(...position.map((at, k) => at - before[k])) / SPEED;
    return {
      time,
      position,
      target: next.map((at, k) => position[k] + at - before[k]) as unknown as Waypoint['target'],
    };
  });
  let sum = 0;
  const states = fly(loader, path, STEP, { tanY: Math.tan(Math.PI / 6), aspect: 16 / 9 });
  for (const { shown } of states) {
    for (const [tile, index] of shown.entries())
      if (index >= 0) sum += set.trianglesOf(loader.path(tile, index) as string);
  }
  return Math.round(sum / states.length);
}

interface Files {
  readonly bytesOf: (path: string) => number;
  readonly trianglesOf: (path: string) => number;
}

async function filesOf(folder: string, tiles: readonly CookedTile[]): Promise<Files> {
  const triangles = new Map<string, number>();
  for (const { full, lods, hlod } of tiles) {
    for (const path of [full, ...lods.map((lod) => lod.path), ...(hlod ? [hlod.path] : [])]) {
      const { meshes, entities } = await readUntold(new Uint8Array(readFileSync(join(folder, path))), path);
      let count = 0;
      for (const { firstMesh, meshCount } of entities) {
        for (const { indices } of meshes.slice(firstMesh, firstMesh + meshCount)) count += indices.length / 3;
      }
      triangles.set(path, count);
    }
  }
  return {
    bytesOf: (path) => statSync(join(folder, path)).size,
    trianglesOf: (path) => triangles.get(path) as number,
  };
}

const saved = (triangles: number, full: number) =>
  `${triangles.toLocaleString('en')} of ${full.toLocaleString('en')}, ${Math.round(100 * (1 - triangles / full))} % less`;

for (const manifest of process.argv.slice(2)) {
  const set = tilesOf(JSON.parse(readFileSync(manifest, 'utf8')) as TileManifest);
  const files = await filesOf(dirname(manifest), set.tiles);
  process.stdout.write(`${manifest}\n`);
  for (const { flight, triangles, fullTriangles } of flightFigures(set, files.trianglesOf)) {
    const moving = flown(set.tiles, flight, set.bounds as Bounds, files);
    process.stdout.write(
      `  ${flight.padEnd(7)} standing ${saved(triangles, fullTriangles)}; flying ${saved(moving, fullTriangles)}\n`,
    );
  }
}
