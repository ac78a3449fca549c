// The bytes of a crate as cursors read them: single numbers through a window, which is what of the file lies in memory
// anyway, and arrays by their offset.

import { type Content, MAX_BUFFER_BYTES } from '../../../content.ts';
import { tooLarge } from '../fault.ts';

export class CrateBytes {
  readonly size: number;
  /** The buffer of a crate that lies in memory; null: it is on disk. */
  readonly buffer: ArrayBufferLike | null;
  readonly #content: Content;
  #window: Uint8Array;
  #view: DataView;
  #from = 0;

  constructor(content: Content) {
    this.#content = content;
    this.size = content.size;
    this.buffer = content.whole?.buffer ?? null;
    this.#window = content.whole ?? new Uint8Array(0);
    this.#view = viewOf(this.#window);
  }

  /** Where the `n` bytes at `at`, a few that lie in the file, stand in the window, which may be another one after this. */
  #place(at: number, n: number): number {
    if (at < this.#from || at + n > this.#from + this.#window.length) this.#move(at, n);
    return at - this.#from;
  }

  #move(at: number, n: number): void {
    let { from, bytes } = this.#content.around(at);
    // The end of the window may lie within a number.
    if (at + n > from + bytes.length) [from, bytes] = [at, this.#content.range(at, n)];
    this.#from = from;
    this.#window = bytes;
    this.#view = viewOf(bytes);
  }

  u8(at: number): number {
    const place = this.#place(at, 1);
    return this.#window[place];
  }

  i32(at: number): number {
    const place = this.#place(at, 4);
    return this.#view.getInt32(place, true);
  }

  u32(at: number): number {
    const place = this.#place(at, 4);
    return this.#view.getUint32(place, true);
  }

  f64(at: number): number {
    const place = this.#place(at, 8);
    return this.#view.getFloat64(place, true);
  }

  bigInt64(at: number): bigint {
    const place = this.#place(at, 8);
    return this.#view.getBigInt64(place, true);
  }

  bigUint64(at: number): bigint {
    const place = this.#place(at, 8);
    return this.#view.getBigUint64(place, true);
  }

  /**
   * `n` bytes, which must lie in the file: a view of it, or a copy that begins at offset 0 of a buffer of its own. Throws
   * CrateFault UC1406 for a copy that does not fit one.
   */
  range(at: number, n: number): Uint8Array {
    if (this.buffer === null && n > MAX_BUFFER_BYTES) tooLarge(`${n} bytes at offset ${at}, the limit is 2 GiB`);
    return this.#content.range(at, n);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
