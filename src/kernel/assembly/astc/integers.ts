// Bounded integer sequences of ASTC blocks and what their values stand for (Khronos Data Format Specification 1.3, chapter
// 23: "Integer Sequence Encoding", "Endpoint Unquantization", "Weight Unquantization").
//
// A range is one of 21, by its number: values of range `r` are below levelsOf(r). Such a value is some low bits, and above
// them nothing, a trit or a quint. Five trits share 8 bits, three quints 7.

/** Below which number the values of each range lie. */
const LEVELS: usize = memory.data<u16>([
  2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256,
]);
/** The low bits of each range. */
const BITS: usize = memory.data<u8>([1, 0, 2, 0, 1, 3, 1, 2, 4, 2, 3, 5, 3, 4, 6, 4, 5, 7, 5, 6, 8]);
/** Above them: 1 for nothing, 3 for a trit, 5 for a quint. */
const RADIX: usize = memory.data<u8>([1, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1]);

/** How many ranges there are. Weights use those from 0 to 11, colours those from 4 on. */
export const RANGES: u32 = 21;
/** Weights have at most 32 levels. */
export const GREATEST_WEIGHT_RANGE: u32 = 11;
/** Colours have at least 6 levels. */
export const MIN_COLOR_RANGE: u32 = 4;

/** For each range with a trit or quint the factor of that digit: the specification's C. */
const COLOR_FACTORS: usize = memory.data<u8>([
  0, 0, 0, 0, 204, 0, 113, 93, 0, 54, 44, 0, 26, 22, 0, 13, 11, 0, 6, 5, 0,
]);
const WEIGHT_FACTORS: usize = memory.data<u8>([0, 0, 0, 0, 50, 0, 28, 23, 0, 13, 11, 0]);
/** Weights of a lone trit (range 1) and a lone quint (range 3). */
const TRIT_WEIGHTS: usize = memory.data<u8>([0, 32, 64]);
const QUINT_WEIGHTS: usize = memory.data<u8>([0, 16, 32, 48, 64]);

export function levelsOf(range: u32): u32 {
  return load<u16>(LEVELS + ((<usize>range) << 1));
}

export function bitsOf(range: u32): u32 {
  return load<u8>(BITS + range);
}

/** 1 for a range of bits alone, 3 where a trit is above them, 5 for a quint. */
function radixOf(range: u32): u32 {
  return load<u8>(RADIX + range);
}

/** How many bits a sequence of `count` values takes. */
export function sequenceBits(range: u32, count: u32): u32 {
  const bits = count * bitsOf(range);
  const radix = radixOf(range);
  if (radix === 3) return bits + (8 * count + 4) / 5;
  if (radix === 5) return bits + (7 * count + 2) / 3;
  return bits;
}

/** The greatest range of which `count` values fit into `bits`; RANGES if none does. */
export function greatestRange(count: u32, bits: u32): u32 {
  for (let range: i32 = RANGES - 1; range >= 0; range--) if (sequenceBits(range, count) <= bits) return range;
  return RANGES;
}

/** `count` bits of a block from bit `at` on; count at most 32. A block is two uint64, the lower one first. */
export function bitsAt(low: u64, high: u64, at: u32, count: u32): u32 {
  const mask = ((<u64>1) << count) - 1;
  if (at >= 64) return <u32>((high >> (at - 64)) & mask);
  if (at === 0) return <u32>(low & mask);
  return <u32>(((low >> at) | (high << (64 - at))) & mask);
}

/** The five trits that 8 bits stand for, each in two bits, the first one lowest. */
export function tritsOf(packed: u32): u32 {
  let c: u32;
  let t3: u32;
  let t4: u32;
  if (((packed >> 2) & 7) === 7) {
    c = ((packed >> 3) & 0x1c) | (packed & 3);
    t3 = 2;
    t4 = 2;
  } else {
    c = packed & 0x1f;
    if (((packed >> 5) & 3) === 3) {
      t4 = 2;
      t3 = packed >> 7;
    } else {
      t4 = packed >> 7;
      t3 = (packed >> 5) & 3;
    }
  }
  let t0: u32;
  let t1: u32;
  let t2: u32;
  if ((c & 3) === 3) {
    t2 = 2;
    t1 = c >> 4;
    const upper = (c >> 3) & 1;
    t0 = (upper << 1) | ((c >> 2) & 1 & ~upper);
  } else if (((c >> 2) & 3) === 3) {
    t2 = 2;
    t1 = 2;
    t0 = c & 3;
  } else {
    t2 = c >> 4;
    t1 = (c >> 2) & 3;
    const upper = (c >> 1) & 1;
    t0 = (upper << 1) | (c & 1 & ~upper);
  }
  return t0 | (t1 << 2) | (t2 << 4) | (t3 << 6) | (t4 << 8);
}

/** The three quints that 7 bits stand for, each in three bits, the first one lowest. */
export function quintsOf(packed: u32): u32 {
  let q2: u32;
  let c: u32;
  if (((packed >> 1) & 3) === 3) {
    if (((packed >> 5) & 3) === 0) {
      const lowest = packed & 1;
      q2 = (lowest << 2) | (((packed >> 4) & 1 & ~lowest) << 1) | ((packed >> 3) & 1 & ~lowest);
      return 4 | (4 << 3) | (q2 << 6);
    }
    q2 = 4;
    c = (packed & 0x18) | ((~(packed >> 5) & 3) << 1) | (packed & 1);
  } else {
    q2 = (packed >> 5) & 3;
    c = packed & 0x1f;
  }
  if ((c & 7) === 5) return (c >> 3) | (4 << 3) | (q2 << 6);
  return (c & 7) | ((c >> 3) << 3) | (q2 << 6);
}

/** Reads a sequence that begins at bit `at` of a block and writes each value as a byte. */
export function readSequence(low: u64, high: u64, at: u32, range: u32, count: u32, to: usize): void {
  const bits = bitsOf(range);
  const radix = radixOf(range);
  const end = at + sequenceBits(range, count);
  if (radix === 1) {
    for (; count > 0; count--, to++, at += bits) store<u8>(to, bitsAt(low, high, at, bits));
    return;
  }
  // What the last group lacks of its bits counts as 0: bits of the block beyond `end` belong to something else.
  if (end <= 64) {
    low &= end === 64 ? ~(<u64>0) : ((<u64>1) << end) - 1;
    high = 0;
  } else if (end < 128) high &= ((<u64>1) << (end - 64)) - 1;
  const mask = ((<u64>1) << bits) - 1;
  while (count > 0) {
    // At most 3 × 5 + 7 bits for quints, 5 × 6 + 8 for trits.
    let group = at >= 64 ? high >> (at - 64) : at === 0 ? low : (low >> at) | (high << (64 - at));
    if (radix === 3) {
      const m0 = <u32>(group & mask);
      group >>= bits;
      let packed = <u32>(group & 3);
      group >>= 2;
      const m1 = <u32>(group & mask);
      group >>= bits;
      packed |= (<u32>(group & 3)) << 2;
      group >>= 2;
      const m2 = <u32>(group & mask);
      group >>= bits;
      packed |= (<u32>(group & 1)) << 4;
      group >>= 1;
      const m3 = <u32>(group & mask);
      group >>= bits;
      packed |= (<u32>(group & 3)) << 5;
      group >>= 2;
      const m4 = <u32>(group & mask);
      group >>= bits;
      packed |= (<u32>(group & 1)) << 7;
      const trits = tritsOf(packed);
      store<u8>(to, m0 | ((trits & 3) << bits));
      if (count > 1) store<u8>(to, m1 | (((trits >> 2) & 3) << bits), 1);
      if (count > 2) store<u8>(to, m2 | (((trits >> 4) & 3) << bits), 2);
      if (count > 3) store<u8>(to, m3 | (((trits >> 6) & 3) << bits), 3);
      if (count > 4) store<u8>(to, m4 | (((trits >> 8) & 3) << bits), 4);
      at += 5 * bits + 8;
      to += 5;
      count = count > 5 ? count - 5 : 0;
    } else {
      const m0 = <u32>(group & mask);
      group >>= bits;
      let packed = <u32>(group & 7);
      group >>= 3;
      const m1 = <u32>(group & mask);
      group >>= bits;
      packed |= (<u32>(group & 3)) << 3;
      group >>= 2;
      const m2 = <u32>(group & mask);
      group >>= bits;
      packed |= (<u32>(group & 3)) << 5;
      const quints = quintsOf(packed);
      store<u8>(to, m0 | ((quints & 7) << bits));
      if (count > 1) store<u8>(to, m1 | (((quints >> 3) & 7) << bits), 1);
      if (count > 2) store<u8>(to, m2 | (((quints >> 6) & 7) << bits), 2);
      at += 3 * bits + 7;
      to += 3;
      count = count > 3 ? count - 3 : 0;
    }
  }
}

/** The bits of a value repeated until they fill `width` bits. */
function replicate(value: u32, bits: u32, width: u32): u32 {
  let result = value << (width - bits);
  for (let filled = bits; filled < width; filled <<= 1) result |= result >> filled;
  return result & ((1 << width) - 1);
}

/**
 * The bits of a value above its lowest one, spread over 9 bits for a colour or 7 for a weight: the specification's B.
 * `bits`: all low bits of the range, 1 to 6.
 */
function spreadColorBits(upper: u32, bits: u32, isQuint: bool): u32 {
  switch (bits) {
    case 2:
      return isQuint ? upper * 0b100001100 : upper * 0b100010110;
    case 3:
      return isQuint ? (upper << 7) | (upper << 1) | (upper >> 1) : (upper << 7) | (upper << 2) | upper;
    case 4:
      return isQuint ? (upper << 6) | (upper >> 1) : (upper << 6) | upper;
    case 5:
      return isQuint ? (upper << 5) | (upper >> 3) : (upper << 5) | (upper >> 2);
    case 6:
      return (upper << 4) | (upper >> 4);
    default:
      return 0;
  }
}

function spreadWeightBits(upper: u32, bits: u32, isQuint: bool): u32 {
  if (bits === 2) return isQuint ? upper * 0b1000010 : upper * 0b1000101;
  if (bits === 3) return (upper << 5) | upper;
  return 0;
}

/** What a colour value of a range from 4 on stands for: 0 to 255. */
export function unquantizedColor(value: u32, range: u32): u32 {
  const bits = bitsOf(range);
  const radix = radixOf(range);
  if (radix === 1) return replicate(value, bits, 8);
  const digit = value >> bits;
  const low = value & ((1 << bits) - 1);
  const inverted: u32 = (low & 1) === 1 ? 0x1ff : 0;
  const sum = digit * load<u8>(COLOR_FACTORS + range) + spreadColorBits(low >> 1, bits, radix === 5);
  const turned = sum ^ inverted;
  return (inverted & 0x80) | (turned >> 2);
}

/** What a weight of a range up to 11 stands for: 0 to 64. */
export function unquantizedWeight(value: u32, range: u32): u32 {
  const bits = bitsOf(range);
  const radix = radixOf(range);
  if (bits === 0) return radix === 3 ? load<u8>(TRIT_WEIGHTS + value) : load<u8>(QUINT_WEIGHTS + value);
  let weight: u32;
  if (radix === 1) weight = replicate(value, bits, 6);
  else {
    const digit = value >> bits;
    const low = value & ((1 << bits) - 1);
    const inverted: u32 = (low & 1) === 1 ? 0x7f : 0;
    const sum = digit * load<u8>(WEIGHT_FACTORS + range) + spreadWeightBits(low >> 1, bits, radix === 5);
    weight = (inverted & 0x20) | ((sum ^ inverted) >> 2);
  }
  return weight > 32 ? weight + 1 : weight;
}
