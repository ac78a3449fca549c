// How much of the sky surfaces see, for each place of a grid over the picture: from far by maps of the light from many directions,
// and from near, where those are too coarse, by what the picture itself shows beside a place.

import type { Bounds, Vec3 } from '../../scene/types.ts';
import type { Grid } from './grid.ts';
import { LightMap } from './lightMap.ts';
import { nearShare } from './nearness.ts';
import type { Sight } from './sight.ts';

/** Directions of the sky that are asked, and texels along a side of their maps: of large pictures, and of small ones. */
const DIRECTIONS = 60;
const MAP_SIZE = 640;
const LEAST_MAP = 160;
/** Triangles of a scene beyond which fewer directions are asked. */
const MANY_TRIANGLES = 400_000;
const FEWEST_DIRECTIONS = 12;
const TURN_COS = -0.7373688780783197;
const TURN_SIN = 0.6754902942615238;

/** Directions spread evenly over the upper half of the sphere. */
function skyDirections(count: number): Vec3[] {
  let [c, s] = [1, 0];
  return Array.from({ length: count }, (_, i): Vec3 => {
    const y = (i + 0.5) / count;
    const flat = Math.sqrt(1 - y * y);
    const direction: Vec3 = [c * flat, y, s * flat];
    [c, s] = [c * TURN_COS - s * TURN_SIN, s * TURN_COS + c * TURN_SIN];
    return direction;
  });
}

/** Adds the light of one direction of the sky to places that face it, and what they would get of it in the open to `whole`. */
function addSky(
  { distances, normals, points }: Grid,
  map: LightMap,
  [x, y, z]: Vec3,
  light: Float32Array,
  whole: Float32Array,
): void {
  const { texel, matrix: m, inverses, size } = map;
  const lift = texel * 1.2;
  for (let i = 0, at = 0; i < distances.length; i++, at += 3) {
    if (distances[i] === Infinity) continue;
    const nx = normals[at];
    const ny = normals[at + 1];
    const nz = normals[at + 2];
    const facing = nx * x + ny * y + nz * z;
    if (facing <= 0) continue;
    whole[i] += facing;
    // As map.place and map.reached, of which V8 makes one loop only where they are written into it.
    const px = points[at] + nx * lift;
    const py = points[at + 1] + ny * lift;
    const pz = points[at + 2] + nz * lift;
    const distance = m[8] * px + m[9] * py + m[10] * pz + m[11];
    const column = (m[0] * px + m[1] * py + m[2] * pz + m[3]) / distance;
    const row = (m[4] * px + m[5] * py + m[6] * pz + m[7]) / distance;
    const left = Math.floor(column);
    const top = Math.floor(row);
    if (left < 0 || top < 0 || left + 1 >= size || top + 1 >= size) {
      light[i] += facing;
      continue;
    }
    const inverse = 1 / (distance - texel);
    const first = top * size + left;
    const across = column - left;
    const upper = (inverses[first] <= inverse ? 1 - across : 0) + (inverses[first + 1] <= inverse ? across : 0);
    const below = first + size;
    const lower = (inverses[below] <= inverse ? 1 - across : 0) + (inverses[below + 1] <= inverse ? across : 0);
    light[i] += facing * (upper + (lower - upper) * (row - top));
  }
}

/** Of what comes from below the horizon, the share that reaches a surface. */
const FROM_BELOW = 0.55;

/**
 * The share of the light from around that each place gets, 0 to 1. `box`: of all places; `isInside`: there is no sky, and only
 * what is near counts.
 */
export function occlusionOf(
  sight: Sight,
  grid: Grid,
  box: Bounds,
  radius: number,
  triangles: number,
  isInside: boolean,
) {
  const near = nearShare(grid, isInside);
  if (isInside) return near;
  const count = grid.distances.length;
  const fewer = Math.floor((DIRECTIONS * MANY_TRIANGLES) / Math.max(1, triangles));
  const directions = skyDirections(Math.max(FEWEST_DIRECTIONS, Math.min(DIRECTIONS, fewer)));
  const light = new Float32Array(count);
  const whole = new Float32Array(count);
  const map = new LightMap(Math.min(MAP_SIZE, Math.max(LEAST_MAP, Math.max(grid.camera.width, grid.camera.height))));
  for (const direction of directions) {
    map.draw(sight, direction, box, radius);
    addSky(grid, map, direction, light, whole);
  }
  for (let i = 0; i < count; i++) {
    // The half of the sky that a surface sees sums up to half the number of directions; the rest comes from below.
    const below = Math.max(0, directions.length / 2 - whole[i]);
    const far = (light[i] + below * FROM_BELOW) / (whole[i] + below);
    near[i] *= far;
  }
  return near;
}
