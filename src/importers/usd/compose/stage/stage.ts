// The composed stage (OpenUSD, UsdStage): prims with resolved values, as geometry and materials read them. Its readers
// do not see how many layers and arcs it is composed of. Values are resolved at one time. By default it is the
// earliest, where the first time sample of a layer is stronger than the default of that layer
// (UsdTimeCode::EarliestTime).

import type { LimitWatch } from '../../../../diagnostics/limits.ts';
import type { ArrayEnds, IntegerFacts, Layer, LayerOffset, Spec, Value, ValueTypeName } from '../../layer.ts';
import type { VariantChoice } from '../index/indexContext.ts';

/** A resolved value and the layer that authors it. Asset paths in the value are anchored to that layer. */
export interface Opinion {
  readonly value: Value;
  readonly layer: Layer;
}

/** The time samples that give an attribute its value. */
export interface AttributeSamples {
  /** In time codes of the stage, not descending; at least one. They may be infinite. */
  readonly times: Float64Array;
  /** Decodes sample i; null: a block, from which on there is no value. */
  at(i: number): Value | null;
}

export interface StageAttribute {
  readonly path: string;
  readonly name: string;
  /** The declared type, such as `point3f[]` or `token`; may be empty. */
  readonly typeName: string;
  /** The attribute has more than one time sample, or a spline. */
  readonly isAnimated: boolean;
  /** The value at the time of the stage; null if none is authored or the strongest opinion is a block. */
  get(): Opinion | null;
  /** All time samples if the value comes from such; null if it comes from a default, or if there is none. Reports splines. */
  samples(): AttributeSamples | null;
  /** The type and element count (-1: a scalar) of the value of `get`, without decoding an array; null as for `get`. */
  peek(): { readonly type: ValueTypeName; readonly count: number } | null;
  /** The ends of the value of `get` where that would have to be unpacked for them; null otherwise. */
  ends(): ArrayEnds | null;
  /** Facts of the value of `get`, a long array of type Int, where that would have to be unpacked for them; null otherwise. */
  facts(): IntegerFacts | null;
  /** Equal for attributes whose value comes from the same opinion; null for time samples and for no value. */
  origin(): object | null;
  /** Paths of the attributes that this one is connected to. */
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
  /** The root layer of the layer stack of its target. */
  readonly layer: Layer;
  /** The path of its target, with variant selections: `/Chair{color=red}`. */
  readonly path: string;
  /** It is authored on an ancestor of this prim. */
  readonly isAncestral: boolean;
}

/** A spec that a prim is composed of. */
export interface PrimOpinion {
  readonly spec: Spec;
  /** Converts the time of the spec's layer to the stage's. */
  readonly offset: LayerOffset;
}

export interface StagePrim {
  readonly path: string;
  readonly name: string;
  /** Empty for a typeless prim. */
  readonly typeName: string;
  readonly specifier: Specifier;
  /** Its descendants are those of a prototype that equal instances share. They have opinions only from its arcs. */
  readonly isInstance: boolean;
  /** In an instance: an object that all instances of the same prototype share for this prim. Else null. */
  readonly prototype: object | null;
  /** An arc brings in at least one opinion. Else all opinions are authored at its path in the root layer stack. */
  readonly isBroughtIn: boolean;
  /** Strongest first. */
  readonly opinions: readonly PrimOpinion[];
  /** The specifier is `def` or `class` here and on every ancestor. */
  readonly isDefined: boolean;
  /** The specifier is `class` here or on an ancestor: the prim is never drawn. */
  readonly isAbstract: boolean;
  /** null for the children of the pseudo-root. */
  readonly parent: StagePrim | null;
  /** Active children in namespace order. */
  readonly children: readonly StagePrim[];
  /** The arcs that bring in opinions, strongest first. */
  arcs(): readonly StageArc[];
  /** Its variant sets with the names of their variants, those of the strongest opinions first. */
  variantSets(): ReadonlyMap<string, readonly string[]>;
  propertyNames(): readonly string[];
  attribute(name: string): StageAttribute | null;
  relationship(name: string): StageRelationship | null;
  metadata(field: string): Value | undefined;
}

export interface Stage {
  readonly rootLayer: Layer;
  readonly limits: LimitWatch;
  /** Time codes in a second, not 0; with a negative rate time runs backwards. Reports a rate that cannot be used. */
  readonly timeCodesPerSecond: number;
  /** Prims below the pseudo-root. */
  readonly children: readonly StagePrim[];
  /** The active prim at an absolute path; prims of instances by their paths below the instance. */
  prim(path: string): StagePrim | undefined;
  /** Metadata of the stage (upAxis, metersPerUnit …), which is that of the root layer. */
  metadata(field: string): Value | undefined;
  /** The stage with further choices of variants, each for a prim that has the variant. Throws what opening a stage does. */
  beside(choices: readonly VariantChoice[]): Stage;
  /**
   * Call this once after the stage and those beside it were walked. Reports UC1720 for each variant that the caller chooses and no
   * prim has, and UC1719 if arcs with missing targets were dropped.
   */
  finish(): void;
}

/** Names of a prim's attributes that have more than one time sample, in property order. */
export function animatedAttributes(prim: StagePrim): string[] {
  return prim.propertyNames().filter((name) => prim.attribute(name)?.isAnimated);
}
