// Triangulate: the polygons of one subset as triangles that still know their source face and corners. Works on the
// authored arrays alone and makes none when every face is a drawn, counter-clockwise triangle already.

import type { PolygonMesh } from '../../scene/types.ts';
import { EarClipper } from './earClip.ts';

export interface Triangulation {
  readonly count: number;
  /** Three for each triangle, counter-clockwise: indices into PolygonMesh.corners. Null: corner i of the triangles is corner i. */
  readonly corners: Uint32Array | null;
  /** The face of each triangle; null: triangle i is face i. */
  readonly faces: Uint32Array | null;
  /** Faces of the subset that were left out because they have fewer than three corners. */
  readonly shortFaces: number;
  /** Faces without a proper triangulation (they cross themselves), cut as a fan. */
  readonly fannedFaces: number;
}

/** Steps that ear clipping may spend on a mesh: enough for any face of 10,000 corners, and more for each corner. */
const BUDGET = 100_000_000;
const BUDGET_PER_CORNER = 200;

/**
 * The triangles of the faces whose subset is `subset` (-1: those that no subset claims), in face order, n - 2 a face:
 *
 * - quads by the diagonal that keeps both triangles facing the face's Newell normal, 0-2 when both do or neither does;
 * - convex faces as a fan from their first corner, others by ear clipping in the Newell plane;
 * - hole faces and faces with fewer than three corners give none;
 * - leftHanded meshes come out reversed, so that counter-clockwise is the front.
 */
export function triangulate(mesh: PolygonMesh, subset: number): Triangulation {
  const { faceCounts, faceSubsets, holes } = mesh;
  if (faceSubsets === null && subset !== -1) return empty();
  const onlyTriangles = faceCounts === null || faceCounts.every((n) => n === 3);
  if (onlyTriangles && faceSubsets === null && holes === null && !mesh.leftHanded) {
    const count = Math.floor(mesh.corners.length / 3);
    return { count, corners: null, faces: null, shortFaces: 0, fannedFaces: 0 };
  }

  // 1. Count, so that the arrays are made once.
  const faceCount = faceCounts ? faceCounts.length : Math.floor(mesh.corners.length / 3);
  let count = 0;
  let shortFaces = 0;
  let largest = 0;
  for (let f = 0; f < faceCount; f++) {
    if (faceSubsets && faceSubsets[f] !== subset) continue;
    if (holes && holes[f] !== 0) continue;
    const n = faceCounts ? faceCounts[f] : 3;
    if (n < 3) {
      shortFaces++;
      continue;
    }
    count += n - 2;
    if (n > largest) largest = n;
  }

  // 2. Cut.
  const corners = new Uint32Array(count * 3);
  const faces = new Uint32Array(count);
  const cutter = largest > 3 ? new PolygonCutter(mesh, largest) : null;
  let fannedFaces = 0;
  let start = 0;
  let triangle = 0;
  for (let f = 0; f < faceCount; f++) {
    const n = faceCounts ? faceCounts[f] : 3;
    const first = start;
    start += n;
    if (n < 3 || (faceSubsets && faceSubsets[f] !== subset) || (holes && holes[f] !== 0)) continue;
    const at = triangle * 3;
    if (n === 3) {
      corners[at] = first;
      corners[at + 1] = first + 1;
      corners[at + 2] = first + 2;
    } else if (!cutter!.cut(first, n, corners, at)) {
      fannedFaces++;
    }
    faces.fill(f, triangle, triangle + n - 2);
    triangle += n - 2;
  }

  // 3. Turn.
  if (mesh.leftHanded) {
    for (let i = 0; i < corners.length; i += 3) {
      const b = corners[i + 1];
      corners[i + 1] = corners[i + 2];
      corners[i + 2] = b;
    }
  }
  return { count, corners, faces, shortFaces, fannedFaces };
}

/**
 * Adds twice the vector area of the face whose corners start at `first` to `out` (Newell 1972): its direction is the
 * normal of the best plane, towards the side from which the corners run counter-clockwise.
 */
export function newellNormal(
  points: Float32Array | Float64Array,
  corners: Uint32Array,
  first: number,
  n: number,
  out: Float64Array,
): void {
  // Relative to the first corner: faces far from the origin keep their digits.
  const o = corners[first] * 3;
  const ox = points[o];
  const oy = points[o + 1];
  const oz = points[o + 2];
  let nx = 0;
  let ny = 0;
  let nz = 0;
  let ax = 0;
  let ay = 0;
  let az = 0;
  for (let k = 1; k < n; k++) {
    const p = corners[first + k] * 3;
    const bx = points[p] - ox;
    const by = points[p + 1] - oy;
    const bz = points[p + 2] - oz;
    nx += ay * bz - az * by;
    ny += az * bx - ax * bz;
    nz += ax * by - ay * bx;
    ax = bx;
    ay = by;
    az = bz;
  }
  out[0] = nx;
  out[1] = ny;
  out[2] = nz;
}

/** Cuts faces of four and more corners of one mesh; keeps the scratch between them. */
class PolygonCutter {
  readonly #points: Float32Array | Float64Array;
  readonly #corners: Uint32Array;
  readonly #clipper: EarClipper;
  readonly #normal = new Float64Array(3);

  constructor(mesh: PolygonMesh, largest: number) {
    this.#points = mesh.points;
    this.#corners = mesh.corners;
    this.#clipper = new EarClipper(largest, BUDGET + BUDGET_PER_CORNER * mesh.corners.length);
  }

  /** Writes n - 2 triangles; false when only a fan was possible. */
  cut(first: number, n: number, out: Uint32Array, at: number): boolean {
    const normal = this.#normal;
    newellNormal(this.#points, this.#corners, first, n, normal);
    const length = Math.hypot(normal[0], normal[1], normal[2]);
    if (!(length > 0)) {
      fan(first, n, out, at);
      // A face without area draws nothing, so any triangles will do.
      return true;
    }
    if (n === 4) {
      this.#cutQuad(first, out, at);
      return true;
    }
    this.#project(first, n, normal[0] / length, normal[1] / length, normal[2] / length);
    if (this.#clipper.isConvex(n)) {
      fan(first, n, out, at);
      return true;
    }
    const whole = this.#clipper.clip(n, out, at);
    for (let i = at; i < at + (n - 2) * 3; i++) out[i] += first;
    return whole;
  }

  #cutQuad(first: number, out: Uint32Array, at: number): void {
    const facing = (a: number, b: number, c: number) => this.#faces(first + a, first + b, first + c);
    const crosswise = !(facing(0, 1, 2) && facing(0, 2, 3)) && facing(0, 1, 3) && facing(1, 2, 3);
    out[at] = first;
    out[at + 1] = first + 1;
    out[at + 2] = crosswise ? first + 3 : first + 2;
    out[at + 3] = crosswise ? first + 1 : first;
    out[at + 4] = first + 2;
    out[at + 5] = first + 3;
  }

  /** Whether the triangle of three corners faces the way of the normal, with an area. */
  #faces(i: number, j: number, k: number): boolean {
    const p = this.#points;
    const a = this.#corners[i] * 3;
    const b = this.#corners[j] * 3;
    const c = this.#corners[k] * 3;
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const n = this.#normal;
    return (uy * vz - uz * vy) * n[0] + (uz * vx - ux * vz) * n[1] + (ux * vy - uy * vx) * n[2] > 0;
  }

  /**
   * Coordinates in the plane of the unit normal, relative to the first corner. The basis (Duff et al. 2017) is exact
   * for axis-aligned planes, so collinear corners there stay collinear.
   */
  #project(first: number, n: number, nx: number, ny: number, nz: number): void {
    const sign = nz < 0 ? -1 : 1;
    const a = -1 / (sign + nz);
    const b = nx * ny * a;
    const p = this.#points;
    const o = this.#corners[first] * 3;
    const { x, y } = this.#clipper;
    for (let k = 0; k < n; k++) {
      const i = this.#corners[first + k] * 3;
      const dx = p[i] - p[o];
      const dy = p[i + 1] - p[o + 1];
      const dz = p[i + 2] - p[o + 2];
      x[k] = (1 + sign * nx * nx * a) * dx + sign * b * dy - sign * nx * dz;
      y[k] = b * dx + (sign + ny * ny * a) * dy - ny * dz;
    }
  }
}

function fan(first: number, n: number, out: Uint32Array, at: number): void {
  for (let k = 1; k + 1 < n; k++) {
    out[at++] = first;
    out[at++] = first + k;
    out[at++] = first + k + 1;
  }
}

function empty(): Triangulation {
  return { count: 0, corners: new Uint32Array(0), faces: new Uint32Array(0), shortFaces: 0, fannedFaces: 0 };
}
