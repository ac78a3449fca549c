// Values with a declared type in attributes, time samples, dictionaries and metadata: scalars, tuples, matrices,
// strings, asset paths and arrays of them. The values that a type accepts are those of OpenUSD (sdf/parserHelpers.cpp).

import type { Value, ValueTypeName } from '../../layer.ts';
import { CH, type UsdaCursor } from '../cursor.ts';
import { type NumberToken, readAssetPath, readNumber, readString } from './literals.ts';
import { hasNumberArray, readNumberArray, roundNumber, specialNumber } from './numberArrays.ts';
import type { Component, ValueType } from './valueTypes.ts';

/** `None`: value resolution stops at it. */
export const VALUE_BLOCK: Value = { type: 'ValueBlock', array: false, value: null };
export const ANIMATION_BLOCK: Value = { type: 'AnimationBlock', array: false, value: null };

/** A value that is not an array. */
export function makeValue(type: ValueTypeName, value: unknown): Value {
  return { type, array: false, value };
}

const INT64_RANGE: readonly [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];
const UINT64_RANGE: readonly [bigint, bigint] = [0n, 2n ** 64n - 1n];

/** Below this magnitude, each integer has an exact double. */
const EXACT = 2 ** 53;

/** The exact integer of a literal; numbers with a point are truncated. Null if the number is not finite. */
function bigInteger(cursor: UsdaCursor, token: NumberToken): bigint | null {
  if (!Number.isFinite(token.value)) return null;
  if (Math.abs(token.value) < EXACT || !token.integer) return BigInt(Math.trunc(token.value));
  return BigInt(cursor.ascii(token.start, token.end));
}

function readInteger64(cursor: UsdaCursor, component: Component, what: string): bigint {
  const start = cursor.pos;
  const token = readNumber(cursor);
  const [low, high] = component === 'int64' ? INT64_RANGE : UINT64_RANGE;
  // No 64-bit integer has more than 20 digits, so long literals are refused without a costly conversion.
  const value = token === null || token.end - token.start > 400 ? null : bigInteger(cursor, token);
  if (token === null) specialNumber(cursor, what);
  if (value === null || value < low || value > high) {
    return cursor.fail(
      'UC1503',
      `${cursor.slice(start, Math.min(cursor.pos, start + 40))} does not fit ${what}`,
      start,
    );
  }
  return value;
}

const TRUE_WORDS = new Set(['true', 'yes', '1']);
const FALSE_WORDS = new Set(['false', 'no', '0']);

function readBool(cursor: UsdaCursor, what: string): boolean {
  const start = cursor.pos;
  const token = readNumber(cursor);
  if (token) return token.value !== 0;
  if (!cursor.atString && !cursor.atWord) return cursor.expected('true, false, 0 or 1');
  const word = (cursor.atString ? readString(cursor) : cursor.word()).toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  return cursor.fail('UC1503', `expected true or false for ${what}, found '${word}'`, start);
}

function readText(cursor: UsdaCursor, component: Component, what: string): string {
  if (component === 'asset' && cursor.byte === CH.at) return readAssetPath(cursor);
  if (cursor.atString) return readString(cursor);
  if (cursor.ended) cursor.expected('a string');
  const kind = component === 'asset' ? 'an asset path' : 'a quoted string';
  return cursor.fail('UC1503', `expected ${kind} for ${what}`);
}

function readNumberScalar(cursor: UsdaCursor, component: Component, what: string): number {
  const start = cursor.pos;
  const token = readNumber(cursor);
  const value = token ? token.value : specialNumber(cursor, what);
  const rounded = roundNumber(component, value);
  if (rounded === undefined) {
    return cursor.fail(
      'UC1503',
      `${cursor.slice(start, Math.min(cursor.pos, start + 40))} does not fit ${what}`,
      start,
    );
  }
  return rounded;
}

/** Reads one item of rank 0: a number, boolean or text. */
function readItem(cursor: UsdaCursor, component: Component, what: string): unknown {
  switch (component) {
    case 'bool':
      return readBool(cursor, what);
    case 'int64':
    case 'uint64':
      return readInteger64(cursor, component, what);
    case 'string':
    case 'token':
    case 'asset':
    case 'pathExpression':
      return readText(cursor, component, what);
    default:
      return readNumberScalar(cursor, component, what);
  }
}

/**
 * Reads items separated by commas up to and with the closing bracket; a trailing comma is allowed. The cursor is after
 * the opening bracket. `read` must move the cursor forward or fail.
 */
export function readList(cursor: UsdaCursor, close: number, read: () => void): void {
  for (;;) {
    cursor.skipLines();
    if (cursor.accept(close)) return;
    read();
    cursor.skipLines();
    if (cursor.accept(close)) return;
    cursor.expect(CH.comma, `',' or '${String.fromCharCode(close)}'`);
  }
}

function readTuple(cursor: UsdaCursor, type: ValueType, what: string): number[] {
  const out: number[] = [];
  const { component, rank, width } = type;
  const open = (): void => {
    if (cursor.byte !== CH.open && !cursor.ended) {
      cursor.fail(
        'UC1503',
        `${what} holds ${rank === 2 ? `${width} by ${width} matrices` : `tuples of ${width}`}: expected '('`,
      );
    }
    cursor.expect(CH.open);
  };
  const items = (read: () => void, name: string): void => {
    const start = cursor.pos;
    let count = 0;
    open();
    readList(cursor, CH.close, () => {
      if (count++ === width) cursor.fail('UC1503', `more than ${width} ${name} in ${what}`);
      read();
    });
    if (count !== width) cursor.fail('UC1503', `${count} ${name} in ${what}, not ${width}`, start);
  };
  const numbers = (): void => items(() => out.push(readNumberScalar(cursor, component, what)), 'items');
  if (rank === 2) items(numbers, 'rows');
  else numbers();
  if (type.quaternion) out.push(out.shift() as number);
  return out;
}

function readArray(cursor: UsdaCursor, type: ValueType, what: string): unknown {
  if (hasNumberArray(type.component)) return readNumberArray(cursor, type, what);
  const out: unknown[] = [];
  readList(cursor, CH.closeBracket, () => {
    if (cursor.byte === CH.openBracket || cursor.byte === CH.open) {
      cursor.fail('UC1503', `values of ${what} are not nested here`);
    }
    out.push(readItem(cursor, type.component, what));
  });
  switch (type.component) {
    case 'bool':
      return Uint8Array.from(out as boolean[], Number);
    case 'int64':
      return BigInt64Array.from(out as bigint[]);
    case 'uint64':
      return BigUint64Array.from(out as bigint[]);
    default:
      return out;
  }
}

/**
 * Reads one value of the type at the cursor. `what` names the type for messages (`float3[]`). Throws UC1503 if the text
 * is a value that the type does not accept, and UC1501 if it is no value.
 */
export function readValue(cursor: UsdaCursor, type: ValueType, array: boolean, what: string): Value {
  if (type.component === 'opaque') cursor.fail('UC1503', `attributes of type ${what} cannot hold a value`);
  if (array) {
    if (cursor.byte !== CH.openBracket && !cursor.ended) {
      cursor.fail('UC1503', `${what} is an array: expected '['`);
    }
    cursor.expect(CH.openBracket);
    return { type: type.value, array: true, value: readArray(cursor, type, what) };
  }
  if (cursor.byte === CH.openBracket) cursor.fail('UC1503', `${what} is not an array: unexpected '['`);
  if (type.rank > 0) return makeValue(type.value, readTuple(cursor, type, what));
  return makeValue(type.value, readItem(cursor, type.component, what));
}
