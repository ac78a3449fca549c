// The process that runs cases of one reader, one after the other. A thread beside them watches time and memory; it ends the
// process where a case exceeds its limits, in whatever loop that is. The process that started this one learns the case from
// a file.

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { peakMemory } from '../../src/cli/documents/run.ts';
import { damaged, type Seed } from './reader.ts';
import { readerOf } from './readerOf.ts';
import type { Begin, Limits, Progress } from './session.ts';

/** Plain JavaScript: a thread of its own that needs no loader. Times are CPU seconds of the process. */
const WATCH = `
const { writeFileSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { numbers, limits, reason } = workerData;
const state = new Float64Array(numbers);
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const end = (word) => { writeFileSync(reason, word); process.kill(process.pid, 'SIGKILL'); };
let known = -1;
let idle = 0;
let last = { time: Date.now(), cpu: cpu() };
setInterval(() => {
  const [number, begun] = state;
  const now = { time: Date.now(), cpu: cpu() };
  // On a machine with other work a case that computes gets little of a moment: only moments without any count as waiting.
  if (now.cpu - last.cpu < 0.001) idle += now.time - last.time;
  last = now;
  if (number !== known) { known = number; idle = 0; }
  if (number < 0) return;
  if (now.cpu - begun > limits.seconds) end('time');
  else if (idle > limits.patience * 1000) end('hang');
  else if (process.memoryUsage.rss() > limits.bytes) end('memory');
}, 10);
`;

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** A bug, or a fault of the machine such as that memory ran out. No input may end in them. */
const UNFIT = /^UC(1099|11\d\d)$/;

function watch(limits: Limits, reason: string): Float64Array {
  const numbers = new SharedArrayBuffer(16);
  const state = new Float64Array(numbers);
  state[0] = -1;
  new Worker(WATCH, { eval: true, workerData: { numbers, limits, reason } });
  return state;
}

const sent = (message: Progress): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });

/** So many cases between two messages. */
const REPORTED_EVERY = 64;
/** Garbage of earlier cases is collected when the process is larger than this. */
const COLLECT_BYTES = 2 ** 28;

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});

async function run({ reader: name, seed, from, to, until, folder, limits, bytes, seedName }: Begin): Promise<void> {
  const reader = await readerOf(name);
  const seeds = await reader.seeds();
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch, { recursive: true });
  // Sound inputs first: they show that the reader reaches its end, and load its code.
  for (const one of seeds) {
    const codes = await reader.read({ seed: one, bytes: one.bytes, number: 0, folder: scratch });
    if (codes.length > 0 && !one.isRefused) await sent({ kind: 'unsound', name: one.name, codes });
    for (let number = 1; number < 4; number++)
      await reader.read({ seed: one, bytes: one.bytes, number, folder: scratch });
  }
  collect();
  const state = watch(limits, join(folder, 'reason'));
  const place = openSync(join(folder, 'case'), 'w');
  let codes: Record<string, number> = {};
  let worst = { seconds: 0, number: -1 };
  let peak = peakMemory();
  let largest = { bytes: 0, number: -1 };
  let faultOf: ((error: unknown) => void) | null = null;
  const unheard = (error: unknown): void => faultOf?.(error);
  process.on('uncaughtException', unheard);
  process.on('unhandledRejection', unheard);
  const report = async (number: number): Promise<void> => {
    await sent({ kind: 'progress', done: number, codes, worst, largest });
    codes = {};
  };
  let number = from;
  for (; number < to && Date.now() < until; number++) {
    const input: { from: Seed; bytes: Uint8Array } = bytes
      ? { from: seeds.find((one) => one.name === seedName) ?? seeds[0], bytes }
      : damaged(reader, seeds, seed, number);
    writeSync(place, `${number}`.padEnd(16), 0);
    const begun = cpuSeconds();
    state[1] = begun;
    state[0] = number;
    let outcome: readonly string[];
    let fault: string | null = null;
    faultOf = (error) => {
      fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    };
    try {
      outcome = await reader.read({ seed: input.from, bytes: input.bytes, number, folder: scratch });
    } catch (error) {
      faultOf(error);
      outcome = ['fault'];
    }
    state[0] = -1;
    const seconds = cpuSeconds() - begun;
    if (seconds > worst.seconds) worst = { seconds, number };
    const grown = peakMemory();
    if (grown - peak > largest.bytes) largest = { bytes: grown - peak, number };
    peak = grown;
    const unfit = outcome.find((code) => UNFIT.test(code));
    if (fault === null && unfit) fault = `ended in ${unfit}`;
    if (fault === null && seconds > limits.seconds) fault = 'time';
    if (fault === null && grown > limits.bytes) fault = 'memory';
    if (fault !== null) {
      await sent({ kind: 'fault', number, seedName: input.from.name, reason: fault });
      // What was measured of the process says nothing about later cases.
      if (fault === 'memory') break;
    }
    const key = outcome[0] ?? 'ok';
    codes[key] = (codes[key] ?? 0) + 1;
    if (number % REPORTED_EVERY === 0) {
      await report(number + 1);
      if (process.memoryUsage.rss() > COLLECT_BYTES) collect();
    }
  }
  await report(number);
  closeSync(place);
  await sent({ kind: 'end' });
}

process.once('message', (begin: Begin) => {
  run(begin).then(
    () => process.exit(0),
    (error: Error) => {
      writeFileSync(join(begin.folder, 'reason'), error.stack ?? error.message);
      process.exit(70);
    },
  );
});
