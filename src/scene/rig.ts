// Skeletons and clips as files hold them: what the cook makes of those of a scene, in engine space.

import type { Bounds, Mat4, MorphDeltas, SceneMorph, SceneWeights } from './types.ts';

export interface RigSkeleton {
  readonly name: string;
  /** Parents before their children. */
  readonly joints: readonly RigJoint[];
}

export interface RigJoint {
  /** Index in the skeleton, -1 for a root. */
  readonly parent: number;
  /** "/Hip/Leg": channels of clips name joints by it. No two skeletons of a rig share one, unless they move alike. */
  readonly path: string;
  /** Joint to engine space in the pose of the stored vertices. */
  readonly bind: Mat4;
  /** Joint to its parent's space at rest, of a root to engine space: translation, rotation and positive scale. */
  readonly rest: Mat4;
  /** The node of the file's tree that the joint is: index into Scene.nodes. Absent: it is none, and stands beside the tree. */
  readonly node?: number;
}

export interface RigClip {
  readonly name: string;
  /** Seconds, more than 0. */
  readonly duration: number;
  readonly channels: readonly RigChannel[];
  /** What moves nodes of the file's tree; absent: nothing. */
  readonly nodes?: readonly NodeChannel[];
  /** What moves weights of morph targets, with times as of `nodes`; absent: nothing, or the format has no place for it. */
  readonly weights?: readonly SceneWeights[];
}

/** Values relative to the parent of a node, upright and in metres; no keys of a kind leave the rest value. */
export interface NodeChannel {
  /** Index into Scene.nodes. */
  readonly node: number;
  /** x, y, z. */
  readonly translations: RigKeys;
  /** x, y, z, w. */
  readonly rotations: RigKeys;
  /** x, y, z. */
  readonly scales: RigKeys;
}

/** Values relative to the parent joint; no keys of a kind leave the rest value. */
export interface RigChannel {
  /** Path of a joint. */
  readonly path: string;
  /** x, y, z. */
  readonly translations: RigKeys;
  /** x, y, z, w. */
  readonly rotations: RigKeys;
}

/** Between two keys values are interpolated: translations linearly, rotations by the shorter arc. */
export interface RigKeys {
  /** Seconds, ascending, from 0 to the duration of the clip; no key or at least two. */
  readonly times: Float32Array;
  /** The numbers of each key, one key after another. */
  readonly values: Float32Array;
}

/** What moves the mesh of a node. */
export interface NodeRig {
  /** Index into the skeletons of the file; -1: its mesh has morph targets and no skin, and is stored as its node places it. */
  readonly skeleton: number;
  /**
   * In engine space, around all vertices in the bind pose, at rest and in every pose of every clip; without a skeleton in the space of
   * the mesh.
   */
  readonly bounds: Bounds;
  /** What an application has noted in the node that a skeleton moves; absent: nothing, or the format has no place for it. */
  readonly extras?: unknown;
  /** Absent: it has no morph targets. */
  readonly morphs?: readonly RigMorph[];
}

/** A morph target of all primitives of a node, in engine space; `vertices` are numbers of points (PolygonMesh.pointNumbers). */
export interface RigMorph extends SceneMorph, MorphDeltas {}
