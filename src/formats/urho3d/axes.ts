// Between the engine's space and Urho3D's: right-handed with +Y up and V up, and left-handed with +Y up and V down. Both
// mirror Z, as Urho3D's own importer does; a model that faces +Z faces -Z there. Where the way back is the same, one
// function serves both.

/** Positions, normals, translations, morph deltas: (x, y, z) becomes (x, y, -z). A tangent keeps its sign w. */
export function mirrorZ(values: Float32Array, components: 3 | 4 = 3): Float32Array {
  const mirrored = values.slice();
  // 0 - z: no zero becomes -0.
  for (let i = 2; i < mirrored.length; i += components) mirrored[i] = 0 - mirrored[i];
  return mirrored;
}

/** V counts from the other end: v becomes 1 - v. */
export function flipV(uvs: Float32Array): Float32Array {
  const flipped = uvs.slice();
  for (let i = 1; i < flipped.length; i += 2) flipped[i] = 1 - flipped[i];
  return flipped;
}

/** Each triangle the other way around: a mirror turns fronts into backs. The first corner stays the first. */
export function reverseWinding<T extends Uint16Array | Uint32Array>(indices: T): T {
  const reversed = indices.slice() as T;
  for (let i = 0; i + 2 < reversed.length; i += 3) {
    reversed[i + 1] = indices[i + 2];
    reversed[i + 2] = indices[i + 1];
  }
  return reversed;
}

/** Minimum and maximum, x y z each. */
export function mirrorBox([x0, y0, z0, x1, y1, z1]: readonly number[]): number[] {
  return [x0, y0, 0 - z1, x1, y1, 0 - z0];
}

/** (x, y, z, w) of the engine as w, x, y, z of Urho3D. */
export function rotationToUrho3d([x, y, z, w]: readonly number[]): number[] {
  return [w, 0 - x, 0 - y, z];
}

/** w, x, y, z of Urho3D as (x, y, z, w) of the engine. */
export function rotationFromUrho3d([w, x, y, z]: readonly number[]): number[] {
  return [0 - x, 0 - y, z, w];
}

/** Which numbers of a 4x4 matrix a mirror of Z on both sides negates: one of row and column is Z. */
const negated = (row: number, column: number): boolean => (row === 2) !== (column === 2);

/** A column-major 4x4 matrix as three rows of four, the last of each the translation. */
export function matrixToUrho3d(matrix: ArrayLike<number>): number[] {
  const rows: number[] = [];
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      const value = matrix[column * 4 + row];
      rows.push(negated(row, column) ? 0 - value : value);
    }
  }
  return rows;
}

/** Three rows of four as a column-major 4x4 matrix. */
export function matrixFromUrho3d(rows: ArrayLike<number>): Float64Array {
  const matrix = new Float64Array(16);
  matrix[15] = 1;
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      const value = rows[row * 4 + column];
      matrix[column * 4 + row] = negated(row, column) ? 0 - value : value;
    }
  }
  return matrix;
}
