// Lets one thread of the process at a time change what several of them share. A thread that waits sleeps.

import { threadId } from 'node:worker_threads';

const FREE = 0;
/** The main thread has the number 0. */
const markOf = (thread: number) => thread + 1;

export function makeThreadMutex(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** Waits until no thread has the mutex, and takes it. What follows is synchronous and ends with unlockThreadMutex. */
export function lockThreadMutex(shared: SharedArrayBuffer): void {
  const mutex = new Int32Array(shared);
  for (;;) {
    const holder = Atomics.compareExchange(mutex, 0, FREE, markOf(threadId));
    if (holder === FREE) return;
    Atomics.wait(mutex, 0, holder);
  }
}

/** Gives the mutex back if that thread has it: this one, or one that does not run any more. */
export function unlockThreadMutex(shared: SharedArrayBuffer, thread: number = threadId): void {
  const mutex = new Int32Array(shared);
  if (Atomics.compareExchange(mutex, 0, markOf(thread), FREE) === markOf(thread)) Atomics.notify(mutex, 0);
}
