// Deltas of morph targets as a file stores them: half floats, those of positions as shares of a scale.

import type { RigMorph } from '../../scene/rig.ts';
import type { MorphDeltas } from '../../scene/types.ts';
import { movedVertices } from '../movedVertices.ts';
import { halfBits, halfValue, MAX_HALF } from './mesh/halfFloat.ts';
import type { UntoldMorph } from './types.ts';

/** Halves of an entry: three of the position, three of the normal. */
export const ENTRY_HALVES = 6;
/** The powers of two that float32 holds as normal numbers. */
const MIN_EXPONENT = -126;
const LARGEST_EXPONENT = 127;

/**
 * The least power of two that no number exceeds once it is rounded; 1 where nothing moves. Halves are then from -1 to 1 and
 * use all their digits for the largest deltas, which are seen best. A division by a power of two loses no digit: a file that
 * is read and written again keeps its bytes.
 */
function scaleOf(positions: Float32Array, rows: Uint32Array): number {
  let largest = 0;
  for (const row of rows) {
    for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(positions[row * 3 + k]));
  }
  if (largest === 0) return 1;
  let exponent = Math.ceil(Math.log2(largest));
  // The logarithm is rounded.
  if (2 ** exponent < largest) exponent++;
  if (halfValue(halfBits(largest / 2 ** exponent)) <= 0.5) exponent--;
  return 2 ** Math.min(LARGEST_EXPONENT, Math.max(MIN_EXPONENT, exponent));
}

const clamped = (value: number): number => Math.max(-MAX_HALF, Math.min(MAX_HALF, value));

/** The targets that move vertices of a mesh, which the record `mesh` will be of. */
export function storedMorphs(points: Uint32Array, morphs: readonly RigMorph[], mesh: number): UntoldMorph[] {
  return movedVertices(points, morphs).flatMap(({ vertices, rows }, i): UntoldMorph[] => {
    const { name, positions, normals, drivers = [] } = morphs[i];
    if (vertices.length === 0) return [];
    const positionScale = scaleOf(positions, rows);
    const deltas = new Uint16Array(rows.length * ENTRY_HALVES);
    for (let e = 0; e < rows.length; e++) {
      for (let k = 0; k < 3; k++) {
        deltas[e * ENTRY_HALVES + k] = halfBits(positions[rows[e] * 3 + k] / positionScale);
        if (normals) deltas[e * ENTRY_HALVES + 3 + k] = halfBits(clamped(normals[rows[e] * 3 + k]));
      }
    }
    return [{ mesh, name, hasNormals: normals !== null, positionScale, vertices, deltas, drivers }];
  });
}

/** The targets of each mesh record that has any, in the order of the file. */
export function morphsByMesh(morphs: readonly UntoldMorph[] = []): ReadonlyMap<number, readonly UntoldMorph[]> {
  const byMesh = new Map<number, UntoldMorph[]>();
  for (const morph of morphs) {
    const { mesh } = morph;
    const own = byMesh.get(mesh);
    if (own) own.push(morph);
    else byMesh.set(mesh, [morph]);
  }
  return byMesh;
}

/** The deltas of a target in the order of its entries. */
export function deltasOf({ vertices, deltas, positionScale, hasNormals }: UntoldMorph): MorphDeltas {
  const positions = new Float32Array(vertices.length * 3);
  const normals = hasNormals ? new Float32Array(vertices.length * 3) : null;
  for (let e = 0; e < vertices.length; e++) {
    for (let k = 0; k < 3; k++) {
      positions[e * 3 + k] = halfValue(deltas[e * ENTRY_HALVES + k]) * positionScale;
      if (normals) normals[e * 3 + k] = halfValue(deltas[e * ENTRY_HALVES + 3 + k]);
    }
  }
  return { vertices, positions, normals };
}
