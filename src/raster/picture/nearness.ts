// What lies close beside a place takes light from it: found in the picture's own distances, around each place in several
// directions, by how steeply the surroundings rise above its surface (L. Bavoil and M. Sainz, "Image-Space Horizon-Based Ambient
// Occlusion", 2009).

import type { Grid } from './grid.ts';

/** Directions around a place, and steps in each. */
const DIRECTIONS = 6;
/** Cosines and sines of 60 degrees' multiples, turned by a quarter of a step from place to place in squares of four by four. */
const SIDE = 4;

/** How far is looked, as a share of the picture's height, in how many steps, and how much it takes away. */
const OUTSIDE = { reach: 0.045, steps: 5, strength: 0.8 } as const;
const INSIDE = { reach: 0.2, steps: 9, strength: 1.25 } as const;

/** Rises below this sine are the surface's own roughness. */
const FLAT = 0.08;

/** Cosine and sine of the directions of one place of the square: 16 sets. */
const TURNS: readonly Float64Array[] = (() => {
  // A sixteenth of 60 degrees: 3.75.
  const [c0, s0] = [0.9978589232386035, 0.06540312923014306];
  const [c60, s60] = [0.5, 0.8660254037844386];
  let [c, s] = [1, 0];
  const sets: Float64Array[] = [];
  for (let k = 0; k < SIDE * SIDE; k++) {
    const set = new Float64Array(DIRECTIONS * 2);
    let [x, y] = [c, s];
    for (let d = 0; d < DIRECTIONS; d++) {
      set[d * 2] = x;
      set[d * 2 + 1] = y;
      [x, y] = [x * c60 - y * s60, y * c60 + x * s60];
    }
    sets.push(set);
    [c, s] = [c * c0 - s * s0, s * c0 + c * s0];
  }
  return sets;
})();

/** Which of the sets a place of the square takes: neighbours differ much. */
const ORDER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5] as const;

/** The share of light that what is near leaves to each place. */
export function nearShare(grid: Grid, isInside: boolean): Float32Array {
  const { camera, distances } = grid;
  const { width, height } = camera;
  const settings = isInside ? INSIDE : OUTSIDE;
  const raw = new Float32Array(width * height).fill(1);
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const at = j * width + i;
      if (distances[at] === Infinity) continue;
      const turns = TURNS[ORDER[(j & 3) * SIDE + (i & 3)]];
      // Steps begin at other places in each of the four, so that none is left out by all.
      const begin = (((i + 2 * j) & 3) + 1) / 4;
      raw[at] = 1 - Math.min(1, settings.strength * riseAt(grid, i, j, turns, begin, settings));
    }
  }
  return smoothed(grid, raw);
}

/** The mean over directions of how far what is near rises above a place: 0 to 1. */
function riseAt(
  { camera, distances, points, normals }: Grid,
  column: number,
  row: number,
  turns: Float64Array,
  begin: number,
  { reach, steps }: { readonly reach: number; readonly steps: number },
): number {
  const { width, height } = camera;
  const at = row * width + column;
  const px = points[at * 3];
  const py = points[at * 3 + 1];
  const pz = points[at * 3 + 2];
  const nx = normals[at * 3];
  const ny = normals[at * 3 + 1];
  const nz = normals[at * 3 + 2];
  const pixels = reach * height;
  const metres = (pixels * (camera.top - camera.bottom) * distances[at]) / height;
  const limit = 1 / (metres * metres);
  let sum = 0;
  for (let d = 0; d < turns.length; d += 2) {
    let highest = 0;
    for (let k = 0; k < steps; k++) {
      const share = (k + begin) / steps;
      const way = 1 + share * share * pixels;
      const i = Math.floor(column + turns[d] * way + 0.5);
      const j = Math.floor(row + turns[d + 1] * way + 0.5);
      if (i < 0 || j < 0 || i >= width || j >= height) break;
      const there = (j * width + i) * 3;
      if (distances[j * width + i] === Infinity) continue;
      const x = points[there] - px;
      const y = points[there + 1] - py;
      const z = points[there + 2] - pz;
      const squared = x * x + y * y + z * z;
      const fade = 1 - squared * limit;
      if (fade <= 0 || squared === 0) continue;
      const rise = ((x * nx + y * ny + z * nz) / Math.sqrt(squared) - FLAT) * fade;
      if (rise > highest) highest = rise;
    }
    sum += highest;
  }
  return sum / DIRECTIONS;
}

/** The mean of four by four places of the same surface: each has all 16 sets of directions. */
function smoothed({ camera, distances, points, normals }: Grid, raw: Float32Array): Float32Array {
  const { width, height } = camera;
  const out = new Float32Array(raw.length).fill(1);
  const pixel = (camera.top - camera.bottom) / height;
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const at = j * width + i;
      if (distances[at] === Infinity) continue;
      const a = at * 3;
      const limit = pixel * distances[at] * 3;
      let sum = 0;
      let count = 0;
      for (let y = Math.max(0, j - 2); y < Math.min(height, j + 2); y++) {
        for (let x = Math.max(0, i - 2); x < Math.min(width, i + 2); x++) {
          const b = (y * width + x) * 3;
          if (distances[y * width + x] === Infinity) continue;
          const off =
            (points[b] - points[a]) * normals[a] +
            (points[b + 1] - points[a + 1]) * normals[a + 1] +
            (points[b + 2] - points[a + 2]) * normals[a + 2];
          if (Math.abs(off) > limit) continue;
          sum += raw[y * width + x];
          count++;
        }
      }
      out[at] = sum / count;
    }
  }
  return out;
}
