// The mutex of a thread that cooks whole sources: the main thread closes it before the process ends. A change of a set that
// has begun is then complete, and no other begins, so that what the thread leaves can be tidied up from outside.

const OPEN = 0;
const HELD = 1;
const CLOSED = 2;
/** A thread that has died with it never gives it back. Changes of a set take far less than this. */
const MAX_WAIT_MS = 10_000;

let mutex: Int32Array | null = null;
let depth = 0;

export function makeSetMutex(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** Lets all changes of sets of this thread take the mutex. */
export function useSetMutex(shared: SharedArrayBuffer): void {
  mutex = new Int32Array(shared);
}

/** Runs a synchronous change of a set; never returns once the mutex is closed. */
export function withSetMutex<T>(change: () => T): T {
  if (mutex === null) return change();
  // The thread waits here until the process ends.
  if (depth === 0 && Atomics.compareExchange(mutex, 0, OPEN, HELD) !== OPEN) Atomics.wait(mutex, 0, CLOSED);
  depth++;
  try {
    return change();
  } finally {
    depth--;
    if (depth === 0) {
      Atomics.store(mutex, 0, OPEN);
      Atomics.notify(mutex, 0);
    }
  }
}

/** Closes the mutexes of other threads and waits until no thread holds one: for all of them no longer than for one. */
export function closeSetMutexes(mutexes: Iterable<SharedArrayBuffer>): void {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (const mutex of mutexes) closeMutex(new Int32Array(mutex), deadline);
}

function closeMutex(state: Int32Array, deadline: number): void {
  while (Atomics.compareExchange(state, 0, OPEN, CLOSED) === HELD) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    Atomics.wait(state, 0, HELD, left);
  }
}
