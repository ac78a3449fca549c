// Refines face-varying values: values that match their vertex are smooth like it; others move along their seam or stay,
// and once a sharpness has faded, a value that stayed moves too. The values and their rules come from seams.ts; the rules
// of refinement are OpenSubdiv's (Vtr::FVarRefinement, Far::PrimvarRefiner).

import { type Cage, faceFirst } from './cage.ts';
import { averageFaces, CREASE_NEIGHBOUR, edgeWeight, Fading, type Masks } from './masks.ts';
import { childCorners, type Split } from './refine.ts';
import {
  CORNER,
  CREASE,
  DEPENDENT,
  eachEdgeSide,
  endsAt,
  type FaceVarying,
  LINEAR,
  MATCH,
  SEAM,
  SEMI_SHARP,
} from './seams.ts';
import { childSharpness, isSemiSharp } from './sharpness.ts';

/** One step of refinement: what becomes of the values, ready for any number of attributes that share them. */
export interface FaceVaryingStep {
  readonly from: FaceVarying;
  readonly to: FaceVarying;
  /** Child value of each edge; of edges that are seams the first of one for each of their corners. */
  readonly edgeValue: Uint32Array;
  /** How much of each of its two neighbours along the seam a value takes; for those that do not match their vertex. */
  readonly neighbour: Float64Array;
}

/** Finds the values of the child cage. `last`: only the values of its corners are needed. */
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
 * gives each value's weight of its neighbours in this step. Only vertices of the first cage have such values.
 */
function fadeRules(cage: Cage, from: FaceVarying, rules: Uint8Array): Float64Array {
  const { cornerEdge, cornerRank, edgeFaces, edgeSharpness, vertexSharpness } = cage;
  const neighbour = new Float64Array(from.valueCount);
  const { starts, cornerValue } = from;
  const firstCount = starts[starts.length - 1];
  let any = false;
  for (let s = 0; s < firstCount && !any; s++) any = rules[s] >= SEMI_SHARP;
  if (any) {
    // 1. Count semi-sharp edges: at vertices after this step; between the faces of each value before and after it.
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

    // 2. The rules in the child cage.
    for (let v = 0; v + 1 < starts.length; v++) {
      if (childSharpness(vertexSharpness[v]) > 0) continue;
      const first = starts[v];
      const end = starts[v + 1];
      for (let s = first; s < end; s++) {
        const faded = stillAt[v] === 0 ? rules[s] >= SEMI_SHARP : rules[s] === SEMI_SHARP && stillIn[s] === 0;
        if (faded) rules[s] = CREASE;
      }
      if (end - first !== 2) continue;
      // The other value has become a crease, so this one depends on its own edges alone from now on.
      if (rules[first] === DEPENDENT && rules[first + 1] === CREASE) rules[first] = SEMI_SHARP;
      else if (rules[first + 1] === DEPENDENT && rules[first] === CREASE) rules[first + 1] = SEMI_SHARP;
    }

    // 3. The weights of values that become creases in this step.
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

/** Refines one attribute: `size` numbers for each value of the cage. */
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
