// The backs of sheets: where a slab, such as a roof or an awning, is simplified to one sheet, its upper and its lower side lie
// at one depth or have changed sides, and a renderer that culls nothing shows either. The side that looks up stays.

import { TriangleBoxes } from '../lod/triangleBoxes.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { triangleCross } from '../mesh/triangleCross.ts';
import { uniteMeshes } from '../mesh/united.ts';

/** Two triangles can be the two sides of a slab only if the cosine between their normals is at most this. */
const MOST_COSINE = -0.9;

/** A back lies at most this share of `reach` under its front: less is not told apart by a depth buffer. */
const INSIDE = 0.02;

/** Barycentric coordinates of the points of a triangle at which its other side is looked for, and how many they are. */
const POINTS = Float64Array.of(
  ...[1 / 3, 1 / 3, 1 / 3],
  ...[0.9, 0.05, 0.05],
  ...[0.05, 0.9, 0.05],
  ...[0.05, 0.05, 0.9],
  ...[0.48, 0.48, 0.04],
  ...[0.04, 0.48, 0.48],
  ...[0.48, 0.04, 0.48],
);
const POINT_COUNT = POINTS.length / 3;
const ALL_POINTS = (1 << POINT_COUNT) - 1;

/** Points on an edge lie on both of its triangles. */
const EDGE = 1e-6;

/**
 * The meshes without the triangles that others which look up more cover at all points, from the other side and from no deeper
 * than `reach` metres below. Vertices stay as they are; null where no triangle is left.
 */
export function withoutBacks(meshes: readonly Float32Mesh[], reach: number): readonly (Float32Mesh | null)[] {
  const united = uniteMeshes(meshes);
  if (united.indices.length === 0) return meshes;
  const isBack = backsOf(united, reach);
  let first = 0;
  return meshes.map((mesh) => {
    const indices = mesh.indices.filter((_, i) => isBack[first + Math.floor(i / 3)] === 0);
    first += mesh.indices.length / 3;
    if (indices.length === mesh.indices.length) return mesh;
    return indices.length === 0 ? null : { ...mesh, indices };
  });
}

function backsOf({ positions: p, indices }: Float32Mesh, reach: number): Uint8Array {
  const count = indices.length / 3;
  const isBack = new Uint8Array(count);
  const normals = normalsOf(p, indices);
  const boxes = new TriangleBoxes(p, indices);
  const around = new Uint32Array(count);
  const low = new Float64Array(3);
  const high = new Float64Array(3);
  const points = new Float64Array(POINT_COUNT * 3);
  for (let t = 0; t < count; t++) {
    const nx = normals[t * 3];
    const ny = normals[t * 3 + 1];
    const nz = normals[t * 3 + 2];
    // What looks up has no side that looks up more.
    if (ny > 0 || (nx === 0 && ny === 0 && nz === 0)) continue;
    points.fill(0);
    low.fill(Infinity);
    high.fill(-Infinity);
    for (let corner = 0; corner < 3; corner++) {
      const v = indices[t * 3 + corner] * 3;
      for (let k = 0; k < 3; k++) {
        const value = p[v + k];
        for (let i = 0; i < POINT_COUNT; i++) points[i * 3 + k] += POINTS[i * 3 + corner] * value;
        const along = reach * normals[t * 3 + k];
        low[k] = Math.min(low[k], value, value + along);
        high[k] = Math.max(high[k], value, value + along);
      }
    }
    let covered = 0;
    const found = boxes.around(low, high, around);
    for (let i = 0; i < found && covered !== ALL_POINTS; i++) {
      const other = around[i];
      if (other === t || isBack[other] === 1) continue;
      const cosine = nx * normals[other * 3] + ny * normals[other * 3 + 1] + nz * normals[other * 3 + 2];
      const up = normals[other * 3 + 1];
      if (cosine > MOST_COSINE || up < ny || (up === ny && other > t)) continue;
      covered |= coveredBy(p, indices, other, points, nx, ny, nz, reach);
    }
    if (covered === ALL_POINTS) isBack[t] = 1;
  }
  return isBack;
}

/** A bit for each point from which a ray along a normal meets a triangle within `reach`, or has just left it. */
function coveredBy(
  p: Float32Array,
  indices: Uint32Array,
  t: number,
  points: Float64Array,
  nx: number,
  ny: number,
  nz: number,
  reach: number,
): number {
  const a = indices[t * 3] * 3;
  const b = indices[t * 3 + 1] * 3;
  const c = indices[t * 3 + 2] * 3;
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  // Moeller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection", 1997.
  const px = ny * vz - nz * vy;
  const py = nz * vx - nx * vz;
  const pz = nx * vy - ny * vx;
  const determinant = ux * px + uy * py + uz * pz;
  if (determinant === 0) return 0;
  let covered = 0;
  for (let i = 0; i < POINT_COUNT; i++) {
    const sx = points[i * 3] - p[a];
    const sy = points[i * 3 + 1] - p[a + 1];
    const sz = points[i * 3 + 2] - p[a + 2];
    const second = (sx * px + sy * py + sz * pz) / determinant;
    if (second < -EDGE || second > 1 + EDGE) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const third = (nx * qx + ny * qy + nz * qz) / determinant;
    if (third < -EDGE || second + third > 1 + EDGE) continue;
    // How far along its own normal the point would have to go.
    const way = (vx * qx + vy * qy + vz * qz) / determinant;
    if (way >= -INSIDE * reach && way <= reach) covered |= 1 << i;
  }
  return covered;
}

/** Unit normals, zero for a triangle without an area. */
function normalsOf(p: Float32Array, indices: Uint32Array): Float64Array {
  const normals = new Float64Array(indices.length);
  const cross = new Float64Array(3);
  for (let i = 0; i < indices.length; i += 3) {
    triangleCross(p, indices, i, cross);
    const x = cross[0];
    const y = cross[1];
    const z = cross[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length === 0) continue;
    normals[i] = x / length;
    normals[i + 1] = y / length;
    normals[i + 2] = z / length;
  }
  return normals;
}
