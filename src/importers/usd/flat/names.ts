// The paths of the prims of a flattened stage. Names that older readers do not take become ASCII identifiers, unique among
// their siblings, and all paths follow.

import type { Stage, StagePrim } from '../compose/stage/stage.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What a path is made of besides names: no name may hold it. */
const SYNTAX = /[\s/.{}[\]<>\0]/g;

/** An ASCII identifier for a name. */
export function identifierOf(name: string): string {
  if (IDENTIFIER.test(name)) return name;
  const clean = name.replace(/[^A-Za-z0-9_]/gu, '_');
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`;
}

/** A name that is not taken yet, which it is afterwards: `Ball`, `Ball_1`. */
export function uniqueName(name: string, taken: Set<string>): string {
  let free = name;
  for (let i = 1; taken.has(free); i++) free = `${name}_${i}`;
  taken.add(free);
  return free;
}

/** A property keeps its name, which shaders may have as text, but for what would break its path. */
export const propertyName = (name: string): string => name.replace(SYNTAX, '_');

/**
 * The classes of a stage that no relationship leads into. They are never drawn, and what they give to others is said there; a reader
 * that does not know classes would draw them.
 */
export function unusedClasses(stage: Stage): ReadonlySet<StagePrim> {
  const classes = new Map<string, StagePrim>();
  const drawn: StagePrim[] = [];
  const pending = [...stage.children];
  for (let prim = pending.pop(); prim; prim = pending.pop()) {
    if (prim.isAbstract) classes.set(prim.path, prim);
    else {
      drawn.push(prim);
      pending.push(...prim.children);
    }
  }
  if (classes.size === 0) return new Set();
  for (const prim of drawn) {
    for (const name of prim.propertyNames()) {
      for (const target of prim.relationship(name)?.targets() ?? []) {
        for (let end = target.length; end > 0; end = target.lastIndexOf('/', end - 1))
          classes.delete(target.slice(0, end));
      }
    }
  }
  return new Set(classes.values());
}

export interface FlatPrim {
  readonly prim: StagePrim;
  readonly path: string;
  readonly children: readonly FlatPrim[];
}

/** The prims of a stage below the prim `above` ('' for the root), and what has become of their paths. */
export class FlatNames {
  readonly roots: readonly FlatPrim[];
  readonly #above: string;
  readonly #paths = new Map<string, string>();

  constructor(stage: Stage, above: string, isTaken: (prim: StagePrim) => boolean) {
    this.#above = above;
    const pending: { readonly prims: readonly StagePrim[]; readonly path: string; readonly into: FlatPrim[] }[] = [];
    const roots: FlatPrim[] = [];
    pending.push({ prims: stage.children, path: above, into: roots });
    for (let next = pending.pop(); next; next = pending.pop()) {
      const taken = new Set(next.prims.map(({ name }) => name).filter((name) => IDENTIFIER.test(name)));
      for (const prim of next.prims) {
        if (!isTaken(prim)) continue;
        const name = IDENTIFIER.test(prim.name) ? prim.name : uniqueName(identifierOf(prim.name), taken);
        const path = `${next.path}/${name}`;
        const children: FlatPrim[] = [];
        next.into.push({ prim, path, children });
        this.#paths.set(prim.path, path);
        pending.push({ prims: prim.children, path, into: children });
      }
    }
    this.roots = roots;
  }

  /** Where a path of the stage leads now; null: to a prim that was left out. */
  of(path: string): string | null {
    const dot = path.indexOf('.', path.lastIndexOf('/'));
    const prim = dot < 0 ? path : path.slice(0, dot);
    if (prim === '/') return this.#above === '' ? path : `${this.#above}${dot < 0 ? '' : path.slice(dot)}`;
    const own = this.#paths.get(prim);
    if (own === undefined) return null;
    return dot < 0 ? own : `${own}.${propertyName(path.slice(dot + 1))}`;
  }
}
