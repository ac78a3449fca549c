// Which nodes of a scene a file keeps, and where their frames are: those with meshes, all above them, and empty ones with a
// name, which apps look up. Lights, cameras and joints have places of their own in files.

import type { HeldNodes } from '../../animation/heldNodes.ts';
import { decompose } from '../../geometry/instances/instance.ts';
import { changeOfSpace } from '../../scene/changeOfSpace.ts';
import { inverse } from '../../scene/inverse.ts';
import { determinant3, identity, isIdentity, multiply } from '../../scene/matrix.ts';
import type { NodeTree, TreeNode } from '../../scene/nodeTree.ts';
import { fromParts, partsOf } from '../../scene/quaternion.ts';
import type { Mat4, Scene } from '../../scene/types.ts';

/** Elements of a rotation below this are rounding of its source. */
const NOTHING = 2 ** -40;

/** What decides which nodes are kept. */
export interface KeptNodes {
  /** Whether nodes that hold nothing are kept without a name, too, and those that are lights, cameras and joints. */
  readonly keepsAll?: boolean;
  /** Nodes that files need besides: of lights and cameras, and joints. */
  readonly needed?: ReadonlySet<number>;
  /** Nodes whose meshes the file draws in their frames. */
  readonly drawn: ReadonlySet<number>;
  /** Nodes that clips move by keys of their own. */
  readonly moved?: ReadonlySet<number>;
  /** Nodes that are never kept: coarser levels, and what a skeleton places. */
  readonly left: (node: number) => boolean;
  /** Whether nodes have what applications have noted in them. */
  readonly keepsExtras?: boolean;
  /** Whether frames have the scale of their nodes; otherwise it is part of the vertices, and children are placed in metres. */
  readonly keepsScale: boolean;
}

/** Adds a path and all that lead to it: "/A", "/A/B" of "/A/B". */
function addPathsTo(path: string, known: Set<string>): void {
  for (let at = path; !known.has(at); at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) known.add(at);
}

/** Nodes with a name and no mesh that stand for nothing that files hold elsewhere, whatever is below them. */
function emptyNodes({ nodes, lights = [], cameras = [], skeletons = [] }: Scene, left: KeptNodes['left']): number[] {
  const others = new Set([...lights, ...cameras].map(({ path }) => path));
  const joints = new Set(skeletons.flatMap((skeleton) => skeleton.joints.map(({ node }) => node)));
  // What is above a skeleton is part of its root, and not every prim there is a node.
  const outside = new Set<string>();
  for (const { path } of skeletons) addPathsTo(path, outside);
  // Nor does what is above left nodes stand for more than these.
  const isAbove = new Set<number>();
  const addAbove = (node: number) => {
    for (let at = node; at >= 0 && !isAbove.has(at); at = nodes[at].parent) isAbove.add(at);
  };
  for (const [i, { parent, below }] of nodes.entries()) {
    if (left(i)) addAbove(below ?? parent);
  }
  for (const { below = -1 } of skeletons) addAbove(below);
  return [...nodes.keys()].filter((i) => {
    const { mesh, name, path, isGuide } = nodes[i];
    const isEmpty = mesh < 0 && name !== '' && !isGuide && !isAbove.has(i);
    return isEmpty && !left(i) && !others.has(path) && !outside.has(path) && !joints.has(i);
  });
}

/** The matrix with whole numbers for what a change of axes and unit leaves near them. */
function withoutNoise(m: Mat4): Mat4 {
  return m.map((value, i) => {
    const whole = Math.round(value);
    return i < 12 && Math.abs(value - whole) < NOTHING ? whole + 0 : value;
  });
}

/** A frame without its scale. */
function rigid(frame: Mat4): Mat4 {
  const turned = Float64Array.from(frame);
  if (determinant3(frame) < 0) for (let k = 0; k < 3; k++) turned[k] = -turned[k];
  const { translation, rotation } = partsOf(turned);
  return withoutNoise(fromParts(translation, rotation, [1, 1, 1]));
}

/** `own` where the file can hold that below its parent; otherwise without scale. */
function frameOf(own: Mat4, above: Mat4 | null, keepsScale: boolean): Mat4 {
  if (!keepsScale || decompose(own) === null) return rigid(own);
  const back = above === null ? identity() : inverse(above);
  return back !== null && decompose(multiply(back, own)) !== null ? own : rigid(own);
}

/** Share of the largest element by which a matrix may be off that is the product of others. */
const SAME = 1e-6;

/**
 * Whether a frame stands below that of its parent as the node does in the source, so that keys of the source hold. `isRoot`: what
 * stands above in the source, its axes and unit, is part of `local`.
 */
function isLocal(
  local: Mat4,
  above: Mat4 | null,
  frame: Mat4,
  { into, back }: ReturnType<typeof changeOfSpace>,
  isRoot: boolean,
): boolean {
  const inner = above === null ? identity() : inverse(above);
  if (inner === null) return false;
  const [a, b] = [multiply(inner, frame), multiply(isRoot ? local : multiply(into, local), back)];
  const largest = b.reduce((max, value) => Math.max(max, Math.abs(value)), 1);
  return a.every((value, i) => Math.abs(value - b[i]) <= SAME * largest);
}

/** How a file that keeps scales holds the nodes of a scene. `hidden`: those that it does not have. */
export function heldNodes(scene: Scene, hidden: ReadonlySet<number>): HeldNodes {
  const all = new Set(scene.nodes.keys());
  const tree = nodeTree(scene, { drawn: all, moved: all, left: (node) => hidden.has(node), keepsScale: true });
  const frames = new Map(tree.map(({ node, frame }) => [node, frame]));
  const exact = new Set<number>();
  for (const { node, parent, moves } of tree) {
    if (moves && (parent < 0 || exact.has(tree[parent].node))) exact.add(node);
  }
  return { isExact: (node) => exact.has(node), frame: (node) => frames.get(node) ?? scene.nodes[node].world };
}

/** All nodes of a scene that files keep; fileTree makes the tree of one file of them. */
export function nodeTree(scene: Scene, kept: KeptNodes): NodeTree {
  const { nodes } = scene;
  const { drawn, moved, left, keepsScale, keepsExtras = false, keepsAll = false, needed = new Set() } = kept;
  const change = changeOfSpace(scene);
  const { back } = change;
  const wanted = new Set<number>();
  const empty = keepsAll ? [...nodes.keys()].filter((i) => !left(i)) : emptyNodes(scene, left);
  for (const start of [...drawn, ...needed, ...empty]) {
    for (let at = start; at >= 0 && !wanted.has(at); at = nodes[at].parent) wanted.add(at);
  }
  // By node, its place in the tree, -1 for none; parents come before their children.
  const places = new Map<number, number>();
  const tree: TreeNode[] = [];
  for (const node of [...wanted].sort((a, b) => a - b)) {
    const parent = places.get(nodes[node].parent) ?? -1;
    // What is below a left node hangs on what that would hang on.
    if (left(node)) {
      places.set(node, parent);
      continue;
    }
    const { world, local, name, extras } = nodes[node];
    // Upright and in metres, whatever the axes and unit of the source are.
    const own = isIdentity(back) ? world : withoutNoise(multiply(world, back));
    const above = parent < 0 ? null : tree[parent].frame;
    const frame = frameOf(own, above, keepsScale);
    const isExact = moved?.has(node) && isLocal(local, above, frame, change, nodes[node].parent < 0);
    const moves = isExact ? ({ moves: true } as const) : {};
    places.set(node, tree.length);
    const noted = keepsExtras && extras !== undefined ? { extras } : {};
    tree.push({ node, name, parent, frame, ...moves, ...noted });
  }
  return tree;
}

/** The tree of a file of the given nodes; null where all of them are roots at the origin that draw a mesh. */
export function fileTree(
  tree: NodeTree,
  { drawn, keepsScale }: Pick<KeptNodes, 'drawn' | 'keepsScale'>,
): NodeTree | null {
  // The engine gives the entity of a file with a single one to the caller, whose transform then counts.
  if (!keepsScale && tree.length === 1 && !isIdentity(tree[0].frame)) {
    return [
      { node: -1, name: 'root', parent: -1, frame: identity() },
      { ...tree[0], parent: 0 },
    ];
  }
  const isFlat = tree.every(
    ({ node, parent, frame, moves, extras }) =>
      !moves && extras === undefined && drawn.has(node) && parent < 0 && isIdentity(frame),
  );
  return isFlat ? null : tree;
}
