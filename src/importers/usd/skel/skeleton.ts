// Reads a Skeleton prim: its joints, their rest pose and their bind pose.

import { multiply } from '../../../scene/matrix.ts';
import type { SceneJoint } from '../../../scene/types.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { textsOf } from '../compose/values/values.ts';
import { inverse } from '../geom/xform.ts';
import { type JointOrder, orderJoints } from './jointOrder.ts';
import { isInvertible, readMatrices } from './matrices.ts';

export interface Joints {
  readonly joints: readonly SceneJoint[];
  readonly order: JointOrder;
  /** For each of `joints` 16 numbers: joint space to the space of the skeleton at bind. A text says why there are none. */
  readonly bind: Float64Array | string;
  /** What is wrong with the authored rest pose, in place of which the bind pose is used; null: nothing. */
  readonly restFault: string | null;
}

function inOrder(matrices: Float64Array, { ofSource }: JointOrder): Float64Array {
  const ordered = new Float64Array(matrices.length);
  for (let i = 0; i < ofSource.length; i++) ordered.set(matrices.subarray(i * 16, i * 16 + 16), ofSource[i] * 16);
  return ordered;
}

/** The matrices from joints to their parents in the bind pose; a text says why there are none. */
function restOfBind(bind: Float64Array, { parents, paths }: JointOrder): Float64Array | string {
  const rest = Float64Array.from(bind);
  for (let i = 0; i < parents.length; i++) {
    const parent = parents[i];
    if (parent < 0) continue;
    const above = isInvertible(bind, parent * 16) ? inverse(bind.subarray(parent * 16, parent * 16 + 16)) : null;
    if (above === null) return `bindTransforms of "${paths[parent]}" has no inverse`;
    const local = multiply(above, bind.subarray(i * 16, i * 16 + 16));
    // An affine matrix stays one, whatever rounding leaves.
    local[3] = local[7] = local[11] = 0;
    local[15] = 1;
    rest.set(local, i * 16);
  }
  return rest.every(Number.isFinite) ? rest : 'bindTransforms are too large';
}

/** The joints of a Skeleton; a text says why they cannot be used. */
export function readJoints(prim: StagePrim): Joints | string {
  const tokens = textsOf(prim.attribute('joints')?.get()?.value);
  if (tokens === null || tokens.length === 0) return 'it has no joints';
  const order = orderJoints(tokens);
  if (typeof order === 'string') return order;
  const { paths, parents } = order;
  const authoredBind = readMatrices(prim.attribute('bindTransforms'), tokens.length) ?? 'it has no bindTransforms';
  const bind = typeof authoredBind === 'string' ? authoredBind : inOrder(authoredBind, order);
  const authoredRest = readMatrices(prim.attribute('restTransforms'), tokens.length);
  const hasRest = authoredRest !== null && typeof authoredRest !== 'string';
  const restFault = typeof authoredRest === 'string' ? authoredRest : null;
  const rest = hasRest ? inOrder(authoredRest, order) : typeof bind === 'string' ? bind : restOfBind(bind, order);
  if (typeof rest === 'string') return restFault === null ? rest : `${restFault}, and ${rest}`;
  const joints = paths.map((path, i) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    path: `/${path}`,
    parent: parents[i],
    rest: rest.slice(i * 16, i * 16 + 16),
  }));
  return { joints, order, bind, restFault };
}
