// Numbers as text: plain values of a usda array. These are decimal numbers that one multiplication or division of exact
// doubles gives, tuples and matrices of them, blanks and line ends between them, and a comma or the end of the array after
// each. Text that is anything else, right or wrong, ends the work: the caller reads it.

const TAB: u32 = 9;
const NEWLINE: u32 = 10;
const RETURN: u32 = 13;
const SPACE: u32 = 32;
const OPEN: u32 = 40;
const CLOSE: u32 = 41;
const PLUS: u32 = 43;
const COMMA: u32 = 44;
const MINUS: u32 = 45;
const DOT: u32 = 46;
const ZERO: u32 = 48;
const CLOSE_BRACKET: u32 = 93;
/** Added to a capital letter of ASCII, and no change to a small one. */
const SMALL: u32 = 32;
const LETTER_E: u32 = 101;

/** What a number becomes; `COMPONENTS` of importers/usd/text/values/kernelNumbers.ts. */
const UCHAR: u32 = 0;
const INT: u32 = 1;
const UINT: u32 = 2;
const FLOAT: u32 = 3;

/** So many digits always fit a uint64. */
const MAX_DIGITS: u32 = 19;
/** Below this, integers are exact doubles. */
const EXACT: u64 = 1 << 53;
/** 10^22 is the last power of ten that is an exact double. */
const LAST_POWER: i32 = 22;
const EACH_FOURTH_BYTE: u64 = 255 + (255 << 32);

const POWERS: usize = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]);

function isDigit(c: u32): bool {
  return c - ZERO < 10;
}

function skipBlanks(at: usize): usize {
  let c = <u32>load<u8>(at);
  // One comparison where nothing is to be skipped, which is before most characters.
  while (c <= SPACE && (c === SPACE || c === NEWLINE || c === RETURN || c === TAB)) c = <u32>load<u8>(++at);
  return at;
}

/** The number of eight digits, one in each byte: neighbours are joined to pairs, those to fours, and those to eight. */
function joinDigits(digits: u64): u64 {
  const pairs = digits * 10 + (digits >> 8);
  const fours =
    (pairs & EACH_FOURTH_BYTE) * (100 + (1000000 << 32)) + ((pairs >> 16) & EACH_FOURTH_BYTE) * (1 + (10000 << 32));
  return fours >> 32;
}

/** Writes a number as the component; false if it is out of its range. */
function storeNumber(value: f64, component: u32, to: usize, i: u32): bool {
  if (component === FLOAT) store<f32>(to + ((<usize>i) << 2), <f32>value);
  else if (component === INT) {
    if (!(value > -2147483649 && value < 2147483648)) return false;
    store<i32>(to + ((<usize>i) << 2), <i32>value);
  } else if (component === UINT) {
    if (!(value > -1 && value < 4294967296)) return false;
    store<u32>(to + ((<usize>i) << 2), <u32>value);
  } else if (component === UCHAR) {
    if (!(value > -1 && value < 256)) return false;
    store<u8>(to + <usize>i, <u8>(<u32>value));
  } else store<f64>(to + ((<usize>i) << 3), value);
  return true;
}

/** Reads any number byte by byte, writes it as number `i` of `to`, and gives where it ends; 0 if it cannot be read here. */
function readLongNumber(at: usize, component: u32, to: usize, i: u32): usize {
  const negative = <u32>load<u8>(at) === MINUS;
  if (negative) at++;
  let mantissa: u64 = 0;
  let digits: u32 = 0;
  let exponent: i32 = 0;
  let c = <u32>load<u8>(at);
  for (; isDigit(c); c = <u32>load<u8>(++at), digits++) mantissa = mantissa * 10 + (c - ZERO);
  if (digits === 0) return 0;
  if (c === DOT) {
    c = <u32>load<u8>(++at);
    for (; isDigit(c); c = <u32>load<u8>(++at), digits++, exponent--) mantissa = mantissa * 10 + (c - ZERO);
  }
  if (digits > MAX_DIGITS || mantissa >= EXACT) return 0;
  if ((c | SMALL) === LETTER_E) {
    const sign = <u32>load<u8>(++at);
    if (sign === MINUS || sign === PLUS) at++;
    const first = at;
    let power: i32 = 0;
    for (c = <u32>load<u8>(at); isDigit(c); c = <u32>load<u8>(++at)) power = power * 10 + <i32>(c - ZERO);
    if (at === first || at - first > 4) return 0;
    exponent += sign === MINUS ? -power : power;
  }
  if (exponent < -LAST_POWER || exponent > LAST_POWER) return 0;
  // Both operands are exact, so that the result is correctly rounded (Clinger 1990, fast path).
  const power = load<f64>(POWERS + ((<usize>abs<i32>(exponent)) << 3));
  const value = exponent < 0 ? <f64>(<i64>mantissa) / power : <f64>(<i64>mantissa) * power;
  return storeNumber(negative ? -value : value, component, to, i) ? at : 0;
}

/**
 * Reads a number as `readLongNumber` does. Lengths and points of numbers are hard to predict for a processor, so what has
 * up to 15 characters is read without a branch that depends on them.
 */
function readNumber(start: usize, component: u32, to: usize, i: u32): usize {
  const text = v128.load(start);
  const digits = i8x16.sub(text, i8x16.splat(<i8>ZERO));
  const sign = i8x16.bitmask(i8x16.eq(text, i8x16.splat(<i8>MINUS))) & 1;
  const dots = i8x16.bitmask(i8x16.eq(text, i8x16.splat(<i8>DOT)));
  const others = ~(i8x16.bitmask(i8x16.lt_u(digits, i8x16.splat(10))) | dots | sign);
  const length = ctz(others | (1 << 16));
  const ownDots = dots & ((1 << length) - 1);
  const after = <u32>load<u8>(start + length);
  if (length > 15 || (ownDots & (ownDots - 1)) !== 0 || (after | SMALL) === LETTER_E) {
    return readLongNumber(start, component, to, i);
  }
  const point = ctz(ownDots | (1 << length));
  if (point === sign) return 0;
  const pointLength = <i32>(point < length);
  // Moves the digits to the end of the 16 bytes and closes the gap that the point leaves. Places before the text are zero,
  // and so is the sign.
  const places = i8x16.add(
    i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    i8x16.splat(<i8>(length - pointLength - 16)),
  );
  const sources = i8x16.sub(places, i8x16.ge_s(places, i8x16.splat(<i8>point)));
  const unsigned = v128.and(digits, i8x16.lt_u(digits, i8x16.splat(10)));
  const aligned = v128.swizzle(unsigned, sources);
  const mantissa = joinDigits(i64x2.extract_lane(aligned, 0)) * 100000000 + joinDigits(i64x2.extract_lane(aligned, 1));
  const value = <f64>(<i64>mantissa) / load<f64>(POWERS + ((<usize>(length - point - pointLength)) << 3));
  const signed = reinterpret<f64>(reinterpret<u64>(value) | ((<u64>sign) << 63));
  return storeNumber(signed, component, to, i) ? start + length : 0;
}

/**
 * Reads an integer of up to nine digits, or else what `readNumber` reads. Neighbours in an array mostly have the same
 * length, so this takes half of the time.
 */
function readInteger(start: usize, component: u32, to: usize, i: u32): usize {
  let c = <u32>load<u8>(start);
  const negative = c === MINUS;
  const first = start + <usize>negative;
  if (negative) c = <u32>load<u8>(first);
  let at = first;
  let size: i32 = 0;
  for (; isDigit(c); c = <u32>load<u8>(++at)) size = size * 10 + <i32>(c - ZERO);
  const other = at === first || at - first > 9 || c === DOT || (c | SMALL) === LETTER_E;
  if (other || (component !== INT && negative)) return readNumber(start, component, to, i);
  if (component === UCHAR) {
    if (size > 255) return 0;
    store<u8>(to + <usize>i, <u8>size);
  } else store<i32>(to + ((<usize>i) << 2), negative ? -size : size);
  return at;
}

/** What `readPlainNumbers` does with integers outside of brackets. */
function readPlainIntegers(text: usize, component: u32, to: usize, read: usize): u32 {
  let at = text;
  let kept: u32 = 0;
  store<u32>(read, 0);
  while (true) {
    at = readInteger(skipBlanks(at), component, to, kept);
    if (at === 0) return kept;
    at = skipBlanks(at);
    const c = <u32>load<u8>(at);
    if (c === COMMA) at++;
    else if (c !== CLOSE_BRACKET) return kept;
    kept++;
    store<u32>(read, <u32>(at - text));
  }
}

/**
 * Reads plain values from `text` on, where 16 bytes of zero follow the last one, and writes their numbers to `to`.
 * `rank` and `width`: the depth of brackets around a value, and the items in each pair of them. Writes to `read` how many
 * bytes the values took, each with the comma after it, and gives how many numbers they are.
 */
export function readPlainNumbers(text: usize, rank: u32, width: u32, component: u32, to: usize, read: usize): u32 {
  if (rank === 0 && component < FLOAT) return readPlainIntegers(text, component, to, read);
  const perValue: u32 = rank === 0 ? 1 : rank === 1 ? width : width * width;
  let at = text;
  let kept: u32 = 0;
  store<u32>(read, 0);
  while (true) {
    // Item by item; those of a row are between brackets of their own.
    let left = width;
    for (let item: u32 = 0; item < perValue; item++) {
      const isFirst = item === 0;
      for (let opening = isFirst ? rank : left === width ? 1 : 0; rank > 0 && opening > 0; opening--) {
        at = skipBlanks(at);
        if (<u32>load<u8>(at++) !== OPEN) return kept;
      }
      at = skipBlanks(at);
      at = component < FLOAT ? readInteger(at, component, to, kept + item) : readNumber(at, component, to, kept + item);
      if (at === 0) return kept;
      const isLast = item === perValue - 1;
      if (--left === 0) {
        left = width;
        for (let closing = isLast ? rank : 1; rank > 0 && closing > 0; closing--) {
          at = skipBlanks(at);
          if (<u32>load<u8>(at++) !== CLOSE) return kept;
        }
      }
      at = skipBlanks(at);
      if (<u32>load<u8>(at) === COMMA) at++;
      else if (!isLast || <u32>load<u8>(at) !== CLOSE_BRACKET) return kept;
    }
    kept += perValue;
    store<u32>(read, <u32>(at - text));
  }
}
