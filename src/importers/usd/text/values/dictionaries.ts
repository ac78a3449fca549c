// Dictionaries in usda text: `{ type key = value … }`; a nested one is `dictionary key = { … }`.

import type { Value } from '../../layer.ts';
import { CH, MAX_KEY, type UsdaCursor } from '../cursor.ts';
import { readString } from './literals.ts';
import { readUntypedValue } from './untypedValues.ts';
import { makeValue, readValue } from './values.ts';
import { findValueType } from './valueTypes.ts';

/** The depth to which dictionaries may nest. Real ones nest a few deep. */
const MAX_DEPTH = 100;

/**
 * Skips the separators between two statements in parentheses or braces: line ends, `;`, and `,`, which old exporters
 * write. Returns whether there was one.
 */
export function skipSeparators(cursor: UsdaCursor): boolean {
  let found = cursor.skipLines();
  for (;;) {
    if (cursor.byte === CH.comma) {
      cursor.lenient('comma', "a comma separates two statements instead of a line end or ';'");
    } else if (cursor.byte !== CH.semicolon) return found;
    cursor.pos++;
    cursor.skipLines();
    found = true;
  }
}

/**
 * Reads separated statements up to and with the closing bracket; the cursor is after the opening one. `read` must move
 * the cursor forward or fail.
 */
export function readStatements(cursor: UsdaCursor, close: number, read: () => void): void {
  cursor.skipLines();
  while (!cursor.accept(close)) {
    read();
    if (!skipSeparators(cursor) && cursor.byte !== close) {
      cursor.expected(`a line end, ';' or '${String.fromCharCode(close)}'`);
    }
  }
}

/** Refuses keys that are so long that they make look-ups slow (see MAX_KEY). */
export function checkKey(cursor: UsdaCursor, key: string): void {
  if (key.length > MAX_KEY) cursor.fail('UC1506', `a key of ${key.length} characters is too long`);
}

/** Reads a dictionary at its `{`. Of entries with the same key, the last one counts. Keys keep their order. */
export function readDictionary(cursor: UsdaCursor, depth = 1): Map<string, Value> {
  if (depth > MAX_DEPTH) cursor.fail('UC1506', `dictionaries are nested more than ${MAX_DEPTH} deep`);
  const out = new Map<string, Value>();
  cursor.expect(CH.openBrace);
  readStatements(cursor, CH.closeBrace, () => {
    const typeStart = cursor.pos;
    const typeName = cursor.typeIdentifier("a value type or '}'");
    cursor.skipInline();
    const array = cursor.accept(CH.openBracket);
    if (array) {
      cursor.skipInline();
      cursor.expect(CH.closeBracket);
      cursor.skipInline();
    }
    const quoted = cursor.atString;
    const key = quoted ? readString(cursor) : cursor.word();
    if (key === '' && !quoted) cursor.expected('a key');
    checkKey(cursor, key);
    cursor.skipInline();
    cursor.expect(CH.equals);
    cursor.skipInline();
    if (typeName === 'dictionary' && !array) {
      out.set(key, makeValue('Dictionary', readDictionary(cursor, depth + 1)));
      return;
    }
    const type = findValueType(typeName);
    const what = array ? `${typeName}[]` : typeName;
    if (type) out.set(key, readValue(cursor, type, array, what));
    else {
      readUntypedValue(cursor);
      cursor.warnOnce(`type ${what}`, 'UC1525', `'${key}' has the unknown type ${what}`, typeStart);
    }
  });
  return out;
}
