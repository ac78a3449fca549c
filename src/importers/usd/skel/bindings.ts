// Finds how shapes are bound to skeletons, and reports bindings that cannot be used.

import { identity, isFiniteMatrix, multiply } from '../../../scene/matrix.ts';
import type { Mat4, SceneSkin } from '../../../scene/types.ts';
import type { Stage, StageAttribute, StagePrim } from '../compose/stage/stage.ts';
import { textOf, textsOf } from '../compose/values/values.ts';
import { isXformable } from '../geom/primTypes.ts';
import { localTransform } from '../geom/xform.ts';
import { counted, type Notes } from '../notes.ts';
import type { Origins } from '../origins.ts';
import { Budget, MAX_JOINTS } from './budget.ts';
import { type InfluenceSource, sourceOf } from './influences.ts';
import { propertyOf, skelProperties } from './inherited.ts';
import { type JointOrder, jointPaths } from './jointOrder.ts';
import { isInvertible, readMatrix } from './matrices.ts';
import { readable } from './readable.ts';
import { type Joints, readJoints } from './skeleton.ts';

/** A Skeleton prim that can be used. */
export interface SkeletonEntry extends Joints {
  readonly prim: StagePrim;
  /** The space of the skeleton to engine space. */
  readonly root: Mat4;
}

/** How a shape is bound to a skeleton. */
export interface Binding {
  /** Equal for bindings with equal skins and the same influences. */
  readonly key: string;
  /** Equal for equal skins. */
  readonly skinKey: string;
  readonly skeleton: SkeletonEntry;
  readonly skin: Pick<SceneSkin, 'joints' | 'bind' | 'meshBind'>;
  readonly influences: InfluenceSource;
}

/** Joints that shapes count. */
interface SkinJoints {
  /** Equal for equal joints of a skeleton. */
  readonly key: string;
  readonly joints: Uint32Array;
  readonly bind: Float64Array;
}

const JOINTS = 'primvars:skel:jointIndices';
const WEIGHTS = 'primvars:skel:jointWeights';

export class Bindings {
  readonly #stage: Stage;
  readonly #root: Mat4;
  readonly #notes: Notes;
  readonly #silent: Notes;
  readonly #skeletons = new Map<string, SkeletonEntry | null>();
  /** Joints by the origins of their Skeleton. */
  readonly #shared = new Map<string, Joints | string>();
  /** By the joints of a skeleton and those that a shape names. */
  readonly #skinJoints = new Map<JointOrder, Map<string, SkinJoints | string>>();
  readonly #origins: Origins;
  readonly #joints = new Budget(MAX_JOINTS);

  /** `root`: the space of the stage to engine space. `silent`: takes reports about transforms, which the walk makes. */
  constructor(stage: Stage, root: Mat4, origins: Origins, notes: Notes, silent: Notes) {
    this.#stage = stage;
    this.#root = root;
    this.#origins = origins;
    this.#notes = notes;
    this.#silent = silent;
  }

  /** The skeleton of a Skeleton prim; null if it cannot be used, which is reported. */
  skeleton(prim: StagePrim): SkeletonEntry | null {
    const known = this.#skeletons.get(prim.path);
    if (known !== undefined) return known;
    const entry = this.#readSkeleton(prim);
    this.#skeletons.set(prim.path, entry);
    return entry;
  }

  #readSkeleton(prim: StagePrim): SkeletonEntry | null {
    const origins = this.#origins.of(prim) ?? prim.path;
    const joints = this.#shared.get(origins) ?? this.#readJoints(prim);
    this.#shared.set(origins, joints);
    const root = this.#worldOf(prim);
    const fault = typeof joints === 'string' ? joints : isFiniteMatrix(root) ? null : 'its transform is not finite';
    if (fault !== null || typeof joints === 'string') {
      this.#notes.report('UC1845', prim.path, `the skeleton is left out: ${fault}`);
      return null;
    }
    if (joints.restFault !== null)
      this.#notes.report('UC1845', prim.path, `the rest pose is taken from bindTransforms: ${joints.restFault}`);
    return { ...joints, prim, root };
  }

  #readJoints(prim: StagePrim): Joints | string {
    const count = Math.max(0, prim.attribute('joints')?.peek()?.count ?? 0);
    return this.#joints.take(count) ? readable(() => readJoints(prim)) : 'the stage has too many joints';
  }

  /** The transform of a prim to engine space. */
  #worldOf(prim: StagePrim): Mat4 {
    let matrix = identity();
    for (let at: StagePrim | null = prim; at !== null; at = at.parent) {
      if (!isXformable(at.typeName)) continue;
      const local = localTransform(at, this.#silent);
      matrix = multiply(local.matrix, matrix);
      if (local.resetsStack) break;
    }
    return multiply(this.#root, matrix);
  }

  /** The binding of a shape; null if it has none, or one that cannot be used, which is reported. */
  of(prim: StagePrim): Binding | null {
    const binding = readable(() => this.#read(prim));
    if (typeof binding !== 'string') return binding;
    this.#notes.report('UC1847', prim.path, `the skinning is left out: ${binding}`);
    return null;
  }

  #read(prim: StagePrim): Binding | null {
    const properties = skelProperties(prim);
    if (properties === null) return null;
    if (properties === 'outside') {
      this.#notes.report('UC1847', prim.path, 'the shape is bound to a skeleton, but not below a SkelRoot');
      return null;
    }
    const [jointOwner, weightOwner] = [properties.owners.get(JOINTS), properties.owners.get(WEIGHTS)];
    const joints = jointOwner && sourceOf(jointOwner, JOINTS);
    const weights = weightOwner && sourceOf(weightOwner, WEIGHTS);
    if (!joints && !weights) return null;
    if (!joints || !weights) {
      const message = joints ? 'joint indices without weights' : 'weights without joint indices';
      this.#notes.report('UC1846', prim.path, `the skinning is left out: ${message}`);
      return null;
    }
    const refuse = (why: string): null => {
      this.#notes.report('UC1847', prim.path, `the skinning is left out: ${why}`);
      return null;
    };
    const target = this.#stage.prim(properties.skeleton);
    if (target?.typeName !== 'Skeleton') return refuse(`<${properties.skeleton}> is no active Skeleton`);
    const skeleton = this.skeleton(target);
    if (skeleton === null) return refuse(`the skeleton <${target.path}> cannot be used`);
    const own = usedJoints(propertyOf(properties, 'skel:joints'), skeleton);
    if (typeof own === 'string') return refuse(own);
    const used = this.#skinJointsOf(own, skeleton);
    if (typeof used === 'string') return refuse(`of the skeleton <${target.path}>, ${used}`);
    const meshBind = readMatrix(propertyOf(properties, 'primvars:skel:geomBindTransform')) ?? identity();
    if (typeof meshBind === 'string') return refuse(`its geomBindTransform ${meshBind}`);
    this.#noteMethod(prim, [
      propertyOf(properties, 'primvars:skel:skinningMethod'),
      propertyOf(properties, 'skel:skinningMethod'),
    ]);
    const owners = [jointOwner, weightOwner].map((owner) => (owner === prim ? '' : owner?.path));
    const skinKey = `${target.path}\n${used.key}\n${meshBind.join()}`;
    return {
      key: `${skinKey}\n${owners.join('\n')}`,
      skinKey,
      skeleton,
      skin: { joints: used.joints, bind: used.bind, meshBind },
      influences: { joints, weights, isRigid: prim.typeName !== 'Mesh' },
    };
  }

  /** The joints of a skin with their bind matrices; a text says why there are none. */
  #skinJointsOf(used: Uint32Array, skeleton: SkeletonEntry): SkinJoints | string {
    const { order } = skeleton;
    const key = used === order.ofSource ? '' : used.join();
    let known = this.#skinJoints.get(order);
    if (!known) {
      known = new Map();
      this.#skinJoints.set(order, known);
    }
    let made = known.get(key);
    if (made === undefined) {
      const bind = this.#joints.take(used.length)
        ? bindOf(used, skeleton)
        : 'the skins of the stage have too many joints';
      made = typeof bind === 'string' ? bind : { key, joints: used, bind };
      known.set(key, made);
    }
    return made;
  }

  #noteMethod(prim: StagePrim, methods: readonly (StageAttribute | null)[]): void {
    if (!methods.some((method) => textOf(method?.get()?.value) === 'dualQuaternion')) return;
    const describe = (n: number) => `skinned with matrices: ${counted(n, 'shape', 'shapes')} for dual quaternions`;
    this.#notes.count('UC1849', '', prim.path, describe);
  }
}

/** The joints that a shape counts, as indices into those of its skeleton; a text says what is wrong with them. */
function usedJoints(own: StageAttribute | null, { order }: SkeletonEntry): Uint32Array | string {
  const tokens = textsOf(own?.get()?.value);
  if (tokens === null) return order.ofSource;
  const paths = jointPaths(tokens);
  if (typeof paths === 'string') return `in skel:joints, ${paths}`;
  const used = new Uint32Array(paths.length);
  for (let i = 0; i < paths.length; i++) {
    const joint = order.byPath.get(paths[i]);
    if (joint === undefined) return `skel:joints names "${paths[i]}", which the skeleton does not have`;
    used[i] = joint;
  }
  return used.every((joint, i) => joint === order.ofSource[i]) && used.length === order.ofSource.length
    ? order.ofSource
    : used;
}

/** The bind matrices of joints; a text says why there are none. */
function bindOf(used: Uint32Array, { bind, order }: SkeletonEntry): Float64Array | string {
  if (typeof bind === 'string') return bind;
  const own = new Float64Array(used.length * 16);
  for (let i = 0; i < used.length; i++) {
    const at = used[i] * 16;
    if (!isInvertible(bind, at)) return `the bind matrix of "${order.paths[used[i]]}" has no inverse`;
    own.set(bind.subarray(at, at + 16), i * 16);
  }
  return own;
}
