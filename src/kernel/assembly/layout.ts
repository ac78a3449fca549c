// What the caller writes into memory for the kernel, word by word in the order of the fields (kernel.ts and its users).
// Pointers are addresses in bytes. All vertices are 3 float32; all numbers of vertices, triangles and ids are uint32.

/** No position id, no vertex, no triangle. */
export const NONE: u32 = 0xffffffff;

/** Triangles over positions. */
@unmanaged
export class Surface {
  positions: usize;
  /** Three vertices for each triangle. */
  indices: usize;
  /** The position id of each vertex. */
  ids: usize;
  triangleCount: u32;
  /** Ids of the surface's triangles are below this. */
  idCount: u32;
  /** For each id the first vertex there, and the first triangle; NONE where the surface has none. */
  vertexAt: usize;
  triangleAt: usize;
}

/** A bounding volume hierarchy over the triangles of a surface. */
@unmanaged
export class Hierarchy {
  positions: usize;
  indices: usize;
  triangleCount: u32;
  /** A power of two, at least a quarter of the triangles. */
  leafCount: u32;
  /** Nine coordinates for each triangle, in Morton order. */
  triangles: usize;
  /** The number of each of these triangles in `indices`. */
  order: usize;
  /**
   * Six float32 for each node, least and greatest corner; node 1 is the root, nodes 2i and 2i + 1 are the halves of node
   * i. The numbers of the two halves are interleaved.
   */
  boxes: usize;
  /** The leaf where the last search ended: neighbouring points often end in the same one. */
  lastLeaf: u32;
  /** The triangles around id i, by their numbers in Morton order: fanTriangles from fanBegins[i] to before fanBegins[i + 1]. */
  fanBegins: usize;
  fanTriangles: usize;
}

/** Points of a surface whose distances are measured: those spread over it, then vertices. */
@unmanaged
export class Points {
  /** 3 float64 a spread point. */
  positions: usize;
  /** The triangle that each spread point lies in. */
  triangles: usize;
  spreadCount: u32;
  /** Position ids of the vertices. */
  vertexIds: usize;
  vertexCount: u32;
}

/** Where `farthest` writes what it finds. */
@unmanaged
export class Found {
  /** Points that were the furthest so far, or promise one that is further: the triangle and the squared distance of each. */
  count: u32;
  triangles: usize;
  /** float64. */
  distances: usize;
  /** Points further than allowed, and the greatest distance of such a point at each position id: float64, 0 for none. */
  deviatingCount: u32;
  greatest: usize;
}
