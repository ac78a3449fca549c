// Reads each mesh of a scene once and looks at its triangles.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { PolygonMesh, Scene, SceneMesh } from '../../scene/types.ts';
import { type Solid, type TriangleFacts, triangleFacts } from './triangles.ts';

export type { Solid, TriangleFacts } from './triangles.ts';

/** Solids of so many triangles are kept, over a whole scene. */
const MAX_SOLIDS = 2_000_000;

/** The polygons of a mesh. */
export async function polygonsOf({ primitives }: SceneMesh): Promise<readonly PolygonMesh[]> {
  const polygons: PolygonMesh[] = [];
  for (const primitive of primitives) if (primitive.triangleCount > 0) polygons.push(await primitive.read());
  return polygons;
}

/** Whether nothing can be seen through a material: no glass, no holes. */
function isOpaque({ materials }: Scene, { primitives }: SceneMesh): boolean {
  const used = primitives.flatMap(({ material, subsets }) => [material, ...subsets.map((subset) => subset.material)]);
  return used.every((index) => {
    const material = materials[index];
    return material === undefined || (material.alphaMode === 'opaque' && material.transmission === 0);
  });
}

/** By mesh, what its triangles are. Meshes that cannot be read are left out: the cook reports them. */
export async function surveyMeshes(
  scene: Scene,
  meshes: Iterable<number>,
): Promise<ReadonlyMap<number, TriangleFacts>> {
  const facts = new Map<number, TriangleFacts>();
  let room = MAX_SOLIDS;
  for (const mesh of meshes) {
    try {
      const found = triangleFacts(await polygonsOf(scene.meshes[mesh]));
      const size = (found.solid?.corners.length ?? 0) / 3;
      const isKept = size <= room && isOpaque(scene, scene.meshes[mesh]);
      const solid: Solid | null = isKept ? found.solid : null;
      if (solid) room -= size;
      facts.set(mesh, { ...found, solid });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return facts;
}
