// What a command has of the process around it, above all the two streams. Answers (documents, help, lists) go to stdout,
// messages about the work to stderr. This file decides whether text is coloured and whether a line can be rewritten.

import { fstatSync, writeSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Environment } from '../../index.ts';
import type { Clock, Host, OutputStream } from './host.ts';

export type Style = 'red' | 'yellow' | 'cyan' | 'bold' | 'dim';

export interface Terminal {
  readonly host: Host;
  readonly clock: Clock;
  /** Ends the command with an exit code, whatever it is doing. The process that it runs in has to end too. */
  end(exitCode: number): void;
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

/** For whoever runs a command. */
export interface OpenTerminal extends Terminal {
  /** Waits until both streams have passed on what was written, or have failed. */
  flush(): Promise<void>;
  /** Removes the listeners of both streams. */
  close(): void;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** NO_COLOR (no-color.org: any value but the empty one) is stronger than FORCE_COLOR; otherwise terminals get colours. */
export function wantsColor({ NO_COLOR, FORCE_COLOR, TERM }: Environment['env'], isTerminal: boolean): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR === '' || isSet(FORCE_COLOR);
  return isTerminal && TERM !== 'dumb';
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
function lineWidth({ isTTY, columns = 0 }: OutputStream, { COLUMNS }: Environment['env']): number {
  if (isTTY && columns > 0) return columns;
  const given = /^\d{1,5}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : 0;
  return given >= 20 ? given : 80;
}

interface Writer {
  write(content: string | Uint8Array): void;
  /** The stream is heard no more. */
  close(): void;
}

/**
 * Gives the way to write on a stream. Files and devices are written by ourselves: Node's stream for them takes what the
 * system took of a text for the whole of it, and a disk that fills up takes a part.
 */
function writer(stream: OutputStream, failed: (error: NodeJS.ErrnoException) => void): Writer {
  let broken = false;
  const refused = (error: NodeJS.ErrnoException) => {
    // Errors after the first one only repeat that the stream is broken.
    if (!broken) failed(error);
    broken = true;
  };
  stream.on('error', refused);
  const close = () => void stream.removeListener('error', refused);
  const { fd } = stream;
  if (fd === undefined || !isFileOrDevice(fd, stream)) return { close, write: (content) => void stream.write(content) };
  const write = (content: string | Uint8Array) => {
    if (broken) return;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    } catch (error) {
      refused(error as NodeJS.ErrnoException);
    }
  };
  return { close, write };
}

function isFileOrDevice(fd: number, { isTTY }: OutputStream): boolean {
  if (isTTY) return false;
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || stat.isCharacterDevice();
  } catch {
    return false;
  }
}

/** `end`: as Terminal has it. */
export function openTerminal(host: Host, clock: Clock, end: Terminal['end']): OpenTerminal {
  const { stdout, stderr, env } = host;
  let failure: string | null = null;
  const failed = (name: string, error: NodeJS.ErrnoException) => {
    // A reader may stop reading (`| head`). The work goes on without output.
    if (error.code !== 'EPIPE') failure ??= `${name}: ${error.code ?? error.message}`;
  };
  const out = writer(stdout, (error) => failed('standard output', error));
  const err = writer(stderr, (error) => failed('standard error', error));
  const color = wantsColor(env, stderr.isTTY === true);
  const colored = { out: wantsColor(env, stdout.isTTY === true), err: color };
  const live = stderr.isTTY === true && env.TERM !== 'dumb' && !isSet(env.CI);
  let shown = false;
  const clear = () => {
    if (shown) err.write('\r\x1b[K');
    shown = false;
  };
  return {
    host,
    clock,
    end,
    live,
    colored,
    get columns() {
      return { out: lineWidth(stdout, env), err: lineWidth(stderr, env) };
    },
    get room() {
      return stderr.isTTY || env.COLUMNS ? lineWidth(stderr, env) : Number.POSITIVE_INFINITY;
    },
    get failure() {
      return failure;
    },
    style(style, text) {
      return color ? styled(style, text) : text;
    },
    say(line) {
      clear();
      err.write(`${line}\n`);
    },
    status(line) {
      if (!live) return;
      clear();
      if (line === '') return;
      const room = lineWidth(stderr, env) - 1;
      const plain = printable(line);
      err.write(plain.length > room ? `${plain.slice(0, Math.max(0, room - 1))}…` : plain);
      shown = true;
    },
    answer(content) {
      clear();
      out.write(content);
    },
    flush: () => flush([stdout, stderr]),
    close() {
      out.close();
      err.close();
    },
  };
}

async function flush(streams: readonly OutputStream[]): Promise<void> {
  for (const stream of streams) {
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
