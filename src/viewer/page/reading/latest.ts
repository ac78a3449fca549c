// Of answers that come in any order, the one to what was asked last.

export class Latest {
  #asked = 0;

  /** What `ask` gives; null where something else was asked, or chosen, before the answer came. Throws what `ask` throws. */
  async of<T extends object>(ask: () => Promise<T>): Promise<T | null> {
    const mine = ++this.#asked;
    const answer = await ask();
    return mine === this.#asked ? answer : null;
  }

  /** Something is chosen without asking: answers that have not come are too late. */
  choose(): void {
    this.#asked++;
  }
}
