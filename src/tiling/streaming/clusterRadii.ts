// At which distances a cluster's HLOD takes over from its tiles (hlodClusters.ts), in a form that the engine's loader
// leaves as it is.
//
// The loader knows nothing of clusters: it judges every tile by the distance to that tile's own bounds, and draws a tile's
// last level as far as it looks. So both sides are told when to be silent, by a file without meshes:
// - the cluster is a tile whose full detail is that file and whose HLOD is the HLOD. Near, the "full detail" is loaded
//   and the HLOD is let go;
// - a member's own HLOD becomes its last LOD, and its HLOD is that file, from where the cluster is sure to be seen on.
// A member is further away than its cluster by up to the way from it to the cluster's far corner. Over that stretch both are
// drawn: the other choice is holes.

import { BAND_GAP, HLOD_MARGIN, HYSTERESIS, MAX_QUERY_RADIUS, REQUEST_MARGIN } from '../../engine/streaming.ts';
import type { Bounds } from '../../scene/types.ts';
import { ceilCentimetre, floorCentimetre } from './centimetres.ts';
import type { Ladder } from './ladder.ts';
import type { Radii } from './radii.ts';

/** A centimetre more than the loader's gaps: the loader compares in float32. */
const STREAMING_GAP = BAND_GAP + 0.01;
const UNLOAD_GAP = HLOD_MARGIN + 0.01;
/** Between a member's last level and the cluster's. */
const LEVEL_GAP = BAND_GAP + 0.01;
/**
 * Metres that the members have to load before the cluster goes: a second or so of fast travel, half of which the loader
 * looks ahead for full detail but not for levels.
 */
const HANDOVER = 16;

/** A tile as it would be without its cluster. */
export interface ClusterMember extends Radii, Ladder {
  readonly bounds: Bounds;
}

/** Radii and distances for the manifest: whole centimetres. */
export interface ClusterEntry extends Radii {
  /** From where full detail is asked for; the loader's own guess would follow the unload radius outwards. */
  readonly prefetch: number;
  readonly lods: readonly number[];
  readonly hlod: number;
}

export interface ClusterRadii {
  /** No LODs; its HLOD is the HLOD. */
  readonly cluster: ClusterEntry;
  /** In the order given: their LODs, then what was their HLOD; their HLOD is the file without meshes. */
  readonly members: readonly ClusterEntry[];
}

/**
 * A HLOD may be moved out to this many times the least distance of its cluster until its error is unseen: further, the
 * triangles that it saves are fewer than the draw calls that its members go on costing.
 */
const CLUSTER_REACH = 1.5;

/** Metres that distances rounded up to centimetres, and one made from the other, may grow by. */
const ROUNDING_ROOM = 0.1;

/** The most by which a camera can be further from `member` than from `cluster`, which holds it. */
export function spread(cluster: Bounds, member: Bounds): number {
  const way = (axis: 0 | 1 | 2) =>
    Math.max(0, member.min[axis] - cluster.min[axis], cluster.max[axis] - member.max[axis]);
  return Math.hypot(way(0), way(1), way(2));
}

/** Where the members' own levels end. */
function lastLevel(members: readonly ClusterMember[]): number {
  return Math.max(...members.map(({ lods, hlod }) => hlod ?? lods[lods.length - 1] ?? -Infinity));
}

/**
 * How far out, in metres, the HLOD of a cluster with these bounds may be shown from: an error that is not seen from there
 * is one that it may have. Null: there is no place for one, whatever its error.
 */
export function clusterReach(bounds: Bounds, members: readonly ClusterMember[]): number | null {
  const least = ceilCentimetre(lastLevel(members) + LEVEL_GAP);
  const widest = Math.max(...members.map((member) => spread(bounds, member.bounds)));
  const most = floorCentimetre(HYSTERESIS * (MAX_QUERY_RADIUS - ROUNDING_ROOM) - widest - HANDOVER);
  return most < least ? null : Math.min(most, floorCentimetre(CLUSTER_REACH * least));
}

/**
 * The distances of a cluster with these bounds and of its members, which must have a level each. The HLOD is seen from
 * `least` on, where its error no longer shows (ladder.ts: distanceOfError), or from beyond the members' last levels.
 * Null: the members could not fall silent before the loader stops looking, so that the cluster would only add to them.
 */
export function clusterRadii(bounds: Bounds, members: readonly ClusterMember[], least: number): ClusterRadii | null {
  const ladders = members.map(({ lods, hlod }) => (hlod === null ? lods : [...lods, hlod]));
  if (ladders.some((levels) => levels.length === 0)) throw new Error('a tile without levels in an HLOD cluster');
  const from = ceilCentimetre(Math.max(least, lastLevel(members) + LEVEL_GAP));
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
      prefetch: floorCentimetre((streaming + unload) / 2),
      lods: ladders[i],
      hlod: ends[i],
    })),
  };
}
