// Finds the material bound to a prim (UsdShadeMaterialBindingAPI::ComputeBoundMaterial), with direct and collection
// bindings, binding strength and purposes. OpenUSD uses bindings of the wanted purpose first and all-purpose bindings
// second. Unlike OpenUSD, the other purpose of preview and full is used last, because a shape that is bound only for
// that purpose would be grey.

import type { Stage, StagePrim, StageRelationship } from '../compose/stage/stage.ts';
import { booleanOf, textOf } from '../compose/values/values.ts';
import { counted, type Notes } from '../notes.ts';

const BINDING = 'material:binding';

/** The purpose for which materials are wanted. */
export type BindingPurpose = 'preview' | 'full';

/** The purpose of a binding; '' is all-purpose. */
type Purpose = BindingPurpose | '';
const PURPOSES: readonly Purpose[] = ['preview', '', 'full'];

/** The purposes in order of preference, by the wanted purpose. */
const ORDER: Readonly<Record<BindingPurpose, readonly Purpose[]>> = {
  preview: ['preview', '', 'full'],
  full: ['full', '', 'preview'],
};

/** Whether a prim itself has a direct binding of any purpose. */
export function hasDirectBinding(prim: StagePrim): boolean {
  return ['', ':preview', ':full'].some((suffix) => prim.relationship(`${BINDING}${suffix}`) !== null);
}

interface Binding {
  readonly material: string;
  readonly isStronger: boolean;
}

interface CollectionBinding extends Binding {
  /** The path of the collection: `/World.collection:glass`. */
  readonly collection: string;
}

/** The bindings that one prim authors for one purpose. */
interface Authored {
  direct: Binding | null;
  readonly collections: CollectionBinding[];
}

/** The bindings of a purpose on one prim, linked to those on its ancestors. */
interface BoundPrim {
  readonly prim: StagePrim;
  readonly direct: Binding | null;
  readonly collections: readonly CollectionBinding[];
  /** The bindings on the nearest ancestor that has some. */
  readonly above: BoundPrim | null;
  /** The winning binding if neither this prim nor its ancestors have collection bindings; undefined if one has some. */
  readonly settled: Binding | null | undefined;
}

function isStronger(relationship: StageRelationship): boolean {
  return textOf(relationship.metadata('bindMaterialAs')) === 'strongerThanDescendants';
}

/** Reads a collection binding. OpenUSD expects the collection first; some exporters write the material first. */
function collectionBinding(relationship: StageRelationship): CollectionBinding | null {
  const targets = relationship.targets();
  const collection = targets.find((target) => target.includes('.collection:'));
  const material = targets.find((target) => !target.includes('.collection:'));
  if (collection === undefined || material === undefined) return null;
  return { collection, material, isStronger: isStronger(relationship) };
}

/**
 * The bindings that a prim authors, by purpose. Direct bindings are `material:binding` and `material:binding:PURPOSE`;
 * collection bindings are `material:binding:collection:NAME` and `material:binding:collection:PURPOSE:NAME`, in
 * property order.
 */
function authoredBindings(prim: StagePrim): Map<string, Authored> {
  const found = new Map<string, Authored>();
  const entry = (purpose: string): Authored => {
    const known = found.get(purpose) ?? { direct: null, collections: [] };
    found.set(purpose, known);
    return known;
  };
  for (const name of prim.propertyNames()) {
    if (name !== BINDING && !name.startsWith(`${BINDING}:`)) continue;
    const relationship = prim.relationship(name);
    if (!relationship) continue;
    const parts = name.slice(BINDING.length + 1).split(':');
    if (parts[0] === 'collection' && parts.length > 1) {
      const binding = collectionBinding(relationship);
      if (binding) entry(parts.length > 2 ? parts[1] : '').collections.push(binding);
    } else if (parts.length === 1) {
      const material = relationship.targets()[0];
      if (material !== undefined) entry(parts[0]).direct = { material, isStronger: isStronger(relationship) };
    }
  }
  return found;
}

/** The paths of a collection. */
interface Members {
  /** The included paths: with all descendants, or the prim alone. */
  readonly includes: Map<string, 'all' | 'prim'>;
  /** The paths that the collection itself excludes. */
  readonly excludes: Set<string>;
  /** The paths that included collections exclude. */
  readonly inherited: Set<string>;
}

/** The nearest prim with bindings of each purpose. */
type BoundPrims = Readonly<Record<Purpose, BoundPrim | null>>;

const NONE_BOUND: BoundPrims = { preview: null, '': null, full: null };

/** The winning binding of one purpose. */
export interface Candidate {
  readonly purpose: Purpose;
  /** The target path of the binding, which may not be that of a Material. */
  readonly material: string;
  /** One object for each authored binding. */
  readonly binding: object;
}

export class Bindings {
  readonly #stage: Stage;
  readonly #notes: Notes;
  readonly #order: readonly Purpose[];
  readonly #members = new Map<string, Members>();
  readonly #boundPrims = new Map<StagePrim, BoundPrims>();
  /** Bindings of a purpose that is not wanted and that were used, already counted. */
  readonly #used = new Set<object>();
  /** Bindings that were left out, already counted. */
  readonly #leftOut = new Set<object>();

  constructor(stage: Stage, notes: Notes, wanted: BindingPurpose) {
    this.#stage = stage;
    this.#notes = notes;
    this.#order = ORDER[wanted];
  }

  /** The winning binding of each purpose for a shape or subset, in order of preference. */
  candidates(prim: StagePrim): readonly Candidate[] {
    const bound = this.#boundPrimsOf(prim);
    const found: Candidate[] = [];
    for (const purpose of this.#order) {
      const at = bound[purpose];
      const winner = at?.settled === undefined ? this.#walk(at, prim) : at.settled;
      if (winner) found.push({ purpose, material: winner.material, binding: winner });
    }
    return found;
  }

  /** The Material at a path; null if there is no Material. */
  find(path: string): StagePrim | null {
    const material = this.#stage.prim(path);
    return material?.typeName === 'Material' ? material : null;
  }

  /** The Material at a path that is bound to a prim; null if there is no Material (UC1900). */
  material(path: string, prim: StagePrim): StagePrim | null {
    const found = this.find(path);
    if (found) return found;
    const material = this.#stage.prim(path);
    const what = material ? `a ${material.typeName || 'typeless prim'}` : 'no prim of this stage';
    this.#notes.report('UC1900', prim.path, `the target ${path} of its material binding is ${what}, not a Material`);
    return null;
  }

  /** Counts each binding of preview or full that is left out, and each chosen one whose purpose is not wanted, once. */
  noteChoice(candidates: readonly Candidate[], chosen: Candidate, prim: StagePrim): void {
    for (const { purpose, material, binding } of candidates) {
      const isUsed = binding === chosen.binding;
      if (purpose === '' || (isUsed && purpose === this.#order[0])) continue;
      if (!isUsed && material === chosen.material) continue;
      const known = isUsed ? this.#used : this.#leftOut;
      if (known.has(binding)) continue;
      known.add(binding);
      if (!isUsed) this.#countLeftOut(purpose, prim);
      else {
        const describe = (count: number) => `used because nothing else is bound: ${bindingsOf(purpose, count)}`;
        this.#notes.count('UC1966', purpose, prim.path, describe);
      }
    }
  }

  #countLeftOut(purpose: string, prim: StagePrim): void {
    this.#notes.count('UC1967', purpose, prim.path, (count) => `left out: ${bindingsOf(purpose, count)}`);
  }

  #boundPrimsOf(prim: StagePrim): BoundPrims {
    const known = this.#boundPrims;
    const passed: StagePrim[] = [];
    let bound = NONE_BOUND;
    for (let at: StagePrim | null = prim; at !== null; at = at.parent) {
      const remembered = known.get(at);
      if (remembered !== undefined) {
        bound = remembered;
        break;
      }
      passed.push(at);
    }
    for (let at = passed.pop(); at; at = passed.pop()) {
      bound = this.#withBindings(at, bound);
      known.set(at, bound);
    }
    return bound;
  }

  /** The bindings of a prim whose parent has the bindings `above`: the same object if the prim has none of its own. */
  #withBindings(prim: StagePrim, above: BoundPrims): BoundPrims {
    const authored = authoredBindings(prim);
    if (authored.size === 0) return above;
    const bound = { ...above };
    for (const purpose of authored.keys()) if (!(purpose in bound)) this.#countLeftOut(purpose, prim);
    for (const purpose of PURPOSES) {
      const own = authored.get(purpose);
      if (!own) continue;
      const { direct, collections } = own;
      const inherited = above[purpose] === null ? null : above[purpose].settled;
      let settled: BoundPrim['settled'];
      if (collections.length === 0 && inherited !== undefined) settled = inherited?.isStronger ? inherited : direct;
      bound[purpose] = { prim, direct, collections, above: above[purpose], settled };
    }
    return bound;
  }

  /** The winning binding: the nearest one, unless one of an ancestor is stronger than those of its descendants. */
  #walk(start: BoundPrim | null, prim: StagePrim): Binding | null {
    let winner: Binding | null = null;
    for (let at = start; at !== null; at = at.above) {
      if (at.direct && (winner === null || at.direct.isStronger)) winner = at.direct;
      const collection = at.collections.find((binding) => this.#contains(binding.collection, prim.path));
      // On the same prim, a collection binding is stronger than the direct one.
      if (collection && (winner === null || winner === at.direct || collection.isStronger)) winner = collection;
    }
    return winner;
  }

  /**
   * Whether a collection, or a collection that it includes, has a prim. The nearest ancestor path that one of them
   * includes or excludes decides. At the same path, an exclusion by the collection itself is stronger than an
   * inclusion.
   */
  #contains(collection: string, path: string): boolean {
    const members = this.#membersOf(collection);
    for (let p = path; p !== ''; p = parentPath(p)) {
      if (members.excludes.has(p)) return false;
      const reach = members.includes.get(p);
      if (reach === 'all' || (reach !== undefined && p === path)) return true;
      if (members.inherited.has(p)) return false;
    }
    return false;
  }

  /** The paths of a collection and of the collections that it includes. */
  #membersOf(collection: string): Members {
    const known = this.#members.get(collection);
    if (known) return known;
    const members: Members = { includes: new Map(), excludes: new Set(), inherited: new Set() };
    const asked = new Set([collection]);
    // The loop adds collections to the set that it iterates, so it visits each collection once.
    for (const name of asked) {
      const at = name.indexOf('.collection:');
      const owner = at > 0 ? this.#stage.prim(name.slice(0, at)) : undefined;
      if (!owner) continue;
      const own = name.slice(at + 1);
      const text = (property: string) => textOf(owner.attribute(`${own}:${property}`)?.get()?.value);
      const targets = (relation: string) => owner.relationship(`${own}:${relation}`)?.targets() ?? [];
      const reach = text('expansionRule') === 'explicitOnly' ? 'prim' : 'all';
      const includes = [...targets('includes')];
      if (booleanOf(owner.attribute(`${own}:includeRoot`)?.get()?.value) === true) includes.push('/');
      for (const target of includes) {
        if (target.includes('.collection:')) asked.add(target);
        else if (members.includes.get(target) !== 'all') members.includes.set(target, reach);
      }
      const excludes = name === collection ? members.excludes : members.inherited;
      for (const target of targets('excludes')) excludes.add(target);
      const expression = owner.attribute(`${own}:membershipExpression`)?.get();
      if (expression && includes.length === 0) {
        this.#notes.report('UC1964', owner.path, `${own} defines its members by an expression, which is not evaluated`);
      }
    }
    this.#members.set(collection, members);
    return members;
  }
}

function bindingsOf(purpose: string, count: number): string {
  return `${counted(count, 'material binding', 'material bindings')} of purpose ${purpose}`;
}

function parentPath(path: string): string {
  if (path === '/') return '';
  const slash = path.lastIndexOf('/');
  return slash === 0 ? '/' : path.slice(0, slash);
}
