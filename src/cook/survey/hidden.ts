// Parts that lie wholly within a closed, solid part: nobody ever sees them. A room is no solid: what stands in it lies outside of its walls.

import { inverse } from '../../scene/inverse.ts';
import { multiply, transformPoint } from '../../scene/matrix.ts';
import type { Bounds, Mat4, Vec3 } from '../../scene/types.ts';
import type { Solid } from './triangles.ts';

/** A part where it is placed. */
export interface PlacedPart {
  readonly node: number;
  readonly world: Mat4;
  /** In engine space. */
  readonly bounds: Bounds;
  /** Its triangles, if they close a solid that cannot be seen through. */
  readonly solid: Solid | null;
  readonly vertexCount: number;
  /** Points of the mesh, three numbers each. */
  readonly points: () => Promise<readonly (Float32Array | Float64Array)[]>;
}

/** Points times triangles that are compared at most, over a whole scene. */
const BUDGET = 300_000_000;

/** A direction that edges of models do not have. */
const RAY: Vec3 = [0.5377415, 0.6931203, 0.4801377];

function isWithin(inner: Bounds, outer: Bounds): boolean {
  return [0, 1, 2].every((k) => inner.min[k] > outer.min[k] && inner.max[k] < outer.max[k]);
}

/** Whether a ray from a point leaves the solid through an odd number of triangles (Möller and Trumbore 1997). */
function isInside({ points, corners }: Solid, [x, y, z]: Vec3): boolean {
  let crossings = 0;
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = [corners[i] * 3, corners[i + 1] * 3, corners[i + 2] * 3];
    const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
    const [px, py, pz] = [RAY[1] * vz - RAY[2] * vy, RAY[2] * vx - RAY[0] * vz, RAY[0] * vy - RAY[1] * vx];
    const det = ux * px + uy * py + uz * pz;
    if (det === 0) continue;
    const [tx, ty, tz] = [x - points[a], y - points[a + 1], z - points[a + 2]];
    const u = (tx * px + ty * py + tz * pz) / det;
    if (u < 0 || u > 1) continue;
    const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux];
    const v = (RAY[0] * qx + RAY[1] * qy + RAY[2] * qz) / det;
    if (v < 0 || u + v > 1) continue;
    if ((vx * qx + vy * qy + vz * qz) / det > 0) crossings++;
  }
  return crossings % 2 === 1;
}

async function liesIn(part: PlacedPart, solid: Solid, world: Mat4): Promise<boolean> {
  const into = inverse(world);
  if (into === null) return false;
  const m = multiply(into, part.world);
  for (const points of await part.points()) {
    for (let i = 0; i < points.length; i += 3) {
      if (!isInside(solid, transformPoint(m, [points[i], points[i + 1], points[i + 2]]))) return false;
    }
  }
  return true;
}

/** For each hidden part the node of the solid around it. Pairs beyond a budget are left out. */
export async function hiddenParts(parts: readonly PlacedPart[]): Promise<ReadonlyMap<number, number>> {
  const hidden = new Map<number, number>();
  const solids = parts.filter(({ solid }) => solid !== null).sort((a, b) => a.bounds.min[0] - b.bounds.min[0]);
  let left = BUDGET;
  for (const part of parts) {
    for (const around of solids) {
      if (around.bounds.min[0] > part.bounds.min[0]) break;
      if (around.node === part.node || hidden.has(around.node) || !isWithin(part.bounds, around.bounds)) continue;
      const solid = around.solid as Solid;
      const work = part.vertexCount * (solid.corners.length / 3);
      if (work > left) continue;
      left -= work;
      if (!(await liesIn(part, solid, around.world))) continue;
      hidden.set(part.node, around.node);
      break;
    }
  }
  return hidden;
}
