// A Scene whose subdivision surfaces are refined when they are read: everything that looks at a mesh after this, colours
// and texture charts as well as triangles, sees the same polygons. Counts and bounds stay those that are authored; a
// refined surface lies within the hull of its cage.

import type { SubdivisionSteps } from '../../../config/types.ts';
import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { subdivide } from '../../../geometry/polygons/subdivide.ts';
import type { Scene, SceneMesh, ScenePrimitive } from '../../../scene/types.ts';

/** The Scene with surfaces refined `steps` times. Reading them reports UC2040 to UC2046 and throws UC2042. */
export function subdividedScene(scene: Scene, steps: SubdivisionSteps, diagnostics: Diagnostics): Scene {
  if (steps === 0) return scene;
  const refined = (primitive: ScenePrimitive): ScenePrimitive => ({
    ...primitive,
    read: async () =>
      subdivide(await primitive.read(), steps, diagnostics, { file: scene.source, path: primitive.path }),
  });
  const meshes = scene.meshes.map((mesh): SceneMesh => ({ ...mesh, primitives: mesh.primitives.map(refined) }));
  return { ...scene, meshes };
}
