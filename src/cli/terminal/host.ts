// What a command needs of the process that it runs in: streams, working folder, variables and events. The `process` of Node
// is one. A command touches nothing else of it, so that several commands can run in one process.

import type { Environment } from '../../index.ts';

/** What a command does when its process gets a signal, ends, or when a callback throws. */
export type HostEvent = 'SIGINT' | 'SIGTERM' | 'exit' | 'uncaughtException';

export interface InputStream extends AsyncIterable<unknown> {
  readonly isTTY?: boolean;
}

export interface OutputStream {
  readonly isTTY?: boolean;
  /** Characters in a line of a terminal. */
  readonly columns?: number;
  /** The file that it writes to; absent: none of the system's. */
  readonly fd?: number | undefined;
  readonly writableLength: number;
  write(content: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  removeListener(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface Host extends Environment {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** What the process ends with when nothing is left to wait for. */
  exitCode?: number | string | null | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each event has arguments of its own
  on(event: HostEvent, listener: (...args: any[]) => void): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  removeListener(event: HostEvent, listener: (...args: any[]) => void): unknown;
}

/** Milliseconds from any moment on. The `performance` of Node is one. */
export interface Clock {
  now(): number;
}
