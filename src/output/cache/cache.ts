// The cache: products that are found again by the SHA-256 of everything that they are made of. It spares work and never
// decides a byte: an entry that is missing or damaged is made again. Several processes may use one folder at once, because
// entries appear whole, under names that say what they are.

import { renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { MAX_PAYLOAD_BYTES, readEntry, writeEntry } from './entry.ts';
import { Eviction } from './eviction.ts';
import {
  type CachePlace,
  findContent,
  isOwnFolder,
  makeContent,
  makeOwnFolder,
  refusalOf,
  temporarySuffix,
} from './folder.ts';

/** What the bytes of an entry are, and the folder of its entries: a lower-case word, like `bake`. */
export type CacheKind = string;

export const CACHE_KIND = /^[a-z][a-z0-9-]{0,31}$/;

export interface Cache {
  /** The payload that was put under this kind and key (64 hex digits); null if there is none, or no sound one. */
  get(kind: CacheKind, key: string): Uint8Array | null;
  /**
   * As get; what this machine does not have is asked for elsewhere if there is a place to ask. An entry that `accepts` does
   * not take counts as none.
   */
  find(kind: CacheKind, key: string, accepts?: (payload: Uint8Array) => boolean): Promise<Uint8Array | null>;
  /** Keeps the payload if that is possible. Whoever puts two payloads under one key has a bug. */
  put(kind: CacheKind, key: string, payload: Uint8Array): void;
  /** `idle`: how long nothing was made so far, in milliseconds. A cache that waits for others counts only such time. */
  waitsWhile?(idle: () => number): void;
  /** Another machine that keeps whole files, too; absent: there is none. */
  readonly remote?: RemoteCache;
  /** What other threads of this process need to use the cache too. */
  share(): SharedCache;
  /** Removes what was not used for longest if entries were put and the cache is larger than it may be. */
  close(): Promise<void>;
}

/** A store on another machine: entries as a cache has them, and files under the SHA-256 of their bytes. */
export interface RemoteCache extends Pick<Cache, 'find'> {
  /** A file of so many bytes; null: it is not there, or is another one. */
  findFile(sha256: string, bytes: number): Promise<Uint8Array | null>;
  /** Sends the files that are not there yet, then the entry that names them. */
  putWithFiles(kind: CacheKind, key: string, payload: Uint8Array, files: readonly RemoteFile[]): void;
}

export interface RemoteFile {
  readonly sha256: string;
  readonly bytes: number;
  /** Its bytes; null: it is no longer what it was, and the entry is not sent. */
  read(): Uint8Array | null;
}

/** A cache between threads: plain data. */
export interface SharedCache extends CachePlace {
  readonly maxBytes: number;
  readonly isRefreshed: boolean;
  /** An int32: how many entries other threads have put. */
  readonly puts: SharedArrayBuffer;
}

export interface CacheOptions extends CachePlace {
  /** Bytes of all entries with their headers. */
  readonly maxBytes: number;
  /** find() finds nothing, so that everything is made and put again. */
  readonly isRefreshed?: boolean;
  /** Gets UC1105 at most once, when the folder cannot be used or written. */
  readonly diagnostics: Diagnostics;
}

/** 10 GB. */
export const DEFAULT_CACHE_BYTES = 10e9;

/** How often folders are made again that other processes remove. */
const MAX_TRIES = 5;

class FolderCache implements Cache {
  readonly #options: CacheOptions;
  /** The folder of the entries once the cache is found or made; null: not yet. */
  #content: string | null = null;
  #eviction: Eviction | null = null;
  #puts: SharedArrayBuffer | null = null;
  /** Folders inside of the cache that are no links. */
  readonly #sound = new Set<string>();
  #mayRead = true;
  #mayWrite = true;
  #wasReported = false;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  get(kind: CacheKind, key: string): Uint8Array | null {
    checkName(kind, key);
    if (!this.#mayRead) return null;
    try {
      this.#content ??= findContent(this.#options);
    } catch (error) {
      // Who may not use the folder for reading may not write there either.
      this.#mayRead = false;
      this.#mayWrite = false;
      this.#report('is not used', error);
    }
    if (this.#content === null) return null;
    const folders = [this.#content, join(this.#content, kind), join(this.#content, kind, key.slice(0, 2))];
    try {
      if (!folders.every((folder) => this.#isSound(folder))) return null;
    } catch {
      // A folder that may not be searched: a miss like any other.
      return null;
    }
    return this.#read(join(folders[2], key));
  }

  async find(
    kind: CacheKind,
    key: string,
    accepts: (payload: Uint8Array) => boolean = () => true,
  ): Promise<Uint8Array | null> {
    const found = this.#options.isRefreshed ? null : this.get(kind, key);
    return found && accepts(found) ? found : null;
  }

  #isSound(folder: string): boolean {
    if (this.#sound.has(folder)) return true;
    const isSound = isOwnFolder(folder);
    if (isSound) this.#sound.add(folder);
    return isSound;
  }

  #read(path: string): Uint8Array | null {
    let payload: Uint8Array | null;
    try {
      payload = readEntry(path);
    } catch (error) {
      refusalOf(error);
      // Missing in most cases. A link, which is not followed, or a file that may not be read stays until it is replaced.
      return null;
    }
    try {
      if (payload === null) rmSync(path, { force: true });
      else {
        const now = new Date();
        utimesSync(path, now, now);
      }
    } catch (error) {
      // The cache may be read-only, and other processes remove entries.
      refusalOf(error);
    }
    return payload;
  }

  put(kind: CacheKind, key: string, payload: Uint8Array): void {
    checkName(kind, key);
    const { maxBytes } = this.#options;
    if (!this.#mayWrite || payload.length > Math.min(maxBytes, MAX_PAYLOAD_BYTES)) return;
    try {
      this.#content ??= makeContent(this.#options);
      const bytes = this.#store(this.#content, kind, key, payload);
      this.#eviction ??= new Eviction(this.#content, maxBytes);
      this.#eviction.wrote(bytes);
    } catch (error) {
      this.#mayWrite = false;
      this.#report('cannot be written', error);
    }
  }

  /** Returns the bytes of the entry. */
  #store(content: string, kind: CacheKind, key: string, payload: Uint8Array): number {
    const folders = [content, join(content, kind), join(content, kind, key.slice(0, 2))];
    for (let tries = 1; ; tries++) {
      try {
        for (const folder of folders) {
          if (this.#sound.has(folder)) continue;
          makeOwnFolder(folder);
          this.#sound.add(folder);
        }
        return this.#write(join(folders[2], key), payload);
      } catch (error) {
        // Another process has cleared the cache since the folders were seen: they are made again.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MAX_TRIES) throw error;
        this.#sound.clear();
      }
    }
  }

  /**
   * Writes beside the entry and renames, so that nobody sees half of one. Nothing is synced: after a loss of power an entry
   * may be empty or torn, which its hash shows, and losing it costs the work of making it again, no more.
   */
  #write(path: string, payload: Uint8Array): number {
    const temporary = `${path}${temporarySuffix()}`;
    try {
      const bytes = writeEntry(temporary, payload);
      renameSync(temporary, path);
      return bytes;
    } catch (error) {
      try {
        rmSync(temporary, { force: true });
      } catch (second) {
        // The first refusal tells more.
        refusalOf(second);
      }
      // Windows replaces no file that another process has open: it is reading the same payload.
      if (process.platform === 'win32' && statSync(path, { throwIfNoEntry: false })?.isFile()) return 0;
      throw error;
    }
  }

  share(): SharedCache {
    const { folder, isDefault, maxBytes, isRefreshed = false } = this.#options;
    this.#puts ??= new SharedArrayBuffer(4);
    return { folder, isDefault, maxBytes, isRefreshed, puts: this.#puts };
  }

  async close(): Promise<void> {
    try {
      const putByOthers = this.#puts !== null && Atomics.load(new Int32Array(this.#puts), 0) > 0;
      if (putByOthers) {
        this.#content ??= findContent(this.#options);
        if (this.#content !== null) this.#eviction ??= new Eviction(this.#content, this.#options.maxBytes);
        this.#eviction?.wrote(1);
      }
      this.#eviction?.finish();
    } catch (error) {
      this.#report('cannot be measured', error);
    }
  }

  #report(what: string, error: unknown): void {
    const refusal = refusalOf(error);
    if (this.#wasReported) return;
    this.#wasReported = true;
    this.#options.diagnostics.report('UC1105', '', '', `cache ${this.#options.folder} ${what}: ${refusal}`);
  }
}

/** Kinds and keys become names of files. */
function checkName(kind: CacheKind, key: string): void {
  if (!CACHE_KIND.test(kind)) throw new Error(`"${kind}" is no kind of cache entry`);
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`"${key}" is no key of a cache entry`);
}

/**
 * The cache of another thread. Keeping it within its size is that thread's to do, and so is reporting faults of its folder,
 * which `diagnostics` gets.
 */
export function openSharedCache(
  { puts, ...options }: SharedCache,
  diagnostics = new Diagnostics(),
): Pick<Cache, 'get' | 'find' | 'put'> {
  const cache = new FolderCache({ ...options, diagnostics });
  return {
    get: (kind, key) => cache.get(kind, key),
    find: (kind, key, accepts) => cache.find(kind, key, accepts),
    put: (kind, key, payload) => {
      cache.put(kind, key, payload);
      Atomics.add(new Int32Array(puts), 0, 1);
    },
  };
}

/** Opens a cache. Nothing is looked for or made before it is first asked. */
export function openCache(options: CacheOptions): Cache {
  return new FolderCache(options);
}
