// The names of value types in usda text, and the layout of their values (OpenUSD, sdf/schema.cpp, with the legacy names
// that the text reader of OpenUSD still accepts).

import type { ValueTypeName } from '../../layer.ts';

/** The type of one component of a value. */
export type Component =
  | 'bool'
  | 'uchar'
  | 'int'
  | 'uint'
  | 'int64'
  | 'uint64'
  | 'half'
  | 'float'
  | 'double'
  | 'string'
  | 'token'
  | 'asset'
  | 'pathExpression'
  | 'opaque';

export interface ValueType {
  readonly value: ValueTypeName;
  readonly component: Component;
  /** The depth of parentheses around one value: 0 for a number or string, 1 for a tuple, 2 for a matrix. */
  readonly rank: 0 | 1 | 2;
  /** The count of items in each pair of parentheses. */
  readonly width: number;
  /** True for quaternions: text has (real, i, j, k), a value holds (i, j, k, real). */
  readonly quaternion: boolean;
}

const TYPES = new Map<string, ValueType>();

function scalar(value: ValueTypeName, component: Component, ...names: string[]): void {
  for (const name of names) TYPES.set(name, { value, component, rank: 0, width: 1, quaternion: false });
}

function tuple(value: ValueTypeName, component: Component, width: number, ...names: string[]): void {
  const quaternion = value.startsWith('Quat');
  for (const name of names) TYPES.set(name, { value, component, rank: 1, width, quaternion });
}

function matrix(value: ValueTypeName, width: number, ...names: string[]): void {
  for (const name of names) TYPES.set(name, { value, component: 'double', rank: 2, width, quaternion: false });
}

scalar('Bool', 'bool', 'bool');
scalar('UChar', 'uchar', 'uchar');
scalar('Int', 'int', 'int', 'PointIndex', 'EdgeIndex', 'FaceIndex');
scalar('UInt', 'uint', 'uint');
scalar('Int64', 'int64', 'int64');
scalar('UInt64', 'uint64', 'uint64');
scalar('Half', 'half', 'half');
scalar('Float', 'float', 'float');
scalar('Double', 'double', 'double');
scalar('TimeCode', 'double', 'timecode');
scalar('String', 'string', 'string');
scalar('Token', 'token', 'token', 'Schema');
scalar('AssetPath', 'asset', 'asset');
scalar('PathExpression', 'pathExpression', 'pathExpression');
// Attributes of these types exist to be connected; they never hold a value.
scalar('ValueBlock', 'opaque', 'opaque', 'group');

tuple('Vec2i', 'int', 2, 'int2', 'Vec2i');
tuple('Vec3i', 'int', 3, 'int3', 'Vec3i');
tuple('Vec4i', 'int', 4, 'int4', 'Vec4i');
tuple('Vec2h', 'half', 2, 'half2', 'texCoord2h', 'Vec2h');
tuple('Vec2f', 'float', 2, 'float2', 'texCoord2f', 'Vec2f');
tuple('Vec2d', 'double', 2, 'double2', 'texCoord2d', 'Vec2d');
tuple('Vec3h', 'half', 3, 'half3', 'point3h', 'vector3h', 'normal3h', 'color3h', 'texCoord3h', 'Vec3h');
tuple('Vec3f', 'float', 3, 'float3', 'point3f', 'vector3f', 'normal3f', 'color3f', 'texCoord3f', 'Vec3f');
tuple('Vec3f', 'float', 3, 'PointFloat', 'NormalFloat', 'VectorFloat', 'ColorFloat');
tuple('Vec3d', 'double', 3, 'double3', 'point3d', 'vector3d', 'normal3d', 'color3d', 'texCoord3d', 'Vec3d');
tuple('Vec3d', 'double', 3, 'Point', 'Normal', 'Vector', 'Color');
tuple('Vec4h', 'half', 4, 'half4', 'color4h', 'Vec4h');
tuple('Vec4f', 'float', 4, 'float4', 'color4f', 'Vec4f');
tuple('Vec4d', 'double', 4, 'double4', 'color4d', 'Vec4d');
tuple('Quath', 'half', 4, 'quath', 'Quath');
tuple('Quatf', 'float', 4, 'quatf', 'Quatf');
tuple('Quatd', 'double', 4, 'quatd', 'Quatd');
matrix('Matrix2d', 2, 'matrix2d', 'Matrix2d');
matrix('Matrix3d', 3, 'matrix3d', 'Matrix3d');
matrix('Matrix4d', 4, 'matrix4d', 'frame4d', 'Matrix4d', 'Frame', 'Transform');

/** The value type by its name without `[]`; undefined if USD has no such type. */
export function findValueType(name: string): ValueType | undefined {
  return TYPES.get(name);
}

/** The count of numbers in one value of the type: 16 for a matrix4d. */
export function arity(type: ValueType): number {
  return type.rank === 0 ? 1 : type.rank === 1 ? type.width : type.width * type.width;
}

const ARITY = new Map<ValueTypeName, number>([...TYPES.values()].map((type) => [type.value, arity(type)]));

/** The count of numbers in one value, by the name of the value's type; 1 for types without numbers. */
export function arityOf(value: ValueTypeName): number {
  return ARITY.get(value) ?? 1;
}
