// The hierarchy of joints, which USD writes as paths: "Hip/Leg" is a child of "Hip" (OpenUSD, UsdSkelTopology).

export interface JointOrder {
  /** Paths of the joints without a leading "/", parents before their children. */
  readonly paths: readonly string[];
  /** The index of each joint's parent; -1 for a root. */
  readonly parents: Int32Array;
  /** For each joint of the source its index here. */
  readonly ofSource: Uint32Array;
  /** The index by path. */
  readonly byPath: ReadonlyMap<string, number>;
}

/** The path of a joint without a leading "/"; null if it has no name or an empty one. */
export function jointPath(token: string): string | null {
  const path = token.startsWith('/') ? token.slice(1) : token;
  return path === '' || path.startsWith('/') || path.endsWith('/') || path.includes('//') ? null : path;
}

/** Paths of joints; a text says what is wrong with them. */
export function jointPaths(tokens: readonly string[]): readonly string[] | string {
  const paths: string[] = [];
  const known = new Set<string>();
  for (const token of tokens) {
    const path = jointPath(token);
    if (path === null) return `"${token}" is no path of a joint`;
    if (known.has(path)) return `the joint "${path}" is there twice`;
    known.add(path);
    paths.push(path);
  }
  return paths;
}

/** The parent of each joint: the nearest of its ancestors that is a joint (OpenUSD). */
function parentsOf(paths: readonly string[]): Int32Array {
  // In this order an ancestor comes before all that is below it, and nothing else comes between them.
  const keys = paths.map((path) => path.replaceAll('/', '\0'));
  const sorted = keys.map((_, i) => i).sort((a, b) => (keys[a] < keys[b] ? -1 : 1));
  const parents = new Int32Array(paths.length).fill(-1);
  const open: number[] = [];
  for (const joint of sorted) {
    const key = keys[joint];
    while (open.length > 0) {
      const above = keys[open[open.length - 1]];
      if (key.charCodeAt(above.length) === 0 && key.startsWith(above)) break;
      open.pop();
    }
    if (open.length > 0) parents[joint] = open[open.length - 1];
    open.push(joint);
  }
  return parents;
}

/** Joints depth first, those of one parent in the order of the source. */
function depthFirst(parents: Int32Array): number[] {
  const children: number[][] = Array.from(parents, () => []);
  const roots: number[] = [];
  parents.forEach((parent, joint) => {
    if (parent < 0) roots.push(joint);
    else children[parent].push(joint);
  });
  const order: number[] = [];
  const pending = roots.reverse();
  for (let joint = pending.pop(); joint !== undefined; joint = pending.pop()) {
    order.push(joint);
    for (let i = children[joint].length - 1; i >= 0; i--) pending.push(children[joint][i]);
  }
  return order;
}

/**
 * Joints with their parents. They keep the order of the source if parents come before their children there, else they are
 * ordered depth first. A text says what is wrong with them.
 */
export function orderJoints(tokens: readonly string[]): JointOrder | string {
  const source = jointPaths(tokens);
  if (typeof source === 'string') return source;
  const sourceParents = parentsOf(source);
  const isOrdered = sourceParents.every((parent, joint) => parent < joint);
  const order = isOrdered ? source.map((_, i) => i) : depthFirst(sourceParents);
  const ofSource = new Uint32Array(order.length);
  order.forEach((from, to) => {
    ofSource[from] = to;
  });
  const paths = order.map((from) => source[from]);
  const parents = Int32Array.from(order, (from) => (sourceParents[from] < 0 ? -1 : ofSource[sourceParents[from]]));
  return { paths, parents, ofSource, byPath: new Map(paths.map((path, i) => [path, i])) };
}
