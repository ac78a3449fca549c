// Which tiles each of several machines cooks. Follows from the plan alone: every machine makes the same shares, whenever it
// starts. Shares are boxes of the scene with about the same number of triangles, so that few tiles lie at their borders: a
// machine also cooks the neighbours of its tiles, for the vertices that they share.

import { center } from '../../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../../scene/types.ts';
import type { HlodCluster } from '../../../tiling/streaming/hlodClusters.ts';
import type { PlannedPayload } from '../../planned.ts';

/** What one machine cooks. */
export interface Share {
  readonly payloads: ReadonlySet<PlannedPayload>;
  readonly clusters: readonly HlodCluster[];
}

/** Payloads that have to stay together: the members of a cluster, or one that is in none. */
interface Group {
  readonly payloads: readonly PlannedPayload[];
  readonly cluster: HlodCluster | null;
  readonly middle: Vec3;
  /** Expected triangles, at least 1. */
  readonly work: number;
}

/** The share of machine `index` of `count`; empty if there are fewer groups than machines. */
export function shareOf(
  payloads: readonly PlannedPayload[],
  clusters: readonly HlodCluster[],
  { index, count }: { readonly index: number; readonly count: number },
): Share {
  let groups = groupsOf(payloads, clusters);
  // Halve machines and groups until the machine is alone.
  for (let first = 0, machines = count; machines > 1; ) {
    const near = Math.floor(machines / 2);
    const [low, high] = halved(groups, near / machines);
    const isLow = index < first + near;
    groups = isLow ? low : high;
    if (!isLow) first += near;
    machines = isLow ? near : machines - near;
  }
  return {
    payloads: new Set(groups.flatMap((group) => group.payloads)),
    clusters: clusters.filter((cluster) => groups.some((group) => group.cluster === cluster)),
  };
}

/** In the order of the plan. */
function groupsOf(payloads: readonly PlannedPayload[], clusters: readonly HlodCluster[]): Group[] {
  const clusterOf = new Map(clusters.flatMap((cluster) => cluster.members.map((tile) => [tile, cluster] as const)));
  const together = new Map<HlodCluster | PlannedPayload, PlannedPayload[]>();
  for (const payload of payloads) {
    const key = (payload.tile && clusterOf.get(payload.tile)) ?? payload;
    const members = together.get(key);
    if (members) members.push(payload);
    else together.set(key, [payload]);
  }
  return [...together].map(([key, members]) => {
    const cluster = 'members' in key ? key : null;
    const bounds = cluster?.bounds ?? (members[0].tile?.bounds as Bounds);
    const work = members.reduce((sum, { tile }) => sum + Math.max(1, tile?.estimate.triangles ?? 0), 0);
    return { payloads: members, cluster, middle: center(bounds), work };
  });
}

/** The groups on both sides of a plane across their longer extent; the first side has about this share of the work. */
function halved(groups: readonly Group[], share: number): readonly [Group[], Group[]] {
  const extent = (axis: 0 | 2) => {
    const values = groups.map(({ middle }) => middle[axis]);
    return values.reduce((a, b) => Math.max(a, b), -Infinity) - values.reduce((a, b) => Math.min(a, b), Infinity);
  };
  const axis = extent(0) >= extent(2) ? 0 : 2;
  // The sort is stable: groups at one place stay in the order of the plan.
  const sorted = [...groups].sort((a, b) => a.middle[axis] - b.middle[axis]);
  const wanted = share * sorted.reduce((sum, { work }) => sum + work, 0);
  let low = 0;
  let done = 0;
  // A group goes to the side that has more than half of it.
  while (low < sorted.length && done + sorted[low].work / 2 < wanted) done += sorted[low++].work;
  return [sorted.slice(0, low), sorted.slice(low)];
}
