// Hands over progress and results in the order of the sources, whatever the order in which they come: callers see the same
// for any number of threads.

import type { CookProgress } from '../cook/types.ts';
import type { CookOptions, SourceResult } from './cookTypes.ts';

export class ResultsInOrder {
  readonly #sources: readonly string[];
  readonly #callbacks: Pick<CookOptions, 'onProgress' | 'onResult'>;
  /** Steps of sources whose turn has not come. */
  readonly #steps = new Map<number, CookProgress[]>();
  readonly #early = new Map<number, SourceResult>();
  readonly results: SourceResult[] = [];

  constructor(sources: readonly string[], callbacks: Pick<CookOptions, 'onProgress' | 'onResult'>) {
    this.#sources = sources;
    this.#callbacks = callbacks;
  }

  progress(index: number, step: CookProgress): void {
    if (index === this.results.length) {
      this.#report(index, step);
      return;
    }
    const steps = this.#steps.get(index) ?? [];
    steps.push(step);
    this.#steps.set(index, steps);
  }

  #report(index: number, step: CookProgress): void {
    this.#callbacks.onProgress?.({ source: this.#sources[index], index, count: this.#sources.length, ...step });
  }

  /** The result of a source, after its last step; each source has one. */
  result(index: number, result: SourceResult): void {
    this.#early.set(index, result);
    for (;;) {
      const at = this.results.length;
      const next = this.#early.get(at);
      if (!next) return;
      this.#early.delete(at);
      if (next.status !== 'skipped') this.#callbacks.onResult?.(next, at);
      this.results.push(next);
      for (const step of this.#steps.get(at + 1) ?? []) this.#report(at + 1, step);
      this.#steps.delete(at + 1);
    }
  }
}
