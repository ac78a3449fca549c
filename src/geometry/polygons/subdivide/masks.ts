// Masks: how much of its neighbours a vertex of the child cage takes, and the refinement of values by them. Rules:
// Catmull & Clark 1978 and Loop 1987 with the creases of DeRose et al. 1998 and Hoppe et al. 1994, in the form that
// OpenSubdiv gives them (Sdc::Scheme).

import type { Subdivision } from '../../../scene/types.ts';
import { type Cage, faceFirst } from './cage.ts';
import { childVertexCount, firstEdgeVertex, type Split } from './refine.ts';
import { childSharpness } from './sharpness.ts';

/**
 * The masks of one step. A vertex becomes own * itself + edge * Σ vertices at its edges + face * Σ children of its faces
 * + sharp * Σ vertices at its sharp edges + stillSharp * Σ vertices at the edges that are sharp in the child cage too.
 * An edge becomes (0.5 - w) * its two vertices + w * Σ children of its two faces (quads) or the vertices opposite it in
 * them (triangles), w = edgeFace.
 */
export interface Masks {
  readonly own: Float64Array;
  readonly edge: Float64Array;
  readonly face: Float64Array;
  readonly sharp: Float64Array;
  readonly stillSharp: Float64Array;
  readonly edgeFace: Float64Array;
}

/** Weight of each face at a smooth edge, whatever the number of its corners. */
const QUAD_EDGE_FACE = 0.25;

/** Weight of a triangle at a smooth edge with the triangle rule 'smooth' (Stam & Loop 2003, as OpenSubdiv fits it). */
const SMOOTH_TRIANGLE_EDGE_FACE = 0.47;

/** Weight of each vertex opposite a smooth edge of triangles. */
const LOOP_EDGE_OPPOSITE = 0.125;

/** Weight of each neighbour along a crease. */
export const CREASE_NEIGHBOUR = 0.125;

/** The rule of a vertex, by its sharpness and its sharp edges. */
const SMOOTH = 0;
const CREASE = 1;
const CORNER = 2;

function ruleOf(vertexSharpness: number, sharpEdges: number): number {
  if (vertexSharpness > 0 || sharpEdges > 2) return CORNER;
  return sharpEdges === 2 ? CREASE : SMOOTH;
}

/** The masks for the vertices and edges of a cage. */
export function findMasks(cage: Cage, split: Split, triangles: Subdivision['triangles']): Masks {
  const { vertexCount, edgeVertices, edgeSharpness, vertexSharpness } = cage;
  const valence = new Uint32Array(vertexCount);
  for (let c = 0; c < cage.corners.length; c++) valence[cage.corners[c]]++;

  // 1. Sharp edges at each vertex, and what of their sharpness fades in this step.
  const sharpEdges = new Uint32Array(vertexCount);
  const stillSharpEdges = new Uint32Array(vertexCount);
  const fading = new Fading(vertexCount);
  for (let e = 0; e < edgeSharpness.length; e++) {
    const sharpness = edgeSharpness[e];
    if (sharpness === 0) continue;
    for (let k = 0; k < 2; k++) {
      const v = edgeVertices[e * 2 + k];
      sharpEdges[v]++;
      if (sharpness > 1) stillSharpEdges[v]++;
      else fading.add(v, sharpness);
    }
  }

  // 2. Vertices.
  const masks = {
    own: new Float64Array(vertexCount).fill(1),
    edge: new Float64Array(vertexCount),
    face: new Float64Array(vertexCount),
    sharp: new Float64Array(vertexCount),
    stillSharp: new Float64Array(vertexCount),
    edgeFace: edgeMasks(cage, split, triangles),
  };
  const smooth = split === 'quads' ? smoothQuads : smoothTriangles;
  for (let v = 0; v < vertexCount; v++) {
    // Fewer than two faces around a smooth vertex: a face folded onto itself. It stays where it is.
    const rule = ruleOf(vertexSharpness[v], sharpEdges[v]);
    if (rule === SMOOTH) {
      if (valence[v] >= 2) smooth(masks, v, valence[v], 1);
      continue;
    }
    const sharpness = childSharpness(vertexSharpness[v]);
    const next = ruleOf(sharpness, stillSharpEdges[v]);
    if (vertexSharpness[v] > 0 && sharpness === 0) fading.add(v, vertexSharpness[v]);
    const now = next === rule ? 1 : fading.weight(v);
    const then = 1 - now;
    masks.own[v] = 0;
    if (rule === CORNER) {
      masks.own[v] += now;
    } else {
      masks.own[v] += now * (1 - 2 * CREASE_NEIGHBOUR);
      masks.sharp[v] = now * CREASE_NEIGHBOUR;
    }
    if (then === 0) continue;
    if (next === CREASE) {
      masks.own[v] += then * (1 - 2 * CREASE_NEIGHBOUR);
      masks.stillSharp[v] = then * CREASE_NEIGHBOUR;
    } else if (next === CORNER || valence[v] < 2) {
      masks.own[v] += then;
    } else {
      const own = masks.own[v];
      smooth(masks, v, valence[v], then);
      masks.own[v] += own;
    }
  }
  return masks;
}

/**
 * Sums of sharpness that reaches zero in a step. Their mean weighs the sharper rule against the smoother one (OpenSubdiv
 * ComputeFractionalWeightAtVertex).
 */
export class Fading {
  readonly #sum: Float64Array;
  readonly #count: Uint32Array;

  constructor(count: number) {
    this.#sum = new Float64Array(count);
    this.#count = new Uint32Array(count);
  }

  add(i: number, sharpness: number): void {
    this.#sum[i] += sharpness;
    this.#count[i]++;
  }

  weight(i: number, more = 0): number {
    const count = this.#count[i] + (more > 0 ? 1 : 0);
    return count === 0 ? 0 : Math.min(1, (this.#sum[i] + more) / count);
  }
}

function smoothQuads(masks: Masks, v: number, n: number, part: number): void {
  masks.own[v] = (part * (n - 2)) / n;
  masks.edge[v] = part / (n * n);
  masks.face[v] = part / (n * n);
}

function smoothTriangles(masks: Masks, v: number, n: number, part: number): void {
  const beta = 0.375 + 0.25 * Math.cos((2 * Math.PI) / n);
  const edge = n === 6 ? 0.0625 : (0.625 - beta * beta) / n;
  masks.own[v] = part * (1 - n * edge);
  masks.edge[v] = part * edge;
}

function edgeMasks(cage: Cage, split: Split, triangles: Subdivision['triangles']): Float64Array {
  const { edgeSharpness, cornerEdge } = cage;
  const masks = new Float64Array(edgeSharpness.length).fill(split === 'quads' ? QUAD_EDGE_FACE : LOOP_EDGE_OPPOSITE);
  const anyTriangles = cage.faceStart !== null || cage.faceSize === 3;
  if (split === 'quads' && triangles === 'smooth' && anyTriangles) {
    for (let f = 0; f < cage.faceCount; f++) {
      const first = faceFirst(cage, f);
      if (faceFirst(cage, f + 1) - first !== 3) continue;
      // The mean over the two faces of the edge.
      for (let c = first; c < first + 3; c++) masks[cornerEdge[c]] += (SMOOTH_TRIANGLE_EDGE_FACE - QUAD_EDGE_FACE) / 2;
    }
  }
  for (let e = 0; e < masks.length; e++) masks[e] *= 1 - Math.min(1, edgeSharpness[e]);
  return masks;
}

/** How much of its other end a vertex takes over an edge of the given sharpness. */
export function edgeWeight(masks: Masks, vertex: number, sharpness: number): number {
  if (sharpness === 0) return masks.edge[vertex];
  return masks.edge[vertex] + masks.sharp[vertex] + (sharpness > 1 ? masks.stillSharp[vertex] : 0);
}

/** Refines values of vertices, `size` numbers each: smooth by the masks, or linear over the faces without. */
export function refineVertices(
  cage: Cage,
  split: Split,
  masks: Masks | null,
  data: Float32Array | Float64Array,
  size: number,
): Float64Array {
  const { vertexCount, corners, cornerEdge, edgeVertices, edgeSharpness } = cage;
  const out = new Float64Array(childVertexCount(cage, split) * size);
  const firstEdge = firstEdgeVertex(cage, split) * size;

  // 1. Faces.
  if (split === 'quads') averageFaces(cage, corners, data, size, out, vertexCount * size);

  // 2. Vertices by themselves.
  for (let v = 0, i = 0; v < vertexCount; v++) {
    const own = masks ? masks.own[v] : 1;
    for (let k = 0; k < size; k++, i++) out[i] = own * data[i];
  }

  // 3. Along edges.
  for (let e = 0; e < edgeSharpness.length; e++) {
    const a = edgeVertices[e * 2];
    const b = edgeVertices[e * 2 + 1];
    const i = a * size;
    const j = b * size;
    const to = firstEdge + e * size;
    if (masks === null) {
      for (let k = 0; k < size; k++) out[to + k] = 0.5 * data[i + k] + 0.5 * data[j + k];
      continue;
    }
    const half = 0.5 - masks.edgeFace[e];
    const intoA = edgeWeight(masks, a, edgeSharpness[e]);
    const intoB = edgeWeight(masks, b, edgeSharpness[e]);
    for (let k = 0; k < size; k++) {
      out[to + k] = half * (data[i + k] + data[j + k]);
      out[i + k] += intoA * data[j + k];
      out[j + k] += intoB * data[i + k];
    }
  }
  if (masks === null) return out;

  // 4. From faces: their children (quads), or the vertices opposite their edges (triangles).
  for (let f = 0; f < cage.faceCount; f++) {
    const first = faceFirst(cage, f);
    const end = faceFirst(cage, f + 1);
    for (let c = first; c < end; c++) {
      const e = cornerEdge[c];
      const weight = masks.edgeFace[e];
      const to = firstEdge + e * size;
      if (split === 'triangles') {
        const from = corners[c > first ? c - 1 : end - 1] * size;
        for (let k = 0; k < size; k++) out[to + k] += weight * data[from + k];
        continue;
      }
      const from = (vertexCount + f) * size;
      const i = corners[c] * size;
      const face = masks.face[corners[c]];
      for (let k = 0; k < size; k++) {
        out[to + k] += weight * out[from + k];
        out[i + k] += face * out[from + k];
      }
    }
  }
  return out;
}

/** Writes the mean of each face's values, whose number corner by corner is `of`, to `out` from `to` on. */
export function averageFaces(
  cage: Cage,
  of: Uint32Array,
  data: Float32Array | Float64Array,
  size: number,
  out: Float64Array,
  to: number,
): void {
  for (let f = 0; f < cage.faceCount; f++, to += size) {
    const first = faceFirst(cage, f);
    const end = faceFirst(cage, f + 1);
    const share = 1 / (end - first);
    for (let c = first; c < end; c++) {
      const i = of[c] * size;
      for (let k = 0; k < size; k++) out[to + k] += share * data[i + k];
    }
  }
}
