// Skins (glTF 2.0, 3.7.3): a skinned mesh in the pose of the file's node transforms, computed in float64. Only the joints
// place it; the transform of the node that holds the mesh is ignored.

import { isFiniteMatrix, multiply } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';
import { type Accessors, FLOAT } from '../data/accessors.ts';
import type { Element } from '../document/element.ts';

export interface SkinPose {
  readonly path: string;
  readonly jointCount: number;
  /** World transform times inverse bind matrix of each joint, 16 numbers a joint. */
  readonly matrices: Float64Array;
}

/** The joint matrices of a skin; UC1308, UC1343. `world` holds the world transform of every node. */
export function readSkin(skin: Element, accessors: Accessors, world: readonly Mat4[]): SkinPose {
  const joints = skin.indices('joints', world.length, 'nodes');
  if (joints.length === 0) skin.fail('UC1343', 'the skin has no joints');
  const inverseBind = inverseBindMatrices(skin, joints.length, accessors);
  const matrices = new Float64Array(joints.length * 16);
  joints.forEach((node, j) => {
    const bind = inverseBind && Float64Array.from(inverseBind.subarray(j * 16, j * 16 + 16));
    const matrix = bind ? multiply(world[node], bind) : world[node];
    if (!isFiniteMatrix(matrix)) skin.fail('UC1343', `the matrix of joint ${j} is not finite`);
    matrices.set(matrix, j * 16);
  });
  return { path: skin.path, jointCount: joints.length, matrices };
}

/** The inverse bind matrices of a skin, 16 numbers a joint; null: all are the identity. UC1308, UC1343. */
export function inverseBindMatrices(skin: Element, joints: number, accessors: Accessors): Float32Array | null {
  const index = skin.index('inverseBindMatrices', accessors.list.length, 'accessors');
  if (index < 0) return null;
  const { type, componentType, count, path } = accessors.list[index];
  if (type !== 'MAT4' || componentType !== FLOAT) skin.fail('UC1343', `${path} does not hold matrices of floats`);
  if (count < joints) skin.fail('UC1343', `${path} has ${count} matrices for ${joints} joints`);
  return accessors.floats(index);
}

export interface Influences {
  /** For each set: joint numbers and weights, four of each for each vertex. */
  readonly sets: readonly { readonly joints: Float32Array; readonly weights: Float32Array }[];
}

/** The arrays that skinning changes in place. */
export interface SkinnedVertices {
  readonly positions: Float64Array;
  readonly normals: Float32Array | null;
  /** xyzw. */
  readonly tangents: Float32Array | null;
}

/**
 * Poses vertices in place: positions and tangents by the weighted sum of the joint matrices, normals by its inverse
 * transpose, and the sign of the tangent flips where that sum mirrors. Weights are divided by their sum, because quantised
 * ones do not add up to 1; a vertex without weights follows its first joint. `fail` gets a joint that the skin lacks.
 */
export function applySkin(
  skin: SkinPose,
  influences: Influences,
  vertices: SkinnedVertices,
  fail: (vertex: number, joint: number) => never,
): void {
  const { positions, normals, tangents } = vertices;
  const m = new Float64Array(12); // columns of three rows
  for (let v = 0; v < positions.length / 3; v++) {
    blend(skin, influences, v, m, fail);
    const p = v * 3;
    const x = positions[p];
    const y = positions[p + 1];
    const z = positions[p + 2];
    positions[p] = m[0] * x + m[3] * y + m[6] * z + m[9];
    positions[p + 1] = m[1] * x + m[4] * y + m[7] * z + m[10];
    positions[p + 2] = m[2] * x + m[5] * y + m[8] * z + m[11];
    if (!normals) continue;
    // The cofactor matrix of the upper 3x3 is its inverse transpose times its determinant, and exists for singular ones
    // too: its columns are the cross products of the other two columns.
    const c0 = m[4] * m[8] - m[5] * m[7];
    const c1 = m[5] * m[6] - m[3] * m[8];
    const c2 = m[3] * m[7] - m[4] * m[6];
    const sign = m[0] * c0 + m[1] * c1 + m[2] * c2 < 0 ? -1 : 1;
    const nx = normals[p];
    const ny = normals[p + 1];
    const nz = normals[p + 2];
    const tx = c0 * nx + (m[2] * m[7] - m[1] * m[8]) * ny + (m[1] * m[5] - m[2] * m[4]) * nz;
    const ty = c1 * nx + (m[0] * m[8] - m[2] * m[6]) * ny + (m[2] * m[3] - m[0] * m[5]) * nz;
    const tz = c2 * nx + (m[1] * m[6] - m[0] * m[7]) * ny + (m[0] * m[4] - m[1] * m[3]) * nz;
    const length = sign * Math.hypot(tx, ty, tz);
    if (length !== 0) {
      normals[p] = tx / length;
      normals[p + 1] = ty / length;
      normals[p + 2] = tz / length;
    }
    if (!tangents) continue;
    const t = v * 4;
    const ux = m[0] * tangents[t] + m[3] * tangents[t + 1] + m[6] * tangents[t + 2];
    const uy = m[1] * tangents[t] + m[4] * tangents[t + 1] + m[7] * tangents[t + 2];
    const uz = m[2] * tangents[t] + m[5] * tangents[t + 1] + m[8] * tangents[t + 2];
    const size = Math.hypot(ux, uy, uz);
    if (size > 0) {
      tangents[t] = ux / size;
      tangents[t + 1] = uy / size;
      tangents[t + 2] = uz / size;
    }
    tangents[t + 3] *= sign;
  }
}

function blend(
  skin: SkinPose,
  influences: Influences,
  vertex: number,
  m: Float64Array,
  fail: (vertex: number, joint: number) => never,
): void {
  const { matrices, jointCount } = skin;
  m.fill(0);
  let sum = 0;
  const add = (joint: number, weight: number) => {
    if (!(joint >= 0 && joint < jointCount && joint % 1 === 0)) fail(vertex, joint);
    const from = joint * 16;
    for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) m[c * 3 + r] += weight * matrices[from + c * 4 + r];
    sum += weight;
  };
  for (const { joints, weights } of influences.sets) {
    for (let i = vertex * 4; i < vertex * 4 + 4; i++) {
      if (weights[i] > 0 && weights[i] < Infinity) add(joints[i], weights[i]);
    }
  }
  if (sum === 0) add(influences.sets[0].joints[vertex * 4], 1);
  if (sum !== 1) for (let i = 0; i < 12; i++) m[i] /= sum;
}
