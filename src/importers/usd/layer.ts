// What both layer readers produce: one USD layer as specs with fields, nothing composed. Crate and text give equal
// layers for equal content. Names are OpenUSD's own: specs, fields, list ops, value types.

/** Types of specs that can appear; the numbers are the crate's. */
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
 * One spec. `path` is its absolute path as the crate spells it: `/`, `/A/B`, `/A.attr`, `/A{set=}` (a variant set),
 * `/A{set=name}` (a variant), `/A{set=name}B` (a prim in it).
 */
export interface Spec {
  readonly path: string;
  readonly type: SpecType;
  /** Names of the fields, in stored order. */
  fieldNames(): readonly string[];
  has(field: string): boolean;
  /** The field's value, decoded when asked; undefined when absent. Throws SourceError when it is corrupt. */
  get(field: string): Value | undefined;
  /**
   * The field's type name and element count without decoding an array: for planning. Null when absent.
   * `type` is the value's own type (`Vec3f`, `TokenListOp`), `count` the array's length or -1 for a scalar.
   */
  peek(field: string): { readonly type: ValueTypeName; readonly count: number } | null;
}

export interface Layer {
  /** As it was opened: a file path or `package.usdz[inner.usd]`. */
  readonly identifier: string;
  readonly format: 'usda' | 'usdc' | 'mtlx';
  /** Version text of the file, `1.0` or `0.8.0`. */
  readonly version: string;
  /** By path; insertion order is stored order; a prim's spec precedes its descendants' in usda only. */
  readonly specs: ReadonlyMap<string, Spec>;
}

/** Scalar value types, named as OpenUSD names them in a crate. */
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
 * A decoded value. `type` names it; `value` holds it:
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
 * Arrays may be views of the file's bytes: nobody writes to them.
 */
export interface Value {
  readonly type: ValueTypeName;
  readonly array: boolean;
  readonly value: unknown;
}

export interface ListOp<T> {
  /** True when an explicit list is authored, which may be empty. */
  readonly isExplicit: boolean;
  readonly explicit: readonly T[];
  readonly added: readonly T[];
  readonly prepended: readonly T[];
  readonly appended: readonly T[];
  readonly deleted: readonly T[];
  readonly ordered: readonly T[];
}

/** A reference or payload item; empty assetPath: internal; empty primPath: the target's default prim. */
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
