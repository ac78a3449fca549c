// A folder of textures that many files share. A texture is written before the first file that names it is moved in, and goes
// only when no file names it any more. Names carry digits of the content's hash, so that equal textures are one file.
//
// A lock of the folder makes both steps one for other cooks: none removes a texture between the moment at which this one
// finds it and the moment at which the file that names it is in its place.

import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { sha256Hex } from '../bytes/sha256.ts';
import { fail } from '../diagnostics/diagnostic.ts';
import { hashOf, isInnerPath } from './commitJournal.ts';
import { exists } from './folders.ts';
import { asWriteError, OutputSet } from './outputSet.ts';
import { lockSet } from './setLock.ts';
import { withSetMutex } from './setMutex.ts';
import { lockThreadMutex, unlockThreadMutex } from './threadMutex.ts';

export interface SharedTexture {
  /** The file name in the folder. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  /** Its bytes, which need not be in memory. */
  readonly read: () => Uint8Array;
}

/** Other cooks hold the lock while they move files in or look for textures that nothing names. */
const WAIT_MS = 60_000;
/** The main file that the folder's lock is named after. */
export const TEXTURES_LOCK = 'Textures';

/** What this thread does in each folder, one after the other: waiting for a lock of its own would never end. */
const lastWork = new Map<string, Promise<unknown>>();

/** Whether a file of the folder is a texture that a cook wrote: its name begins with the hash of its content. */
export function isSharedTexture(folder: string, name: string): boolean {
  const digits = name.slice(0, name.length - extname(name).length);
  return /^[0-9a-f]{16}$/.test(digits) && hashOf(join(folder, name))?.startsWith(digits) === true;
}

export class SharedTextures {
  readonly folder: string;
  readonly #force: boolean;
  readonly #mutex: SharedArrayBuffer | null;
  /** Textures that this call has written or compared. */
  readonly #known = new Set<string>();
  /** Textures that no file may name any more: of files that this call has replaced, and new ones of files that failed. */
  readonly #orphans = new Set<string>();

  /**
   * `force`: replace what has the name of a texture and another content. `mutex`: of all threads of the process that use the
   * folder (threadMutex.ts).
   */
  constructor(folder: string, force: boolean, mutex: SharedArrayBuffer | null = null) {
    this.folder = folder;
    this.#force = force;
    this.#mutex = mutex;
  }

  /** The names that collectGarbage() looks at, for another thread; this object forgets them. */
  takeOrphans(): string[] {
    const names = [...this.#orphans];
    this.#orphans.clear();
    return names;
  }

  /** Names that another thread has taken with takeLoose(). */
  addOrphans(names: readonly string[]): void {
    for (const name of names) this.#orphans.add(name);
  }

  /**
   * Writes the textures that are missing and then calls `commit`, which moves in the file that names them. `before`: the
   * names of textures that the file named which it replaces. Throws UC4000, UC4001 and UC4002, and what `commit` throws;
   * the folder is as before then. What `commit` still waits for when it returns may fail later: the textures stay, because
   * another cook may name them by then. `onWritten`: told each texture that was not there.
   */
  commit<T>(
    textures: readonly SharedTexture[],
    before: readonly string[],
    commit: () => T,
    onWritten: (name: string) => void = () => {},
  ): Promise<T> {
    const run = () => {
      const added: string[] = [];
      let result: T;
      try {
        for (const texture of textures) {
          if (!exists(join(this.folder, texture.name))) added.push(texture.name);
          if (this.#write(texture, before.includes(texture.name))) onWritten(texture.name);
        }
        result = commit();
      } catch (error) {
        this.#takeBack(added);
        throw error;
      }
      for (const name of before) this.#orphans.add(name);
      for (const { name } of textures) this.#orphans.delete(name);
      return result;
    };
    // Without a texture there is no folder to lock.
    if (textures.length === 0) return Promise.resolve().then(run);
    return this.#inOrder(async () => {
      try {
        return this.#locked(run);
      } catch (error) {
        this.#removeIfEmpty();
        throw error;
      }
    });
  }

  #removeIfEmpty(): void {
    try {
      rmdirSync(this.folder);
    } catch {
      // It holds something.
    }
  }

  /** Removes textures that were written under the lock which is still held: no other cook can have named them. */
  #takeBack(names: readonly string[]): void {
    for (const name of names) {
      this.#known.delete(name);
      this.#orphans.delete(name);
      try {
        rmSync(join(this.folder, name), { force: true });
      } catch {
        // The error that is reported is the first one. A texture that nothing names does no harm.
      }
    }
  }

  /** False: it is there. `isOurs`: the file before named it, so that another content is a damaged texture and is replaced. */
  #write({ name, sha256, read }: SharedTexture, isOurs: boolean): boolean {
    if (!isInnerPath(name) || name.includes('/')) throw new Error(`${JSON.stringify(name)} is no name of a texture`);
    const path = join(this.folder, name);
    if (this.#known.has(name) && hashOf(path) === sha256) return false;
    const isMissing = hashOf(path) !== sha256;
    if (isMissing) {
      const earlier = () => new Map(isOurs ? [[name, null]] : []);
      const set = OutputSet.open({ base: this.folder, main: name, earlier, force: this.#force });
      try {
        set.write(name, read(), sha256);
        set.commit();
        // Should what `commit` waits for fail, the texture goes again.
        this.#orphans.add(name);
      } finally {
        set.discard();
      }
      let stored: Uint8Array | null = null;
      try {
        stored = readFileSync(path);
      } catch {
        // Reported below.
      }
      if (stored === null || sha256Hex(stored) !== sha256) {
        fail('UC4002', path, '', 'read back, the file differs from what was written');
      }
    }
    this.#known.add(name);
    return isMissing;
  }

  /**
   * Removes the orphan textures that `named` does not give: the names of all textures that files name, or null if one of
   * the files cannot be read. A file whose content is not what its name says stays.
   */
  async collectGarbage(named: () => Promise<ReadonlySet<string> | null>): Promise<void> {
    if (this.#orphans.size === 0) return;
    await this.#inOrder(async () => {
      const lock = this.#lock();
      try {
        this.#removeOrphans(await named());
      } finally {
        lock.release();
      }
    });
    this.#removeIfEmpty();
  }

  #removeOrphans(wanted: ReadonlySet<string> | null): void {
    if (wanted === null) return;
    for (const name of [...this.#orphans].sort()) {
      if (wanted.has(name)) continue;
      if (isSharedTexture(this.folder, name)) rmSync(join(this.folder, name), { force: true });
    }
  }

  /** Runs synchronous work while no other thread or process changes the folder; the process does not end halfway. */
  #locked<T>(work: () => T): T {
    return withSetMutex(() => {
      // Other threads wait here: looking for the lock again and again would take longer.
      if (this.#mutex) lockThreadMutex(this.#mutex);
      try {
        const lock = this.#lock();
        try {
          return work();
        } finally {
          lock.release();
        }
      } finally {
        if (this.#mutex) unlockThreadMutex(this.#mutex);
      }
    });
  }

  #lock(): ReturnType<typeof lockSet> {
    try {
      return lockSet(join(this.folder, TEXTURES_LOCK), WAIT_MS);
    } catch (error) {
      throw asWriteError(error, this.folder);
    }
  }

  /** Runs the work once what this thread has begun in the folder is done. */
  async #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const before = lastWork.get(this.folder);
    const own = (async () => {
      await before;
      return work();
    })();
    // Whoever comes next waits for the end, whatever it is.
    const end = own.catch(() => undefined);
    lastWork.set(this.folder, end);
    try {
      return await own;
    } finally {
      if (lastWork.get(this.folder) === end) lastWork.delete(this.folder);
    }
  }
}
