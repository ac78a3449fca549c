// Morph targets of a GLB (glTF 2.0, 3.7.2.2): deltas of positions and normals for each vertex, and names in the extras of the
// mesh, where every program looks for them.

import type { Mesh } from '@gltf-transform/core';
import type { RigMorph } from '../../scene/rig.ts';
import type { FloatMesh } from '../floatMesh.ts';
import { movedVertices } from '../movedVertices.ts';
import type { GlbBuilder } from './builder.ts';

/** Rows of three numbers at their vertices; zeros elsewhere. */
function spread(values: Float32Array, vertices: Uint32Array, rows: Uint32Array, vertexCount: number): Float32Array {
  const out = new Float32Array(vertexCount * 3);
  for (let i = 0; i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) out[vertices[i] * 3 + k] = values[rows[i] * 3 + k];
  }
  return out;
}

/** Adds the targets that move a vertex of the mesh, whose weights are 0: the stored shape is that at rest. */
export function addTargets(mesh: Mesh, stored: FloatMesh, morphs: readonly RigMorph[], builder: GlbBuilder): void {
  const [primitive] = mesh.listPrimitives();
  const names: string[] = [];
  for (const [i, { vertices, rows }] of movedVertices(stored.points as Uint32Array, morphs).entries()) {
    if (vertices.length === 0) continue;
    const { name, positions, normals } = morphs[i];
    const target = builder.document
      .createPrimitiveTarget(name)
      .setAttribute('POSITION', builder.accessor(spread(positions, vertices, rows, stored.vertexCount), 'VEC3'));
    if (normals) {
      const turned = builder.accessor(spread(normals, vertices, rows, stored.vertexCount), 'VEC3');
      target.setAttribute('NORMAL', turned);
    }
    primitive.addTarget(target);
    names.push(name);
  }
  if (names.length > 0) mesh.setWeights(names.map(() => 0)).setExtras({ targetNames: names });
}
