// The distance from a point to a triangle, for the few points of which the kernel is not asked.

/**
 * The squared distance from the point at `points[at]`, followed by its normal, to the triangle at `indices[i]`; Infinity
 * where the triangle faces the other way (Ericson, Real-Time Collision Detection, 5.1.5).
 */
export function squaredDistance(
  p: Float32Array,
  indices: Uint32Array,
  i: number,
  points: Float64Array,
  at: number,
): number {
  const a = indices[i] * 3;
  const b = indices[i + 1] * 3;
  const c = indices[i + 2] * 3;
  // 1. Both edges at the first corner, and the way from there to the point.
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const x = points[at] - p[a];
  const y = points[at + 1] - p[a + 1];
  const z = points[at + 2] - p[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  if (!(nx * points[at + 3] + ny * points[at + 4] + nz * points[at + 5] > 0)) return Infinity;

  // 2. The weights of the second and third corner in the nearest point.
  const d1 = ux * x + uy * y + uz * z;
  const d2 = vx * x + vy * y + vz * z;
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const d3 = d1 - uu;
  const d4 = d2 - uv;
  const d5 = d1 - uv;
  const d6 = d2 - vv;
  const sa = d3 * d6 - d5 * d4;
  const sb = d5 * d2 - d1 * d6;
  const sc = d1 * d4 - d3 * d2;
  let s = 0;
  let t = 0;
  if (d1 <= 0 && d2 <= 0) s = 0;
  else if (d3 >= 0 && d4 <= d3) s = 1;
  else if (sc <= 0 && d1 >= 0 && d3 <= 0) s = d1 / (d1 - d3);
  else if (d6 >= 0 && d5 <= d6) t = 1;
  else if (sb <= 0 && d2 >= 0 && d6 <= 0) t = d2 / (d2 - d6);
  else if (sa <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    t = (d4 - d3) / (d4 - d3 + d5 - d6);
    s = 1 - t;
  } else {
    s = sb / (sa + sb + sc);
    t = sc / (sa + sb + sc);
  }
  return (x - s * ux - t * vx) ** 2 + (y - s * uy - t * vy) ** 2 + (z - s * uz - t * vz) ** 2;
}
