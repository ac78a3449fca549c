// Variant sets whose variants are the levels of detail of a prim. A stage has one variant of a set at a time, so the others are
// read from stages of their own, and their shapes put beside those of the first.

import type { Scene } from '../../scene/types.ts';
import { withLevels } from '../../scene/withLevels.ts';
import type { ImportOptions } from '../importer.ts';
import type { StagePrim } from './compose/stage/stage.ts';
import type { Notes } from './notes.ts';

type VariantChoices = NonNullable<ImportOptions['variants']>;

/** Names of variant sets that hold levels of detail. */
const SET_NAME = /^(?:lods?|level_?of_?detail)$/i;
const NUMBER = /(\d+)$/;
/** How many variants of a set are read besides the one that the stage has: each takes a stage. */
const MAX_OTHERS = 8;

/** A prim that is at each level of detail in one variant of a set. */
interface LodPrim {
  readonly path: string;
  readonly set: string;
  /** The variant that the stage has; null: none is selected. */
  readonly selected: string;
  /** The others that are read, in the order of the set. */
  readonly others: readonly string[];
  /** How many more there are. */
  readonly left: number;
}

/** Collects the prims with such sets while a stage is walked, parents first. */
export class LodVariants {
  readonly #given: VariantChoices;
  readonly #prims: LodPrim[] = [];

  /** `given`: variants that the caller chooses; a set that is chosen there has no levels. */
  constructor(given: VariantChoices = []) {
    this.#given = given;
  }

  see(prim: StagePrim): void {
    const { path } = prim;
    for (const [set, names] of prim.variantSets()) {
      if (!SET_NAME.test(set) || names.length < 2) continue;
      if (this.#given.some((given) => given.set === set && (given.prim === null || given.prim === path))) continue;
      // A set within a level of another prim, or a second one of the same, is no group of its own. What lies below a prim is walked
      // before other prims.
      const above = this.#prims.at(-1);
      if (above && (path === above.path || path.startsWith(`${above.path}/`))) continue;
      const selected = selectedVariant(prim, set);
      // Where the stage selects none, it draws none of them.
      if (selected === null) continue;
      const all = names.filter((name) => name !== selected);
      const read = new Set(finestFirst(all).slice(0, MAX_OTHERS));
      const others = all.filter((name) => read.has(name));
      this.#prims.push({ path, set, selected, others, left: all.length - others.length });
    }
  }

  /**
   * The scene with the other variants of the prims beside those it has. `read` gives what a stage with further choices draws of
   * prims, which are in the part of the stage that is imported. Reports UC2099 for variants that are not read.
   */
  addTo(scene: Scene, notes: Notes, read: (variants: VariantChoices, select: readonly string[]) => Scene): Scene {
    for (const { path, set, left } of this.#prims) {
      const what = `${left === 1 ? '1 variant' : `${left} variants`} of the set "${set}"`;
      if (left > 0) notes.count('UC2099', '', path, (n) => `not read: ${n === 1 ? what : `variants of ${n} sets`}`);
    }
    notes.flush();
    let whole = scene;
    const own = nodesByPath(scene, 0);
    const levels = this.#prims.map(({ path, selected }): NamedLevel[] => {
      const roots = own.get(path) ?? [];
      return roots.length > 0 ? [{ name: selected, roots }] : [];
    });
    const passes = this.#prims.reduce((max, { others }) => Math.max(max, others.length), 0);
    for (let pass = 0; pass < passes; pass++) {
      const chosen = this.#prims.filter(({ others }) => pass < others.length);
      const choices = chosen.map(({ path, set, others }) => ({ prim: path, set, name: others[pass] }));
      const level = read(
        choices,
        chosen.map(({ path }) => path),
      );
      const first = whole.nodes.length;
      whole = withLevels(whole, level);
      const added = nodesByPath(whole, first);
      for (const [i, { path, others }] of this.#prims.entries()) {
        const roots = pass < others.length ? (added.get(path) ?? []) : [];
        if (roots.length > 0) levels[i].push({ name: others[pass], roots });
      }
    }
    const below = trianglesBelow(whole);
    const lodGroups = this.#prims.flatMap(({ path }, i) => {
      const sorted = sortedLevels(levels[i], below);
      return sorted.length > 1 ? [{ path, levels: sorted.map(({ roots }) => roots) }] : [];
    });
    return lodGroups.length > 0 ? { ...whole, lodGroups } : scene;
  }
}

interface NamedLevel {
  readonly name: string;
  readonly roots: readonly number[];
}

function selectedVariant(prim: StagePrim, set: string): string | null {
  const mark = `{${set}=`;
  for (const { type, path } of prim.arcs()) {
    const at = path.lastIndexOf('{');
    if (type === 'variant' && path.startsWith(mark, at)) return path.slice(at + mark.length, -1);
  }
  return null;
}

/** The nodes of each prim, from a node on. */
function nodesByPath({ nodes }: Scene, first: number): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (let i = first; i < nodes.length; i++) {
    const { path } = nodes[i];
    const same = found.get(path);
    if (same) same.push(i);
    else found.set(path, [i]);
  }
  return found;
}

const numberOf = (name: string): number => Number(NUMBER.exec(name)?.[1] ?? Number.NaN);

/** By the numbers that names end in where all have one. */
function finestFirst(names: readonly string[]): readonly string[] {
  if (names.some((name) => Number.isNaN(numberOf(name)))) return names;
  return [...names].sort((a, b) => numberOf(a) - numberOf(b));
}

/** Finest first: by the numbers that names end in where all have one, else by their triangles. */
function sortedLevels(levels: readonly NamedLevel[], below: readonly number[]): NamedLevel[] {
  const isNumbered = levels.every(({ name }) => !Number.isNaN(numberOf(name)));
  const rankOf = ({ name, roots }: NamedLevel) =>
    isNumbered ? numberOf(name) : -roots.reduce((sum, root) => sum + below[root], 0);
  return levels
    .map((level) => ({ level, rank: rankOf(level) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ level }) => level);
}

/** For each node the triangles that are drawn of it and below it. */
function trianglesBelow({ nodes, meshes }: Scene): number[] {
  const below = nodes.map(({ mesh }) =>
    mesh < 0 ? 0 : meshes[mesh].primitives.reduce((sum, { triangleCount }) => sum + triangleCount, 0),
  );
  // Parents come before their children.
  for (let i = nodes.length - 1; i >= 0; i--) if (nodes[i].parent >= 0) below[nodes[i].parent] += below[i];
  return below;
}
