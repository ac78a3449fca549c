// The values of layers as readers give them and the crate writer takes them, with the names of OpenUSD: spec types, value
// types, list ops, references, time samples.

import type { ValueTypeName } from './valueRep.ts';

/** The types of specs, with their numbers in a crate (OpenUSD SdfSpecType). */
export const SPEC_TYPE = {
  attribute: 1,
  connection: 2,
  expression: 3,
  mapper: 4,
  mapperArg: 5,
  prim: 6,
  pseudoRoot: 7,
  relationship: 8,
  relationshipTarget: 9,
  variant: 10,
  variantSet: 11,
} as const;

export type SpecType = (typeof SPEC_TYPE)[keyof typeof SPEC_TYPE];

/**
 * A decoded value. `type` is its type, and `value` holds:
 *
 * | type | scalar | array (`array: true`) |
 * | --- | --- | --- |
 * | Bool | boolean | Uint8Array of 0/1 |
 * | UChar Int UInt Float Double TimeCode | number | Uint8Array Int32Array Uint32Array Float32Array Float64Array Float64Array |
 * | Half | number | Float32Array (widened) |
 * | Int64 UInt64 | bigint | BigInt64Array BigUint64Array |
 * | VecN* Quat* Matrix* | number[] (quats as i, j, k, real; matrices row-major) | the flat typed array of the component type, halves widened |
 * | String Token AssetPath PathExpression | string | string[] |
 * | Specifier Permission Variability | string: def/over/class, public/private, varying/uniform | |
 * | Dictionary | Map<string, Value> | |
 * | …ListOp | ListOp<item> | |
 * | PathVector TokenVector StringVector | string[] | |
 * | DoubleVector | Float64Array | |
 * | LayerOffsetVector | LayerOffset[] | |
 * | VariantSelectionMap | Map<string, string> | |
 * | TimeSamples | TimeSamples | |
 * | Payload | Reference (customData empty) | |
 * | Relocates | [source, target][] | |
 * | ValueBlock AnimationBlock | null | |
 * | Value UnregisteredValue | Value (an UnregisteredValue of text holds a String) | |
 * | Spline | null (known but not evaluated) | |
 *
 * Arrays can be views of the bytes of the file. Do not write to them.
 */
export interface Value {
  readonly type: ValueTypeName;
  readonly array: boolean;
  readonly value: unknown;
}

export interface ListOp<T> {
  /** Whether an explicit list is authored, which may be empty. */
  readonly isExplicit: boolean;
  readonly explicit: readonly T[];
  readonly added: readonly T[];
  readonly prepended: readonly T[];
  readonly appended: readonly T[];
  readonly deleted: readonly T[];
  readonly ordered: readonly T[];
}

/** A reference or payload. Empty assetPath: an internal one. Empty primPath: its target is the default prim. */
export interface Reference {
  readonly assetPath: string;
  readonly primPath: string;
  readonly offset: number;
  readonly scale: number;
  readonly customData: ReadonlyMap<string, Value>;
}

export interface LayerOffset {
  readonly offset: number;
  readonly scale: number;
}

export interface TimeSamples {
  /** Ascending. */
  readonly times: Float64Array;
  /** Decodes sample i. */
  at(i: number): Value;
}
