// Reads the bytes of one file in order and never beyond their end. Whatever is not there is a coded error that names the
// byte. Nothing is allocated before it is known that the file holds it.

import { type Code, fail } from '../../../diagnostics/diagnostic.ts';

/** Little-endian throughout (Urho3D, "Custom file formats"). */
export class Cursor {
  readonly file: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, file: string, at = 0) {
    this.file = file;
    // A plain array: slices of Node's Buffer are views.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = at;
  }

  /** The byte that comes next, from the begin of the file. */
  get at(): number {
    return this.#at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Throws the code, with the byte, for the element at `place`. */
  fail(code: Code, place: string, message: string, at = this.#at): never {
    fail(code, this.file, place, `byte ${at}: ${message}`);
  }

  /** Throws UC3902 if bytes are left. */
  requireEnd(): void {
    if (this.left > 0) this.fail('UC3902', '', `bytes behind the end: ${this.left} bytes follow the last field`);
  }

  /** Steps over `size` bytes and returns where they begin. Throws UC3902. */
  take(size: number, place: string): number {
    const at = this.#at;
    if (size > this.left)
      this.fail('UC3902', place, `file ends inside a field: ${size} bytes are wanted, ${this.left} are left`);
    this.#at += size;
    return at;
  }

  u8(place: string): number {
    return this.#view.getUint8(this.take(1, place));
  }

  u16(place: string): number {
    return this.#view.getUint16(this.take(2, place), true);
  }

  u32(place: string): number {
    return this.#view.getUint32(this.take(4, place), true);
  }

  f32(place: string): number {
    return this.#view.getFloat32(this.take(4, place), true);
  }

  /** Throws UC3902 if `count` things of at least `min` bytes each cannot all be there. */
  requireRoom(count: number, min: number, place: string): void {
    if (count * min <= this.left) return;
    this.fail(
      'UC3902',
      place,
      `count larger than the file can hold: ${count} of at least ${min} bytes each are declared, ${this.left} bytes are left`,
    );
  }

  /** A count of things of at least `min` bytes each. Throws UC3902. */
  count(min: number, place: string): number {
    const count = this.u32(place);
    this.requireRoom(count, min, place);
    return count;
  }

  /** A view of the next `size` bytes. Throws UC3902. */
  bytes(size: number, place: string): Uint8Array {
    const at = this.take(size, place);
    return this.#bytes.subarray(at, at + size);
  }

  /** A copy of the next `size` bytes, which begins at a multiple of 8 bytes of its buffer. Throws UC3902. */
  copy(size: number, place: string): Uint8Array {
    return this.bytes(size, place).slice();
  }

  /** Text up to a byte 0, which is stepped over. Throws UC3902, and UC3904 for text that is not UTF-8. */
  text(place: string): string {
    const from = this.#at;
    const end = this.#bytes.indexOf(0, from);
    if (end < 0) this.fail('UC3902', place, `file ends inside a field: no byte 0 ends the text that begins here`);
    this.#at = end + 1;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.#bytes.subarray(from, end));
    } catch {
      return this.fail('UC3904', place, 'the text is not UTF-8', from);
    }
  }
}
