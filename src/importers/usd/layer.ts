// One USD layer as specs with fields, without composition, as all layer readers give it. Crate and text of equal
// content give equal layers. Names are those of OpenUSD: specs, fields, list ops, value types.

import type { ValueTypeName } from '../../formats/usdc/valueRep.ts';
import type { SpecType, Value } from '../../formats/usdc/values.ts';

export type { ValueTypeName } from '../../formats/usdc/valueRep.ts';
export {
  type LayerOffset,
  type ListOp,
  type Reference,
  SPEC_TYPE,
  type SpecType,
  type TimeSamples,
  type Value,
} from '../../formats/usdc/values.ts';

/**
 * One spec. `path` is its absolute path as a crate spells it: `/`, `/A/B`, `/A.attr`, `/A{set=}` (a variant set),
 * `/A{set=name}` (a variant), `/A{set=name}B` (a prim in the variant).
 */
export interface Spec {
  readonly path: string;
  readonly type: SpecType;
  /** The names of the fields, in stored order. */
  fieldNames(): readonly string[];
  has(field: string): boolean;
  /** Decodes the value of a field; undefined if the field is absent. Throws SourceError if the value is corrupt. */
  get(field: string): Value | undefined;
  /**
   * The type and element count of a field, without decoding an array. Null if the field is absent. `type` is the type
   * of the value (`Vec3f`, `TokenListOp`); `count` is the length of the array, or -1 for a scalar.
   */
  peek(field: string): { readonly type: ValueTypeName; readonly count: number } | null;
  /** The ends of an array that `get` would have to unpack; null, or no such function, for all other fields. */
  ends?(field: string): ArrayEnds | null;
  /** Facts of a long array of type Int that `get` would have to unpack; null, or no such function, for all other fields. */
  facts?(field: string): IntegerFacts | null;
}

/** What can be known of a long array of integers without unpacking it. */
export interface IntegerFacts {
  readonly count: number;
  /** Exact below 2^53, and rounded beyond. */
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** What can be known of a long array without unpacking it. */
export interface ArrayEnds {
  /** How many elements it has. */
  readonly count: number;
  /** An array of its first and its last element. */
  readonly ends: Value;
}

export interface Layer {
  /** The name by which the layer was opened: a file path or `package.usdz[inner.usd]`. */
  readonly identifier: string;
  readonly format: 'usda' | 'usdc' | 'mtlx';
  /** The version that the file declares: `1.0` or `0.8.0`. */
  readonly version: string;
  /**
   * The specs by path, in stored order. Only in text does the spec of a prim always precede those of its descendants.
   */
  readonly specs: ReadonlyMap<string, Spec>;
}
