// What is to be said about one stage. Things that occur many times (cameras, animated prims) are counted and said once.

import type { Code, Diagnostics, SourceError } from '../../diagnostics/diagnostic.ts';

interface Tally {
  readonly code: Code;
  readonly first: string;
  readonly describe: (count: number) => string;
  count: number;
}

export class Notes {
  readonly #file: string;
  readonly #diagnostics: Diagnostics;
  readonly #tallies = new Map<string, Tally>();

  /** `file` is the identifier of the stage's root layer. */
  constructor(file: string, diagnostics: Diagnostics) {
    this.#file = file;
    this.#diagnostics = diagnostics;
  }

  get file(): string {
    return this.#file;
  }

  /** Says something about one place now. */
  report(code: Code, path: string, message: string): void {
    this.#diagnostics.report(code, this.#file, path, message);
  }

  /** Hands on what an error that was caught has to say. */
  pass(error: SourceError): void {
    for (const item of error.diagnostics) this.#diagnostics.add(item);
  }

  /** Counts a thing of a kind; `flush` says how many there were, at the first one's path. */
  count(code: Code, kind: string, path: string, describe: (count: number) => string): void {
    const key = `${code}\0${kind}`;
    const tally = this.#tallies.get(key);
    if (tally) tally.count++;
    else this.#tallies.set(key, { code, first: path, describe, count: 1 });
  }

  /** Says what was counted, in the order in which the kinds were first met. */
  flush(): void {
    for (const { code, first, describe, count } of this.#tallies.values()) {
      this.report(code, first, count === 1 ? describe(1) : `${describe(count)}; this is the first`);
    }
    this.#tallies.clear();
  }
}

/** `1 mesh`, `2 meshes`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
