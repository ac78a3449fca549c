// The cage of a subdivision surface: faces, edges and their sharpness as typed arrays, built from a polygon mesh in
// linear time. Every rule of subdivision works on it. Refined cages come from refine.ts.

import type { Creases, PolygonMesh, Subdivision } from '../../../scene/types.ts';
import { INFINITELY_SHARP } from './sharpness.ts';

/**
 * A subdivision surface after some number of refinements, without its values. The edge of a corner runs from that corner
 * to the next one of its face.
 */
export interface Cage {
  readonly vertexCount: number;
  readonly faceCount: number;
  /** The index of each face's first corner, then the total number of corners; null: face f starts at f * faceSize. */
  readonly faceStart: Uint32Array | null;
  /** The number of corners of every face if faceStart is null; not used otherwise. */
  readonly faceSize: number;
  /** The vertex of each corner. */
  readonly corners: Uint32Array;
  /** The edge of each corner. */
  readonly cornerEdge: Uint32Array;
  /** For each corner, how many earlier corners have the same edge; 0 for the first. */
  readonly cornerRank: Uint32Array;
  /** Two vertices for each edge. */
  readonly edgeVertices: Uint32Array;
  /** How many corners each edge has: 1 on the boundary, 2 inside, more where the surface is not manifold. */
  readonly edgeFaces: Uint32Array;
  readonly edgeSharpness: Float32Array;
  readonly vertexSharpness: Float32Array;
}

/** What is also known of the first cage. */
export interface CageOrigin {
  /** Index of each kept face in the mesh; null: all were kept. */
  readonly faces: Uint32Array | null;
  /** Index of each kept corner in the mesh; null: all were kept. */
  readonly corners: Uint32Array | null;
  /** 1 for a vertex at a non-manifold edge, and for one whose faces form neither one fan nor one ring. */
  readonly nonManifold: Uint8Array;
  /** 1 for each kept face that boundary 'none' leaves undrawn; null: none. */
  readonly undrawn: Uint8Array | null;
  readonly nonManifoldEdges: number;
  /** The number of crease edges that no face has. */
  readonly strayCreases: number;
}

export interface BuiltCage {
  readonly cage: Cage;
  readonly origin: CageOrigin;
}

export function faceFirst(cage: Cage, face: number): number {
  return cage.faceStart ? cage.faceStart[face] : face * cage.faceSize;
}

/**
 * The cage of a mesh. Corners that repeat the one before are left out; so are faces with fewer than three corners left.
 * Edges are numbered by their smaller vertex, then by the first corner that has them. As in OpenSubdiv, boundary edges,
 * non-manifold edges (of more than two faces, or of two faces that pass along the edge in the same direction) and the
 * corners that the boundary rule demands become infinitely sharp. Where an edge or vertex is listed twice, its last
 * sharpness counts.
 */
export function buildCage(mesh: PolygonMesh, rules: Subdivision): BuiltCage {
  const vertexCount = mesh.points.length / 3;
  const kept = keepFaces(mesh);
  const { corners, faceStart, faceCount } = kept;
  const next = nextCorners(corners.length, faceStart, faceCount);
  const edges = findEdges(vertexCount, corners, next, mesh.creases);
  const { cornerEdge, cornerRank, edgeVertices, edgeFaces, edgeSharpness } = edges;
  const edgeCount = edgeFaces.length;

  // 1. Non-manifold edges, and the faces that boundary 'none' leaves undrawn: found now, because step 2 makes boundaries
  // sharp.
  const nonManifoldEdge = new Uint8Array(edgeCount);
  const forward = new Uint32Array(edgeCount);
  for (let c = 0; c < corners.length; c++) {
    const e = cornerEdge[c];
    if (corners[c] === edgeVertices[e * 2]) forward[e]++;
  }
  let nonManifoldEdges = 0;
  for (let e = 0; e < edgeCount; e++) {
    if (edgeFaces[e] > 2 || (edgeFaces[e] === 2 && forward[e] !== 1)) {
      nonManifoldEdge[e] = 1;
      nonManifoldEdges++;
    }
  }
  const open = rules.boundary === 'none' && rules.scheme !== 'bilinear';
  const undrawn = open ? boundaryFaces(kept, vertexCount, edges) : null;

  // 2. Edges that are sharp because of where they are: on the boundary, or where the surface is not manifold.
  const faceValence = new Uint32Array(vertexCount);
  for (let c = 0; c < corners.length; c++) faceValence[corners[c]]++;
  const edgeValence = new Uint32Array(vertexCount);
  const boundaryValence = new Uint32Array(vertexCount);
  const nonManifoldValence = new Uint32Array(vertexCount);
  for (let e = 0; e < edgeCount; e++) {
    const boundary = edgeFaces[e] === 1 ? 1 : 0;
    if (boundary || nonManifoldEdge[e]) edgeSharpness[e] = INFINITELY_SHARP;
    for (let k = 0; k < 2; k++) {
      const v = edgeVertices[e * 2 + k];
      edgeValence[v]++;
      boundaryValence[v] += boundary;
      nonManifoldValence[v] += nonManifoldEdge[e];
    }
  }

  // 3. Vertices that are sharp because of where they are.
  const nonManifold = findNonManifold(corners, next, edges, nonManifoldEdge, faceValence);
  const vertexSharpness = new Float32Array(vertexCount);
  const { corners: sharp } = rules;
  if (sharp) {
    for (let i = 0; i < sharp.vertices.length; i++) {
      vertexSharpness[sharp.vertices[i]] = Math.max(0, sharp.sharpnesses[i]);
    }
  }
  for (let v = 0; v < vertexCount; v++) {
    const corner = faceValence[v] === 1 && edgeValence[v] === 2;
    if (corner && rules.boundary === 'edgeAndCorner') {
      vertexSharpness[v] = INFINITELY_SHARP;
    } else if (nonManifold[v]) {
      // The line along which a fin meets a closed surface is a crease: its edges are sharp, but its vertices are not.
      const fin = nonManifoldValence[v] === 2 && boundaryValence[v] === 0 && faceValence[v] > edgeValence[v];
      if (!fin) vertexSharpness[v] = INFINITELY_SHARP;
    }
  }

  const cage = {
    vertexCount,
    faceCount,
    faceStart,
    faceSize: 3,
    corners,
    cornerEdge,
    cornerRank,
    edgeVertices,
    edgeFaces,
    edgeSharpness,
    vertexSharpness,
  };
  const { strayCreases } = edges;
  const origin = {
    faces: kept.fromFaces,
    corners: kept.fromCorners,
    nonManifold,
    undrawn,
    nonManifoldEdges,
    strayCreases,
  };
  return { cage, origin };
}

interface KeptFaces {
  readonly corners: Uint32Array;
  readonly faceStart: Uint32Array | null;
  readonly faceCount: number;
  readonly fromFaces: Uint32Array | null;
  readonly fromCorners: Uint32Array | null;
}

/**
 * The faces without repeated corners; faces with fewer than three corners left are dropped. The mesh's own corners if
 * nothing was removed.
 */
function keepFaces(mesh: PolygonMesh): KeptFaces {
  const { corners, faceCounts } = mesh;
  const all = faceCounts ? faceCounts.length : Math.floor(corners.length / 3);
  const fromFaces = new Uint32Array(all);
  const fromCorners = new Uint32Array(corners.length);
  const starts = new Uint32Array(all + 1);
  let faces = 0;
  let at = 0;
  for (let f = 0, first = 0; f < all; f++) {
    const n = faceCounts ? faceCounts[f] : 3;
    const start = at;
    for (let k = 0; k < n; k++) {
      if (corners[first + k] !== corners[first + (k > 0 ? k - 1 : n - 1)]) fromCorners[at++] = first + k;
    }
    first += n;
    if (at - start < 3) {
      at = start;
      continue;
    }
    fromFaces[faces++] = f;
    starts[faces] = at;
  }
  if (at === corners.length && faces === all) {
    return { corners, faceStart: faceCounts && starts, faceCount: all, fromFaces: null, fromCorners: null };
  }
  const kept = new Uint32Array(at);
  for (let c = 0; c < at; c++) kept[c] = corners[fromCorners[c]];
  return {
    corners: kept,
    faceStart: starts.slice(0, faces + 1),
    faceCount: faces,
    fromFaces: fromFaces.slice(0, faces),
    fromCorners: fromCorners.slice(0, at),
  };
}

function nextCorners(cornerCount: number, faceStart: Uint32Array | null, faceCount: number): Uint32Array {
  const next = new Uint32Array(cornerCount);
  for (let f = 0; f < faceCount; f++) {
    const first = faceStart ? faceStart[f] : f * 3;
    const end = faceStart ? faceStart[f + 1] : first + 3;
    for (let c = first; c < end; c++) next[c] = c + 1 < end ? c + 1 : first;
  }
  return next;
}

interface Edges {
  readonly cornerEdge: Uint32Array;
  readonly cornerRank: Uint32Array;
  readonly edgeVertices: Uint32Array;
  readonly edgeFaces: Uint32Array;
  readonly edgeSharpness: Float32Array;
  readonly strayCreases: number;
}

/**
 * Edges and the sharpness that creases give them. Corners are sorted by the smaller vertex of their edge. For each
 * smaller vertex, a table finds the edge by its larger vertex, so the time is linear in the number of corners.
 */
function findEdges(vertexCount: number, corners: Uint32Array, next: Uint32Array, creases: Creases | null): Edges {
  const cornerCount = corners.length;
  const smaller = new Uint32Array(cornerCount);
  for (let c = 0; c < cornerCount; c++) smaller[c] = Math.min(corners[c], corners[next[c]]);
  const byVertex = sortByVertex(smaller, vertexCount);
  const lines = creases ? creaseEdges(creases) : null;
  const linesByVertex = lines ? sortByVertex(lines.smaller, vertexCount) : null;

  const cornerEdge = new Uint32Array(cornerCount);
  const cornerRank = new Uint32Array(cornerCount);
  const edgeVertices = new Uint32Array(cornerCount * 2);
  const edgeFaces = new Uint32Array(cornerCount);
  const edgeSharpness = new Float32Array(cornerCount);
  // For each vertex: its edge to the current vertex `v`, plus one. Edges before `firstEdge` belong to earlier vertices and
  // do not count.
  const edgeTo = new Uint32Array(vertexCount);
  let edgeCount = 0;
  let strayCreases = 0;
  for (let v = 0; v < vertexCount; v++) {
    const firstEdge = edgeCount;
    for (let i = byVertex.starts[v]; i < byVertex.starts[v + 1]; i++) {
      const c = byVertex.items[i];
      const a = corners[c];
      const larger = a === v ? corners[next[c]] : a;
      let e = edgeTo[larger] - 1;
      if (e < firstEdge) {
        e = edgeCount++;
        edgeTo[larger] = edgeCount;
        edgeVertices[e * 2] = v;
        edgeVertices[e * 2 + 1] = larger;
      }
      cornerEdge[c] = e;
      cornerRank[c] = edgeFaces[e]++;
    }
    if (lines === null || linesByVertex === null) continue;
    for (let i = linesByVertex.starts[v]; i < linesByVertex.starts[v + 1]; i++) {
      const line = linesByVertex.items[i];
      const e = edgeTo[lines.larger[line]] - 1;
      if (e < firstEdge) strayCreases++;
      else edgeSharpness[e] = lines.sharpness[line];
    }
  }
  return {
    cornerEdge,
    cornerRank,
    edgeVertices: edgeVertices.slice(0, edgeCount * 2),
    edgeFaces: edgeFaces.slice(0, edgeCount),
    edgeSharpness: edgeSharpness.slice(0, edgeCount),
    strayCreases,
  };
}

/**
 * Sorts the numbers 0 … n - 1 by their vertex; the numbers of one vertex stay ascending. Those of vertex v begin at
 * starts[v].
 */
export function sortByVertex(
  vertices: Uint32Array,
  vertexCount: number,
): { readonly starts: Uint32Array; readonly items: Uint32Array } {
  const starts = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < vertices.length; i++) starts[vertices[i] + 1]++;
  for (let v = 0; v < vertexCount; v++) starts[v + 1] += starts[v];
  const fill = starts.slice(0, vertexCount);
  const items = new Uint32Array(vertices.length);
  for (let i = 0; i < vertices.length; i++) items[fill[vertices[i]]++] = i;
  return { starts, items };
}

/** The edges of crease runs. There is one sharpness for each run, or one for each edge; their number tells which. */
function creaseEdges(creases: Creases): { smaller: Uint32Array; larger: Uint32Array; sharpness: Float32Array } {
  const { vertices, lengths, sharpnesses } = creases;
  const count = vertices.length - lengths.length;
  const smaller = new Uint32Array(count);
  const larger = new Uint32Array(count);
  const sharpness = new Float32Array(count);
  const perRun = sharpnesses.length === lengths.length;
  let edge = 0;
  let first = 0;
  for (let run = 0; run < lengths.length; run++) {
    for (let k = 1; k < lengths[run]; k++, edge++) {
      const a = vertices[first + k - 1];
      const b = vertices[first + k];
      smaller[edge] = Math.min(a, b);
      larger[edge] = Math.max(a, b);
      sharpness[edge] = Math.max(0, sharpnesses[perRun ? run : edge]);
    }
    first += lengths[run];
  }
  return { smaller, larger, sharpness };
}

/** 1 for faces with a vertex of a boundary edge that no crease makes infinitely sharp; null: there are none. */
function boundaryFaces(kept: KeptFaces, vertexCount: number, edges: Edges): Uint8Array | null {
  const open = new Uint8Array(vertexCount);
  for (let e = 0; e < edges.edgeFaces.length; e++) {
    if (edges.edgeFaces[e] !== 1 || edges.edgeSharpness[e] >= INFINITELY_SHARP) continue;
    open[edges.edgeVertices[e * 2]] = 1;
    open[edges.edgeVertices[e * 2 + 1]] = 1;
  }
  const undrawn = new Uint8Array(kept.faceCount);
  let any = false;
  for (let f = 0; f < kept.faceCount; f++) {
    const first = kept.faceStart ? kept.faceStart[f] : f * 3;
    const end = kept.faceStart ? kept.faceStart[f + 1] : first + 3;
    for (let c = first; c < end; c++) {
      if (open[kept.corners[c]] === 0) continue;
      undrawn[f] = 1;
      any = true;
    }
  }
  return any ? undrawn : null;
}

/**
 * 1 for vertices at a non-manifold edge, and for each vertex whose faces cannot all be reached by walking across its
 * edges.
 */
function findNonManifold(
  corners: Uint32Array,
  next: Uint32Array,
  edges: Edges,
  nonManifoldEdge: Uint8Array,
  faceValence: Uint32Array,
): Uint8Array {
  const vertexCount = faceValence.length;
  const { cornerEdge, cornerRank, edgeVertices, edgeFaces } = edges;
  const nonManifold = new Uint8Array(vertexCount);
  for (let e = 0; e < edgeFaces.length; e++) {
    if (nonManifoldEdge[e] === 0) continue;
    nonManifold[edgeVertices[e * 2]] = 1;
    nonManifold[edgeVertices[e * 2 + 1]] = 1;
  }
  const edgeCorners = new Uint32Array(edgeFaces.length * 2);
  const previous = new Uint32Array(corners.length);
  const start = new Uint32Array(vertexCount);
  for (let c = corners.length - 1; c >= 0; c--) {
    if (cornerRank[c] < 2) edgeCorners[cornerEdge[c] * 2 + cornerRank[c]] = c;
    previous[next[c]] = c;
    start[corners[c]] = c;
  }
  const across = (c: number): number => {
    const e = cornerEdge[c];
    return edgeFaces[e] === 2 ? edgeCorners[e * 2 + 1 - cornerRank[c]] : -1;
  };
  for (let v = 0; v < vertexCount; v++) {
    if (nonManifold[v] || faceValence[v] === 0) continue;
    const first = start[v];
    let passed = 1;
    // Walk across the edge that starts at the vertex, face by face.
    let d = across(first);
    while (d >= 0 && next[d] !== first) {
      passed++;
      d = across(next[d]);
    }
    if (d < 0) {
      // The fan is open: walk the other way too, across the edge that ends at the vertex.
      d = across(previous[first]);
      while (d >= 0) {
        passed++;
        d = across(previous[d]);
      }
    }
    if (passed !== faceValence[v]) nonManifold[v] = 1;
  }
  return nonManifold;
}
