// 32-bit integers as crates code them, one difference to the previous one after the other. The layout, and the check that
// all of the payload is there, are in importers/usd/crate/coding/integerCoding.ts.

/** Where the 2-bit codes begin, after the common difference. */
const CODES: usize = 4;
/** The lower bit of each of 32 codes. */
const LOW_BITS: u64 = 0x55555555 + (0x55555555 << 32);

function payloadOf(coded: usize, count: u32): usize {
  return coded + CODES + ((<usize>count + 3) >> 2);
}

function codesAt(coded: usize, i: u32): u32 {
  return <u32>load<u8>(coded + CODES + (<usize>i >> 2));
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
  for (let i: u32 = 0; i < rest; i++) bytes += bytesOf((<u32>load<u8>(at + <usize>(i >> 2)) >> ((i & 3) << 1)) & 3);
  return bytes;
}

/** Decodes `count` integers to `to`. Four bytes after the payload must be in memory too. */
export function decodeIntegers(coded: usize, count: u32, to: usize): void {
  const common = load<i32>(coded);
  let payload = payloadOf(coded, count);
  let previous: i32 = 0;
  for (let i: u32 = 0; i < count; ) {
    let codes = codesAt(coded, i);
    if (codes === 0 && count - i >= 4) {
      // Four times the common difference: counts of faces are little else.
      store<i32>(to, previous + common);
      store<i32>(to, previous + 2 * common, 4);
      store<i32>(to, previous + 3 * common, 8);
      previous += 4 * common;
      store<i32>(to, previous, 12);
      to += 16;
      i += 4;
      continue;
    }
    const end = min<u32>(count, i + 4);
    for (; i < end; i++, to += 4, codes >>= 2) {
      const code = codes & 3;
      previous += difference(code, payload, common);
      payload += bytesOf(code);
      store<i32>(to, previous);
    }
  }
}

/** Writes the sum of `count` integers, at least one, as a float64, then the least and the greatest of them. Decodes none to memory. */
export function integerFacts(coded: usize, count: u32, to: usize): void {
  const common = load<i32>(coded);
  let payload = payloadOf(coded, count);
  let previous: i32 = 0;
  let sum: f64 = 0;
  let least: i32 = i32.MAX_VALUE;
  let most: i32 = i32.MIN_VALUE;
  for (let i: u32 = 0; i < count; ) {
    let codes = codesAt(coded, i);
    if (codes === 0 && common === 0 && count - i >= 4) {
      // Four times the previous one.
      sum += 4 * <f64>previous;
      least = min<i32>(least, previous);
      most = max<i32>(most, previous);
      i += 4;
      continue;
    }
    const end = min<u32>(count, i + 4);
    for (; i < end; i++, codes >>= 2) {
      const code = codes & 3;
      previous += difference(code, payload, common);
      payload += bytesOf(code);
      sum += <f64>previous;
      least = min<i32>(least, previous);
      most = max<i32>(most, previous);
    }
  }
  store<f64>(to, sum);
  store<i32>(to, least, 8);
  store<i32>(to, most, 12);
}
