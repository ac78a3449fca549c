// Refines a cage by one step: the faces and edges of the child cage. Children are numbered by their parents, so that no
// search is needed:
//
// - vertices: those of the parent keep their numbers; then one for each face (quads only), then one for each edge;
// - faces: the children of a face follow one another, one for each corner, beginning with that corner; splitting into
//   triangles adds the middle one last;
// - edges: the halves of edge e are 2e (at its first vertex) and 2e + 1; then one for each corner, inside of its face.

import { type Cage, faceFirst } from './cage.ts';
import { childSharpness } from './sharpness.ts';

/** What faces are split into: quads (catmullClark, bilinear) or triangles (loop). */
export type Split = 'quads' | 'triangles';

/** How many vertices the child cage has. */
export function childVertexCount(cage: Cage, split: Split): number {
  return cage.vertexCount + (split === 'quads' ? cage.faceCount : 0) + cage.edgeFaces.length;
}

/** Number of the child vertex of edge 0. */
export function firstEdgeVertex(cage: Cage, split: Split): number {
  return cage.vertexCount + (split === 'quads' ? cage.faceCount : 0);
}

/**
 * The vertices, or the face-varying values, of the corners of the child cage: four for each corner of the parent. For
 * corner c of the parent, `own[c]` is the number of its own child and `edgeOf(c)` that of its edge's child; faces have
 * theirs from `firstFace` on (quads only).
 */
export function childCorners(
  cage: Cage,
  split: Split,
  own: Uint32Array,
  edgeOf: (corner: number) => number,
  firstFace: number,
): Uint32Array {
  const out = new Uint32Array(cage.corners.length * 4);
  let to = 0;
  for (let f = 0; f < cage.faceCount; f++) {
    const first = faceFirst(cage, f);
    const end = faceFirst(cage, f + 1);
    let before = edgeOf(end - 1);
    for (let c = first; c < end; c++) {
      const after = edgeOf(c);
      out[to++] = own[c];
      out[to++] = after;
      if (split === 'quads') out[to++] = firstFace + f;
      out[to++] = before;
      before = after;
    }
    if (split === 'triangles') for (let c = first; c < end; c++) out[to++] = edgeOf(c);
  }
  return out;
}

/** The vertices of the child cage's corners. */
export function childCornerVertices(cage: Cage, split: Split): Uint32Array {
  const { cornerEdge } = cage;
  const firstEdge = firstEdgeVertex(cage, split);
  return childCorners(cage, split, cage.corners, (c) => firstEdge + cornerEdge[c], cage.vertexCount);
}

/** The child cage. */
export function refineCage(cage: Cage, split: Split): Cage {
  const { corners, cornerEdge, cornerRank, edgeVertices, edgeFaces } = cage;
  const edgeCount = edgeFaces.length;
  const quads = split === 'quads';
  const firstEdge = firstEdgeVertex(cage, split);
  const vertexCount = childVertexCount(cage, split);
  const innerEdge = edgeCount * 2;

  // 1. Edges: two halves of each, then the edges inside of faces.
  const childEdgeCount = innerEdge + corners.length;
  const childEdgeVertices = new Uint32Array(childEdgeCount * 2);
  const childEdgeFaces = new Uint32Array(childEdgeCount);
  const childEdgeSharpness = new Float32Array(childEdgeCount);
  for (let e = 0; e < edgeCount; e++) {
    const sharpness = childSharpness(cage.edgeSharpness[e]);
    for (let k = 0; k < 2; k++) {
      const half = e * 2 + k;
      childEdgeVertices[half * 2] = edgeVertices[e * 2 + k];
      childEdgeVertices[half * 2 + 1] = firstEdge + e;
      childEdgeFaces[half] = edgeFaces[e];
      childEdgeSharpness[half] = sharpness;
    }
  }

  // 2. Corners: the same pattern for each corner of the parent.
  const childCornerEdge = new Uint32Array(corners.length * 4);
  const childCornerRank = new Uint32Array(corners.length * 4);
  let to = 0;
  for (let f = 0; f < cage.faceCount; f++) {
    const first = faceFirst(cage, f);
    const end = faceFirst(cage, f + 1);
    for (let c = first; c < end; c++) {
      const before = c > first ? c - 1 : end - 1;
      const e = cornerEdge[c];
      const b = cornerEdge[before];
      const inner = innerEdge + c;
      childCornerEdge[to] = e * 2 + (edgeVertices[e * 2] === corners[c] ? 0 : 1);
      childCornerRank[to++] = cornerRank[c];
      childCornerEdge[to++] = inner;
      if (quads) {
        childCornerEdge[to] = innerEdge + before;
        childCornerRank[to++] = 1;
      }
      childCornerEdge[to] = b * 2 + (edgeVertices[b * 2] === corners[c] ? 0 : 1);
      childCornerRank[to++] = cornerRank[before];
      childEdgeVertices[inner * 2] = firstEdge + e;
      childEdgeVertices[inner * 2 + 1] = quads ? cage.vertexCount + f : firstEdge + b;
      childEdgeFaces[inner] = 2;
    }
    if (quads) continue;
    // The middle triangle goes along the edges that cut off the second, third and first corner.
    for (let k = 1; k <= 3; k++) {
      childCornerEdge[to] = innerEdge + first + (k % 3);
      childCornerRank[to++] = 1;
    }
  }

  const vertexSharpness = new Float32Array(vertexCount);
  for (let v = 0; v < cage.vertexCount; v++) vertexSharpness[v] = childSharpness(cage.vertexSharpness[v]);
  return {
    vertexCount,
    faceCount: quads ? corners.length : cage.faceCount * 4,
    faceStart: null,
    faceSize: quads ? 4 : 3,
    corners: childCornerVertices(cage, split),
    cornerEdge: childCornerEdge,
    cornerRank: childCornerRank,
    edgeVertices: childEdgeVertices,
    edgeFaces: childEdgeFaces,
    edgeSharpness: childEdgeSharpness,
    vertexSharpness,
  };
}
