// Which materials are bound to a prim (UsdShadeMaterialBindingAPI::ComputeBoundMaterial): direct and collection bindings,
// binding strength, and purposes. OpenUSD asks for the wanted purpose, then for the bindings of all purposes; that the other
// of preview and full is asked last is ours, because a shape that is bound for it alone would be grey.

import type { Stage, StagePrim, StageRelationship } from '../compose/stage/stage.ts';
import { booleanOf, textOf } from '../compose/values/values.ts';
import { counted, type Notes } from '../notes.ts';

const BINDING = 'material:binding';

/** The purpose that materials are wanted for. */
export type BindingPurpose = 'preview' | 'full';

/** Purposes of bindings that can draw; '' is for all. */
type Purpose = BindingPurpose | '';
const PURPOSES: readonly Purpose[] = ['preview', '', 'full'];

/** The order in which the purposes are asked. */
const ORDER: Readonly<Record<BindingPurpose, readonly Purpose[]>> = {
  preview: ['preview', '', 'full'],
  full: ['full', '', 'preview'],
};

/** True when the prim itself names a material, whatever the purpose. */
export function hasDirectBinding(prim: StagePrim): boolean {
  return ['', ':preview', ':full'].some((suffix) => prim.relationship(`${BINDING}${suffix}`) !== null);
}

interface Binding {
  readonly material: string;
  readonly isStronger: boolean;
}

interface CollectionBinding extends Binding {
  /** `/World.collection:glass` */
  readonly collection: string;
}

/** What one prim authors for one purpose. */
interface Authored {
  direct: Binding | null;
  readonly collections: CollectionBinding[];
}

/** The bindings that one prim authors for one purpose, and those above it. */
interface Level {
  readonly prim: StagePrim;
  readonly direct: Binding | null;
  readonly collections: readonly CollectionBinding[];
  /** The nearest prim above that authors any. */
  readonly above: Level | null;
  /** What the levels from here up give to a prim, when none of them has collections; undefined: collections matter. */
  readonly settled: Binding | null | undefined;
}

function isStronger(relationship: StageRelationship): boolean {
  return textOf(relationship.metadata('bindMaterialAs')) === 'strongerThanDescendants';
}

/** OpenUSD asks for the collection first; some exporters write the material first. */
function collectionBinding(relationship: StageRelationship): CollectionBinding | null {
  const targets = relationship.targets();
  const collection = targets.find((target) => target.includes('.collection:'));
  const material = targets.find((target) => !target.includes('.collection:'));
  if (collection === undefined || material === undefined) return null;
  return { collection, material, isStronger: isStronger(relationship) };
}

/**
 * What a prim binds, by purpose: `material:binding` and `material:binding:PURPOSE`, `material:binding:collection:NAME` and
 * `material:binding:collection:PURPOSE:NAME`; collections in property order.
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

/** Paths that a collection names: what it includes and how far, what it excludes, what included collections exclude. */
interface Members {
  readonly includes: Map<string, 'all' | 'prim'>;
  readonly excludes: Set<string>;
  readonly inherited: Set<string>;
}

type Levels = Readonly<Record<Purpose, Level | null>>;

const NO_LEVELS: Levels = { preview: null, '': null, full: null };

/** What wins among the bindings of one purpose. */
export interface Candidate {
  readonly purpose: Purpose;
  /** Path of what is bound, which need not be a Material. */
  readonly material: string;
  /** One object for each binding that is authored. */
  readonly binding: object;
}

export class Bindings {
  readonly #stage: Stage;
  readonly #notes: Notes;
  readonly #order: readonly Purpose[];
  readonly #members = new Map<string, Members>();
  readonly #levels = new Map<StagePrim, Levels>();
  /** Bindings of the other purpose that were counted already: those used and those left out. */
  readonly #used = new Set<object>();
  readonly #leftOut = new Set<object>();

  constructor(stage: Stage, notes: Notes, wanted: BindingPurpose) {
    this.#stage = stage;
    this.#notes = notes;
    this.#order = ORDER[wanted];
  }

  /** The binding of each purpose that has one for a shape or subset, in the order in which they are asked. */
  candidates(prim: StagePrim): readonly Candidate[] {
    const levels = this.#levelsOf(prim);
    const found: Candidate[] = [];
    for (const purpose of this.#order) {
      const level = levels[purpose];
      const winner = level?.settled === undefined ? this.#walk(level, prim) : level.settled;
      if (winner) found.push({ purpose, material: winner.material, binding: winner });
    }
    return found;
  }

  /** The Material at a path; null for something else. */
  find(path: string): StagePrim | null {
    const material = this.#stage.prim(path);
    return material?.typeName === 'Material' ? material : null;
  }

  /** The Material at a path that is bound to a prim; null for something else (UC1900). */
  material(path: string, prim: StagePrim): StagePrim | null {
    const found = this.find(path);
    if (found) return found;
    const material = this.#stage.prim(path);
    const what = material ? `a ${material.typeName || 'typeless prim'}` : 'no prim of this stage';
    this.#notes.report('UC1900', prim.path, `the bound ${path} is ${what}, not a Material`);
    return null;
  }

  /** Counts bindings of preview and full that are left out, and a chosen one that was not asked for; each binding once. */
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
        const describe = (count: number) => `used where nothing else is bound: ${bindingsOf(purpose, count)}`;
        this.#notes.count('UC1966', purpose, prim.path, describe);
      }
    }
  }

  #countLeftOut(purpose: string, prim: StagePrim): void {
    this.#notes.count('UC1967', purpose, prim.path, (count) => `left out: ${bindingsOf(purpose, count)}`);
  }

  #levelsOf(prim: StagePrim): Levels {
    const known = this.#levels;
    const passed: StagePrim[] = [];
    let levels = NO_LEVELS;
    for (let at: StagePrim | null = prim; at !== null; at = at.parent) {
      const remembered = known.get(at);
      if (remembered !== undefined) {
        levels = remembered;
        break;
      }
      passed.push(at);
    }
    for (let at = passed.pop(); at; at = passed.pop()) {
      levels = this.#withBindings(at, levels);
      known.set(at, levels);
    }
    return levels;
  }

  /** The levels of a prim below `above`, which are those themselves where it binds nothing. */
  #withBindings(prim: StagePrim, above: Levels): Levels {
    const authored = authoredBindings(prim);
    if (authored.size === 0) return above;
    const levels = { ...above };
    for (const purpose of authored.keys()) if (!(purpose in levels)) this.#countLeftOut(purpose, prim);
    for (const purpose of PURPOSES) {
      const own = authored.get(purpose);
      if (!own) continue;
      const { direct, collections } = own;
      const inherited = above[purpose] === null ? null : above[purpose].settled;
      let settled: Level['settled'];
      if (collections.length === 0 && inherited !== undefined) settled = inherited?.isStronger ? inherited : direct;
      levels[purpose] = { prim, direct, collections, above: above[purpose], settled };
    }
    return levels;
  }

  /** From the prim to the root: the nearest binding wins unless one above is stronger than its descendants. */
  #walk(start: Level | null, prim: StagePrim): Binding | null {
    let winner: Binding | null = null;
    for (let level = start; level !== null; level = level.above) {
      if (level.direct && (winner === null || level.direct.isStronger)) winner = level.direct;
      const collection = level.collections.find((binding) => this.#contains(binding.collection, prim.path));
      // On one prim a collection binding beats the direct one.
      if (collection && (winner === null || winner === level.direct || collection.isStronger)) winner = collection;
    }
    return winner;
  }

  /**
   * Whether a collection holds a prim, by itself or by collections that it includes: the nearest path above that any of
   * them names decides. At one path the exclusion of the collection itself beats what it includes.
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

  /** The paths that a collection names, with those of the collections that it includes. Each is asked once. */
  #membersOf(collection: string): Members {
    const known = this.#members.get(collection);
    if (known) return known;
    const members: Members = { includes: new Map(), excludes: new Set(), inherited: new Set() };
    const asked = new Set([collection]);
    // A set that grows while it is walked: its order is that of the search.
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
        this.#notes.report('UC1964', owner.path, `${own} lists its members by an expression`);
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
