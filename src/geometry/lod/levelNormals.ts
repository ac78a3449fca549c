// Normals of a level: a collapse moves a triangle's corner to another vertex, and the normal stored there may belong to
// another side of a hard edge. Each corner whose normal leans too far from its triangle takes that of another vertex at
// the same position, or a new one from the triangles around it; vertices are split where their corners then differ.

import { acrossNormal } from '../mesh/attributes.ts';
import { rootOf } from '../mesh/components.ts';
import { bitsOf, type Float32Mesh, pickVertices } from '../mesh/mesh.ts';
import { triangleCross } from '../mesh/triangleCross.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import { RowSet } from '../mesh/weld.ts';
import { type Rows, rowsById } from './rows.ts';

const DEGREE = Math.PI / 180;

/**
 * How far a normal may lean from a triangle of a level: SLACK more than from its triangles in the source, or TOLERATED and
 * twice as far as there, up to MOST. Where the source is curved and has no hard edge, its normals are better than any that
 * coarse triangles have: they may lean as far as CURVED.
 */
const SLACK = 5 * DEGREE;
const TOLERATED = 15 * DEGREE;
const MOST = 50 * DEGREE;
const CURVED = 57 * DEGREE;
/** A normal that leans at least as far from its triangles in the source is that of a curved surface. */
const COS_FLAT = Math.cos(2 * DEGREE);
const COS_TOLERATED = Math.cos(TOLERATED);

/** Triangles that meet at a smaller angle are smooth across their edge, … */
const CREASE = Math.cos(50 * DEGREE);
/** … at positions with a hard edge in the source at a much smaller one. */
const HARD_CREASE = Math.cos(25 * DEGREE);
/** Normals at one position further apart than this are those of a hard edge. */
const HARD_EDGE = Math.cos(15 * DEGREE);
/** No new normal leans further than this from its triangle. */
const LEANING = 52 * DEGREE;
const COS_LEANING = Math.cos(LEANING);
const SIN_LEANING = Math.sin(LEANING);

/** New normals are rounded to multiples of this, so that those of coplanar triangles are equal. */
const STEP = 1 / 4096;

export interface ShadedLevel {
  readonly united: UnitedMeshes;
  /** Of the vertices of `united`. */
  readonly indices: Uint32Array;
  /** The number that each vertex of `united` has in the source, whose attributes it has but for normal and tangent. */
  readonly vertices: Uint32Array;
}

/** Gives levels of one surface their normals. What does not depend on the level is made once. */
export class LevelNormals {
  readonly #source: UnitedMeshes;
  readonly #ids: Uint32Array;
  readonly #idCount: number;
  /** 1 for each mesh whose UVs mean something. */
  readonly #textured: Uint8Array;
  /** Cosine of the greatest angle between each vertex's normal and one of its triangles. */
  readonly #leans: Float32Array;
  readonly #vertices: Rows;
  /** 1 for each position id with a hard edge. */
  readonly #hard: Uint8Array;

  /**
   * `ids`: the position id of each vertex, below `idCount`; `vertices`: the vertices of each. `textured`: 1 for each mesh
   * whose UVs reach a texture.
   */
  constructor(
    source: UnitedMeshes,
    ids: Uint32Array,
    idCount: number,
    textured: Uint8Array,
    vertices: Rows = rowsById(ids, null, idCount),
  ) {
    this.#source = source;
    this.#ids = ids;
    this.#idCount = idCount;
    this.#textured = textured;
    this.#vertices = vertices;
    this.#hard = hardPositions(source, vertices, idCount);
    this.#leans = greatestLeans(source);
  }

  /** Whether a vertex is one of a curved surface without a hard edge there. */
  #isCurved(v: number): boolean {
    return this.#leans[v] <= COS_FLAT && this.#hard[this.#ids[v]] === 0;
  }

  /** Whether a vertex's normal may have this cosine to a triangle. Most are near enough for any vertex. */
  #isAllowed(v: number, cos: number): boolean {
    if (cos >= COS_TOLERATED) return true;
    const lean = Math.acos(Math.max(-1, this.#leans[v]));
    const most = this.#isCurved(v) ? CURVED : Math.min(MOST, TOLERATED + 2 * lean);
    return cos >= Math.cos(Math.min(Math.PI, Math.max(lean + SLACK, most)));
  }

  /** The level of `triangles` with normals that follow its triangles; their number and order stay. */
  shade(triangles: Uint32Array): ShadedLevel {
    const indices = triangles.slice();
    const faces = faceNormals(this.#source.positions, indices);
    const isBad = this.#replaceByNeighbours(indices, faces);
    return split(this.#source, indices, isBad ? this.#averaged(indices, faces, isBad) : null);
  }

  /**
   * Replaces vertices in `indices` by others at their positions whose normals fit the triangle; where the rest of the
   * vertex has to stay, nothing is replaced. Gives 1 for each corner whose normal still leans too far, null without any.
   */
  #replaceByNeighbours(indices: Uint32Array, faces: Float32Array): Uint8Array | null {
    const normals = this.#source.attributes.normal;
    const { starts, rows } = this.#vertices;
    let isBad: Uint8Array | null = null;
    for (let i = 0; i < indices.length; i++) {
      const v = indices[i];
      const f = Math.floor(i / 3) * 3;
      if (this.#isAllowed(v, cosine(normals, v * 3, faces, f))) continue;
      const id = this.#ids[v];
      let best = -1;
      let most = -1;
      for (let r = starts[id]; r < starts[id + 1]; r++) {
        const w = rows[r];
        const cos = cosine(normals, w * 3, faces, f);
        if (cos <= most || !this.#isAllowed(w, cos) || !this.#isAlike(v, w)) continue;
        most = cos;
        best = w;
      }
      if (best >= 0) indices[i] = best;
      else {
        isBad ??= new Uint8Array(indices.length);
        isBad[i] = 1;
      }
    }
    return isBad;
  }

  /** Whether two vertices of one mesh differ in nothing but normals and tangents that is seen. */
  #isAlike(v: number, w: number): boolean {
    const { meshOf, attributes } = this.#source;
    const mesh = meshOf[v];
    if (meshOf[w] !== mesh) return false;
    const { uv0, color0 } = attributes;
    if (uv0 && this.#textured[mesh] === 1) {
      if (uv0[v * 2] !== uv0[w * 2] || uv0[v * 2 + 1] !== uv0[w * 2 + 1]) return false;
    }
    if (color0) for (let k = 0; k < 4; k++) if (color0[v * 4 + k] !== color0[w * 4 + k]) return false;
    return true;
  }

  /**
   * New normals of corners, xyz each; zeros where they stay. On curved surfaces bad ones turn towards their triangles until
   * they lean no further than is allowed. Elsewhere, around each position with a bad corner, corners of triangles
   * that are smooth across shared edges get the mean of the triangles' normals, weighted by angle (Thürmer & Wüthrich 1998).
   */
  #averaged(indices: Uint32Array, faces: Float32Array, isBad: Uint8Array): Float32Array {
    const { positions } = this.#source;
    const corners = this.#cornersAtBad(indices, isBad);
    const made = new Float32Array(indices.length * 3);
    for (let i = 0; i < indices.length; i++) {
      if (isBad[i] === 1 && this.#isCurved(indices[i]))
        this.#turn(indices[i] * 3, faces, Math.floor(i / 3) * 3, made, i * 3);
    }
    const mean = new Float64Array(3);
    for (let id = 0; id < this.#idCount; id++) {
      if (corners.starts[id] === corners.starts[id + 1]) continue;
      const around = corners.rows.subarray(corners.starts[id], corners.starts[id + 1]);
      const crease = this.#hard[id] === 1 ? HARD_CREASE : CREASE;
      const groups = this.#smoothGroups(indices, around, faces, crease);
      for (let first = 0; first < around.length; first++) {
        if (groups[first] !== first) continue;
        let bad = 0;
        mean.fill(0);
        for (let g = first; g < around.length; g++) {
          if (groups[g] !== first) continue;
          const corner = around[g];
          if (isBad[corner] === 1 && !this.#isCurved(indices[corner])) bad = 1;
          const weight = angleAt(positions, indices, corner);
          const f = Math.floor(corner / 3) * 3;
          for (let k = 0; k < 3; k++) mean[k] += faces[f + k] * weight;
        }
        if (bad === 0) continue;
        const length = Math.hypot(mean[0], mean[1], mean[2]);
        for (let k = 0; k < 3; k++) mean[k] = length > 0 ? mean[k] / length : 0;
        for (let g = first; g < around.length; g++) {
          if (groups[g] !== first) continue;
          const corner = around[g];
          if (this.#isCurved(indices[corner])) continue;
          const f = Math.floor(corner / 3) * 3;
          const leans = mean[0] * faces[f] + mean[1] * faces[f + 1] + mean[2] * faces[f + 2] < COS_LEANING;
          for (let k = 0; k < 3; k++) made[corner * 3 + k] = Math.round((leans ? faces[f + k] : mean[k]) / STEP) * STEP;
        }
      }
    }
    return made;
  }

  /** Writes the normal at `normals[n]`, turned towards the triangle's at `faces[f]`, to `made[at]`. */
  #turn(n: number, faces: Float32Array, f: number, made: Float32Array, at: number): void {
    const normals = this.#source.attributes.normal;
    const along = cosine(normals, n, faces, f);
    const x = normals[n] - along * faces[f];
    const y = normals[n + 1] - along * faces[f + 1];
    const z = normals[n + 2] - along * faces[f + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const side = length > 1e-3 ? SIN_LEANING / length : 0;
    made[at] = Math.round((COS_LEANING * faces[f] + side * x) / STEP) * STEP;
    made[at + 1] = Math.round((COS_LEANING * faces[f + 1] + side * y) / STEP) * STEP;
    made[at + 2] = Math.round((COS_LEANING * faces[f + 2] + side * z) / STEP) * STEP;
  }

  /** The corners at the positions of bad ones, by position id. */
  #cornersAtBad(indices: Uint32Array, isBad: Uint8Array): Rows {
    const wanted = new Uint8Array(this.#idCount);
    for (let i = 0; i < indices.length; i++) if (isBad[i] === 1) wanted[this.#ids[indices[i]]] = 1;
    const idOf = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) idOf[i] = this.#ids[indices[i]];
    return rowsById(idOf, wanted, this.#idCount);
  }

  /** For each corner around a position the first one that it is smooth with. */
  #smoothGroups(indices: Uint32Array, around: Uint32Array, faces: Float32Array, crease: number): Uint32Array {
    const count = around.length;
    const ids = this.#ids;
    // 1. The ends of both edges of each corner, sorted, so that corners at one edge lie side by side.
    const ends = new Float64Array(count * 2);
    for (let g = 0; g < count; g++) {
      const first = Math.floor(around[g] / 3) * 3;
      const k = around[g] - first;
      ends[g * 2] = ids[indices[first + ((k + 1) % 3)]] * count + g;
      ends[g * 2 + 1] = ids[indices[first + ((k + 2) % 3)]] * count + g;
    }
    ends.sort();

    // 2. Those that meet at a small angle are joined.
    const groups = new Uint32Array(count);
    for (let g = 0; g < count; g++) groups[g] = g;
    for (let e = 1; e < ends.length; e++) {
      const end = Math.floor(ends[e] / count);
      const g = ends[e] - end * count;
      for (let b = e - 1; b >= 0 && Math.floor(ends[b] / count) === end; b--) {
        const h = ends[b] - end * count;
        if (cosine(faces, Math.floor(around[g] / 3) * 3, faces, Math.floor(around[h] / 3) * 3) < crease) continue;
        const r = rootOf(groups, g);
        const s = rootOf(groups, h);
        if (r < s) groups[s] = r;
        else groups[r] = s;
        break;
      }
    }
    for (let g = 0; g < count; g++) groups[g] = rootOf(groups, g);
    return groups;
  }
}

/** Unit normals of triangles, 3 each; zeros without area. */
function faceNormals(p: Float32Array, indices: Uint32Array): Float32Array {
  const normals = new Float32Array(indices.length);
  const cross = new Float64Array(3);
  for (let i = 0; i < indices.length; i += 3) {
    triangleCross(p, indices, i, cross);
    const x = cross[0];
    const y = cross[1];
    const z = cross[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) continue;
    normals[i] = x / length;
    normals[i + 1] = y / length;
    normals[i + 2] = z / length;
  }
  return normals;
}

function cosine(a: Float32Array, at: number, b: Float32Array, bt: number): number {
  return a[at] * b[bt] + a[at + 1] * b[bt + 1] + a[at + 2] * b[bt + 2];
}

/** Angle of the triangle at a corner. */
function angleAt(p: Float32Array, indices: Uint32Array, corner: number): number {
  const first = Math.floor(corner / 3) * 3;
  const k = corner - first;
  const a = indices[corner] * 3;
  const b = indices[first + ((k + 1) % 3)] * 3;
  const c = indices[first + ((k + 2) % 3)] * 3;
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return Math.atan2(Math.sqrt(x * x + y * y + z * z), ux * vx + uy * vy + uz * vz);
}

/** For each vertex the cosine of the greatest angle between its normal and one of its triangles. */
function greatestLeans({ vertexCount, positions, indices, attributes: { normal } }: Float32Mesh): Float32Array {
  const faces = faceNormals(positions, indices);
  const least = new Float32Array(vertexCount).fill(1);
  for (let f = 0; f < indices.length; f += 3) {
    for (let i = f; i < f + 3; i++) {
      const v = indices[i];
      const cos = cosine(normal, v * 3, faces, f);
      if (cos < least[v]) least[v] = cos;
    }
  }
  return least;
}

/** 1 for each position id where vertices of one mesh have normals of both sides of a hard edge. */
function hardPositions({ meshOf, attributes: { normal } }: UnitedMeshes, { starts, rows }: Rows, idCount: number) {
  const hard = new Uint8Array(idCount);
  for (let id = 0; id < idCount; id++) {
    for (let r = starts[id] + 1; r < starts[id + 1] && hard[id] === 0; r++) {
      const first = rows[starts[id]];
      if (meshOf[rows[r]] === meshOf[first] && cosine(normal, rows[r] * 3, normal, first * 3) < HARD_EDGE) hard[id] = 1;
    }
  }
  return hard;
}

/** The surface with a vertex for each different normal of a vertex's corners. `made`: new normals of corners, zeros for none. */
function split(source: UnitedMeshes, indices: Uint32Array, made: Float32Array | null): ShadedLevel {
  const { vertexCount, firstVertex, meshOf } = source;
  const meshCount = firstVertex.length - 1;
  if (made === null) {
    const same = new Uint32Array(vertexCount);
    for (let v = 0; v < vertexCount; v++) same[v] = v;
    return { united: source, indices, vertices: same };
  }
  // 1. A row for each new vertex: the old one, and the normal's bits.
  const copies = new RowSet(4, 256);
  const bits = bitsOf(made);
  const copyOf = new Int32Array(indices.length).fill(-1);
  for (let i = 0; i < indices.length; i++) {
    if (made[i * 3] === 0 && made[i * 3 + 1] === 0 && made[i * 3 + 2] === 0) continue;
    copies.row[0] = indices[i];
    for (let k = 0; k < 3; k++) copies.row[1 + k] = bits[i * 3 + k];
    copyOf[i] = copies.add();
  }

  // 2. The vertices of each mesh, then its copies.
  const { rows, count } = copies;
  const numbers = new Uint32Array(count);
  const first = new Uint32Array(meshCount + 1);
  for (let c = 0; c < count; c++) numbers[c] = first[meshOf[rows[c * 4]] + 1]++;
  for (let m = 0; m < meshCount; m++) first[m + 1] += first[m];
  // `first` counts copies before each mesh now; vertices move up by as many.
  const vertices = new Uint32Array(vertexCount + count);
  for (let v = 0; v < vertexCount; v++) vertices[v + first[meshOf[v]]] = v;
  for (let c = 0; c < count; c++) {
    const mesh = meshOf[rows[c * 4]];
    numbers[c] += firstVertex[mesh + 1] + first[mesh];
    vertices[numbers[c]] = rows[c * 4];
  }
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    corners[i] = copyOf[i] >= 0 ? numbers[copyOf[i]] : indices[i] + first[meshOf[indices[i]]];
  }

  // 3. Their attributes: those of the old ones, and the new normals with tangents across them.
  const picked = pickVertices(source, vertices, corners);
  const { normal, tangent } = picked.attributes;
  const isNew = new Uint8Array(vertices.length);
  const values = new Float32Array(rows.buffer, rows.byteOffset, count * 4);
  for (let c = 0; c < count; c++) {
    isNew[numbers[c]] = 1;
    const x = values[c * 4 + 1];
    const y = values[c * 4 + 2];
    const z = values[c * 4 + 3];
    const length = Math.sqrt(x * x + y * y + z * z);
    const at = numbers[c] * 3;
    normal[at] = x / length;
    normal[at + 1] = y / length;
    normal[at + 2] = z / length;
  }
  if (tangent) turnTangents(picked, tangent, isNew);
  const meshOfNew = new Uint32Array(vertices.length);
  for (let v = 0; v < vertices.length; v++) meshOfNew[v] = meshOf[vertices[v]];
  const united: UnitedMeshes = {
    ...picked,
    firstVertex: firstVertex.map((v, m) => v + first[m]),
    meshOf: meshOfNew,
  };
  return { united, indices: corners, vertices };
}

/**
 * Gives marked vertices the direction of growing u in their triangles, weighted by angle, across the normal; what they had
 * where UVs have no area. Signs stay.
 */
function turnTangents(mesh: Float32Mesh, tangent: Float32Array, isNew: Uint8Array): void {
  const { positions: p, indices, attributes } = mesh;
  const { normal, uv0 } = attributes;
  const sums = new Float64Array(isNew.length * 3);
  for (let i = 0; uv0 && i < indices.length; i++) {
    const v = indices[i];
    if (isNew[v] === 0) continue;
    const first = Math.floor(i / 3) * 3;
    const b = indices[first + ((i - first + 1) % 3)];
    const c = indices[first + ((i - first + 2) % 3)];
    const u1 = uv0[b * 2] - uv0[v * 2];
    const v1 = uv0[b * 2 + 1] - uv0[v * 2 + 1];
    const u2 = uv0[c * 2] - uv0[v * 2];
    const v2 = uv0[c * 2 + 1] - uv0[v * 2 + 1];
    const side = Math.sign(u1 * v2 - u2 * v1);
    if (side === 0) continue;
    const x = side * (v2 * (p[b * 3] - p[v * 3]) - v1 * (p[c * 3] - p[v * 3]));
    const y = side * (v2 * (p[b * 3 + 1] - p[v * 3 + 1]) - v1 * (p[c * 3 + 1] - p[v * 3 + 1]));
    const z = side * (v2 * (p[b * 3 + 2] - p[v * 3 + 2]) - v1 * (p[c * 3 + 2] - p[v * 3 + 2]));
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) continue;
    const weight = angleAt(p, indices, i) / length;
    sums[v * 3] += x * weight;
    sums[v * 3 + 1] += y * weight;
    sums[v * 3 + 2] += z * weight;
  }
  for (let v = 0; v < isNew.length; v++) {
    if (isNew[v] === 0) continue;
    if (across(normal, v, sums, v * 3, tangent) || across(normal, v, tangent, v * 4, tangent)) continue;
    const sign = tangent[v * 4 + 3];
    acrossNormal(normal, v * 3, tangent, v * 4);
    across(normal, v, tangent, v * 4, tangent);
    tangent[v * 4 + 3] = sign;
  }
}

/** Writes the part of a direction across a vertex's normal to its tangent, of unit length; false where there is none. */
function across(
  normal: Float32Array,
  v: number,
  from: Float64Array | Float32Array,
  at: number,
  tangent: Float32Array,
): boolean {
  const nx = normal[v * 3];
  const ny = normal[v * 3 + 1];
  const nz = normal[v * 3 + 2];
  const along = from[at] * nx + from[at + 1] * ny + from[at + 2] * nz;
  const x = from[at] - along * nx;
  const y = from[at + 1] - along * ny;
  const z = from[at + 2] - along * nz;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-3)) return false;
  tangent[v * 4] = x / length;
  tangent[v * 4 + 1] = y / length;
  tangent[v * 4 + 2] = z / length;
  return true;
}
