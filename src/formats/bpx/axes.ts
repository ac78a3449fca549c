// Between the engine's space and that of BPX: right-handed with +Y up and V up, and left-handed with +Z up and, as we read it, V
// down. (x, y, z) becomes (x, z, y), a mirror; every function is its own way back.

/** Each triangle the other way round, from the same corner on. */
export function reversed(indices: Uint32Array): Uint32Array {
  const out = indices.slice();
  for (let at = 0; at < out.length; at += 3) {
    out[at + 1] = indices[at + 2];
    out[at + 2] = indices[at + 1];
  }
  return out;
}

const SWAPPED = [0, 2, 1, 3];

/** A matrix of 16 numbers by columns: rows and columns of Y and Z change places. */
export function swappedMatrix(matrix: ArrayLike<number>): number[] {
  return Array.from({ length: 16 }, (_, i) => matrix[SWAPPED[i >> 2] * 4 + SWAPPED[i & 3]]);
}
