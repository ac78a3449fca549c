// What a cook has asked the disk for: files that it read, with what shows whether they change, and files that it looked for
// and that were not there. An equal answer to all of these questions means an equal cook.

import { sha256Hex } from '../bytes/sha256.ts';
import type { Content } from './content.ts';
import { type FileStamp, fileSha256, fileStamp, isOlderThan, isSameStamp } from './fileStamp.ts';

/** A file with its content: by its stamp, or where that says too little by its hash. */
export interface TracedFile {
  /** Absolute, links not followed. */
  readonly path: string;
  readonly stamp: FileStamp;
  readonly sha256: string;
}

export interface FileTrace {
  readonly read: readonly TracedFile[];
  /** Absolute paths, sorted. */
  readonly missing: readonly string[];
}

interface Opened {
  readonly stamp: FileStamp;
  /** Null: it is made at the end. */
  readonly sha256: string | null;
}

export class FileTracer {
  /** By path; null: it changed while it was read, or may have. */
  readonly #opened = new Map<string, Opened | null>();
  readonly #missing = new Set<string>();

  /** Opens a file with `open` and notes what it was then. */
  opening(path: string, open: () => Content): Content {
    const before = fileStamp(path);
    const content = open();
    const after = fileStamp(path);
    const known = this.#opened.get(path);
    const isSame = before !== null && after !== null && isSameStamp(before, after);
    if (known === null) return content;
    if (!isSame || (known && !isSameStamp(known.stamp, before))) this.#opened.set(path, null);
    else if (!known) {
      // A later write might leave the same stamp: the bytes at hand are hashed, those of a large file are not at hand.
      const isSure = isOlderThan(before, Date.now());
      if (isSure) this.#opened.set(path, { stamp: before, sha256: null });
      else if (content.whole) this.#opened.set(path, { stamp: before, sha256: sha256Hex(content.whole) });
      else this.#opened.set(path, null);
    }
    return content;
  }

  missed(path: string): void {
    this.#missing.add(path);
  }

  /** Everything that was asked for; null where a file has changed since it was read. */
  trace(): FileTrace | null {
    const read: TracedFile[] = [];
    for (const [path, opened] of [...this.#opened].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (opened === null) return null;
      const { stamp } = opened;
      let { sha256 } = opened;
      try {
        sha256 ??= fileSha256(path);
      } catch {
        return null;
      }
      const now = fileStamp(path);
      if (now === null || !isSameStamp(now, stamp)) return null;
      read.push({ path, stamp, sha256 });
    }
    return { read, missing: [...this.#missing].sort() };
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
    read.set(file.path, file);
  }
  return { read: [...read.values()], missing: [...new Set(traces.flatMap(({ missing }) => missing))].sort() };
}
