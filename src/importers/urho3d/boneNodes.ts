// The nodes of a scene that are bones: a model that moves has a node for each bone below its own, found by name, and what hangs
// below such a node follows the bone.

import type { SceneJoint, SceneNode, SceneSkeleton } from '../../scene/types.ts';

/** How far numbers of a matrix may be off for the node to stand where the bone rests: scenes are written with six digits. */
const TOLERANCE = 1e-3;

/** The nodes below one, by name: of several with one name the first. `children`: by node, those below it. */
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

/**
 * A skeleton with the nodes that are its joints, where they stand as the bones rest. `isPosed`: some stand otherwise. `node`: of the
 * model.
 */
export function withBoneNodes(
  skeleton: SceneSkeleton,
  node: number,
  nodes: readonly SceneNode[],
  children: readonly (readonly number[])[],
): { readonly skeleton: SceneSkeleton; readonly isPosed: boolean } {
  const named = namesBelow(node, nodes, children);
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
