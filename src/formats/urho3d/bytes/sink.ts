// Writes bytes in order into a buffer that grows.

export class Sink {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Makes room for `size` bytes and returns where they begin. */
  #take(size: number): number {
    const at = this.#size;
    this.#size += size;
    if (this.#size > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#size, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  u8(value: number): void {
    const at = this.#take(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#take(2);
    this.#view.setUint16(at, value, true);
  }

  u32(value: number): void {
    const at = this.#take(4);
    this.#view.setUint32(at, value, true);
  }

  f32(value: number): void {
    const at = this.#take(4);
    this.#view.setFloat32(at, value, true);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Throws an Error, which is a bug of the caller, for text that holds the byte that would end it. */
  text(text: string): void {
    if (text.includes('\0')) throw new Error('a text with a byte 0 cannot be written');
    this.bytes(new TextEncoder().encode(text));
    this.u8(0);
  }

  /** All that was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#size);
  }
}
