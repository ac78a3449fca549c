// Chunks 8 to 17: skeletons, joints, skins, mappings, clips, channels, keys, and the joints and weights of vertices. Field
// order and sizes are those of the engine's binary coder; its own format document has others for most of them.

import { type Chunk, GeometryParts, plainChunk, type StringTable, tableBytes } from './container/chunks.ts';
import type { RecordKind, RecordOf } from './container/layout.ts';
import {
  ANIMATION_CHANNEL,
  ANIMATION_CLIP,
  CHUNK,
  ROTATION_KEYFRAME,
  SKELETON,
  SKELETON_JOINT,
  SKIN,
  SKIN_JOINT_MAPPING,
  TRANSLATION_KEYFRAME,
} from './container/records.ts';
import type { UntoldKeys, UntoldScene, UntoldSkin } from './types.ts';

/** Influences of a vertex in the joint chunks. */
const INFLUENCES = 4;

export interface RigChunks {
  /** Chunks 8 to 11; none without skeletons. */
  readonly tables: readonly Chunk[];
  /** Chunks 16 and 17; none without skins. */
  readonly weights: readonly Chunk[];
  /** Size of `weights`. */
  readonly bytes: number;
}

/** Throws for values that the engine cannot load. They are mistakes of the caller, not of a source. */
function checkSkin(skin: UntoldSkin, index: number, scene: UntoldScene): void {
  const wrong = (what: string): never => {
    throw new Error(`skin ${index}: ${what}`);
  };
  const { vertexCount } = scene.meshes[skin.mesh] ?? wrong(`no mesh ${skin.mesh}`);
  if (skin.indices.length !== vertexCount * INFLUENCES) wrong('joint indices are not 4 a vertex');
  if (skin.weights.length !== vertexCount * INFLUENCES) wrong('weights are not 4 a vertex');
  if (!scene.skeletons?.some(({ entity }) => entity === skin.skeletonEntity)) wrong('its skeleton is not in the file');
}

/** Skeletons and skins; joints of a skeleton and mappings of a skin follow each other in their tables. */
export function rigChunks(scene: UntoldScene, version: number, strings: StringTable): RigChunks {
  const { skeletons = [], skins = [] } = scene;
  if (skeletons.length === 0 && skins.length === 0) return { tables: [], weights: [], bytes: 0 };
  const joints: RecordOf<typeof SKELETON_JOINT>[] = [];
  const skeletonRecords = skeletons.map((skeleton): RecordOf<typeof SKELETON> => {
    const firstJointRecordIndex = joints.length;
    const nameOffset = strings.add(skeleton.name);
    for (const { parent, path, bind, rest } of skeleton.joints) {
      joints.push({
        parentJointIndex: parent,
        jointPathOffset: strings.add(path),
        flags: 0,
        reserved0: 0,
        bindTransform: Array.from(bind),
        restTransform: Array.from(rest),
      });
    }
    return {
      entityId: skeleton.entity,
      nameOffset,
      firstJointRecordIndex,
      jointRecordCount: skeleton.joints.length,
      reserved0: [0, 0],
    };
  });
  const mappings: RecordOf<typeof SKIN_JOINT_MAPPING>[] = [];
  const indices = new GeometryParts<Uint16Array>();
  const weights = new GeometryParts<Float32Array>();
  const skinRecords = skins.map((skin, i): RecordOf<typeof SKIN> => {
    checkSkin(skin, i, scene);
    const firstJointMappingIndex = mappings.length;
    for (const skeletonJointIndex of skin.joints) mappings.push({ skeletonJointIndex });
    return {
      entityId: skin.entity,
      meshRecordIndex: skin.mesh,
      skeletonEntityId: skin.skeletonEntity,
      jointCount: skin.joints.length,
      firstJointMappingIndex,
      vertexCount: skin.indices.length / INFLUENCES,
      jointIndexDataOffset: indices.place(skin.indices),
      jointWeightDataOffset: weights.place(skin.weights),
      reserved0: [0, 0],
    };
  });
  const table = <R extends RecordKind>(type: number, kind: R, records: readonly RecordOf<R>[]) =>
    plainChunk(type, [tableBytes(kind, version, records)], records.length);
  return {
    tables: [
      table(CHUNK.skeleton, SKELETON, skeletonRecords),
      table(CHUNK.skeletonJoint, SKELETON_JOINT, joints),
      table(CHUNK.skin, SKIN, skinRecords),
      table(CHUNK.skinJointMapping, SKIN_JOINT_MAPPING, mappings),
    ],
    weights:
      skins.length === 0
        ? []
        : [plainChunk(CHUNK.jointIndexData, indices.parts), plainChunk(CHUNK.jointWeightData, weights.parts)],
    bytes: indices.bytes + weights.bytes,
  };
}

/** Chunks 12 to 15, all four of them even where they are empty. */
export function clipChunks(scene: UntoldScene, version: number, strings: StringTable): readonly Chunk[] {
  const channels: RecordOf<typeof ANIMATION_CHANNEL>[] = [];
  const translations: RecordOf<typeof TRANSLATION_KEYFRAME>[] = [];
  const rotations: RecordOf<typeof ROTATION_KEYFRAME>[] = [];
  const eachKey = ({ times, values }: UntoldKeys, size: number, add: (time: number, value: number[]) => void) => {
    if (values.length !== times.length * size) throw new Error(`${values.length} numbers for ${times.length} keys`);
    for (let k = 0; k < times.length; k++) add(times[k], Array.from(values.subarray(k * size, k * size + size)));
  };
  const clips = (scene.clips ?? []).map((clip): RecordOf<typeof ANIMATION_CLIP> => {
    const firstChannelRecordIndex = channels.length;
    const nameOffset = strings.add(clip.name);
    for (const channel of clip.channels) {
      channels.push({
        jointPathOffset: strings.add(channel.path),
        firstTranslationKeyframeIndex: translations.length,
        translationKeyframeCount: channel.translations.times.length,
        firstRotationKeyframeIndex: rotations.length,
        rotationKeyframeCount: channel.rotations.times.length,
        flags: 0,
        reserved0: 0,
      });
      eachKey(channel.translations, 3, (time, value) => translations.push({ time, value, reserved0: 0 }));
      eachKey(channel.rotations, 4, (time, value) => rotations.push({ time, value }));
    }
    return {
      nameOffset,
      duration: clip.duration,
      firstChannelRecordIndex,
      channelRecordCount: clip.channels.length,
      flags: 0,
      reserved0: [0, 0],
    };
  });
  const table = <R extends RecordKind>(type: number, kind: R, records: readonly RecordOf<R>[]) =>
    plainChunk(type, [tableBytes(kind, version, records)], records.length);
  return [
    table(CHUNK.animationClip, ANIMATION_CLIP, clips),
    table(CHUNK.animationChannel, ANIMATION_CHANNEL, channels),
    table(CHUNK.translationKeyframe, TRANSLATION_KEYFRAME, translations),
    table(CHUNK.rotationKeyframe, ROTATION_KEYFRAME, rotations),
  ];
}
