// Typed access to the values of a layer. Each function gives null if the value has another type, so that an opinion of
// a wrong type reads as not authored, as in OpenUSD.

import type { ListOp, Reference, Value, ValueTypeName } from '../../layer.ts';

type Maybe = Value | null | undefined;

const NUMBERS = new Set<ValueTypeName>([
  'UChar',
  'Int',
  'UInt',
  'Int64',
  'UInt64',
  'Half',
  'Float',
  'Double',
  'TimeCode',
]);

/** A scalar number of any precision; 64-bit integers become numbers. */
export function numberOf(value: Maybe): number | null {
  if (!value || value.array) return null;
  if (value.type === 'Bool') return value.value ? 1 : 0;
  if (!NUMBERS.has(value.type)) return null;
  return typeof value.value === 'bigint' ? Number(value.value) : (value.value as number);
}

/** A scalar boolean; 0 and 1 count too. */
export function booleanOf(value: Maybe): boolean | null {
  const number = numberOf(value);
  return number === null ? null : number !== 0;
}

const TUPLE = /^(?:Vec([234])[dfhi]|(Quat)[dfh]|Matrix([234])d)$/;

const components = new Map<ValueTypeName, number>();

/** The count of numbers in an element of a type: 1 for Float, 3 for Vec3f, 4 for Quatf, 16 for Matrix4d, 0 for text. */
export function componentsOf(type: ValueTypeName): number {
  const known = components.get(type);
  if (known !== undefined) return known;
  const count = countComponents(type);
  components.set(type, count);
  return count;
}

function countComponents(type: ValueTypeName): number {
  if (NUMBERS.has(type)) return 1;
  const match = TUPLE.exec(type);
  if (!match) return 0;
  if (match[2]) return 4;
  return match[1] ? Number(match[1]) : Number(match[3]) ** 2;
}

/** One tuple (Vec, Quat, Matrix) of exactly `size` numbers. */
export function tupleOf(value: Maybe, size: number): readonly number[] | null {
  if (!value || value.array || size < 2 || componentsOf(value.type) !== size) return null;
  return value.value as readonly number[];
}

/** A token, string or asset path. */
export function textOf(value: Maybe): string | null {
  if (!value || value.array) return null;
  return value.type === 'Token' || value.type === 'String' || value.type === 'AssetPath'
    ? (value.value as string)
    : null;
}

/** A list of tokens or strings, stored as an array or as a vector type. */
export function textsOf(value: Maybe): readonly string[] | null {
  if (!value) return null;
  if (value.type === 'TokenVector' || value.type === 'StringVector') return value.value as readonly string[];
  if (value.array && (value.type === 'Token' || value.type === 'String')) return value.value as readonly string[];
  return null;
}

/** A list of 32-bit integers. */
export function integersOf(value: Maybe): Int32Array | null {
  return value?.array && value.type === 'Int' ? (value.value as Int32Array) : null;
}

/** A list op of paths. */
export function pathListOpOf(value: Maybe): ListOp<string> | null {
  return value?.type === 'PathListOp' ? (value.value as ListOp<string>) : null;
}

/** A list op of names. */
export function nameListOpOf(value: Maybe): ListOp<string> | null {
  return value?.type === 'StringListOp' || value?.type === 'TokenListOp' ? (value.value as ListOp<string>) : null;
}

/** A list op of any item type. */
export function listOpOf<T>(value: Maybe): ListOp<T> | null {
  return value?.type.endsWith('ListOp') ? (value.value as ListOp<T>) : null;
}

/**
 * A list op of references or payloads. A single payload is an explicit list of one item; with an empty asset path, the
 * list is empty (OpenUSD SdfPayload).
 */
export function referenceListOpOf(value: Maybe): ListOp<Reference> | null {
  if (value?.type === 'ReferenceListOp' || value?.type === 'PayloadListOp') return value.value as ListOp<Reference>;
  if (value?.type !== 'Payload') return null;
  const payload = value.value as Reference;
  const explicit = payload.assetPath === '' ? [] : [payload];
  return { isExplicit: true, explicit, added: [], prepended: [], appended: [], deleted: [], ordered: [] };
}
