// What objects come to that stay as they are in a scene for a zone.

import { transformBounds } from '../../scene/matrix.ts';
import type { Scene, ScenePrimitive } from '../../scene/types.ts';
import type { Beside } from '../../zone/cells.ts';
import type { ZoneFigures } from './figures.ts';
import type { LoosePart } from './keptParts.ts';

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

/** Nodes and parts that stay as they are, as they lie in a view. */
export function besideCells(
  { nodes, meshes }: Scene,
  whole: ReadonlySet<number>,
  loose: readonly LoosePart[],
): Beside[] {
  const beside: Beside[] = [];
  const add = ({ bounds }: ScenePrimitive, node: number, triangles: number) => {
    if (bounds === null || triangles === 0) return;
    const { min, max } = transformBounds(nodes[node].world, bounds);
    beside.push({ triangles, box: { low: min, high: max } });
  };
  for (const node of whole) {
    for (const primitive of meshes[nodes[node].mesh].primitives) add(primitive, node, primitive.triangleCount);
  }
  for (const { source, kept } of loose) add(source.primitive, source.node, kept);
  return beside;
}
