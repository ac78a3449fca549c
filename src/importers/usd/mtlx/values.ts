// Converts MaterialX types and value strings to USD types and values (OpenUSD, usdMtlx/utils.cpp).

import type { Value, ValueTypeName } from '../layer.ts';

interface UsdType {
  /** The name of the type in a declaration: `color3f`. */
  readonly name: string;
  readonly value: ValueTypeName;
  /** The count of numbers in one value; 0 for text. */
  readonly size: number;
}

const TYPES = new Map<string, UsdType>([
  ['boolean', { name: 'bool', value: 'Bool', size: 1 }],
  ['integer', { name: 'int', value: 'Int', size: 1 }],
  ['float', { name: 'float', value: 'Float', size: 1 }],
  ['color2', { name: 'float2', value: 'Vec2f', size: 2 }],
  ['color3', { name: 'color3f', value: 'Vec3f', size: 3 }],
  ['color4', { name: 'color4f', value: 'Vec4f', size: 4 }],
  ['vector2', { name: 'float2', value: 'Vec2f', size: 2 }],
  ['vector3', { name: 'float3', value: 'Vec3f', size: 3 }],
  ['vector4', { name: 'float4', value: 'Vec4f', size: 4 }],
  ['matrix33', { name: 'matrix3d', value: 'Matrix3d', size: 9 }],
  ['matrix44', { name: 'matrix4d', value: 'Matrix4d', size: 16 }],
  ['string', { name: 'string', value: 'String', size: 0 }],
  ['geomname', { name: 'string', value: 'String', size: 0 }],
  ['filename', { name: 'asset', value: 'AssetPath', size: 0 }],
]);

const ARRAY = 'array';

/** The name of the USD type for a MaterialX type; null for types that become tokens. */
export function usdTypeName(type: string): string | null {
  const array = type.endsWith(ARRAY);
  const found = TYPES.get(array ? type.slice(0, -ARRAY.length) : type);
  if (!found) return null;
  return array ? `${found.name}[]` : found.name;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function numbers(text: string): number[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.every((part) => NUMBER.test(part)) ? parts.map(Number) : null;
}

function booleanValue(text: string): boolean | null {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}

function arrayValue(type: UsdType, text: string): Value | null {
  if (type.value === 'Bool') {
    const flags = text.split(/[\s,]+/).flatMap((part) => (part === '' ? [] : [booleanValue(part)]));
    return flags.includes(null)
      ? null
      : { type: 'Bool', array: true, value: Uint8Array.from(flags, (f) => (f ? 1 : 0)) };
  }
  if (type.size === 0) {
    const parts = text.split(',').map((part) => part.trim());
    return { type: type.value, array: true, value: parts.filter((part) => part !== '') };
  }
  const list = numbers(text);
  if (list === null || list.length % type.size !== 0) return null;
  const store = type.value === 'Int' ? Int32Array : type.value.startsWith('Matrix') ? Float64Array : Float32Array;
  return { type: type.value, array: true, value: store.from(list) };
}

/** Parses a value of a MaterialX type; null if the string is not a value of the type, or the type has no values. */
export function usdValue(type: string, text: string): Value | null {
  const array = type.endsWith(ARRAY);
  const found = TYPES.get(array ? type.slice(0, -ARRAY.length) : type);
  if (!found) return null;
  if (array) return arrayValue(found, text);
  if (found.size === 0) return { type: found.value, array: false, value: text };
  if (found.value === 'Bool') {
    const flag = booleanValue(text.trim());
    return flag === null ? null : { type: 'Bool', array: false, value: flag };
  }
  const list = numbers(text);
  if (list === null || list.length !== found.size) return null;
  if (found.value === 'Int') {
    const int = list[0];
    return Number.isInteger(int) && Math.abs(int) < 2 ** 31 ? { type: 'Int', array: false, value: int } : null;
  }
  const stored = found.value.startsWith('Matrix') ? list : list.map(Math.fround);
  return { type: found.value, array: false, value: found.size === 1 ? stored[0] : stored };
}
