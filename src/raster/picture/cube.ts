// Light from all directions as the six faces of a cube: +X, -X, +Y, -Y, +Z, -Z, each of size x size texels of three numbers.

import type { Vec3 } from '../../scene/types.ts';

export interface Cube {
  readonly size: number;
  /** Linear radiance, red, green and blue a texel. */
  readonly texels: Float32Array;
}

/** The axis of each face, and those along which its columns and rows run. */
const FACES: readonly { readonly axis: Vec3; readonly across: Vec3; readonly down: Vec3 }[] = [
  { axis: [1, 0, 0], across: [0, 0, -1], down: [0, -1, 0] },
  { axis: [-1, 0, 0], across: [0, 0, 1], down: [0, -1, 0] },
  { axis: [0, 1, 0], across: [1, 0, 0], down: [0, 0, 1] },
  { axis: [0, -1, 0], across: [1, 0, 0], down: [0, 0, -1] },
  { axis: [0, 0, 1], across: [1, 0, 0], down: [0, -1, 0] },
  { axis: [0, 0, -1], across: [-1, 0, 0], down: [0, -1, 0] },
];

/** Of each texel of a cube of this size: its direction, of unit length, and its solid angle in steradians; four numbers. */
export function directionsOf(size: number): Float64Array {
  const out = new Float64Array(6 * size * size * 4);
  let at = 0;
  let all = 0;
  for (const { axis, across, down } of FACES) {
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++, at += 4) {
        const s = ((i + 0.5) / size) * 2 - 1;
        const t = ((j + 0.5) / size) * 2 - 1;
        const squared = 1 + s * s + t * t;
        const over = 1 / Math.sqrt(squared);
        for (let k = 0; k < 3; k++) out[at + k] = (axis[k] + across[k] * s + down[k] * t) * over;
        out[at + 3] = over / squared;
        all += over / squared;
      }
    }
  }
  // Texels are no points: their angles are made to fill the sphere.
  for (let i = 3; i < out.length; i += 4) out[i] *= (4 * Math.PI) / all;
  return out;
}

/** A cube whose texels `radiance` gives: it writes three numbers for a direction. */
export function cubeOf(size: number, radiance: (x: number, y: number, z: number, to: Float64Array) => void): Cube {
  const directions = directionsOf(size);
  const texels = new Float32Array(6 * size * size * 3);
  const light = new Float64Array(3);
  for (let i = 0; i * 4 < directions.length; i++) {
    radiance(directions[i * 4], directions[i * 4 + 1], directions[i * 4 + 2], light);
    texels.set(light, i * 3);
  }
  return { size, texels };
}

/** Half as large: each texel the mean of four. */
export function halvedCube({ size, texels }: Cube): Cube {
  const half = size >> 1;
  const out = new Float32Array(6 * half * half * 3);
  for (let face = 0; face < 6; face++) {
    for (let j = 0; j < half; j++) {
      for (let i = 0; i < half; i++) {
        const from = ((face * size + j * 2) * size + i * 2) * 3;
        const to = ((face * half + j) * half + i) * 3;
        for (let k = 0; k < 3; k++) {
          const below = from + size * 3 + k;
          out[to + k] = (texels[from + k] + texels[from + 3 + k] + texels[below] + texels[below + 3]) / 4;
        }
      }
    }
  }
  return { size: half, texels: out };
}

/** Adds what comes from a direction, bilinear within a face, times `weight`, to the three numbers of `sum`. */
export function addCube(
  { size, texels }: Cube,
  x: number,
  y: number,
  z: number,
  weight: number,
  sum: Float64Array,
): void {
  const [wx, wy, wz] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  let face: number;
  let s: number;
  let t: number;
  if (wx >= wy && wx >= wz) {
    face = x > 0 ? 0 : 1;
    s = (x > 0 ? -z : z) / wx;
    t = -y / wx;
  } else if (wy >= wz) {
    face = y > 0 ? 2 : 3;
    s = x / wy;
    t = (y > 0 ? z : -z) / wy;
  } else {
    face = z > 0 ? 4 : 5;
    s = (z > 0 ? x : -x) / wz;
    t = -y / wz;
  }
  const column = Math.min(size - 1, Math.max(0, ((s + 1) / 2) * size - 0.5));
  const row = Math.min(size - 1, Math.max(0, ((t + 1) / 2) * size - 0.5));
  const i = Math.min(size - 2, Math.floor(column));
  const j = Math.min(size - 2, Math.floor(row));
  const across = column - i;
  const down = row - j;
  const a = ((face * size + j) * size + i) * 3;
  const c = a + size * 3;
  const wd = across * down * weight;
  const wb = across * weight - wd;
  const wc = down * weight - wd;
  const wa = weight - wb - wc - wd;
  for (let k = 0; k < 3; k++) {
    sum[k] += texels[a + k] * wa + texels[a + 3 + k] * wb + texels[c + k] * wc + texels[c + 3 + k] * wd;
  }
}
