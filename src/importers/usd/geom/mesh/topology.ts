// Reads and checks the points and faces of a mesh (UsdGeomMesh). All later code relies on these checks.

import type { Bounds } from '../../../../scene/types.ts';
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
  /** The box of the points; null: there are none. */
  readonly bounds: Bounds | null;
}

/** What a first look at a topology without holes has shown of it. */
export interface CheckedTopology {
  readonly vertices: number;
  readonly faces: number;
  readonly corners: number;
  /** Every face has three corners. */
  readonly areTriangles: boolean;
}

const NO_FLOATS = new Float32Array(0);
const NO_INTEGERS = new Int32Array(0);
const EMPTY: Topology = {
  points: NO_FLOATS,
  faceCounts: NO_INTEGERS,
  corners: NO_INTEGERS,
  holes: null,
  triangleCount: 0,
  bounds: null,
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

/** The box of at least one point; null if a coordinate is not finite. */
function finiteBounds(points: Float32Array): Bounds | null {
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  // Zero times a number that is not finite is NaN, and so is every sum with it.
  let zero = 0;
  for (let i = 0; i + 2 < points.length; i += 3) {
    const x = points[i];
    const y = points[i + 1];
    const z = points[i + 2];
    zero += x * 0 + y * 0 + z * 0;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  return zero === 0 ? { min: [x0, y0, z0], max: [x1, y1, z1] } : null;
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
  const bounds = finiteBounds(points);
  if (bounds === null) {
    const broken = points.findIndex((value) => !Number.isFinite(value));
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
  return { points, faceCounts, corners, holes, triangleCount, bounds };
}

/** A first look at the topology of a mesh. */
export interface TopologySummary {
  readonly triangleCount: number;
  readonly bounds: Bounds | null;
  readonly checked: CheckedTopology;
}

/**
 * Looks at a mesh whose faces are long packed arrays, which are checked without unpacking them. Null: readTopology must
 * look, because the arrays are short or not packed, there are holes, or something is wrong.
 */
export function checkPackedTopology(prim: StagePrim): TopologySummary | null {
  const points = readPoints(prim);
  const vertices = points.length / 3;
  if (vertices === 0) return null;
  const counts = prim.attribute('faceVertexCounts')?.facts();
  if (!counts || counts.min < 3) return null;
  const corners = prim.attribute('faceVertexIndices')?.facts();
  if (!corners || counts.sum !== corners.count || corners.min < 0 || corners.max >= vertices) return null;
  if (prim.attribute('holeIndices')?.peek()) return null;
  const bounds = finiteBounds(points);
  if (bounds === null) return null;
  const checked = { vertices, faces: counts.count, corners: corners.count, areTriangles: counts.max === 3 };
  return { triangleCount: counts.sum - 2 * counts.count, bounds, checked };
}

/** What later reads of a valid topology need not look at again; null if faces are left out. */
export function checkedTopology(topology: Topology): CheckedTopology | null {
  const { points, faceCounts, corners, holes, triangleCount } = topology;
  if (holes !== null || points.length === 0) return null;
  return {
    vertices: points.length / 3,
    faces: faceCounts.length,
    corners: corners.length,
    // Faces have at least one triangle each.
    areTriangles: triangleCount === faceCounts.length,
  };
}

/** The arrays of a topology that was checked. The bytes that they come from are the same ones. */
export interface CheckedArrays {
  readonly points: Float32Array;
  /** Null: every face is a triangle. */
  readonly faceCounts: Int32Array | null;
  readonly corners: Int32Array;
}

/** Reads a topology that was checked, without a second look at every number. Null if it is not what was checked. */
export function readCheckedTopology(prim: StagePrim, checked: CheckedTopology): CheckedArrays | null {
  const points = readPoints(prim);
  const corners = integers(prim, 'faceVertexIndices');
  if (points.length !== 3 * checked.vertices || corners.length !== checked.corners) return null;
  if (checked.areTriangles) return { points, faceCounts: null, corners };
  const faceCounts = integers(prim, 'faceVertexCounts');
  return faceCounts.length === checked.faces ? { points, faceCounts, corners } : null;
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
