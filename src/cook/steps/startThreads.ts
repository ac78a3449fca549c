// Starts the threads that a cook will use, so that they load their code while other work goes on.

import { bytesOf } from '../openSource.ts';
import type { Output } from '../outputs/output.ts';
import type { CookPlan } from '../planned.ts';
import { LargeSource, type Session } from '../session.ts';

/** Bytes of a source for each thread that starts before it is read: far more than a thread needs to be worth its start. */
const EARLY_BYTES_A_THREAD = 8e6;

/** Starts threads that the cook of a large source will use, before it is read. */
export function startEarly({ job, pool }: Session, output: Output): void {
  if (output.startsEarly) pool.start(Math.floor(bytesOf(job) / EARLY_BYTES_A_THREAD));
}

/** Starts the threads of a plan. Throws LargeSource where the caller has fewer. */
export function startThreads({ threads }: CookPlan, { pool, call }: Session): void {
  if (threads > (call.beside?.maxThreads ?? Number.POSITIVE_INFINITY)) {
    throw new LargeSource('the source is too large for one thread');
  }
  pool.start(threads);
}
