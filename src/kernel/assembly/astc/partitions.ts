// Which partition of an ASTC block each texel belongs to (Khronos Data Format Specification 1.3, chapter 23: "Partition
// Pattern Generation").

/** Blocks of fewer texels take a pattern at half its size. */
const SMALL_BLOCK: u32 = 31;

/** The specification's hash52. */
function hash(number: u32): u32 {
  number ^= number >> 15;
  number *= 0xeede0891;
  number ^= number >> 5;
  number += number << 16;
  number ^= number >> 7;
  number ^= number >> 3;
  number ^= number << 6;
  return number ^ (number >> 17);
}

/** The square of four bits of a hash, shifted. */
function seed(hashed: u32, at: u32, shift: u32): u32 {
  const bits = (hashed >> at) & 15;
  return (bits * bits) >> shift;
}

/** Writes the partition of each texel of a block, a byte each, row by row. `pattern`: 0 to 1023; `partitions`: 2 to 4. */
export function partitionTexels(pattern: u32, partitions: u32, blockWidth: u32, blockHeight: u32, to: usize): void {
  const scale: u32 = blockWidth * blockHeight < SMALL_BLOCK ? 1 : 0;
  const number = pattern + ((partitions - 1) << 10);
  const hashed = hash(number);
  const byPattern: u32 = (number & 2) !== 0 ? 4 : 5;
  const byCount: u32 = partitions === 3 ? 6 : 5;
  const isOdd = (number & 1) !== 0;
  const shiftX = isOdd ? byPattern : byCount;
  const shiftY = isOdd ? byCount : byPattern;
  const x0 = seed(hashed, 0, shiftX);
  const y0 = seed(hashed, 4, shiftY);
  const x1 = seed(hashed, 8, shiftX);
  const y1 = seed(hashed, 12, shiftY);
  const x2 = seed(hashed, 16, shiftX);
  const y2 = seed(hashed, 20, shiftY);
  const x3 = seed(hashed, 24, shiftX);
  const y3 = seed(hashed, 28, shiftY);
  for (let row: u32 = 0; row < blockHeight; row++) {
    const y = row << scale;
    for (let column: u32 = 0; column < blockWidth; column++, to++) {
      const x = column << scale;
      const a = (x0 * x + y0 * y + (hashed >> 14)) & 63;
      const b = (x1 * x + y1 * y + (hashed >> 10)) & 63;
      const c: u32 = partitions < 3 ? 0 : (x2 * x + y2 * y + (hashed >> 6)) & 63;
      const d: u32 = partitions < 4 ? 0 : (x3 * x + y3 * y + (hashed >> 2)) & 63;
      let partition: u8 = 3;
      if (a >= b && a >= c && a >= d) partition = 0;
      else if (b >= c && b >= d) partition = 1;
      else if (c >= d) partition = 2;
      store<u8>(to, partition);
    }
  }
}
