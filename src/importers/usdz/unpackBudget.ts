// Limits the bytes to which the packages of one source may unpack. A zip archive of a few megabytes can unpack to
// gigabytes. The data of real scenes compresses to a tenth at best, so only hostile archives exceed the limit.

/** The limit for sources with small archives. */
const MIN_BYTES = 32 * 2 ** 20;
/** For larger archives, the limit is this many times their bytes. */
const RATIO = 64;

export class UnpackBudget {
  readonly #min: number;
  #archives = 0;
  #unpacked = 0;

  constructor(min = MIN_BYTES) {
    this.#min = min;
  }

  /** Adds an archive on disk. Do not add an archive inside of another one, whose bytes include it. */
  addArchive(bytes: number): void {
    this.#archives += bytes;
  }

  /** The bytes of all added archives. */
  get archives(): number {
    return this.#archives;
  }

  /** Maximum size of all files together after unpacking, in bytes. */
  get limit(): number {
    return Math.max(this.#min, RATIO * this.#archives);
  }

  /** Takes the bytes of an unpacked file from the budget; false, without taking any, if they exceed the limit. */
  take(bytes: number): boolean {
    if (this.#unpacked + bytes > this.limit) return false;
    this.#unpacked += bytes;
    return true;
  }
}
