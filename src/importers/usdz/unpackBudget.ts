// How much the packages of one source may unpack to. A zip archive of a few megabytes can unpack to gigabytes; what scenes
// hold shrinks to a tenth at best, so that the bound is met by archives made to hurt and by no others.

/** What every source may unpack, however small its archives are. */
const LEAST_BYTES = 32 * 2 ** 20;
/** Beyond that, so many times the bytes of its archives. */
const RATIO = 64;

export class UnpackBudget {
  readonly #least: number;
  #archives = 0;
  #unpacked = 0;

  constructor(least = LEAST_BYTES) {
    this.#least = least;
  }

  /** Counts an archive that lies on disk; one inside of another has been counted with it. */
  addArchive(bytes: number): void {
    this.#archives += bytes;
  }

  /** Bytes of the archives that have been counted. */
  get archives(): number {
    return this.#archives;
  }

  /** Bytes that all files together may unpack to. */
  get limit(): number {
    return Math.max(this.#least, RATIO * this.#archives);
  }

  /** Takes what a file unpacks to; false, and nothing taken, when that is too much. */
  take(bytes: number): boolean {
    if (this.#unpacked + bytes > this.limit) return false;
    this.#unpacked += bytes;
    return true;
  }
}
