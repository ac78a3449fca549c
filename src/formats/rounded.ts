// A mesh as its file would give it back, without writing a file. Levels are made of such meshes.

import { attributesFrom } from '../geometry/mesh/attributes.ts';
import type { Float32Mesh } from '../geometry/mesh/mesh.ts';
import { weldAndOrder } from '../geometry/mesh/united.ts';
import type { Format } from './format.ts';

/** Rounds all values as a format stores them, welds vertices that became equal, and orders the mesh. */
export function rounded(mesh: Float32Mesh, round: Format['round']): Promise<Float32Mesh> {
  const attributes = attributesFrom((semantic) => {
    const values = mesh.attributes[semantic];
    return (values && round(semantic, values)) ?? undefined;
  });
  return weldAndOrder({ ...mesh, attributes });
}
