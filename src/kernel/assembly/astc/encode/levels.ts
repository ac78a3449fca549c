// Which value of a range stands nearest to a weight or colour, and the bits of groups of trits and quints: the tables of
// integers.ts the other way round.

import {
  bitsOf,
  GREATEST_WEIGHT_RANGE,
  levelsOf,
  MIN_COLOR_RANGE,
  quintsOf,
  RANGES,
  tritsOf,
  unquantizedColor,
  unquantizedWeight,
} from '../integers.ts';

/** The weights 0 to 64 and what fills five vectors of 16 bytes. */
const WEIGHT_ROW: u32 = 80;
/** For each range and weight from 0 to 64 the nearest weight of the range, and the value that stands for it. */
const NEAREST_WEIGHTS: usize = memory.data(12 * WEIGHT_ROW, 16);
const WEIGHT_VALUES: usize = memory.data(12 * WEIGHT_ROW, 16);
/** For each range and colour from 0 to 255 the nearest colour of the range, and the value that stands for it. */
const NEAREST_COLORS: usize = memory.data(21 * 256, 16);
const COLOR_VALUES: usize = memory.data(21 * 256, 16);
/** For five trits (the first one counts 1, the second 3 …) their 8 bits; for three quints their 7. */
const PACKED_TRITS: usize = memory.data(243, 16);
const PACKED_QUINTS: usize = memory.data(125, 16);

export function nearestWeights(range: u32): usize {
  return NEAREST_WEIGHTS + <usize>range * WEIGHT_ROW;
}

export function weightValues(range: u32): usize {
  return WEIGHT_VALUES + <usize>range * WEIGHT_ROW;
}

export function nearestColors(range: u32): usize {
  return NEAREST_COLORS + ((<usize>range) << 8);
}

export function colorValues(range: u32): usize {
  return COLOR_VALUES + ((<usize>range) << 8);
}

/** Fills the tables. */
export function prepareLevels(): void {
  for (let range: u32 = 0; range <= GREATEST_WEIGHT_RANGE; range++) {
    const nearest = nearestWeights(range);
    const values = weightValues(range);
    memory.fill(nearest, 0xff, 65);
    for (let value: u32 = 0; value < levelsOf(range); value++) {
      const weight = unquantizedWeight(value, range);
      store<u8>(nearest + weight, weight);
      store<u8>(values + weight, value);
    }
    fillGaps(nearest, 65);
  }
  for (let range: u32 = MIN_COLOR_RANGE; range < RANGES; range++) {
    const nearest = nearestColors(range);
    const values = colorValues(range);
    memory.fill(values, 0xff, 256);
    for (let value: u32 = 0; value < levelsOf(range); value++) {
      store<u8>(values + unquantizedColor(value, range), value);
    }
    let last: i32 = 0;
    for (let color: i32 = 0; color < 256; color++) {
      if (!isColor(range, color, values)) continue;
      for (let between = last; between <= color; between++) {
        store<u8>(nearest + between, between - last < color - between ? last : color);
      }
      last = color;
    }
  }
  // Several codes stand for the same digits. The lowest one has zeros where a group that is not full lacks digits.
  for (let packed: i32 = 255; packed >= 0; packed--) {
    const trits = tritsOf(packed);
    const digits =
      (trits & 3) + 3 * ((trits >> 2) & 3) + 9 * ((trits >> 4) & 3) + 27 * ((trits >> 6) & 3) + 81 * ((trits >> 8) & 3);
    store<u8>(PACKED_TRITS + digits, packed);
  }
  for (let packed: i32 = 127; packed >= 0; packed--) {
    const quints = quintsOf(packed);
    store<u8>(PACKED_QUINTS + (quints & 7) + 5 * ((quints >> 3) & 7) + 25 * (quints >> 6), packed);
  }
}

/** Whether a value of the range stands for this colour. */
function isColor(range: u32, color: u32, values: usize): bool {
  const value: u32 = load<u8>(values + color);
  return value < levelsOf(range) && unquantizedColor(value, range) === color;
}

/** Gives each entry that is 255 its nearest neighbour that is not; of two the lower one. The first and last are not 255. */
function fillGaps(table: usize, count: i32): void {
  let last: i32 = 0;
  for (let i: i32 = 1; i < count; i++) {
    if (load<u8>(table + i) === 0xff) continue;
    for (let k = last + 1; k < i; k++) store<u8>(table + k, k - last <= i - k ? last : i);
    last = i;
  }
}

/** The nearest weights of a range for 16 weights from 0 to 64. `table`: nearestWeights. */
export function quantizedWeights(table: usize, weights: v128): v128 {
  // A swizzle gives 0 for indices beyond 15, as the differences below 0 are.
  const a = i8x16.swizzle(v128.load(table), weights);
  const b = i8x16.swizzle(v128.load(table, 16), i8x16.sub(weights, i8x16.splat(16)));
  const c = i8x16.swizzle(v128.load(table, 32), i8x16.sub(weights, i8x16.splat(32)));
  const d = i8x16.swizzle(v128.load(table, 48), i8x16.sub(weights, i8x16.splat(48)));
  const e = i8x16.swizzle(v128.load(table, 64), i8x16.sub(weights, i8x16.splat(64)));
  return v128.or(v128.or(v128.or(a, b), v128.or(c, d)), e);
}

let low: u64 = 0;
let high: u64 = 0;
let at: u32 = 0;

/** Begins a sequence of bits, the first one at bit `start` of 128. */
export function startBits(start: u32): void {
  low = 0;
  high = 0;
  at = start;
}

export function lowBits(): u64 {
  return low;
}

export function highBits(): u64 {
  return high;
}

/** Appends the lower `count` bits of a number. */
export function putBits(bits: u32, count: u32): void {
  putWide(<u64>bits & (((<u64>1) << count) - 1), count);
}

/** Appends `count` bits, at most 63, above which a number has none. */
function putWide(value: u64, count: u32): void {
  const from = at;
  at = from + count;
  if (from < 64) {
    low |= value << from;
    if (at > 64) high |= value >> (64 - from);
  } else high |= value << (from - 64);
}

/** Appends values of a range, a byte each (the specification's "Integer Sequence Encoding"). */
export function putSequence(values: usize, count: u32, range: u32): void {
  const bits = bitsOf(range);
  const radix = levelsOf(range) >> bits;
  const end = values + count;
  // Groups of five trits, of three quints, or of as many plain values as surely fit.
  const size: u32 = radix === 3 ? 5 : radix === 5 ? 3 : 7;
  for (let first = values; first < end; first += size) {
    const last = min(first + size, end);
    let packed: u32 = 0;
    if (radix > 1) {
      let digits: u32 = 0;
      for (let value = last; value > first; value--) digits = digits * radix + (<u32>load<u8>(value - 1) >> bits);
      packed = radix === 3 ? load<u8>(PACKED_TRITS + digits) : load<u8>(PACKED_QUINTS + digits);
    }
    const mask: u32 = (1 << bits) - 1;
    let group: u64 = 0;
    let width: u32 = 0;
    for (let value = first; value < last; value++) {
      group |= (<u64>(<u32>load<u8>(value) & mask)) << width;
      width += bits;
      if (radix === 1) continue;
      // The bits of the group lie between those of its values: 2, 2, 1, 2, 1 of trits, 3, 2, 2 of quints.
      const k = <u32>(value - first);
      const own: u32 = radix === 3 ? (k === 2 || k === 4 ? 1 : 2) : k === 0 ? 3 : 2;
      group |= (<u64>(packed & ((1 << own) - 1))) << width;
      width += own;
      packed >>= own;
    }
    putWide(group, width);
  }
}
