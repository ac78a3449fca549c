// The composed stage: prims with resolved values, as geometry and materials read them. What is behind it (one layer, or
// layers with arcs) shows only in which layer an opinion names. Values are resolved at the earliest time: within a
// layer the first time sample wins over the default (OpenUSD UsdTimeCode::EarliestTime).

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import {
  type Layer,
  type ListOp,
  SPEC_TYPE,
  type Spec,
  type TimeSamples,
  type Value,
  type ValueTypeName,
} from '../layer.ts';
import { layerArcs, primArcs } from './arcs.ts';
import { applyListOp, reorder } from './listOp.ts';
import { booleanOf, componentsOf, textOf, textsOf } from './values.ts';

/** A resolved value and the layer that authored it: asset paths are anchored there. */
export interface Opinion {
  readonly value: Value;
  readonly layer: Layer;
}

export interface StageAttribute {
  readonly path: string;
  readonly name: string;
  /** As declared: `point3f[]`, `token`; may be empty. */
  readonly typeName: string;
  /** More than one time sample, or a spline. */
  readonly isAnimated: boolean;
  /** The value at the earliest time; null when none is authored or the strongest opinion is a block. */
  get(): Opinion | null;
  /** Type and element count (-1: a scalar) of that value without decoding an array; null as `get`. */
  peek(): { readonly type: ValueTypeName; readonly count: number } | null;
  /** Paths of the attributes it is connected to. */
  connections(): readonly string[];
  metadata(field: string): Value | undefined;
}

export interface StageRelationship {
  readonly path: string;
  targets(): readonly string[];
  metadata(field: string): Value | undefined;
}

export type Specifier = 'def' | 'over' | 'class';

export interface StagePrim {
  readonly path: string;
  readonly name: string;
  /** Empty for a typeless prim. */
  readonly typeName: string;
  readonly specifier: Specifier;
  /** `def` or `class` here and on every ancestor. */
  readonly isDefined: boolean;
  /** `class` here or on an ancestor: never drawn. */
  readonly isAbstract: boolean;
  /** null for the children of the pseudo-root. */
  readonly parent: StagePrim | null;
  /** Active children in namespace order. */
  readonly children: readonly StagePrim[];
  propertyNames(): readonly string[];
  attribute(name: string): StageAttribute | null;
  relationship(name: string): StageRelationship | null;
  metadata(field: string): Value | undefined;
}

export interface Stage {
  readonly rootLayer: Layer;
  /** Prims below the pseudo-root. */
  readonly children: readonly StagePrim[];
  /** The active prim at an absolute path. */
  prim(path: string): StagePrim | undefined;
  /** Stage metadata (upAxis, metersPerUnit …): the root layer's. */
  metadata(field: string): Value | undefined;
}

function isBlock(value: Value): boolean {
  return value.type === 'ValueBlock' || value.type === 'AnimationBlock';
}

/** The paths that a single layer's list op leaves. */
function pathsOf(value: Value | undefined): readonly string[] {
  return value?.type === 'PathListOp' ? applyListOp(value.value as ListOp<string>, []) : [];
}

class LayerAttribute implements StageAttribute {
  readonly path: string;
  readonly name: string;
  readonly #spec: Spec;
  readonly #layer: Layer;
  readonly #diagnostics: Diagnostics;

  constructor(name: string, spec: Spec, layer: Layer, diagnostics: Diagnostics) {
    this.path = spec.path;
    this.name = name;
    this.#spec = spec;
    this.#layer = layer;
    this.#diagnostics = diagnostics;
  }

  get typeName(): string {
    return textOf(this.#spec.get('typeName')) ?? '';
  }

  get isAnimated(): boolean {
    return (this.#samples()?.times.length ?? 0) > 1 || this.#spec.has('spline');
  }

  #samples(): TimeSamples | null {
    const value = this.#spec.get('timeSamples');
    if (value?.type !== 'TimeSamples') return null;
    const samples = value.value as TimeSamples;
    return samples.times.length > 0 ? samples : null;
  }

  get(): Opinion | null {
    const samples = this.#samples();
    if (!samples && this.#spec.has('spline')) {
      const message = 'the spline is not evaluated; the default value is used';
      this.#diagnostics.report('UC1701', this.#layer.identifier, this.path, message);
    }
    const value = samples ? samples.at(0) : this.#spec.get('default');
    return value === undefined || isBlock(value) ? null : { value, layer: this.#layer };
  }

  peek(): { readonly type: ValueTypeName; readonly count: number } | null {
    if (!this.#samples()) {
      const found = this.#spec.peek('default');
      return found === null || found.type === 'ValueBlock' || found.type === 'AnimationBlock' ? null : found;
    }
    const value = this.get()?.value;
    if (!value) return null;
    if (!value.array) return { type: value.type, count: -1 };
    return { type: value.type, count: (value.value as ArrayLike<unknown>).length / (componentsOf(value.type) || 1) };
  }

  connections(): readonly string[] {
    return pathsOf(this.#spec.get('connectionPaths'));
  }

  metadata(field: string): Value | undefined {
    return this.#spec.get(field);
  }
}

class LayerRelationship implements StageRelationship {
  readonly path: string;
  readonly #spec: Spec;

  constructor(spec: Spec) {
    this.path = spec.path;
    this.#spec = spec;
  }

  targets(): readonly string[] {
    return pathsOf(this.#spec.get('targetPaths'));
  }

  metadata(field: string): Value | undefined {
    return this.#spec.get(field);
  }
}

class LayerPrim implements StagePrim {
  readonly path: string;
  readonly name: string;
  readonly typeName: string;
  readonly specifier: Specifier;
  readonly isDefined: boolean;
  readonly isAbstract: boolean;
  readonly parent: LayerPrim | null;
  readonly children: LayerPrim[] = [];
  readonly spec: Spec;
  readonly #layer: Layer;
  readonly #diagnostics: Diagnostics;

  constructor(name: string, spec: Spec, parent: LayerPrim | null, layer: Layer, diagnostics: Diagnostics) {
    const typeName = textOf(spec.get('typeName')) ?? '';
    const specifier = spec.get('specifier');
    this.path = spec.path;
    this.name = name;
    this.typeName = typeName === '__AnyType__' ? '' : typeName;
    this.specifier = specifier?.type === 'Specifier' ? (specifier.value as Specifier) : 'over';
    this.isDefined = this.specifier !== 'over' && (parent === null || parent.isDefined);
    this.isAbstract = this.specifier === 'class' || (parent?.isAbstract ?? false);
    this.parent = parent;
    this.spec = spec;
    this.#layer = layer;
    this.#diagnostics = diagnostics;
  }

  #property(name: string, type: number): Spec | null {
    const spec = this.#layer.specs.get(`${this.path}.${name}`);
    return spec && spec.type === type ? spec : null;
  }

  propertyNames(): readonly string[] {
    const names = textsOf(this.spec.get('properties')) ?? [];
    const order = textsOf(this.spec.get('propertyOrder'));
    return order ? reorder(names, order) : names;
  }

  attribute(name: string): StageAttribute | null {
    const spec = this.#property(name, SPEC_TYPE.attribute);
    return spec && new LayerAttribute(name, spec, this.#layer, this.#diagnostics);
  }

  relationship(name: string): StageRelationship | null {
    const spec = this.#property(name, SPEC_TYPE.relationship);
    return spec && new LayerRelationship(spec);
  }

  metadata(field: string): Value | undefined {
    return this.spec.get(field);
  }
}

function childNames(spec: Spec): readonly string[] {
  const names = [...new Set(textsOf(spec.get('primChildren')) ?? [])];
  const order = textsOf(spec.get('primOrder'));
  return order ? reorder(names, order) : names;
}

/**
 * Opens a layer as a stage. Inactive prims (`active = false`) and what is below them are left out. Throws SourceError:
 * UC1700 for each arc that would contribute, all of them together. Arcs below classes and undefined prims (an `over`
 * without arcs of its own) contribute nothing and are let be.
 */
export function openStage(layer: Layer, diagnostics: Diagnostics): Stage {
  const prims = new Map<string, LayerPrim>();
  const roots: LayerPrim[] = [];
  const root = layer.specs.get('/');
  const refuse = (path: string, kinds: readonly string[]) => {
    const message = `this build reads single layers; here are ${kinds.join(', ')} that would bring in more`;
    diagnostics.report('UC1700', layer.identifier, path, message);
  };
  if (root) {
    const arcs = layerArcs(root);
    if (arcs.length > 0) refuse('/', arcs);
  }
  // Explicit stack of prims whose children are still to come; `dead`: nothing below can be drawn, whatever it brings in.
  const pending: { readonly prim: LayerPrim | null; readonly spec: Spec; readonly dead: boolean }[] = [];
  if (root) pending.push({ prim: null, spec: root, dead: false });
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { prim: parent, spec: parentSpec, dead } = next;
    const prefix = parent === null ? '/' : `${parent.path}/`;
    const siblings = parent === null ? roots : parent.children;
    for (const name of childNames(parentSpec)) {
      const spec = layer.specs.get(prefix + name);
      if (!spec || spec.type !== SPEC_TYPE.prim || booleanOf(spec.get('active')) === false) continue;
      const prim = new LayerPrim(name, spec, parent, layer, diagnostics);
      siblings.push(prim);
      prims.set(prim.path, prim);
      const arcs = dead || prim.isAbstract ? [] : primArcs(spec);
      if (arcs.length > 0) refuse(prim.path, arcs);
      pending.push({ prim, spec, dead: dead || prim.isAbstract || (prim.specifier === 'over' && arcs.length === 0) });
    }
  }
  diagnostics.throwIfErrors();
  return {
    rootLayer: layer,
    children: roots,
    prim: (path) => prims.get(path),
    metadata: (field) => root?.get(field),
  };
}

/** Names of a prim's attributes that have more than one time sample, in property order. */
export function animatedAttributes(prim: StagePrim): string[] {
  return prim.propertyNames().filter((name) => prim.attribute(name)?.isAnimated);
}
