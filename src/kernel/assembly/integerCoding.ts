// The integer coding of crates, which importers/usd/crate/coding/integerCoding.ts describes: two bits for each integer say
// how many bytes its difference to the previous one takes.

/** The bytes that the differences of `count` integers take whose codes begin at `codes`. */
export function payloadOfCodes(codes: usize, count: u32): u32 {
  let bytes: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const code = (<u32>load<u8>(codes + (i >> 2)) >> ((i & 3) << 1)) & 3;
    // 0, 1, 2 and 4 bytes.
    bytes += (1 << code) >> 1;
  }
  return bytes;
}

/**
 * Decodes `count` integers to `to`. `codes` and `payload`: where their codes and the bytes of their differences begin;
 * `common`: the difference that takes no bytes; `previous`: the integer before the first one.
 */
export function decodeIntegers(codes: usize, payload: usize, count: u32, common: i32, previous: i32, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const code = (<u32>load<u8>(codes + (i >> 2)) >> ((i & 3) << 1)) & 3;
    if (code === 0) previous += common;
    else if (code === 1) previous += <i32>load<i8>(payload);
    else if (code === 2) previous += <i32>load<i16>(payload);
    else previous += load<i32>(payload);
    payload += (1 << code) >> 1;
    store<i32>(to + ((<usize>i) << 2), previous);
  }
}
