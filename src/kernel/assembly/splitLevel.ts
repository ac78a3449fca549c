// Splits the vertices of a level where its corners have got different normals, and gives the new vertices tangents across
// those (geometry/lod/splitVertices.ts).

import { angleAt } from './levelShading.ts';
import { setWord, word } from './words.ts';

/**
 * Lists the corners that have a new normal (not all three numbers of `made` are 0), and writes a row for each: its vertex, and
 * the bits of the normal. Gives how many there are.
 */
export function rowsOfMade(indices: usize, indexCount: u32, made: usize, list: usize, rows: usize): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0, at = made; i < indexCount; i++, at += 12) {
    if (load<f32>(at) === 0 && load<f32>(at, 4) === 0 && load<f32>(at, 8) === 0) continue;
    setWord(list, count++, i);
    store<u32>(rows, word(indices, i));
    store<u32>(rows, load<u32>(at), 4);
    store<u32>(rows, load<u32>(at, 4), 8);
    store<u32>(rows, load<u32>(at, 8), 12);
    rows += 16;
  }
  return count;
}

/** The vertices of meshes and copies of some of them: each mesh's own vertices, then its copies. */
@unmanaged
export class Copies {
  /** The mesh of each vertex, the first vertex of each mesh, and the vertex count at the end. */
  meshOf: usize;
  firstVertex: usize;
  meshCount: u32;
  vertexCount: u32;
  /** Four words a copy, the first of which is its vertex. */
  rows: usize;
  count: u32;
  /** Written: the new number of each copy, … */
  numbers: usize;
  /** … by how much the vertices of each mesh move up, and the number of copies, … */
  shifts: usize;
  /** … of each new vertex its old one, and the same with old vertices counted on by the numbers of copies, … */
  vertices: usize;
  copied: usize;
  /** … and of all of them what `meshOf` and `firstVertex` are of the old ones. */
  newMeshOf: usize;
  newFirstVertex: usize;
}

export function insertCopies(c: Copies): void {
  const meshOf = c.meshOf;
  const shifts = c.shifts;
  memory.fill(shifts, 0, (<usize>c.meshCount + 1) << 2);
  for (let i: u32 = 0; i < c.count; i++) {
    const mesh = word(meshOf, word(c.rows, i * 4));
    const rank = word(shifts, mesh + 1);
    setWord(c.numbers, i, rank);
    setWord(shifts, mesh + 1, rank + 1);
  }
  setWord(c.newFirstVertex, 0, word(c.firstVertex, 0));
  for (let mesh: u32 = 0; mesh < c.meshCount; mesh++) {
    const shift = word(shifts, mesh) + word(shifts, mesh + 1);
    setWord(shifts, mesh + 1, shift);
    setWord(c.newFirstVertex, mesh + 1, word(c.firstVertex, mesh + 1) + shift);
  }
  for (let v: u32 = 0; v < c.vertexCount; v++) {
    const mesh = word(meshOf, v);
    const to = v + word(shifts, mesh);
    setWord(c.vertices, to, v);
    setWord(c.copied, to, v);
    setWord(c.newMeshOf, to, mesh);
  }
  for (let i: u32 = 0; i < c.count; i++) {
    const v = word(c.rows, i * 4);
    const mesh = word(meshOf, v);
    const to = word(c.numbers, i) + word(c.firstVertex, mesh + 1) + word(shifts, mesh);
    setWord(c.numbers, i, to);
    setWord(c.vertices, to, v);
    setWord(c.copied, to, c.vertexCount + i);
    setWord(c.newMeshOf, to, mesh);
  }
}

/** Writes the new vertex of each corner. `list`, `copyOf`: the `listed` corners of copies, and their copies. */
export function cornersOfCopies(
  c: Copies,
  indices: usize,
  indexCount: u32,
  list: usize,
  copyOf: usize,
  listed: u32,
  to: usize,
): void {
  for (let i: u32 = 0; i < indexCount; i++) {
    const v = word(indices, i);
    setWord(to, i, v + word(c.shifts, word(c.meshOf, v)));
  }
  for (let k: u32 = 0; k < listed; k++) setWord(to, word(list, k), word(c.numbers, word(copyOf, k)));
}

/** Writes the normals of copies, three float32 each, at unit length. `rows`: four words a copy, the last three its normal. */
export function normalsOfCopies(rows: usize, count: u32, normals: usize): void {
  for (let c: u32 = 0; c < count; c++, rows += 16, normals += 12) {
    const x = <f64>load<f32>(rows, 4);
    const y = <f64>load<f32>(rows, 8);
    const z = <f64>load<f32>(rows, 12);
    const length = sqrt<f64>(x * x + y * y + z * z);
    store<f32>(normals, <f32>(x / length));
    store<f32>(normals, <f32>(y / length), 4);
    store<f32>(normals, <f32>(z / length), 8);
  }
}

/** Adds up the direction of growing u in the triangles of each copy, weighted by angle. `sums`: zeros, 3 float64 a copy. */
export function sumCopyTangents(
  positions: usize,
  uv0: usize,
  indices: usize,
  list: usize,
  copyOf: usize,
  listed: u32,
  sums: usize,
): void {
  for (let l: u32 = 0; l < listed; l++) {
    const corner = word(list, l);
    const first = corner - (corner % 3);
    const k = corner - first;
    const v = <usize>word(indices, corner);
    const b = <usize>word(indices, first + ((k + 1) % 3));
    const c = <usize>word(indices, first + ((k + 2) % 3));
    const uv = uv0 + (v << 3);
    const u1 = <f64>load<f32>(uv0 + (b << 3)) - <f64>load<f32>(uv);
    const v1 = <f64>load<f32>(uv0 + (b << 3), 4) - <f64>load<f32>(uv, 4);
    const u2 = <f64>load<f32>(uv0 + (c << 3)) - <f64>load<f32>(uv);
    const v2 = <f64>load<f32>(uv0 + (c << 3), 4) - <f64>load<f32>(uv, 4);
    const area = u1 * v2 - u2 * v1;
    const side: f64 = area > 0 ? 1 : area < 0 ? -1 : 0;
    if (side === 0) continue;
    const p = positions + v * 12;
    const q = positions + b * 12;
    const r = positions + c * 12;
    const px = <f64>load<f32>(p);
    const py = <f64>load<f32>(p, 4);
    const pz = <f64>load<f32>(p, 8);
    const x = side * (v2 * (<f64>load<f32>(q) - px) - v1 * (<f64>load<f32>(r) - px));
    const y = side * (v2 * (<f64>load<f32>(q, 4) - py) - v1 * (<f64>load<f32>(r, 4) - py));
    const z = side * (v2 * (<f64>load<f32>(q, 8) - pz) - v1 * (<f64>load<f32>(r, 8) - pz));
    const length = sqrt<f64>(x * x + y * y + z * z);
    if (!(length > 0)) continue;
    const weight = angleAt(positions, indices, corner) / length;
    const sum = sums + <usize>word(copyOf, l) * 24;
    store<f64>(sum, load<f64>(sum) + x * weight);
    store<f64>(sum, load<f64>(sum, 8) + y * weight, 8);
    store<f64>(sum, load<f64>(sum, 16) + z * weight, 16);
  }
}

/**
 * Writes the tangents of copies, four float32 each: the direction of their sum across the normal, or that of their vertex's
 * tangent where there is none. Signs are those of their vertices. `rows`: the first of four words is the vertex.
 */
export function tangentsOfCopies(
  rows: usize,
  count: u32,
  normals: usize,
  sums: usize,
  tangents: usize,
  to: usize,
): void {
  for (let c: u32 = 0; c < count; c++, rows += 16, normals += 12, sums += 24, to += 16) {
    const from = tangents + ((<usize>load<u32>(rows)) << 4);
    v128.store(to, v128.load(from));
    if (writeAcross(normals, load<f64>(sums), load<f64>(sums, 8), load<f64>(sums, 16), to)) continue;
    if (writeAcross(normals, <f64>load<f32>(to), <f64>load<f32>(to, 4), <f64>load<f32>(to, 8), to)) continue;
    const alongX = isAlongX(normals);
    store<f32>(to, alongX ? 0 : 1);
    store<f32>(to, alongX ? 1 : 0, 4);
    store<f32>(to, 0, 8);
    writeAcross(normals, <f64>load<f32>(to), <f64>load<f32>(to, 4), 0, to);
  }
}

/** Whether a normal counts as parallel to X: acrossNormal() of geometry/mesh/attributes.ts. */
function isAlongX(normal: usize): bool {
  const y = <f64>load<f32>(normal, 4);
  const z = <f64>load<f32>(normal, 8);
  return abs<f64>(<f64>load<f32>(normal)) > 0.999999 && y * y + z * z < 3e-6;
}

/** Writes the part of a direction across a normal, of unit length; false where there is none. */
function writeAcross(normal: usize, fromX: f64, fromY: f64, fromZ: f64, to: usize): bool {
  const nx = <f64>load<f32>(normal);
  const ny = <f64>load<f32>(normal, 4);
  const nz = <f64>load<f32>(normal, 8);
  const along = fromX * nx + fromY * ny + fromZ * nz;
  const x = fromX - along * nx;
  const y = fromY - along * ny;
  const z = fromZ - along * nz;
  const length = sqrt<f64>(x * x + y * y + z * z);
  if (!(length > 1e-3)) return false;
  store<f32>(to, <f32>(x / length));
  store<f32>(to, <f32>(y / length), 4);
  store<f32>(to, <f32>(z / length), 8);
  return true;
}
