// Scene -> the objects that a plan distributes: one for each placement of a mesh that has triangles.

import { type Diagnostics, fail } from '../diagnostics/diagnostic.ts';
import { unite } from '../scene/bounds.ts';
import { transformBounds } from '../scene/matrix.ts';
import { effectiveTags } from '../scene/tags.ts';
import type { Bounds, Scene } from '../scene/types.ts';
import type { PlannedObject } from '../tiling/types.ts';

/** The engine's octree covers ±1000 m; tiles beyond about 1500 m are never asked for. */
const REACH = 1500;

/** Radii of several diagonals must still fit float32; nothing within 10^30 m is a scene. */
const LARGEST = 1e30;

/** Placements in node order. Throws UC2200 when there is nothing to draw; warns of objects that the engine never finds. */
export function sceneObjects(scene: Scene, diagnostics: Diagnostics): PlannedObject[] {
  const objects: PlannedObject[] = [];
  const tags = effectiveTags(scene.nodes);
  let outside = 0;
  let firstOutside = '';
  scene.nodes.forEach((node, index) => {
    if (node.mesh < 0) return;
    let bounds: Bounds | null = null;
    let triangles = 0;
    for (const primitive of scene.meshes[node.mesh].primitives) {
      triangles += primitive.triangleCount;
      if (primitive.bounds) bounds = unite(bounds, transformBounds(node.world, primitive.bounds));
    }
    if (bounds === null || triangles === 0) return;
    if ([...bounds.min, ...bounds.max].some((n) => !(Math.abs(n) <= LARGEST))) {
      diagnostics.report('UC2203', scene.source, node.path, 'this object reaches beyond what a manifest can state');
      return;
    }
    objects.push({ node: index, bounds, triangles, tags: tags[index] });
    if ([...bounds.min, ...bounds.max].some((n) => !(Math.abs(n) <= REACH))) {
      if (outside++ === 0) firstOutside = node.path;
    }
  });
  diagnostics.throwIfErrors();
  if (objects.length === 0) fail('UC2200', scene.source, '', 'no visible triangle is left to cook');
  if (outside > 0) {
    const subject = outside > 1 ? `this and ${outside - 1} more objects lie` : 'this object lies';
    diagnostics.report('UC2201', scene.source, firstOutside, `${subject} more than ${REACH} m from the origin`);
  }
  return objects;
}
