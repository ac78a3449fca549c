// Normals: authored ones made unit length, missing ones made as the source's format defines, with creases kept hard.
// Works on the polygons as authored, before they are cut, so that a quad has one normal and a point its whole fan.

import type { Attribute, PolygonMesh } from '../../scene/types.ts';
import { newellNormal } from '../polygons/triangulate.ts';
import { CreasedCorners, hardEdges } from './creases.ts';

/** Authored normals shorter than this have no direction; the engine's exporter draws the line there too. */
const NO_LENGTH = 1e-8;

/** Lengths within this of 1 count as unit: float32 noise, which packing to ten bits does not see. */
const UNIT = 1e-5;

/** Normals for a mesh without authored ones, as `missingNormals` asks: one for each face, or smooth over its points. */
export function makeNormals(mesh: PolygonMesh): Attribute {
  return mesh.missingNormals === 'flat' ? flatNormals(mesh) : smoothNormals(mesh);
}

/**
 * A unit normal for each face (interpolation 'uniform'), on the side from which its corners run counter-clockwise; zeros
 * for faces without area.
 */
export function flatNormals(mesh: PolygonMesh): Attribute {
  const data = new Float32Array(countFaces(mesh) * 3);
  const normal = new Float64Array(3);
  eachFace(mesh, (f, first, n) => {
    unitNormal(mesh, first, n, normal);
    data[f * 3] = normal[0];
    data[f * 3 + 1] = normal[1];
    data[f * 3 + 2] = normal[2];
  });
  return { data, size: 3, interpolation: 'uniform', indices: null };
}

/**
 * Face normals averaged over each point, weighted by the angle of the face's corner there (Thürmer & Wüthrich 1998), so
 * that the cut into triangles does not matter. Hole faces count: they are part of the surface, only not drawn. Without
 * hard creases there is one normal for each point ('vertex'). With them, the corners around a point share a normal as far
 * as soft edges join them ('faceVarying', indexed: the points first, then the corners that creases split off).
 */
export function smoothNormals(mesh: PolygonMesh): Attribute {
  const { points, corners } = mesh;
  const pointCount = points.length / 3;
  const hard = mesh.creases ? hardEdges(mesh.creases, pointCount) : null;

  // 1. Sum at every point, and note the weighted normals of corners at creased points by themselves.
  const sums = new Float64Array(pointCount * 3);
  const split = hard ? new CreasedCorners(hard, corners) : null;
  const normal = new Float64Array(3);
  eachFace(mesh, (_, first, n) => {
    unitNormal(mesh, first, n, normal);
    for (let k = 0; k < n; k++) {
      const before = corners[first + (k > 0 ? k - 1 : n - 1)];
      const here = corners[first + k];
      const after = corners[first + (k + 1 < n ? k + 1 : 0)];
      const weight = mesh.leftHanded
        ? cornerAngle(points, after, here, before, normal)
        : cornerAngle(points, before, here, after, normal);
      sums[here * 3] += normal[0] * weight;
      sums[here * 3 + 1] += normal[1] * weight;
      sums[here * 3 + 2] += normal[2] * weight;
      split?.note(here, first + k, before, after, normal, weight);
    }
  });
  if (split === null) {
    return { data: unitRows(sums), size: 3, interpolation: 'vertex', indices: null };
  }

  // 2. Around creased points sum again, now over each run of corners between hard edges.
  const indices = corners.slice();
  const extra = split.resolve(indices, pointCount);
  const all = new Float64Array(sums.length + extra.length);
  all.set(sums);
  all.set(extra, sums.length);
  return { data: unitRows(all), size: 3, interpolation: 'faceVarying', indices };
}

/**
 * The normals at unit length. The same attribute when all are; zero and non-finite ones come out as zeros, to be
 * repaired from the faces, and are counted in `invalid`.
 */
export function unitNormals(normals: Attribute): { readonly attribute: Attribute; readonly invalid: number } {
  const { data } = normals;
  let good = true;
  for (let i = 0; i + 2 < data.length && good; i += 3) {
    const square = data[i] * data[i] + data[i + 1] * data[i + 1] + data[i + 2] * data[i + 2];
    good = Math.abs(square - 1) <= 2 * UNIT;
  }
  if (good) return { attribute: normals, invalid: 0 };
  const unit = new Float32Array(data.length);
  let invalid = 0;
  for (let i = 0; i + 2 < data.length; i += 3) {
    const length = Math.sqrt(data[i] * data[i] + data[i + 1] * data[i + 1] + data[i + 2] * data[i + 2]);
    if (!(length > NO_LENGTH && length < Infinity)) {
      invalid++;
      continue;
    }
    unit[i] = data[i] / length;
    unit[i + 1] = data[i + 1] / length;
    unit[i + 2] = data[i + 2] / length;
  }
  return { attribute: { ...normals, data: unit }, invalid };
}

/**
 * Gives each zero normal the direction of the triangles around its vertex, by area; +Z, the format's fallback, where
 * they have none. `normals` is changed in place.
 */
export function repairNormals(
  normals: Float32Array,
  positions: Float32Array | Float64Array,
  indices: Uint32Array,
): void {
  let missing: Map<number, Float64Array> | null = null;
  for (let i = 0; i < normals.length; i += 3) {
    if (normals[i] === 0 && normals[i + 1] === 0 && normals[i + 2] === 0) {
      missing ??= new Map();
      missing.set(i / 3, new Float64Array(3));
    }
  }
  if (missing === null) return;
  const normal = new Float64Array(3);
  for (let i = 0; i < indices.length; i += 3) {
    let crossed = false;
    for (let k = 0; k < 3; k++) {
      const sum = missing.get(indices[i + k]);
      if (sum === undefined) continue;
      if (!crossed) newellNormal(positions, indices, i, 3, normal);
      crossed = true;
      sum[0] += normal[0];
      sum[1] += normal[1];
      sum[2] += normal[2];
    }
  }
  for (const [v, sum] of missing) {
    const length = Math.hypot(sum[0], sum[1], sum[2]);
    const known = length > 0 && length < Infinity;
    normals[v * 3] = known ? sum[0] / length : 0;
    normals[v * 3 + 1] = known ? sum[1] / length : 0;
    normals[v * 3 + 2] = known ? sum[2] / length : 1;
  }
}

function countFaces(mesh: PolygonMesh): number {
  return mesh.faceCounts ? mesh.faceCounts.length : Math.floor(mesh.corners.length / 3);
}

/** Calls `visit` with the number, first corner and corner count of each face of three or more corners. */
function eachFace(mesh: PolygonMesh, visit: (face: number, first: number, n: number) => void): void {
  const count = countFaces(mesh);
  let first = 0;
  for (let f = 0; f < count; f++) {
    const n = mesh.faceCounts ? mesh.faceCounts[f] : 3;
    if (n >= 3) visit(f, first, n);
    first += n;
  }
}

function unitNormal(mesh: PolygonMesh, first: number, n: number, out: Float64Array): void {
  newellNormal(mesh.points, mesh.corners, first, n, out);
  const length = Math.hypot(out[0], out[1], out[2]);
  const scale = length > 0 ? (mesh.leftHanded ? -1 : 1) / length : 0;
  out[0] *= scale;
  out[1] *= scale;
  out[2] *= scale;
}

/** Interior angle at point `here`, more than half a turn where the outline is reflex. */
function cornerAngle(
  points: Float32Array | Float64Array,
  before: number,
  here: number,
  after: number,
  normal: Float64Array,
): number {
  const ux = points[after * 3] - points[here * 3];
  const uy = points[after * 3 + 1] - points[here * 3 + 1];
  const uz = points[after * 3 + 2] - points[here * 3 + 2];
  const vx = points[before * 3] - points[here * 3];
  const vy = points[before * 3 + 1] - points[here * 3 + 1];
  const vz = points[before * 3 + 2] - points[here * 3 + 2];
  const cx = uy * vz - uz * vy;
  const cy = uz * vx - ux * vz;
  const cz = ux * vy - uy * vx;
  const angle = Math.atan2(Math.sqrt(cx * cx + cy * cy + cz * cz), ux * vx + uy * vy + uz * vz);
  return cx * normal[0] + cy * normal[1] + cz * normal[2] < 0 ? 2 * Math.PI - angle : angle;
}

function unitRows(sums: Float64Array): Float32Array {
  const unit = new Float32Array(sums.length);
  for (let i = 0; i < sums.length; i += 3) {
    const length = Math.hypot(sums[i], sums[i + 1], sums[i + 2]);
    // Opposite faces cancel to noise: no direction, left to the faces.
    if (!(length > 1e-6)) continue;
    unit[i] = sums[i] / length;
    unit[i + 1] = sums[i + 1] / length;
    unit[i + 2] = sums[i + 2] / length;
  }
  return unit;
}
