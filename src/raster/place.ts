// Meshes moved by a matrix.

import { cofactor3, determinant3 } from '../scene/matrix.ts';
import type { Mat4 } from '../scene/types.ts';
import type { RasterMesh } from './scene.ts';

/** Triples of numbers multiplied by the upper left of a column-major matrix with columns of `rows` numbers, and moved by `offset`. */
function turned(values: Float32Array, m: ArrayLike<number>, rows: 3 | 4, offset: readonly number[]): Float32Array {
  const out = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 3) {
    const [x, y, z] = [values[at], values[at + 1], values[at + 2]];
    for (let k = 0; k < 3; k++) out[at + k] = m[k] * x + m[rows + k] * y + m[2 * rows + k] * z + offset[k];
  }
  return out;
}

/** The mesh where the matrix puts it. Normals turn by its inverse transpose, of any length. */
export function placedMesh(mesh: RasterMesh, world: Mat4): RasterMesh {
  // The cofactors are that times the determinant, whose sign must not turn them over.
  const normal = cofactor3(world).map((value) => (determinant3(world) < 0 ? -value : value));
  return {
    ...mesh,
    positions: turned(mesh.positions, world, 4, [world[12], world[13], world[14]]),
    normals: mesh.normals && turned(mesh.normals, normal, 3, [0, 0, 0]),
  };
}
