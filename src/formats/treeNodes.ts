// The nodes of a file that holds a tree: which node draws which mesh, and where each stands below its parent, as float32.

import { storedTransform } from '../geometry/instances/instance.ts';
import { inverse } from '../scene/inverse.ts';
import { identity, isIdentity, multiply } from '../scene/matrix.ts';
import type { NodeTree } from '../scene/nodeTree.ts';
import type { Mat4 } from '../scene/types.ts';
import type { PayloadMesh } from './format.ts';

export interface FileNode {
  /** Index into the meshes of the payload, -1 for none. */
  readonly mesh: number;
  /** Of a node of the tree without a mesh of its own; null: the mesh says it. */
  readonly name: string | null;
  /** Whether an app that looks for the name means this node: others with it get a number first. */
  readonly isNamed: boolean;
  /** What is added to the name of the mesh: '' unless its node is another one. */
  readonly suffix: string;
  /** Index into the list, -1 for a root. */
  readonly parent: number;
  /** As stored, below the parent. */
  readonly local: Mat4;
  /** The product of what is stored from the root down; null: no node above it and itself has a transform. */
  readonly world: Mat4 | null;
  /** What an application has noted in it; absent: nothing. */
  readonly extras?: unknown;
  /** Index into Scene.nodes of a node of the tree; -1: the file alone has it. */
  readonly node: number;
}

const notes = (extras: unknown) => (extras === undefined ? {} : { extras });

const isSamePlace = (a: Mat4, b: Mat4): boolean => a[12] === b[12] && a[13] === b[13] && a[14] === b[14];

/** Whether a skeleton places a mesh, and not its node. */
const isSkinned = (rig: PayloadMesh['rig']): boolean => rig !== undefined && rig.skeleton >= 0;

class FileNodes {
  readonly list: FileNode[] = [];

  add(one: Omit<FileNode, 'local' | 'world'>, place: Mat4 | null): number {
    const above = one.parent < 0 ? null : this.list[one.parent].world;
    if (place === null && above === null) return this.list.push({ ...one, local: identity(), world: null }) - 1;
    // Below what is stored, so that roundings do not add up.
    const local = storedTransform(
      above === null ? (place as Mat4) : multiply(inverse(above) as Mat4, place ?? identity()),
    );
    const world = above === null ? local : isIdentity(local) ? above : multiply(above, local);
    return this.list.push({ ...one, local, world }) - 1;
  }
}

/**
 * The nodes of a payload, parents before their children, its meshes in their order. `tree`: null for files without one, whose
 * nodes all stand at the root.
 */
export function fileNodes(
  meshes: readonly Pick<PayloadMesh, 'node' | 'placements' | 'rig'>[],
  tree: NodeTree | null,
): readonly FileNode[] {
  const nodes = new FileNodes();
  const treeOf = new Map((tree ?? []).map(({ node }, i) => [node, i]));
  const isParent = new Set((tree ?? []).map(({ parent }) => parent));
  const meshesOf = new Map<number, number>();
  for (const { node, rig } of meshes) {
    if (node !== undefined && !isSkinned(rig)) meshesOf.set(node, (meshesOf.get(node) ?? 0) + 1);
  }
  const drawn = new Set(meshesOf.keys());
  /** By place in the tree, the node that stands for it. */
  const placed: number[] = [];
  const group = (place: number): void => {
    const { node, name, parent, frame, extras } = (tree as NodeTree)[place];
    const one = { mesh: -1, name, isNamed: drawn.has(node), suffix: '', node, ...notes(extras) };
    placed[place] = nodes.add({ ...one, parent: parent < 0 ? -1 : placed[parent] }, frame);
  };
  let next = 0;
  const groupsUpTo = (place: number): void => {
    for (; next < place; next++) if (placed[next] === undefined) group(next);
  };
  for (const [index, { node = -1, placements, rig }] of meshes.entries()) {
    const place = isSkinned(rig) ? undefined : treeOf.get(node);
    const one = { mesh: index, name: null, isNamed: true, suffix: '', node: -1 };
    if (place === undefined) {
      for (const placement of placements ?? [null]) nodes.add({ ...one, parent: -1 }, placement);
      continue;
    }
    groupsUpTo(place);
    const { frame, parent, moves = false, extras } = (tree as NodeTree)[place];
    const [placement = identity()] = placements ?? [];
    const isOnly = meshesOf.get(node) === 1;
    const isAtFrame = placement.every((value, i) => value === frame[i]);
    if (isOnly && (isAtFrame || (!moves && !isParent.has(place) && isSamePlace(placement, frame)))) {
      placed[place] = nodes.add(
        { ...one, node, parent: parent < 0 ? -1 : placed[parent], ...notes(extras) },
        placement,
      );
    } else {
      if (placed[place] === undefined) group(place);
      nodes.add({ ...one, suffix: isOnly ? '_mesh' : '', parent: placed[place] }, placement);
    }
  }
  groupsUpTo(treeOf.size);
  return nodes.list;
}

/**
 * The names of the nodes, each once. `taken`: gives a name, or one near it; `meshName`: that of a mesh. Nodes that apps look up
 * come first.
 */
export function nodeNames(
  nodes: readonly FileNode[],
  meshName: (mesh: number) => string,
  take: (name: string, fallback: string) => string,
): readonly string[] {
  const names: string[] = [];
  for (const isNamed of [true, false]) {
    for (const [i, node] of nodes.entries()) {
      if (node.isNamed !== isNamed) continue;
      const wanted = node.name ?? `${meshName(node.mesh)}${node.suffix}`;
      names[i] = take(wanted, node.name === null ? 'object' : 'node');
    }
  }
  return names;
}
