// Values without a declared type: metadata that no schema registers, and data that is skipped (splines, target data).
// Nesting uses an explicit stack, so that deep nesting cannot overflow the call stack.

import { CH, type UsdaCursor } from '../cursor.ts';
import { readAssetPath, readNumber, readPathReference, readString } from './literals.ts';

/** Quotes a string as OpenUSD writes it: in double quotes, in triple quotes if it has several lines, with escapes. */
function quote(text: string): string {
  const triple = text.includes('\n');
  const double = text.includes('"') && !text.includes("'") ? "'" : '"';
  let out = '';
  for (const c of text) {
    const code = c.charCodeAt(0);
    if (c === '\\') out += '\\\\';
    else if (c === double) out += `\\${c}`;
    else if (c === '\n') out += triple ? '\n' : '\\n';
    else if (c === '\r') out += '\\r';
    else if (c === '\t') out += '\\t';
    else if (code < 32 || code === 127) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else out += c;
  }
  const mark = triple ? double.repeat(3) : double;
  return mark + out + mark;
}

/** Reads a number, string, word, asset path or path reference, and returns it as OpenUSD writes it. */
function readAtom(cursor: UsdaCursor): string {
  if (cursor.atString) return quote(readString(cursor));
  if (cursor.byte === CH.at) {
    const path = readAssetPath(cursor);
    return path.includes('@') ? `@@@${path.replaceAll('@@@', '\\@@@')}@@@` : `@${path}@`;
  }
  if (cursor.byte === CH.less) return `<${readPathReference(cursor)}>`;
  const number = readNumber(cursor);
  if (number) return number.integer ? cursor.ascii(number.start, number.end) : numberText(number.value);
  if (cursor.atWord) return cursor.typeIdentifier('a value');
  return cursor.expected('a value');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * Reads any value that is not a dictionary: an atom, or nested tuples and lists of atoms. Returns its text with uniform
 * spacing (`[1, (2, 3)]`).
 */
export function readUntypedValue(cursor: UsdaCursor): string {
  const parts: string[] = [];
  const closers: number[] = [];
  /** Whether an item can follow; if not, a comma or the closing bracket must follow. */
  let itemOpen = true;
  /** Whether the next item is the first one in its bracket. */
  let first = true;
  do {
    if (closers.length > 0) cursor.skipLines();
    const c = cursor.byte;
    const closer = closers.at(-1);
    if (closer !== undefined && c === closer) {
      cursor.pos++;
      closers.pop();
      parts.push(String.fromCharCode(closer));
      itemOpen = false;
      first = false;
      continue;
    }
    if (!itemOpen) {
      cursor.expect(CH.comma, `',' or '${String.fromCharCode(closer as number)}'`);
      itemOpen = true;
      continue;
    }
    if (!first) parts.push(', ');
    first = false;
    if (c === CH.open || c === CH.openBracket) {
      cursor.pos++;
      closers.push(c === CH.open ? CH.close : CH.closeBracket);
      parts.push(String.fromCharCode(c));
      first = true;
      continue;
    }
    parts.push(readAtom(cursor));
    itemOpen = false;
  } while (closers.length > 0);
  return parts.join('');
}

/**
 * Skips `{ … }`; the cursor is at the `{`. Brackets inside must match; those in strings, paths and comments are
 * ignored.
 */
export function skipBraces(cursor: UsdaCursor): void {
  const closers: number[] = [];
  do {
    cursor.skipLines();
    const c = cursor.byte;
    if (c === CH.openBrace) closers.push(CH.closeBrace);
    else if (closers.length === 0) cursor.expected("'{'");
    else if (c === CH.open) closers.push(CH.close);
    else if (c === CH.openBracket) closers.push(CH.closeBracket);
    else if (c === closers.at(-1)) closers.pop();
    else if (c !== CH.comma && c !== CH.semicolon && c !== CH.colon && c !== CH.equals && c !== AMPERSAND) {
      if (c === CH.closeBrace || c === CH.close || c === CH.closeBracket) {
        cursor.expected(`'${String.fromCharCode(closers.at(-1) as number)}'`);
      }
      readAtom(cursor);
      continue;
    }
    cursor.pos++;
  } while (closers.length > 0);
}

/** Separates the two values of a spline knot with a discontinuity. */
const AMPERSAND = 38;
