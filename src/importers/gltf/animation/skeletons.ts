// The skeletons of a glTF file: the joint nodes of its skins, with all nodes between them, because animations move those too.
// Skins that share a joint share a skeleton. What lies above a skeleton is part of its root matrix.

import { inverse } from '../../../scene/inverse.ts';
import { identity, isFiniteMatrix } from '../../../scene/matrix.ts';
import type { Mat4, SceneJoint, SceneSkeleton, SceneSkin } from '../../../scene/types.ts';
import type { Accessors } from '../data/accessors.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import { inverseBindMatrices } from '../meshes/skin.ts';
import type { NodeGraph } from '../nodes/nodes.ts';

export interface Skeletons {
  readonly skeletons: readonly SceneSkeleton[];
  readonly skins: readonly SceneSkin[];
  /** By index in the file, the index in `skins`; -1 for a skin that nothing uses or that cannot be kept. */
  readonly skinOf: Int32Array;
  /** By node, its skeleton and joint; -1 for nodes that are no joints. */
  readonly skeletonOf: Int32Array;
  readonly jointOf: Int32Array;
}

/** Joins sets: each element has one of its set as its parent, in the end itself. */
function find(parents: Int32Array, i: number): number {
  let at = i;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]];
    at = parents[at];
  }
  return at;
}

/** Ancestors of a node, from the node itself to its root. */
function chainOf(node: number, parents: Int32Array): number[] {
  const chain: number[] = [];
  for (let at = node; at >= 0; at = parents[at]) chain.push(at);
  return chain;
}

/** The nodes of a skeleton, true at their index: the joints and all between them and the node that is above all. */
function closure(joints: readonly number[], parents: Int32Array): Set<number> {
  const above = new Map<number, number>();
  for (const joint of joints) for (const node of chainOf(joint, parents)) above.set(node, (above.get(node) ?? 0) + 1);
  // The deepest node above all joints; -1 where their roots differ.
  let top = -1;
  for (const node of chainOf(joints[0], parents)) {
    if (above.get(node) === joints.length) {
      top = node;
      break;
    }
  }
  const own = new Set<number>();
  for (const joint of joints) {
    const chain = chainOf(joint, parents);
    // Joints below different roots of the scene: all nodes down to them.
    for (const node of top >= 0 ? chain.slice(0, chain.indexOf(top) + 1) : chain) own.add(node);
  }
  return own;
}

/** Names with no "/" and none that a sibling has. */
function jointName(name: string, node: number, taken: Set<string>): string {
  const wanted = name.replaceAll('/', '_') || `joint_${node}`;
  let given = wanted;
  for (let n = 2; taken.has(given); n++) given = `${wanted}_${n}`;
  taken.add(given);
  return given;
}

/**
 * `used`: the skins of the file that drawn nodes have. `world`: of every node, at rest. `nodeOf`: by node its index in the
 * scene, -1 for none. Notes UC2078; throws what reading matrices throws.
 */
export function readSkeletons(
  root: Element,
  used: ReadonlySet<number>,
  graph: NodeGraph,
  world: readonly Mat4[],
  nodeOf: Int32Array,
  accessors: Accessors,
  notes: Notes,
): Skeletons {
  const { nodes, parents } = graph;
  const elements = root.elements('skins');
  const skinOf = new Int32Array(elements.length).fill(-1);
  const skeletonOf = new Int32Array(nodes.length).fill(-1);
  const jointOf = new Int32Array(nodes.length).fill(-1);
  const jointsOf = elements.map((skin, i) => (used.has(i) ? skin.indices('joints', nodes.length, 'nodes') : []));

  // 1. Skins whose joints, or nodes between them, overlap share a skeleton.
  const group = Int32Array.from(elements.keys());
  const owner = new Map<number, number>();
  const closures = jointsOf.map((joints) => (joints.length > 0 ? closure(joints, parents) : new Set<number>()));
  closures.forEach((own, i) => {
    for (const node of own) {
      const other = owner.get(node);
      if (other === undefined) owner.set(node, i);
      else group[find(group, i)] = find(group, other);
    }
  });
  const members = new Map<number, number[]>();
  for (const i of [...used].sort((a, b) => a - b)) {
    if (jointsOf[i].length === 0) continue;
    const first = find(group, i);
    members.set(first, [...(members.get(first) ?? []), i]);
  }

  // 2. Joints, depth first, each skeleton from its topmost nodes.
  const skeletons: SceneSkeleton[] = [];
  const skins: SceneSkin[] = [];
  for (const list of members.values()) {
    const own = closure([...new Set(list.flatMap((i) => jointsOf[i]))], parents);
    const tops = [...own].filter((node) => !own.has(parents[node])).sort((a, b) => a - b);
    const joints: SceneJoint[] = [];
    const rootNames = new Set<string>();
    const stack = [...tops].reverse().map((node) => ({ node, parent: -1, path: '', taken: rootNames }));
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, parent, path, taken } = next;
      const name = jointName(nodes[node].name, node, taken);
      const { negative } = nodes[node];
      const placed = { ...(nodeOf[node] < 0 ? {} : { node: nodeOf[node] }), ...(negative ? { scale: negative } : {}) };
      const index = joints.push({ name, path: `${path}/${name}`, parent, rest: nodes[node].local, ...placed }) - 1;
      skeletonOf[node] = skeletons.length;
      jointOf[node] = index;
      const names = new Set<string>();
      for (const child of [...nodes[node].children].reverse()) {
        // In a chosen scene a listed child may be a root instead.
        if (own.has(child) && parents[child] === node) {
          stack.push({ node: child, parent: index, path: `${path}/${name}`, taken: names });
        }
      }
    }
    const top = tops[0];
    const below = parents[top];
    const hangs = below < 0 ? -1 : nodeOf[below];
    const [first] = list;
    const named = nodes[below]?.name || elements[first].name || nodes[top].name;
    skeletons.push({
      name: named,
      path: elements[first].path,
      joints,
      root: below < 0 ? identity() : world[below],
      ...(hangs < 0 ? {} : { below: hangs }),
    });
    for (const i of list) {
      const skin = readBind(elements[i], jointsOf[i], accessors);
      if (skin === null) {
        const tell = (names: string) => `a bind matrix without an inverse, so that meshes stay at rest: ${names}`;
        notes.add('UC2078', '', elements[i].path, elements[i].name, tell);
        continue;
      }
      const numbers = Uint32Array.from(jointsOf[i], (node) => jointOf[node]);
      skinOf[i] =
        skins.push({
          path: elements[i].path,
          skeleton: skeletons.length - 1,
          joints: numbers,
          bind: skin,
          meshBind: identity(),
        }) - 1;
    }
  }
  return { skeletons, skins, skinOf, skeletonOf, jointOf };
}

/** Joint space to mesh space at bind for each joint; null where a matrix has no inverse. */
function readBind(skin: Element, joints: readonly number[], accessors: Accessors): Float64Array | null {
  const matrices = inverseBindMatrices(skin, joints.length, accessors);
  const bind = new Float64Array(joints.length * 16);
  for (let j = 0; j < joints.length; j++) {
    const back = matrices ? inverse(Float64Array.from(matrices.subarray(j * 16, j * 16 + 16))) : identity();
    if (back === null || !isFiniteMatrix(back)) return null;
    bind.set(back, j * 16);
  }
  return bind;
}
