// Checks what a file may hold in addition to meshes: materials' own rules, lights, cameras, LUTs, skeletons, skins, animation, morphs.
// Ranges and values that the table of records cannot state. Rules: the engine's loader, its exporter's conventions.

import type { Code } from '../../../diagnostics/diagnostic.ts';
import { LEAST_BASE_COLOR } from '../../../engine/materials.ts';
import {
  ALPHA_MODE_MASK,
  ALPHA_MODES,
  ANIMATION_CHANNEL,
  ANIMATION_CLIP,
  CAMERA,
  CHUNK,
  COLOR_GRADE_LUT,
  COLOR_MANAGEMENT,
  JOINT_INDEX_BYTES,
  JOINT_WEIGHT_BYTES,
  LIGHT,
  MATERIAL,
  MESH,
  MORPH_DRIVER,
  MORPH_ENTRY,
  MORPH_TARGET,
  MUSCLE,
  ROTATION_KEYFRAME,
  SKELETON,
  SKELETON_JOINT,
  SKIN,
  SKIN_JOINT_MAPPING,
  TEXTURE,
  TEXTURE_FLAGS,
  TEXTURE_FORMAT_RGBA16_FLOAT,
  TRANSLATION_KEYFRAME,
  VERSION_WITH_EMISSION,
} from '../container/records.ts';
import { recordPath, type Tables } from '../container/tables.ts';
import { NONE } from '../types.ts';
import type { EntityGraph } from './entities.ts';
import type { Findings } from './findings.ts';
import { scanBudget } from './geometry.ts';

function checkMaterials(tables: Tables, findings: Findings): void {
  const table = tables.table(MATERIAL, CHUNK.material);
  for (let i = 0; i < table.length; i++) {
    const { flags, baseColorFactor, emissiveFactor } = table.get(i);
    const path = recordPath(CHUNK.material, i);
    const alphaMode = flags & ALPHA_MODE_MASK;
    if (!(alphaMode in ALPHA_MODES)) findings.report('UC3043', path, `alpha mode ${alphaMode}`);
    if (tables.version < VERSION_WITH_EMISSION && emissiveFactor.some((v) => v !== 0)) {
      findings.report(
        'UC3103',
        path,
        `emissive factor ${emissiveFactor.map((v) => Number(v.toPrecision(6))).join(' ')}`,
      );
    }
    if (baseColorFactor.slice(0, 3).every((v) => v < LEAST_BASE_COLOR)) {
      findings.report('UC3104', path, 'the engine will draw it white');
    }
  }
}

const isAngle = (degrees: number): boolean => degrees >= 0 && degrees <= 180;

function checkLights(tables: Tables, findings: Findings): void {
  const table = tables.table(LIGHT, CHUNK.light);
  for (let i = 0; i < table.length; i++) {
    const { intensity, radius, areaSize, innerCone, outerCone } = table.get(i);
    const path = recordPath(CHUNK.light, i);
    // NaN is another finding; it must not be reported here too.
    if (intensity < 0 || radius < 0 || areaSize.some((v) => v < 0)) {
      findings.report('UC3065', path, `intensity ${intensity}, radius ${radius}, area ${areaSize.join(' x ')}`);
    }
    if (Number.isFinite(innerCone + outerCone) && !(isAngle(innerCone) && isAngle(outerCone))) {
      findings.report('UC3065', path, `cones of ${innerCone} and ${outerCone} degrees`);
    }
  }
}

function checkCameras(tables: Tables, findings: Findings): void {
  const table = tables.table(CAMERA, CHUNK.camera);
  for (let i = 0; i < table.length; i++) {
    const { fovYDegrees: fov, nearClip, farClip, aspectRatio } = table.get(i);
    const path = recordPath(CHUNK.camera, i);
    if (fov <= 0 || fov >= 180) findings.report('UC3066', path, `field of view ${fov} degrees`);
    if (nearClip <= 0 || farClip <= nearClip) findings.report('UC3066', path, `clip planes ${nearClip} and ${farClip}`);
    if (aspectRatio <= 0) findings.report('UC3066', path, `aspect ${aspectRatio}`);
  }
}

const MIN_LUT_SIZE = 2;
const MAX_LUT_SIZE = 64;
const MAX_CUBE_SIZE = 129;

function checkLuts(tables: Tables, findings: Findings): void {
  const management = tables.table(COLOR_MANAGEMENT, CHUNK.colorManagement);
  const textures = tables.table(TEXTURE, CHUNK.texture);
  for (let i = 0; i < management.length; i++) {
    const { lutTextureIndex, lutSize: n, gamma, shaperMinStops, shaperMaxStops } = management.get(i);
    const path = recordPath(CHUNK.colorManagement, i);
    if (n < MIN_LUT_SIZE || n > MAX_LUT_SIZE) findings.report('UC3067', path, `LUT size ${n}`);
    if (gamma <= 0) findings.report('UC3067', path, `gamma ${gamma}`);
    if (shaperMaxStops <= shaperMinStops) {
      findings.report('UC3067', path, `stops ${shaperMinStops} to ${shaperMaxStops}`);
    }
    if (lutTextureIndex === NONE) findings.report('UC3067', path, 'no LUT texture');
    if (lutTextureIndex >= textures.length) continue;
    const { textureFormat, flags, mipCount, width, height } = textures.get(lutTextureIndex);
    if (textureFormat !== TEXTURE_FORMAT_RGBA16_FLOAT || mipCount !== 1 || (flags & TEXTURE_FLAGS.lut) === 0) {
      findings.report('UC3067', path, `texture ${lutTextureIndex} is no rgba16Float LUT with one mip`);
    }
    if (width !== n * n || height !== n) {
      findings.report('UC3067', path, `texture ${lutTextureIndex} is ${width}x${height}, not ${n * n}x${n}`);
    }
  }
  const grade = tables.table(COLOR_GRADE_LUT, CHUNK.colorGradeLUT);
  for (let i = 0; i < grade.length; i++) {
    const { lutUriOffset, lutSize, domainMin, domainMax } = grade.get(i);
    const path = recordPath(CHUNK.colorGradeLUT, i);
    if (lutUriOffset === NONE) findings.report('UC3068', path, 'names no file');
    if (lutSize < MIN_LUT_SIZE || lutSize > MAX_CUBE_SIZE) findings.report('UC3068', path, `LUT size ${lutSize}`);
    if (domainMin.some((low, a) => domainMax[a] <= low)) {
      findings.report('UC3068', path, `domain ${domainMin.join(' ')} to ${domainMax.join(' ')}`);
    }
  }
}

/** True when [first, first + count) lies in a table of `length` records; reports otherwise. An empty range fits. */
function inTable(
  findings: Findings,
  code: Code,
  type: number,
  index: number,
  what: string,
  first: number,
  count: number,
  length: number,
): boolean {
  if (count === 0 || first + count <= length) return true;
  findings.report(code, recordPath(type, index), `${what} ${first} to ${first + count - 1}, the table has ${length}`);
  return false;
}

/** Joint counts of the skeletons by entity id. */
function checkSkeletons(tables: Tables, graph: EntityGraph, findings: Findings): Map<number, number> {
  const skeletons = tables.table(SKELETON, CHUNK.skeleton);
  const joints = tables.table(SKELETON_JOINT, CHUNK.skeletonJoint);
  const parentOf = joints.column('parentJointIndex');
  const budget = scanBudget(findings, joints.length * joints.recordSize);
  const counts = new Map<number, number>();
  for (let i = 0; i < skeletons.length; i++) {
    const { entityId, firstJointRecordIndex: first, jointRecordCount: count } = skeletons.get(i);
    const path = recordPath(CHUNK.skeleton, i);
    if (!graph.indexOfId.has(entityId)) findings.report('UC3075', path, `no entity has the id ${entityId}`);
    if (!inTable(findings, 'UC3069', CHUNK.skeleton, i, 'joints', first, count, joints.length)) continue;
    counts.set(entityId, count);
    if (budget.take(count * joints.recordSize, path)) checkJointParents(parentOf, first, count, findings);
  }
  return counts;
}

function checkJointParents(
  parentOf: (index: number) => number,
  first: number,
  count: number,
  findings: Findings,
): void {
  // 0 not seen, 1 on the chain that is walked, 2 leads to a root or was reported.
  const state = new Uint8Array(count);
  for (let start = 0; start < count; start++) {
    const chain: number[] = [];
    let at = start;
    for (;;) {
      if (state[at] === 1)
        findings.report('UC3070', recordPath(CHUNK.skeletonJoint, first + at), 'its parents lead back');
      if (state[at] !== 0) break;
      state[at] = 1;
      chain.push(at);
      const parent = parentOf(first + at);
      if (parent === NONE) break;
      if (parent >= count) {
        const path = recordPath(CHUNK.skeletonJoint, first + at);
        findings.report('UC3070', path, `parent ${parent} of a skeleton of ${count} joints`);
        break;
      }
      at = parent;
    }
    for (const joint of chain) state[joint] = 2;
  }
}

/** float32 weights are normalised sums of up to four. */
const WEIGHT_TOLERANCE = 1e-3;

function checkSkins(tables: Tables, graph: EntityGraph, joints: ReadonlyMap<number, number>, findings: Findings): void {
  const skins = tables.table(SKIN, CHUNK.skin);
  const mappings = tables.table(SKIN_JOINT_MAPPING, CHUNK.skinJointMapping);
  const mappingOf = mappings.column('skeletonJointIndex');
  const meshes = tables.table(MESH, CHUNK.mesh);
  const vertexCountOf = meshes.column('vertexCount');
  const indexData = tables.payload(CHUNK.jointIndexData);
  const weightData = tables.payload(CHUNK.jointWeightData);
  const indexView = new DataView(indexData.buffer, indexData.byteOffset, indexData.length);
  const weightView = new DataView(weightData.buffer, weightData.byteOffset, weightData.length);
  const budget = scanBudget(findings, indexData.length + weightData.length + mappings.length * mappings.recordSize);

  for (let i = 0; i < skins.length; i++) {
    const skin = skins.get(i);
    const { jointCount, firstJointMappingIndex: first, vertexCount } = skin;
    const path = recordPath(CHUNK.skin, i);
    if (!graph.indexOfId.has(skin.entityId)) findings.report('UC3071', path, `no entity has the id ${skin.entityId}`);
    if (skin.meshRecordIndex >= meshes.length) {
      findings.report('UC3071', path, `mesh ${skin.meshRecordIndex}, the table has ${meshes.length}`);
    } else if (vertexCountOf(skin.meshRecordIndex) !== vertexCount) {
      findings.report('UC3071', path, `${vertexCount} vertices, its mesh has another count`);
    }
    const skeletonJoints = joints.get(skin.skeletonEntityId);
    if (skin.skeletonEntityId !== NONE && !graph.indexOfId.has(skin.skeletonEntityId)) {
      findings.report('UC3071', path, `no entity has the skeleton’s id ${skin.skeletonEntityId}`);
    }
    if (
      inTable(findings, 'UC3071', CHUNK.skin, i, 'joint mappings', first, jointCount, mappings.length) &&
      skeletonJoints !== undefined &&
      budget.take(jointCount * mappings.recordSize, path)
    ) {
      for (let j = first; j < first + jointCount; j++) {
        if (mappingOf(j) < skeletonJoints) continue;
        findings.report('UC3072', path, `mapping ${j} names joint ${mappingOf(j)} of ${skeletonJoints}`);
        break;
      }
    }
    const indexEnd = skin.jointIndexDataOffset + vertexCount * JOINT_INDEX_BYTES;
    const weightEnd = skin.jointWeightDataOffset + vertexCount * JOINT_WEIGHT_BYTES;
    if (indexEnd > indexData.length || weightEnd > weightData.length) {
      findings.report('UC3071', path, `joint data of ${vertexCount} vertices reach beyond their chunks`);
      continue;
    }
    if (!budget.take(vertexCount * (JOINT_INDEX_BYTES + JOINT_WEIGHT_BYTES), path)) continue;
    for (let k = 0; k < vertexCount * 4; k++) {
      const joint = indexView.getUint16(skin.jointIndexDataOffset + k * 2, true);
      const weight = weightView.getFloat32(skin.jointWeightDataOffset + k * 4, true);
      const valid = weight >= -WEIGHT_TOLERANCE && weight <= 1 + WEIGHT_TOLERANCE;
      if (valid && (weight === 0 || joint < jointCount)) continue;
      findings.report('UC3072', path, `vertex ${k >>> 2}: joint ${joint} of ${jointCount}, weight ${weight}`);
      break;
    }
  }
}

function checkAnimation(tables: Tables, findings: Findings): void {
  const clips = tables.table(ANIMATION_CLIP, CHUNK.animationClip);
  const channels = tables.table(ANIMATION_CHANNEL, CHUNK.animationChannel);
  const translations = tables.table(TRANSLATION_KEYFRAME, CHUNK.translationKeyframe).length;
  const rotations = tables.table(ROTATION_KEYFRAME, CHUNK.rotationKeyframe).length;
  for (let i = 0; i < clips.length; i++) {
    const { firstChannelRecordIndex: first, channelRecordCount: count } = clips.get(i);
    inTable(findings, 'UC3073', CHUNK.animationClip, i, 'channels', first, count, channels.length);
  }
  for (let i = 0; i < channels.length; i++) {
    const channel = channels.get(i);
    const { firstTranslationKeyframeIndex: t, translationKeyframeCount: tCount } = channel;
    const { firstRotationKeyframeIndex: r, rotationKeyframeCount: rCount } = channel;
    inTable(findings, 'UC3073', CHUNK.animationChannel, i, 'translation keys', t, tCount, translations);
    inTable(findings, 'UC3073', CHUNK.animationChannel, i, 'rotation keys', r, rCount, rotations);
  }
}

function checkMorphs(tables: Tables, findings: Findings): void {
  const targets = tables.table(MORPH_TARGET, CHUNK.morphTarget);
  const meshOf = targets.column('meshRecordIndex');
  const firstOf = targets.column('firstEntryIndex');
  const countOf = targets.column('entryCount');
  const entries = tables.table(MORPH_ENTRY, CHUNK.morphTargetData);
  const vertexOf = entries.column('vertex');
  const meshes = tables.table(MESH, CHUNK.mesh);
  const vertexCountOf = meshes.column('vertexCount');
  const budget = scanBudget(findings, entries.length * entries.recordSize);
  for (let i = 0; i < targets.length; i++) {
    const mesh = meshOf(i);
    const first = firstOf(i);
    const count = countOf(i);
    if (mesh === NONE) findings.report('UC3074', recordPath(CHUNK.morphTarget, i), 'names no mesh');
    if (!inTable(findings, 'UC3074', CHUNK.morphTarget, i, 'entries', first, count, entries.length)) continue;
    if (mesh >= meshes.length || count === 0) continue;
    const path = recordPath(CHUNK.morphTarget, i);
    if (!budget.take(count * entries.recordSize, path)) continue;
    const vertexCount = vertexCountOf(mesh);
    for (let e = first; e < first + count; e++) {
      if (vertexOf(e) < vertexCount) continue;
      findings.report('UC3074', path, `entry ${e} moves vertex ${vertexOf(e)} of ${vertexCount}`);
      break;
    }
  }
  const drivers = tables.table(MORPH_DRIVER, CHUNK.morphDriver);
  const targetOf = drivers.column('targetIndex');
  for (let i = 0; i < drivers.length; i++) {
    if (targetOf(i) === NONE) findings.report('UC3074', recordPath(CHUNK.morphDriver, i), 'drives no target');
  }
}

function checkMuscles(tables: Tables, graph: EntityGraph, findings: Findings): void {
  const table = tables.table(MUSCLE, CHUNK.muscle);
  const skeletonOf = table.column('skeletonEntityId');
  for (let i = 0; i < table.length; i++) {
    const id = skeletonOf(i);
    if (!graph.indexOfId.has(id)) {
      findings.report('UC3075', recordPath(CHUNK.muscle, i), `no entity has the id ${id}`);
    }
  }
}

/** UC3043, UC3065-UC3075, UC3103, UC3104. */
export function checkAuthored(tables: Tables, graph: EntityGraph, findings: Findings): void {
  checkMaterials(tables, findings);
  checkLights(tables, findings);
  checkCameras(tables, findings);
  checkLuts(tables, findings);
  const joints = checkSkeletons(tables, graph, findings);
  checkSkins(tables, graph, joints, findings);
  checkAnimation(tables, findings);
  checkMorphs(tables, findings);
  checkMuscles(tables, graph, findings);
}
