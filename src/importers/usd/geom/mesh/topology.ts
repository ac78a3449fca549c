// Reads and checks the points and faces of a mesh (UsdGeomMesh). All later code relies on these checks.

import type { StagePrim } from '../../compose/stage/stage.ts';
import { integersOf, textOf } from '../../compose/values/values.ts';
import type { Notes } from '../../notes.ts';

export interface Topology {
  /** x, y and z of each point. */
  readonly points: Float32Array;
  /** The number of corners of each face. */
  readonly faceCounts: Int32Array;
  /** The point of each corner. */
  readonly corners: Int32Array;
  /** 1 for faces that are not drawn: those in holeIndices and those with fewer than three corners; null: none. */
  readonly holes: Uint8Array | null;
  /** The sum of n - 2 over all drawn faces, n being the number of corners. */
  readonly triangleCount: number;
}

const NO_FLOATS = new Float32Array(0);
const NO_INTEGERS = new Int32Array(0);
const EMPTY: Topology = {
  points: NO_FLOATS,
  faceCounts: NO_INTEGERS,
  corners: NO_INTEGERS,
  holes: null,
  triangleCount: 0,
};

function integers(prim: StagePrim, name: string): Int32Array {
  return integersOf(prim.attribute(name)?.get()?.value) ?? NO_INTEGERS;
}

/**
 * Reads points. As in OpenUSD, they must be an array of three floats of any role; values of other types are ignored.
 */
function readPoints(prim: StagePrim): Float32Array {
  const value = prim.attribute('points')?.get()?.value;
  return value?.array && value.type === 'Vec3f' ? (value.value as Float32Array) : NO_FLOATS;
}

function firstNotFinite(points: Float32Array): number {
  for (let i = 0; i < points.length; i++) if (!(Math.abs(points[i]) < Infinity)) return i;
  return -1;
}

/**
 * Reads the topology of a mesh. A mesh without usable points is empty (UC1804 if it has faces). Null if the mesh is
 * broken, which is reported: UC1800 for counts, UC1801 for an index, UC1802 for a coordinate. Skipped faces and holes
 * are reported by UC1805 and UC1806.
 */
export function readTopology(prim: StagePrim, notes: Notes): Topology | null {
  const points = readPoints(prim);
  const faceCounts = integers(prim, 'faceVertexCounts');
  const corners = integers(prim, 'faceVertexIndices');
  const vertexCount = points.length / 3;
  if (vertexCount === 0) {
    if (faceCounts.length > 0) {
      const type = prim.attribute('points')?.peek()?.type;
      const why = type && type !== 'Vec3f' ? ` (points are of type ${type})` : '';
      notes.report('UC1804', prim.path, `${faceCounts.length} faces but no points${why}: nothing is drawn`);
    }
    return EMPTY;
  }
  const broken = firstNotFinite(points);
  if (broken >= 0) {
    const index = Math.floor(broken / 3);
    notes.report('UC1802', prim.path, `coordinate ${'xyz'[broken % 3]} of point ${index} is ${points[broken]}`);
    return null;
  }
  let sum = 0;
  let triangleCount = 0;
  let small = 0;
  for (let f = 0; f < faceCounts.length; f++) {
    const n = faceCounts[f];
    if (n < 0) {
      notes.report('UC1800', prim.path, `face ${f} has ${n} corners`);
      return null;
    }
    sum += n;
    if (n >= 3) triangleCount += n - 2;
    else small++;
  }
  if (sum !== corners.length) {
    const message = `faceVertexCounts add up to ${sum} corners, faceVertexIndices has ${corners.length}`;
    notes.report('UC1800', prim.path, message);
    return null;
  }
  for (let c = 0; c < corners.length; c++) {
    if (corners[c] < 0 || corners[c] >= vertexCount) {
      notes.report('UC1801', prim.path, `corner ${c} names point ${corners[c]}; there are ${vertexCount}`);
      return null;
    }
  }
  const holeIndices = integers(prim, 'holeIndices');
  let holes: Uint8Array | null = null;
  if (small > 0) {
    notes.report('UC1805', prim.path, `${small} faces with fewer than three corners are skipped`);
    holes = new Uint8Array(faceCounts.length);
    for (let f = 0; f < faceCounts.length; f++) if (faceCounts[f] < 3) holes[f] = 1;
  }
  let stray = 0;
  for (const f of holeIndices) {
    if (f < 0 || f >= faceCounts.length) {
      stray++;
      continue;
    }
    holes ??= new Uint8Array(faceCounts.length);
    if (holes[f] === 0) triangleCount -= faceCounts[f] - 2;
    holes[f] = 1;
  }
  if (stray > 0) notes.report('UC1806', prim.path, `${stray} of ${holeIndices.length} holeIndices name no face`);
  return { points, faceCounts, corners, holes, triangleCount };
}

/**
 * Points and triangle count of a mesh whose faces are long packed arrays, which are checked without unpacking them. Null:
 * readTopology must look, because the arrays are short or not packed, there are holes, or something is wrong.
 */
export function readPackedTopology(prim: StagePrim): Pick<Topology, 'points' | 'triangleCount'> | null {
  const points = readPoints(prim);
  const vertexCount = points.length / 3;
  if (vertexCount === 0) return null;
  const counts = prim.attribute('faceVertexCounts')?.facts();
  if (!counts || counts.least < 3) return null;
  const corners = prim.attribute('faceVertexIndices')?.facts();
  if (!corners || counts.sum !== corners.count || corners.least < 0 || corners.most >= vertexCount) return null;
  if (firstNotFinite(points) >= 0 || prim.attribute('holeIndices')?.peek()) return null;
  return { points, triangleCount: counts.sum - 2 * counts.count };
}

/** Whether the orientation is leftHanded: faces are clockwise seen from the front. */
export function isLeftHanded(prim: StagePrim): boolean {
  return textOf(prim.attribute('orientation')?.get()?.value) === 'leftHanded';
}

/** Whether a mesh is a smooth subdivision surface: catmullClark (the fallback) or loop, but not bilinear or none. */
export function isSubdivision(prim: StagePrim): boolean {
  const scheme = textOf(prim.attribute('subdivisionScheme')?.get()?.value) ?? 'catmullClark';
  return scheme === 'catmullClark' || scheme === 'loop';
}
