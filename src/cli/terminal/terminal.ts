// The two streams. Answers (documents, help, lists) go to stdout, messages about the work to stderr. This file decides
// whether text is coloured and whether a line can be rewritten.

import { fstatSync, writeSync } from 'node:fs';
import { styleText } from 'node:util';

export type Style = 'red' | 'yellow' | 'cyan' | 'bold' | 'dim';

export interface Terminal {
  /** Whether stderr shows one rewritten line: it is a terminal, and no CI records it. */
  readonly live: boolean;
  /** Characters in a line of each stream: of the terminal, else by COLUMNS, else 80. */
  readonly columns: { readonly out: number; readonly err: number };
  /** Characters that a line of a table on stderr may have: no bound unless a terminal or COLUMNS sets one. */
  readonly room: number;
  /** Whether texts on each stream are coloured. */
  readonly colored: { readonly out: boolean; readonly err: boolean };
  /** Text for stderr in a style, when colours are wanted. */
  style(style: Style, text: string): string;
  /** A line on stderr. */
  say(line: string): void;
  /** Replaces the rewritten line; '' takes it away. Nothing without a live terminal. */
  status(line: string): void;
  /** Text, or the bytes of a file, on stdout. */
  answer(content: string | Uint8Array): void;
  /**
   * Why a stream did not take all its text (`standard output: ENOSPC`); null when it did or when its reader has closed it.
   * Final once flush() has returned.
   */
  readonly failure: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** NO_COLOR (no-color.org: any value but the empty one) is stronger than FORCE_COLOR; otherwise terminals get colours. */
export function wantsColor(environment: Environment, isTerminal: boolean): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR === '' || isSet(environment.FORCE_COLOR);
  return isTerminal && environment.TERM !== 'dumb';
}

/**
 * Control characters of names and messages, as they come from files, shown as escapes: they could otherwise move the
 * cursor or colour the terminal.
 */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text in a style, whatever it is written to. */
export function styled(style: Style, text: string): string {
  // Whether colours are wanted is decided elsewhere; by itself Node asks stdout, from 22.13 on.
  return styleText(style, text, { validateStream: false });
}

/** Pseudo-terminals without a window report a width of 0. */
function lineWidth(stream: Stream, { COLUMNS }: Environment): number {
  if (stream.isTTY && stream.columns > 0) return stream.columns;
  const given = /^\d{1,5}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : 0;
  return given >= 20 ? given : 80;
}

type Stream = typeof process.stdout | typeof process.stderr;

/**
 * Gives the way to write on a stream. Files and devices are written by ourselves: Node's stream for them takes what the
 * system took of a text for the whole of it, and a disk that fills up takes a part.
 */
function writer(
  stream: Stream,
  failed: (error: NodeJS.ErrnoException) => void,
): (content: string | Uint8Array) => void {
  let broken = false;
  const refused = (error: NodeJS.ErrnoException) => {
    // Errors after the first one only repeat that the stream is broken.
    if (!broken) failed(error);
    broken = true;
  };
  stream.on('error', refused);
  const { fd } = stream;
  if (!isFileOrDevice(stream)) return (content) => void stream.write(content);
  return (content) => {
    if (broken) return;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    } catch (error) {
      refused(error as NodeJS.ErrnoException);
    }
  };
}

function isFileOrDevice({ fd, isTTY }: Stream): boolean {
  if (isTTY) return false;
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || stat.isCharacterDevice();
  } catch {
    return false;
  }
}

export function openTerminal(environment: Environment = process.env): Terminal {
  const { stdout, stderr } = process;
  let failure: string | null = null;
  const failed = (name: string, error: NodeJS.ErrnoException) => {
    // A reader may stop reading (`| head`). The work goes on without output.
    if (error.code !== 'EPIPE') failure ??= `${name}: ${error.code ?? error.message}`;
  };
  const out = writer(stdout, (error) => failed('standard output', error));
  const err = writer(stderr, (error) => failed('standard error', error));
  const color = wantsColor(environment, stderr.isTTY === true);
  const colored = { out: wantsColor(environment, stdout.isTTY === true), err: color };
  const live = stderr.isTTY === true && environment.TERM !== 'dumb' && !isSet(environment.CI);
  let shown = false;
  const clear = () => {
    if (shown) err('\r\x1b[K');
    shown = false;
  };
  return {
    live,
    colored,
    get columns() {
      return { out: lineWidth(stdout, environment), err: lineWidth(stderr, environment) };
    },
    get room() {
      return stderr.isTTY || environment.COLUMNS ? lineWidth(stderr, environment) : Number.POSITIVE_INFINITY;
    },
    get failure() {
      return failure;
    },
    style(style, text) {
      return color ? styled(style, text) : text;
    },
    say(line) {
      clear();
      err(`${line}\n`);
    },
    status(line) {
      if (!live) return;
      clear();
      if (line === '') return;
      const room = lineWidth(stderr, environment) - 1;
      const plain = printable(line);
      err(plain.length > room ? `${plain.slice(0, Math.max(0, room - 1))}…` : plain);
      shown = true;
    },
    answer(content) {
      clear();
      out(content);
    },
  };
}

/** Waits until both streams have passed on what was written, or have failed. */
export async function flush(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.writableLength) continue;
    await new Promise<void>((done) => {
      stream.write('', () => done());
    });
  }
  // A stream emits its errors after the callback of the write that met them.
  await new Promise<void>((done) => {
    setImmediate(done);
  });
}
