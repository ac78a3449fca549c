// One USD layer as specs with fields, without composition, as all layer readers give it. Crate and text of equal
// content give equal layers. Names are those of OpenUSD: specs, fields, list ops, value types.

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

/** The value types, with the names that OpenUSD gives them in a crate. */
export type ValueTypeName =
  | 'Bool'
  | 'UChar'
  | 'Int'
  | 'UInt'
  | 'Int64'
  | 'UInt64'
  | 'Half'
  | 'Float'
  | 'Double'
  | 'String'
  | 'Token'
  | 'AssetPath'
  | 'Matrix2d'
  | 'Matrix3d'
  | 'Matrix4d'
  | 'Quatd'
  | 'Quatf'
  | 'Quath'
  | 'Vec2d'
  | 'Vec2f'
  | 'Vec2h'
  | 'Vec2i'
  | 'Vec3d'
  | 'Vec3f'
  | 'Vec3h'
  | 'Vec3i'
  | 'Vec4d'
  | 'Vec4f'
  | 'Vec4h'
  | 'Vec4i'
  | 'Dictionary'
  | 'TokenListOp'
  | 'StringListOp'
  | 'PathListOp'
  | 'ReferenceListOp'
  | 'IntListOp'
  | 'Int64ListOp'
  | 'UIntListOp'
  | 'UInt64ListOp'
  | 'PathVector'
  | 'TokenVector'
  | 'Specifier'
  | 'Permission'
  | 'Variability'
  | 'VariantSelectionMap'
  | 'TimeSamples'
  | 'Payload'
  | 'DoubleVector'
  | 'LayerOffsetVector'
  | 'StringVector'
  | 'ValueBlock'
  | 'Value'
  | 'UnregisteredValue'
  | 'UnregisteredValueListOp'
  | 'PayloadListOp'
  | 'TimeCode'
  | 'PathExpression'
  | 'Relocates'
  | 'Spline'
  | 'AnimationBlock';

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
