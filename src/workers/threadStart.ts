// What every thread starts with, for both kinds of threads: those that run jobs of one scene, and those that cook whole
// sources.

import { type KernelModule, kernelModule, useKernelModule } from '../kernel/kernel.ts';

/** What a thread starts with. */
export interface ThreadData {
  /** Compiled once for all threads. */
  readonly kernel: KernelModule;
}

/**
 * The limit of the young generation in each thread's heap. Jobs hold their data in typed arrays outside of the heap: with
 * this limit a cook of a town takes 45 MB less than with V8's own, and no more time.
 */
const YOUNG_HEAP_MB = 6;

/** The same limit for threads that cook whole sources, which also read them: 6 MB would take a fifth more time. */
export const YOUNG_HEAP_OF_SOURCES_MB = 16;

/** The options of a thread; `more` goes to it beside what every thread gets. */
export function threadOptions(more: object = {}, youngHeapMb: number = YOUNG_HEAP_MB) {
  return {
    workerData: { ...more, kernel: kernelModule() } satisfies ThreadData,
    resourceLimits: { maxYoungGenerationSizeMb: youngHeapMb },
  };
}

/** Called first in a thread. */
export function takeThreadData<T>(data: T): T {
  useKernelModule((data as T & ThreadData).kernel);
  return data;
}
