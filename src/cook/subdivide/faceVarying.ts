// Face-varying values: values of corners that are joined where neighbouring faces share them and torn along seams. Which
// values are smooth, which follow a seam and which stay where they are (UsdGeomMesh faceVaryingLinearInterpolation), and
// their refinement. The rules are OpenSubdiv's (Vtr::FVarLevel, FVarRefinement).

import type { Subdivision } from '../../scene/types.ts';
import { type Cage, faceFirst, sortByVertex } from './cage.ts';
import { averageFaces, CREASE_NEIGHBOUR, edgeWeight, Fading, type Masks } from './masks.ts';
import { childCorners, type Split } from './refine.ts';
import { childSharpness, INFINITELY_SHARP, isSemiSharp } from './sharpness.ts';

/** How a value moves. MATCH: as its vertex. CORNER: not at all. CREASE: along its seam. */
const MATCH = 0;
const CORNER = 1;
const CREASE = 2;
/** A corner while semi-sharp edges run through its faces, then a crease. */
const SEMI_SHARP = 3;
/** The same because of the other value at the vertex. */
const DEPENDENT = 4;

/** Edge between faces that do not share their values. */
const SEAM = 1;
/** Edge along which values are halved and not smoothed. */
const LINEAR = 2;

/** The values of one level: one for each vertex and set of its faces that share a value. */
export interface FaceVarying {
  readonly valueCount: number;
  /** Value of each corner. */
  readonly cornerValue: Uint32Array;
  /** Rule of each value. */
  readonly rules: Uint8Array;
  /** SEAM and LINEAR of each edge. */
  readonly edges: Uint8Array;
  /** Values of the vertices of the first level: vertex v has those from starts[v] on. */
  readonly starts: Uint32Array;
  /** Everything is halved. */
  readonly linear: boolean;
  readonly smoothSeams: boolean;
}

/** Around the values of the first level. */
interface Spans {
  readonly size: Uint32Array;
  /** Sides of edges where the value's faces end. */
  readonly ends: Uint32Array;
  /** Edges inside of the value's faces that are sharp for ever, and for now. */
  readonly sharp: Uint32Array;
  readonly semiSharp: Uint32Array;
}

/**
 * The values of a cage. Corners share a value when they have the same vertex and the same index; without indices none
 * do (UsdGeomPrimvar: indices are what states the topology of a face-varying primvar). `source` is the index (without
 * indices: the corner) of each value. `linear`: nothing is smoothed, whatever the rules say.
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
  // For each index the value it has at the vertex at hand, plus one; those before `starts[v]` are of vertices before.
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
function eachEdgeSide(cage: Cage, visit: (corner: number, next: number) => void): void {
  for (let f = 0; f < cage.faceCount; f++) {
    const first = faceFirst(cage, f);
    const end = faceFirst(cage, f + 1);
    for (let c = first; c < end; c++) visit(c, c + 1 < end ? c + 1 : first);
  }
}

/** Whether the faces of a value end at an edge. */
function endsAt(edge: number, flags: Uint8Array, edgeFaces: Uint32Array): boolean {
  return (flags[edge] & SEAM) !== 0 || edgeFaces[edge] !== 2;
}

/** Sets the rules of the values at vertices where seams meet, and of others that the options single out. */
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

/** One step of refinement: what becomes of the values, ready for any number of attributes that share them. */
export interface FaceVaryingStep {
  readonly from: FaceVarying;
  readonly to: FaceVarying;
  /** Child value of each edge; of edges that are seams the first of one for each of their corners. */
  readonly edgeValue: Uint32Array;
  /** How much of each of its two neighbours along the seam a value takes; for those that do not match their vertex. */
  readonly neighbour: Float64Array;
}

/** Works out the next level's values. `last`: only their corners are wanted. */
export function refineValues(cage: Cage, split: Split, from: FaceVarying, last: boolean): FaceVaryingStep {
  const { cornerEdge, cornerRank, edgeFaces } = cage;
  const { valueCount, edges, linear } = from;
  const edgeCount = edgeFaces.length;
  const firstEdge = valueCount + (split === 'quads' ? cage.faceCount : 0);

  // 1. Numbers: values of values, then of faces, then of edges.
  const edgeValue = new Uint32Array(edgeCount);
  let count = firstEdge;
  for (let e = 0; e < edgeCount; e++) {
    edgeValue[e] = count;
    count += edges[e] & SEAM ? edgeFaces[e] : 1;
  }
  const edgeOf = (c: number): number => {
    const e = cornerEdge[c];
    return edges[e] & SEAM ? edgeValue[e] + cornerRank[c] : edgeValue[e];
  };
  const cornerValue = childCorners(cage, split, from.cornerValue, edgeOf, valueCount);

  // 2. Rules: those of values are inherited, as far as sharpness does not fade.
  const rules = new Uint8Array(last ? valueCount : count);
  rules.set(from.rules);
  const neighbour = fadeRules(cage, from, rules);
  if (linear) rules.fill(CORNER);
  const childEdges = new Uint8Array(last ? 0 : edgeCount * 2 + cage.corners.length);
  if (!last) {
    if (linear) childEdges.fill(LINEAR);
    for (let e = 0; e < edgeCount; e++) {
      childEdges[e * 2] = edges[e];
      childEdges[e * 2 + 1] = edges[e];
      if (edges[e] === 0 || linear) continue;
      const rule = from.smoothSeams ? CREASE : CORNER;
      rules.fill(rule, edgeValue[e], e + 1 < edgeCount ? edgeValue[e + 1] : count);
    }
  }
  const to = { ...from, valueCount: count, cornerValue, rules, edges: childEdges };
  return { from, to, edgeValue, neighbour };
}

/**
 * Turns semi-sharp values in `rules`, so far a copy of the parent's, into creases where their sharpness has faded, and
 * gives each value's weight of its neighbours in this step. Only vertices of the first level have such values.
 */
function fadeRules(cage: Cage, from: FaceVarying, rules: Uint8Array): Float64Array {
  const { cornerEdge, cornerRank, edgeFaces, edgeSharpness, vertexSharpness } = cage;
  const neighbour = new Float64Array(from.valueCount);
  const { starts, cornerValue } = from;
  const firstLevel = starts[starts.length - 1];
  let any = false;
  for (let s = 0; s < firstLevel && !any; s++) any = rules[s] >= SEMI_SHARP;
  if (any) {
    // 1. Semi-sharp edges at vertices in the next level, and inside of the faces of each value now and then.
    const stillAt = new Uint8Array(cage.vertexCount);
    const stillIn = new Uint8Array(from.valueCount);
    const fading = new Fading(from.valueCount);
    eachEdgeSide(cage, (c, next) => {
      const e = cornerEdge[c];
      const sharpness = edgeSharpness[e];
      if (cornerRank[c] !== 0 || !isSemiSharp(sharpness)) return;
      const inside = !endsAt(e, from.edges, edgeFaces);
      for (const end of [c, next]) {
        if (sharpness > 1) stillAt[cage.corners[end]] = 1;
        if (!inside) continue;
        if (sharpness > 1) stillIn[cornerValue[end]] = 1;
        else fading.add(cornerValue[end], sharpness);
      }
    });

    // 2. The rules of the next level.
    for (let v = 0; v + 1 < starts.length; v++) {
      if (childSharpness(vertexSharpness[v]) > 0) continue;
      const first = starts[v];
      const end = starts[v + 1];
      for (let s = first; s < end; s++) {
        const faded = stillAt[v] === 0 ? rules[s] >= SEMI_SHARP : rules[s] === SEMI_SHARP && stillIn[s] === 0;
        if (faded) rules[s] = CREASE;
      }
      if (end - first !== 2) continue;
      // A value that was sharp for the sake of the other is so no more, once that one is not.
      if (rules[first] === DEPENDENT && rules[first + 1] === CREASE) rules[first] = SEMI_SHARP;
      else if (rules[first + 1] === DEPENDENT && rules[first] === CREASE) rules[first + 1] = SEMI_SHARP;
    }

    // 3. How far those go that become creases.
    for (let v = 0; v + 1 < starts.length; v++) {
      const fadingVertex = childSharpness(vertexSharpness[v]) === 0 ? vertexSharpness[v] : 0;
      for (let s = starts[v]; s < starts[v + 1]; s++) {
        if (from.rules[s] < SEMI_SHARP || rules[s] !== CREASE) continue;
        const whose = from.rules[s] === DEPENDENT ? starts[v] + starts[v + 1] - 1 - s : s;
        neighbour[s] = CREASE_NEIGHBOUR * (1 - fading.weight(whose, fadingVertex));
      }
    }
  }
  for (let s = 0; s < from.valueCount; s++) if (from.rules[s] === CREASE) neighbour[s] = CREASE_NEIGHBOUR;
  return neighbour;
}

/** Refines one attribute: `size` numbers for each value of the level. */
export function refineFaceVarying(
  cage: Cage,
  split: Split,
  masks: Masks | null,
  step: FaceVaryingStep,
  data: Float32Array | Float64Array,
  size: number,
): Float64Array {
  const { corners, cornerEdge, cornerRank, edgeFaces, edgeSharpness } = cage;
  const { from, to, edgeValue, neighbour } = step;
  const { valueCount, cornerValue, rules, edges } = from;
  const out = new Float64Array(to.valueCount * size);

  // 1. Faces.
  if (split === 'quads') averageFaces(cage, cornerValue, data, size, out, valueCount * size);

  // 2. Values by themselves. Those that match take the mask of their vertex, set when one of their corners comes up.
  for (let s = 0, i = 0; s < valueCount; s++) {
    const own = 1 - 2 * neighbour[s];
    for (let k = 0; k < size; k++, i++) out[i] = own * data[i];
  }
  const met = new Uint8Array(valueCount);
  for (let c = 0; masks && c < corners.length; c++) {
    const s = cornerValue[c];
    if (rules[s] !== MATCH || met[s]) continue;
    met[s] = 1;
    for (let k = 0; k < size; k++) out[s * size + k] = masks.own[corners[c]] * data[s * size + k];
  }

  // 3. Along edges and from faces.
  for (let f = 0; f < cage.faceCount; f++) {
    const first = faceFirst(cage, f);
    const end = faceFirst(cage, f + 1);
    for (let c = first; c < end; c++) {
      const next = c + 1 < end ? c + 1 : first;
      const e = cornerEdge[c];
      const flags = edges[e];
      const a = cornerValue[c];
      const b = cornerValue[next];
      let intoA = 0;
      let intoB = 0;
      if (masks && cornerRank[c] === 0) {
        if (rules[a] === MATCH) intoA = edgeWeight(masks, corners[c], edgeSharpness[e]);
        if (rules[b] === MATCH) intoB = edgeWeight(masks, corners[next], edgeSharpness[e]);
      }
      if (endsAt(e, edges, edgeFaces)) {
        if (rules[a] !== MATCH) intoA = neighbour[a];
        if (rules[b] !== MATCH) intoB = neighbour[b];
      }
      if (intoA !== 0) for (let k = 0; k < size; k++) out[a * size + k] += intoA * data[b * size + k];
      if (intoB !== 0) for (let k = 0; k < size; k++) out[b * size + k] += intoB * data[a * size + k];

      const seam = (flags & SEAM) !== 0;
      const smooth = masks && flags === 0 ? masks.edgeFace[e] : 0;
      const target = (edgeValue[e] + (seam ? cornerRank[c] : 0)) * size;
      if (seam || cornerRank[c] === 0) {
        const half = 0.5 - smooth;
        for (let k = 0; k < size; k++) out[target + k] += half * (data[a * size + k] + data[b * size + k]);
      }
      if (masks === null) continue;
      if (split === 'triangles') {
        const opposite = cornerValue[c > first ? c - 1 : end - 1] * size;
        if (smooth !== 0) for (let k = 0; k < size; k++) out[target + k] += smooth * data[opposite + k];
        continue;
      }
      const center = (valueCount + f) * size;
      if (smooth !== 0) for (let k = 0; k < size; k++) out[target + k] += smooth * out[center + k];
      const face = rules[a] === MATCH ? masks.face[corners[c]] : 0;
      if (face !== 0) for (let k = 0; k < size; k++) out[a * size + k] += face * out[center + k];
    }
  }
  return out;
}
