// The node tree of one output file: what the file keeps of the nodes of a scene. A mesh is stored in the frame of its node, so
// that the node's origin is the pivot about which an app turns it.

import type { Mat4 } from './types.ts';

export interface TreeNode {
  /** Index into Scene.nodes. */
  readonly node: number;
  /** The source's own name; may be empty. */
  readonly name: string;
  /** Index into the tree, -1 for a root. */
  readonly parent: number;
  /** Node to the space of the file: no mirror and no shear, so that translation, rotation and scale make it. */
  readonly frame: Mat4;
  /** SceneNode.extras, where the format keeps them. */
  readonly extras?: unknown;
  /** A clip moves it: what stands below its parent is `frame` alone. */
  readonly moves?: true;
}

/** Parents before their children, in the order of the scene. */
export type NodeTree = readonly TreeNode[];
