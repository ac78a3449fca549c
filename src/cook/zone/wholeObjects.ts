// What objects come to that stay as they are in a scene for a zone.

import type { Scene, ScenePrimitive } from '../../scene/types.ts';
import type { ZoneFigures } from './figures.ts';

/** Figures of these nodes. */
export function wholeFigures(
  { nodes, meshes }: Scene,
  whole: ReadonlySet<number>,
): Pick<ZoneFigures, 'whole' | 'trianglesWhole'> {
  const triangles = (node: number) =>
    meshes[nodes[node].mesh].primitives.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
  return { whole: whole.size, trianglesWhole: [...whole].reduce((sum, node) => sum + triangles(node), 0) };
}

/** Draws of a primitive: one for each material. */
function drawsOf({ triangleCount, subsets }: ScenePrimitive): number {
  const left = triangleCount - subsets.reduce((sum, { triangleCount: own }) => sum + own, 0);
  return subsets.filter(({ triangleCount: own }) => own > 0).length + (left > 0 ? 1 : 0);
}

/** Draws of these nodes. */
export function wholeDraws({ nodes, meshes }: Scene, whole: ReadonlySet<number>): number {
  const draws = (node: number) =>
    meshes[nodes[node].mesh].primitives.reduce((sum, primitive) => sum + drawsOf(primitive), 0);
  return [...whole].reduce((sum, node) => sum + draws(node), 0);
}
