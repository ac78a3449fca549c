// Conversion of IEEE 754 half floats to float, for half values and arrays in crates. It is exact.

/** The float of the half with the bits `h`. */
export function widenHalf(h: number): number {
  const sign = h & 0x8000 ? -1 : 1;
  const exponent = (h >> 10) & 31;
  const fraction = h & 0x3ff;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

let table: Float32Array | null = null;

/** Converts `n` little-endian halves from `at` on, at any alignment. Uses a table that is made at the first call. */
export function widenHalves(bytes: Uint8Array, at: number, n: number): Float32Array {
  if (table === null) {
    table = new Float32Array(0x10000);
    for (let h = 0; h < 0x10000; h++) table[h] = widenHalf(h);
  }
  const out = new Float32Array(n);
  for (let i = 0, p = at; i < n; i++, p += 2) out[i] = table[bytes[p] | (bytes[p + 1] << 8)];
  return out;
}
