// Skeletons and skins. Their ranges and references are errors; what the engine accepts and then poses wrongly or leaves
// out is a warning. It multiplies the matrices of joints in their order, finds the joints of a clip by path, takes the
// last skeleton of an entity and the first skin of a mesh.

import { determinant3 } from '../../../scene/matrix.ts';
import type { Findings } from '../../findings.ts';
import {
  CHUNK,
  JOINT_INDEX_BYTES,
  JOINT_WEIGHT_BYTES,
  MESH,
  SKELETON,
  SKELETON_JOINT,
  SKIN,
  SKIN_JOINT_MAPPING,
} from '../container/records.ts';
import { recordPath, type Tables } from '../container/tables.ts';
import { NONE } from '../types.ts';
import type { EntityGraph } from './entities.ts';
import { scanBudget } from './geometry.ts';
import { inTable } from './tableRange.ts';

/** Joint counts of the skeletons by entity id, null where its joints are not all there; UC3034 and UC3120. */
function checkSkeletons(tables: Tables, graph: EntityGraph, findings: Findings): Map<number, number | null> {
  const skeletons = tables.table(SKELETON, CHUNK.skeleton);
  const joints = tables.table(SKELETON_JOINT, CHUNK.skeletonJoint);
  const parentOf = joints.column('parentJointIndex');
  const budget = scanBudget(findings, joints.length * joints.recordSize);
  const counts = new Map<number, number | null>();
  for (let i = 0; i < skeletons.length; i++) {
    const { entityId, firstJointRecordIndex: first, jointRecordCount: count } = skeletons.get(i);
    const path = recordPath(CHUNK.skeleton, i);
    if (!graph.indexOfId.has(entityId))
      findings.report('UC3034', path, `record refers to a missing entity: no entity has the id ${entityId}`);
    if (!inTable(findings, CHUNK.skeleton, i, 'joints', first, count, joints.length)) {
      counts.set(entityId, null);
      continue;
    }
    if (counts.has(entityId))
      findings.report('UC3120', path, `skeleton not usable: entity ${entityId} has another skeleton already`);
    if (count === 0) findings.report('UC3120', path, 'skeleton not usable: no joints');
    counts.set(entityId, count);
    if (!budget.take(count * joints.recordSize, path)) continue;
    if (checkJointParents(parentOf, first, count, findings)) checkJointOrder(parentOf, first, count, findings);
    checkJointPaths(tables, first, count, findings);
    for (let j = first; j < first + count; j++) checkBind(joints.get(j).bindTransform, j, findings);
  }
  return counts;
}

/** False when a joint has no valid chain of parents. */
function checkJointParents(
  parentOf: (index: number) => number,
  first: number,
  count: number,
  findings: Findings,
): boolean {
  let valid = true;
  // 0 not seen, 1 on the chain that is walked, 2 leads to a root or was reported.
  const state = new Uint8Array(count);
  for (let start = 0; start < count; start++) {
    const chain: number[] = [];
    let at = start;
    for (;;) {
      if (state[at] === 1) {
        valid = false;
        findings.report(
          'UC3034',
          recordPath(CHUNK.skeletonJoint, first + at),
          'joint parent missing or cyclic: its parents lead back',
        );
      }
      if (state[at] !== 0) break;
      state[at] = 1;
      chain.push(at);
      const parent = parentOf(first + at);
      if (parent === NONE) break;
      if (parent >= count) {
        valid = false;
        const path = recordPath(CHUNK.skeletonJoint, first + at);
        findings.report(
          'UC3034',
          path,
          `joint parent missing or cyclic: parent ${parent} of a skeleton of ${count} joints`,
        );
        break;
      }
      at = parent;
    }
    for (const joint of chain) state[joint] = 2;
  }
  return valid;
}

function checkJointOrder(parentOf: (index: number) => number, first: number, count: number, findings: Findings): void {
  for (let i = 0; i < count; i++) {
    const parent = parentOf(first + i);
    if (parent === NONE || parent < i) continue;
    findings.report(
      'UC3120',
      recordPath(CHUNK.skeletonJoint, first + i),
      `joint before its parent: joint ${i} stands before its parent ${parent}`,
    );
  }
}

/** Joints without a path are left out: a clip cannot name them at all. */
function checkJointPaths(tables: Tables, first: number, count: number, findings: Findings): void {
  const offsetOf = tables.table(SKELETON_JOINT, CHUNK.skeletonJoint).column('jointPathOffset');
  const seen = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const offset = offsetOf(first + i);
    if (offset === NONE) continue;
    const path = tables.strings.at(offset);
    const other = seen.get(path);
    if (other === undefined) seen.set(path, i);
    else
      findings.report(
        'UC3120',
        recordPath(CHUNK.skeletonJoint, first + i),
        `two joints of one path: joints ${other} and ${i} are “${path}”`,
      );
  }
}

/** Volume of the axes over the product of their lengths, below which float32 cannot invert the matrix. */
const MIN_VOLUME = 1e-6;

function checkBind(m: readonly number[], joint: number, findings: Findings): void {
  const lengths = [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]));
  const product = lengths[0] * lengths[1] * lengths[2];
  // NaN is another finding.
  if (Math.abs(determinant3(Float64Array.from(m))) <= MIN_VOLUME * product) {
    findings.report(
      'UC3120',
      recordPath(CHUNK.skeletonJoint, joint),
      'bind matrix without an inverse: the bind matrix is singular',
    );
  }
}

/** float32 weights are normalised sums of up to four. */
const WEIGHT_TOLERANCE = 1e-3;

/** UC3003, UC3034 and UC3120. */
function checkSkins(
  tables: Tables,
  graph: EntityGraph,
  joints: ReadonlyMap<number, number | null>,
  findings: Findings,
): void {
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

  const skinned = new Set<number>();
  for (let i = 0; i < skins.length; i++) {
    const skin = skins.get(i);
    const { jointCount, firstJointMappingIndex: first, vertexCount } = skin;
    const path = recordPath(CHUNK.skin, i);
    if (!graph.indexOfId.has(skin.entityId))
      findings.report('UC3034', path, `skin out of range: no entity has the id ${skin.entityId}`);
    if (skin.meshRecordIndex >= meshes.length) {
      findings.report(
        'UC3034',
        path,
        `skin out of range: mesh ${skin.meshRecordIndex}, the table has ${meshes.length}`,
      );
    } else if (vertexCountOf(skin.meshRecordIndex) !== vertexCount) {
      findings.report('UC3034', path, `skin out of range: ${vertexCount} vertices, its mesh has another count`);
    }
    const skeletonJoints = joints.get(skin.skeletonEntityId);
    const hasEntity = skin.skeletonEntityId === NONE || graph.indexOfId.has(skin.skeletonEntityId);
    if (!hasEntity) {
      findings.report('UC3034', path, `skin out of range: no entity has the skeleton’s id ${skin.skeletonEntityId}`);
    }
    if (
      inTable(findings, CHUNK.skin, i, 'joint mappings', first, jointCount, mappings.length) &&
      budget.take(jointCount * mappings.recordSize, path) &&
      typeof skeletonJoints === 'number'
    ) {
      const mapped = new Set<number>();
      for (let j = first; j < first + jointCount; j++) {
        const joint = mappingOf(j);
        if (joint >= skeletonJoints) {
          findings.report(
            'UC3003',
            path,
            `skin weights or joints invalid: mapping ${j} names joint ${joint} of ${skeletonJoints}`,
          );
          break;
        }
        if (mapped.has(joint))
          findings.report('UC3120', path, `joint mapped twice: joint ${joint}, again at mapping ${j}`);
        mapped.add(joint);
      }
    }
    if (skinned.has(skin.meshRecordIndex)) {
      findings.report('UC3120', path, `skin without effect: mesh ${skin.meshRecordIndex} has an earlier skin`);
    }
    skinned.add(skin.meshRecordIndex);
    if (skeletonJoints === undefined && hasEntity) {
      findings.report('UC3120', path, `skin without effect: no skeleton on entity ${skin.skeletonEntityId}`);
    }
    const indexEnd = skin.jointIndexDataOffset + vertexCount * JOINT_INDEX_BYTES;
    const weightEnd = skin.jointWeightDataOffset + vertexCount * JOINT_WEIGHT_BYTES;
    if (indexEnd > indexData.length || weightEnd > weightData.length) {
      findings.report(
        'UC3034',
        path,
        `skin out of range: joint data of ${vertexCount} vertices reach beyond their chunks`,
      );
      continue;
    }
    if (!budget.take(vertexCount * (JOINT_INDEX_BYTES + JOINT_WEIGHT_BYTES), path)) continue;
    let sum = 0;
    for (let k = 0; k < vertexCount * 4; k++) {
      const joint = indexView.getUint16(skin.jointIndexDataOffset + k * 2, true);
      const weight = weightView.getFloat32(skin.jointWeightDataOffset + k * 4, true);
      const valid = weight >= -WEIGHT_TOLERANCE && weight <= 1 + WEIGHT_TOLERANCE;
      if (!valid || (weight !== 0 && joint >= jointCount)) {
        findings.report(
          'UC3003',
          path,
          `skin weights or joints invalid: vertex ${k >>> 2}: joint ${joint} of ${jointCount}, weight ${weight}`,
        );
        break;
      }
      sum += weight;
      if (k % 4 !== 3) continue;
      if (Math.abs(sum - 1) > WEIGHT_TOLERANCE) {
        findings.report(
          'UC3120',
          path,
          `weights of a vertex do not add up to 1: vertex ${k >>> 2}: its weights add up to ${Number(sum.toPrecision(6))}`,
        );
        break;
      }
      sum = 0;
    }
  }
}

/** UC3003, UC3034 and UC3120. */
export function checkRigs(tables: Tables, graph: EntityGraph, findings: Findings): void {
  const joints = checkSkeletons(tables, graph, findings);
  checkSkins(tables, graph, joints, findings);
}
