// The nodes of a scene that are bones: a model that moves has a node for each bone below its own, found by name, and what hangs
// below such a node follows the bone.

import type { SceneJoint, SceneNode, SceneSkeleton } from '../../scene/types.ts';

/** How far numbers of a matrix may be off for the node to stand where the bone rests: scenes are written with six digits. */
const TOLERANCE = 1e-3;

/** The nodes below one, by name: of several with one name the first, as the engine finds it. `children`: by node, those below it. */
function namesBelow(
  top: number,
  nodes: readonly SceneNode[],
  children: readonly (readonly number[])[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const visit = (node: number): void => {
    for (const child of children[node]) {
      const { name } = nodes[child];
      if (name !== '' && !found.has(name)) found.set(name, child);
      visit(child);
    }
  };
  visit(top);
  return found;
}

const isNear = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  Array.from(a).every((value, i) => Math.abs(value - b[i]) <= TOLERANCE * Math.max(1, Math.abs(b[i])));

/** A skeleton with the nodes that are its joints. `node`: of the model; `named`: the nodes below by name. */
function withNodes(
  skeleton: SceneSkeleton,
  node: number,
  named: ReadonlyMap<string, number>,
  nodes: readonly SceneNode[],
): { readonly skeleton: SceneSkeleton; readonly isPosed: boolean } {
  let isPosed = false;
  const nodeOf: (number | undefined)[] = [];
  const joints = skeleton.joints.map((joint, i): SceneJoint => {
    const found = named.get(joint.name);
    const above = joint.parent < 0 ? node : nodeOf[joint.parent];
    if (found === undefined || above === undefined || nodes[found].parent !== above) return joint;
    if (!isNear(nodes[found].local, joint.rest)) {
      isPosed = true;
      return joint;
    }
    nodeOf[i] = found;
    return { ...joint, node: found };
  });
  return { skeleton: { ...skeleton, joints }, isPosed };
}

/**
 * Skeletons with the nodes that are their joints, where they stand as the bones rest. `posed`: how many have some that stand
 * otherwise. `rigged`: by skeleton the node of its model.
 */
export function withBoneNodes(
  skeletons: readonly SceneSkeleton[],
  rigged: readonly number[],
  nodes: readonly SceneNode[],
): { readonly skeletons: readonly SceneSkeleton[]; readonly posed: number } {
  const children = nodes.map((): number[] => []);
  for (const [i, { parent }] of nodes.entries()) if (parent >= 0) children[parent].push(i);
  const found = [...skeletons];
  let posed = 0;
  let node = -1;
  let named: ReadonlyMap<string, number> = new Map();
  // Any number of models may stand at one node: what is below it is looked at once.
  for (const i of [...skeletons.keys()].sort((a, b) => rigged[a] - rigged[b])) {
    if (rigged[i] !== node) {
      node = rigged[i];
      named = namesBelow(node, nodes, children);
    }
    const { skeleton, isPosed } = withNodes(skeletons[i], node, named, nodes);
    found[i] = skeleton;
    if (isPosed) posed++;
  }
  return { skeletons: found, posed };
}
