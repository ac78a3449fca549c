// The backs of sheets (geometry/hlod/backs.ts says what they are).

import { addToBox, beginSearch, emptyBox, nextLeaf } from './around.ts';
import { faces } from './faces.ts';
import { LEAF } from './hierarchy.ts';
import { Hierarchy, NONE } from './layout.ts';
import { word } from './words.ts';

/** Two triangles can be the two sides of a slab only if the cosine between their normals is at most this. */
const MOST_COSINE: f64 = -0.9;

/** A back lies at most this share of `reach` under its front: less is not told apart by a depth buffer. */
const INSIDE: f64 = 0.02;

/** Barycentric coordinates of the points of a triangle at which its other side is looked for, and how many they are. */
const THIRD: f64 = 1 / 3;
const WEIGHTS: usize = memory.data<f64>([
  THIRD,
  THIRD,
  THIRD,
  0.9,
  0.05,
  0.05,
  0.05,
  0.9,
  0.05,
  0.05,
  0.05,
  0.9,
  0.48,
  0.48,
  0.04,
  0.04,
  0.48,
  0.48,
  0.48,
  0.04,
  0.48,
]);
const POINT_COUNT: u32 = 7;
const ALL_POINTS: u32 = (1 << POINT_COUNT) - 1;

/** The points: 3 float64 each. */
const POINTS: usize = memory.data(7 * 24, 8);

/** Points on an edge lie on both of its triangles. */
const EDGE: f64 = 1e-6;

/**
 * Writes to `isBack` a byte for each triangle of a hierarchy: 1 for those that others which look up more cover at all points,
 * from the other side and from no deeper than `reach` metres below. `normals`: room for 3 float64 a triangle.
 */
export function findBacks(tree: Hierarchy, reach: f64, normals: usize, isBack: usize): void {
  const count = tree.triangleCount;
  faces(tree.positions, tree.indices, count, normals, 0);
  memory.fill(isBack, 0, count);
  for (let t: u32 = 0; t < count; t++) {
    const normal = normals + <usize>t * 24;
    // What looks up has no side that looks up more.
    if (load<f64>(normal, 8) > 0) continue;
    if (load<f64>(normal) === 0 && load<f64>(normal, 8) === 0 && load<f64>(normal, 16) === 0) continue;
    placePoints(tree, t, normal, reach);
    if (areCovered(tree, t, reach, normals, isBack)) store<u8>(isBack + t, 1);
  }
}

/** Writes the points of a triangle, and the box of where the other side may lie. */
function placePoints(tree: Hierarchy, t: u32, normal: usize, reach: f64): void {
  memory.fill(POINTS, 0, POINT_COUNT * 24);
  emptyBox();
  const alongX = reach * load<f64>(normal);
  const alongY = reach * load<f64>(normal, 8);
  const alongZ = reach * load<f64>(normal, 16);
  const corners = tree.indices + <usize>t * 12;
  for (let corner: usize = 0; corner < 3; corner++) {
    const p = tree.positions + <usize>load<u32>(corners + (corner << 2)) * 12;
    const x = <f64>load<f32>(p);
    const y = <f64>load<f32>(p, 4);
    const z = <f64>load<f32>(p, 8);
    addToBox(x, y, z);
    addToBox(x + alongX, y + alongY, z + alongZ);
    for (let i: usize = 0; i < POINT_COUNT * 24; i += 24) {
      const weight = load<f64>(WEIGHTS + i + (corner << 3));
      const point = POINTS + i;
      store<f64>(point, load<f64>(point) + weight * x);
      store<f64>(point, load<f64>(point, 8) + weight * y, 8);
      store<f64>(point, load<f64>(point, 16) + weight * z, 16);
    }
  }
}

/** Whether the other sides around a triangle cover all its points. */
function areCovered(tree: Hierarchy, t: u32, reach: f64, normals: usize, isBack: usize): bool {
  const normal = normals + <usize>t * 24;
  const nx = load<f64>(normal);
  const ny = load<f64>(normal, 8);
  const nz = load<f64>(normal, 16);
  let covered: u32 = 0;
  beginSearch();
  for (let leaf = nextLeaf(tree); leaf !== NONE; leaf = nextLeaf(tree)) {
    const first = (leaf - tree.leafCount) * LEAF;
    const end = min<u32>(tree.triangleCount, first + LEAF);
    for (let i = first; i < end; i++) {
      const other = word(tree.order, i);
      if (other === t || load<u8>(isBack + other) === 1) continue;
      const beside = normals + <usize>other * 24;
      const up = load<f64>(beside, 8);
      const cosine = nx * load<f64>(beside) + ny * up + nz * load<f64>(beside, 16);
      if (cosine > MOST_COSINE || up < ny || (up === ny && other > t)) continue;
      covered |= coveredBy(tree.triangles + <usize>i * 36, nx, ny, nz, reach);
      if (covered === ALL_POINTS) return true;
    }
  }
  return false;
}

/** A bit for each point from which a ray along a normal meets a triangle within `reach`, or has just left it. */
function coveredBy(t: usize, nx: f64, ny: f64, nz: f64, reach: f64): u32 {
  const ax = <f64>load<f32>(t);
  const ay = <f64>load<f32>(t, 4);
  const az = <f64>load<f32>(t, 8);
  const ux = <f64>load<f32>(t, 12) - ax;
  const uy = <f64>load<f32>(t, 16) - ay;
  const uz = <f64>load<f32>(t, 20) - az;
  const vx = <f64>load<f32>(t, 24) - ax;
  const vy = <f64>load<f32>(t, 28) - ay;
  const vz = <f64>load<f32>(t, 32) - az;
  // Moeller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection", 1997.
  const px = ny * vz - nz * vy;
  const py = nz * vx - nx * vz;
  const pz = nx * vy - ny * vx;
  const determinant = ux * px + uy * py + uz * pz;
  if (determinant === 0) return 0;
  let covered: u32 = 0;
  for (let i: u32 = 0, point = POINTS; i < POINT_COUNT; i++, point += 24) {
    const sx = load<f64>(point) - ax;
    const sy = load<f64>(point, 8) - ay;
    const sz = load<f64>(point, 16) - az;
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
