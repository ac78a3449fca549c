// Distances for engines without a loader, which draw each tile by the camera's distance from its box alone: where its levels
// take over, and where it ends.

import { MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import { center } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { drawnUntil, type TileRadii } from './setRadii.ts';

export interface DrawDistances {
  readonly lods: readonly number[];
  /** Null: there is no HLOD. */
  readonly hlod: number | null;
  /** Metres beyond which nothing of it is drawn. */
  readonly end: number;
}

/** The cluster of a tile. */
export interface DrawnCluster {
  readonly bounds: Bounds;
  /** Where its HLOD takes over. */
  readonly hlod: number;
}

/** Metres beyond the place where a cluster certainly takes over, for boxes of models that differ from the stated bounds. */
const HANDOVER = 16;

const radiusOf = ({ min, max }: Bounds): number => Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;

/**
 * The metres from its nearest point beyond which a member of a cluster is not drawn. Distances of both are measured to the
 * centres of their boxes: it ends where that of the cluster is certainly passed, so that there is never a hole.
 */
function endOfMember(bounds: Bounds, { bounds: all, hlod }: DrawnCluster): number {
  const [a, b] = [center(bounds), center(all)];
  const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return hlod + radiusOf(all) + apart - radiusOf(bounds) + HANDOVER;
}

/** The distances of a tile with these bounds from those that a manifest would state. `cluster`: null for none. */
export function drawDistances(radii: TileRadii, bounds: Bounds, cluster: DrawnCluster | null): DrawDistances {
  const { unload, lods, hlod, prefetch } = radii;
  const last = hlod !== null && cluster ? Math.max(hlod, endOfMember(bounds, cluster)) : hlod;
  if (cluster && last !== null) return { lods, hlod: last, end: last };
  // The engine draws the last level of a tile as far as it looks for tiles.
  const hasLevels = lods.length > 0 || last !== null;
  return { lods, hlod: last, end: hasLevels ? MAX_QUERY_RADIUS : prefetch === undefined ? unload : drawnUntil(radii) };
}
