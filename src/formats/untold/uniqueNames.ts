// Names for records of one file or entries of one manifest: the engine finds entities by name, so each is used once.

/** Gives each name once: a taken one gets `_1`, `_2` …; an empty one becomes `fallback`. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  take(name: string, fallback: string): string {
    const wanted = name === '' ? fallback : name;
    let given = wanted;
    for (let n = this.#next.get(wanted) ?? 1; this.#taken.has(given); n++) {
      given = `${wanted}_${n}`;
      this.#next.set(wanted, n + 1);
    }
    this.#taken.add(given);
    return given;
  }
}
