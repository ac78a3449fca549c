// The proxy of an HLOD cluster from the last levels of its members, most often their HLODs: their materials folded
// together, meshes that are drawn alike joined, and simplified as one surface.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { DrawnMesh } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import { CellColors } from '../../geometry/hlod/cellColors.ts';
import { LevelMaker, MOST_OF_BEFORE } from '../../geometry/lod/levels.ts';
import type { SimplifiedPart } from '../../geometry/lod/simplifiedPart.ts';
import { joinMeshes } from '../../geometry/mesh/united.ts';
import { type CookedLevel, isTextured, leftOut, meshesOf } from './cookLevels.ts';
import { type FoldedMesh, foldMaterials, type Rounding } from './foldMaterials.ts';
import { unfoldPalettes } from './unfoldPalettes.ts';

export interface ClusterRequest {
  readonly clusterId: string;
  /** All meshes of those. */
  readonly meshes: readonly DrawnMesh[];
  /** Most triangles wanted, as a share of theirs. */
  readonly ratio: number;
  /** Error in metres against them that cannot be seen. */
  readonly limit: number;
  /** 1 for each vertex whose position other clusters and tiles share. */
  readonly lockedVertices: (positions: Float32Array) => Uint8Array;
  readonly rounding: Rounding;
}

/**
 * The proxy; its error is the deviation from the members' levels. One that cannot be simplified is still made when it
 * takes fewer draw calls than its members; else null, and UC2060 says why.
 */
export async function cookCluster(
  { clusterId, meshes, ratio, limit, lockedVertices, rounding }: ClusterRequest,
  diagnostics: Diagnostics,
  file: string,
): Promise<CookedLevel | null> {
  const plain = await unfoldPalettes(meshes, rounding);
  const folded = await foldMaterials(plain, clusterId, rounding);
  const members = new Set(plain);
  // What was folded has its names; all else is called after the cluster.
  const named = folded.map((mesh): FoldedMesh => (members.has(mesh) ? { ...mesh, naming: { tile: clusterId } } : mesh));
  const joined = await joinAlike(named);
  const parts = joined.map(
    ({ mesh, surface, cells }): SimplifiedPart => ({
      mesh,
      cells,
      cards: surface.material.alphaMode === 'mask' && isMadeOfCards(mesh),
      // Those of the members' levels have grown already.
      mostGrowth: 1,
      textured: isTextured(surface),
    }),
  );
  const made = await new LevelMaker(parts, lockedVertices).make(parts, { ratio, limit });
  const level = { name: 'far', fileType: 'hlod' } as const;
  if (!('obstacle' in made)) {
    return { ...level, meshes: meshesOf(joined, made), triangles: made.triangles, error: made.error };
  }
  if (joined.length <= MOST_OF_BEFORE * meshes.length) {
    return { ...level, meshes: joined.map(({ cells: _, ...mesh }) => mesh), triangles: made.before, error: 0 };
  }
  diagnostics.report('UC2060', file, clusterId, leftOut('far', made, ratio));
  return null;
}

/** Meshes of equal surfaces as one, in the order of the first of each. */
async function joinAlike(meshes: readonly FoldedMesh[]): Promise<FoldedMesh[]> {
  const alike = new Map<string, FoldedMesh[]>();
  for (const mesh of meshes) {
    const { material, tint, palette } = mesh.surface;
    const key = JSON.stringify({ ...material, name: '', tint, palette: palette?.fileName ?? null });
    const list = alike.get(key);
    if (list) list.push(mesh);
    else alike.set(key, [mesh]);
  }
  const joined: FoldedMesh[] = [];
  for (const list of alike.values()) {
    const mesh = await joinMeshes(list.map((one) => one.mesh));
    // Only where each one has cells do UVs say nothing else.
    let cells: CellColors | undefined;
    if (list.every((one) => one.cells)) {
      cells = new CellColors();
      for (const one of list) if (one.cells) cells.setAll(one.cells);
    }
    joined.push({ ...list[0], mesh, cells });
  }
  return joined;
}
