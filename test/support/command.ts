// Runs the command line in the process of the tests: with streams that keep what is written to them, and with a folder and
// variables of its own.

import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { run } from '../../src/cli/main.ts';
import type { Clock, Host, OutputStream } from '../../src/cli/terminal/host.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of the tests, without what changes how things are printed, and with `more`. */
export function variables(more: Variables = {}): Variables {
  const { NO_COLOR, FORCE_COLOR, CI, NODE_OPTIONS, ...rest } = process.env;
  return { ...rest, ...more };
}

/** test/recordCodes.ts counts the codes that commands print. */
export function printed(args: readonly string[], text: string): void {
  (globalThis as { untoldPrinted?: (args: readonly string[], text: string) => void }).untoldPrinted?.(args, text);
}

/** Keeps what is written; no terminal, and a file of the system's only where a descriptor is given. */
class KeptStream extends EventEmitter implements OutputStream {
  readonly writableLength = 0;
  readonly fd?: number | undefined;
  readonly #parts: Uint8Array[] = [];

  constructor(fd: number | undefined) {
    super();
    this.fd = fd;
  }

  write(content: string | Uint8Array, done?: () => void): void {
    this.#parts.push(Buffer.from(content));
    done?.();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

interface Surroundings {
  /** Standard input and standard error are those of a terminal, which shows no line that is rewritten. */
  readonly isTerminal?: boolean;
  readonly stdin?: string | Uint8Array;
  readonly variables?: Variables;
  readonly clock?: Clock;
  /** Where signals come from; after one the process would end, so that what still listens is not asked. */
  readonly events?: EventEmitter;
  /** Descriptors of files that streams lead to. */
  readonly files?: { readonly stdout?: number; readonly stderr?: number };
}

interface RanBytes extends Omit<Ran, 'stdout'> {
  readonly stdout: Buffer;
}

/** Runs `untold` in a folder; gives the bytes of its answer. */
export async function untoldBytes(
  cwd: string,
  args: readonly string[],
  { stdin = '', variables: more, clock, files = {}, events: signals, isTerminal = false }: Surroundings = {},
): Promise<RanBytes> {
  const [stdout, stderr] = [new KeptStream(files.stdout), new KeptStream(files.stderr)];
  const events = signals ?? new EventEmitter();
  const host: Host = Object.assign(events, {
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), isTerminal && { isTTY: true }),
    stdout,
    stderr: Object.assign(stderr, isTerminal && { isTTY: true }),
    env: variables({ ...(isTerminal && { TERM: 'dumb' }), ...more }),
    cwd: () => cwd,
  });
  const code = await run(args, host, clock);
  const left = events.eventNames();
  if (left.length > 0 && !signals) throw new Error(`the command still listens to ${left.join(', ')}`);
  const text = stderr.bytes.toString();
  printed(args, stdout.bytes + text);
  return { code, stdout: stdout.bytes, stderr: text };
}

/** Runs `untold` in a folder. */
export async function untold(cwd: string, args: readonly string[], more: Variables = {}): Promise<Ran> {
  const { stdout, ...ran } = await untoldBytes(cwd, args, { variables: more });
  return { ...ran, stdout: stdout.toString() };
}
