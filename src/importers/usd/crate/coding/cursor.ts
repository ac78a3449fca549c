// A bounded cursor over the bytes of a crate. Each read is checked against `end`, and each count against the bytes that
// are left, before memory is allocated for it. All numbers of a crate are little-endian.

import { corrupt } from '../fault.ts';
import type { CrateBytes } from './crateBytes.ts';

export class Cursor {
  readonly bytes: CrateBytes;
  /** Offset of the next byte from the start of the crate. */
  at: number;
  /** First offset that may not be read. */
  readonly end: number;

  /** Throws CrateFault if `at` lies outside of [0, end]. */
  constructor(bytes: CrateBytes, at: number, end: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    if (!(at >= 0 && at <= end)) corrupt(`offset ${at} lies outside the data, which ends at ${end}`);
  }

  get left(): number {
    return this.end - this.at;
  }

  /** Steps over `n` bytes and returns where they start. */
  take(n: number): number {
    const from = this.at;
    if (n > this.end - from) corrupt(`${n} bytes expected at offset ${from}, ${this.end - from} are left`);
    this.at = from + n;
    return from;
  }

  u8(): number {
    return this.bytes.u8(this.take(1));
  }

  i32(): number {
    return this.bytes.i32(this.take(4));
  }

  u32(): number {
    return this.bytes.u32(this.take(4));
  }

  f64(): number {
    return this.bytes.f64(this.take(8));
  }

  /** A signed 64-bit offset. Beyond 2^53 it is not exact, but it is beyond the end of any file then. */
  i64(): number {
    const from = this.take(8);
    return this.bytes.i32(from + 4) * 2 ** 32 + this.bytes.u32(from);
  }

  u64(): number {
    const from = this.take(8);
    return this.bytes.u32(from + 4) * 2 ** 32 + this.bytes.u32(from);
  }

  /** Reads a u64 count of items that take at least `bytesEach` bytes each. They must fit in the bytes that are left. */
  count(bytesEach: number, what: string): number {
    const n = this.u64();
    if (n * bytesEach > this.left) corrupt(`${n} ${what} declared, ${this.left} bytes are left`);
    return n;
  }

  bigInt64(): bigint {
    return this.bytes.bigInt64(this.take(8));
  }

  bigUint64(): bigint {
    return this.bytes.bigUint64(this.take(8));
  }

  /** The next `n` bytes, not to be written to. */
  slice(n: number): Uint8Array {
    return this.bytes.range(this.take(n), n);
  }
}
