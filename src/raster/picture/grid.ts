// What a camera sees at the places of a grid over its picture, and the floor below a scene: where light is found once for several
// pixels.

import type { Bounds, Vec3 } from '../../scene/types.ts';
import type { Camera } from '../camera.ts';
import type { RasterScene } from '../scene.ts';
import { Hit, Rays } from './hit.ts';
import { NOTHING, type Sight } from './sight.ts';

/** Places of the grid at most: of larger pictures a place is several pixels wide. */
const MAX_PLACES = 2 ** 19;

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
