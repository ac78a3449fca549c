// The gate of a thread that cooks whole sources: the main thread closes it before the process ends. A change of a set that
// has begun is then complete, and no other begins, so that what the thread leaves can be tidied up from outside.

const OPEN = 0;
const INSIDE = 1;
const CLOSED = 2;
/** A thread that has died inside never leaves. Changes of a set take far less than this. */
const MOST_WAIT_MS = 10_000;

let gate: Int32Array | null = null;
let depth = 0;

export function makeGate(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** Lets all changes of sets of this thread pass through the gate. */
export function useGate(shared: SharedArrayBuffer): void {
  gate = new Int32Array(shared);
}

/** Runs a synchronous change of a set; never returns once the gate is closed. */
export function throughGate<T>(change: () => T): T {
  if (gate === null) return change();
  // The thread waits here until the process ends.
  if (depth === 0 && Atomics.compareExchange(gate, 0, OPEN, INSIDE) !== OPEN) Atomics.wait(gate, 0, CLOSED);
  depth++;
  try {
    return change();
  } finally {
    depth--;
    if (depth === 0) {
      Atomics.store(gate, 0, OPEN);
      Atomics.notify(gate, 0);
    }
  }
}

/** Closes the gates of other threads and waits until the threads are outside: for all of them no longer than for one. */
export function closeGates(gates: Iterable<SharedArrayBuffer>): void {
  const deadline = performance.now() + MOST_WAIT_MS;
  for (const gate of gates) closeGate(new Int32Array(gate), deadline);
}

function closeGate(state: Int32Array, deadline: number): void {
  while (Atomics.compareExchange(state, 0, OPEN, CLOSED) === INSIDE) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    Atomics.wait(state, 0, INSIDE, left);
  }
}
