// Reads arrays of numbers, tuples and matrices from bytes into a typed array. Nearly all bytes of a large text layer
// are in such arrays, so the loop allocates nothing per number.

import { CH, type UsdaCursor } from '../cursor.ts';
import { roundToHalf } from './half.ts';
import { type PlainNumbers, withPlainNumbers } from './kernelNumbers.ts';
import { POWERS_OF_TEN, readNumber, readString } from './literals.ts';
import { makeArray, type NumberArray } from './numberTypes.ts';
import { arity, type Component, type ValueType } from './valueTypes.ts';

const INTEGER_RANGE: Partial<Record<Component, readonly [number, number]>> = {
  uchar: [0, 255],
  int: [-(2 ** 31), 2 ** 31 - 1],
  uint: [0, 2 ** 32 - 1],
};

/** True for components whose arrays `readNumberArray` reads. Other readers handle int64, uint64 and bool. */
export function hasNumberArray(component: Component): boolean {
  return component === 'half' || component === 'float' || component === 'double' || component in INTEGER_RANGE;
}

/**
 * Converts a number to the precision of a component: truncates to integers, as OpenUSD casts, and rounds to floats and
 * halves. Undefined if the number is out of the range of an integer component.
 */
export function roundNumber(component: Component, value: number): number | undefined {
  const range = INTEGER_RANGE[component];
  if (range) {
    const whole = Math.trunc(value);
    return whole >= range[0] && whole <= range[1] ? whole + 0 : undefined;
  }
  if (component === 'float') return Math.fround(value);
  if (component === 'half') return roundToHalf(Math.fround(value));
  return value;
}

function grown(component: Component, data: NumberArray, length: number): NumberArray {
  const larger = makeArray(component, length);
  larger.set(data);
  return larger;
}

/**
 * Reads numbers up to and with the `]` of the array; the cursor is after its `[`. The result has the numbers of all
 * tuples and matrices in one flat array; quaternions are reordered to (i, j, k, real). A number is rounded to double
 * first and then to its component, as in OpenUSD.
 */
export function readNumberArray(cursor: UsdaCursor, type: ValueType, what: string): NumberArray {
  const found = cursor.find(CH.closeBracket);
  const close = found < 0 ? cursor.bytes.length - 1 : found;
  return withPlainNumbers(cursor, type, close, (plain) => readNumbers(cursor, type, what, close - cursor.pos, plain));
}

/** Reads what `readNumberArray` promises. The text of the array has `span` bytes; `plain` reads the plain values of a long one. */
function readNumbers(
  cursor: UsdaCursor,
  type: ValueType,
  what: string,
  span: number,
  plain: PlainNumbers | null,
): NumberArray {
  const { bytes } = cursor;
  const { component, rank, width } = type;
  const range = INTEGER_RANGE[component];
  const low = range ? range[0] : 0;
  const high = range ? range[1] : 0;
  const half = component === 'half';
  const perValue = arity(type);

  // A number takes six bytes of text or more on average; the kernel knows better. If the array is too short, it grows.
  const first = cursor.pos;
  let data = makeArray(component, plain ? 0 : Math.max(perValue, Math.ceil(span / 6)));
  let length = 0;
  let depth = 0;
  /** Items read in the open tuple, and rows in the open matrix. */
  let items = 0;
  let rows = 0;
  let valueOpen = true;

  for (;;) {
    if (plain !== null && depth === 0 && valueOpen) {
      for (let numbers = plain.next(); numbers.length > 0; numbers = plain.next()) {
        const end = length + numbers.length;
        if (end > data.length) {
          // How much text the numbers took so far tells how many come.
          const perByte = numbers.length / (cursor.pos - first);
          const more = length === 0 ? Math.ceil((span - (cursor.pos - first)) * perByte * 1.02) : length;
          data = grown(component, data, end + more);
        }
        data.set(numbers, length);
        length = end;
      }
    }
    // Blanks and line ends are the common case; comments go through the cursor.
    let c = bytes[cursor.pos];
    while (c === CH.space || c === CH.newline || c === CH.return || c === CH.tab) c = bytes[++cursor.pos];
    if (c === CH.hash || c === CH.slash) {
      cursor.skipLines();
      c = bytes[cursor.pos];
      if (c === CH.slash) cursor.expected('a value');
    }

    if (c === CH.comma) {
      if (valueOpen) cursor.expected('a value');
      cursor.pos++;
      valueOpen = true;
      continue;
    }
    if (c === CH.closeBracket && depth === 0) {
      cursor.pos++;
      break;
    }
    if (c === CH.close && depth > 0) {
      if (depth === rank && items !== width)
        cursor.fail('UC1503', `a tuple of ${what} has ${items} items, not ${width}`);
      if (depth < rank && rows !== width) cursor.fail('UC1503', `a matrix of ${what} has ${rows} rows, not ${width}`);
      cursor.pos++;
      if (depth === 2) rows++;
      depth--;
      valueOpen = false;
      continue;
    }
    if (!valueOpen) cursor.expected(depth > 0 ? "',' or ')'" : "',' or ']'");
    if (c === CH.open && depth < rank) {
      cursor.pos++;
      depth++;
      items = 0;
      if (depth < rank) rows = 0;
      valueOpen = true;
      continue;
    }
    if (depth !== rank) {
      if (c === undefined) cursor.expected("']'");
      cursor.fail(
        'UC1503',
        c === CH.open || c === CH.openBracket
          ? `values of ${what} are not nested here`
          : `expected '(': ${what} holds ${rank === 1 ? `tuples of ${width}` : `${width} by ${width} matrices`}`,
      );
    }
    if (rank > 0 && items === width) cursor.fail('UC1503', `a tuple of ${what} has more than ${width} items`);

    // The common case, digits with an optional point, is read here. readNumber reads all other numbers.
    const start = cursor.pos;
    let i = start;
    let value: number;
    const negative = c === CH.minus;
    if (negative) i++;
    let mantissa = 0;
    let digits = 0;
    let fraction = 0;
    let d = bytes[i] as number;
    while (d >= CH.zero && d <= CH.nine) {
      mantissa = mantissa * 10 + (d - 48);
      digits++;
      d = bytes[++i] as number;
    }
    if (d === CH.dot && digits > 0) {
      d = bytes[++i] as number;
      while (d >= CH.zero && d <= CH.nine) {
        mantissa = mantissa * 10 + (d - 48);
        digits++;
        fraction++;
        d = bytes[++i] as number;
      }
    }
    if (digits > 0 && digits <= 15 && d !== 101 && d !== 69) {
      value = fraction > 0 ? mantissa / (POWERS_OF_TEN[fraction] as number) : mantissa;
      if (negative) value = -value;
      cursor.pos = i;
    } else {
      const token = readNumber(cursor);
      value = token === null ? specialNumber(cursor, what) : token.value;
    }
    if (range) {
      if (!(value > low - 1 && value < high + 1)) {
        cursor.fail('UC1503', `${cursor.slice(start, cursor.pos)} does not fit ${what}`, start);
      }
    } else if (half) value = roundToHalf(Math.fround(value));

    if (length === data.length) data = grown(component, data, Math.max(64, length * 2));
    data[length++] = value;
    items++;
    valueOpen = false;
  }

  if (type.quaternion) {
    for (let i = 0; i < length; i += 4) {
      const real = data[i] as number;
      data[i] = data[i + 1] as number;
      data[i + 1] = data[i + 2] as number;
      data[i + 2] = data[i + 3] as number;
      data[i + 3] = real;
    }
  }
  // Return a view if it wastes less than an eighth of the memory, else a copy of the right size.
  if (length === data.length) return data;
  return length * 8 >= data.length * 7 ? data.subarray(0, length) : data.slice(0, length);
}

/** Reads the quoted words "inf", "-inf" and "nan", which OpenUSD accepts as numbers too. Fails on anything else. */
export function specialNumber(cursor: UsdaCursor, what: string): number {
  const start = cursor.pos;
  if (cursor.atString) {
    const word = readString(cursor);
    if (word === 'inf') return Infinity;
    if (word === '-inf') return -Infinity;
    if (word === 'nan') return Number.NaN;
    cursor.fail('UC1503', `expected a number for ${what}, found a string`, start);
  }
  if (cursor.byte === CH.openBracket || cursor.byte === CH.open) {
    cursor.fail('UC1503', `values of ${what} are not nested here`, start);
  }
  if (cursor.atWord) cursor.fail('UC1503', `expected a number for ${what}, found '${cursor.word()}'`, start);
  return cursor.expected('a number');
}
