// Looks for holes in a cooked set: pictures as the engine streams it beside pictures of full detail, from cameras around and in
// it. Reads the set from the disk, with its textures, as `untold render` does.

import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { MAX_QUERY_RADIUS } from '../../src/engine/streaming.ts';
import { chooseLevels } from '../../src/library/render/chooseLevels.ts';
import { openCookedSet } from '../../src/library/render/cookedSet.ts';
import { DrawnPayloads } from '../../src/library/render/drawnPayloads.ts';
import { type Camera, lookAt, wholePicture } from '../../src/raster/camera.ts';
import { render, renderEach } from '../../src/raster/render.ts';
import { buildRasterScene, type RasterMesh } from '../../src/raster/scene.ts';
import { distanceToBounds } from '../../src/scene/bounds.ts';
import type { Bounds, Vec3 } from '../../src/scene/types.ts';

const SIZE = { width: 640, height: 360 } as const;

/** Sixteen cameras around a set, near and far, low and high, and eight in it. */
export function cameras({ min, max }: Bounds): Camera[] {
  const middle: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  const half = Math.hypot(max[0] - min[0], max[2] - min[2]) / 2;
  const looks: (readonly [Vec3, Vec3])[] = [];
  for (let i = 0; i < 16; i++) {
    const angle = (i * Math.PI) / 8 + 0.1;
    const away = half + [20, 110, 230, 400][i % 4];
    const height = max[1] + [10, 60, 130, 90][i % 4];
    looks.push([[middle[0] + Math.sin(angle) * away, height, middle[2] + Math.cos(angle) * away], middle]);
  }
  for (let i = 0; i < 8; i++) {
    const at = (low: number, high: number, share: number) => low + (high - low) * share;
    const position: Vec3 = [
      at(min[0], max[0], [0.1, 0.9, 0.5, 0.5, 0.3, 0.7, 0.5, 0.45][i]),
      min[1] + [1.8, 4, 2, 6, 1.8, 3, 12, 1.8][i],
      at(min[2], max[2], [0.1, 0.9, 0.05, 0.95, 0.6, 0.3, 0.5, 0.4][i]),
    ];
    looks.push([position, [2 * middle[0] - position[0] + 0.5, position[1] - 0.2, 2 * middle[2] - position[2] + 0.5]]);
  }
  return looks.map(([from, to]) => wholePicture(lookAt(from, to)!, SIZE.width, SIZE.height, 0.05));
}

export interface Hole {
  readonly pixels: number;
  readonly position: Vec3;
}

/** The largest area of each picture, by eight neighbours, that full detail covers and the streamed set leaves empty. */
export async function holesOf(manifest: string): Promise<Hole[]> {
  const set = await openCookedSet(manifest, manifest, process.cwd());
  const payloads = new DrawnPayloads(set, new Diagnostics());
  const known = new Map<string, RasterMesh[]>();
  const meshesOf = async (paths: readonly string[]) => {
    const meshes: RasterMesh[] = [];
    for (const path of paths) {
      const own = known.get(path) ?? (await payloads.meshes(path));
      known.set(path, own);
      meshes.push(...own);
    }
    return meshes;
  };
  const looks = cameras(set.bounds as Bounds).map((camera) => {
    const near = set.tiles.filter(
      (tile) => distanceToBounds(camera.position, tile.bounds as Bounds) <= MAX_QUERY_RADIUS,
    );
    return { camera, full: near.map((tile) => tile.full) };
  });
  const holes = new Map<Camera, Hole>();
  // Full detail is laid out once for all cameras that have the same tiles near.
  for (const paths of new Set(looks.map(({ full }) => full.join('\n')))) {
    const same = looks.filter(({ full }) => full.join('\n') === paths);
    const scene = buildRasterScene(await meshesOf(same[0].full));
    const pictures = renderEach(
      scene,
      same.map(({ camera }) => camera),
    );
    for (const [i, { camera }] of same.entries()) {
      const { position } = camera;
      const shown = chooseLevels(set, 'streamed', position).map(({ path }) => path);
      const streamed = render(buildRasterScene(await meshesOf(shown)), camera).coverage;
      const missing = pictures[i].coverage.map((value, at) => (value === 255 && streamed[at] === 0 ? 1 : 0));
      holes.set(camera, { pixels: largestArea(missing), position });
    }
  }
  return looks.map(({ camera }) => holes.get(camera) as Hole);
}

function largestArea(missing: Uint8Array): number {
  const { width } = SIZE;
  let largest = 0;
  for (let start = 0; start < missing.length; start++) {
    if (missing[start] === 0) continue;
    let pixels = 0;
    const waiting = [start];
    missing[start] = 0;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      pixels++;
      for (let row = -1; row <= 1; row++) {
        for (let column = -1; column <= 1; column++) {
          const x = (at % width) + column;
          const near = at + row * width + column;
          if (x < 0 || x >= width || !missing[near]) continue;
          missing[near] = 0;
          waiting.push(near);
        }
      }
    }
    largest = Math.max(largest, pixels);
  }
  return largest;
}
