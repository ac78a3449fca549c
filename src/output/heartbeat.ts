// Touches the locks of this process every ten seconds, from a thread of its own: the main thread may be busy with one
// mesh for longer than other hosts wait for a sign of life.

import { Worker } from 'node:worker_threads';
import { canStartThread } from './threadRoom.ts';

const BEAT_MS = 10_000;
/** Shorter cooks need no heartbeat: starting the thread costs as much as a small cook. */
const FIRST_MS = 2_000;

/**
 * Runs in the thread. Writes the last byte of each lock again, so that the file system sets the file's time by its own
 * clock. A lock that another cook took over has different content and stays untouched.
 */
const THREAD = `
const { parentPort } = require('node:worker_threads');
const { closeSync, openSync, readFileSync, writeSync } = require('node:fs');
const locks = new Map();
parentPort.on('message', ({ path, text }) => {
  if (text === null) locks.delete(path);
  else locks.set(path, text);
});
setInterval(() => {
  for (const [path, text] of locks) {
    let file = -1;
    try {
      file = openSync(path, 'r+');
      if (readFileSync(file, 'utf8') === text) writeSync(file, text.slice(-1), text.length - 1);
    } catch {
      // The lock is gone or cannot be reached. Its holder checks it before it moves any file.
    } finally {
      if (file >= 0) closeSync(file);
    }
  }
}, ${BEAT_MS});
`;

let thread: Worker | null = null;
/** Waits for FIRST_MS before it starts the thread. */
let start: NodeJS.Timeout | null = null;
/** Contents by path. */
const held = new Map<string, string>();

/** Keeps the lock alive that has this content (ASCII) until stopBeating, at most as long as the process lives. */
export function beat(path: string, text: string): void {
  held.set(path, text);
  if (thread) thread.postMessage({ path, text });
  else start ??= setTimeout(begin, FIRST_MS).unref();
}

export function stopBeating(path: string): void {
  held.delete(path);
  thread?.postMessage({ path, text: null });
  if (held.size > 0 || start === null) return;
  clearTimeout(start);
  start = null;
}

function begin(): void {
  start = null;
  // Without a heartbeat another host may take the lock after a minute. The cook then ends with UC4005 and changes nothing.
  if (!canStartThread()) return;
  const worker = new Worker(THREAD, { eval: true });
  thread = worker;
  // The thread must not keep the process alive.
  worker.unref();
  const gone = () => {
    if (thread === worker) thread = null;
  };
  worker.on('error', gone);
  worker.on('exit', gone);
  for (const [path, text] of held) worker.postMessage({ path, text });
}
