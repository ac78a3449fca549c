// Seams: values of corners are joined where neighbouring faces share them and torn elsewhere. Finds which values a cage
// has, and which of them are smooth, follow a seam or stay where they are (UsdGeomMesh faceVaryingLinearInterpolation).
// For faceVarying.ts, which refines them. The rules are OpenSubdiv's (Vtr::FVarLevel).

import type { Subdivision } from '../../../scene/types.ts';
import { type Cage, faceFirst, sortByVertex } from './cage.ts';
import { INFINITELY_SHARP, isSemiSharp } from './sharpness.ts';

/** How a value moves. MATCH: as its vertex. CORNER: not at all. CREASE: along its seam. */
export const MATCH = 0;
export const CORNER = 1;
export const CREASE = 2;
/** CORNER while semi-sharp edges run through the value's faces, then CREASE. */
export const SEMI_SHARP = 3;
/** CORNER while the other value at the vertex is SEMI_SHARP, then CREASE. */
export const DEPENDENT = 4;

/** Edge between faces that do not share their values. */
export const SEAM = 1;
/** Edge along which values are halved and not smoothed. */
export const LINEAR = 2;

/** The values of a cage: one for each vertex and set of its faces that share a value. */
export interface FaceVarying {
  readonly valueCount: number;
  /** Value of each corner. */
  readonly cornerValue: Uint32Array;
  /** Rule of each value. */
  readonly rules: Uint8Array;
  /** SEAM and LINEAR of each edge. */
  readonly edges: Uint8Array;
  /** Values of the vertices of the first cage: those of vertex v begin at starts[v]. */
  readonly starts: Uint32Array;
  /** Nothing is smoothed: new values are means. */
  readonly linear: boolean;
  readonly smoothSeams: boolean;
}

/** What is counted around each value of the first cage. */
interface Spans {
  readonly size: Uint32Array;
  /** Sides of edges where the value's faces end. */
  readonly ends: Uint32Array;
  /** Edges between the value's faces that are infinitely sharp, and semi-sharp ones. */
  readonly sharp: Uint32Array;
  readonly semiSharp: Uint32Array;
}

/**
 * The values of a cage. Corners share a value when they have the same vertex and the same index; without indices no
 * corners share one (UsdGeomPrimvar: the indices state the topology of a face-varying primvar). `source` is the index
 * (without indices: the corner) of each value. `linear`: nothing is smoothed, whatever the rules are.
 */
export function findValues(
  cage: Cage,
  indices: Uint32Array | null,
  nonManifold: Uint8Array,
  rules: Subdivision,
  linear: boolean,
): { readonly values: FaceVarying; readonly source: Uint32Array } {
  const { cornerValue, starts, source } = joinCorners(cage, indices);
  const edges = findSeams(cage, cornerValue);
  const everywhere = linear || rules.faceVarying === 'all';
  const straight = everywhere || rules.faceVarying === 'boundaries';
  if (straight) {
    for (let e = 0; e < edges.length; e++) {
      if (everywhere || edges[e] & SEAM || cage.edgeFaces[e] === 1) edges[e] |= LINEAR;
    }
  }
  const values = {
    valueCount: source.length,
    cornerValue,
    rules: new Uint8Array(source.length).fill(everywhere ? CORNER : MATCH),
    edges,
    starts,
    linear: everywhere,
    smoothSeams: !straight,
  };
  if (!everywhere) classify(cage, values, nonManifold, rules);
  return { values, source };
}

/** One value for each vertex and index at it, in the order of vertices, then of corners. */
function joinCorners(cage: Cage, indices: Uint32Array | null) {
  const { vertexCount, corners } = cage;
  const { starts: cornerStarts, items } = sortByVertex(corners, vertexCount);
  const cornerValue = new Uint32Array(corners.length);
  const starts = new Uint32Array(vertexCount + 1);
  const source = new Uint32Array(corners.length);
  let largest = 0;
  if (indices) for (let c = 0; c < indices.length; c++) largest = Math.max(largest, indices[c]);
  // For each index: its value at the current vertex `v`, plus one. Values before `starts[v]` belong to earlier vertices and
  // do not count.
  const valueAt = new Uint32Array(indices ? largest + 1 : 0);
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    starts[v] = count;
    for (let i = cornerStarts[v]; i < cornerStarts[v + 1]; i++) {
      const c = items[i];
      const index = indices ? indices[c] : c;
      if (indices === null || valueAt[index] <= starts[v]) {
        source[count++] = index;
        if (indices) valueAt[index] = count;
      }
      cornerValue[c] = indices ? valueAt[index] - 1 : count - 1;
    }
  }
  starts[vertexCount] = count;
  return { cornerValue, starts, source: source.slice(0, count) };
}

/** SEAM for each edge whose faces have different values at one of its ends. */
function findSeams(cage: Cage, cornerValue: Uint32Array): Uint8Array {
  const { corners, cornerEdge, cornerRank, edgeVertices, edgeFaces } = cage;
  const edges = new Uint8Array(edgeFaces.length);
  const ends = new Uint32Array(edgeFaces.length * 2);
  for (const first of [true, false]) {
    eachEdgeSide(cage, (c, next) => {
      if ((cornerRank[c] === 0) !== first) return;
      const e = cornerEdge[c];
      const turned = corners[c] === edgeVertices[e * 2] ? 0 : 1;
      const a = e * 2 + turned;
      const b = e * 2 + 1 - turned;
      if (first) {
        ends[a] = cornerValue[c];
        ends[b] = cornerValue[next];
      } else if (ends[a] !== cornerValue[c] || ends[b] !== cornerValue[next]) {
        edges[e] = SEAM;
      }
    });
  }
  return edges;
}

/** Calls `visit` for each corner with the next one of its face. */
export function eachEdgeSide(cage: Cage, visit: (corner: number, next: number) => void): void {
  for (let f = 0; f < cage.faceCount; f++) {
    const first = faceFirst(cage, f);
    const end = faceFirst(cage, f + 1);
    for (let c = first; c < end; c++) visit(c, c + 1 < end ? c + 1 : first);
  }
}

/** Whether the faces of a value end at an edge. */
export function endsAt(edge: number, flags: Uint8Array, edgeFaces: Uint32Array): boolean {
  return (flags[edge] & SEAM) !== 0 || edgeFaces[edge] !== 2;
}

/**
 * Sets the rules of the values at vertices where seams meet, and of others that the options single out. A value whose
 * faces do not join around its vertex stays. (OpenSubdiv 3.5 has that too, but where two values alternate it counts the
 * second time of one of them as a value of its own.)
 */
function classify(cage: Cage, values: FaceVarying, nonManifold: Uint8Array, options: Subdivision): void {
  const { vertexCount, corners, edgeVertices, edgeFaces, vertexSharpness } = cage;
  const { faceVarying } = options;
  const { starts, rules } = values;

  // 1. What meets at each vertex.
  const touched = new Uint8Array(vertexCount);
  const boundary = new Uint8Array(vertexCount);
  for (let e = 0; e < edgeFaces.length; e++) {
    for (let k = 0; k < 2; k++) {
      const v = edgeVertices[e * 2 + k];
      if (values.edges[e] & SEAM) touched[v] = 1;
      if (edgeFaces[e] === 1) boundary[v] = 1;
    }
  }
  const spans = findSpans(cage, values);
  const faces = new Uint32Array(vertexCount);
  for (let c = 0; c < corners.length; c++) faces[corners[c]]++;

  // 2. The rule of each value there.
  const straight = faceVarying === 'boundaries';
  const sharpCorners = faceVarying !== 'none';
  const dependent = faceVarying === 'cornersPlus1' || faceVarying === 'cornersPlus2';
  const plus2 = faceVarying === 'cornersPlus2';
  for (let v = 0; v < vertexCount; v++) {
    const first = starts[v];
    const count = starts[v + 1] - first;
    const lonely = faces[v] === 1 && sharpCorners && options.boundary !== 'edgeAndCorner';
    const mismatched = touched[v] || (boundary[v] && (straight || lonely)) || (nonManifold[v] && count > 1);
    if (!mismatched) continue;
    let allCorners =
      straight ||
      vertexSharpness[v] >= INFINITELY_SHARP ||
      nonManifold[v] === 1 ||
      (dependent && count > 2) ||
      (plus2 && count === 1 && boundary[v] === 0);
    let uneven = false;
    if (dependent && count === 2 && !allCorners) {
      for (let s = first; s < first + 2; s++) {
        allCorners ||= spans.sharp[s] > 0 || spans.ends[s] !== 2 || (plus2 && spans.size[s] === 1);
      }
      uneven = spans.semiSharp[first] > 0 !== spans.semiSharp[first + 1] > 0;
    }
    for (let s = first; s < first + count; s++) {
      if (allCorners || spans.ends[s] !== 2 || spans.sharp[s] > 0 || (spans.size[s] === 1 && sharpCorners)) {
        rules[s] = CORNER;
      } else if (spans.semiSharp[s] > 0 || isSemiSharp(vertexSharpness[v])) {
        rules[s] = SEMI_SHARP;
      } else {
        rules[s] = uneven ? DEPENDENT : CREASE;
      }
    }
  }
}

function findSpans(cage: Cage, values: FaceVarying): Spans {
  const { cornerEdge, cornerRank, edgeFaces, edgeSharpness } = cage;
  const { cornerValue, valueCount } = values;
  const spans = {
    size: new Uint32Array(valueCount),
    ends: new Uint32Array(valueCount),
    sharp: new Uint32Array(valueCount),
    semiSharp: new Uint32Array(valueCount),
  };
  eachEdgeSide(cage, (c, next) => {
    const a = cornerValue[c];
    const b = cornerValue[next];
    const e = cornerEdge[c];
    spans.size[a]++;
    if (endsAt(e, values.edges, edgeFaces)) {
      spans.ends[a]++;
      spans.ends[b]++;
    } else if (cornerRank[c] === 0 && edgeSharpness[e] > 0) {
      const counts = edgeSharpness[e] >= INFINITELY_SHARP ? spans.sharp : spans.semiSharp;
      counts[a]++;
      counts[b]++;
    }
  });
  return spans;
}
