// Streams of bits that begin at the lowest bit of each byte.

/**
 * Writes the lowest `count` bits of a value, at most 57, behind the first `bits` bits at `to`; gives how many there are then.
 * Writes up to eight bytes.
 */
export function putBits(to: usize, bits: u32, value: u64, count: u32): u32 {
  const at = to + (bits >> 3);
  const used = <u64>(bits & 7);
  store<u64>(at, (<u64>load<u8>(at) & ((1 << used) - 1)) | (value << used));
  return bits + count;
}
