// A disk whose power may fail: records the changes that a run makes below a folder, and gives what a disk may hold after
// a failure. A change of a folder that no later sync of that folder covers may be lost, each for itself, or, where the file
// system keeps their order, with all that follow it. Of a file that is not synced only the name is there.

import fs, { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Folders and files have numbers; 0 is the folder that is recorded. */
type Paths = readonly string[];
type Entries = Map<number, Map<string, number>>;

type Step =
  /** A folder gets a name or, with null, loses it. The last one is where a rename leads to. */
  | {
      readonly kind: 'names';
      readonly changes: readonly (readonly [folder: number, name: string, to: number | null])[];
    }
  | { readonly kind: 'content'; readonly file: number; readonly text: string }
  | { readonly kind: 'sync'; readonly of: number };

/** Texts of files by path; null for a folder. */
export type Held = Readonly<Record<string, string | null>>;

export interface RecordedDisk {
  /** How many steps were recorded so far. */
  readonly length: number;
  /** Changes of names among the first `length` steps that a failure may lose, by their numbers. */
  unsynced(length: number): readonly number[];
  /** What the disk holds after a failure behind the first `length` steps that has lost those changes. */
  after(length: number, lost: ReadonlySet<number>): Held;
  /** Ends the recording. */
  stop(): void;
}

/** Types that statfs gives (linux/magic.h): XFS keeps the order of changes of folders, of tmpfs that is not known. */
const TYPES = { ordered: 0x58465342, unordered: 0x01021994 };

/** Records what the functions of node:fs that end before they return change below a folder. */
export function recordDisk(base: string, order: 'ordered' | 'unordered'): RecordedDisk {
  const steps: Step[] = [];
  const live: Entries = new Map();
  const contents = new Map<number, string>();
  const open = new Map<number, number>();
  let count = 0;

  const make = (isFolder: boolean): number => {
    if (isFolder) live.set(count, new Map());
    else contents.set(count, '');
    return count++;
  };
  const read = (folder: string): number => {
    const number = make(true);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const child = entry.isDirectory() ? read(path) : make(false);
      if (!entry.isDirectory()) contents.set(child, readFileSync(path, 'utf8'));
      live.get(number)?.set(entry.name, child);
    }
    return number;
  };
  read(base);
  const initial: Entries = new Map([...live].map(([folder, names]) => [folder, new Map(names)]));
  const initialContents = new Map(contents);

  const find = (path: string): number | undefined => {
    const names = relative(base, path).split(sep);
    if (names[0] === '..') return undefined;
    return names.reduce<number | undefined>(
      (at, name) => (at === undefined || name === '' ? at : live.get(at)?.get(name)),
      0,
    );
  };
  const change = (...changed: readonly (readonly [path: string, to: number | null])[]) => {
    const changes = changed.flatMap(([path, to]) => {
      const folder = find(dirname(path));
      return folder === undefined ? [] : [[folder, basename(path), to] as const];
    });
    for (const [folder, name, to] of changes) {
      if (to === null) live.get(folder)?.delete(name);
      else live.get(folder)?.set(name, to);
    }
    steps.push({ kind: 'names', changes });
  };
  const append = (file: number | undefined, text: string) => {
    if (file === undefined) return;
    contents.set(file, contents.get(file) + text);
    steps.push({ kind: 'content', file, text: contents.get(file) as string });
  };
  const remove = (path: string) => {
    const number = find(path);
    if (number === undefined) return;
    for (const name of [...(live.get(number)?.keys() ?? [])]) remove(join(path, name));
    change([path, null]);
  };

  /** What a call has changed, after it. */
  const note: Readonly<Record<string, (args: never, result: unknown) => void>> = {
    mkdirSync: ([path]: Paths) => change([path, make(true)]),
    openSync: ([path, flags]: Paths, fd) => {
      if (flags.startsWith('w')) change([path, make(false)]);
      const number = find(path);
      if (number !== undefined) open.set(fd as number, number);
    },
    writeSync: ([fd, bytes, at, length]: readonly [number, Uint8Array, number, number]) =>
      append(open.get(fd), Buffer.from(bytes.subarray(at, at + length)).toString()),
    fsyncSync: ([fd]: readonly number[]) => {
      const of = open.get(fd);
      if (of !== undefined) steps.push({ kind: 'sync', of });
    },
    closeSync: ([fd]: readonly number[]) => open.delete(fd),
    writeFileSync: ([path, data]: readonly [string, string | Uint8Array]) => {
      change([path, make(false)]);
      append(find(path), String(data));
    },
    linkSync: ([from, to]: Paths) => change([to, find(from) as number]),
    renameSync: ([from, to]: Paths) => change([from, null], [to, find(from) as number]),
    rmSync: ([path]: Paths) => remove(path),
    rmdirSync: ([path]: Paths) => remove(path),
    unlinkSync: ([path]: Paths) => remove(path),
  };
  const real = Object.fromEntries(Object.entries(fs).filter(([name]) => name in note || name === 'statfsSync'));
  /** Modules of Node that are loaded meanwhile keep the functions that are set here. */
  let isStopped = false;
  let isInside = false;
  for (const [name, noteCall] of Object.entries(note)) {
    const call = real[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (isInside || isStopped) return call(...args);
        isInside = true;
        try {
          const result = call(...args);
          noteCall(args as never, result);
          return result;
        } finally {
          isInside = false;
        }
      },
    });
  }
  Object.assign(fs, { statfsSync: () => ({ type: TYPES[order] }) });
  syncBuiltinESMExports();

  return {
    get length() {
      return steps.length;
    },
    unsynced(length) {
      let found: number[] = [];
      for (const [i, step] of steps.slice(0, length).entries()) {
        if (step.kind === 'names') found.push(i);
        else if (step.kind === 'sync' && live.has(step.of)) {
          found = order === 'ordered' ? [] : found.filter((at) => targetOf(steps[at]) !== step.of);
        }
      }
      return found;
    },
    after(length, lost) {
      const entries: Entries = new Map([...live.keys()].map((number) => [number, new Map(initial.get(number))]));
      const texts = new Map([...contents.keys()].map((number) => [number, initialContents.get(number) ?? '']));
      const written = new Map<number, string>();
      for (const [i, step] of steps.slice(0, length).entries()) {
        if (step.kind === 'content') written.set(step.file, step.text);
        else if (step.kind === 'sync') {
          const text = written.get(step.of);
          if (text !== undefined) texts.set(step.of, text);
        } else if (!lost.has(i)) {
          for (const [at, name, to] of step.changes) {
            if (to === null) entries.get(at)?.delete(name);
            else entries.get(at)?.set(name, to);
          }
        }
      }
      const held: Record<string, string | null> = {};
      const list = (folder: number, path: string) => {
        for (const [name, to] of entries.get(folder) ?? []) {
          held[`${path}${name}`] = texts.get(to) ?? null;
          list(to, `${path}${name}/`);
        }
      };
      list(0, '');
      return held;
    },
    stop() {
      isStopped = true;
      Object.assign(fs, real);
      syncBuiltinESMExports();
    },
  };

  function targetOf(step: Step): number | null {
    return step.kind === 'names' ? (step.changes.at(-1)?.[0] ?? null) : null;
  }
}
