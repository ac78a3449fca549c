// Value representations of crates (OpenUSD, usd/crateFile.h, ValueRep): a 64-bit word with the type and the offset of a
// value, and the table of value types (usd/crateDataTypes.h). Bits in version 0.14: 63 array, 62 inlined, 61
// compressed, 60 array edit, 48-55 type, 0-47 offset or inlined data.

/** The names of value types by number; 0 is invalid. */
export const VALUE_TYPES = [
  null,
  'Bool',
  'UChar',
  'Int',
  'UInt',
  'Int64',
  'UInt64',
  'Half',
  'Float',
  'Double',
  'String',
  'Token',
  'AssetPath',
  'Matrix2d',
  'Matrix3d',
  'Matrix4d',
  'Quatd',
  'Quatf',
  'Quath',
  'Vec2d',
  'Vec2f',
  'Vec2h',
  'Vec2i',
  'Vec3d',
  'Vec3f',
  'Vec3h',
  'Vec3i',
  'Vec4d',
  'Vec4f',
  'Vec4h',
  'Vec4i',
  'Dictionary',
  'TokenListOp',
  'StringListOp',
  'PathListOp',
  'ReferenceListOp',
  'IntListOp',
  'Int64ListOp',
  'UIntListOp',
  'UInt64ListOp',
  'PathVector',
  'TokenVector',
  'Specifier',
  'Permission',
  'Variability',
  'VariantSelectionMap',
  'TimeSamples',
  'Payload',
  'DoubleVector',
  'LayerOffsetVector',
  'StringVector',
  'ValueBlock',
  'Value',
  'UnregisteredValue',
  'UnregisteredValueListOp',
  'PayloadListOp',
  'TimeCode',
  'PathExpression',
  'Relocates',
  'Spline',
  'AnimationBlock',
] as const;

/** The value types, with the names that OpenUSD gives them in a crate. */
export type ValueTypeName = NonNullable<(typeof VALUE_TYPES)[number]>;

/** The stored type of one component of a numeric type. */
export type Component = 'u8' | 'i32' | 'u32' | 'i64' | 'u64' | 'f16' | 'f32' | 'f64';

export const COMPONENT_BYTES: Readonly<Record<Component, number>> = {
  u8: 1,
  i32: 4,
  u32: 4,
  i64: 8,
  u64: 8,
  f16: 2,
  f32: 4,
  f64: 8,
};

export interface ElementLayout {
  readonly component: Component;
  readonly components: number;
}

const element = (component: Component, components: number): ElementLayout => ({ component, components });

/** The element layout of the types that consist of plain numbers, in arrays and for single values at an offset. */
export const ELEMENT_LAYOUT: Readonly<Partial<Record<ValueTypeName, ElementLayout>>> = {
  Bool: element('u8', 1),
  UChar: element('u8', 1),
  Int: element('i32', 1),
  UInt: element('u32', 1),
  Int64: element('i64', 1),
  UInt64: element('u64', 1),
  Half: element('f16', 1),
  Float: element('f32', 1),
  Double: element('f64', 1),
  TimeCode: element('f64', 1),
  Matrix2d: element('f64', 4),
  Matrix3d: element('f64', 9),
  Matrix4d: element('f64', 16),
  Quatd: element('f64', 4),
  Quatf: element('f32', 4),
  Quath: element('f16', 4),
  Vec2d: element('f64', 2),
  Vec2f: element('f32', 2),
  Vec2h: element('f16', 2),
  Vec2i: element('i32', 2),
  Vec3d: element('f64', 3),
  Vec3f: element('f32', 3),
  Vec3h: element('f16', 3),
  Vec3i: element('i32', 3),
  Vec4d: element('f64', 4),
  Vec4f: element('f32', 4),
  Vec4h: element('f16', 4),
  Vec4i: element('i32', 4),
};

/** The types whose arrays hold u32 indexes, with the table of the index. */
export const INDEXED_ARRAY: Readonly<Partial<Record<ValueTypeName, 'token' | 'string'>>> = {
  Token: 'token',
  String: 'string',
  AssetPath: 'string',
  PathExpression: 'string',
};

// The flags and the type of a representation, from its high word.
export const isArray = (high: number): boolean => (high & 0x80000000) !== 0;
export const isInlined = (high: number): boolean => (high & 0x40000000) !== 0;
export const isCompressed = (high: number): boolean => (high & 0x20000000) !== 0;
export const isArrayEdit = (high: number): boolean => (high & 0x10000000) !== 0;
export const typeNumber = (high: number): number => (high >>> 16) & 0xff;
export const payloadOf = (low: number, high: number): number => (high & 0xffff) * 2 ** 32 + low;

/** Whether a representation can be read, or the reason why not. */
export type Readability = 'readable' | 'unknownType' | 'arrayEdit';

export function readability(high: number): Readability {
  if (isArrayEdit(high)) return 'arrayEdit';
  const name = VALUE_TYPES[typeNumber(high)];
  if (!name) return 'unknownType';
  if (isArray(high) && !(name in ELEMENT_LAYOUT) && !(name in INDEXED_ARRAY)) return 'unknownType';
  return 'readable';
}

/** The type of a representation for messages: `Vec3f[]`, `type 77`. */
export function describeType(high: number): string {
  const number = typeNumber(high);
  const name = VALUE_TYPES[number];
  return `${name ?? `type ${number}`}${isArray(high) ? '[]' : ''}`;
}
