// How many threads the process can start within its limit of address space (`ulimit -v`). V8 reserves much more of it than it
// uses, and ends the process where a thread gets none: nothing can catch that, so the limit is read before.

import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { diagnostic, SourceError } from '../diagnostics/diagnostic.ts';

/** A thread with an empty heap: 590 MB (Node 20 to 24) or 840 MB (Node 26), measured on Linux. */
const START_BYTES = 1e9;
/** A memory of WebAssembly: 8 GB, and 2 GB of guard regions before Node 24. */
const WASM_BYTES = 10.5e9;
/** The kernel, its pictures, and one module of a codec: in each thread that runs jobs, and in the main thread. */
const MODULES_BYTES = 3 * WASM_BYTES;

/** Address space that a process reserves if its main thread alone runs jobs. */
const ALONE_BYTES = START_BYTES + MODULES_BYTES;
/** What a thread that runs jobs reserves. From Node 24 on its modules make do with less, and take all that is left then. */
const WORKING_BYTES = START_BYTES + MODULES_BYTES;

interface AddressSpace {
  /** In bytes. */
  readonly limit: number;
  readonly left: number;
}

/** Null where there is no limit, or where the system does not say. */
function addressSpace(): AddressSpace | null {
  if (process.platform !== 'linux') return null;
  try {
    const limit = /^Max address space\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'));
    // Without a limit, as is usual, the rest is not read: each source of a call asks.
    if (!limit) return null;
    const used = /^VmSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1'));
    if (!used) return null;
    return { limit: Number(limit[1]), left: Number(limit[1]) - Number(used[1]) * 1024 };
  } catch {
    return null;
  }
}

/**
 * Bytes that the process had reserved before the first thread was asked for; null: not measured yet. Not measured again, because
 * what a thread reserves shows only once it has work. The limit may change, and is read each time.
 */
let reserved: number | null = null;
let running = 0;

/** How many more threads can run jobs; Infinity where nothing limits them. */
export function workingThreads(): number {
  const space = addressSpace();
  if (space === null) return Infinity;
  reserved ??= space.limit - space.left;
  return Math.max(0, Math.floor((space.limit - reserved - MODULES_BYTES) / WORKING_BYTES) - running);
}

/** Counts a thread that runs jobs, as long as it lives: what it reserves shows only once it has work. */
export function noteWorkingThread(thread: Worker): void {
  running++;
  thread.once('exit', () => running--);
}

/** Whether a thread can start that needs no WebAssembly. */
export function canStartThread(): boolean {
  const space = addressSpace();
  return space === null || space.left >= START_BYTES;
}

function refuseLimit({ limit }: Pick<AddressSpace, 'limit'>, what: string, needed: number): never {
  const message = `the process may have ${Math.round(limit / 1e6)} MB of address space; ${what} it reserves up to ${Math.round(needed / 1e9)} GB`;
  throw new SourceError(diagnostic('UC1102', '', '', message));
}

/**
 * Throws UC1102 where the limit is below what a cook without threads reserves. V8 makes do with less from Node 24 on, but takes
 * all that is left, and native code that gets no memory then ends the process.
 */
export function requireAddressSpace(): void {
  const space = addressSpace();
  if (space && space.limit < ALONE_BYTES) refuseLimit(space, 'for a cook', ALONE_BYTES);
}

/** Throws UC1102 with the limit where no thread can run jobs. */
export function requireThread(): void {
  if (workingThreads() > 0) return;
  refuseLimit({ limit: addressSpace()?.limit ?? 0 }, 'with a thread', MODULES_BYTES + WORKING_BYTES);
}
