// Sections of strings: UTF-8, each with a NUL behind it, named by the offset of its first byte.

import type { Findings } from '../../findings.ts';

/** Strings as a section holds them. */
export class BpxStrings {
  readonly #bytes: Uint8Array;
  readonly #findings: Findings;
  /** Each is decoded once, however often it is named. */
  readonly #known = new Map<number, string | null>();

  /** Without a section offset 0 is no string and every other one is an error. */
  constructor(bytes: Uint8Array | null, place: string, findings: Findings) {
    this.#bytes = bytes ?? new Uint8Array(0);
    this.#findings = findings;
    if (bytes === null) this.#known.set(0, null);
    const { length } = this.#bytes;
    if (length > 0 && this.#bytes[length - 1] !== 0) {
      findings.report(
        'UC3601',
        place,
        `last string without its end: the last of ${length} bytes is ${this.#bytes[length - 1]}`,
      );
    }
  }

  /** Null, with UC3624 or UC3633, for an offset at which no string begins. `place` names what refers to it. */
  at(offset: number, place: string): string | null {
    const known = this.#known.get(offset);
    if (known !== undefined) return known;
    const text = this.#read(offset, place);
    if (text !== null) this.#known.set(offset, text);
    return text;
  }

  #read(offset: number, place: string): string | null {
    const bytes = this.#bytes;
    if (offset >= bytes.length) {
      this.#findings.report(
        'UC3624',
        place,
        `string beyond the strings of the file: offset ${offset} in ${bytes.length} bytes of strings`,
      );
      return null;
    }
    if (offset > 0 && bytes[offset - 1] !== 0) {
      this.#findings.report(
        'UC3624',
        place,
        `offset into the middle of a string: offset ${offset} is inside of a string`,
      );
      return null;
    }
    const end = bytes.indexOf(0, offset);
    if (end < 0) {
      // Of the section it has been said that its end is missing.
      this.#known.set(offset, null);
      return null;
    }
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(offset, end));
    } catch {
      this.#findings.report('UC3633', place, `the string at offset ${offset}`);
      this.#known.set(offset, null);
      return null;
    }
  }
}

/** Strings as a writer collects them: each once, in order of first use. */
export class WrittenStrings {
  readonly #offsets = new Map<string, number>();
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** The offset of the string. Throws an Error, which is a bug of the caller, for one with a NUL. */
  add(text: string): number {
    if (text.includes('\0')) throw new Error(`a string with a NUL: ${JSON.stringify(text)}`);
    const known = this.#offsets.get(text);
    if (known !== undefined) return known;
    const offset = this.#length;
    const bytes = new TextEncoder().encode(`${text}\0`);
    this.#offsets.set(text, offset);
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return offset;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
