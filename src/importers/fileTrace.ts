// What a cook has asked the disk for: files that it read, with what shows whether they change, files that it saw without
// reading them, and files that it looked for and that were not there. An equal answer to all of these questions means an
// equal cook.

import { realpathSync, statSync } from 'node:fs';
import { sha256Hex } from '../bytes/sha256.ts';
import type { Content } from './content.ts';
import { type FileStamp, fileSha256, fileStamp, isOlderThan, isSameStamp } from './fileStamp.ts';

/** A file with its content: by its stamp, or where that says too little by its hash. */
export interface TracedFile {
  /** Absolute, links not followed. */
  readonly path: string;
  readonly stamp: FileStamp;
  readonly sha256: string;
  /** Not later than the moment its content was read, in milliseconds since 1970. */
  readonly time: number;
}

/** A file that was seen, and where its links led to. */
export interface SeenFile {
  readonly path: string;
  readonly real: string;
}

/** A file that a source refers to. */
export interface Asked {
  readonly reference: string;
  /** The file that refers to it. */
  readonly from: string;
  readonly kind: 'texture' | 'layer';
}

export interface Located {
  /** Absolute; null: it is nowhere, and what it means is forbidden. */
  readonly path: string | null;
  /** Whether it lies elsewhere than the source says, and no --remap says so. */
  readonly isElsewhere: boolean;
}

/** A file that was looked for, and where it is: equal answers with other folders to search mean an equal cook. */
export interface Lookup extends Asked, Located {
  /** The path that it means; null: that is forbidden. */
  readonly meant: string | null;
}

export interface FileTrace {
  readonly read: readonly TracedFile[];
  /** Those that were read, too. */
  readonly seen: readonly SeenFile[];
  /** Absolute paths, sorted, at which there was nothing. */
  readonly missing: readonly string[];
  /** Those at which there was no file, whether there was something else or nothing. */
  readonly noFile: readonly string[];
  /** Files that were looked for by name, and where they are; null: that was not noted. */
  readonly lookups: readonly Lookup[] | null;
}

interface Opened {
  readonly stamp: FileStamp;
  /** Null: it is made at the end. */
  readonly sha256: string | null;
  readonly time: number;
}

/** Whether nothing can be found at a path: no file, no folder, or a link that leads nowhere. */
export function isNothing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch {
    return true;
  }
}

/** Where a path leads to; null: nowhere. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

const byPath = <T>([a]: readonly [string, T], [b]: readonly [string, T]): number => (a < b ? -1 : 1);

export class FileTracer {
  readonly #opened = new Map<string, Opened>();
  readonly #seen = new Map<string, string>();
  readonly #missing = new Set<string>();
  readonly #noFile = new Set<string>();
  readonly #lookups = new Map<string, Lookup>();
  /** An answer cannot be asked for again: a file that changed while it was read, or that the system refused to read. */
  #isUnsure = false;

  /** Opens a file with `open` and notes what it was then. */
  opening(path: string, open: () => Content): Content {
    const time = Date.now();
    const before = fileStamp(path);
    let content: Content;
    try {
      content = open();
    } catch (error) {
      this.unsure();
      throw error;
    }
    const after = fileStamp(path);
    const known = this.#opened.get(path);
    if (before === null || after === null || !isSameStamp(before, after)) this.unsure();
    else if (known) {
      if (!isSameStamp(known.stamp, before)) this.unsure();
    } else {
      // A later write might leave the same stamp: the bytes at hand are hashed, those of a large file are not at hand.
      const isSure = isOlderThan(before, time);
      if (isSure || content.whole) {
        const sha256 = isSure || !content.whole ? null : sha256Hex(content.whole);
        this.#opened.set(path, { stamp: before, sha256, time });
      } else this.unsure();
    }
    this.saw(path);
    return content;
  }

  /** A file is there. */
  saw(path: string): void {
    const real = realPathOf(path);
    const known = this.#seen.get(path);
    if (real === null || (known !== undefined && known !== real)) this.unsure();
    else this.#seen.set(path, real);
  }

  /** Nothing is there to be read. */
  missed(path: string): void {
    if (isNothing(path)) this.#missing.add(path);
    else this.unsure();
  }

  /** No file is there that the cook may see. */
  sawNone(path: string): void {
    if (fileStamp(path) === null) this.#noFile.add(path);
    else this.unsure();
  }

  /** A file was looked for by name. */
  located(lookup: Lookup): void {
    const { reference, from, kind } = lookup;
    this.#lookups.set(`${kind}\0${from}\0${reference}`, lookup);
  }

  /** Something was found that a later run cannot be asked about. */
  unsure(): void {
    this.#isUnsure = true;
  }

  /** Everything that was asked for; null where a later run cannot know whether it would get the same. */
  trace(): FileTrace | null {
    if (this.#isUnsure) return null;
    const read: TracedFile[] = [];
    for (const [path, { stamp, time, sha256: early }] of [...this.#opened].sort(byPath)) {
      let sha256 = early;
      try {
        sha256 ??= fileSha256(path);
      } catch {
        return null;
      }
      const now = fileStamp(path);
      if (now === null || !isSameStamp(now, stamp)) return null;
      read.push({ path, stamp, sha256, time });
    }
    const seen = [...this.#seen].sort(byPath).map(([path, real]) => ({ path, real }));
    const lookups = [...this.#lookups].sort(byPath).map(([, lookup]) => lookup);
    return { read, seen, missing: [...this.#missing].sort(), noFile: [...this.#noFile].sort(), lookups };
  }
}

/** The trace of several sources; null where they have read a file differently. */
export function unitedTraces(traces: readonly FileTrace[]): FileTrace | null {
  const [first] = traces;
  if (traces.length === 1) return first;
  const read = new Map<string, TracedFile>();
  for (const file of traces.flatMap((trace) => trace.read)) {
    const known = read.get(file.path);
    if (known && !(known.sha256 === file.sha256 && isSameStamp(known.stamp, file.stamp))) return null;
    // The earlier time claims less.
    if (!known || file.time < known.time) read.set(file.path, file);
  }
  const seen = new Map<string, SeenFile>();
  for (const file of traces.flatMap((trace) => trace.seen)) {
    const known = seen.get(file.path);
    if (known && known.real !== file.real) return null;
    seen.set(file.path, file);
  }
  const united = (key: 'missing' | 'noFile') => [...new Set(traces.flatMap((trace) => trace[key]))].sort();
  return {
    read: [...read.values()],
    seen: [...seen.values()],
    missing: united('missing'),
    noFile: united('noFile'),
    // Each source has its own folders to search.
    lookups: null,
  };
}
