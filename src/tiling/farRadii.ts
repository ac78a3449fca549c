// At which distances a group's stand-in takes over from its tiles (farGroups.ts), in a form that the engine's loader
// leaves as it is.
//
// The loader knows nothing of groups: it judges every tile by the distance to that tile's own bounds, and draws a tile's
// last level as far as it looks. So both sides are told when to be silent, by a file without meshes:
// - the group is a tile whose full detail is that file and whose HLOD is the stand-in. Near, the "full detail" is loaded
//   and the HLOD is let go;
// - a member's own HLOD becomes its last LOD, and its HLOD is that file, from where the group is sure to be seen on.
// A member is further away than its group by up to the way from it to the group's far corner. Over that stretch both are
// drawn: the other choice is holes.

import type { Bounds } from '../scene/types.ts';
import type { Ladder } from './ladder.ts';
import type { Radii } from './radii.ts';

/** The loader looks no further ("maxQueryRadius"). */
export const FARTHEST = 500;
/** The loader keeps streaming radius and HLOD 4 apart, HLOD and unload radius 1: both with room for float32. */
const STREAMING_GAP = 4.01;
const UNLOAD_GAP = 1.01;
/** A full tile is asked for up to this far beyond its prefetch radius. */
const REQUEST_MARGIN = 1;
/** Between a member's last level and the group's. */
const LEVEL_GAP = 4.01;
/** Coming from afar, levels are not loaded before the camera is within this share of the HLOD's distance. */
const HYSTERESIS = 0.9;
/**
 * Metres that the members have to load before the group goes: a second or so of fast travel, half of which the loader
 * looks ahead for full detail but not for levels.
 */
const HANDOVER = 16;

/** A tile as it would be without its group. */
export interface FarMember extends Radii, Ladder {
  readonly bounds: Bounds;
}

/** Radii and distances for the manifest: whole centimetres. */
export interface FarEntry extends Radii {
  /** From where full detail is asked for; the loader's own guess would follow the unload radius outwards. */
  readonly prefetch: number;
  readonly lods: readonly number[];
  readonly hlod: number;
}

export interface FarRadii {
  /** No LODs; its HLOD is the stand-in. */
  readonly group: FarEntry;
  /** In the order given: their LODs, then what was their HLOD; their HLOD is the file without meshes. */
  readonly members: readonly FarEntry[];
}

/**
 * A stand-in may be moved out to this many times the least distance of its group until its error is unseen: further, the
 * triangles that it saves are fewer than the draw calls that its members go on costing.
 */
const GROUP_REACH = 1.5;

/** Metres that distances rounded up to centimetres, and one made from the other, may grow by. */
const ROUNDING_ROOM = 0.1;

/** The most by which a camera can be further from `member` than from `group`, which holds it. */
export function spread(group: Bounds, member: Bounds): number {
  const way = (axis: 0 | 1 | 2) => Math.max(0, member.min[axis] - group.min[axis], group.max[axis] - member.max[axis]);
  return Math.hypot(way(0), way(1), way(2));
}

/** Where the members' own levels end. */
function lastLevel(members: readonly FarMember[]): number {
  return Math.max(...members.map(({ lods, hlod }) => hlod ?? lods[lods.length - 1] ?? -Infinity));
}

/**
 * How far out, in metres, the stand-in of a group with these bounds may be shown from: an error that is not seen from there
 * is one that it may have. Null: there is no place for one, whatever its error.
 */
export function farReach(bounds: Bounds, members: readonly FarMember[]): number | null {
  const least = ceilCentimetre(lastLevel(members) + LEVEL_GAP);
  const widest = Math.max(...members.map((member) => spread(bounds, member.bounds)));
  const most = floorCentimetre(HYSTERESIS * (FARTHEST - ROUNDING_ROOM) - widest - HANDOVER);
  return most < least ? null : Math.min(most, floorCentimetre(GROUP_REACH * least));
}

/**
 * The distances of a group with these bounds and of its members, which must have a level each. The stand-in is seen from
 * `least` on, where its error no longer shows (ladder.ts: distanceOfError), or from beyond the members' last levels.
 * Null: the members could not fall silent before the loader stops looking, so that the group would only add to them.
 */
export function farRadii(bounds: Bounds, members: readonly FarMember[], least: number): FarRadii | null {
  const ladders = members.map(({ lods, hlod }) => (hlod === null ? lods : [...lods, hlod]));
  if (ladders.some((levels) => levels.length === 0)) throw new Error('a tile without levels in a far group');
  const from = ceilCentimetre(Math.max(least, lastLevel(members) + LEVEL_GAP));
  const ends = members.map((member) => ceilCentimetre((from + spread(bounds, member.bounds) + HANDOVER) / HYSTERESIS));
  if (Math.max(...ends) >= FARTHEST) return null;
  return {
    group: {
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

function ceilCentimetre(metres: number): number {
  return Math.ceil(Number((metres * 100).toFixed(6))) / 100;
}

function floorCentimetre(metres: number): number {
  return Math.floor(Number((metres * 100).toFixed(6))) / 100;
}
