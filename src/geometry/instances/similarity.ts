// Whether a mesh is another one, turned, moved and scaled evenly: found by moments, proven by every vertex. Vertices and faces have to
// be in the same order, and all that is not a position or a direction has to be equal to the last bit. Mirrored meshes are no
// copies: an entity's transform cannot hold a mirror.

import { rotation } from '../../scene/matrix.ts';
import type { Attribute, Mat4, PolygonMesh, Vec3 } from '../../scene/types.ts';
import { COLOR_FIELDS } from '../mesh/attributes.ts';

type Points = PolygonMesh['points'];

/** A vertex may be off by this share of the largest coordinate of either mesh: 16 roundings to float32. */
export const COPY_TOLERANCE = 2 ** -20;
/** A component of a unit normal or tangent may be off by this much: 0.006 degrees. */
const DIRECTION_TOLERANCE = 1e-4;
/** A scale or an axis this near to a whole number is that number: exporters round. */
const WHOLE = 1e-6;

/** What of a mesh stays when it is turned, moved and scaled: two moments of some of its points. */
export interface Shape {
  readonly spread: number;
  readonly volume: number;
}

/** The largest coordinate of some points. */
function largestOf(parts: readonly Points[]): number {
  let largest = 0;
  for (const points of parts) for (const value of points) largest = Math.max(largest, Math.abs(value));
  return largest;
}

interface Moments {
  readonly count: number;
  readonly centre: Vec3;
  /** xx, yy, zz, xy, xz, yz about the centre. */
  readonly second: readonly [number, number, number, number, number, number];
  readonly largest: number;
}

function momentsOf(parts: readonly Points[]): Moments {
  let count = 0;
  let [x, y, z] = [0, 0, 0];
  let largest = 0;
  for (const points of parts) {
    count += points.length / 3;
    for (let i = 0; i < points.length; i += 3) {
      x += points[i];
      y += points[i + 1];
      z += points[i + 2];
      largest = Math.max(largest, Math.abs(points[i]), Math.abs(points[i + 1]), Math.abs(points[i + 2]));
    }
  }
  [x, y, z] = [x / count, y / count, z / count];
  let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
  for (const points of parts) {
    for (let i = 0; i < points.length; i += 3) {
      const dx = points[i] - x;
      const dy = points[i + 1] - y;
      const dz = points[i + 2] - z;
      xx += dx * dx;
      yy += dy * dy;
      zz += dz * dz;
      xy += dx * dy;
      xz += dx * dz;
      yz += dy * dz;
    }
  }
  return { count, centre: [x, y, z], second: [xx, yy, zz, xy, xz, yz], largest };
}

/** Points of each part that its moments are made of: copies have their points in one order. */
const SAMPLES = 512;

/** Some of the points, evenly through their order. */
function sampled(points: Points): Points {
  const count = points.length / 3;
  if (count <= SAMPLES) return points;
  const some = new Float64Array(SAMPLES * 3);
  for (let i = 0; i < SAMPLES; i++) {
    const at = Math.floor((i * count) / SAMPLES) * 3;
    for (let k = 0; k < 3; k++) some[i * 3 + k] = points[at + k];
  }
  return some;
}

/** The shape of the points of a mesh; null: they have no size. */
export function shapeOf(meshes: readonly PolygonMesh[]): Shape | null {
  const [xx, yy, zz, xy, xz, yz] = momentsOf(meshes.map(({ points }) => sampled(points))).second;
  const trace = xx + yy + zz;
  if (!(trace > 0 && trace < Infinity)) return null;
  const squares = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz);
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return { spread: squares / (trace * trace), volume: det / (trace * trace * trace) };
}

/** Cosine and sine by which a symmetric matrix is turned in the plane of two axes so that their product vanishes (Jacobi). */
function turnOf(m: Float64Array, p: number, q: number): readonly [number, number] {
  const theta = (m[q * 5] - m[p * 5]) / (2 * m[p * 4 + q]);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  return [c, t * c];
}

/** The eigenvector of the largest eigenvalue of a symmetric 4x4 matrix, which is changed. */
function largestEigenvector(m: Float64Array): readonly [number, number, number, number] {
  const v = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  for (let sweep = 0; sweep < 24; sweep++) {
    for (let p = 0; p < 3; p++) {
      for (let q = p + 1; q < 4; q++) {
        if (m[p * 4 + q] === 0) continue;
        const [c, s] = turnOf(m, p, q);
        for (let k = 0; k < 4; k++) {
          const [a, b] = [m[k * 4 + p], m[k * 4 + q]];
          m[k * 4 + p] = c * a - s * b;
          m[k * 4 + q] = s * a + c * b;
        }
        for (let k = 0; k < 4; k++) {
          const [a, b] = [m[p * 4 + k], m[q * 4 + k]];
          m[p * 4 + k] = c * a - s * b;
          m[q * 4 + k] = s * a + c * b;
          const [d, e] = [v[k * 4 + p], v[k * 4 + q]];
          v[k * 4 + p] = c * d - s * e;
          v[k * 4 + q] = s * d + c * e;
        }
      }
    }
  }
  let best = 0;
  for (let k = 1; k < 4; k++) if (m[k * 5] > m[best * 5]) best = k;
  return [v[best], v[4 + best], v[8 + best], v[12 + best]];
}

/** The rotation that brings points about their centre nearest to others (Horn 1987). */
function nearestRotation(a: readonly Points[], b: readonly Points[], ca: Vec3, cb: Vec3): Mat4 {
  const s = new Float64Array(9);
  for (const [part, from] of a.entries()) {
    const to = b[part];
    for (let i = 0; i < from.length; i += 3) {
      const [ax, ay, az] = [from[i] - ca[0], from[i + 1] - ca[1], from[i + 2] - ca[2]];
      const [bx, by, bz] = [to[i] - cb[0], to[i + 1] - cb[1], to[i + 2] - cb[2]];
      s[0] += ax * bx;
      s[1] += ax * by;
      s[2] += ax * bz;
      s[3] += ay * bx;
      s[4] += ay * by;
      s[5] += ay * bz;
      s[6] += az * bx;
      s[7] += az * by;
      s[8] += az * bz;
    }
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s;
  const rows = [xx + yy + zz, yz - zy, zx - xz, xy - yx, yz - zy, xx - yy - zz, xy + yx, zx + xz];
  rows.push(zx - xz, xy + yx, yy - xx - zz, yz + zy, xy - yx, zx + xz, yz + zy, zz - xx - yy);
  const [qw, qx, qy, qz] = largestEigenvector(Float64Array.from(rows));
  return rotation(qx, qy, qz, qw);
}

/** The rotation with whole numbers in place of those that are almost whole; null: some are not. */
function wholeRotation(m: Mat4): Mat4 | null {
  const whole = Float64Array.from(m, (value) => Math.round(value) + 0);
  return m.every((value, i) => Math.abs(value - whole[i]) < WHOLE) ? whole : null;
}

/** The similarity of a rotation and a scale that takes one point to another. */
function similarity(turn: Mat4, scale: number, from: Vec3, to: Vec3): Mat4 {
  const m = Float64Array.from(turn);
  for (const c of [0, 4, 8]) for (let r = 0; r < 3; r++) m[c + r] *= scale;
  for (let r = 0; r < 3; r++) m[12 + r] = to[r] - (m[r] * from[0] + m[4 + r] * from[1] + m[8 + r] * from[2]);
  return m;
}

/** Whether a matrix takes all points to the others, each coordinate within `allowed`. */
function takes(m: Mat4, a: readonly Points[], b: readonly Points[], allowed: number): boolean {
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz, , tx, ty, tz] = m;
  for (const [part, from] of a.entries()) {
    const to = b[part];
    for (let i = 0; i < from.length; i += 3) {
      const x = from[i];
      const y = from[i + 1];
      const z = from[i + 2];
      // Not "is larger", so that what is no number is off, too.
      if (!(Math.abs(xx * x + yx * y + zx * z + tx - to[i]) <= allowed)) return false;
      if (!(Math.abs(xy * x + yy * y + zy * z + ty - to[i + 1]) <= allowed)) return false;
      if (!(Math.abs(xz * x + yz * y + zz * z + tz - to[i + 2]) <= allowed)) return false;
    }
  }
  return true;
}

/** The matrix that takes all points of `a` to those of `b`: without a turn if one does, else with one. */
function matching(a: readonly Points[], b: readonly Points[], tolerance = COPY_TOLERANCE): Mat4 | null {
  const [ma, mb] = [momentsOf(a), momentsOf(b)];
  const [ra, rb] = [ma, mb].map(({ second }) => Math.sqrt(second[0] + second[1] + second[2]));
  const raw = rb / ra;
  const scale = Math.abs(raw - 1) < WHOLE ? 1 : raw;
  if (!(scale > 0 && scale < Infinity)) return null;
  const allowed = tolerance * Math.max(mb.largest, scale * ma.largest);
  const firstOf = (parts: readonly Points[]): Vec3 => {
    const points = parts.find(({ length }) => length > 0) as Points;
    return [points[0], points[1], points[2]];
  };
  const [a0, b0] = [firstOf(a), firstOf(b)];
  const still = similarity(rotation(0, 0, 0, 1), scale, a0, b0);
  if (takes(still, a, b, allowed)) return still;
  const turn = nearestRotation(a, b, ma.centre, mb.centre);
  const whole = wholeRotation(turn);
  const tried = [
    ...(whole ? [similarity(whole, scale, a0, b0), similarity(whole, scale, ma.centre, mb.centre)] : []),
    similarity(turn, scale, ma.centre, mb.centre),
    similarity(turn, raw, ma.centre, mb.centre),
  ];
  return tried.find((m) => takes(m, a, b, allowed)) ?? null;
}

type Numbers = Float32Array | Float64Array | Uint32Array | Uint16Array | Int32Array | Uint8Array;

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers) => Buffer.from(buffer, byteOffset, byteLength);

function sameNumbers(a: Numbers | null, b: Numbers | null): boolean {
  if (a === b) return true;
  return (
    a !== null &&
    b !== null &&
    a.length === b.length &&
    a.constructor === b.constructor &&
    bytesOf(a).equals(bytesOf(b))
  );
}

function sameForm(a: Attribute, b: Attribute): boolean {
  const isAlike =
    a.size === b.size && a.interpolation === b.interpolation && (a.linear ?? false) === (b.linear ?? false);
  return isAlike && a.data.length === b.data.length && sameNumbers(a.indices, b.indices);
}

function sameAttribute(a: Attribute | null, b: Attribute | null): boolean {
  return a === b || (a !== null && b !== null && sameForm(a, b) && sameNumbers(a.data, b.data));
}

/** Whether directions of `a`, turned by the matrix, are those of `b`; what follows them, as the sign of a bitangent, is equal. */
function sameDirections(a: Attribute | null, b: Attribute | null, m: Mat4, scale: number): boolean {
  if (a === null || b === null) return a === b;
  if (!sameForm(a, b)) return false;
  const { size } = a;
  for (let i = 0; i < a.data.length; i += size) {
    const x = a.data[i];
    const y = a.data[i + 1];
    const z = a.data[i + 2];
    const allowed = DIRECTION_TOLERANCE * Math.max(1, Math.abs(x), Math.abs(y), Math.abs(z));
    for (let k = 0; k < 3; k++) {
      const turned = (m[k] * x + m[4 + k] * y + m[8 + k] * z) / scale;
      if (!(Math.abs(turned - b.data[i + k]) <= allowed)) return false;
    }
    for (let k = 3; k < size; k++) if (a.data[i + k] !== b.data[i + k]) return false;
  }
  return true;
}

function sameTables(a: PolygonMesh['uvs'], b: PolygonMesh['uvs']): boolean {
  return a.size === b.size && [...a].every(([name, uvs]) => sameAttribute(uvs, b.get(name) ?? null));
}

function sameCreases(a: PolygonMesh['creases'], b: PolygonMesh['creases']): boolean {
  if (a === null || b === null) return a === b;
  return (['vertices', 'lengths', 'sharpnesses'] as const).every((key) => sameNumbers(a[key], b[key]));
}

function sameSubdivision(a: PolygonMesh['subdivision'], b: PolygonMesh['subdivision']): boolean {
  if (!a || !b) return !a && !b;
  const isAlike = (['scheme', 'boundary', 'faceVarying', 'triangles'] as const).every((key) => a[key] === b[key]);
  const [ca, cb] = [a.corners, b.corners];
  if (!isAlike || ca === null || cb === null) return isAlike && ca === cb;
  return sameNumbers(ca.vertices, cb.vertices) && sameNumbers(ca.sharpnesses, cb.sharpnesses);
}

/** Whether all but positions and directions is equal. */
function sameSurface(a: PolygonMesh, b: PolygonMesh): boolean {
  return (
    a.leftHanded === b.leftHanded &&
    a.missingNormals === b.missingNormals &&
    (['faceCounts', 'corners', 'holes', 'faceSubsets'] as const).every((key) => sameNumbers(a[key], b[key])) &&
    COLOR_FIELDS.every((field) => sameAttribute(a[field] ?? null, b[field] ?? null)) &&
    sameTables(a.uvs, b.uvs) &&
    sameCreases(a.creases, b.creases) &&
    sameSubdivision(a.subdivision, b.subdivision)
  );
}

/**
 * The matrix that makes `b` of `a`, the primitives of two meshes in their order: translation, rotation and one positive scale. Null:
 * `b` is no copy.
 */
export function copyTransform(a: readonly PolygonMesh[], b: readonly PolygonMesh[]): Mat4 | null {
  if (a.length !== b.length || !a.every(({ points }, i) => points.length === b[i].points.length)) return null;
  const [from, to] = [a, b].map((meshes) => meshes.map(({ points }) => points));
  const some = [from, to].map((parts) => parts.map(sampled));
  // Most meshes that only have the moments of another differ in a few points already.
  const near = matching(some[0], some[1], 4 * COPY_TOLERANCE);
  if (near === null || !a.every((mesh, i) => sameSurface(mesh, b[i]))) return null;
  // What takes a few points takes all as a rule. Where it does not by little, all of them say what does.
  const m = takes(near, from, to, COPY_TOLERANCE * largestOf(some[1])) ? near : matching(from, to);
  if (m === null) return null;
  const scale = Math.hypot(m[0], m[1], m[2]);
  const isSame = a.every(
    ({ normals, tangents }, i) =>
      sameDirections(normals, b[i].normals, m, scale) && sameDirections(tangents, b[i].tangents, m, scale),
  );
  return isSame ? m : null;
}
