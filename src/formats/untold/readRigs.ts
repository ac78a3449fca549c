// Skeletons, skins and clips of a file that the checks have passed: all ranges lie in their tables.

import {
  ANIMATION_CHANNEL,
  ANIMATION_CLIP,
  CHUNK,
  JOINT_INDEX_BYTES,
  JOINT_WEIGHT_BYTES,
  ROTATION_KEYFRAME,
  SKELETON,
  SKELETON_JOINT,
  SKIN,
  SKIN_JOINT_MAPPING,
  TRANSLATION_KEYFRAME,
} from './container/records.ts';
import type { Table, Tables } from './container/tables.ts';
import type { UntoldClip, UntoldKeys, UntoldSkeleton, UntoldSkin } from './types.ts';

const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

export function readSkeletons(tables: Tables): UntoldSkeleton[] {
  const joints = tables.table(SKELETON_JOINT, CHUNK.skeletonJoint);
  return tables.table(SKELETON, CHUNK.skeleton).map((skeleton) => ({
    entity: skeleton.entityId,
    name: tables.strings.at(skeleton.nameOffset),
    joints: range(skeleton.firstJointRecordIndex, skeleton.jointRecordCount).map((j) => {
      const joint = joints.get(j);
      return {
        parent: joint.parentJointIndex,
        path: tables.strings.at(joint.jointPathOffset),
        bind: Float64Array.from(joint.bindTransform),
        rest: Float64Array.from(joint.restTransform),
      };
    }),
  }));
}

/** Copies, because the chunks begin wherever the file has them. */
export function readSkins(tables: Tables): UntoldSkin[] {
  const jointOf = tables.table(SKIN_JOINT_MAPPING, CHUNK.skinJointMapping).column('skeletonJointIndex');
  const indexData = tables.payload(CHUNK.jointIndexData);
  const weightData = tables.payload(CHUNK.jointWeightData);
  return tables.table(SKIN, CHUNK.skin).map((skin) => {
    const { jointIndexDataOffset: i, jointWeightDataOffset: w, vertexCount: n } = skin;
    return {
      entity: skin.entityId,
      mesh: skin.meshRecordIndex,
      skeletonEntity: skin.skeletonEntityId,
      joints: Uint32Array.from(range(skin.firstJointMappingIndex, skin.jointCount), jointOf),
      indices: new Uint16Array(indexData.slice(i, i + n * JOINT_INDEX_BYTES).buffer),
      weights: new Float32Array(weightData.slice(w, w + n * JOINT_WEIGHT_BYTES).buffer),
    };
  });
}

function keysOf(
  table: Table<typeof TRANSLATION_KEYFRAME> | Table<typeof ROTATION_KEYFRAME>,
  size: number,
  first: number,
  count: number,
): UntoldKeys {
  const times = new Float32Array(count);
  const values = new Float32Array(count * size);
  for (let k = 0; k < count; k++) {
    const { time, value } = table.get(first + k);
    times[k] = time;
    values.set(value, k * size);
  }
  return { times, values };
}

export function readClips(tables: Tables): UntoldClip[] {
  const channels = tables.table(ANIMATION_CHANNEL, CHUNK.animationChannel);
  const translations = tables.table(TRANSLATION_KEYFRAME, CHUNK.translationKeyframe);
  const rotations = tables.table(ROTATION_KEYFRAME, CHUNK.rotationKeyframe);
  return tables.table(ANIMATION_CLIP, CHUNK.animationClip).map((clip) => ({
    name: tables.strings.at(clip.nameOffset),
    duration: clip.duration,
    channels: range(clip.firstChannelRecordIndex, clip.channelRecordCount).map((c) => {
      const channel = channels.get(c);
      return {
        path: tables.strings.at(channel.jointPathOffset),
        translations: keysOf(translations, 3, channel.firstTranslationKeyframeIndex, channel.translationKeyframeCount),
        rotations: keysOf(rotations, 4, channel.firstRotationKeyframeIndex, channel.rotationKeyframeCount),
      };
    }),
  }));
}
