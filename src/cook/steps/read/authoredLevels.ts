// Which objects have levels made by hand, and which nodes full detail leaves out because they are coarser levels of another.

import type { Code, Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { namedLodGroups } from '../../../scene/lodGroups.ts';
import type { LodGroup, Scene } from '../../../scene/types.ts';

/** An object with levels made by hand. Nodes are those that place meshes. */
export interface AuthoredObject {
  readonly path: string;
  /** Of full detail. */
  readonly finest: readonly number[];
  /** Of each coarser level, at least one. */
  readonly coarser: readonly (readonly number[])[];
  /** As in LodGroup, for as many levels as `coarser` has. */
  readonly coverage: readonly number[] | null;
}

export interface AuthoredLevels {
  /** Nodes that full detail leaves out. */
  readonly hidden: ReadonlySet<number>;
  readonly objects: readonly AuthoredObject[];
}

export const NO_AUTHORED_LEVELS: AuthoredLevels = { hidden: new Set(), objects: [] };

/**
 * Finds the groups of a scene. Reports UC2059 for those whose names or triangles are not in order, and UC2098 for coverage of the
 * screen that cannot be.
 */
export function authoredLevels(scene: Scene, diagnostics: Diagnostics): AuthoredLevels {
  const stated = scene.lodGroups ?? [];
  const known = new Set(stated.flatMap(({ levels }) => levels.flat()));
  const named = namedLodGroups(scene.nodes).filter(({ levels }) => !levels.flat().some((node) => known.has(node)));
  // A group within a level of another comes first, so that the other one counts only what is left of it.
  const firstOf = ({ levels }: LodGroup) => levels.flat().reduce((min, node) => Math.min(min, node), Infinity);
  const groups = [...stated, ...named].sort((a, b) => firstOf(b) - firstOf(a));
  const drawnBelow = placementsBelow(scene);
  const above = (node: number) => scene.nodes[node].below ?? scene.nodes[node].parent;
  const triangles = trianglesAt(scene);
  const misnamed = new Misnamed();
  const coverages = new Coverages();
  const hidden = new Set<number>();
  /** By node of full detail, the path of its object. */
  const finestOf = new Map<number, string>();
  const found: AuthoredObject[] = [];
  const ownerOf = new Map<number, AuthoredObject>();
  for (const group of groups) {
    let isWhole = true;
    const apart = levelsApart(group, above, (level) => {
      isWhole = false;
      misnamed.add(group, `level ${level} is the object itself, or holds it`);
    });
    const whole = apart.map(drawnBelow);
    const levels = disjoint(whole.map((nodes) => nodes.filter((node) => !hidden.has(node))));
    if (group.numbers === undefined && whole[0].length > 0 && whole[0].every((node) => hidden.has(node))) {
      misnamed.add(group, levelOfAnother(levels, finestOf));
      for (const node of levels.flat()) if (!finestOf.has(node)) hidden.add(node);
      continue;
    }
    const drawn = levels.flatMap((nodes, i) => (nodes.length > 0 ? [{ nodes, i }] : []));
    if (drawn.length === 0) continue;
    for (const node of drawn[0].nodes) finestOf.set(node, group.path);
    for (const { nodes } of drawn.slice(1)) for (const node of nodes) hidden.add(node);
    if (isWhole) {
      misnamed.check(
        group,
        drawn.map(({ i }) => i),
      );
    }
    const counts = levels.map((nodes) => nodes.reduce((sum, node) => sum + triangles(node), 0));
    const kept = [drawn[0].i];
    for (const { i } of drawn.slice(1)) {
      const finer = kept[kept.length - 1];
      if (counts[i] <= counts[finer]) kept.push(i);
      else
        misnamed.add(group, `level ${i} has ${counts[i]} triangles, more than the ${counts[finer]} of level ${finer}`);
    }
    if (kept.length < 2) continue;
    const object = authoredObject(coverages.checked(group), levels, kept);
    for (const node of object.finest) ownerOf.set(node, object);
    found.push(object);
  }
  misnamed.report(scene.source, diagnostics);
  coverages.report(scene.source, diagnostics);
  return {
    hidden,
    objects: found.filter(({ finest }) => finest.every((node) => ownerOf.get(node)?.finest === finest)),
  };
}

/** The levels of a group without nodes that a finer level has too, or that hold one of its nodes. */
function levelsApart(
  { levels }: LodGroup,
  above: (node: number) => number,
  onDropped: (level: number) => void,
): readonly (readonly number[])[] {
  const held = new Set<number>();
  return levels.map((roots, level) => {
    const kept = roots.filter((root) => !held.has(root));
    if (kept.length < roots.length) onDropped(level);
    for (const root of kept) for (let node = root; node >= 0 && !held.has(node); node = above(node)) held.add(node);
    return kept;
  });
}

/** In words what is wrong with a group whose object is a level of another one; a level of it may be that one. */
function levelOfAnother(levels: readonly (readonly number[])[], finestOf: ReadonlyMap<number, string>): string {
  for (const [level, nodes] of levels.entries()) {
    const path = nodes.map((node) => finestOf.get(node)).find((known) => known !== undefined);
    if (path !== undefined) return `level ${level} is ${path}, of which this is a level itself`;
  }
  return 'it is a level of another object, and has levels itself';
}

/** Each node in its coarsest level alone: a level may lie below the object that it is a level of. */
function disjoint(levels: readonly (readonly number[])[]): number[][] {
  const coarser = new Set<number>();
  return [...levels]
    .reverse()
    .map((nodes) => {
      const own = nodes.filter((node) => !coarser.has(node));
      for (const node of own) coarser.add(node);
      return own;
    })
    .reverse();
}

/** The scene without what some of its nodes place. */
export function withoutMeshesOf(scene: Scene, hidden: ReadonlySet<number>): Scene {
  if (hidden.size === 0) return scene;
  return { ...scene, nodes: scene.nodes.map((node, i) => (hidden.has(i) ? { ...node, mesh: -1 } : node)) };
}

function authoredObject(
  { path, coverage }: LodGroup,
  levels: readonly (readonly number[])[],
  [finest, ...coarser]: readonly number[],
): AuthoredObject {
  const begins = coarser.map((level) => coverage?.[level - 1]);
  const all = begins.every((value): value is number => value !== undefined) ? begins : null;
  return { path, finest: levels[finest], coarser: coarser.map((level) => levels[level]), coverage: all };
}

/** For the roots of subtrees, the nodes in them that place a mesh, in the order of the scene. */
function placementsBelow({ nodes }: Scene): (roots: readonly number[]) => number[] {
  const children: number[][] = nodes.map(() => []);
  for (const [i, { parent, below = parent }] of nodes.entries()) if (below >= 0) children[below].push(i);
  return (roots) => {
    const found: number[] = [];
    const pending = [...roots];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (nodes[node].mesh >= 0) found.push(node);
      pending.push(...children[node]);
    }
    return found.sort((a, b) => a - b);
  };
}

function trianglesAt({ nodes, meshes }: Scene): (node: number) => number {
  return (node) => meshes[nodes[node].mesh].primitives.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
}

/** What is wrong with groups: the first is reported, and how many more there are. */
class Faults {
  readonly #code: Code;
  readonly #found: { readonly path: string; readonly what: string }[] = [];

  constructor(code: Code) {
    this.#code = code;
  }

  add({ path }: LodGroup, what: string): void {
    this.#found.push({ path, what });
  }

  report(source: string, diagnostics: Diagnostics): void {
    const [first] = this.#found;
    if (first === undefined) return;
    const more = this.#found.length > 1 ? `, and ${this.#found.length - 1} more` : '';
    diagnostics.report(this.#code, source, first.path, `${first.what}${more}`);
  }
}

class Misnamed extends Faults {
  constructor() {
    super('UC2059');
  }

  /** `drawn`: the levels that draw anything. */
  check(group: LodGroup, drawn: readonly number[]): void {
    const numbers = drawn.map((level) => group.numbers?.[level] ?? level);
    const missing = numbers.findIndex((number, i) => number !== i);
    if (missing >= 0) this.add(group, `there is LOD${numbers[missing]}, but no LOD${missing}`);
  }
}

class Coverages extends Faults {
  constructor() {
    super('UC2098');
  }

  /** The group without coverage that cannot be. */
  checked(group: LodGroup): LodGroup {
    const fault = group.coverage === undefined ? null : coverageFault(group.coverage, group.levels.length - 1);
    if (fault === null) return group;
    this.add(group, fault);
    const { coverage: _, ...others } = group;
    return others;
  }
}

function coverageFault(coverage: readonly number[], levels: number): string | null {
  const wrong = coverage.find((share) => !(share >= 0 && share <= 1));
  if (wrong !== undefined)
    return Number.isNaN(wrong) ? 'it is no list of numbers' : `${wrong} is no share of the screen`;
  const rising = coverage.findIndex((share, i) => i > 0 && share > coverage[i - 1]);
  if (rising >= 0) return `${coverage[rising]} after ${coverage[rising - 1]}: a coarser level covers less`;
  return coverage.length < levels ? `${coverage.length} values for ${levels} levels` : null;
}
