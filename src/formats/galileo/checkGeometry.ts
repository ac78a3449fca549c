// The rules for what the arrays of a vertex group hold, and for the boxes around them.

import type { Findings } from '../findings.ts';
import { WEIGHT_SUM } from './layout.ts';
import type { GalileoGroup } from './types.ts';

/** How far a direction may be from length 1: what float32 and half floats on the way to it leave. */
const LENGTH_TOLERANCE = 1e-3;
/** How far a box may be from the positions, as a part of their largest coordinate or of 1: some steps of a float32. */
const BOX_TOLERANCE = 1e-5;

/** Lowest and highest coordinates; without positions the lowest are Infinity. */
export interface Box {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

export function emptyBox(): Box {
  return { min: new Float64Array(3).fill(Number.POSITIVE_INFINITY), max: new Float64Array(3).fill(-Infinity) };
}

export function include({ min, max }: Box, other: Box): void {
  for (let c = 0; c < 3; c++) {
    min[c] = Math.min(min[c], other.min[c]);
    max[c] = Math.max(max[c], other.max[c]);
  }
}

/** The box of positions, three numbers each. */
export function boxOf(positions: Float32Array): Box {
  const box = emptyBox();
  const { min, max } = box;
  for (let i = 0; i < positions.length; i++) {
    const c = i % 3;
    if (positions[i] < min[c]) min[c] = positions[i];
    if (positions[i] > max[c]) max[c] = positions[i];
  }
  return box;
}

/** The box of the positions; null when one of them is not finite. */
export function checkGeometry(group: GalileoGroup, place: string, findings: Findings): Box | null {
  const { positions, normals, tangents } = group;
  let arePositionsFinite = true;
  for (const [name, array] of Object.entries({ positions, normals, tangents })) {
    const at = array.findIndex((value) => !Number.isFinite(value));
    if (at < 0) continue;
    findings.report('UC3514', place, `number of a Galileo mesh is not finite: number ${at} of ${name} is ${array[at]}`);
    if (array === positions) arePositionsFinite = false;
  }
  checkLengths(normals, 3, 'normal', place, findings);
  checkLengths(tangents, 4, 'tangent', place, findings);
  for (let v = 0; v < tangents.length / 4; v++) {
    const sign = tangents[v * 4 + 3];
    if (Math.abs(sign) === 1 || Number.isNaN(sign)) continue;
    findings.report('UC3514', place, `fourth number of a tangent is not 1 or -1: w of tangent ${v} is ${sign}`);
    break;
  }
  checkWeights(group, place, findings);
  if (!arePositionsFinite) return null;
  checkFacing(group, place, findings);
  return boxOf(positions);
}

/** The first direction of another length. */
function checkLengths(array: Float32Array, stride: number, name: string, place: string, findings: Findings): void {
  for (let at = 0; at < array.length; at += stride) {
    const length = Math.hypot(array[at], array[at + 1], array[at + 2]);
    // A number that is not finite is reported as such.
    if (!Number.isFinite(length) || Math.abs(length - 1) <= LENGTH_TOLERANCE) continue;
    findings.report(
      'UC3514',
      place,
      `normal or tangent of a Galileo mesh is not of length 1: ${name} ${at / stride} has length ${length}`,
    );
    return;
  }
}

function checkWeights({ weights }: GalileoGroup, place: string, findings: Findings): void {
  if (weights.length === 0) return;
  for (let at = 0; at < weights[0].length; at += 4) {
    let sum = 0;
    for (const channel of weights) sum += channel[at] + channel[at + 1] + channel[at + 2] + channel[at + 3];
    if (sum === WEIGHT_SUM) continue;
    findings.report(
      'UC3514',
      place,
      `weights of a vertex do not add up to 1: weights of vertex ${at / 4} add up to ${sum} of ${WEIGHT_SUM}`,
    );
    return;
  }
}

/** Triangles whose corners turn the other way round than the sum of their normals says. */
function checkFacing({ indices, positions, normals }: GalileoGroup, place: string, findings: Findings): void {
  const vertices = positions.length / 3;
  let against = 0;
  for (let at = 0; at + 3 <= indices.length; at += 3) {
    const [a, b, c] = [indices[at], indices[at + 1], indices[at + 2]];
    if (Math.max(a, b, c) >= vertices) continue;
    const p = (vertex: number, axis: number) => positions[vertex * 3 + axis];
    let dot = 0;
    for (let axis = 0; axis < 3; axis++) {
      const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
      const cross = (p(b, j) - p(a, j)) * (p(c, k) - p(a, k)) - (p(b, k) - p(a, k)) * (p(c, j) - p(a, j));
      dot += cross * (normals[a * 3 + axis] + normals[b * 3 + axis] + normals[c * 3 + axis]);
    }
    if (dot < 0) against++;
  }
  if (against > 0) findings.report('UC3532', place, `${against} of ${indices.length / 3} triangles`);
}

interface DeclaredBox {
  readonly center: readonly number[];
  readonly extents: readonly number[];
}

/** Whether a declared box holds all positions and is no wider than they are. */
export function checkBounds(declared: DeclaredBox, box: Box, place: string, findings: Findings): void {
  const { center, extents } = declared;
  if ([...center, ...extents].some((value) => !Number.isFinite(value))) {
    findings.report(
      'UC3514',
      place,
      `number of a Galileo mesh is not finite: the box is ${center.join(', ')} with half sizes ${extents.join(', ')}`,
    );
    return;
  }
  if (box.min[0] > box.max[0]) return;
  const largest = Math.max(1, ...[...box.min, ...box.max].map(Math.abs));
  const tolerance = BOX_TOLERANCE * largest;
  const axes = [0, 1, 2].map((c) => {
    const [min, max] = [center[c] - extents[c], center[c] + extents[c]];
    return { min, max, name: 'xyz'[c], lowest: box.min[c], highest: box.max[c] };
  });
  const says = ({ min, max, name, lowest, highest }: (typeof axes)[number]) =>
    `${name} from ${min} to ${max}, positions from ${lowest} to ${highest}`;
  const small = axes.find(({ min, max, lowest, highest }) => min > lowest + tolerance || max < highest - tolerance);
  if (small) {
    findings.report('UC3514', place, `box of a Galileo mesh does not hold its positions: ${says(small)}`);
    return;
  }
  const wide = axes.find(({ min, max, lowest, highest }) => min < lowest - tolerance || max > highest + tolerance);
  if (wide) findings.report('UC3514', place, `box of a Galileo mesh is wider than its positions: ${says(wide)}`);
}
