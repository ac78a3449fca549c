// Composed prims and their properties (OpenUSD, UsdPrim). A prim is made at its first use. The prims below instances of
// one prototype share their composed content and differ only in their paths (instance proxies).

import type { ArrayEnds, IntegerFacts, Layer, SpecType, Value, ValueTypeName } from '../../layer.ts';
import { SPEC_TYPE } from '../../layer.ts';
import { childIndex } from '../index/childIndex.ts';
import type { Composer } from '../index/composer.ts';
import { ARC_NAMES } from '../index/node.ts';
import type { PrimIndex } from '../index/primIndex.ts';
import { composeOffsets } from '../layers/offset.ts';
import { appendChild, hasPrefix } from '../namespace/paths.ts';
import { booleanOf, componentsOf, textOf } from '../values/values.ts';
import { instanceKey } from './instances.ts';
import { childNames, type PropertyLists, type PropertyNames } from './names.ts';
import {
  composeMetadata,
  composeTargets,
  findValue,
  type SpecOpinion,
  stageSamples,
  type ValueSource,
  valueAt,
} from './resolve.ts';
import type {
  AttributeSamples,
  Opinion,
  Specifier,
  StageArc,
  StageAttribute,
  StagePrim,
  StageRelationship,
} from './stage.ts';

/** What the prims of one stage share. */
export interface StageContext {
  readonly composer: Composer;
  /** Stage time at which values are read; null: the earliest. */
  readonly time: number | null;
  /** The first instance by instance key; its descendants are the prototype's. */
  readonly prototypes: Map<string, PrimContent>;
  readonly properties: PropertyLists;
  readonly recent: RecentPrims;
}

const NO_OPINIONS: readonly SpecOpinion[] = [];
const NO_PATHS: readonly string[] = [];
const PROPERTY_TYPES: ReadonlySet<SpecType> = new Set([SPEC_TYPE.attribute, SPEC_TYPE.relationship]);

/**
 * The prims whose properties were looked up most recently. An import looks up the properties of a prim many times in a
 * row and rarely later, so only these prims keep the results.
 */
export class RecentPrims {
  readonly #ring: (PrimContent | undefined)[] = new Array(32).fill(undefined);
  #next = 0;

  add(content: PrimContent): void {
    this.#ring[this.#next]?.forget();
    this.#ring[this.#next] = content;
    this.#next = (this.#next + 1) % this.#ring.length;
  }
}

/** The composed content of a prim. The same prim of equal instances shares it. */
export class PrimContent {
  readonly index: PrimIndex;
  readonly context: StageContext;
  readonly opinions: readonly SpecOpinion[];
  readonly typeName: string;
  readonly specifier: Specifier;
  readonly isActive: boolean;
  #children: Map<string, PrimContent> | null = null;
  #opinionsOf: Map<string, readonly SpecOpinion[]> | null = null;
  #childNames: readonly string[] | null = null;
  #properties: PropertyNames | null = null;
  #prototype: PrimContent | null = null;

  constructor(index: PrimIndex, context: StageContext) {
    this.index = index;
    this.context = context;
    const opinions: SpecOpinion[] = [];
    for (const node of index.contributing) {
      const total = node.totalOffset;
      for (const { layer, spec, offset } of node.site.specs) {
        opinions.push({ spec, layer, node, offset: composeOffsets(total, offset) });
      }
    }
    // `slice` frees the spare capacity that `push` reserves; nearly all prims have one or two opinions.
    this.opinions = opinions.slice();
    this.typeName = typeNameOf(opinions);
    this.specifier = specifierOf(opinions);
    this.isActive = booleanOf(composeMetadata(opinions, 'active')) !== false;
    if (this.isActive) this.#noteClips();
  }

  get path(): string {
    return this.index.path;
  }

  get childNames(): readonly string[] {
    this.#childNames ??= childNames(this.index);
    return this.#childNames;
  }

  get properties(): PropertyNames {
    this.#properties ??= this.context.properties.of(this.index);
    return this.#properties;
  }

  /** Opinions about a property, strongest first. All have the spec type of the strongest. */
  property(name: string): readonly SpecOpinion[] {
    if (!this.properties.has.has(name)) return NO_OPINIONS;
    if (this.#opinionsOf === null) {
      this.#opinionsOf = new Map();
      this.context.recent.add(this);
    }
    const known = this.#opinionsOf.get(name);
    if (known) return known;
    const found: SpecOpinion[] = [];
    for (const { layer, node, offset, spec: owner } of this.opinions) {
      const spec = layer.specs.get(`${owner.path}.${name}`);
      if (spec && PROPERTY_TYPES.has(spec.type) && (found.length === 0 || spec.type === found[0].spec.type)) {
        found.push({ spec, layer, node, offset });
      }
    }
    this.#opinionsOf.set(name, found);
    return found;
  }

  /** Drops the opinions about properties; they are looked up again at the next use. */
  forget(): void {
    this.#opinionsOf = null;
  }

  child(name: string): PrimContent {
    this.#children ??= new Map();
    const known = this.#children.get(name);
    if (known) return known;
    const child = new PrimContent(childIndex(this.index, name, this.context.composer), this.context);
    this.#children.set(name, child);
    return child;
  }

  /** For an instance: the content whose children all instances with the same arcs share. */
  get prototype(): PrimContent {
    if (this.#prototype === null) {
      const { composer, prototypes } = this.context;
      // If the caller chooses a variant below this instance, the instance shares its children with no other one.
      const isAlone = composer.choices.some(
        ({ prim }) => prim !== null && prim !== this.path && hasPrefix(prim, this.path),
      );
      const key = isAlone ? `\0${this.path}` : instanceKey(this.index);
      this.#prototype = prototypes.get(key) ?? this;
      prototypes.set(key, this.#prototype);
    }
    return this.#prototype;
  }

  #noteClips(): void {
    for (const { spec, layer } of this.opinions) {
      const value = spec.has('clips') ? spec.get('clips') : undefined;
      if (value?.type !== 'Dictionary' || (value.value as ReadonlyMap<string, Value>).size === 0) continue;
      this.context.composer.findings.report(
        'UC1717',
        layer,
        spec.path,
        'value clips are not read: the values of this prim come from its layers alone',
      );
      return;
    }
  }
}

function typeNameOf(opinions: readonly SpecOpinion[]): string {
  for (const { spec } of opinions) {
    const name = textOf(spec.get('typeName'));
    if (name && name !== '__AnyType__') return name;
  }
  return '';
}

/**
 * The strongest `def` or `class`; `over` has no effect. A `class` that comes from a class which this prim itself
 * inherits or specializes counts only if no weaker opinion is a `def` (OpenUSD, UsdPrim specifier resolution).
 */
function specifierOf(opinions: readonly SpecOpinion[]): Specifier {
  let inherited: Specifier = 'over';
  for (const { spec, node } of opinions) {
    const value = spec.get('specifier');
    if (value?.type !== 'Specifier' || value.value === 'over') continue;
    if (value.value === 'def' || !node.isBelowDirectClass) return value.value as Specifier;
    inherited = 'class';
  }
  return inherited;
}

/** An instance above a prim. Paths below its prototype `source` become paths below the instance `target`. */
export interface ProxyScope {
  readonly source: string;
  readonly target: string;
  readonly outer: ProxyScope | null;
}

function throughScopes(path: string, scope: ProxyScope | null): string {
  for (let at = scope; at !== null; at = at.outer) {
    if (hasPrefix(path, at.source)) return at.target + path.slice(at.source.length);
  }
  return path;
}

class ComposedAttribute implements StageAttribute {
  readonly name: string;
  readonly #opinions: readonly SpecOpinion[];
  readonly #prim: ComposedPrim;
  #source: ValueSource | null = null;
  /** The same, with its splines reported. */
  #reported: ValueSource | null = null;

  constructor(name: string, opinions: readonly SpecOpinion[], prim: ComposedPrim) {
    this.name = name;
    this.#opinions = opinions;
    this.#prim = prim;
  }

  get path(): string {
    return `${this.#prim.path}.${this.name}`;
  }

  get typeName(): string {
    return textOf(this.metadata('typeName')) ?? '';
  }

  get isAnimated(): boolean {
    let hasSpline = false;
    const source = findValue(this.#opinions, () => {
      hasSpline = true;
    });
    return hasSpline || (source.kind === 'samples' && source.samples.times.length > 1);
  }

  /** The opinion that gives the value. Reports splines. */
  #valueSource(): ValueSource {
    if (this.#reported !== null) return this.#reported;
    const { findings } = this.#prim.content.context.composer;
    this.#reported = findValue(this.#opinions, ({ layer, spec }) => {
      findings.report('UC1701', layer, spec.path, 'splines are not evaluated: the default value is used');
    });
    return this.#reported;
  }

  get(): Opinion | null {
    const source = this.#valueSource();
    const value = valueAt(source, this.#prim.content.context.time);
    return value === null || source.kind === 'none' ? null : { value, layer: source.from.layer };
  }

  samples(): AttributeSamples | null {
    const source = this.#valueSource();
    return source.kind === 'samples' ? stageSamples(source) : null;
  }

  peek(): { readonly type: ValueTypeName; readonly count: number } | null {
    this.#source ??= findValue(this.#opinions);
    if (this.#source.kind === 'none') return null;
    if (this.#source.kind === 'default') return this.#source.from.spec.peek('default');
    const value = valueAt(this.#source, this.#prim.content.context.time);
    if (!value) return null;
    if (!value.array) return { type: value.type, count: -1 };
    return { type: value.type, count: (value.value as ArrayLike<unknown>).length / (componentsOf(value.type) || 1) };
  }

  ends(): ArrayEnds | null {
    const source = this.#valueSource();
    return source.kind === 'default' ? (source.from.spec.ends?.('default') ?? null) : null;
  }

  facts(): IntegerFacts | null {
    const source = this.#valueSource();
    return source.kind === 'default' ? (source.from.spec.facts?.('default') ?? null) : null;
  }

  origin(): object | null {
    this.#source ??= findValue(this.#opinions);
    return this.#source.kind === 'default' ? this.#source.from.spec : null;
  }

  connections(): readonly string[] {
    return this.#prim.targets(this.#opinions, 'connectionPaths');
  }

  metadata(field: string): Value | undefined {
    return composeMetadata(this.#opinions, field);
  }
}

class ComposedRelationship implements StageRelationship {
  readonly path: string;
  readonly #opinions: readonly SpecOpinion[];
  readonly #prim: ComposedPrim;

  constructor(name: string, opinions: readonly SpecOpinion[], prim: ComposedPrim) {
    this.path = `${prim.path}.${name}`;
    this.#opinions = opinions;
    this.#prim = prim;
  }

  targets(): readonly string[] {
    return this.#prim.targets(this.#opinions, 'targetPaths');
  }

  metadata(field: string): Value | undefined {
    return composeMetadata(this.#opinions, field);
  }
}

export class ComposedPrim implements StagePrim {
  readonly path: string;
  readonly name: string;
  readonly parent: ComposedPrim | null;
  readonly isDefined: boolean;
  readonly isAbstract: boolean;
  readonly content: PrimContent;
  readonly #scope: ProxyScope | null;
  #children: readonly ComposedPrim[] | null = null;
  #byName: ReadonlyMap<string, ComposedPrim> | null = null;

  /** `parent` is null for the pseudo-root and its children. */
  constructor(name: string, path: string, content: PrimContent, parent: ComposedPrim | null, scope: ProxyScope | null) {
    this.name = name;
    this.path = path;
    this.content = content;
    this.parent = parent;
    this.#scope = scope;
    this.isDefined = content.specifier !== 'over' && (parent === null || parent.isDefined);
    this.isAbstract = content.specifier === 'class' || (parent?.isAbstract ?? false);
  }

  get typeName(): string {
    return this.content.typeName;
  }

  get specifier(): Specifier {
    return this.content.specifier;
  }

  get isInstance(): boolean {
    return this.content.index.isInstance;
  }

  get prototype(): object | null {
    return this.#scope === null ? null : this.content;
  }

  get isBroughtIn(): boolean {
    return this.content.opinions.some(({ node }) => node.parent !== null);
  }

  get opinions(): readonly SpecOpinion[] {
    return this.content.opinions;
  }

  get layers(): readonly Layer[] {
    return this.content.opinions.map(({ layer }) => layer);
  }

  get children(): readonly ComposedPrim[] {
    this.#children ??= this.#composeChildren(this.path === '/' ? null : this);
    return this.#children;
  }

  child(name: string): ComposedPrim | undefined {
    this.#byName ??= new Map(this.children.map((child) => [child.name, child]));
    return this.#byName.get(name);
  }

  arcs(): readonly StageArc[] {
    return this.content.index.contributing.flatMap(({ arc, stack, site, isDirect }): readonly StageArc[] => {
      const type = ARC_NAMES[arc];
      return type === 'root' ? [] : [{ type, layer: stack.root, path: site.path, isAncestral: !isDirect }];
    });
  }

  variantSets(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const { site } of this.content.index.contributing) {
      for (const set of site.variantSets()) {
        found.set(set, [...new Set([...(found.get(set) ?? []), ...site.variants(set)])]);
      }
    }
    return found;
  }

  propertyNames(): readonly string[] {
    return this.content.properties.list;
  }

  attribute(name: string): StageAttribute | null {
    const opinions = this.#property(name, SPEC_TYPE.attribute);
    return opinions && new ComposedAttribute(name, opinions, this);
  }

  relationship(name: string): StageRelationship | null {
    const opinions = this.#property(name, SPEC_TYPE.relationship);
    return opinions && new ComposedRelationship(name, opinions, this);
  }

  metadata(field: string): Value | undefined {
    if (field === 'specifier') return { type: 'Specifier', array: false, value: this.specifier };
    return composeMetadata(this.content.opinions, field);
  }

  targets(opinions: readonly SpecOpinion[], field: 'targetPaths' | 'connectionPaths'): readonly string[] {
    if (!opinions.some(({ spec }) => spec.has(field))) return NO_PATHS;
    const paths = composeTargets(opinions, field, this.content.context.composer.findings);
    return this.#scope === null ? paths : paths.map((path) => throughScopes(path, this.#scope));
  }

  /** Opinions about a property; null if there are none or the strongest has another spec type. */
  #property(name: string, type: SpecType): readonly SpecOpinion[] | null {
    const opinions = this.content.property(name);
    return opinions.length > 0 && opinions[0].spec.type === type ? opinions : null;
  }

  #composeChildren(parent: ComposedPrim | null): ComposedPrim[] {
    const { content } = this;
    const source = content.index.isInstance ? content.prototype : content;
    const scope = source.index.isInstance
      ? { source: source.path, target: this.path, outer: this.#scope }
      : this.#scope;
    const children: ComposedPrim[] = [];
    for (const name of source.childNames) {
      content.context.composer.countPrim(this.path.length + name.length + 1);
      const child = source.child(name);
      if (child.opinions.length === 0 || !child.isActive) continue;
      // Outside of instances, use the string that the content holds already.
      const path = scope === null ? child.path : appendChild(this.path, name);
      children.push(new ComposedPrim(name, path, child, parent, scope));
    }
    return children;
  }
}
