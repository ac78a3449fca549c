// Colour features: connected triangles of one colour, and how much of them a level still shows.

import { triangleArea } from '../../src/geometry/lod/deviation.ts';
import { PositionIds } from '../../src/geometry/mesh/positionIds.ts';
import { alike, colorAt, type Payload, SAME_COLOR } from './payload.ts';
import type { TriangleGrid } from './triangleGrid.ts';
import { areaOf, crossed, nearestPoint } from './vectors.ts';

/** Points on each colour feature. */
const SAMPLES = 24;

/** Cosine below which a triangle counts as facing the other way. */
const OTHER_WAY = -0.35;

/** A feature is lost where less than this share of its points still finds its colour. */
export const KEPT = 0.7;

export interface Feature {
  /** Greatest projected area over the diagonal of its box, in metres. */
  readonly width: number;
  readonly area: number;
  /** Points, and of the triangle that each lies in the normal and the colour: nine numbers each. */
  readonly points: Float64Array;
}

const DIRECTIONS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.7, 0, 0.7],
  [0.7, 0, -0.7],
  [0, 0.7, 0.7],
  [0, 0.7, -0.7],
  [0.7, 0.7, 0],
  [0.7, -0.7, 0],
].flatMap(([x, y, z]) => [
  [x, y, z],
  [-x, -y, -z],
]);

/** Connected triangles of one colour. */
export function featuresOf({ mesh: { positions, indices }, colors }: Payload): Feature[] {
  const ids = new PositionIds().of(positions);
  const count = indices.length / 3;
  const parent = Uint32Array.from({ length: count }, (_, t) => t);
  const root = (t: number): number => {
    while (parent[t] !== t) t = parent[t] = parent[parent[t]];
    return t;
  };
  const edges = new Map<string, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [ids[indices[i]], ids[indices[i % 3 === 2 ? i - 2 : i + 1]]];
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    const t = Math.floor(i / 3);
    const others = edges.get(key);
    if (!others) edges.set(key, [t]);
    else {
      for (const other of others) if (alike(colors, t * 3, colors, other * 3)) parent[root(t)] = root(other);
      others.push(t);
    }
  }
  const groups = new Map<number, number[]>();
  for (let t = 0; t < count; t++) {
    if (Number.isNaN(colors[t * 3])) continue;
    const r = root(t);
    const group = groups.get(r);
    if (group) group.push(t);
    else groups.set(r, [t]);
  }
  const features: Feature[] = [];
  for (const group of groups.values()) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const projected = new Float64Array(DIRECTIONS.length);
    const areas = group.map((t) => triangleArea(positions, indices, t * 3));
    const total = areas.reduce((sum, a) => sum + a, 0);
    if (!(total > 0)) continue;
    const points = new Float64Array(SAMPLES * 9);
    let sampled = 0;
    let passed = 0;
    group.forEach((t, g) => {
      const corners = [0, 1, 2].map((k) => [...positions.subarray(indices[t * 3 + k] * 3, indices[t * 3 + k] * 3 + 3)]);
      for (const corner of corners) {
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], corner[k]);
          high[k] = Math.max(high[k], corner[k]);
        }
      }
      const [p, q, r] = corners;
      const n = crossed(positions, indices, t * 3);
      DIRECTIONS.forEach((d, i) => {
        projected[i] += Math.max(0, n[0] * d[0] + n[1] * d[1] + n[2] * d[2]) / 2;
      });
      passed += areas[g];
      while (sampled < SAMPLES && ((sampled + 0.5) / SAMPLES) * total <= passed) {
        const s = Math.sqrt((sampled * 0.618034 + 0.5) % 1);
        const w = (sampled * 0.754878 + 0.25) % 1;
        for (let k = 0; k < 3; k++) {
          points[sampled * 9 + k] = p[k] * (1 - s) + q[k] * s * (1 - w) + r[k] * s * w;
          points[sampled * 9 + 3 + k] = n[k];
          points[sampled * 9 + 6 + k] = colors[t * 3 + k];
        }
        sampled++;
      }
    });
    const diagonal = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    features.push({
      width: Math.max(...projected) / diagonal,
      area: total,
      points: points.subarray(0, sampled * 9),
    });
  }
  return features;
}

/** The share of a feature's points that find its colour within `reach` metres in a level, on no side that faces the other way. */
export function keptOf({ points }: Feature, level: Payload, grid: TriangleGrid, range: number): number {
  const { positions, indices } = level.mesh;
  const uv0 = level.mesh.attributes.uv0 as Float32Array;
  const nearestIn = (t: number, point: readonly number[]) => {
    const corners = [0, 1, 2].map((k) => [...positions.subarray(indices[t * 3 + k] * 3, indices[t * 3 + k] * 3 + 3)]);
    return { corners, nearest: nearestPoint(corners[0], corners[1], corners[2], point) };
  };
  let kept = 0;
  for (let at = 0; at < points.length; at += 9) {
    const [x, y, z, nx, ny, nz] = points.subarray(at, at + 6);
    const color = points.subarray(at + 6, at + 9);
    const fits = (t: number): boolean => {
      for (let k = 0; k < 3; k++) {
        if (color[k] < level.ranges[t * 6 + k] - SAME_COLOR) return false;
        if (color[k] > level.ranges[t * 6 + 3 + k] + SAME_COLOR) return false;
      }
      const [mx, my, mz] = crossed(positions, indices, t * 3);
      // A reveal that has gone is drawn by the wall around it; what faces the other way draws nothing of it.
      const cosine = (nx * mx + ny * my + nz * mz) / (Math.hypot(nx, ny, nz) * Math.hypot(mx, my, mz));
      if (!(cosine > OTHER_WAY)) return false;
      const {
        corners: [p, q, r],
        nearest,
      } = nearestIn(t, [x, y, z]);
      const weights = [areaOf(nearest, q, r), areaOf(p, nearest, r), areaOf(p, q, nearest)];
      const whole = weights[0] + weights[1] + weights[2];
      const uv = [0, 1].map((k) =>
        weights.reduce((sum, w, c) => sum + (w / whole) * uv0[indices[t * 3 + c] * 2 + k], 0),
      );
      const { pixels, material } = level.paints[t];
      return alike(colorAt(pixels, material, uv[0], uv[1]), 0, color, 0);
    };
    if (grid.some([x, y, z], range, fits)) kept++;
  }
  return points.length === 0 ? 1 : kept / (points.length / 9);
}
