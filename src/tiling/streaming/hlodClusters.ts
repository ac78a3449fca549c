// HLOD clusters: tiles that share one HLOD. In a grid 2×2 cells, 4×4 and so on, in a tree the tiles below one node. Reads
// the finished plan. clusterRadii.ts computes the distances.

import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PlannedTile, ScenePlan } from '../types.ts';

export interface HlodCluster {
  /** Also the name of its tile and the stem of its file: `far2_3_0_1` for the 2×2 cells from (6, 0, 2) on, `F01_Q_0_far` for a node. */
  readonly id: string;
  /** In the plan's order; two at least. */
  readonly members: readonly PlannedTile[];
  /** Contain the members' bounds; not tight. */
  readonly bounds: Bounds;
  /** Higher than that of every tile: the file that ends the shared HLOD must not wait for detail. */
  readonly priority: number;
}

/** Whether a tile gets levels: none that is always loaded; in a grid all others do, in a tree those of the two tiers that are seen from afar, as in the exporter. */
export function getsLevels({ tree, range }: Pick<PlannedTile, 'tree' | 'range'>): boolean {
  if (range.kind === 'always') return false;
  return tree === null || tree.tier === 'ExteriorShell' || tree.tier === 'StructuralInterior';
}

interface ClusterKey {
  readonly id: string;
  /** Sort key of clusters, in the order of the plan's tiles. */
  readonly order: readonly [number, number, number];
}

/** Grid: the square of 2^level × 2^level cells that contains the cell; squares are aligned at multiples of their edge. */
function squareOf([x, y, z]: readonly [number, number, number], level: number): ClusterKey {
  const edge = 2 ** level;
  const square = [Math.floor(x / edge), y, Math.floor(z / edge)] as const;
  return { id: `far${edge}_${square.join('_')}`, order: [square[2], square[1], square[0]] };
}

/** Tree: the ancestor `steps` levels up, null above the root. An id is a prefix of two words and one word for each step down. */
function nodeOf(nodeId: string, steps: number): ClusterKey | null {
  const words = nodeId.split('_');
  const kept = words.length - steps;
  return kept < 2 ? null : { id: `${words.slice(0, kept).join('_')}_far`, order: [0, 0, 0] };
}

/**
 * The clusters of 2^level × 2^level tiles, `level` from 1. A k-d tree halves a node where a quadtree quarters it, so a
 * level is two steps there. Leaves out tiles without levels, tiles with the radii of the shared bucket (they lie in no
 * cell and are loaded everywhere), tiles above the node of their cluster, and clusters of one tile.
 */
export function planHlodClusters({ mode, tiles }: Pick<ScenePlan, 'mode' | 'tiles'>, level: number): HlodCluster[] {
  if (!Number.isInteger(level) || level < 1) throw new Error(`no clusters of level ${level}`);
  const steps = mode === 'kdtree_floor' ? 2 * level : level;
  const found = new Map<string, { readonly key: ClusterKey; readonly members: PlannedTile[] }>();
  let highest = -Infinity;
  for (const tile of tiles) {
    highest = Math.max(highest, tile.priority);
    if (!getsLevels(tile) || tile.range.kind === 'shared') continue;
    const key = tile.tree ? nodeOf(tile.tree.nodeId, steps) : tile.cell && squareOf(tile.cell, level);
    if (!key) continue;
    const cluster = found.get(key.id);
    if (cluster) cluster.members.push(tile);
    else found.set(key.id, { key, members: [tile] });
  }
  return [...found.values()]
    .filter(({ members }) => members.length > 1)
    .sort((a, b) => byKey(a.key, b.key))
    .map(({ key: { id }, members }) => ({
      id,
      members,
      bounds: members.slice(1).reduce<Bounds>((all, { bounds }) => unite(all, bounds) ?? all, members[0].bounds),
      priority: highest + 1,
    }));
}

function byKey(a: ClusterKey, b: ClusterKey): number {
  for (let i = 0; i < 3; i++) if (a.order[i] !== b.order[i]) return a.order[i] - b.order[i];
  return a.id < b.id ? -1 : 1;
}
