// A cache of decoded values of a crate. Values that are used again soon, or by many specs that share a field, are not
// decoded again. Its size is limited, so that a layer does not take the memory of its unpacked size.

import type { Value } from '../../layer.ts';

/** The size of one generation, in bytes. There are two generations. */
const GENERATION_BYTES = 2 ** 21;
/** Values larger than this many bytes are not kept. */
const MAX_BYTES = 2 ** 16;

/** The approximate memory of a value in bytes. Views of the file need no memory for their elements. */
function weigh({ value }: Value, file: ArrayBufferLike | null): number {
  if (ArrayBuffer.isView(value)) return 256 + (value.buffer === file ? 0 : value.byteLength);
  return Array.isArray(value) ? 64 + 16 * value.length : 128;
}

/** Values by field index. When the younger generation is full, it replaces the older one, whose values are dropped. */
export class ValueCache {
  readonly #file: ArrayBufferLike | null;
  #young = new Map<number, Value>();
  #old = new Map<number, Value>();
  #weight = 0;

  /** `file` is the buffer of a file in memory. */
  constructor(file: ArrayBufferLike | null) {
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
    if (weight > MAX_BYTES) return;
    if (this.#weight + weight > GENERATION_BYTES) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#weight += weight;
    this.#young.set(index, value);
  }
}
