// The diagnostics of one stage. Findings that occur many times (cameras, animated prims) are counted and reported once.

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
  readonly #omitted: ReadonlySet<Code>;
  readonly #tallies = new Map<string, Tally>();
  /** How many textures without coordinates were reported (UC1907): a material that adds to it guesses its UV set. */
  guessedUvs = 0;

  /** `file` is the identifier of the stage's root layer. `omitted`: codes that are not reported. */
  constructor(file: string, diagnostics: Diagnostics, omitted: readonly Code[] = []) {
    this.#file = file;
    this.#diagnostics = diagnostics;
    this.#omitted = new Set(omitted);
  }

  get file(): string {
    return this.#file;
  }

  /** Reports a diagnostic at once. `path` is that of a prim or property. */
  report(code: Code, path: string, message: string): void {
    if (!this.#omitted.has(code)) this.#diagnostics.report(code, this.#file, path, message);
  }

  /** A mesh without the coordinates that its material guesses: said of the material, not once more of the mesh. */
  knowMissingUvs(path: string): void {
    this.#diagnostics.knowMissingUvs(path);
  }

  /** Adds the diagnostics of a caught error. */
  pass(error: SourceError): void {
    for (const item of error.diagnostics) this.#diagnostics.add(item);
  }

  /** Counts a finding of a kind. `flush` reports the count of each kind, at the path of its first finding. */
  count(code: Code, kind: string, path: string, describe: (count: number) => string): void {
    const key = `${code}\0${kind}`;
    const tally = this.#tallies.get(key);
    if (tally) tally.count++;
    else this.#tallies.set(key, { code, first: path, describe, count: 1 });
  }

  /** Reports the counted findings. Kinds are in the order of their first findings. */
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
