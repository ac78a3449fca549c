// Bake placements: a mesh of instances as the one mesh that the instances draw, in world space. What levels and checks work
// with; the file keeps the mesh once.

import type { Mat4 } from '../../scene/types.ts';
import { mergeMeshes } from '../mesh/merge.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { dropDegenerate } from '../mesh/optimise.ts';
import { placementOf, placePositions, placeVertices, vertexTarget } from '../mesh/transform.ts';

/** A mesh and where it is drawn: neither mirrored nor flattened. */
export interface Instance {
  readonly mesh: Float32Mesh;
  readonly world: Mat4;
}

/**
 * All instances as one mesh: positions p' = M p, normals by the inverse transpose, tangents by M, from the float32 values
 * in float64 to float32 results. A matrix that keeps directions leaves normals and tangents as they are. Triangles that
 * lose their area go, unless all would; vertices stay.
 */
export function bakePlacements(instances: readonly Instance[]): Float32Mesh {
  const merged = mergeMeshes(instances.map(placed));
  const kept = merged.indices.slice();
  const count = dropDegenerate(kept, merged.positions);
  return count > 0 ? { ...merged, indices: kept.slice(0, count) } : merged;
}

/** The positions of a mesh at each of its placements, one after the other: those of all vertices of bakePlacements. */
export function bakePositions(positions: Float32Array, placements: readonly Mat4[]): Float32Array {
  const baked = new Float32Array(positions.length * placements.length);
  for (const [i, world] of placements.entries()) {
    const out = baked.subarray(i * positions.length, (i + 1) * positions.length);
    placePositions(positions, world, 0, positions.length / 3, out);
  }
  return baked;
}

/** Whether directions stay: the linear part is one number on the diagonal. */
export function keepsDirections(m: Mat4): boolean {
  const isDiagonal = [1, 2, 4, 6, 8, 9].every((i) => m[i] === 0);
  return isDiagonal && m[0] === m[5] && m[5] === m[10];
}

function placed({ mesh, world }: Instance): Float32Mesh {
  const { vertexCount, attributes } = mesh;
  const out = vertexTarget(mesh, vertexCount);
  placeVertices(mesh, placementOf(world), 0, vertexCount, out);
  return {
    ...mesh,
    positions: out.positions,
    attributes: keepsDirections(world) ? attributes : { ...attributes, ...out.attributes },
  };
}
