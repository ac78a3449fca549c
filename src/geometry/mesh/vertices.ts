// Makes vertices: from polygons with attributes of any interpolation to indexed triangles with one value for each vertex.
// A mesh whose attributes are all values of vertices already (the usual glTF) keeps its arrays; other meshes get a vertex
// for each different combination of point and values.

import { elementOf, interpolationCode } from '../../scene/element.ts';
import type { Attribute, PolygonMesh } from '../../scene/types.ts';
import { newellNormal, type Triangulation } from '../polygons/triangulate.ts';
import { repairNormals } from '../shading/normals.ts';
import { unitTangents } from '../shading/tangents.ts';
import { type Attributes, attributesFrom, kindOf, SEMANTICS, type Semantic } from './attributes.ts';
import { bitsOf, type Mesh, pickRows } from './mesh.ts';
import { RowSet } from './weld.ts';

/** The attributes from which vertices are made, in addition to the points. */
export interface VertexSource {
  /** Attributes that are read as they are. Normals are unit length, or zeros to be repaired from the faces. */
  readonly values: { readonly normal: Attribute } & Partial<Record<FloatSemantic, Attribute>>;
  /** Attributes of four bytes, which are computed for each corner. */
  readonly packed: Partial<Record<PackedSemantic, PackedValues>>;
  /** UVs that replace uv0: those that the map has for each corner's packed value; null: uv0 is kept. */
  readonly cells: { readonly of: PackedValues; readonly uvs: ReadonlyMap<number, readonly [number, number]> } | null;
}

/** Values that are computed for each corner, four bytes as one number, the first one lowest. */
export interface PackedValues {
  /** The value of a corner with its vertex and face. */
  read(corner: number, vertex: number, face: number): number;
  /** The attributes that `read` uses; null: one that the mesh lacks. */
  readonly attributes: readonly (Attribute | null)[];
}

/** Attributes that a mesh of polygons has as float32 values. */
type FloatSemantic = {
  [S in Semantic]: NonNullable<Attributes[S]> extends Float32Array ? S : never;
}[Semantic];
type PackedSemantic = Exclude<Semantic, FloatSemantic>;

export interface BuiltVertices {
  /** Every vertex is used; arrays may be the source's own. */
  readonly mesh: Mesh;
  /** Authored tangents without a direction. */
  readonly invalidTangents: number;
}

/** Makes the vertices of the given triangles (at least one). */
export function buildVertices(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): BuiltVertices {
  const { values, packed, cells } = source;
  const read = [...Object.values(values), ...Object.values(packed).flatMap(({ attributes }) => attributes)];
  const direct = cells === null && read.every((a) => a === null || !partsCorners(a));
  // With one normal for each triangle, almost every corner differs from its neighbours. A search for equal vertices would
  // find hardly any, and the format welds vertices that are stored alike.
  const split = mesh.faceCounts === null && cells === null && values.normal.interpolation === 'uniform';
  const make = direct ? fromVertices : split ? fromFaces : fromCorners;
  const built = make(mesh, triangles, source);
  const { normal, tangent } = built.attributes;
  repairNormals(normal, built.positions, built.indices);
  if (!tangent) return { mesh: built, invalidTangents: 0 };
  const { tangents, invalid } = unitTangents(tangent, normal);
  return { mesh: { ...built, attributes: { ...built.attributes, tangent: tangents } }, invalidTangents: invalid };
}

/** Whether corners of one vertex may have different values. */
function partsCorners(attribute: Attribute): boolean {
  return attribute.interpolation === 'uniform' || attribute.interpolation === 'faceVarying';
}

function fromVertices(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): Mesh {
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

  const attributes = attributesFrom((semantic, { components }) => {
    const packed = source.packed[semantic as PackedSemantic];
    if (packed) {
      const words = new Uint32Array(kept);
      for (let v = 0; v < kept; v++) words[v] = packed.read(0, vertices ? vertices[v] : v, 0);
      return new Uint8Array(words.buffer);
    }
    const attribute = source.values[semantic as FloatSemantic];
    return attribute && vertexValues(attribute, components, kept, vertices);
  });
  const positions = vertices ? pickRows(mesh.points, 3, vertices) : mesh.points;
  return { vertexCount: kept, positions, attributes, indices };
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
function fromFaces(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): Mesh {
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
  const attributes = attributesFrom((semantic, { components }) => {
    const packed = source.packed[semantic as PackedSemantic];
    if (packed) {
      const words = new Uint32Array(vertexCount);
      for (let i = 0; i < vertexCount; i++) words[i] = packed.read(corners ? corners[i] : i, vertices[i], faceOf(i));
      return new Uint8Array(words.buffer);
    }
    const attribute = source.values[semantic as FloatSemantic];
    return attribute && spread(attribute, components);
  });
  const indices = new Uint32Array(vertexCount);
  for (let i = 0; i < vertexCount; i++) indices[i] = i;
  return { vertexCount, positions: pickRows(mesh.points, 3, vertices), attributes, indices };
}

/** Where a row holds an attribute, and how a corner's value is found. */
interface Column {
  readonly semantic: Semantic;
  readonly at: number;
  readonly components: number;
  readonly bits: Uint32Array;
  readonly code: number;
  readonly attribute: Attribute;
}

/** Where a row holds the word of a packed attribute. */
interface PackedColumn {
  readonly semantic: Semantic;
  readonly at: number;
  readonly values: PackedValues;
}

function fromCorners(mesh: PolygonMesh, triangles: Triangulation, source: VertexSource): Mesh {
  const { count, corners, faces } = triangles;
  const { points } = mesh;
  const { values, packed, cells } = source;

  // A row: the point, the attributes in the order of the table, the UV of a cell. Floats are compared by their bits.
  const columns: Column[] = [];
  const packedColumns: PackedColumn[] = [];
  let width = 1;
  for (const semantic of SEMANTICS) {
    const words = packed[semantic as PackedSemantic];
    if (words) packedColumns.push({ semantic, at: width++, values: words });
    const attribute = values[semantic as FloatSemantic];
    if (!attribute) continue;
    const { components } = kindOf(semantic);
    const code = interpolationCode(attribute);
    columns.push({ semantic, at: width, components, bits: bitsOf(attribute.data), code, attribute });
    width += components;
  }
  const cellAt = width;
  if (cells) width += 2;
  const set = new RowSet(width, points.length / 3);
  const { row } = set;
  const rowFloats = new Float32Array(row.buffer);
  const normalAt = columns.find(({ semantic }) => semantic === 'normal')?.at as number;
  const indices = new Uint32Array(count * 3);
  const triangle = new Uint32Array(3);
  const faceNormal = new Float64Array(3);

  for (let t = 0; t < count; t++) {
    const face = faces ? faces[t] : t;
    for (let k = 0; k < 3; k++) {
      const corner = corners ? corners[t * 3 + k] : t * 3 + k;
      const vertex = mesh.corners[corner];
      row[0] = vertex;
      for (let c = 0; c < columns.length; c++) {
        const { at, components, bits, code, attribute } = columns[c];
        const from = elementOf(code, attribute.indices, corner, vertex, face) * attribute.size;
        for (let j = 0; j < components; j++) row[at + j] = bits[from + j];
      }
      if (row[normalAt] === 0 && row[normalAt + 1] === 0 && row[normalAt + 2] === 0) {
        // No normal was authored or made here: the triangle's own.
        for (let j = 0; j < 3; j++) triangle[j] = mesh.corners[corners ? corners[t * 3 + j] : t * 3 + j];
        newellNormal(points, triangle, 0, 3, faceNormal);
        const length = Math.hypot(faceNormal[0], faceNormal[1], faceNormal[2]);
        for (let j = 0; j < 3; j++) rowFloats[normalAt + j] = length > 0 ? faceNormal[j] / length : 0;
      }
      for (let c = 0; c < packedColumns.length; c++) {
        row[packedColumns[c].at] = packedColumns[c].values.read(corner, vertex, face);
      }
      if (cells) {
        const cell = cells.uvs.get(cells.of.read(corner, vertex, face));
        if (cell === undefined) throw new Error('the palette lacks a colour of this mesh');
        rowFloats[cellAt] = cell[0];
        rowFloats[cellAt + 1] = cell[1];
      }

      indices[t * 3 + k] = set.add();
    }
  }

  const { rows } = set;
  const vertexCount = set.count;
  const vertices = new Uint32Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) vertices[v] = rows[v * width];
  const attributes = attributesFrom((semantic) => {
    const column = columns.find((one) => one.semantic === semantic);
    if (column) return floatColumns(rows, width, column.at, column.components);
    if (semantic === 'uv0' && cells) return floatColumns(rows, width, cellAt, 2);
    const word = packedColumns.find((one) => one.semantic === semantic);
    return word && new Uint8Array(wordColumns(rows, width, word.at, 1).buffer);
  });
  return { vertexCount, positions: pickRows(points, 3, vertices), attributes, indices };
}

function wordColumns(rows: Uint32Array, width: number, first: number, size: number): Uint32Array {
  const count = rows.length / width;
  const out = new Uint32Array(count * size);
  for (let v = 0, to = 0; v < count; v++) {
    for (let k = 0; k < size; k++) out[to++] = rows[v * width + first + k];
  }
  return out;
}

function floatColumns(rows: Uint32Array, width: number, first: number, size: number): Float32Array {
  return new Float32Array(wordColumns(rows, width, first, size).buffer);
}
