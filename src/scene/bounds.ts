// Axis-aligned boxes: of point arrays, and the union of boxes.

import type { Bounds, Mat4, Vec3 } from './types.ts';

export function unite(a: Bounds | null, b: Bounds | null): Bounds | null {
  if (a === null) return b;
  if (b === null) return a;
  return {
    min: [Math.min(a.min[0], b.min[0]), Math.min(a.min[1], b.min[1]), Math.min(a.min[2], b.min[2])],
    max: [Math.max(a.max[0], b.max[0]), Math.max(a.max[1], b.max[1]), Math.max(a.max[2], b.max[2])],
  };
}

export function center(b: Bounds): Vec3 {
  return [(b.min[0] + b.max[0]) / 2, (b.min[1] + b.max[1]) / 2, (b.min[2] + b.max[2]) / 2];
}

/** Metres from a point to the nearest point of a box, 0 inside: how the engine's loader measures tiles. */
export function distanceToBounds([x, y, z]: Vec3, { min, max }: Bounds): number {
  const dx = Math.max(min[0] - x, 0, x - max[0]);
  const dy = Math.max(min[1] - y, 0, y - max[1]);
  const dz = Math.max(min[2] - z, 0, z - max[2]);
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** The box of xyz points, transformed by `world` when given; null for none. NaN coordinates are passed over. */
export function boundsOfPoints(points: Float32Array | Float64Array, world?: Mat4): Bounds | null {
  if (points.length < 3) return null;
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  for (let i = 0; i + 2 < points.length; i += 3) {
    let x = points[i];
    let y = points[i + 1];
    let z = points[i + 2];
    if (world) {
      const px = x;
      const py = y;
      const pz = z;
      x = world[0] * px + world[4] * py + world[8] * pz + world[12];
      y = world[1] * px + world[5] * py + world[9] * pz + world[13];
      z = world[2] * px + world[6] * py + world[10] * pz + world[14];
    }
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  return x0 <= x1 && y0 <= y1 && z0 <= z1 ? { min: [x0, y0, z0], max: [x1, y1, z1] } : null;
}
