// Lets one thread of the process at a time change what several of them share. A thread that waits sleeps.

import { threadId } from 'node:worker_threads';

const FREE = 0;
/** The main thread has the number 0. */
const markOf = (thread: number) => thread + 1;

export function makeTurn(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** Waits until no thread has the turn, and takes it. What follows is synchronous and ends with leaveTurn. */
export function takeTurn(shared: SharedArrayBuffer): void {
  const turn = new Int32Array(shared);
  for (;;) {
    const holder = Atomics.compareExchange(turn, 0, FREE, markOf(threadId));
    if (holder === FREE) return;
    Atomics.wait(turn, 0, holder);
  }
}

/** Gives the turn back if that thread has it: this one, or one that does not run any more. */
export function leaveTurn(shared: SharedArrayBuffer, thread: number = threadId): void {
  const turn = new Int32Array(shared);
  if (Atomics.compareExchange(turn, 0, markOf(thread), FREE) === markOf(thread)) Atomics.notify(turn, 0);
}
