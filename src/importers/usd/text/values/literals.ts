// Literals of usda text: strings, asset paths, path references and numbers (OpenUSD, sdf/textFileFormatParser.h). Each
// function reads one literal at the cursor, or fails with line and column.

import { CH, isDigit, type UsdaCursor } from '../cursor.ts';

/** Powers of ten that a double holds exactly. */
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** A number and its byte range in the text. `integer`: it has no point and no exponent, so its digits are exact. */
export interface NumberToken {
  readonly value: number;
  readonly integer: boolean;
  readonly start: number;
  readonly end: number;
}

const CONTROL_ESCAPES = new Map<number, number>([
  [97, 7],
  [98, 8],
  [102, 12],
  [110, 10],
  [114, 13],
  [116, 9],
  [118, 11],
]);

function hexDigit(c: number | undefined): number {
  if (c === undefined) return -1;
  if (c >= 48 && c <= 57) return c - 48;
  if (c >= 65 && c <= 70) return c - 55;
  if (c >= 97 && c <= 102) return c - 87;
  return -1;
}

/**
 * Reads a quoted string of any of the four kinds and evaluates its escapes: \a \b \f \n \r \t \v \\ \' \", \x with one
 * or two hexadecimal digits, and up to three octal digits. Before any other character, the backslash is dropped.
 */
export function readString(cursor: UsdaCursor, what = 'a string'): string {
  const { bytes } = cursor;
  const start = cursor.pos;
  const q = cursor.byte;
  if (q !== CH.quote && q !== CH.apostrophe) cursor.expected(what);
  const triple = bytes[start + 1] === q && bytes[start + 2] === q;
  const first = start + (triple ? 3 : 1);
  let escaped = false;
  let i = first;
  for (; ; i++) {
    const c = bytes[i];
    if (c === undefined) {
      cursor.pos = bytes.length;
      cursor.fail('UC1502', 'a string is never closed', start);
    }
    if (c === q) {
      if (!triple || (bytes[i + 1] === q && bytes[i + 2] === q)) break;
    } else if (c === CH.backslash) {
      escaped = true;
      const next = bytes[i + 1];
      // A backslash does not continue a one-line string after the end of its line.
      if (next !== undefined && (triple || (next !== CH.newline && next !== CH.return))) i++;
    } else if (!triple && (c === CH.newline || c === CH.return)) {
      cursor.fail('UC1501', 'a string is not closed on its line', start);
    }
  }
  cursor.pos = i + (triple ? 3 : 1);
  return escaped ? evaluateEscapes(cursor, first, i) : cursor.slice(first, i);
}

function evaluateEscapes(cursor: UsdaCursor, start: number, end: number): string {
  const { bytes } = cursor;
  const out = new Uint8Array(end - start);
  let n = 0;
  for (let i = start; i < end; i++) {
    const c = bytes[i] as number;
    if (c !== CH.backslash || i + 1 >= end) {
      out[n++] = c;
      continue;
    }
    const e = bytes[++i] as number;
    const control = CONTROL_ESCAPES.get(e);
    if (control !== undefined) out[n++] = control;
    else if (e === 120 && hexDigit(i + 1 < end ? bytes[i + 1] : undefined) >= 0) {
      let value = 0;
      for (let k = 0; k < 2 && i + 1 < end; k++) {
        const d = hexDigit(bytes[i + 1]);
        if (d < 0) break;
        value = value * 16 + d;
        i++;
      }
      out[n++] = value;
    } else if (e >= 48 && e <= 55) {
      let value = e - 48;
      for (let k = 0; k < 2 && i + 1 < end; k++) {
        const d = (bytes[i + 1] as number) - 48;
        if (d < 0 || d > 7) break;
        value = value * 8 + d;
        i++;
      }
      out[n++] = value & 255;
    } else out[n++] = e;
  }
  return cursor.decode(out.subarray(0, n), start);
}

/** Reads `@…@`, which has no escapes, or `@@@…@@@`, where `\@@@` means `@@@`. */
export function readAssetPath(cursor: UsdaCursor): string {
  const { bytes } = cursor;
  const start = cursor.pos;
  if (cursor.byte !== CH.at) cursor.expected('an asset path');
  const triple = bytes[start + 1] === CH.at && bytes[start + 2] === CH.at;
  const first = start + (triple ? 3 : 1);
  let escapes = false;
  let i = first;
  for (; ; i++) {
    const c = bytes[i];
    if (c === undefined) {
      cursor.pos = bytes.length;
      cursor.fail('UC1502', 'an asset path is never closed', start);
    }
    if (c < 32 || c === 127) {
      cursor.fail('UC1501', 'an asset path holds a line end or control character', i);
    }
    if (c === CH.backslash && triple && threeAts(bytes, i + 1)) {
      escapes = true;
      i += 3;
    } else if (c === CH.at) {
      if (!triple) break;
      if (threeAts(bytes, i)) {
        // Of up to five @, the last three close the path and the ones before belong to it.
        if (bytes[i + 3] === CH.at) i += bytes[i + 4] === CH.at ? 2 : 1;
        break;
      }
    }
  }
  cursor.pos = i + (triple ? 3 : 1);
  const text = cursor.slice(first, i);
  return escapes ? text.replaceAll('\\@@@', '@@@') : text;
}

function threeAts(bytes: Uint8Array, i: number): boolean {
  return bytes[i] === CH.at && bytes[i + 1] === CH.at && bytes[i + 2] === CH.at;
}

/** Reads `<…>` and returns the text between the brackets. The caller checks that it is a path. */
export function readPathReference(cursor: UsdaCursor): string {
  const { bytes } = cursor;
  const start = cursor.pos;
  cursor.expect(CH.less, 'a path in angle brackets');
  let i = cursor.pos;
  for (; ; i++) {
    const c = bytes[i];
    if (c === undefined) {
      cursor.pos = bytes.length;
      cursor.fail('UC1502', 'a path is never closed with >', start);
    }
    if (c === CH.greater) break;
    if (c === CH.less || c === CH.newline || c === CH.return) {
      cursor.fail('UC1501', 'a path is not closed with > on its line', start);
    }
  }
  const text = cursor.slice(cursor.pos, i);
  cursor.pos = i + 1;
  return text;
}

/**
 * Reads a number, or gives null and does not move if none starts here. `inf`, `-inf` and `nan` are numbers; a number
 * has no leading plus. The byte range gives access to the exact digits of integers beyond 2^53.
 */
export function readNumber(cursor: UsdaCursor): NumberToken | null {
  const { bytes } = cursor;
  const start = cursor.pos;
  let i = start;
  const negative = bytes[i] === CH.minus;
  if (negative) i++;
  if (bytes[i] === 105 || bytes[i] === 110) {
    cursor.pos = i;
    const infinite = cursor.acceptWord('inf');
    if (infinite || (!negative && cursor.acceptWord('nan'))) {
      const value = infinite ? (negative ? -Infinity : Infinity) : Number.NaN;
      return { value, integer: false, start, end: cursor.pos };
    }
    cursor.pos = start;
    return null;
  }
  let mantissa = 0;
  let digits = 0;
  let count = 0;
  let exponent = 0;
  let integer = true;
  for (; isDigit(bytes[i]); i++, count++) {
    mantissa = mantissa * 10 + ((bytes[i] as number) - 48);
    if (mantissa !== 0) digits++;
  }
  if (bytes[i] === CH.dot && (count > 0 || isDigit(bytes[i + 1]))) {
    integer = false;
    for (i++; isDigit(bytes[i]); i++, count++, exponent--) {
      mantissa = mantissa * 10 + ((bytes[i] as number) - 48);
      if (mantissa !== 0) digits++;
    }
  }
  if (count === 0) return null;
  const e = bytes[i];
  if (e === 101 || e === 69) {
    integer = false;
    let k = i + 1;
    const minus = bytes[k] === CH.minus;
    if (minus || bytes[k] === CH.plus) k++;
    if (!isDigit(bytes[k])) cursor.fail('UC1501', 'an exponent has no digits', i);
    let power = 0;
    for (; isDigit(bytes[k]); k++) power = Math.min(power * 10 + ((bytes[k] as number) - 48), 1e6);
    exponent += minus ? -power : power;
    i = k;
  }
  cursor.pos = i;
  let value: number;
  if (digits <= 15 && exponent >= -22 && exponent <= 22) {
    // Both operands are exact doubles, so the result is correctly rounded (Clinger 1990, fast path).
    const ten = POWERS_OF_TEN[Math.abs(exponent)] as number;
    value = exponent < 0 ? mantissa / ten : mantissa * ten;
    if (negative) value = -value;
  } else {
    value = Number(cursor.ascii(start, i));
  }
  return { value, integer, start, end: i };
}
