// An environment made of light by longitude and latitude: spread over a cube, its sun taken out, and as bright as a clear day.

import type { Vec3 } from '../../scene/types.ts';
import { angleOf } from '../turn.ts';
import { type Cube, halvedCube } from './cube.ts';
import { buildEnvironment, type Environment, irradianceAt, type Sun } from './environment.ts';

/** Columns go once around from the south over the west, so that their middle lies north (-Z); rows go from the zenith down. */
export interface SkyGrid {
  readonly width: number;
  readonly height: number;
  /** Linear radiance of any scale: red, green, blue. */
  readonly texels: Float32Array;
}

/** Texels along a side of the cube that is seen, and of the one that lights. */
const SEEN_SIZE = 128;
const LIGHT_SIZE = 64;
/** Cosine of 5 degrees: the sun and the glow close around it. */
const SUN_COSINE = 0.9961946980917455;
/** The least share of the light on a white floor that a sun brings, and how much brighter than the mean its texels are. */
const SUN_SHARE = 0.12;
const SUN_CONTRAST = 12;
const SUN_TANGENT = 0.03;
/** What a white floor in the open shows. */
const EXPOSED = 1.05;

const luma = (r: number, g: number, b: number): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

interface Ray {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Cosines and sines of the middles of `count` equal parts of an angle that begins at `from`. */
function middles(from: number, all: number, count: number): Ray {
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let i = 0; i < count; i++) [x[i], y[i]] = angleOf(from + (all * (i + 0.5)) / count);
  return { x, y };
}

/** Calls `each` with every texel's index, direction and solid angle. */
function eachTexel(
  { width, height }: SkyGrid,
  each: (at: number, x: number, y: number, z: number, angle: number) => void,
): void {
  const around = middles(-Math.PI, 2 * Math.PI, width);
  const down = middles(Math.PI / 2, -Math.PI, height);
  const patch = ((2 * Math.PI) / width) * (Math.PI / height);
  for (let j = 0; j < height; j++) {
    const flat = down.x[j];
    for (let i = 0; i < width; i++) {
      each((j * width + i) * 3, around.y[i] * flat, down.y[j], -around.x[i] * flat, patch * flat);
    }
  }
}

/** The brightest place of the sky and what is around it, taken out of the grid; null: nothing stands out. */
function takeSun(grid: SkyGrid): Sun | null {
  const { texels } = grid;
  let mean = 0;
  let highest = 0;
  let peak: Vec3 = [0, 1, 0];
  eachTexel(grid, (at, x, y, z, angle) => {
    const light = luma(texels[at], texels[at + 1], texels[at + 2]);
    mean += (light * angle) / (4 * Math.PI);
    if (light <= highest || y <= 0) return;
    highest = light;
    peak = [x, y, z];
  });
  const limit = mean * SUN_CONTRAST;
  if (highest < limit) return null;
  const direction = [0, 0, 0];
  const color = [0, 0, 0];
  let floor = 0;
  const isSun = (at: number, x: number, y: number, z: number) =>
    x * peak[0] + y * peak[1] + z * peak[2] > SUN_COSINE && luma(texels[at], texels[at + 1], texels[at + 2]) > limit;
  eachTexel(grid, (at, x, y, z, angle) => {
    const light = luma(texels[at], texels[at + 1], texels[at + 2]);
    if (y > 0) floor += (light * y * angle) / Math.PI;
    if (!isSun(at, x, y, z)) return;
    const more = 1 - limit / light;
    for (let k = 0; k < 3; k++) color[k] += (texels[at + k] * more * angle) / Math.PI;
    for (const [k, part] of [x, y, z].entries()) direction[k] += part * light * more * angle;
  });
  const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
  const up = direction[1] / length;
  if (!(length > 0) || luma(color[0], color[1], color[2]) * up < SUN_SHARE * floor) return null;
  eachTexel(grid, (at, x, y, z) => {
    if (!isSun(at, x, y, z)) return;
    const share = limit / luma(texels[at], texels[at + 1], texels[at + 2]);
    for (let k = 0; k < 3; k++) texels[at + k] *= share;
  });
  const unit = direction.map((part) => part / length) as unknown as Vec3;
  return { direction: unit, color: color as unknown as Vec3, tangent: SUN_TANGENT };
}

/** Each texel of the cube gets the mean of the texels of the grid in its direction. */
function cubeOfGrid(grid: SkyGrid, size: number): Cube {
  const sums = new Float64Array(6 * size * size * 4);
  eachTexel(grid, (at, x, y, z, angle) => {
    const to = cellOf(size, x, y, z) * 4;
    for (let k = 0; k < 3; k++) sums[to + k] += grid.texels[at + k] * angle;
    sums[to + 3] += angle;
  });
  const texels = new Float32Array(6 * size * size * 3);
  for (let i = 0; i < 6 * size * size; i++) {
    for (let k = 0; k < 3; k++) texels[i * 3 + k] = sums[i * 4 + 3] > 0 ? sums[i * 4 + k] / sums[i * 4 + 3] : 0;
  }
  return { size, texels };
}

/** The number of a cube's texel in a direction, as cube.ts lays them out. */
function cellOf(size: number, x: number, y: number, z: number): number {
  const [wx, wy, wz] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  let [face, s, t] = [0, 0, 0];
  if (wx >= wy && wx >= wz) [face, s, t] = [x > 0 ? 0 : 1, (x > 0 ? -z : z) / wx, -y / wx];
  else if (wy >= wz) [face, s, t] = [y > 0 ? 2 : 3, x / wy, (y > 0 ? z : -z) / wy];
  else [face, s, t] = [z > 0 ? 4 : 5, (z > 0 ? x : -x) / wz, -y / wz];
  const column = Math.min(size - 1, Math.max(0, Math.floor(((s + 1) / 2) * size)));
  const row = Math.min(size - 1, Math.max(0, Math.floor(((t + 1) / 2) * size)));
  return (face * size + row) * size + column;
}

/** Changes the grid's texels. At least 1536 x 768 of them, so that each texel of the cube gets one. */
export function environmentOfGrid(grid: SkyGrid): Environment {
  const sun = takeSun(grid);
  const seen = cubeOfGrid(grid, SEEN_SIZE);
  let lit = seen;
  while (lit.size > LIGHT_SIZE) lit = halvedCube(lit);
  const white = new Float64Array(3);
  irradianceAt(buildEnvironment(lit, null), 0, 1, 0, white);
  const onFloor = luma(white[0], white[1], white[2]) + (sun ? luma(...sun.color) * sun.direction[1] : 0);
  const scale = onFloor > 0 ? EXPOSED / onFloor : 1;
  const scaled = ({ size, texels }: Cube): Cube => ({ size, texels: texels.map((value) => value * scale) });
  const color = sun && (sun.color.map((value) => value * scale) as unknown as Vec3);
  return { ...buildEnvironment(scaled(lit), sun && { ...sun, color: color! }), cube: scaled(seen) };
}
