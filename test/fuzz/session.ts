// Runs cases of a reader in processes of their own, starts another one when a case has ended its process, and keeps the
// inputs of the cases that failed.

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { damaged } from './reader.ts';
import { readerOf } from './readerOf.ts';

export interface Limits {
  /** CPU seconds of a case: they do not depend on what else the machine does. */
  readonly seconds: number;
  /** Seconds that a case may wait without using the CPU. */
  readonly patience: number;
  /** Memory of the whole process. */
  readonly bytes: number;
}

/** What is promised for inputs below 64 KB. */
export const PROMISED: Limits = { seconds: 2, patience: 20, bytes: 512 * 2 ** 20 };

/** What a process is told. */
export interface Begin {
  readonly reader: string;
  readonly seed: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Milliseconds since 1970 at which no further case begins. */
  readonly until: number;
  readonly folder: string;
  readonly limits: Limits;
  /** A given input instead of a damaged one, and the seed whose files lie beside it. */
  readonly bytes?: Uint8Array;
  readonly seedName?: string;
}

/** What it tells. */
export type Progress =
  | { readonly kind: 'unsound'; readonly name: string; readonly codes: readonly string[] }
  | {
      readonly kind: 'progress';
      /** The case that comes next. */
      readonly done: number;
      readonly codes: Readonly<Record<string, number>>;
      readonly worst: { readonly seconds: number; readonly number: number };
      /** By how much a case let the peak of the process grow at most. */
      readonly largest: { readonly bytes: number; readonly number: number };
    }
  | { readonly kind: 'fault'; readonly number: number; readonly seedName: string; readonly reason: string }
  | { readonly kind: 'end' };

export interface Fault {
  readonly reader: string;
  readonly number: number;
  readonly reason: string;
  /** The input, if a folder for such was given. */
  readonly file: string | null;
}

export interface Outcome {
  readonly reader: string;
  readonly cases: number;
  readonly faults: readonly Fault[];
  /** Cases by the first code of their errors; `ok` for those without. */
  readonly codes: Readonly<Record<string, number>>;
  /** CPU seconds of the longest case, and the largest growth of a process's peak in one case. */
  readonly worstSeconds: number;
  readonly largestBytes: number;
  /** Sound inputs that were refused. */
  readonly unsound: readonly string[];
}

/** The heap has to fit the limit of memory with what lies beside it. */
const FLAGS = ['--expose-gc', '--max-old-space-size=384', '--max-semi-space-size=8'];

interface ProcessEnd {
  /** The case that ended the process, or comes next. */
  readonly next: number;
  /** Why the process ended early; null: it did not. */
  readonly reason: string | null;
}

async function runProcess(begin: Begin, onMessage: (message: Progress) => void): Promise<ProcessEnd> {
  const { folder } = begin;
  const program = await bundle();
  for (const name of ['reason', 'case']) rmSync(join(folder, name), { force: true });
  const child: ChildProcess = fork(program, [], {
    execArgv: FLAGS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: '' },
  });
  let next = begin.from;
  let isWhole = false;
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-4000);
  });
  child.on('message', (message: Progress) => {
    if (message.kind === 'progress') next = message.done;
    if (message.kind === 'end') isWhole = true;
    onMessage(message);
  });
  child.send(begin);
  return new Promise((done) => {
    child.once('close', (code, signal) => {
      if (isWhole) return done({ next, reason: null });
      const state = join(folder, 'case');
      const at = existsSync(state) ? Number.parseInt(readFileSync(state, 'utf8'), 10) : Number.NaN;
      const reason = join(folder, 'reason');
      const word = existsSync(reason)
        ? readFileSync(reason, 'utf8')
        : `the process ended with ${signal ?? code}\n${said}`;
      if (Number.isNaN(at)) throw new Error(`fuzzing of ${begin.reader} does not begin: ${word}`);
      done({ next: at, reason: /heap out of memory/.test(said) ? 'memory' : word });
    });
  });
}

export interface Wanted {
  readonly reader: string;
  readonly seed: number;
  readonly seconds?: number;
  readonly cases?: number;
  readonly limits?: Limits;
  /** Where inputs of failed cases go; absent: nowhere. */
  readonly keep?: string;
  /** The session ends after so many faults. */
  readonly maxFaults?: number;
}

/** Temporary files in memory where the system offers that: cooks wait for the disk. */
const scratchFolder = (): string => mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'untold-fuzz-'));

/** Runs one given input. Null: within the limits, and no fault. */
export async function runOne(
  reader: string,
  input: { readonly bytes: Uint8Array; readonly seedName: string; readonly number: number },
  limits: Limits = PROMISED,
): Promise<string | null> {
  const folder = scratchFolder();
  try {
    let found: string | null = null;
    const { number, ...rest } = input;
    const until = Number.POSITIVE_INFINITY;
    const begin: Begin = { reader, seed: 0, from: number, to: number + 1, until, folder, limits, ...rest };
    const { reason } = await runProcess(begin, (message) => {
      if (message.kind === 'fault') found = message.reason;
    });
    return reason ?? found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function runSession({ reader, seed, limits = PROMISED, keep, ...wanted }: Wanted): Promise<Outcome> {
  const { seconds = Number.POSITIVE_INFINITY, cases = Number.POSITIVE_INFINITY, maxFaults = 50 } = wanted;
  const folder = scratchFolder();
  const until = Date.now() + seconds * 1000;
  const faults: Fault[] = [];
  const codes: Record<string, number> = {};
  const unsound = new Set<string>();
  let worstSeconds = 0;
  let largestBytes = 0;
  let next = 0;

  const note = async (number: number, reason: string): Promise<void> => {
    const one = await readerOf(reader);
    const { from, bytes } = damaged(one, await one.seeds(), seed, number);
    // Time and memory are those of one case alone, in a process that has run nothing before it.
    const isMeasured = reason === 'time' || reason === 'memory';
    const alone = isMeasured ? await runOne(reader, { bytes, seedName: from.name, number }, limits) : reason;
    if (alone === null) return;
    let file: string | null = null;
    if (keep !== undefined) {
      mkdirSync(keep, { recursive: true });
      file = join(keep, `${reader}-${seed}-${number}.bin`);
      writeFileSync(file, bytes);
      writeFileSync(
        `${file}.json`,
        JSON.stringify({ reader, seed, number, seedName: from.name, reason: alone }, null, 2),
      );
    }
    faults.push({ reader, number, reason: alone, file });
  };

  try {
    while (next < cases && Date.now() < until && faults.length < maxFaults) {
      const pending: { number: number; reason: string }[] = [];
      const begin: Begin = { reader, seed, from: next, to: cases, until, folder, limits };
      const end = await runProcess(begin, (message) => {
        if (message.kind === 'unsound') unsound.add(`${message.name}: ${message.codes.join(' ')}`);
        if (message.kind === 'fault') pending.push(message);
        if (message.kind !== 'progress') return;
        for (const [code, count] of Object.entries(message.codes)) codes[code] = (codes[code] ?? 0) + count;
        worstSeconds = Math.max(worstSeconds, message.worst.seconds);
        largestBytes = Math.max(largestBytes, message.largest.bytes);
      });
      if (end.reason !== null) pending.push({ number: end.next, reason: end.reason });
      for (const { number, reason } of pending) if (faults.length < maxFaults) await note(number, reason);
      next = end.reason === null ? end.next : end.next + 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { reader, cases: next, faults, codes, worstSeconds, largestBytes, unsound: [...unsound] };
}
