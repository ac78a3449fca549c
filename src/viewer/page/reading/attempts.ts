// Files that do not come: each is asked for again, later and later, until it comes or nobody wants it any more.

/** Seconds to the next attempt; the last one stays. */
const PAUSES = [0.5, 1, 2, 4, 8];

export interface Missing {
  /** Of HTTP; 0: there was no answer. */
  readonly status: number;
}

interface Waiting extends Missing {
  readonly until: number;
  wake(): void;
}

export class Attempts {
  readonly #waiting = new Map<string, Waiting>();

  /** Waits for the next attempt at a file that has been tried so many times before. */
  async pause(path: string, status: number, tries: number): Promise<void> {
    const seconds = PAUSES[Math.min(tries, PAUSES.length - 1)];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.set(path, { status, until: performance.now() + seconds * 1000, wake });
    });
  }

  /** The file has come, or nobody wants it. */
  end(path: string): void {
    this.#waiting.delete(path);
  }

  /** Makes all attempts now. */
  now(): void {
    for (const { wake } of this.#waiting.values()) wake();
  }

  /** By their paths. */
  get missing(): ReadonlyMap<string, Missing> {
    return this.#waiting;
  }

  /** Seconds until the first of the next attempts; 0: one is being made. */
  get secondsLeft(): number {
    let first = Infinity;
    for (const { until } of this.#waiting.values()) first = Math.min(first, until);
    return Math.max(0, (first - performance.now()) / 1000);
  }
}
