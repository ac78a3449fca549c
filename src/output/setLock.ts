// The lock of one output set: `.<main file>.lock` beside the set's main file. It names the cook that writes the set, so
// that a second one ends at once instead of destroying the first one's work. Sets in the same folder have locks of their
// own and may be cooked at the same time.
//
// A lock counts as left over when its process is gone, or when its file was not touched for a minute and nobody knows whether
// the process is there: that can be known on the same host, boot and process namespace only. The holder's heartbeat touches
// it every ten seconds.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname, uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { beat, stopBeating } from './heartbeat.ts';
import { enterWorkFolder, leaveWorkFolder, workFolderOf } from './workFolder.ts';

/** A lock that was not touched for this long belongs to no running process. */
const SILENT_MS = 60_000;
/** Boot times that were computed from clocks differ by less than this within one boot. */
const BOOT_TOLERANCE_S = 5;
/** Attempts to take a lock that other cooks take and release meanwhile. */
const MAX_TRIES = 100;
/** Milliseconds between two attempts while another cook holds the lock. */
const RETRY_MS = 10;

/** Who holds a lock. */
interface Holder {
  readonly host: string;
  /** The system's id of this boot, or where it has none the time of the boot in seconds. */
  readonly boot: string | number;
  /** The namespace that gives the process its number; '' where the system has none. */
  readonly namespace: string;
  readonly pid: number;
  /** When the process began, in the system's own unit; null if unknown. It distinguishes processes of the same number. */
  readonly began: string | null;
  /** Different for each lock: the number of the thread that took it comes first. */
  readonly token: string;
}

export interface SetLock {
  /** Whether the lock file is still the one that was made. Another host takes it over if its heartbeat stops for a minute. */
  isHeld(): boolean;
  /** Removes the lock file if it is still ours. */
  release(): void;
}

const lockPath = (main: string): string => join(dirname(main), `.${basename(main)}.lock`);

/** Names of temporary files that exist while a lock is taken; a killed process leaves them behind. */
const attemptPrefix = (main: string): string => `${basename(main)}.lock-`;

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** When a process of this namespace began: field 22 of /proc/PID/stat, counted after the name, which may hold spaces. */
function beganAt(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function namespaceOfPids(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

let self: Omit<Holder, 'token'> | null = null;

function thisProcess(): Omit<Holder, 'token'> {
  self ??= {
    host: hostname(),
    boot: readText('/proc/sys/kernel/random/boot_id')?.trim() ?? Math.round(Date.now() / 1000 - uptime()),
    namespace: namespaceOfPids(),
    pid: process.pid,
    began: beganAt(process.pid),
  };
  return self;
}

function isSameBoot(a: string | number, b: string | number): boolean {
  return typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= BOOT_TOLERANCE_S : a === b;
}

function parseHolder(text: string): Holder | null {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    if (typeof value?.host !== 'string' || typeof value.token !== 'string') return null;
    return Number.isSafeInteger(value.pid) && (value.pid as number) > 0 ? (value as Holder) : null;
  } catch {
    return null;
  }
}

/** Whether the holder's process runs, is gone, or cannot be looked for from here. */
function stateOf({ host, boot, namespace, pid, began }: Holder): 'alive' | 'gone' | 'unknown' {
  const here = thisProcess();
  if (host !== here.host || namespace !== here.namespace || !isSameBoot(boot, here.boot)) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  const runningSince = beganAt(pid);
  // Without its beginning, another process may have the number by now.
  if (began === null || runningSince === null) return 'unknown';
  if (began !== runningSince) return 'gone';
  // A thread of this process may have died.
  return pid === here.pid ? 'unknown' : 'alive';
}

/** Whether nobody holds a lock any more. A process that was suspended is silent, and goes on afterwards. */
function isLeftOver(holder: Holder | null, silent: number): boolean {
  const state = holder ? stateOf(holder) : 'unknown';
  return state === 'gone' || (state === 'unknown' && silent > SILENT_MS);
}

/** Makes `to` the same file as `from` unless it exists. Where the system has no hard links, a copy. */
function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
  }
  try {
    writeFileSync(to, readFileSync(from), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Milliseconds since the lock was touched, by the clock of the file system; null when it is gone. */
function silence(lock: string, own: string): number | null {
  // Write a file to learn the time by the clock of the machine that holds the disk. The file may be the lock itself by now:
  // its last byte is written again, so that it keeps its content on a full disk too.
  const bytes = readFileSync(own);
  const fd = openSync(own, 'r+');
  try {
    writeSync(fd, bytes, bytes.length - 1, 1, bytes.length - 1);
  } finally {
    closeSync(fd);
  }
  try {
    return statSync(own).mtimeMs - statSync(lock).mtimeMs;
  } catch {
    return null;
  }
}

/** Removes temporary files of cooks that were killed while they took the lock. */
function removeAttempts(main: string, own: string): void {
  const folder = workFolderOf(dirname(main));
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(attemptPrefix(main)) || path === own) continue;
    removeIfLeftOver(path, own);
  }
}

function removeIfLeftOver(path: string, own: string): void {
  const silent = silence(path, own);
  if (silent !== null && isLeftOver(parseHolder(readText(path) ?? ''), silent)) rmSync(path, { force: true });
}

function rest(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
}

/**
 * Removes a lock whose cook is gone. One cook does that at a time, and looks again first: another may have removed it and taken
 * the lock meanwhile.
 */
function removeLeftOver(main: string, own: string, text: string): void {
  const lock = lockPath(main);
  const breaker = join(workFolderOf(dirname(main)), `${attemptPrefix(main)}breaker`);
  if (!linkNew(own, breaker)) {
    removeIfLeftOver(breaker, own);
    rest();
    return;
  }
  try {
    if (readText(lock) === text) rmSync(lock, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}

/** Whether that thread of this process holds the lock of a set. */
export function isLockedByThread(main: string, thread: number): boolean {
  const holder = parseHolder(readText(lockPath(main)) ?? '');
  const here = thisProcess();
  const isOurs = holder?.pid === here.pid && holder.host === here.host && holder.began === here.began;
  return isOurs && holder.token.startsWith(`${thread}-`);
}

/** Removes a lock that isLockedByThread has found, of a thread that does not run any more. */
export function removeLock(main: string): void {
  rmSync(lockPath(main), { force: true });
}

/**
 * Takes the lock of the set whose main file this is; its folder exists. Throws UC4004 when another cook holds it for
 * longer than `wait` milliseconds, and what the file system throws.
 */
export function lockSet(main: string, wait: number): SetLock {
  const base = dirname(main);
  const lock = enterWorkFolder(base, () => takeLock(main, wait));
  leaveWorkFolder(base);
  return lock;
}

function takeLock(main: string, wait: number): SetLock {
  const deadline = performance.now() + wait;
  const lock = lockPath(main);
  const token = `${threadId}-${randomBytes(12).toString('hex')}`;
  const own = join(workFolderOf(dirname(main)), `${attemptPrefix(main)}${token}`);
  const text = `${JSON.stringify({ ...thisProcess(), token } satisfies Holder)}\n`;
  let holder: Holder | null = null;
  try {
    // Write the lock under a temporary name and link it, so that it appears with its content.
    writeFileSync(own, text, { flag: 'wx' });
    for (let tries = 0; tries < MAX_TRIES; ) {
      if (linkNew(own, lock)) {
        try {
          removeAttempts(main, own);
        } catch {
          // They are in nobody's way: a later cook removes them.
        }
        beat(lock, text);
        const isHeld = () => readText(lock) === text;
        const release = () => {
          stopBeating(lock);
          if (isHeld()) rmSync(lock, { force: true });
        };
        return { isHeld, release };
      }
      tries++;
      const found = readText(lock);
      if (found === null) continue;
      holder = parseHolder(found);
      const silent = silence(lock, own);
      if (silent === null) continue;
      if (!isLeftOver(holder, silent)) {
        if (performance.now() >= deadline) break;
        rest();
        tries = 0;
        continue;
      }
      removeLeftOver(main, own, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
  const here = thisProcess();
  const who =
    holder === null
      ? 'an unknown process'
      : holder.pid === here.pid && holder.host === here.host && holder.began === here.began
        ? `this process (${holder.pid})`
        : `process ${holder.pid} on host ${holder.host}`;
  throw new SourceError(diagnostic('UC4004', main, '', `${who} holds ${basename(lock)}`));
}
