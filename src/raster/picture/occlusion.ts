// How much of the sky surfaces see, for each place of a grid over the picture: from far by maps of the light from many directions,
// and from near, where those are too coarse, by what the picture itself shows beside a place.

import type { Bounds, Vec3 } from '../../scene/types.ts';
import type { Camera } from '../camera.ts';
import type { RasterScene } from '../scene.ts';
import { Hit, Rays } from './hit.ts';
import { LightMap } from './lightMap.ts';
import { nearShare } from './nearness.ts';
import { NOTHING, type Sight } from './sight.ts';

/** Places of the grid at most: of larger pictures a place is several pixels wide. */
const MAX_PLACES = 2 ** 19;
/** Directions of the sky that are asked, and texels along a side of their maps: of large pictures, and of small ones. */
const DIRECTIONS = 60;
const MAP_SIZE = 640;
const LEAST_MAP = 160;
/** Triangles of a scene beyond which fewer directions are asked. */
const MANY_TRIANGLES = 400_000;
const FEWEST_DIRECTIONS = 12;
const TURN_COS = -0.7373688780783197;
const TURN_SIN = 0.6754902942615238;

/** What the camera sees at each place of the grid; rows from the top. */
export interface Grid {
  readonly camera: Camera;
  /** Pixels of the picture in a place. */
  readonly step: number;
  /** Metres in front of the eye; Infinity: no surface. */
  readonly distances: Float32Array;
  /** Three numbers a place: on the side of the eye. */
  readonly normals: Float32Array;
  /** Three numbers a place, in the world. */
  readonly points: Float32Array;
}

/** A floor that nobody sees but by the shadows on it. */
export interface Floor {
  readonly height: number;
  /** Where the scene stands on it, and from where on shadows fade. */
  readonly x: number;
  readonly z: number;
  readonly radius: number;
}

export function gridOf(sight: Sight, scene: RasterScene, picture: Camera, floor: Floor | null): Grid {
  let step = 1;
  while (Math.ceil(picture.width / step) * Math.ceil(picture.height / step) > MAX_PLACES) step++;
  const [width, height] = [Math.ceil(picture.width / step), Math.ceil(picture.height / step)];
  const rightEdge = picture.left + ((picture.rightEdge - picture.left) * width * step) / picture.width;
  const bottom = picture.top - ((picture.top - picture.bottom) * height * step) / picture.height;
  const camera = { ...picture, rightEdge, bottom, width, height };
  const distances = new Float32Array(width * height).fill(Infinity);
  const normals = new Float32Array(width * height * 3);
  const points = new Float32Array(width * height * 3);
  const rays = new Rays(scene, camera);
  const hit = new Hit();
  const ray = new Float64Array(3);
  const set = (at: number) => {
    distances[at] = hit.distance;
    points[at * 3] = hit.x;
    points[at * 3 + 1] = hit.y;
    points[at * 3 + 2] = hit.z;
    const side = hit.nx * hit.gx + hit.ny * hit.gy + hit.nz * hit.gz < 0 ? -1 : 1;
    normals[at * 3] = hit.nx * side;
    normals[at * 3 + 1] = hit.ny * side;
    normals[at * 3 + 2] = hit.nz * side;
  };
  sight.look(camera, 1, ({ row, rows, stride, triangles }) => {
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < width; i++) {
        const triangle = triangles[j * stride + i];
        if (triangle === NOTHING && floor === null) continue;
        rays.ray(i + 0.5, row + j + 0.5, ray);
        if (triangle !== NOTHING) rays.meet(triangle, ray, hit);
        else if (!meetFloor(floor!, camera, ray, hit)) continue;
        set((row + j) * width + i);
      }
    }
  });
  return { camera, step, distances, normals, points };
}

/** Whether a ray meets the floor where shadows show, and where. */
export function meetFloor(floor: Floor, { position }: Camera, ray: Float64Array, hit: Hit): boolean {
  const down = floor.height - position[1];
  if (!(down < 0) || !(ray[1] < 0)) return false;
  const distance = down / ray[1];
  hit.x = position[0] + ray[0] * distance;
  hit.y = floor.height;
  hit.z = position[2] + ray[2] * distance;
  hit.distance = distance;
  hit.nx = hit.nz = hit.gx = hit.gz = 0;
  hit.ny = hit.gy = 1;
  return floorShare(floor, hit.x, hit.z) > 0;
}

/** How much shadows show at a place of the floor: all around the scene, nothing at twice its radius. */
export function floorShare({ x, z, radius }: Floor, px: number, pz: number): number {
  const away = Math.sqrt((px - x) * (px - x) + (pz - z) * (pz - z)) / radius;
  const share = Math.min(1, Math.max(0, 2 - away));
  return share * share * (3 - 2 * share);
}

/** The box of all places; null where nothing is seen. */
export function boundsOfGrid({ distances, points }: Grid): Bounds | null {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < distances.length; i++) {
    if (distances[i] === Infinity) continue;
    for (let k = 0; k < 3; k++) {
      const value = points[i * 3 + k];
      if (value < min[k]) min[k] = value;
      if (value > max[k]) max[k] = value;
    }
  }
  if (min[0] > max[0]) return null;
  return { min: min as unknown as Vec3, max: max as unknown as Vec3 };
}

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
