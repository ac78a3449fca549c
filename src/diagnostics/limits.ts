// The limits of a cook: how much of what a source may ask for before the cook is refused with exit code 5. A limit decides
// only whether there is an output, never its bytes.

import type { Code } from './codes.ts';
import { fail } from './diagnostic.ts';

/** The limits, each by what it counts. */
export interface Limits {
  /** Bytes of all files that a source reads. */
  readonly inputBytes: number;
  /** Prims of a stage, or nodes of a glTF file. */
  readonly prims: number;
  /** Vertices of a mesh as the source has it. */
  readonly vertices: number;
  /** USD: arcs between a prim and an opinion. */
  readonly referenceDepth: number;
  /** Shapes that instancers draw. */
  readonly instances: number;
  /** Pixels of an image that has to be decoded. */
  readonly pixels: number;
  /** Tiles of the plan. */
  readonly tiles: number;
  /** Bytes of the files of a set. */
  readonly outputBytes: number;
  /** Files in a USDZ package. */
  readonly archiveEntries: number;
}

export type LimitName = keyof Limits;

/** Of each limit how much a source needed at most. */
export type LimitUse = Readonly<Record<LimitName, number>>;

export const DEFAULT_LIMITS: Limits = {
  inputBytes: 1e12,
  prims: 1_000_000,
  vertices: 2 ** 29,
  referenceDepth: 100,
  instances: 2_000_000,
  pixels: 2 ** 26,
  tiles: 65_536,
  outputBytes: 1e12,
  archiveEntries: 65_535,
};

export const LIMIT_FLAGS: Readonly<Record<LimitName, string>> = {
  inputBytes: '--max-input-bytes',
  prims: '--max-prims',
  vertices: '--max-vertices',
  referenceDepth: '--max-reference-depth',
  instances: '--max-instances',
  pixels: '--max-pixels',
  tiles: '--max-tiles',
  outputBytes: '--max-output-bytes',
  archiveEntries: '--max-archive-entries',
};

/** How often the clock is read: once in so many questions. */
const QUESTIONS_A_LOOK = 64;

/** Checks what one source needs against the limits, and notes it. */
export class LimitWatch {
  readonly limits: Limits;
  readonly #used: Record<LimitName, number>;
  /** When the time is over, in milliseconds since 1970; null: never. */
  readonly #deadline: number | null;
  #questions = 0;

  constructor(limits: Limits = DEFAULT_LIMITS, deadline: number | null = null) {
    this.limits = limits;
    this.#deadline = deadline;
    this.#used = {
      inputBytes: 0,
      prims: 0,
      vertices: 0,
      referenceDepth: 0,
      instances: 0,
      // Images are decoded in threads: the limit that they kept is all that is known.
      pixels: limits.pixels,
      tiles: 0,
      outputBytes: 0,
      archiveEntries: 0,
    };
  }

  /** How much was needed so far, at most. */
  get used(): LimitUse {
    return { ...this.#used };
  }

  /** Whether `amount` is within the limit; it counts as needed. */
  isWithin(name: LimitName, amount: number): boolean {
    if (amount > this.#used[name]) this.#used[name] = amount;
    return amount <= this.limits[name];
  }

  /**
   * Asks for `amount` before memory is taken for it. Beyond the limit throws `code`, with `what` as its message; `what` has to
   * name the amount, and `better` is a remedy that helps more than the usual one. Now and then it also looks at the clock, and throws UC1097 when the time is over.
   */
  need(
    name: LimitName,
    amount: number,
    code: Code,
    file: string,
    path: string,
    what: string | (() => string),
    better?: string,
  ): void {
    if (this.#deadline !== null && ++this.#questions % QUESTIONS_A_LOOK === 0) this.checkTime();
    if (this.isWithin(name, amount)) return;
    const [message, remedy] = this.words(name, typeof what === 'string' ? what : what());
    fail(code, file, path, message, better ?? remedy);
  }

  /** Message and remedy of a limit that is exceeded. */
  words(name: LimitName, what: string): readonly [message: string, remedy: string] {
    const flag = LIMIT_FLAGS[name];
    return [
      `${what}; ${flag} allows ${this.limits[name]}`,
      `give a larger ${flag} if the source is to be trusted; otherwise export it again, or cook it in parts`,
    ];
  }

  /** Throws UC1097 when the time of --timeout is over. */
  checkTime(): void {
    if (this.#deadline === null || performance.timeOrigin + performance.now() < this.#deadline) return;
    fail('UC1097', '', '', 'the time that --timeout gives is over');
  }
}
