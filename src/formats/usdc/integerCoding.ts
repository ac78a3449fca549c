// The integer coding of crates (OpenUSD, usd/integerCoding.h), before LZ4: the most common difference, two bits for each
// integer that say how its difference is stored, and the differences that are not the common one.

const CODES_PER_BYTE = 4;

/** Room for the coded form of `n` integers of `width` bytes. */
const roomFor = (n: number, width: number): number => width + Math.ceil(n / CODES_PER_BYTE) + n * width;

/** The most common of some differences; of equally common ones the one that comes first. */
function mostCommon<T>(differences: Iterable<T>): T | undefined {
  const counts = new Map<T, number>();
  for (const difference of differences) counts.set(difference, (counts.get(difference) ?? 0) + 1);
  let common: T | undefined;
  let most = 0;
  for (const [difference, count] of counts) {
    if (count <= most) continue;
    common = difference;
    most = count;
  }
  return common;
}

/** Codes 32-bit integers, signed or not. */
export function codeInt32(values: ArrayLike<number>): Uint8Array {
  const n = values.length;
  const differences = new Int32Array(n);
  for (let i = 0; i < n; i++) differences[i] = (values[i] - (i > 0 ? values[i - 1] : 0)) | 0;
  const common = mostCommon(differences) ?? 0;
  const out = new Uint8Array(roomFor(n, 4));
  const view = new DataView(out.buffer);
  view.setInt32(0, common, true);
  let at = 4 + Math.ceil(n / CODES_PER_BYTE);
  for (let i = 0; i < n; i++) {
    const difference = differences[i];
    if (difference === common) continue;
    let code = 3;
    if (difference === (difference << 24) >> 24) code = 1;
    else if (difference === (difference << 16) >> 16) code = 2;
    out[4 + (i >> 2)] |= code << (2 * (i & 3));
    if (code === 1) view.setInt8(at, difference);
    else if (code === 2) view.setInt16(at, difference, true);
    else view.setInt32(at, difference, true);
    at += code === 3 ? 4 : code;
  }
  return out.subarray(0, at);
}

/** Codes 64-bit integers, signed or not. */
export function codeInt64(values: ArrayLike<bigint>): Uint8Array {
  const n = values.length;
  const differences = new BigInt64Array(n);
  for (let i = 0; i < n; i++) differences[i] = BigInt.asIntN(64, values[i] - (i > 0 ? values[i - 1] : 0n));
  const common = mostCommon(differences) ?? 0n;
  const out = new Uint8Array(roomFor(n, 8));
  const view = new DataView(out.buffer);
  view.setBigInt64(0, common, true);
  let at = 8 + Math.ceil(n / CODES_PER_BYTE);
  for (let i = 0; i < n; i++) {
    const difference = differences[i];
    if (difference === common) continue;
    let code = 3;
    if (difference === BigInt.asIntN(16, difference)) code = 1;
    else if (difference === BigInt.asIntN(32, difference)) code = 2;
    out[8 + (i >> 2)] |= code << (2 * (i & 3));
    if (code === 1) view.setInt16(at, Number(difference), true);
    else if (code === 2) view.setInt32(at, Number(difference), true);
    else view.setBigInt64(at, difference, true);
    at += 2 ** code;
  }
  return out.subarray(0, at);
}
