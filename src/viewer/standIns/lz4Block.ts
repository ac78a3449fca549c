// Unpacks raw LZ4 blocks in plain code, for browsers: the block format of lz4_Block_format.md. Every length is checked
// against what is left of the block and of the output before a byte is copied.

/** Why a block cannot be unpacked. */
export type Lz4Fault = 'malformed' | 'too long';

/** The unpacked bytes, fewer than `size` where the block ends before. */
export function unpackLz4Block(block: Uint8Array, size: number): Uint8Array | Lz4Fault {
  const out = new Uint8Array(size);
  let from = 0;
  let to = 0;
  /** Adds the bytes that continue a length of 15; -1 where the block ends in them. */
  const longer = (length: number): number => {
    let sum = length;
    for (;;) {
      if (from >= block.length) return -1;
      const byte = block[from++];
      sum += byte;
      if (byte !== 255) return sum;
    }
  };
  while (from < block.length) {
    const token = block[from++];
    let literals = token >>> 4;
    if (literals === 15) literals = longer(literals);
    if (literals < 0 || from + literals > block.length) return 'malformed';
    if (to + literals > size) return 'too long';
    out.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has literals alone.
    if (from === block.length) return to === size ? out : out.subarray(0, to);
    if (from + 2 > block.length) return 'malformed';
    const offset = block[from] | (block[from + 1] << 8);
    from += 2;
    let length = token & 15;
    if (length === 15) length = longer(length);
    if (length < 0 || offset === 0 || offset > to) return 'malformed';
    length += 4;
    if (to + length > size) return 'too long';
    if (offset >= length) {
      out.copyWithin(to, to - offset, to - offset + length);
      to += length;
    } else {
      // Source and target overlap: the copy repeats what it has just written.
      for (const end = to + length; to < end; to++) out[to] = out[to - offset];
    }
  }
  return 'malformed';
}
