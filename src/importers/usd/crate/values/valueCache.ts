// Decoded values that a crate keeps for a while: what is asked for again soon, or by many specs that share a field, is
// not decoded again, and a layer does not grow to its unpacked size in memory.

import type { Value } from '../../layer.ts';

/** Bytes of one generation; there are two. */
const GENERATION_BYTES = 2 ** 21;
/** Heavier values are decoded anew at each call. */
const MOST_BYTES = 2 ** 16;

/** About what a value holds in memory; views of the file are as light as numbers. */
function weigh({ value }: Value, file: ArrayBufferLike): number {
  if (ArrayBuffer.isView(value)) return 256 + (value.buffer === file ? 0 : value.byteLength);
  return Array.isArray(value) ? 64 + 16 * value.length : 128;
}

/** Values by field index. When the younger generation is full, the older one is forgotten. */
export class ValueCache {
  readonly #file: ArrayBufferLike;
  #young = new Map<number, Value>();
  #old = new Map<number, Value>();
  #weight = 0;

  /** `file` is the buffer that views of the file belong to. */
  constructor(file: ArrayBufferLike) {
    this.#file = file;
  }

  get(index: number): Value | undefined {
    const young = this.#young.get(index);
    if (young) return young;
    const old = this.#old.get(index);
    if (old) this.set(index, old);
    return old;
  }

  set(index: number, value: Value): void {
    const weight = weigh(value, this.#file);
    if (weight > MOST_BYTES) return;
    if (this.#weight + weight > GENERATION_BYTES) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#weight += weight;
    this.#young.set(index, value);
  }
}
