// Which Material a prim is drawn with (UsdShadeMaterialBindingAPI::ComputeBoundMaterial): direct and collection
// bindings, binding strength, and the purposes preview and all-purpose, in that order.

import type { Notes } from '../compose/notes.ts';
import type { Stage, StagePrim, StageRelationship } from '../compose/stage.ts';
import { booleanOf, textOf } from '../compose/values.ts';

const BINDING = 'material:binding';
const COLLECTION = 'material:binding:collection';

/** Realtime first, then the binding for every purpose. */
const PURPOSES = ['preview', ''] as const;
type Purpose = (typeof PURPOSES)[number];

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

function directBinding(prim: StagePrim, purpose: Purpose): Binding | null {
  const relationship = prim.relationship(purpose === '' ? BINDING : `${BINDING}:${purpose}`);
  const target = relationship?.targets()[0];
  return relationship && target !== undefined ? { material: target, isStronger: isStronger(relationship) } : null;
}

/** `material:binding:collection:NAME`, or with a purpose before the name. */
function collectionBindings(prim: StagePrim, purpose: Purpose): CollectionBinding[] {
  const found: CollectionBinding[] = [];
  for (const name of prim.propertyNames()) {
    if (!name.startsWith(`${COLLECTION}:`)) continue;
    const parts = name.slice(COLLECTION.length + 1).split(':');
    const own = parts.length > 1 ? parts[0] : '';
    const relationship = own === purpose ? prim.relationship(name) : null;
    const targets = relationship?.targets() ?? [];
    if (!relationship || targets.length < 2) continue;
    // OpenUSD asks for the collection first; some exporters write the material first.
    const collection = targets.find((target) => target.includes('.collection:'));
    const material = targets.find((target) => !target.includes('.collection:'));
    if (collection !== undefined && material !== undefined) {
      found.push({ collection, material, isStronger: isStronger(relationship) });
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

export class Bindings {
  readonly #stage: Stage;
  readonly #notes: Notes;
  readonly #members = new Map<string, Members>();
  readonly #levels: Record<Purpose, Map<StagePrim, Level | null>> = { preview: new Map(), '': new Map() };

  constructor(stage: Stage, notes: Notes) {
    this.#stage = stage;
    this.#notes = notes;
  }

  /** The Material bound to a shape or subset; null for none. A binding to something else counts as none (UC1900). */
  resolve(prim: StagePrim): StagePrim | null {
    for (const purpose of PURPOSES) {
      const level = this.#levelOf(prim, purpose);
      const winner = level?.settled === undefined ? this.#walk(level, prim) : level.settled;
      if (!winner) continue;
      const material = this.#stage.prim(winner.material);
      if (material?.typeName === 'Material') return material;
      const what = material ? `a ${material.typeName || 'typeless prim'}` : 'no prim of this stage';
      this.#notes.say('UC1900', prim.path, `the bound ${winner.material} is ${what}, not a Material`);
      return null;
    }
    return null;
  }

  #levelOf(prim: StagePrim, purpose: Purpose): Level | null {
    const known = this.#levels[purpose];
    const passed: StagePrim[] = [];
    let level: Level | null = null;
    for (let at: StagePrim | null = prim; at !== null; at = at.parent) {
      const remembered = known.get(at);
      if (remembered !== undefined) {
        level = remembered;
        break;
      }
      passed.push(at);
    }
    for (let at = passed.pop(); at; at = passed.pop()) {
      const direct = directBinding(at, purpose);
      const collections = collectionBindings(at, purpose);
      if (direct || collections.length > 0) {
        const inherited = level === null ? null : level.settled;
        let settled: Level['settled'];
        if (collections.length === 0 && inherited !== undefined) settled = inherited?.isStronger ? inherited : direct;
        level = { prim: at, direct, collections, above: level, settled };
      }
      known.set(at, level);
    }
    return level;
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
        this.#notes.say('UC1964', owner.path, `${own} lists its members by an expression`);
      }
    }
    this.#members.set(collection, members);
    return members;
  }
}

function parentPath(path: string): string {
  if (path === '/') return '';
  const slash = path.lastIndexOf('/');
  return slash === 0 ? '/' : path.slice(0, slash);
}
