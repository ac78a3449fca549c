// Welds a mesh: vertices whose positions and attributes are all equal become one.

import { SEMANTICS } from './attributes.ts';
import { bitsOf, type Float32Mesh, pickVertices } from './mesh.ts';
import { weldRows } from './weld.ts';

/**
 * The mesh with vertices that are equal bit for bit joined, numbered as they first occur; its triangles stay. Gives `mesh`
 * itself when all differ.
 */
export function weldMesh(mesh: Float32Mesh): Float32Mesh {
  const welded = weldedVertices(mesh);
  return welded === null ? mesh : pickVertices(mesh, welded.first, welded.indices);
}

export interface WeldedVertices {
  /** The first of the vertices that are equal, for each that differs from all before it. */
  readonly first: Uint32Array;
  /** Triangles over those. */
  readonly indices: Uint32Array;
}

/** Which vertices a weld leaves, for callers that pick fewer or order them; null when all differ. */
export function weldedVertices(mesh: Float32Mesh): WeldedVertices | null {
  const { vertexCount, indices } = mesh;
  const { rows, width } = rowsOf(mesh);
  const { count, remap } = weldRows(rows, width);
  if (remap === null) return null;
  const first = new Uint32Array(count);
  for (let v = 0, next = 0; v < vertexCount; v++) if (remap[v] === next) first[next++] = v;
  const welded = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) welded[i] = remap[indices[i]];
  return { first, indices: welded };
}

/** The bits of each vertex as one row of words: position, then the attributes. */
function rowsOf({ vertexCount, positions, attributes }: Float32Mesh): {
  readonly rows: Uint32Array;
  readonly width: number;
} {
  const columns = [bitsOf(positions)];
  for (const semantic of SEMANTICS) {
    const values = attributes[semantic];
    if (values) columns.push(bitsOf(values));
  }
  let width = 0;
  for (const { length } of columns) width += vertexCount > 0 ? length / vertexCount : 0;
  const rows = new Uint32Array(vertexCount * width);
  let column = 0;
  for (const bits of columns) {
    const size = vertexCount > 0 ? bits.length / vertexCount : 0;
    for (let v = 0, at = 0, to = column; v < vertexCount; v++, to += width) {
      for (let k = 0; k < size; k++) rows[to + k] = bits[at++];
    }
    column += size;
  }
  return { rows, width };
}
