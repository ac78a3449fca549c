// The distances at which the HLOD of a cluster replaces the tiles of the cluster (hlodClusters.ts), in a form that the
// engine's loader does not change (engine/streaming.ts).
//
// The loader does not know clusters. It measures the distance of every tile to that tile's own bounds, and draws the last
// level of a tile up to MAX_QUERY_RADIUS. A file without meshes therefore ends both sides:
// - The cluster is an entry whose full detail is the empty file and whose HLOD is the shared HLOD. Near the cluster, the
//   loader loads the empty file and releases the shared HLOD.
// - The own HLOD of a member becomes its last LOD, and its HLOD is the empty file, from the distance at which the shared
//   HLOD is certainly drawn.
// The camera is further from a member than from the cluster, by up to the distance from the member to the far corner of
// the cluster. Over that range both are drawn. The alternative is holes.

import { BAND_GAP, HLOD_MARGIN, HYSTERESIS, MAX_QUERY_RADIUS, REQUEST_MARGIN } from '../../engine/streaming.ts';
import type { Bounds } from '../../scene/types.ts';
import { ceilCentimetre, floorCentimetre } from './centimetres.ts';
import type { Ladder } from './ladder.ts';
import type { Radii } from './radii.ts';

/** A centimetre more than the loader's gaps: the loader compares in float32. */
const STREAMING_GAP = BAND_GAP + 0.01;
const UNLOAD_GAP = HLOD_MARGIN + 0.01;
/** Least distance between the last level of a member and the HLOD of its cluster. */
const LEVEL_GAP = BAND_GAP + 0.01;
/**
 * Metres of travel in which the members load before the shared HLOD is released: about one second of fast travel. The
 * loader prefetches full detail along half of that, and does not prefetch levels.
 */
const HANDOVER = 16;

/** Radii, levels and bounds of a tile outside any cluster. */
export interface ClusterMember extends Radii, Ladder {
  readonly bounds: Bounds;
}

/** Radii and distances for the manifest: whole centimetres. */
export interface ClusterEntry extends Radii {
  /** The distance at which full detail is requested. Written because the loader's default grows with the unload radius. */
  readonly prefetch: number;
  readonly lods: readonly number[];
  readonly hlod: number;
}

export interface ClusterRadii {
  /** Has no LODs; `hlod` is the distance of the shared HLOD. */
  readonly cluster: ClusterEntry;
  /** In the order given. `lods`: the LODs, then the member's own HLOD; `hlod`: the distance of the empty file. */
  readonly members: readonly ClusterEntry[];
}

/**
 * The shared HLOD starts at most this many times further out than its members' levels require. Beyond that, the draw
 * calls of the members cost more than the triangles of a more exact HLOD.
 */
const CLUSTER_REACH = 1.5;

/** Metres by which two roundings up to centimetres, one after the other, may raise a distance. */
const ROUNDING_ROOM = 0.1;

/** The largest difference of the camera's distances to `member` and to `cluster`, which contains it. */
export function spread(cluster: Bounds, member: Bounds): number {
  const way = (axis: 0 | 1 | 2) =>
    Math.max(0, member.min[axis] - cluster.min[axis], cluster.max[axis] - member.max[axis]);
  return Math.hypot(way(0), way(1), way(2));
}

/** The greatest distance at which a last level of a member starts; full detail of one without levels does so anywhere. */
function lastLevel(members: readonly ClusterMember[]): number {
  return Math.max(...members.map(({ streaming, lods, hlod }) => hlod ?? lods.at(-1) ?? streaming));
}

/** The nearest distance in metres at which the HLOD of a cluster of these may start, whatever its error. */
export function clusterStart(members: readonly ClusterMember[]): number {
  return ceilCentimetre(lastLevel(members) + LEVEL_GAP);
}

/**
 * The furthest distance in metres at which the HLOD of a cluster with these bounds may start. The HLOD may have any error
 * that is invisible from that distance. Null: no shared HLOD is possible, not even one without error.
 */
export function clusterRange(bounds: Bounds, members: readonly ClusterMember[]): number | null {
  const min = clusterStart(members);
  const widest = Math.max(...members.map((member) => spread(bounds, member.bounds)));
  const max = floorCentimetre(HYSTERESIS * (MAX_QUERY_RADIUS - ROUNDING_ROOM) - widest - HANDOVER);
  return max < min ? null : Math.min(max, floorCentimetre(CLUSTER_REACH * min));
}

/**
 * The distances of a cluster with these bounds and of its members. Full detail of a member without levels is drawn until the
 * HLOD has taken over. The HLOD starts at `min`, from which its error is invisible (ladder.ts: distanceOfError), or beyond the members' last levels. Null: the
 * members would end beyond MAX_QUERY_RADIUS, so the loader would always draw both them and the cluster.
 */
export function clusterRadii(bounds: Bounds, members: readonly ClusterMember[], min: number): ClusterRadii | null {
  const ladders = members.map(({ lods, hlod }) => (hlod === null ? lods : [...lods, hlod]));
  const from = Math.max(ceilCentimetre(min), clusterStart(members));
  const ends = members.map((member) => ceilCentimetre((from + spread(bounds, member.bounds) + HANDOVER) / HYSTERESIS));
  if (Math.max(...ends) >= MAX_QUERY_RADIUS) return null;
  return {
    cluster: {
      streaming: floorCentimetre(from - STREAMING_GAP),
      unload: ceilCentimetre(from + UNLOAD_GAP),
      prefetch: floorCentimetre(from - REQUEST_MARGIN),
      lods: [],
      hlod: from,
    },
    members: members.map(({ streaming, unload }, i) => ({
      streaming,
      unload: Math.max(unload, ceilCentimetre(ends[i] + UNLOAD_GAP)),
      prefetch: ladders[i].length === 0 ? ends[i] : floorCentimetre((streaming + unload) / 2),
      lods: ladders[i],
      hlod: ends[i],
    })),
  };
}
