// How a proxy (HLOD) gets its materials: its materials merged into palettes (mergeMaterials.ts), or the picture of the full detail
// baked onto its surface (bakeProxy.ts). Both give what is simplified, and then the meshes that are drawn.

import type { DrawnMesh } from '../../formats/format.ts';
import type { CellColors } from '../../geometry/hlod/cellColors.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';

/** A mesh that may find its colours in a texture made for it. */
export interface AtlasedMesh extends DrawnMesh {
  /** Palette cell of each triangle by its UV. Absent if the mesh has no palette UVs. */
  readonly cells?: CellColors | undefined;
}

export interface ProxyMaterials {
  /** What the proxy is simplified from, a draw call each. */
  readonly parts: readonly AtlasedMesh[];
  /**
   * The proxy as it is drawn, at most as many meshes. `meshes`: one for each part, null where nothing is left of it; `error`:
   * how far they deviate, in metres.
   */
  readonly finish: (meshes: readonly (Float32Mesh | null)[], error: number) => Promise<DrawnMesh[]>;
}

/** Each part as it is drawn, with a simplified mesh. */
export function drawnWith(parts: readonly DrawnMesh[], meshes: readonly (Float32Mesh | null)[]): DrawnMesh[] {
  return parts.flatMap(({ naming, surface }, i) => {
    const mesh = meshes[i];
    return mesh === null ? [] : [{ naming, surface, mesh }];
  });
}

/** The triangles of meshes as they are drawn: finishing a look may leave some out. */
export function trianglesOf(meshes: readonly DrawnMesh[]): number {
  return meshes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
}

/** A look that the parts have already. */
export function finishedMaterials(parts: readonly AtlasedMesh[]): ProxyMaterials {
  return { parts, finish: async (meshes) => drawnWith(parts, meshes) };
}
