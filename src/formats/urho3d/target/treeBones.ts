// The node tree of a model as a skeleton: a bone for each node, which the meshes of the node follow. A .mdl has no other nodes.

import { inverse } from '../../../scene/inverse.ts';
import { multiply } from '../../../scene/matrix.ts';
import type { NodeTree } from '../../../scene/nodeTree.ts';
import type { RigSkeleton } from '../../../scene/rig.ts';

/** Bones stand where the nodes do, so that nothing moves until one of them does. */
export function treeSkeleton(tree: NodeTree): RigSkeleton {
  const paths: string[] = [];
  const taken = new Set<string>();
  const joints = tree.map(({ name, parent, frame }) => {
    const above = parent < 0 ? null : tree[parent].frame;
    const wanted = `${parent < 0 ? '' : paths[parent]}/${name.replaceAll('/', '_') || 'node'}`;
    let path = wanted;
    for (let n = 2; taken.has(path); n++) path = `${wanted}_${n}`;
    taken.add(path);
    paths.push(path);
    // Frames are turned and moved alone.
    const rest = above === null ? frame : multiply(inverse(above) as typeof frame, frame);
    return { parent, path, bind: frame, rest };
  });
  return { name: 'nodes', joints };
}

/** The bone that draws each node's meshes, by node of the scene. */
export const boneOfNode = (tree: NodeTree): ReadonlyMap<number, number> =>
  new Map(tree.map(({ node }, bone) => [node, bone]));
