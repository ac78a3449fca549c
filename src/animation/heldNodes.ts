// Joints that a file holds as nodes of its tree: clips move the nodes by keys of their own, and skins follow the nodes.

import { changeOfSpace } from '../scene/changeOfSpace.ts';
import { multiply } from '../scene/matrix.ts';
import type { Mat4, Scene, SceneChannel, SceneClip, SceneCurve, SceneSkeleton } from '../scene/types.ts';
import { Local } from './clips.ts';

/** How a file holds the nodes of a scene. */
export interface HeldNodes {
  /** Whether the node and all above it stand in the file as in the source, so that keys hold and a skin can follow it. */
  readonly isExact: (node: number) => boolean;
  /** Node to the space of the file; what the node draws is stored in its frame. */
  readonly frame: (node: number) => Mat4;
}

/** Indices of the skeletons whose joints are all such nodes. */
export function heldSkeletons({ nodes, skeletons = [] }: Scene, held: HeldNodes | null): ReadonlySet<number> {
  // A scene that is placed elsewhere moves its root nodes, and of joints what lies above them.
  const isHeld = ({ joints }: SceneSkeleton) =>
    joints.every(
      ({ node, rest }) =>
        node !== undefined && held?.isExact(node) && rest.every((value, i) => value === nodes[node].local[i]),
    );
  return new Set(skeletons.flatMap((skeleton, i) => (isHeld(skeleton) ? [i] : [])));
}

/** The scene with keys of the joints of these skeletons as keys of their nodes. */
export function withNodeChannels(scene: Scene, skeletons: ReadonlySet<number>): Scene {
  if (skeletons.size === 0 || !scene.clips) return scene;
  const ofNode = (channel: SceneChannel): SceneChannel => {
    const { target } = channel;
    if (target.kind === 'node' || !skeletons.has(target.skeleton)) return channel;
    const { node } = scene.skeletons![target.skeleton].joints[target.joint];
    return { ...channel, target: { kind: 'node', node: node as number } };
  };
  return { ...scene, clips: scene.clips.map((clip) => ({ ...clip, channels: clip.channels.map(ofNode) })) };
}

/** Poses of a clip that are looked at. */
const MAX_POSES = 1024;
/** Moments between two keys of a spline, which reaches beyond its keys. */
const BETWEEN = 8;

function momentsOf(curves: readonly SceneCurve[], duration: number): number[] {
  const times = new Set<number>([0, duration]);
  for (const { times: keys, interpolation } of curves) {
    const parts = interpolation === 'cubic' ? BETWEEN : 1;
    for (let k = 0; k < keys.length; k++) {
      const span = k + 1 < keys.length ? keys[k + 1] - keys[k] : 0;
      for (let i = 0; i < (span > 0 ? parts : 1); i++) times.add(keys[k] + (span * i) / parts);
    }
    if (times.size > MAX_POSES) return Array.from({ length: MAX_POSES + 1 }, (_, i) => (i / MAX_POSES) * duration);
  }
  return [...times];
}

/** The matrices of the joints of a held skeleton as nodes of the file, in every pose of the clips that is looked at. */
export function* nodePoses(scene: Scene, { joints }: SceneSkeleton, clips: readonly SceneClip[]): Generator<Mat4[]> {
  const { nodes } = scene;
  const { back } = changeOfSpace(scene);
  const above = new Set<number>();
  for (const { node = -1 } of joints)
    for (let at = node; at >= 0 && !above.has(at); at = nodes[at].parent) above.add(at);
  const chain = [...above].sort((a, b) => a - b);
  for (const { channels, duration } of clips) {
    const moved = new Map<number, SceneChannel>();
    for (const channel of channels) {
      if (channel.target.kind === 'node' && above.has(channel.target.node)) moved.set(channel.target.node, channel);
    }
    if (moved.size === 0) continue;
    const curves = [...moved.values()].flatMap(({ translation, rotation, scale }) =>
      [translation, rotation, scale].filter((curve) => curve !== null),
    );
    const locals = new Map(
      [...moved].map(([node, own]) => [node, new Local(nodes[node].local, nodes[node].scale, own)]),
    );
    for (const time of momentsOf(curves, duration)) {
      const worlds = new Map<number, Mat4>();
      for (const node of chain) {
        const own = locals.get(node)?.at(time) ?? nodes[node].local;
        const parent = worlds.get(nodes[node].parent);
        worlds.set(node, parent ? multiply(parent, own) : own);
      }
      yield joints.map(({ node = -1 }) => multiply(worlds.get(node) as Mat4, back));
    }
  }
}
