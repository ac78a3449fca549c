// Skeletons for nodes that clips or morph targets move and that have no skin. The engine plays clips on skeletons alone. So each
// tree of moving nodes becomes a skeleton whose joints are the nodes down to the meshes, and each mesh follows the joint of its node.

import { identity } from '../scene/matrix.ts';
import { hasMorphs } from '../scene/morphs.ts';
import type { Mat4, Scene, SceneChannel, SceneJoint, SceneSkin } from '../scene/types.ts';

export interface NodeRigs {
  /** With the skeletons and skins of nodes behind its own, and channels that move their joints. */
  readonly scene: Scene;
  /** By node with a mesh, the skin that binds all of it to one joint. */
  readonly skinOf: ReadonlyMap<number, number>;
}

/** The nodes that a clip moves, joints among them. */
export function movedNodes({ clips = [], skeletons = [] }: Scene): Set<number> {
  const moved = new Set<number>();
  for (const { channels } of clips) {
    for (const { target } of channels) {
      const node = target.kind === 'node' ? target.node : skeletons[target.skeleton].joints[target.joint].node;
      if (node !== undefined) moved.add(node);
    }
  }
  return moved;
}

/** The nodes that a clip moves as joints: a skeleton stands in their place, and not the node. */
export function movedJoints({ clips = [], skeletons = [] }: Scene): Set<number> {
  const targets = clips.flatMap(({ channels }) => channels.map(({ target }) => target));
  const joints = targets.flatMap((target) =>
    target.kind === 'joint' ? [skeletons[target.skeleton].joints[target.joint].node] : [],
  );
  return new Set(joints.filter((node) => node !== undefined));
}

/** Nodes below a moving one, or moving themselves, that have a mesh which nothing else binds. */
export function followers(scene: Scene, moved: ReadonlySet<number>): number[] {
  const follows: boolean[] = [];
  return scene.nodes.flatMap(({ parent, mesh }, i) => {
    follows[i] = moved.has(i) || (parent >= 0 && follows[parent]);
    return follows[i] && mesh >= 0 && !isBound(scene, mesh) ? [i] : [];
  });
}

const isBound = (scene: Scene, mesh: number): boolean =>
  mesh >= 0 && scene.meshes[mesh].primitives.some(({ bound }) => bound);

/** Nodes whose mesh has morph targets and no skin. */
export function morphedNodes(scene: Scene): number[] {
  return scene.nodes.flatMap(({ mesh }, i) =>
    mesh >= 0 && !isBound(scene, mesh) && hasMorphs(scene.meshes[mesh]) ? [i] : [],
  );
}

function jointName(name: string, node: number, taken: Set<string>): string {
  const wanted = name.replaceAll('/', '_') || `node_${node}`;
  let given = wanted;
  for (let n = 2; taken.has(given); n++) given = `${wanted}_${n}`;
  taken.add(given);
  return given;
}

const IDENTITY = identity();

/**
 * `animates`: meshes of nodes that clips move get a skeleton. `morphs`: meshes with morph targets do, which the engine moves on
 * meshes with a skin alone; the clips that move such a mesh come along.
 */
export function nodeRigs(scene: Scene, animates: boolean, morphs: boolean): NodeRigs {
  const { nodes } = scene;
  const moved = movedNodes(scene);
  const following = animates ? followers(scene, moved) : [];
  const meshes = morphs ? [...new Set([...following, ...morphedNodes(scene)])].sort((a, b) => a - b) : following;
  if (meshes.length === 0) return { scene, skinOf: new Map() };
  const skeletons = (scene.skeletons ?? []).map((skeleton) => ({ ...skeleton, joints: [...skeleton.joints] }));
  const skins = [...(scene.skins ?? [])];
  const jointOf = new Map<number, { readonly skeleton: number; readonly joint: number }>();
  skeletons.forEach(({ joints }, skeleton) => {
    joints.forEach(({ node }, joint) => {
      if (node !== undefined) jointOf.set(node, { skeleton, joint });
    });
  });
  // New joints: from each mesh up to the joint above it, or else to the topmost moving node.
  const isJoint = new Set<number>();
  for (const mesh of meshes) {
    const chain: number[] = [];
    for (let at = mesh; at >= 0 && !jointOf.has(at); at = nodes[at].parent) chain.push(at);
    const isBelowJoint = nodes[chain.at(-1) ?? mesh].parent >= 0 && jointOf.has(nodes[chain.at(-1) ?? mesh].parent);
    const topmost = isBelowJoint ? chain.length - 1 : chain.findLastIndex((node) => moved.has(node));
    // What nothing moves is a joint by itself.
    const top = Math.max(topmost, 0);
    for (const node of chain.slice(0, top + 1)) isJoint.add(node);
  }
  const namesBelow = new Map<number, Set<string>>();
  // Nodes stand behind their parents, so joints do, too.
  for (const node of [...isJoint].sort((a, b) => a - b)) {
    const { parent, local, scale, name, path } = nodes[node];
    const signed = scale ? { scale } : {};
    const above = jointOf.get(parent);
    const taken = namesBelow.get(parent) ?? new Set<string>();
    namesBelow.set(parent, taken);
    const own = jointName(name, node, taken);
    if (above === undefined) {
      const root: Mat4 = parent < 0 ? IDENTITY : nodes[parent].world;
      const joints: SceneJoint[] = [{ name: own, path: `/${own}`, parent: -1, rest: local, ...signed }];
      const skeleton = { name, path, joints, root, ...(parent < 0 ? {} : { below: parent }) };
      jointOf.set(node, { skeleton: skeletons.push(skeleton) - 1, joint: 0 });
    } else {
      const { joints } = skeletons[above.skeleton];
      const joint: SceneJoint = {
        name: own,
        path: `${joints[above.joint].path}/${own}`,
        parent: above.joint,
        rest: local,
        ...signed,
      };
      jointOf.set(node, { skeleton: above.skeleton, joint: joints.push(joint) - 1 });
    }
  }
  const skinOf = new Map<number, number>();
  for (const node of meshes) {
    const { skeleton, joint } = jointOf.get(node)!;
    // The mesh is drawn where its joint is: its own space is the joint's.
    const skin: SceneSkin = {
      path: nodes[node].path,
      skeleton,
      joints: Uint32Array.of(joint),
      bind: Float64Array.from(IDENTITY),
      meshBind: IDENTITY,
    };
    skinOf.set(node, skins.push(skin) - 1);
  }
  const clips = scene.clips?.map((clip) => ({
    ...clip,
    channels: clip.channels.map((channel): SceneChannel => {
      const joint = channel.target.kind === 'node' ? jointOf.get(channel.target.node) : undefined;
      return joint ? { ...channel, target: { kind: 'joint', ...joint } } : channel;
    }),
  }));
  return { scene: { ...scene, skeletons, skins, ...(clips ? { clips } : {}) }, skinOf };
}
