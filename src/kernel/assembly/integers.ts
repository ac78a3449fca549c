// 32-bit integers as crates code them, one difference to the previous one after the other. The layout, and the check that
// all of the payload is there, are in importers/usd/crate/coding/integerCoding.ts.

/** Where the 2-bit codes begin, after the common difference. */
const CODES: usize = 4;
/** The lower bit of each of 32 codes. */
const LOW_BITS: u64 = 0x55555555 + (0x55555555 << 32);

function payloadOf(coded: usize, count: u32): usize {
  return coded + CODES + ((<usize>count + 3) >> 2);
}

function codeAt(coded: usize, i: u32): u32 {
  return (<u32>load<u8>(coded + CODES + (<usize>i >> 2)) >> ((i & 3) << 1)) & 3;
}

/** Bytes that a code takes of the payload: 0, 1, 2 or 4. */
function bytesOf(code: u32): u32 {
  return (1 << code) >> 1;
}

/** The difference of a code. Reads four bytes of payload whatever the code is, so that nothing depends on it but a choice. */
function difference(code: u32, payload: usize, common: i32): i32 {
  const shift = 32 - (bytesOf(code) << 3);
  return code === 0 ? common : (load<i32>(payload) << shift) >> shift;
}

/** The bytes that the payload of `count` integers takes by their codes: 0, 1, 2 or 4 each. Nothing of the payload is read. */
export function integerPayload(coded: usize, count: u32): u32 {
  let bytes: u32 = 0;
  const whole = coded + CODES + <usize>(count >> 2);
  let at = coded + CODES;
  for (; at + 8 <= whole; at += 8) {
    // A code is two bits, `low` and `high`. It takes a byte if low is set, two if high is, and one more if both are.
    const codes = load<u64>(at);
    const low = codes & LOW_BITS;
    const high = (codes >> 1) & LOW_BITS;
    bytes += <u32>(popcnt(low) + 2 * popcnt(high) + popcnt(low & high));
  }
  const rest = count - ((<u32>(at - coded - CODES)) << 2);
  for (let i: u32 = 0; i < rest; i++) bytes += bytesOf(codeAt(at - CODES, i));
  return bytes;
}

/**
 * What each byte of four codes means, 256 entries each: the bytes of its payload, which of them make up the four lanes, the
 * sign bits of the lanes, and all bits of the lanes that take the common difference. Made when they are used first.
 */
const LENGTHS: usize = memory.data(256);
const LANES: usize = memory.data(256 << 4, 16);
const SIGNS: usize = memory.data(256 << 4, 16);
const COMMON_LANES: usize = memory.data(256 << 4, 16);
/** A place that no vector has: i8x16.swizzle gives zero for it. */
const NOWHERE: u8 = 255;

function makeTables(): void {
  if (load<u8>(LENGTHS, 255) !== 0) return;
  for (let codes: u32 = 0; codes < 256; codes++) {
    let from: u32 = 0;
    for (let lane: u32 = 0; lane < 4; lane++) {
      const code = (codes >> (lane << 1)) & 3;
      const bytes = bytesOf(code);
      const at = <usize>((codes << 4) + (lane << 2));
      for (let b: u32 = 0; b < 4; b++) store<u8>(LANES + at + <usize>b, b < bytes ? <u8>(from + b) : NOWHERE);
      from += bytes;
      store<u32>(SIGNS + at, code === 1 ? 0x80 : code === 2 ? 0x8000 : 0);
      store<u32>(COMMON_LANES + at, code === 0 ? 0xffffffff : 0);
    }
    store<u8>(LENGTHS + <usize>codes, <u8>from);
  }
}

/** The four differences of a byte of codes. Reads 16 bytes of payload, whatever the codes are. */
function differences(codes: usize, payload: usize, common: v128): v128 {
  const lanes = i8x16.swizzle(v128.load(payload), v128.load(LANES + (codes << 4)));
  // The sign bit of a short number says that all bits above it are set, too.
  const signs = v128.load(SIGNS + (codes << 4));
  const extended = i32x4.sub(v128.xor(lanes, signs), signs);
  return v128.or(extended, v128.and(common, v128.load(COMMON_LANES + (codes << 4))));
}

/** Each lane with all lanes before it added. */
function runningSums(x: v128): v128 {
  const zero = i32x4.splat(0);
  const pairs = i32x4.add(x, i8x16.shuffle(zero, x, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
  return i32x4.add(pairs, i8x16.shuffle(zero, pairs, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23));
}

/** Where a run of integers goes on: the address of its payload, then the integer before. */
const PREVIOUS: usize = 4;

function payloadAt(coded: usize, count: u32, from: u32, state: usize): usize {
  if (from > 0) return <usize>load<u32>(state);
  store<i32>(state, 0, PREVIOUS);
  return payloadOf(coded, count);
}

/**
 * Decodes the integers from `from`, a multiple of 4, up to `until` of `count` ones to `to`. 16 bytes after the payload must be
 * in memory too. `state` passes from each call to the next one; the first one has `from` 0. A run is decoded by several calls
 * because an engine uses its better code from the next call on.
 */
export function decodeIntegers(coded: usize, count: u32, from: u32, until: u32, to: usize, state: usize): void {
  makeTables();
  const commons = i32x4.splat(load<i32>(coded));
  let payload = payloadAt(coded, count, from, state);
  let previous = i32x4.splat(load<i32>(state, PREVIOUS));
  let i = from;
  for (; i + 4 <= until; i += 4, to += 16) {
    const codes = <usize>load<u8>(coded + CODES + <usize>(i >> 2));
    const values = i32x4.add(previous, runningSums(differences(codes, payload, commons)));
    v128.store(to, values);
    previous = i32x4.splat(i32x4.extract_lane(values, 3));
    payload += <usize>load<u8>(LENGTHS + codes);
  }
  let last = i32x4.extract_lane(previous, 3);
  for (; i < until; i++, to += 4) {
    const code = codeAt(coded, i);
    last += difference(code, payload, load<i32>(coded));
    payload += <usize>bytesOf(code);
    store<i32>(to, last);
  }
  store<u32>(state, <u32>payload);
  store<i32>(state, last, PREVIOUS);
}

/**
 * Writes the sum of integers, as a float64, then the least and the greatest of them, and decodes none to memory. Which ones,
 * and the state, are those of `decodeIntegers`; there is at least one.
 */
export function integerFacts(coded: usize, count: u32, from: u32, until: u32, to: usize, state: usize): void {
  makeTables();
  const commons = i32x4.splat(load<i32>(coded));
  let payload = payloadAt(coded, count, from, state);
  let previous = i32x4.splat(load<i32>(state, PREVIOUS));
  let sums = i64x2.splat(0);
  let leasts = i32x4.splat(i32.MAX_VALUE);
  let mosts = i32x4.splat(i32.MIN_VALUE);
  let i = from;
  for (; i + 4 <= until; i += 4) {
    const codes = <usize>load<u8>(coded + CODES + <usize>(i >> 2));
    const values = i32x4.add(previous, runningSums(differences(codes, payload, commons)));
    sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_s(values), i64x2.extend_high_i32x4_s(values)));
    leasts = i32x4.min_s(leasts, values);
    mosts = i32x4.max_s(mosts, values);
    previous = i32x4.splat(i32x4.extract_lane(values, 3));
    payload += <usize>load<u8>(LENGTHS + codes);
  }
  let last = i32x4.extract_lane(previous, 3);
  let sum = i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
  for (; i < until; i++) {
    const code = codeAt(coded, i);
    last += difference(code, payload, load<i32>(coded));
    payload += <usize>bytesOf(code);
    sum += <i64>last;
    const one = i32x4.splat(last);
    leasts = i32x4.min_s(leasts, one);
    mosts = i32x4.max_s(mosts, one);
  }
  const lowest = min<i32>(
    min<i32>(i32x4.extract_lane(leasts, 0), i32x4.extract_lane(leasts, 1)),
    min<i32>(i32x4.extract_lane(leasts, 2), i32x4.extract_lane(leasts, 3)),
  );
  const highest = max<i32>(
    max<i32>(i32x4.extract_lane(mosts, 0), i32x4.extract_lane(mosts, 1)),
    max<i32>(i32x4.extract_lane(mosts, 2), i32x4.extract_lane(mosts, 3)),
  );
  store<u32>(state, <u32>payload);
  store<i32>(state, last, PREVIOUS);
  store<f64>(to, <f64>sum);
  store<i32>(to, lowest, 8);
  store<i32>(to, highest, 12);
}
