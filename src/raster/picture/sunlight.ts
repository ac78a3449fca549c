// The shadow of the sun, whose edge is the softer the farther the shadow falls (R. Fernando, "Percentage-Closer Soft Shadows",
// 2005): the mean distance of what is in the way says how wide the edge is, and a disc of that width is asked.

import type { LightMap } from './lightMap.ts';

/** Places of a disc that are asked. */
const SEARCHED = 9;
const PLACES = 16;
/** The widest search, in texels. */
const MAX_REACH = 16;
/** Cosine and sine of the golden angle. */
const TURN_COS = -0.7373688780783197;
const TURN_SIN = 0.6754902942615238;

/** Points spread evenly over a disc of radius 1: x and y of each (H. Vogel, "A better way to construct the sunflower head", 1979). */
function disc(count: number): Float64Array {
  const out = new Float64Array(count * 2);
  let [c, s] = [1, 0];
  for (let i = 0; i < count; i++) {
    const radius = Math.sqrt((i + 0.5) / count);
    out[i * 2] = c * radius;
    out[i * 2 + 1] = s * radius;
    [c, s] = [c * TURN_COS - s * TURN_SIN, s * TURN_COS + c * TURN_SIN];
  }
  return out;
}

const SEARCH = disc(SEARCHED);
const DISC = disc(PLACES);

/** The share of the sun, 0 to 1, that a place gets; `g`: the normal of the surface, which keeps it out of its own shadow. */
export function sunAt(
  map: LightMap,
  tangent: number,
  x: number,
  y: number,
  z: number,
  gx: number,
  gy: number,
  gz: number,
): number {
  const { texel, size, inverses } = map;
  const lift = texel * 1.6;
  map.place(x + gx * lift, y + gy * lift, z + gz * lift);
  const { column, row } = map;
  const distance = map.distance - texel;
  const inverse = 1 / distance;
  const reach = Math.min(MAX_REACH, Math.max(2, (size * tangent) / 8));
  let blocked = 0;
  let sum = 0;
  for (let k = 0; k < SEARCH.length; k += 2) {
    const i = Math.floor(column + SEARCH[k] * reach + 0.5);
    const j = Math.floor(row + SEARCH[k + 1] * reach + 0.5);
    if (i < 0 || j < 0 || i >= size || j >= size) continue;
    const there = inverses[j * size + i];
    if (there <= inverse) continue;
    sum += 1 / there;
    blocked++;
  }
  if (blocked === 0) return map.reached(column, row, inverse);
  const width = ((distance - sum / blocked) * tangent) / texel;
  const radius = Math.min(reach, Math.max(1, width));
  let light = 0;
  for (let k = 0; k < DISC.length; k += 2) {
    light += map.reached(column + DISC[k] * radius, row + DISC[k + 1] * radius, inverse);
  }
  return light / PLACES;
}
