// The proxy of an HLOD cluster from the last levels of its members, most often their HLODs: their materials merged
// together, meshes that are drawn alike joined, and simplified as one surface.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { DrawnMesh } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import { CellColors } from '../../geometry/hlod/cellColors.ts';
import { LevelMaker, MAX_OF_BEFORE } from '../../geometry/lod/levels.ts';
import type { SimplifiedMesh } from '../../geometry/lod/simplifiedMesh.ts';
import { joinMeshes } from '../../geometry/mesh/united.ts';
import { pixelAtStart } from '../../tiling/streaming/levelStart.ts';
import { bakeProxy, isWorthBaking, type ProxyImages } from './bakeProxy.ts';
import { isTextured, leftOutText } from './levelCandidate.ts';
import type { CookedLevel } from './levelJob.ts';
import { mergeMaterials, type ProxyFormat } from './mergeMaterials.ts';
import { type AtlasedMesh, finishedMaterials, type ProxyMaterials, trianglesOf } from './proxyMaterials.ts';
import { splitPalettes } from './splitPalettes.ts';

export interface ClusterRequest {
  readonly clusterId: string;
  /** All meshes of those. */
  readonly meshes: readonly DrawnMesh[];
  /** Most triangles wanted, as a share of theirs. */
  readonly ratio: number;
  /** Error in metres against them that cannot be seen. */
  readonly limit: number;
  /** The largest error of theirs, in metres. */
  readonly error: number;
  /** Metres from which on it is shown if nothing can be seen of its error. */
  readonly start: number;
  /** Of its textures, pixels along the longer side at most; null: materials are merged, nothing is baked. */
  readonly textureSize: number | null;
  readonly images: ProxyImages;
  /** 1 for each vertex whose position other clusters and tiles share. */
  readonly lockedVertices: (positions: Float32Array) => Uint8Array;
  readonly format: ProxyFormat;
}

/**
 * The proxy; its error is the deviation from the members' levels. One that cannot be simplified is still made when it
 * takes fewer draw calls than its members; else null, and UC2060 says why.
 */
export async function cookCluster(
  request: ClusterRequest,
  diagnostics: Diagnostics,
  file: string,
): Promise<CookedLevel | null> {
  const { clusterId, meshes, ratio, limit, lockedVertices } = request;
  const materials = await materialsOf(request);
  const parts = materials.parts.map(
    ({ mesh, surface, cells }): SimplifiedMesh => ({
      mesh,
      cells,
      cards: surface.material.alphaMode === 'mask' && isMadeOfCards(mesh),
      // Those of the members' levels have grown already.
      maxGrowth: 1,
      textured: isTextured(surface),
    }),
  );
  const made = await new LevelMaker(parts, lockedVertices).make(parts, { ratio, limit });
  const level = { name: 'far', fileType: 'hlod', nearest: request.start } as const;
  if (!('obstacle' in made)) {
    const { error } = made;
    const drawn = await materials.finish(made.meshes, error);
    return { ...level, meshes: drawn, triangles: trianglesOf(drawn), error };
  }
  if (parts.length <= MAX_OF_BEFORE * meshes.length) {
    const whole = materials.parts.map(({ mesh }) => mesh);
    const drawn = await materials.finish(whole, 0);
    return { ...level, meshes: drawn, triangles: trianglesOf(drawn), error: 0 };
  }
  diagnostics.report('UC2060', file, clusterId, `far (${ratio}) ${leftOutText(made)}`);
  return null;
}

/** The materials of the proxy: baked where merging would lose colours and textures may be made. */
async function materialsOf(request: ClusterRequest): Promise<ProxyMaterials> {
  const { clusterId, meshes, error, start, textureSize, images, format } = request;
  // What is made for the cluster has its names; all else is called after it.
  const named = (mesh: AtlasedMesh): AtlasedMesh => ({ ...mesh, naming: { tile: clusterId } });
  if (textureSize === null || !isWorthBaking(meshes)) {
    const plain = await splitPalettes(meshes, format);
    const merged = await mergeMaterials(plain, clusterId, format);
    const members = new Set<AtlasedMesh>(plain);
    return finishedMaterials(await joinAlike(merged.map((mesh) => (members.has(mesh) ? named(mesh) : mesh))));
  }
  const pixelAt = (own: number) => pixelAtStart(start, own + error);
  const arrange = (others: readonly DrawnMesh[]) => joinAlike(others.map(named));
  return bakeProxy(meshes, { name: clusterId, detail: meshes, images, format, textureSize, pixelAt, arrange });
}

/** Meshes of equal surfaces as one, in the order of the first of each. */
async function joinAlike(meshes: readonly AtlasedMesh[]): Promise<AtlasedMesh[]> {
  const alike = new Map<string, AtlasedMesh[]>();
  for (const mesh of meshes) {
    const { material, tint, palette, emission } = mesh.surface;
    const made = { palette: palette?.fileName ?? null, emission: emission?.fileName ?? null };
    const key = JSON.stringify({ ...material, name: '', tint, ...made });
    const list = alike.get(key);
    if (list) list.push(mesh);
    else alike.set(key, [mesh]);
  }
  const joined: AtlasedMesh[] = [];
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
