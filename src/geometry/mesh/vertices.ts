// Vertices: from polygons with attributes of any interpolation to indexed triangles with one value a vertex. A mesh that
// has all its attributes by vertex already (the usual glTF) keeps its arrays; others get a vertex for each different
// combination of point and values.

import type { Attribute, PolygonMesh } from '../../scene/types.ts';
import { newellNormal, type Triangulation } from '../polygons/triangulate.ts';
import { repairNormals } from '../shading/normals.ts';
import { type Untangled, unitTangents } from '../shading/tangents.ts';
import type { CornerColors } from './colors.ts';
import { elementOf, interpolationCode } from './element.ts';
import type { TriangleMesh } from './types.ts';
import { RowSet, weldRows } from './weld.ts';

/** What a vertex is made of besides its point. */
export interface VertexSource {
  /** Unit length, or zeros to be repaired from the faces. */
  readonly normals: Attribute;
  /** Null: zeros. */
  readonly uvs: Attribute | null;
  /** UV of each colour, in place of `uvs`; null: none. */
  readonly cells: ReadonlyMap<number, readonly [number, number]> | null;
  /** Colours to be stored, or to find `cells` by; null: neither. */
  readonly colors: CornerColors | null;
  /** Authored, four components; null: none. */
  readonly tangents: Attribute | null;
}

export interface BuiltVertices {
  /** Every vertex is used; arrays may be the source's own. */
  readonly mesh: TriangleMesh;
  /** Authored tangents without a direction. */
  readonly invalidTangents: number;
}

/** Makes the vertices of the given triangles (at least one). */
export function buildVertices(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): BuiltVertices {
  const byVertex = [source.normals, source.uvs, source.tangents, ...(source.colors ? source.colors.attributes : [])];
  const direct = source.cells === null && byVertex.every((a) => a === null || !partsCorners(a));
  // One normal a triangle parts almost every corner from its neighbours: looking for equal ones would find none to speak
  // of, and what is stored alike is welded in the end.
  const parted = mesh.faceCounts === null && source.cells === null && source.normals.interpolation === 'uniform';
  const make = direct ? fromVertices : parted ? fromFaces : fromCorners;
  const built = make(mesh, triangles, source);
  repairNormals(built.normals, built.positions, built.indices);
  if (built.tangents === null) return { mesh: built, invalidTangents: 0 };
  const { tangents, invalid } = unitTangents(built.tangents, built.normals);
  return { mesh: { ...built, tangents }, invalidTangents: invalid };
}

/**
 * For each vertex the first one with equal position, normal and UV (-0 is 0), as far as that matters to tangents:
 * MikkTSpace joins triangles by value, whatever the indices, so that a mesh without indices or with doubled seams is as
 * smooth as any. Vertices with triangles all around have nothing to be joined to and are passed over. Null when all
 * differ.
 */
export function sameVertices(mesh: Untangled): Uint32Array | null {
  const open = openVertices(mesh.indices, mesh.vertexCount);
  if (open.length === 0) return null;
  const width = mesh.positions instanceof Float64Array ? 11 : 8;
  const { count, remap } = weldRows(vertexRows(mesh, open, width), width);
  if (remap === null) return null;
  const first = new Uint32Array(count);
  for (let i = 0, next = 0; next < count; i++) if (remap[i] === next) first[next++] = open[i];
  const same = new Uint32Array(mesh.vertexCount);
  for (let v = 0; v < same.length; v++) same[v] = v;
  for (let i = 0; i < open.length; i++) same[open[i]] = first[remap[i]];
  return same;
}

/**
 * Vertices whose triangles do not close around them, ascending. Around a closed one every neighbour follows it in one
 * triangle and precedes it in another, so that sums over both are equal; numbers are scattered before they are summed.
 */
function openVertices(indices: Uint32Array, vertexCount: number): Uint32Array {
  const sums = new Int32Array(vertexCount);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    const ha = scatter(a);
    const hb = scatter(b);
    const hc = scatter(c);
    sums[a] += hb - hc;
    sums[b] += hc - ha;
    sums[c] += ha - hb;
  }
  let count = 0;
  for (let v = 0; v < vertexCount; v++) if (sums[v] !== 0) count++;
  const open = new Uint32Array(count);
  for (let v = 0, next = 0; v < vertexCount; v++) if (sums[v] !== 0) open[next++] = v;
  return open;
}

function scatter(v: number): number {
  const h = Math.imul(v + 1, 0x9e3779b1);
  return Math.imul(h ^ (h >>> 15), 0x85ebca6b);
}

/** Whether corners of one vertex may have different values. */
function partsCorners(attribute: Attribute): boolean {
  return attribute.interpolation === 'uniform' || attribute.interpolation === 'faceVarying';
}

function fromVertices(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): TriangleMesh {
  const { count, corners } = triangles;
  const pointCount = mesh.points.length / 3;
  let indices = corners ? corners.map((c) => mesh.corners[c]) : mesh.corners.subarray(0, count * 3);

  // Primitives of one glTF mesh often share a vertex buffer, and subsets always do: only what is used comes along.
  const used = new Uint8Array(pointCount);
  for (let i = 0; i < indices.length; i++) used[indices[i]] = 1;
  let kept = 0;
  for (let v = 0; v < pointCount; v++) kept += used[v];
  let vertices: Uint32Array | null = null;
  if (kept < pointCount) {
    vertices = new Uint32Array(kept);
    const renumbered = new Uint32Array(pointCount);
    for (let v = 0, next = 0; v < pointCount; v++) {
      if (used[v] === 0) continue;
      renumbered[v] = next;
      vertices[next++] = v;
    }
    indices = indices.map((v) => renumbered[v]);
  }

  let colors: Uint8Array | null = null;
  if (source.colors) {
    const packed = new Uint32Array(kept);
    for (let v = 0; v < kept; v++) packed[v] = source.colors.read(0, vertices ? vertices[v] : v, 0);
    colors = new Uint8Array(packed.buffer);
  }
  return {
    vertexCount: kept,
    positions: vertices ? gather(mesh.points, 3, vertices) : mesh.points,
    normals: vertexValues(source.normals, 3, kept, vertices),
    tangents: source.tangents ? vertexValues(source.tangents, 4, kept, vertices) : null,
    uv0: source.uvs ? vertexValues(source.uvs, 2, kept, vertices) : new Float32Array(kept * 2),
    colors,
    indices,
  };
}

/** Values of an attribute by vertex, of the listed vertices or of all; its own array where that is the same. */
function vertexValues(attribute: Attribute, size: number, count: number, vertices: Uint32Array | null): Float32Array {
  const { data, indices } = attribute;
  const constant = attribute.interpolation === 'constant';
  if (vertices === null && indices === null && !constant && attribute.size === size && data.length === count * size) {
    return data;
  }
  const out = new Float32Array(count * size);
  for (let v = 0, to = 0; v < count; v++) {
    const element = constant ? 0 : vertices ? vertices[v] : v;
    const at = (indices ? indices[element] : element) * attribute.size;
    for (let k = 0; k < size; k++) out[to++] = data[at + k];
  }
  return out;
}

/** A vertex for each corner, in order. */
function fromFaces(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): TriangleMesh {
  const { corners, faces } = triangles;
  const vertexCount = triangles.count * 3;
  const vertices = new Uint32Array(vertexCount);
  for (let i = 0; i < vertexCount; i++) vertices[i] = mesh.corners[corners ? corners[i] : i];
  const faceOf = (i: number) => (faces ? faces[(i / 3) | 0] : (i / 3) | 0);
  const spread = (attribute: Attribute, size: number): Float32Array => {
    const { data, indices } = attribute;
    const code = interpolationCode(attribute);
    const out = new Float32Array(vertexCount * size);
    for (let i = 0, to = 0; i < vertexCount; i++) {
      const at = elementOf(code, indices, corners ? corners[i] : i, vertices[i], faceOf(i)) * attribute.size;
      for (let k = 0; k < size; k++) out[to++] = data[at + k];
    }
    return out;
  };
  const { normals, uvs, tangents, colors } = source;
  let packed: Uint32Array | null = null;
  if (colors) {
    packed = new Uint32Array(vertexCount);
    for (let i = 0; i < vertexCount; i++) packed[i] = colors.read(corners ? corners[i] : i, vertices[i], faceOf(i));
  }
  const indices = new Uint32Array(vertexCount);
  for (let i = 0; i < vertexCount; i++) indices[i] = i;
  return {
    vertexCount,
    positions: gather(mesh.points, 3, vertices),
    normals: spread(normals, 3),
    tangents: tangents ? spread(tangents, 4) : null,
    uv0: uvs ? spread(uvs, 2) : new Float32Array(vertexCount * 2),
    colors: packed && new Uint8Array(packed.buffer),
    indices,
  };
}

function fromCorners(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): TriangleMesh {
  const { count, corners, faces } = triangles;
  const { points } = mesh;
  const { normals, uvs, cells, tangents, colors } = source;
  const storeColors = colors !== null && cells === null;

  // A row: point, normal, UV, then colour and authored tangent where there are any; floats by their bits.
  const colorAt = 6;
  const tangentAt = storeColors ? 7 : 6;
  const width = tangentAt + (tangents ? 4 : 0);
  const set = new RowSet(width, points.length / 3);
  const { row } = set;
  const rowFloats = new Float32Array(row.buffer);
  const normalBits = bitsOf(normals.data);
  const normalCode = interpolationCode(normals);
  const uvBits = uvs ? bitsOf(uvs.data) : new Uint32Array(0);
  const uvCode = uvs ? interpolationCode(uvs) : 0;
  const tangentBits = tangents ? bitsOf(tangents.data) : new Uint32Array(0);
  const tangentCode = tangents ? interpolationCode(tangents) : 0;
  const indices = new Uint32Array(count * 3);
  const triangle = new Uint32Array(3);
  const faceNormal = new Float64Array(3);

  for (let t = 0; t < count; t++) {
    const face = faces ? faces[t] : t;
    for (let k = 0; k < 3; k++) {
      const corner = corners ? corners[t * 3 + k] : t * 3 + k;
      const vertex = mesh.corners[corner];
      row[0] = vertex;
      const n = elementOf(normalCode, normals.indices, corner, vertex, face) * 3;
      row[1] = normalBits[n];
      row[2] = normalBits[n + 1];
      row[3] = normalBits[n + 2];
      if (row[1] === 0 && row[2] === 0 && row[3] === 0) {
        // No normal was authored or made here: the triangle's own.
        for (let j = 0; j < 3; j++) triangle[j] = mesh.corners[corners ? corners[t * 3 + j] : t * 3 + j];
        newellNormal(points, triangle, 0, 3, faceNormal);
        const length = Math.hypot(faceNormal[0], faceNormal[1], faceNormal[2]);
        for (let j = 0; j < 3; j++) rowFloats[1 + j] = length > 0 ? faceNormal[j] / length : 0;
      }
      const color = colors ? colors.read(corner, vertex, face) : 0;
      if (cells) {
        const cell = cells.get(color);
        if (cell === undefined) throw new Error('the palette lacks a colour of this mesh');
        rowFloats[4] = cell[0];
        rowFloats[5] = cell[1];
      } else if (uvs) {
        const at = elementOf(uvCode, uvs.indices, corner, vertex, face) * uvs.size;
        row[4] = uvBits[at];
        row[5] = uvBits[at + 1];
      }
      if (storeColors) row[colorAt] = color;
      if (tangents) {
        const at = elementOf(tangentCode, tangents.indices, corner, vertex, face) * tangents.size;
        for (let j = 0; j < 4; j++) row[tangentAt + j] = tangentBits[at + j];
      }
      indices[t * 3 + k] = set.add();
    }
  }

  const { rows } = set;
  const vertexCount = set.count;
  const vertices = new Uint32Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) vertices[v] = rows[v * width];
  return {
    vertexCount,
    positions: gather(points, 3, vertices),
    normals: floatColumns(rows, width, 1, 3),
    tangents: tangents ? floatColumns(rows, width, tangentAt, 4) : null,
    uv0: floatColumns(rows, width, 4, 2),
    colors: storeColors ? new Uint8Array(columns(rows, width, colorAt, 1).buffer) : null,
    indices,
  };
}

function bitsOf(data: Float32Array): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.length);
}

function columns(rows: Uint32Array, width: number, first: number, size: number): Uint32Array {
  const count = rows.length / width;
  const out = new Uint32Array(count * size);
  for (let v = 0, to = 0; v < count; v++) {
    for (let k = 0; k < size; k++) out[to++] = rows[v * width + first + k];
  }
  return out;
}

function floatColumns(rows: Uint32Array, width: number, first: number, size: number): Float32Array {
  return new Float32Array(columns(rows, width, first, size).buffer);
}

function gather<T extends Float32Array | Float64Array | Uint8Array>(data: T, size: number, rows: Uint32Array): T {
  const out = new (data.constructor as new (length: number) => T)(rows.length * size);
  for (let i = 0, to = 0; i < rows.length; i++) {
    const at = rows[i] * size;
    for (let k = 0; k < size; k++) out[to++] = data[at + k];
  }
  return out;
}

/** Position, normal and UV of the listed vertices by their bits, -0 as +0. */
function vertexRows(mesh: Untangled, vertices: Uint32Array, width: number): Uint32Array {
  const { positions, normals, uv0 } = mesh;
  const rows = new Uint32Array(vertices.length * width);
  const floats = new Float32Array(rows.buffer);
  const wide = positions instanceof Float64Array ? new Float64Array(3) : null;
  const wideBits = wide ? new Uint32Array(wide.buffer) : null;
  for (let i = 0, to = 0; i < vertices.length; i++) {
    const v = vertices[i];
    // Adding +0 turns -0 into +0 and changes nothing else.
    if (wide && wideBits) {
      for (let k = 0; k < 3; k++) wide[k] = positions[v * 3 + k] + 0;
      for (let k = 0; k < 6; k++) rows[to++] = wideBits[k];
    } else {
      for (let k = 0; k < 3; k++) floats[to++] = positions[v * 3 + k] + 0;
    }
    for (let k = 0; k < 3; k++) floats[to++] = normals[v * 3 + k] + 0;
    floats[to++] = uv0[v * 2] + 0;
    floats[to++] = uv0[v * 2 + 1] + 0;
  }
  return rows;
}
