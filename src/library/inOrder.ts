// Hands over progress and results in the order of the sources, whatever the order in which they come: callers see the same
// for any number of threads.

import type { CookProgress } from '../cook/types.ts';
import type { CookOptions, SourceResult } from './cookTypes.ts';

/** A step of a source, and when it was: milliseconds since 1970, with fractions. */
export type TimedStep = CookProgress & { readonly time: number };

export class ResultsInOrder {
  readonly #sources: readonly string[];
  readonly #callbacks: Pick<CookOptions, 'onProgress' | 'onResult'>;
  /** Steps of sources whose turn has not come. */
  readonly #steps = new Map<number, TimedStep[]>();
  readonly #early = new Map<number, { readonly result: SourceResult; readonly time: number }>();
  /** When the first step of each source was. */
  readonly #began = new Map<number, number>();
  readonly results: SourceResult[] = [];

  constructor(sources: readonly string[], callbacks: Pick<CookOptions, 'onProgress' | 'onResult'>) {
    this.#sources = sources;
    this.#callbacks = callbacks;
  }

  progress(index: number, step: TimedStep): void {
    if (!this.#began.has(index)) this.#began.set(index, step.time);
    if (index === this.results.length) {
      this.#report(index, step);
      return;
    }
    const steps = this.#steps.get(index) ?? [];
    steps.push(step);
    this.#steps.set(index, steps);
  }

  #report(index: number, step: TimedStep): void {
    this.#callbacks.onProgress?.({ source: this.#sources[index], index, count: this.#sources.length, ...step });
  }

  /** The result of a source, after its last step; each source has one. `time`: when its work was done. */
  result(index: number, result: SourceResult, time: number): void {
    this.#early.set(index, { result, time });
    for (;;) {
      const at = this.results.length;
      const next = this.#early.get(at);
      if (!next) return;
      this.#early.delete(at);
      // One that is skipped without a reason of its own was not begun.
      const isBegun = next.result.status !== 'skipped' || next.result.diagnostics.length > 0;
      const seconds = (next.time - (this.#began.get(at) ?? next.time)) / 1000;
      if (isBegun) this.#callbacks.onResult?.(next.result, at, seconds);
      this.results.push(next.result);
      for (const step of this.#steps.get(at + 1) ?? []) this.#report(at + 1, step);
      this.#steps.delete(at + 1);
    }
  }
}
