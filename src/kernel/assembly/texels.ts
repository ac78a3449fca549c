// Texels of new textures, channel by channel.

/**
 * Fills every `size`-th byte from `to` on with what `map` gives for every fourth byte from `from` on, `count` times. Returns
 * 1 if `leaves` has a 1 for any of them, otherwise 0. `map` and `leaves` have 256 bytes.
 */
export function mapChannel(from: usize, count: u32, map: usize, leaves: usize, size: u32, to: usize): u32 {
  let left: u32 = 0;
  for (let i: u32 = 0; i < count; i++, from += 4, to += size) {
    const value = <usize>load<u8>(from);
    store<u8>(to, load<u8>(map + value));
    left |= <u32>load<u8>(leaves + value);
  }
  return left;
}
