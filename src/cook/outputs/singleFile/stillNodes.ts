// Which nodes a file has at rest though a clip of the source moves them, and which clips thereby move nothing.

import type { RiggedScene } from '../../../animation/rig.ts';
import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { NodeTree } from '../../../scene/nodeTree.ts';
import { axisLengths } from '../../../scene/quaternion.ts';
import type { RigClip } from '../../../scene/rig.ts';
import type { Scene } from '../../../scene/types.ts';

/** A clip without keys of nodes that the file does not have, or has in other frames; null: nothing is left of it. */
export function movedClip({ nodes = [], ...clip }: RigClip, tree: NodeTree): RigClip | null {
  const moving = new Set(tree.flatMap(({ node, moves }) => (moves ? [node] : [])));
  const kept = nodes.filter(({ node }) => moving.has(node));
  if (kept.length > 0) return { ...clip, nodes: kept };
  return clip.channels.length > 0 || (clip.weights?.length ?? 0) > 0 ? clip : null;
}

/** Nodes above skeletons: their motion is part of the keys of root joints, which UC2072 says. */
function aboveSkeletons({ nodes, skeletons = [] }: Scene): Set<number> {
  const above = new Set<number>();
  for (const { below = -1 } of skeletons) {
    for (let at = below; at >= 0 && !above.has(at); at = nodes[at].parent) above.add(at);
  }
  return above;
}

/** The nodes of lights and cameras that move, or stand below what does: files have these at their roots. */
function followingLights({ nodes, lights = [], cameras = [] }: Scene, moved: ReadonlySet<number>): number[] {
  const paths = new Set([...lights, ...cameras].map(({ path }) => path));
  const follows: boolean[] = [];
  return nodes.flatMap(({ parent, path }, i) => {
    follows[i] = moved.has(i) || (parent >= 0 && follows[parent]);
    return follows[i] && paths.has(path) ? [i] : [];
  });
}

/** Nodes with a scale of 0, and all below them: no key brings back what is flat in the vertices. */
function flattened({ nodes }: Scene): Set<number> {
  const flat = new Set<number>();
  for (const [i, { parent, local }] of nodes.entries()) {
    if (flat.has(parent) || axisLengths(local).includes(0)) flat.add(i);
  }
  return flat;
}

/** Reports UC2073 for nodes that keys of their own move in the source and not in the file, and UC2076 for clips of nothing else. */
export function reportStillNodes(
  scene: Scene,
  { clips, skeletons }: RiggedScene,
  all: NodeTree,
  left: (node: number) => boolean,
  diagnostics: Diagnostics,
): void {
  const { nodes, source } = scene;
  const moved = new Set(clips.flatMap((clip) => (clip.nodes ?? []).map(({ node }) => node)));
  if (moved.size === 0) return;
  const report = (still: readonly number[], reason: string) => {
    if (still.length === 0) return;
    const shown = still.slice(0, 5).map((node) => nodes[node].name || nodes[node].path);
    const more = still.length > shown.length ? ` and ${still.length - shown.length} more` : '';
    diagnostics.report('UC2073', source, nodes[still[0]].path, `at rest, as ${reason}: ${shown.join(', ')}${more}`);
  };
  const inOthers = all.flatMap(({ node, moves }) => (moved.has(node) && !moves ? [node] : []));
  const flat = flattened(scene);
  report(
    inOthers.filter((node) => !flat.has(node)),
    'mirrors and shears are part of the vertices',
  );
  report(
    inOthers.filter((node) => flat.has(node)),
    'the node or one above it has a scale of 0 at rest',
  );
  const kept = new Set(all.map(({ node }) => node));
  const bound = skeletons.length > 0 ? aboveSkeletons(scene) : new Set<number>();
  const lost = [...moved].filter((node) => !kept.has(node) && !bound.has(node) && !left(node));
  const without = new Set([...lost, ...followingLights(scene, moved).filter((node) => !kept.has(node))]);
  report(
    [...without].sort((a, b) => a - b),
    'the file has no keys of lights, cameras and nodes that draw nothing',
  );
  for (const clip of clips) {
    if (movedClip(clip, all) !== null) continue;
    const path = scene.clips?.find(({ name }) => name === clip.name)?.path ?? '';
    diagnostics.report('UC2076', source, path, `"${clip.name}" moves nothing that the file has keys of`);
  }
}
