// All distances of a set: radii and ladders of its tiles (setRadii.ts), the HLODs of its clusters and what they change for
// their members (clusterRadii.ts), and how far tiles without levels are drawn. Writers state what is computed here.

import type { Bounds } from '../../scene/types.ts';
import { type ClusterEntry, clusterRadii } from './clusterRadii.ts';
import { distanceOfError } from './ladder.ts';
import { type Radii, rangeRadii, type StreamingRange } from './radii.ts';
import { type LastingTiles, lastTogether, type PlacedTile, type TileRadii, tileRadii } from './setRadii.ts';

/** What of a cluster decides its distances. */
export interface PlacedCluster<T> {
  readonly members: readonly T[];
  /** Bounds of all members and their levels. */
  readonly bounds: Bounds;
  readonly hlod: { readonly error: number };
}

export interface SetDistances<T, C> {
  /** For tiles that state none. */
  readonly defaults: Radii;
  /** By tile. In a member of a cluster the own HLOD is the last LOD, and `hlod` is where the cluster's takes over. */
  readonly radii: ReadonlyMap<T, TileRadii>;
  /**
   * The clusters that are shown. One is missing where levels reach beyond the plan's bounds, or where its HLOD was kept and
   * the radii have changed: its members do without.
   */
  readonly clusters: ReadonlyMap<C, ClusterEntry>;
  readonly lasting: LastingTiles<T>;
}

/** `shared`: the shared bucket; `scene`: the bounds of all tiles with their levels; `levelScale`: as tileRadii has it. */
export function setDistances<T extends PlacedTile, C extends PlacedCluster<T>>(
  tiles: readonly T[],
  shared: T | null,
  clusters: readonly C[],
  {
    scene,
    defaultRange,
    levelScale = 1,
  }: { readonly scene: Bounds; readonly defaultRange: StreamingRange; readonly levelScale?: number | undefined },
): SetDistances<T, C> {
  const all = shared ? [...tiles, shared] : tiles;
  const radii = tileRadii(all, scene, levelScale);
  const shown = new Map<C, ClusterEntry>();
  for (const cluster of clusters) {
    const { bounds, members, hlod } = cluster;
    const far = members.map((tile) => ({ bounds: tile.bounds, ...(radii.get(tile) as TileRadii) }));
    const distances = clusterRadii(bounds, far, distanceOfError(hlod.error));
    if (distances === null) continue;
    for (const [i, tile] of members.entries()) radii.set(tile, distances.members[i]);
    shown.set(cluster, distances.cluster);
  }
  const lasting = lastTogether(radii, shared);
  for (const [tile, widened] of lasting.widened) radii.set(tile, widened);
  return { defaults: rangeRadii(defaultRange, scene, null), radii, clusters: shown, lasting };
}
