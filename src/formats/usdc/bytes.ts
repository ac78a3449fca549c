// The bytes of a crate as they are written: little-endian numbers, packed blocks, coded runs of integers.

import { searchedBlock } from '../untold/container/lz4.ts';
import { codeInt32 } from './integerCoding.ts';

/** The first byte of a packed block: 0 for a single LZ4 block, else the number of chunks, which blocks of 2 GiB need. */
const ONE_BLOCK = 0;

/** A packed block (OpenUSD, tf/fastCompression.h). */
export function packedBlock(raw: Uint8Array): Uint8Array {
  const block = searchedBlock(raw);
  const out = new Uint8Array(1 + block.length);
  out[0] = ONE_BLOCK;
  out.set(block, 1);
  return out;
}

/** Bytes that grow at the end. */
export class ByteSink {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  #room(bytes: number): number {
    const at = this.#size;
    this.#size += bytes;
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#size, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  u8(value: number): void {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#room(2);
    this.#view.setUint16(at, value, true);
  }

  /** The low 32 bits of an integer, signed or not. */
  u32(value: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, value >>> 0, true);
  }

  /** An integer from 0 to 2^53. */
  u64(value: number): void {
    this.u32(value % 2 ** 32);
    this.u32(Math.floor(value / 2 ** 32));
  }

  i64(value: bigint): void {
    const at = this.#room(8);
    this.#view.setBigInt64(at, BigInt.asIntN(64, value), true);
  }

  f32(value: number): void {
    const at = this.#room(4);
    this.#view.setFloat32(at, value, true);
  }

  f64(value: number): void {
    const at = this.#room(8);
    this.#view.setFloat64(at, value, true);
  }

  put(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** `u64 size`, and a packed block. */
  packed(raw: Uint8Array): void {
    const block = packedBlock(raw);
    this.u64(block.length);
    this.put(block);
  }

  /** A coded run of 32-bit integers; of none, its size alone. */
  run(values: ArrayLike<number>): void {
    if (values.length === 0) this.u64(0);
    else this.packed(codeInt32(values));
  }

  /** A copy of what is written. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.#size);
  }
}
