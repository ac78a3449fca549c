// What is wrong with the triangles of a mesh as its source has them: some have no area, some are there twice. And whether they close a
// solid.

import { RowSet } from '../../geometry/mesh/weld.ts';
import { triangulate } from '../../geometry/polygons/triangulate.ts';
import type { PolygonMesh } from '../../scene/types.ts';

export interface TriangleFacts {
  readonly triangles: number;
  /** Two corners are at one place, or all lie on one line. */
  readonly degenerate: number;
  /** An earlier triangle has the same corners in the same order. */
  readonly doubled: number;
  /** The surface as a solid; null: it has a border somewhere. */
  readonly solid: Solid | null;
}

/** A closed surface in the space of its mesh. */
export interface Solid {
  readonly points: Float64Array;
  readonly corners: Uint32Array;
}

/** Solids of more triangles are not looked into. */
const MAX_SOLID = 50_000;

/** The corners of all triangles of a mesh, as numbers of places: points that are equal have one number. */
function cornersOf(meshes: readonly PolygonMesh[]): Solid {
  const places = new RowSet(6, 1024);
  const bits = new Uint32Array(places.row.buffer);
  const position = new Float64Array(3);
  const words = new Uint32Array(position.buffer);
  const points: number[] = [];
  const corners: number[] = [];
  for (const mesh of meshes) {
    const numbers = new Uint32Array(mesh.points.length / 3);
    for (let v = 0; v < numbers.length; v++) {
      for (let k = 0; k < 3; k++) position[k] = mesh.points[v * 3 + k] + 0;
      bits.set(words);
      const known = places.count;
      numbers[v] = places.add();
      if (numbers[v] === known) points.push(position[0], position[1], position[2]);
    }
    const subsets = new Set(mesh.faceSubsets ?? [-1]);
    for (const subset of subsets) {
      const { count, corners: cut } = triangulate(mesh, subset);
      for (let i = 0; i < count * 3; i++) corners.push(numbers[mesh.corners[cut ? cut[i] : i]]);
    }
  }
  return { points: Float64Array.from(points), corners: Uint32Array.from(corners) };
}

/** A triangle is degenerate if its height is below this share of its longest side. */
const FLAT = 1e-9;

function hasNoArea({ points, corners }: Solid, at: number): boolean {
  const [a, b, c] = [corners[at] * 3, corners[at + 1] * 3, corners[at + 2] * 3];
  if (a === b || b === c || c === a) return true;
  const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
  const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
  const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  return !(area > FLAT * Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz));
}

/** Whether each edge is there as often one way as the other. */
function isClosed(corners: Uint32Array): boolean {
  const edges = new RowSet(2, corners.length);
  const balance = new Int32Array(corners.length);
  for (let i = 0; i < corners.length; i++) {
    const from = corners[i];
    const to = corners[i % 3 === 2 ? i - 2 : i + 1];
    edges.row[0] = Math.min(from, to);
    edges.row[1] = Math.max(from, to);
    balance[edges.add()] += from < to ? 1 : -1;
  }
  return balance.subarray(0, edges.count).every((value) => value === 0);
}

/** Looks at the triangles of the primitives of a mesh. */
export function triangleFacts(meshes: readonly PolygonMesh[]): TriangleFacts {
  const all = cornersOf(meshes);
  const { corners, points } = all;
  const seen = new RowSet(3, corners.length / 3);
  const proper: number[] = [];
  let degenerate = 0;
  let doubled = 0;
  for (let at = 0; at < corners.length; at += 3) {
    if (hasNoArea(all, at)) {
      degenerate++;
      continue;
    }
    const [a, b, c] = [corners[at], corners[at + 1], corners[at + 2]];
    // From the lowest number on, so that triangles that begin elsewhere are equal.
    const turned = a < b && a < c ? [a, b, c] : b < c ? [b, c, a] : [c, a, b];
    seen.row.set(turned);
    const known = seen.count;
    if (seen.add() < known) doubled++;
    else if (proper.length <= MAX_SOLID * 3) proper.push(a, b, c);
  }
  const isSmall = proper.length > 0 && proper.length <= MAX_SOLID * 3;
  const own = isSmall ? Uint32Array.from(proper) : null;
  const solid = own !== null && isClosed(own) ? { points, corners: own } : null;
  return { triangles: corners.length / 3, degenerate, doubled, solid };
}
