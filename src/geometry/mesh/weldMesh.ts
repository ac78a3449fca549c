// Welds a mesh: vertices whose positions and attributes are all equal become one.

import { kernel } from '../../kernel/kernel.ts';
import { SEMANTICS } from './attributes.ts';
import { bitsOf, type Float32Mesh, pickVertices } from './mesh.ts';
import { closedRows } from './weld.ts';

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
export function weldedVertices({ vertexCount, positions, attributes, indices }: Float32Mesh): WeldedVertices | null {
  if (vertexCount === 0) return null;
  // The bits of each vertex as one row of words: position, then the attributes.
  const columns = [bitsOf(positions)];
  for (const semantic of SEMANTICS) {
    const values = attributes[semantic];
    if (values) columns.push(bitsOf(values));
  }
  const width = columns.reduce((sum, { length }) => sum + length / vertexCount, 0);
  return kernel.within((memory) => {
    const { calls } = memory;
    const rows = memory.allocate(vertexCount * width * 4);
    let to = rows;
    for (const bits of columns) {
      const size = bits.length / vertexCount;
      memory.within(() => calls.placeColumn(memory.put(bits), size, vertexCount, to, width));
      to += size * 4;
    }
    const { first: numbers, count } = closedRows(memory, rows, width, vertexCount);
    if (count === vertexCount) return null;
    const first = memory.allocate(count * 4);
    calls.firstOfEach(numbers, vertexCount, first);
    const welded = memory.put(indices);
    calls.remapIndices(welded, indices.length, numbers);
    return { first: memory.uint32(first, count).slice(), indices: memory.uint32(welded, indices.length).slice() };
  });
}
