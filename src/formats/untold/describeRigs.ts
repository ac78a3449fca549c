// What `untold inspect` tells of skins and clips. The file may be broken: ranges that its tables do not have count for
// nothing, and bytes that many records refer to are read once.

import { ANIMATION_CHANNEL, ANIMATION_CLIP, CHUNK, JOINT_WEIGHT_BYTES, SKIN } from './container/records.ts';
import type { Table, Tables } from './container/tables.ts';

export interface SkinDescription {
  /** Index of the mesh record. */
  readonly mesh: number;
  /** Id of the entity with the skeleton. */
  readonly skeleton: number;
  readonly joints: number;
  readonly vertices: number;
  /** The most weights above 0 that a vertex has; null where they cannot be read. */
  readonly influences: number | null;
}

export function describeSkins(tables: Tables, limit: number): SkinDescription[] {
  const weights = tables.payload(CHUNK.jointWeightData);
  const view = new DataView(weights.buffer, weights.byteOffset, weights.length);
  const known = new Map<string, number>();
  let unread = weights.length;
  const influencesOf = (offset: number, vertices: number): number | null => {
    const bytes = vertices * JOINT_WEIGHT_BYTES;
    if (offset + bytes > weights.length) return null;
    const key = `${offset} ${vertices}`;
    const seen = known.get(key);
    if (seen !== undefined) return seen;
    if (bytes > unread) return null;
    unread -= bytes;
    let max = 0;
    for (let at = offset; at < offset + bytes; at += JOINT_WEIGHT_BYTES) {
      let used = 0;
      for (let i = 0; i < 4; i++) if (view.getFloat32(at + i * 4, true) > 0) used++;
      if (used > max) max = used;
    }
    known.set(key, max);
    return max;
  };
  return tables.table(SKIN, CHUNK.skin).map(
    (skin) => ({
      mesh: skin.meshRecordIndex,
      skeleton: skin.skeletonEntityId,
      joints: skin.jointCount,
      vertices: skin.vertexCount,
      influences: influencesOf(skin.jointWeightDataOffset, skin.vertexCount),
    }),
    limit,
  );
}

export interface ClipDescription {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  readonly channels: number;
  readonly translationKeys: number;
  readonly rotationKeys: number;
}

/** Sums of a column: entry i holds the sum of the first i records. */
function sums<R extends typeof ANIMATION_CHANNEL>(table: Table<R>, column: keyof R['fields'] & string): Float64Array {
  const of = table.column(column);
  const total = new Float64Array(table.length + 1);
  for (let i = 0; i < table.length; i++) total[i + 1] = total[i] + of(i);
  return total;
}

export function describeClips(tables: Tables, limit: number): ClipDescription[] {
  const channels = tables.table(ANIMATION_CHANNEL, CHUNK.animationChannel);
  const translations = sums(channels, 'translationKeyframeCount');
  const rotations = sums(channels, 'rotationKeyframeCount');
  return tables.table(ANIMATION_CLIP, CHUNK.animationClip).map((clip) => {
    const first = Math.min(clip.firstChannelRecordIndex, channels.length);
    const end = Math.min(first + clip.channelRecordCount, channels.length);
    return {
      name: tables.strings.at(clip.nameOffset),
      duration: clip.duration,
      channels: clip.channelRecordCount,
      translationKeys: translations[end] - translations[first],
      rotationKeys: rotations[end] - rotations[first],
    };
  }, limit);
}
