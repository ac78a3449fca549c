// Which sources of a call are cooked side by side, and by how many threads.

import { bytesOf } from '../cook/openSource.ts';
import type { SourceTask } from '../cook/sideBySide/sourceThreads.ts';
import type { CookJob } from '../cook/types.ts';

/** Larger files are cooked by all threads together, one after the other. */
const MAX_BYTES = 8e6;
/** What a cook of any source takes of memory, and what each byte of its file adds: vertices, levels and textures. */
const MIN_MEMORY = 16e6;
const MEMORY_A_BYTE = 20;

/** About so many bytes of a source take as long as what every source takes: locks, folders, the start of its reading. */
const BYTES_OF_A_SOURCE = 1e5;
/** A thread is started for the work of so many sources of no size: its code has to be loaded and compiled first. */
const WORK_A_THREAD = 12;

/** Sources that follow one another and are cooked in the same way. */
export interface Stretch {
  readonly tasks: readonly SourceTask[];
  /** Threads that cook them side by side; 1: they are cooked one after the other. */
  readonly threads: number;
}

/** Cuts sources, by their positions in the call, into stretches, in order. `threads`: at most. */
export function stretches(jobs: ReadonlyMap<number, CookJob>, threads: number): Stretch[] {
  const found: { tasks: SourceTask[]; isSmall: boolean; work: number }[] = [];
  for (const [index, job] of jobs) {
    const bytes = threads > 1 ? bytesOf(job) : 0;
    const isSmall = bytes <= MAX_BYTES;
    if (found.at(-1)?.isSmall !== isSmall) found.push({ tasks: [], isSmall, work: 0 });
    const stretch = found[found.length - 1];
    stretch.tasks.push({ index, job, bytes: MIN_MEMORY + MEMORY_A_BYTE * bytes });
    stretch.work += 1 + bytes / BYTES_OF_A_SOURCE;
  }
  return found.map(({ tasks, isSmall, work }) => {
    const wanted = isSmall ? Math.min(threads, tasks.length, Math.floor(work / WORK_A_THREAD)) : 1;
    return { tasks, threads: Math.max(1, wanted) };
  });
}
