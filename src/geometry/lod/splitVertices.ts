// Splits the vertices of a level where its corners have got different normals (levelNormals.ts), and gives the new ones
// tangents across them.

import { acrossNormal } from '../mesh/attributes.ts';
import { bitsOf, type Float32Mesh, pickVertices } from '../mesh/mesh.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import { RowSet } from '../mesh/weld.ts';

export interface ShadedLevel {
  readonly united: UnitedMeshes;
  /** Of the vertices of `united`. */
  readonly indices: Uint32Array;
  /** The number that each vertex of `united` has in the source, whose attributes it has but for normal and tangent. */
  readonly vertices: Uint32Array;
}

/** The surface with a vertex for each different normal of a vertex's corners. `made`: new normals of corners, zeros for none. */
export function splitVertices(source: UnitedMeshes, indices: Uint32Array, made: Float32Array | null): ShadedLevel {
  const { vertexCount, firstVertex, meshOf } = source;
  if (made === null) {
    const same = new Uint32Array(vertexCount);
    for (let v = 0; v < vertexCount; v++) same[v] = v;
    return { united: source, indices, vertices: same };
  }
  const { copies, copyOf } = copiesOf(indices, made);
  const { count } = copies;
  const rows = copies.rows.slice();
  const sources = new Uint32Array(count);
  for (let c = 0; c < count; c++) sources[c] = rows[c * 4];
  const { first, vertices, numbers } = insertCopies(sources, meshOf, firstVertex);
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    corners[i] = copyOf[i] >= 0 ? numbers[copyOf[i]] : indices[i] + first[meshOf[indices[i]]];
  }

  // Their attributes: those of the old ones, and the new normals with tangents across them.
  const picked = pickVertices(source, vertices, corners);
  const { normal, tangent } = picked.attributes;
  writeNormals(new Float32Array(rows.buffer), numbers, normal);
  if (tangent) turnTangents(picked, tangent, marksOf(numbers, vertices.length));
  const united: UnitedMeshes = {
    ...picked,
    firstVertex: firstVertex.map((v, m) => v + first[m]),
    meshOf: valuesAt(meshOf, vertices),
  };
  return { united, indices: corners, vertices };
}

/** A row for each new vertex (the old one, and the normal's bits), and the row of each corner, -1 for none. */
function copiesOf(indices: Uint32Array, made: Float32Array): { readonly copies: RowSet; readonly copyOf: Int32Array } {
  const copies = new RowSet(4, 256);
  const bits = bitsOf(made);
  const copyOf = new Int32Array(indices.length).fill(-1);
  for (let i = 0; i < indices.length; i++) {
    if (made[i * 3] === 0 && made[i * 3 + 1] === 0 && made[i * 3 + 2] === 0) continue;
    copies.row[0] = indices[i];
    copies.row[1] = bits[i * 3];
    copies.row[2] = bits[i * 3 + 1];
    copies.row[3] = bits[i * 3 + 2];
    copyOf[i] = copies.add();
  }
  return { copies, copyOf };
}

/**
 * The vertices of each mesh, then its copies: the old number of each vertex, the new one of each copy, and by how much the
 * vertices of each mesh move up. `sources`: the vertices that are copied.
 */
function insertCopies(sources: Uint32Array, meshOf: Uint32Array, firstVertex: Uint32Array) {
  const meshCount = firstVertex.length - 1;
  const numbers = new Uint32Array(sources.length);
  const first = new Uint32Array(meshCount + 1);
  for (let c = 0; c < sources.length; c++) numbers[c] = first[meshOf[sources[c]] + 1]++;
  for (let m = 0; m < meshCount; m++) first[m + 1] += first[m];
  const vertices = new Uint32Array(meshOf.length + sources.length);
  for (let v = 0; v < meshOf.length; v++) vertices[v + first[meshOf[v]]] = v;
  for (let c = 0; c < sources.length; c++) {
    const mesh = meshOf[sources[c]];
    numbers[c] += firstVertex[mesh + 1] + first[mesh];
    vertices[numbers[c]] = sources[c];
  }
  return { first, vertices, numbers };
}

/** Writes the normals of copies at unit length. `rows`: those of copiesOf, as floats. */
function writeNormals(rows: Float32Array, numbers: Uint32Array, normal: Float32Array): void {
  for (let c = 0; c < numbers.length; c++) {
    const x = rows[c * 4 + 1];
    const y = rows[c * 4 + 2];
    const z = rows[c * 4 + 3];
    const length = Math.sqrt(x * x + y * y + z * z);
    const at = numbers[c] * 3;
    normal[at] = x / length;
    normal[at + 1] = y / length;
    normal[at + 2] = z / length;
  }
}

/** 1 for each of the listed numbers below `count`. */
function marksOf(numbers: Uint32Array, count: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (let i = 0; i < numbers.length; i++) marks[numbers[i]] = 1;
  return marks;
}

function valuesAt(values: Uint32Array, rows: Uint32Array): Uint32Array {
  const out = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) out[i] = values[rows[i]];
  return out;
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

/** Angle of the triangle at a corner. */
export function angleAt(p: Float32Array, indices: Uint32Array, corner: number): number {
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
