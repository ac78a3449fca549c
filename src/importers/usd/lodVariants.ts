// Variant sets whose variants are the levels of detail of a prim. A stage has one variant of a set at a time, so the others are
// read from stages of their own, and their shapes put beside those of the first.

import type { Scene } from '../../scene/types.ts';
import { withLevels } from '../../scene/withLevels.ts';
import type { ImportOptions } from '../importer.ts';
import type { StagePrim } from './compose/stage/stage.ts';

type VariantChoices = NonNullable<ImportOptions['variants']>;

/** Names of variant sets that hold levels of detail. */
const SET_NAME = /^(?:lods?|level_?of_?detail)$/i;
const NUMBER = /(\d+)$/;

/** A prim that is at each level of detail in one variant of a set. */
interface LodPrim {
  readonly path: string;
  readonly set: string;
  /** The variant that the stage has; null: none is selected. */
  readonly selected: string;
  /** The others, in the order of the set. */
  readonly others: readonly string[];
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
      // A set within a level of another prim, or a second one of the same, is no group of its own.
      if (this.#prims.some((above) => path === above.path || path.startsWith(`${above.path}/`))) continue;
      const selected = selectedVariant(prim, set);
      // Where the stage selects none, it draws none of them.
      if (selected === null) continue;
      this.#prims.push({ path, set, selected, others: names.filter((name) => name !== selected) });
    }
  }

  /** The scene with the other variants of the prims beside those it has. `read` gives what a stage with some choices draws of prims. */
  addTo(scene: Scene, read: (variants: VariantChoices, select: readonly string[]) => Scene): Scene {
    let whole = scene;
    const levels = this.#prims.map(({ path, selected }) => {
      const roots = nodesAt(scene, 0, path);
      return roots.length > 0 ? [{ name: selected, roots }] : [];
    });
    const passes = this.#prims.reduce((max, { others }) => Math.max(max, others.length), 0);
    for (let pass = 0; pass < passes; pass++) {
      const chosen = this.#prims.filter(({ others }) => pass < others.length);
      const choices = chosen.map(({ path, set, others }) => ({ prim: path, set, name: others[pass] }));
      const level = read(
        [...this.#given, ...choices],
        chosen.map(({ path }) => path),
      );
      const first = whole.nodes.length;
      whole = withLevels(whole, level);
      for (const [i, { path, others }] of this.#prims.entries()) {
        const roots = pass < others.length ? nodesAt(whole, first, path) : [];
        if (roots.length > 0) levels[i].push({ name: others[pass], roots });
      }
    }
    const lodGroups = this.#prims.flatMap(({ path }, i) => {
      const sorted = sortedLevels(whole, levels[i]);
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

/** The nodes of a prim, from a node on. */
function nodesAt({ nodes }: Scene, first: number, path: string): number[] {
  const found: number[] = [];
  for (let i = first; i < nodes.length; i++) if (nodes[i].path === path) found.push(i);
  return found;
}

/** Finest first: by the numbers that names end in where all have one, else by their triangles. */
function sortedLevels(scene: Scene, levels: readonly NamedLevel[]): NamedLevel[] {
  const numbers = levels.map(({ name }) => NUMBER.exec(name)?.[1]);
  const isNumbered = numbers.every((number) => number !== undefined);
  const ranks = levels.map((level, i) => (isNumbered ? Number(numbers[i]) : -trianglesBelow(scene, level.roots)));
  return levels
    .map((level, i) => ({ level, rank: ranks[i] }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ level }) => level);
}

function trianglesBelow({ nodes, meshes }: Scene, roots: readonly number[]): number {
  const below = new Set(roots);
  let triangles = 0;
  // Parents come before their children.
  for (const [i, { parent, mesh }] of nodes.entries()) {
    if (below.has(parent)) below.add(i);
    if (!below.has(i) || mesh < 0) continue;
    for (const { triangleCount } of meshes[mesh].primitives) triangles += triangleCount;
  }
  return triangles;
}
