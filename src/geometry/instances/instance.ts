// Instances: which placements of a mesh an entity's own transform can hold. The engine decomposes such a transform into
// translation, rotation and positive scale, and the file holds it, and the mesh in its own space, as float32. A placement
// that has no such form, or whose vertices would differ from the baked ones, has to be baked.

import { isFiniteMatrix, rotation } from '../../scene/matrix.ts';
import type { Bounds, Mat4, Vec3 } from '../../scene/types.ts';
import { insideOne } from '../lod/borders.ts';
import type { Mesh } from '../mesh/mesh.ts';

/** A recomposed axis may be off by this share of its length: sixteen roundings to float32. */
const TOLERANCE = 1e-6;

/** One rounding to float32, as a share of the value. */
const FLOAT32_STEP = 2 ** -24;
/** Roundings that a placed position may be off by: of the local position, of the matrix, and of the result. */
const POSITION_STEPS = 8;

export interface Decomposed {
  readonly translation: Vec3;
  /** Unit quaternion (x, y, z, w). */
  readonly rotation: readonly [number, number, number, number];
  /** All above 0. */
  readonly scale: Vec3;
}

/** The matrix as a record holds it: each element the nearest float32. */
export function storedTransform(world: Mat4): Mat4 {
  return Float64Array.from(world, Math.fround);
}

/**
 * Translation, rotation and positive scale of a matrix as it is stored (storedTransform). Null unless the three make the
 * matrix again: for mirrored, sheared, flattened and projective ones, and for what float32 cannot hold.
 */
export function decompose(world: Mat4): Decomposed | null {
  if (world[3] !== 0 || world[7] !== 0 || world[11] !== 0 || world[15] !== 1) return null;
  const m = storedTransform(world);
  if (!isFiniteMatrix(world) || !isFiniteMatrix(m)) return null;
  const scale: Vec3 = [axisLength(m, 0), axisLength(m, 1), axisLength(m, 2)];
  if (!scale.every((s) => s > 0)) return null;
  // For a mirrored or sheared matrix the quaternion is wrong: the comparison below refuses it.
  const r = (row: number, column: number) => m[column * 4 + row] / scale[column];
  const quaternion = quaternionOf(r);
  const turned = rotation(...quaternion);
  for (let c = 0; c < 3; c++) {
    const allowed = TOLERANCE * axisLength(world, c);
    for (let k = 0; k < 3; k++) {
      if (!(Math.abs(turned[c * 4 + k] * scale[c] - world[c * 4 + k]) <= allowed)) return null;
    }
  }
  return { translation: [m[12], m[13], m[14]], rotation: quaternion, scale };
}

const axisLength = (m: Mat4, c: number): number => Math.hypot(m[c * 4], m[c * 4 + 1], m[c * 4 + 2]);

/** Unit quaternion of a rotation matrix, from its largest component (Shepperd 1978). */
function quaternionOf(r: (row: number, column: number) => number): readonly [number, number, number, number] {
  const [xx, yy, zz] = [r(0, 0), r(1, 1), r(2, 2)];
  const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz];
  const [xy, xz, yz] = [r(1, 0) + r(0, 1), r(0, 2) + r(2, 0), r(2, 1) + r(1, 2)];
  const [wx, wy, wz] = [r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)];
  const products = [
    [squares[0], xy, xz, wx],
    [xy, squares[1], yz, wy],
    [xz, yz, squares[2], wz],
    [wx, wy, wz, squares[3]],
  ];
  const [x, y, z, w] = products[squares.indexOf(Math.max(...squares))];
  const length = Math.hypot(x, y, z, w);
  return [x / length, y / length, z / length, w / length];
}

/**
 * Whether an instance of the mesh (float32 positions by the float32 matrix) has the positions of the baked mesh (its own
 * positions by `world`): everywhere but for the last bits, and to the last bit at each vertex that lies in one
 * of `borders`, where a mesh of another payload may meet it. `borders`: boxes of what other payloads hold (see
 * BorderMap), padded.
 */
export function matchesBaked(mesh: Mesh, world: Mat4, borders: readonly Bounds[]): boolean {
  const { positions, vertexCount } = mesh;
  const stored = storedTransform(world);
  let worst = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const baked = [0, 0, 0];
  for (let at = 0; at < vertexCount * 3; at += 3) {
    const px = positions[at];
    const py = positions[at + 1];
    const pz = positions[at + 2];
    const fx = Math.fround(px);
    const fy = Math.fround(py);
    const fz = Math.fround(pz);
    let isSame = true;
    for (let k = 0; k < 3; k++) {
      const exact = world[k] * px + world[4 + k] * py + world[8 + k] * pz + world[12 + k];
      const placed = stored[k] * fx + stored[4 + k] * fy + stored[8 + k] * fz + stored[12 + k];
      const off = Math.abs(placed - exact);
      // Not finite in float32 is for the bake to report.
      if (!(off < Infinity)) return false;
      if (off > worst) worst = off;
      baked[k] = Math.fround(exact);
      if (baked[k] !== Math.fround(placed)) isSame = false;
      if (exact < low[k]) low[k] = exact;
      if (exact > high[k]) high[k] = exact;
    }
    if (!isSame && borders.length > 0 && insideOne(borders, baked[0], baked[1], baked[2])) return false;
  }
  let size = 0;
  for (let k = 0; k < 3; k++) size = Math.max(size, high[k] - low[k], Math.abs(low[k]), Math.abs(high[k]));
  return worst <= POSITION_STEPS * FLOAT32_STEP * size;
}
