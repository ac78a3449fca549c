// Bytes that belong to a set before their paths are known: textures, which are named once all materials are. They wait in the
// set's staging folder. Its owner moves those into the set that something names, and the others go with the folder.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './folders.ts';

/** Bytes that stay in memory, for small sets: a file that is written and moved costs more than they do. */
const KEPT_BYTES = 16e6;
const HELD_FILES = 'held';

export class StagedBytes {
  readonly #folder: string;
  /** Turns an error of the file system into what the set throws. */
  readonly #asError: (error: unknown) => unknown;
  /** Where the bytes of a hash are now. */
  readonly #files = new Map<string, { readonly path: string; readonly bytes: number }>();
  #left = KEPT_BYTES;
  #isMade = false;

  constructor(staging: string, asError: (error: unknown) => unknown) {
    this.#folder = join(staging, HELD_FILES);
    this.#asError = asError;
  }

  /** Writes the bytes, unless few are in memory so far: then the caller keeps them, and the result is false. */
  hold(sha256: string, bytes: Uint8Array): boolean {
    if (this.#files.has(sha256)) return true;
    if (bytes.length <= this.#left) {
      this.#left -= bytes.length;
      return false;
    }
    const path = join(this.#folder, sha256);
    try {
      if (!this.#isMade) makeFolder(this.#folder);
      this.#isMade = true;
      writeFileSync(path, bytes, { flag: 'wx' });
    } catch (error) {
      throw this.#asError(error);
    }
    this.#files.set(sha256, { path, bytes: bytes.length });
    return true;
  }

  /** Bytes that `hold` took. */
  read(sha256: string): Uint8Array {
    const { path } = this.#file(sha256);
    try {
      const bytes = readFileSync(path);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    } catch (error) {
      throw this.#asError(error);
    }
  }

  /** Moves the file of bytes that `hold` took to a path where nothing is, once. They can still be read. */
  moveTo(sha256: string, path: string): void {
    const { path: from, bytes } = this.#file(sha256);
    if (dirname(from) !== this.#folder) throw new Error(`${sha256} is moved twice`);
    renameSync(from, path);
    this.#files.set(sha256, { path, bytes });
  }

  /** Of bytes that `hold` took. */
  sizeOf(sha256: string): number {
    return this.#file(sha256).bytes;
  }

  #file(sha256: string): { readonly path: string; readonly bytes: number } {
    const file = this.#files.get(sha256);
    if (file === undefined) throw new Error(`nothing is held under ${sha256}`);
    return file;
  }
}
