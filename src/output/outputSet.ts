// A set of files that appears completely or not at all. Files are written to a staging folder beside the set, synced,
// read back and checked. Then they are moved in so that the folder holds a complete set at every instant
// (commitJournal.ts). One cook at a time holds the lock of the set (setLock.ts).

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../bytes/sha256.ts';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import {
  blockedFolder,
  type CommitSteps,
  commitFiles,
  type FileContent,
  finishCommit,
  hashOf,
  isHalfCommitted,
  isInnerPath,
  NEW_FILES,
  regularFile,
  removeStaging,
  undoCommit,
} from './commitJournal.ts';
import { FoldersBelow, makeFolder, makeFolders } from './folders.ts';
import { StagedBytes } from './heldFiles.ts';
import { noteClosed, noteOpen } from './openSets.ts';
import { lockSet, type SetLock } from './setLock.ts';
import { withSetMutex } from './setMutex.ts';
import { recoverAll, STAGING_MARK } from './stagings.ts';
import { FileSyncs, type FolderSyncs, syncFolder, syncMany } from './syncs.ts';
import { enterWorkFolder, leaveWorkFolder, workFolderOf } from './workFolder.ts';

export interface WrittenFile {
  /** Relative to the set's base, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface OutputSetOptions {
  /** The folder that paths are relative to; made when missing. Absolute. */
  readonly base: string;
  /** The file that makes the set valid, in the base itself: its rename replaces the old set by the new one. */
  readonly main: string;
  /**
   * Gives the files of an earlier set, relative to the base, with the SHA-256 that it states (null: unknown). They are
   * replaced; one that the new set lacks is removed when its content is still what the earlier set wrote. Asked once the
   * set is locked and a commit that was killed is finished or undone.
   */
  readonly earlier: () => ReadonlyMap<string, string | null>;
  /** Replace files that no earlier set lists. */
  readonly force: boolean;
  /** Other sets in the base may use the same files: an undone commit leaves the files that it moved in. */
  readonly sharesFiles?: boolean;
  /** The set has so many files that they are synced together before they are moved in, not each for itself. */
  readonly isLarge?: boolean;
  /** Told how many bytes the set will have before another file of it is written; may throw. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Milliseconds to wait for another process that holds the set; 0 by default. */
  readonly wait?: number;
  /** Called when all is moved in and no other cook can have changed it yet: the set is still locked. */
  readonly onMoved?: () => void;
}

/** The status of a path, links followed; null if there is no file or it cannot be read. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

const contentOf = ({ path, sha256 }: WrittenFile): FileContent => ({ path, sha256 });

/** The file that stands where a path needs a folder; null: there is none. */
function fileInTheWay(path: string): string | null {
  for (let at = path; ; at = dirname(at)) {
    const stat = statOf(at);
    if (stat !== null) return stat.isDirectory() ? null : at;
    if (dirname(at) === at) return null;
  }
}

/** What helps against a refusal of the system; undefined: nothing in particular. */
function writeRemedy(code: string, path: string): string | undefined {
  if (code === 'ENAMETOOLONG') return 'give --out a shorter name, or the source one';
  if (code !== 'ENOTDIR' && code !== 'EEXIST') return undefined;
  const file = fileInTheWay(path);
  return file === null ? undefined : `${basename(file)} is a file: give the output a folder, or move the file away`;
}

/** Turns errors of the file system into UC4000 with the path that the system refused; passes others on. */
export function asWriteError(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || typeof syscall !== 'string') return error;
  const remedy = writeRemedy(code, path);
  return new SourceError(diagnostic('UC4000', path, '', `the system refused to write (${code} at ${syscall})`, remedy));
}

function throwErrors(found: readonly Diagnostic[]): void {
  const errors = found.filter((d) => d.severity === 'error');
  if (errors.length > 0) throw new SourceError(errors);
}

/** The content of a file, in `room`; null unless it has `size` bytes. */
function readFileInto(path: string, room: Uint8Array, size: number): Uint8Array | null {
  const fd = openSync(path, 'r');
  try {
    if (fstatSync(fd).size !== size) return null;
    let at = 0;
    while (at < size) {
      const read = readSync(fd, room, at, size - at, at);
      if (read === 0) return null;
      at += read;
    }
    return room.subarray(0, size);
  } finally {
    closeSync(fd);
  }
}

/** What a commit has moved in. */
interface Moved {
  readonly steps: CommitSteps;
  /** The folders whose sync makes it durable. */
  readonly unsynced: readonly string[];
}

/** Syncs what a commit has moved; false where the system refuses. */
function isSynced({ unsynced }: Moved): boolean {
  try {
    unsynced.forEach(syncFolder);
    return true;
  } catch {
    return false;
  }
}

/** Locks the set and makes its staging folder. The work folder is there, or is made before the next try. */
function lockAndStage({ base, main, wait = 0 }: OutputSetOptions, staging: string): SetLock {
  const lock = lockSet(join(base, main), wait);
  try {
    makeFolder(staging);
    makeFolder(join(staging, NEW_FILES));
    return lock;
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
    throw error;
  }
}

export class OutputSet {
  readonly #base: string;
  readonly #main: string;
  readonly #earlier: ReadonlyMap<string, string | null>;
  readonly #force: boolean;
  readonly #sharesFiles: boolean;
  readonly #isLarge: boolean;
  readonly #onBytes: (bytes: number) => void;
  readonly #onMoved: () => void;
  #bytes = 0;
  readonly #lock: SetLock;
  readonly #staging: string;
  readonly #files = new Map<string, WrittenFile>();
  /** Paths of `files` that stay where an earlier set put them. */
  readonly #kept = new Set<string>();
  /** Paths of `files` that the main file does not list. */
  readonly #beside = new Set<string>();
  readonly #verified = new Set<string>();
  /** Where verifyLarge reads files. */
  #room = new Uint8Array(0);
  readonly #syncs = new FileSyncs();
  /** Bytes that wait for their paths. */
  readonly held: StagedBytes;
  /** Folders of the staging folder that are there. */
  readonly #madeFolders = new Set<string>();
  /** What the commit has done whose last sync is waited for. */
  #moved: Moved | null = null;
  #open = true;

  /** To be called when the set is locked and its staging folder exists. */
  private constructor(
    {
      base,
      main,
      earlier,
      force,
      sharesFiles = false,
      isLarge = false,
      onBytes = () => {},
      onMoved = () => {},
    }: OutputSetOptions,
    lock: SetLock,
    staging: string,
  ) {
    this.#base = base;
    this.#main = main;
    this.#force = force;
    this.#sharesFiles = sharesFiles;
    this.#isLarge = isLarge;
    this.#onBytes = onBytes;
    this.#onMoved = onMoved;
    this.#lock = lock;
    this.#staging = staging;
    this.#madeFolders.add(join(staging, NEW_FILES));
    this.held = new StagedBytes(staging, (error) => asWriteError(error, base));
    noteOpen(this);
    try {
      // We hold the lock: the cooks that left these folders have ended.
      recoverAll(base, main, staging);
      this.#earlier = earlier();
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /**
   * Locks the set, finishes or undoes what a killed cook has begun to move, and makes a staging folder beside it. Throws UC4004
   * when another cook holds the set, UC4000 when the folder cannot be written.
   */
  static open(options: OutputSetOptions): OutputSet {
    const { base, main } = options;
    const staging = join(workFolderOf(base), `${main}${STAGING_MARK}${randomBytes(8).toString('hex')}`);
    try {
      return withSetMutex(() => {
        const lock = enterWorkFolder(base, () => lockAndStage(options, staging));
        return new OutputSet(options, lock, staging);
      });
    } catch (error) {
      throw asWriteError(error, base);
    }
  }

  /**
   * Takes a file of an earlier set into this one, without moving it. Throws UC4003 unless it is a regular file with this
   * SHA-256.
   */
  keep(path: string, sha256: string): WrittenFile {
    if (this.#files.has(path)) throw new Error(`${path} is written and kept`);
    const bytes = blockedFolder(this.#base, path) ? null : regularFile(join(this.#base, path));
    if (bytes === null || sha256Hex(bytes) !== sha256) {
      const message = bytes === null ? 'the file is not there' : 'its content is not what the manifest lists';
      fail('UC4003', join(this.#base, path), '', message);
    }
    const kept = { path, bytes: bytes.length, sha256 };
    this.#files.set(path, kept);
    this.#kept.add(path);
    return kept;
  }

  /** What an earlier set states for a path: its SHA-256, null when it states none, undefined when it has no such file. */
  get earlier(): ReadonlyMap<string, string | null> {
    return this.#earlier;
  }

  /** Files written and kept so far, in order. */
  get files(): readonly WrittenFile[] {
    return [...this.#files.values()];
  }

  /** Files that the main file lists, written or kept. */
  get listed(): readonly WrittenFile[] {
    return this.files.filter(({ path }) => path !== this.#main && !this.#beside.has(path));
  }

  /** Files that were written, not kept. */
  get written(): readonly WrittenFile[] {
    return this.files.filter(({ path }) => !this.#kept.has(path));
  }

  /**
   * Stages one file; it is synced by the time that the set is moved in. Paths are relative to the base, with `/`, each
   * once. `sha256`: of the bytes, where it is known already. `mode`: the permissions; absent: the usual ones.
   */
  write(path: string, bytes: Uint8Array, sha256 = sha256Hex(bytes), mode?: number): WrittenFile {
    return withSetMutex(() => this.#write(path, bytes, sha256, mode));
  }

  #write(path: string, bytes: Uint8Array, sha256: string, mode: number | undefined): WrittenFile {
    if (this.#files.has(path)) throw new Error(`${path} is written twice`);
    return this.#stage({ path, bytes: bytes.length, sha256 }, (target) => {
      const fd = openSync(target, 'wx');
      let isWhole = false;
      try {
        if (mode !== undefined) fchmodSync(fd, mode);
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
        isWhole = !this.#isLarge && !this.#beside.has(path);
      } finally {
        if (!isWhole) closeSync(fd);
      }
      return isWhole ? fd : null;
    });
  }

  /**
   * As write, by threads of the system: the file is synced, read back and compared when the promise is fulfilled. For many
   * files at once. The set must not be closed before all promises are settled.
   */
  async writeAside(path: string, bytes: Uint8Array, sha256: string): Promise<void> {
    if (this.#files.has(path)) throw new Error(`${path} is written twice`);
    withSetMutex(() => this.#stage({ path, bytes: bytes.length, sha256 }, () => null));
    const target = join(this.#staging, NEW_FILES, path);
    let stored: Uint8Array;
    try {
      const file = await open(target, 'wx+');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      stored = await readFile(target);
    } catch (error) {
      throw asWriteError(error, join(this.#base, path));
    }
    this.#refuseOther(path, Buffer.compare(stored, bytes) === 0);
    this.#verified.add(path);
  }

  /** Takes a staged file back: the set is moved in without it. */
  drop(path: string): void {
    withSetMutex(() => {
      const { bytes } = this.#file(path);
      this.#files.delete(path);
      this.#verified.delete(path);
      this.#bytes -= bytes;
      const place = join(this.#base, path);
      try {
        rmSync(join(this.#staging, NEW_FILES, path));
      } catch (error) {
        throw asWriteError(error, place);
      }
    });
  }

  /** Stages a file whose bytes `held` has, and only those that it has in a file. */
  writeHeld(path: string, sha256: string): WrittenFile {
    return withSetMutex(() => {
      if (this.#files.has(path)) throw new Error(`${path} is written twice`);
      const bytes = this.held.sizeOf(sha256);
      return this.#stage({ path, bytes, sha256 }, (target) => {
        this.held.moveTo(sha256, target);
        return openSync(target, 'r+');
      });
    });
  }

  /** `make`: makes the file and returns it open if it is to be synced. */
  #stage(written: WrittenFile, make: (target: string) => number | null): WrittenFile {
    const { path } = written;
    if (!isInnerPath(path)) throw new Error(`a set has no place for ${JSON.stringify(path)}`);
    this.#bytes += written.bytes;
    this.#onBytes(this.#bytes);
    const target = join(this.#staging, NEW_FILES, path);
    const asError = (error: unknown) => asWriteError(error, join(this.#base, path));
    try {
      this.#makeFolders(dirname(target));
      const fd = make(target);
      if (fd !== null) this.#syncs.add(fd, asError);
    } catch (error) {
      throw asError(error);
    }
    this.#files.set(path, written);
    return written;
  }

  #makeFolders(folder: string): void {
    if (this.#madeFolders.has(folder)) return;
    makeFolders(this.#staging, folder);
    this.#madeFolders.add(folder);
  }

  /**
   * Stages a file for people, which the main file does not list: its content is not synced, for nothing reads it.
   */
  writeBeside(path: string, bytes: Uint8Array): WrittenFile {
    this.#beside.add(path);
    return this.write(path, bytes);
  }

  /** Waits until all files are synced, so that a failure is known before the set is moved in. Throws UC4000. */
  synced(): Promise<void> {
    return this.#syncs.synced();
  }

  /** The content of a staged or kept file, read back from the disk. */
  readBack(path: string): Uint8Array {
    return this.#readBack(path, (from) => {
      const bytes = readFileSync(from);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    });
  }

  #readBack<T>(path: string, read: (from: string) => T): T {
    try {
      return read(this.#kept.has(path) ? join(this.#base, path) : join(this.#staging, NEW_FILES, path));
    } catch (error) {
      throw new SourceError(
        diagnostic(
          'UC4002',
          join(this.#base, path),
          '',
          `it cannot be read back (${(error as NodeJS.ErrnoException).code})`,
        ),
      );
    }
  }

  /** Of a file of the set. */
  sha256Of(path: string): string {
    return this.#file(path).sha256;
  }

  #file(path: string): WrittenFile {
    const file = this.#files.get(path);
    if (!file) throw new Error(`${path} is not in the set`);
    return file;
  }

  /** Where a file that was written lies until the set is moved in. */
  stagedPath(path: string): string {
    return join(this.#staging, NEW_FILES, path);
  }

  /** The final path of a file of the set. */
  pathOf(path: string): string {
    return join(this.#base, path);
  }

  /**
   * Reads a file back, compares it with `written` or, without that, by its hash, and gives its bytes to `check`; later calls
   * for the same file do nothing. Throws UC4002 for a file that is not what was written, or the errors that `check` returns.
   */
  async verify(
    path: string,
    check: (bytes: Uint8Array) => Promise<readonly Diagnostic[]>,
    written: Uint8Array | null = null,
  ): Promise<void> {
    if (!this.#beginVerify(path)) return;
    const stored = this.readBack(path);
    if (written) this.#refuseOther(path, Buffer.compare(stored, written) === 0);
    else this.#refuseOther(path, this.#isStored(path, stored));
    throwErrors(await check(stored));
  }

  /**
   * As verify, for one large file after the other: all of them are read into the same memory, so `check` must not keep the
   * bytes that it gets.
   */
  verifyLarge(path: string, check: (bytes: Uint8Array) => readonly Diagnostic[] = () => []): void {
    if (!this.#beginVerify(path)) return;
    const { bytes: size } = this.#file(path);
    if (this.#room.length < size) this.#room = new Uint8Array(Math.max(size, this.#room.length * 2));
    const stored = this.#readBack(path, (from) => readFileInto(from, this.#room, size));
    this.#refuseOther(path, stored !== null && this.#isStored(path, stored));
    throwErrors(check(stored as Uint8Array));
  }

  /** False: the file is verified already. */
  #beginVerify(path: string): boolean {
    this.#file(path);
    if (this.#verified.has(path)) return false;
    this.#verified.add(path);
    return true;
  }

  #isStored(path: string, stored: Uint8Array): boolean {
    const { bytes, sha256 } = this.#file(path);
    return stored.length === bytes && sha256Hex(stored) === sha256;
  }

  #refuseOther(path: string, isSame: boolean): void {
    if (!isSame) fail('UC4002', join(this.#base, path), '', 'read back, the file differs from what was written');
  }

  /**
   * Moves the set in. Synchronous, so that no signal handler runs halfway. Throws, with the old files in their places, UC4001
   * when a file is in the way that no earlier set lists, UC4005 when another cook has taken the set over, UC4000 when the
   * system refuses. Returns warnings UC4006.
   */
  commit(): readonly Diagnostic[] {
    return withSetMutex(() => {
      const moved = this.#moveIn();
      try {
        moved.unsynced.forEach(syncFolder);
      } catch (error) {
        undoCommit(this.#base, this.#staging, moved.steps);
        throw asWriteError(error, this.#base);
      }
      return this.#finish(moved);
    });
  }

  /**
   * As commit, but waits for the last sync, which it shares with other sets of the folder. All is moved in before it
   * returns its promise. What commit throws before that is thrown at once, not by the promise: the caller must know whether
   * the set is in its place.
   */
  commitTogether(folders: FolderSyncs): Promise<readonly Diagnostic[]> {
    const moved = withSetMutex(() => this.#moveIn());
    this.#moved = moved;
    return this.#synced(moved, folders);
  }

  async #synced(moved: Moved, folders: FolderSyncs): Promise<readonly Diagnostic[]> {
    try {
      await Promise.all(moved.unsynced.map((folder) => folders.sync(folder)));
    } catch (error) {
      if (this.#open) {
        // The system reports a failed sync once: discard() must not believe a second one.
        this.#moved = null;
        withSetMutex(() => undoCommit(this.#base, this.#staging, moved.steps));
      }
      throw asWriteError(error, this.#base);
    }
    // discard() was called meanwhile and has finished the set.
    if (!this.#open) return [];
    return withSetMutex(() => this.#finish(moved));
  }

  #moveIn(): Moved {
    const main = this.#files.get(this.#main);
    if (!main) throw new Error('the main file was not written');
    const written = this.written.filter(({ path }) => path !== this.#main);
    this.#refuseForeign([...written.map(({ path }) => path), this.#main]);
    this.#syncs.rest();
    if (this.#isLarge) this.#syncTogether([...written, main]);
    if (!this.#lock.isHeld()) {
      fail('UC4005', join(this.#base, this.#main), '', 'its lock is no longer that of this cook');
    }

    const folders = new FoldersBelow(this.#base);
    const moved = [main, ...written].map((file) => ({ ...file, isThere: folders.has(file.path) }));
    // Another cook of a folder may use a file that was moved in, but no cook of another set this main file.
    const isOwn = ({ path }: WrittenFile) => path === this.#main || !this.#sharesFiles;
    const steps: CommitSteps = {
      // A file of the earlier set with the same hash is equal, or damaged. It need not be kept.
      replaced: moved
        .filter((file) => file.isThere && this.#earlier.get(file.path) !== file.sha256)
        .map(({ path }) => path),
      added: written.map(contentOf),
      fresh: moved.filter((file) => !file.isThere && isOwn(file)).map(({ path }) => path),
      main: contentOf(main),
      stale: this.#stale(),
    };
    try {
      return { steps, unsynced: commitFiles(this.#base, this.#staging, steps, this.#earlier.size === 0) };
    } catch (error) {
      throw asWriteError(error, this.#base);
    }
  }

  #syncTogether(files: readonly WrittenFile[]): void {
    const folder = join(this.#staging, NEW_FILES);
    try {
      const paths = files.map(({ path }) => join(folder, path));
      syncMany(folder, paths);
    } catch (error) {
      throw asWriteError(error, this.#base);
    }
  }

  /** Ends a commit that is synced. */
  #finish({ steps }: Moved): readonly Diagnostic[] {
    return this.#close(finishCommit(this.#base, steps));
  }

  /**
   * Removes the staging folder; the target folder has not changed. Where commitTogether has moved the set in, that is
   * finished instead. No effect after commit. Never throws: a later cook removes what is left.
   */
  discard(): void {
    if (!this.#open) return;
    withSetMutex(() => {
      if (this.#moved && isSynced(this.#moved)) return this.#finish(this.#moved);
      if (this.#moved) undoCommit(this.#base, this.#staging, this.#moved.steps);
      return this.#close([], true);
    });
  }

  #close(leftOver: readonly string[], isFailed = false): readonly Diagnostic[] {
    this.#open = false;
    noteClosed(this);
    this.#syncs.drop();
    const warnings = leftOver.map((path) =>
      diagnostic('UC4006', join(this.#base, path), '', 'the file of the earlier set is still there'),
    );
    try {
      // The journal of an unfinished commit stays for the next cook.
      const isOpenEnded = isFailed ? isHalfCommitted(this.#staging) : leftOver.length > 0;
      if (!isOpenEnded) removeStaging(this.#staging);
    } catch (error) {
      const refused = `the system refused to remove it (${(error as NodeJS.ErrnoException).code})`;
      warnings.push(diagnostic('UC4006', this.#staging, '', refused));
    }
    if (!isFailed) this.#onMoved();
    try {
      this.#lock.release();
    } catch {
      // The next cook finds that this process is gone or its heartbeat has stopped.
    }
    leaveWorkFolder(this.#base);
    return warnings;
  }

  /** Files of the earlier set that the new one lacks and that have not been changed. */
  #stale(): FileContent[] {
    const stale: FileContent[] = [];
    for (const [path, sha256] of this.#earlier) {
      if (this.#files.has(path) || sha256 === null || blockedFolder(this.#base, path)) continue;
      if (hashOf(join(this.#base, path)) === sha256) stale.push({ path, sha256 });
    }
    return stale;
  }

  #refuseForeign(paths: readonly string[]): void {
    const found = new Map<string, string>();
    const immovable = new Set<string>();
    const folders = new FoldersBelow(this.#base);
    for (const path of paths) {
      const blocked = folders.blocked(path);
      if (blocked) {
        found.set(blocked, 'a file or a symbolic link stands where a folder is needed');
        immovable.add(blocked);
        continue;
      }
      if (!folders.has(path)) continue;
      const place = join(this.#base, path);
      const stat = statOf(place);
      if (lstatSync(place).isDirectory() || (stat && !stat.isFile())) {
        found.set(place, lstatSync(place).isDirectory() ? 'a folder is in the way' : 'it is no regular file');
        immovable.add(place);
      } else if (!this.#force && !this.#earlier.has(path) && hashOf(place) !== this.#files.get(path)?.sha256) {
        found.set(place, 'the file exists, and no earlier cook lists it');
      }
    }
    if (found.size === 0) return;
    const remedy = (place: string) => (immovable.has(place) ? 'move it aside, or choose another --out' : undefined);
    throw new SourceError(
      [...found].map(([place, message]) => diagnostic('UC4001', place, '', message, remedy(place))),
    );
  }
}
