// The composed stage: prims with resolved values, as geometry and materials read them (OpenUSD, UsdStage). What is behind
// it, one layer or many with arcs between them, shows only in which layer an opinion names. Values are resolved at one
// time, by default the earliest: within a layer the first time sample wins over the default (UsdTimeCode::EarliestTime).

import type { Layer, LayerOffset, Spec, Value, ValueTypeName } from '../../layer.ts';

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
  /** The same object for attributes that have their value from the same opinion; null for time samples and no value. */
  origin(): object | null;
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

/** An arc that brings opinions into a prim. */
export interface StageArc {
  readonly type: 'inherit' | 'variant' | 'relocate' | 'reference' | 'payload' | 'specialize';
  /** The root layer of the layer stack that it leads to. */
  readonly layer: Layer;
  /** The path there, with variant selections: `/Chair{color=red}`. */
  readonly path: string;
  /** It is authored on a prim above; this prim is below the one that it brings in. */
  readonly isAncestral: boolean;
}

/** A spec that a prim is composed of. */
export interface PrimOpinion {
  readonly spec: Spec;
  /** From the time of the spec's layer to the stage's. */
  readonly offset: LayerOffset;
}

export interface StagePrim {
  readonly path: string;
  readonly name: string;
  /** Empty for a typeless prim. */
  readonly typeName: string;
  readonly specifier: Specifier;
  /** Its descendants are those of a prototype that equal instances share; opinions beside its arcs do not reach them. */
  readonly isInstance: boolean;
  /** In an instance: the same object for what is the same prim of instances of one prototype. Else null. */
  readonly prototype: object | null;
  /** Arcs bring in something of it. Else its opinions are authored at its own path, in the stage's root layer stack. */
  readonly isBroughtIn: boolean;
  /** Strongest first. */
  readonly opinions: readonly PrimOpinion[];
  /** `def` or `class` here and on every ancestor. */
  readonly isDefined: boolean;
  /** `class` here or on an ancestor: never drawn. */
  readonly isAbstract: boolean;
  /** null for the children of the pseudo-root. */
  readonly parent: StagePrim | null;
  /** Active children in namespace order. */
  readonly children: readonly StagePrim[];
  /** Strongest first; those that bring in no opinion are left out. */
  arcs(): readonly StageArc[];
  propertyNames(): readonly string[];
  attribute(name: string): StageAttribute | null;
  relationship(name: string): StageRelationship | null;
  metadata(field: string): Value | undefined;
}

export interface Stage {
  readonly rootLayer: Layer;
  /** Prims below the pseudo-root. */
  readonly children: readonly StagePrim[];
  /** The active prim at an absolute path; prims of instances by their paths below the instance. */
  prim(path: string): StagePrim | undefined;
  /** Stage metadata (upAxis, metersPerUnit …): the root layer's. */
  metadata(field: string): Value | undefined;
  /**
   * Says what can be said only when the stage was walked: UC1720 for each chosen variant that names nothing, UC1719 when
   * missing targets were dropped.
   */
  finish(): void;
}

/** Names of a prim's attributes that have more than one time sample, in property order. */
export function animatedAttributes(prim: StagePrim): string[] {
  return prim.propertyNames().filter((name) => prim.attribute(name)?.isAnimated);
}
