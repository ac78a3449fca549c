// Syncs of files and folders, a few at a time, while the process does something else.

import { spawnSync } from 'node:child_process';
import { closeSync, fsync, fsyncSync, openSync, statfsSync } from 'node:fs';
import { release } from 'node:os';

/** Files of the process that are synced at the same time. Few: its thread pool also compresses. */
const SYNCS = 2;
/** Files of a set that may wait to be synced, each an open descriptor. Windows cannot move open files. */
const MAX_UNSYNCED = process.platform === 'win32' ? 0 : 64;

/** A written file that may not have reached the disk yet. */
interface Unsynced {
  readonly fd: number;
  readonly owner: FileSyncs;
  /** What a failed sync throws. */
  readonly asError: (error: unknown) => unknown;
  begun: boolean;
}

/** In the order in which they were written. */
const waiting = new Set<Unsynced>();
let running = 0;
let isPlanned = false;

/**
 * Begins syncs in a later turn: who commits in this one syncs all in rest(), which hears of every failure. The system reports
 * one once, to whichever sync comes first.
 */
function planSyncs(): void {
  if (isPlanned) return;
  isPlanned = true;
  setImmediate(() => {
    isPlanned = false;
    beginSyncs();
  }).unref();
}

function beginSyncs(): void {
  for (const entry of waiting) {
    if (running >= SYNCS) return;
    waiting.delete(entry);
    entry.begun = true;
    running++;
    fsync(entry.fd, (error) => {
      running--;
      entry.owner.end(entry, error);
      beginSyncs();
    });
  }
}

/** The files of one set that are not synced yet. */
export class FileSyncs {
  readonly #unsynced = new Set<Unsynced>();
  #error: unknown = null;
  #whenSynced: () => void = () => {};

  /** Takes over an open file that was written: syncs it at some time, at the latest in `rest`, and closes it. */
  add(fd: number, asError: (error: unknown) => unknown): void {
    if (this.#unsynced.size >= MAX_UNSYNCED) {
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    } else {
      const entry: Unsynced = { fd, owner: this, asError, begun: false };
      this.#unsynced.add(entry);
      waiting.add(entry);
    }
    planSyncs();
  }

  /** A sync has ended. */
  end(entry: Unsynced, error: Error | null): void {
    this.#unsynced.delete(entry);
    let fault: unknown = error;
    try {
      closeSync(entry.fd);
    } catch (refused) {
      fault ??= refused;
    }
    // The system reports a failed sync once; a second sync would succeed. Keep the error.
    if (fault) this.#error ??= entry.asError(fault);
    if (this.#unsynced.size === 0) this.#whenSynced();
  }

  /** Waits until all files are synced. Throws what `asError` made of a failure. */
  async synced(): Promise<void> {
    beginSyncs();
    if (this.#unsynced.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenSynced = resolve;
      });
    }
    if (this.#error !== null) throw this.#error;
  }

  /**
   * Syncs the remaining files before it returns. Throws what `asError` made of a failure. After another turn than that of the
   * writes, call synced() first: a failed sync that is still under way would not be heard of.
   */
  rest(): void {
    for (const entry of [...this.#unsynced]) {
      const { fd, begun, asError } = entry;
      this.#forget(entry);
      try {
        fsyncSync(fd);
      } catch (error) {
        throw asError(error);
      } finally {
        // A file that is being synced is closed when the sync ends.
        if (!begun) closeSync(fd);
      }
    }
    if (this.#error !== null) throw this.#error;
  }

  /** Closes what was not synced. */
  drop(): void {
    for (const entry of [...this.#unsynced]) {
      this.#forget(entry);
      if (!entry.begun) closeSync(entry.fd);
    }
  }

  #forget(entry: Unsynced): void {
    this.#unsynced.delete(entry);
    waiting.delete(entry);
    // Its sync may never begin: whoever waits in synced() must not wait for it.
    if (this.#unsynced.size === 0) this.#whenSynced();
  }
}

/** Windows cannot open folders: a rename there cannot be made more durable. */
const syncsFolders = process.platform !== 'win32';

export function syncFolder(path: string): void {
  if (!syncsFolders) return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Types that statfs gives (linux/magic.h) of file systems on which one sync of all files reports what it could not write. */
const REPORTING: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);

/** Whether a sync of the whole file system of a folder fails where a file could not be written: on ext4, XFS, Btrfs and tmpfs from Linux 5.8 on. */
function reportsFailures(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  const [major, minor] = release().split('.').map(Number);
  return (major > 5 || (major === 5 && minor >= 8)) && REPORTING.has(statfsSync(folder).type);
}

/**
 * Syncs many files below a folder that are closed already: with one sync of their file system where that can be trusted and the
 * system has a command for it, because a sync of each takes a minute for some ten thousands. Throws what the system says.
 */
export function syncMany(folder: string, paths: readonly string[]): void {
  if (reportsFailures(folder) && spawnSync('sync', ['-f', folder], { stdio: 'ignore' }).status === 0) return;
  for (const path of paths) {
    // Windows syncs only files that are open for writing.
    const fd = openSync(path, 'r+');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

/** How long a sync may be put off for others of the same folder, in milliseconds. */
const HOLD_MS = 3000;
/**
 * How many sets may wait for the same sync. Few enough that an interrupted cook finishes them at once, and enough that the
 * shared sync does not count beside the two that each set needs for its own files.
 */
export const MAX_HELD = 256;

interface WaitingForFolder {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Syncs of folders that cooks which end at about the same time share. One sync covers every change that was made before it
 * begins, and costs the same for all.
 */
export class FolderSyncs {
  readonly #waiting = new Map<string, WaitingForFolder[]>();
  #timer: NodeJS.Timeout | null = null;
  #holds = true;
  #expected = 0;

  /** A set will ask for a sync soon, once its own files are synced. `arrive` must follow, whether it asked or not. */
  expect(): void {
    this.#expected++;
  }

  /** An expected set has asked for its sync, or will not. */
  arrive(): void {
    this.#expected--;
    if (!this.#holds && this.#expected === 0) this.flush();
  }

  /** Resolves once the folder is synced with all changes that were made before the call. Rejects with what the system says. */
  sync(folder: string): Promise<void> {
    if (!syncsFolders) return Promise.resolve();
    const done = new Promise<void>((resolve, reject) => {
      const waiting = this.#waiting.get(folder) ?? [];
      waiting.push({ resolve, reject });
      this.#waiting.set(folder, waiting);
    });
    const follow = this.#holds || this.#expected > 0;
    if (follow && (this.#waiting.get(folder)?.length ?? 0) < MAX_HELD) {
      this.#timer ??= setTimeout(() => this.flush(), HOLD_MS);
    } else this.flush();
    return done;
  }

  /** Begins all syncs that wait. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const folders = [...this.#waiting];
    this.#waiting.clear();
    for (const [folder, waiting] of folders) {
      const end = (error: unknown) => {
        for (const { resolve, reject } of waiting) {
          if (error) reject(error);
          else resolve();
        }
      };
      try {
        const fd = openSync(folder, 'r');
        fsync(fd, (error) => {
          let fault: unknown = error;
          try {
            closeSync(fd);
          } catch (refused) {
            fault ??= refused;
          }
          end(fault);
        });
      } catch (error) {
        end(error);
      }
    }
  }

  /** No sets follow but the expected ones: puts syncs off for those alone. */
  end(): void {
    this.#holds = false;
    if (this.#expected === 0) this.flush();
  }
}
