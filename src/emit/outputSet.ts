// A set of files that appears whole or not at all. Files are staged beside their place, synced, read back and checked;
// only then are they moved in, the main file (manifest or single .untold) last, and what an earlier set no longer
// lists is removed. A failure on the way puts back what was there.

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';

export interface WrittenFile {
  /** Relative to the set's base, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface OutputSetOptions {
  /** The folder that paths are relative to; made when missing. Absolute. */
  readonly base: string;
  /** The file that makes the set valid: moved in last. */
  readonly main: string;
  /**
   * Files of an earlier set, relative to the base, with the SHA-256 that it gives them (null: unknown). They are
   * replaced; one that the new set lacks is removed when its content is still what the earlier set wrote.
   */
  readonly earlier: ReadonlyMap<string, string | null>;
  /** Replace files that no earlier set lists. */
  readonly force: boolean;
}

const STAGE_MARK = '.cooking-';

/** Files that are synced at once while the cook goes on; threads of the process also compress. */
const SYNCS = 2;
/** Files that may wait for that, each an open descriptor; beyond, writing waits. Windows moves no open file. */
const MOST_UNSYNCED = process.platform === 'win32' ? 0 : 64;

/** A written file that the system may still hold in memory alone. */
interface Unsynced {
  readonly path: string;
  readonly fd: number;
  begun: boolean;
}

/** Stage folders of this process with the folders made for them, removed when it ends, whatever ends it. */
const openStages = new Map<string, readonly string[]>();
let exitHookInstalled = false;

function removeOnExit(stage: string, madeFolders: readonly string[]): void {
  openStages.set(stage, madeFolders);
  if (exitHookInstalled) return;
  exitHookInstalled = true;
  process.on('exit', () => {
    for (const [open, made] of openStages) {
      rmSync(open, { recursive: true, force: true });
      removeEmptyFolders(made);
    }
  });
}

/** Makes a folder below one that exists; another process may have made it meanwhile. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Removes folders that were made for nothing, given outermost first. */
function removeEmptyFolders(made: readonly string[]): void {
  for (const folder of [...made].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** What stands at a path, links followed; null for nothing, and for what cannot be looked at. */
function standing(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function syncFolder(path: string): void {
  // Windows cannot open folders; there the rename itself is as durable as it gets.
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The content of a regular file; null for anything else and for what cannot be read. */
function regularFile(path: string): Uint8Array | null {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

/** SHA-256 of a regular file; null for anything else and for what cannot be read. */
function hashOf(path: string): string | null {
  const bytes = regularFile(path);
  return bytes === null ? null : sha256Hex(bytes);
}

/** Turns errors of the file system into UC4000 with the path that the system refused; passes others on. */
function asWriteError(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || typeof syscall !== 'string') return error;
  return new SourceError(diagnostic('UC4000', path, '', `the system refused to write (${code} at ${syscall})`));
}

export class OutputSet {
  readonly #base: string;
  readonly #main: string;
  readonly #earlier: ReadonlyMap<string, string | null>;
  readonly #force: boolean;
  readonly #stage: string;
  readonly #files = new Map<string, WrittenFile>();
  /** Of these, the ones that stay where an earlier set put them. */
  readonly #kept = new Set<string>();
  readonly #verified = new Set<string>();
  /** In the order in which they were written. */
  readonly #unsynced = new Set<Unsynced>();
  #syncError: unknown = null;
  #whenSynced: () => void = () => {};
  /** Folders that open() made, outermost first: removed again when nothing is committed. */
  readonly #madeFolders: readonly string[];
  #open = true;

  private constructor(options: OutputSetOptions, stage: string, madeFolders: readonly string[]) {
    this.#base = options.base;
    this.#main = options.main;
    this.#earlier = options.earlier;
    this.#force = options.force;
    this.#stage = stage;
    this.#madeFolders = madeFolders;
  }

  /** Makes the stage beside the target. Throws UC4000 when the folder cannot be written. */
  static open(options: OutputSetOptions): OutputSet {
    const { base, main } = options;
    const name = main.slice(main.lastIndexOf('/') + 1);
    const prefix = `.${name}${STAGE_MARK}`;
    const made: string[] = [];
    try {
      for (let folder = base; !existsSync(folder); folder = dirname(folder)) made.unshift(folder);
      // One by one: asked to make all, Node tries for ever where the system knows no such folder, as below /proc.
      for (const folder of made) makeFolder(folder);
      // What a killed process left behind is removed here, by the next cook of the same target.
      for (const entry of readdirSync(base)) {
        if (!entry.startsWith(prefix)) continue;
        const pid = Number(entry.slice(prefix.length));
        if (Number.isInteger(pid) && (pid === process.pid || !isAlive(pid))) {
          rmSync(join(base, entry), { recursive: true, force: true });
        }
      }
      const stage = join(base, `${prefix}${process.pid}`);
      mkdirSync(join(stage, 'new'), { recursive: true });
      removeOnExit(stage, made);
      return new OutputSet(options, stage, made);
    } catch (error) {
      removeEmptyFolders(made);
      throw asWriteError(error, base);
    }
  }

  /**
   * Takes a file of an earlier set into this one, where it stands. Throws UC4003 unless it is a regular file with this
   * SHA-256.
   */
  keep(path: string, sha256: string): WrittenFile {
    if (this.#files.has(path)) throw new Error(`${path} is written and kept`);
    const bytes = this.#blockedFolder(path) ? null : regularFile(join(this.#base, path));
    if (bytes === null || sha256Hex(bytes) !== sha256) {
      const message = bytes === null ? 'the file is not there' : 'its content is not what the manifest lists';
      fail('UC4003', join(this.#base, path), '', message);
    }
    const kept = { path, bytes: bytes.length, sha256 };
    this.#files.set(path, kept);
    this.#kept.add(path);
    return kept;
  }

  /** Files written and kept so far, in order. */
  get files(): readonly WrittenFile[] {
    return [...this.#files.values()];
  }

  /** Those that were written. */
  get written(): readonly WrittenFile[] {
    return this.files.filter(({ path }) => !this.#kept.has(path));
  }

  /**
   * Stages one file; it is synced by the time that the set is moved in. Paths are relative to the base, with `/`, each
   * once.
   */
  write(path: string, bytes: Uint8Array): WrittenFile {
    if (this.#files.has(path)) throw new Error(`${path} is written twice`);
    const place = join(this.#stage, 'new', path);
    try {
      mkdirSync(dirname(place), { recursive: true });
      const fd = openSync(place, 'wx');
      let isLater = false;
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
        isLater = this.#unsynced.size < MOST_UNSYNCED;
        if (!isLater) fsyncSync(fd);
      } finally {
        if (!isLater) closeSync(fd);
      }
      if (isLater) this.#unsynced.add({ path, fd, begun: false });
      this.#beginSyncs();
    } catch (error) {
      throw asWriteError(error, join(this.#base, path));
    }
    const written = { path, bytes: bytes.length, sha256: sha256Hex(bytes) };
    this.#files.set(path, written);
    return written;
  }

  #beginSyncs(): void {
    let running = 0;
    for (const entry of this.#unsynced) {
      if (!entry.begun && running < SYNCS) {
        entry.begun = true;
        fsync(entry.fd, (error) => this.#endSync(entry, error));
      }
      if (entry.begun) running++;
    }
  }

  #endSync(entry: Unsynced, error: Error | null): void {
    this.#unsynced.delete(entry);
    let fault: unknown = error;
    try {
      closeSync(entry.fd);
    } catch (refused) {
      fault ??= refused;
    }
    // The system tells of it once: nobody who syncs again would hear.
    if (fault) this.#syncError ??= asWriteError(fault, join(this.#base, entry.path));
    this.#beginSyncs();
    if (this.#unsynced.size === 0) this.#whenSynced();
  }

  /** Waits for what is being synced, so that no failure of it comes too late. Throws UC4000. */
  async synced(): Promise<void> {
    if (this.#unsynced.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenSynced = resolve;
      });
    }
    if (this.#syncError !== null) throw this.#syncError;
  }

  /** Syncs what has not been, here and now. */
  #syncRest(): void {
    for (const entry of [...this.#unsynced]) {
      const { path, fd, begun } = entry;
      this.#unsynced.delete(entry);
      try {
        fsyncSync(fd);
      } catch (error) {
        throw asWriteError(error, join(this.#base, path));
      } finally {
        // One that is being synced is closed when that ends.
        if (!begun) closeSync(fd);
      }
    }
    if (this.#syncError !== null) throw this.#syncError;
  }

  /** A staged or kept file as it stands on the disk. */
  readBack(path: string): Uint8Array {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#kept.has(path) ? join(this.#base, path) : join(this.#stage, 'new', path));
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
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Where a file of the set will stand. */
  placeOf(path: string): string {
    return join(this.#base, path);
  }

  /**
   * Reads a file back, compares its hash, and gives its bytes to `check`; once a file. Throws UC4002 for one that is not
   * what was written, or whatever errors `check` returns.
   */
  async verify(path: string, check: (bytes: Uint8Array) => Promise<readonly Diagnostic[]>): Promise<void> {
    const file = this.#files.get(path);
    if (!file) throw new Error(`${path} is not in the set`);
    if (this.#verified.has(path)) return;
    this.#verified.add(path);
    const stored = this.readBack(path);
    if (stored.length !== file.bytes || sha256Hex(stored) !== file.sha256) {
      fail('UC4002', join(this.#base, path), '', 'read back, the file differs from what was written');
    }
    const errors = (await check(stored)).filter((d) => d.severity === 'error');
    if (errors.length > 0) throw new SourceError(errors);
  }

  /**
   * Moves the set in. Synchronous, so that no signal handler runs halfway. Throws UC4001 (nothing changed) when a file
   * is in the way that no earlier set lists, UC4000 (what was there put back) when the system refuses.
   */
  commit(): void {
    const paths = [...this.#files.keys()].filter((path) => path !== this.#main && !this.#kept.has(path));
    if (!this.#files.has(this.#main)) throw new Error('the main file was not written');
    paths.push(this.#main);
    this.#refuseForeign(paths);
    this.#syncRest();

    const old = join(this.#stage, 'old');
    const undo: (() => void)[] = [];
    const move = (from: string, to: string) => {
      mkdirSync(dirname(to), { recursive: true });
      renameSync(from, to);
      undo.push(() => renameSync(to, from));
    };
    const folders = new Set<string>();
    try {
      // The main file goes first and comes last: at no moment does it list files of another set.
      const outgoing = [this.#main, ...this.#stale(), ...paths.slice(0, -1)];
      for (const path of outgoing) {
        const place = join(this.#base, path);
        if (!exists(place)) continue;
        move(place, join(old, path));
        folders.add(dirname(place));
      }
      for (const path of paths) {
        const place = join(this.#base, path);
        move(join(this.#stage, 'new', path), place);
        folders.add(dirname(place));
      }
      for (const folder of folders) if (existsSync(folder)) syncFolder(folder);
    } catch (error) {
      for (const back of undo.reverse()) back();
      throw asWriteError(error, this.#base);
    }
    this.#removeEmpty(folders);
    this.#close();
  }

  /** Drops the stage; nothing of the target has changed. Harmless after commit. */
  discard(): void {
    if (!this.#open) return;
    this.#close();
    removeEmptyFolders(this.#madeFolders);
  }

  #close(): void {
    this.#open = false;
    for (const { fd, begun } of this.#unsynced) if (!begun) closeSync(fd);
    this.#unsynced.clear();
    rmSync(this.#stage, { recursive: true, force: true });
    openStages.delete(this.#stage);
  }

  /** Files of the earlier set that the new one lacks and nobody has changed. */
  #stale(): string[] {
    const stale: string[] = [];
    for (const [path, sha256] of this.#earlier) {
      if (this.#files.has(path) || sha256 === null || this.#blockedFolder(path)) continue;
      if (hashOf(join(this.#base, path)) === sha256) stale.push(path);
    }
    return stale;
  }

  /** The first folder on the way to a path that is a link or no folder at all: nothing is written through it. */
  #blockedFolder(path: string): string | null {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = join(this.#base, path.slice(0, at));
      if (exists(folder) && !lstatSync(folder).isDirectory()) return folder;
    }
    return null;
  }

  #refuseForeign(paths: readonly string[]): void {
    const found = new Map<string, string>();
    for (const path of paths) {
      const blocked = this.#blockedFolder(path);
      if (blocked) {
        found.set(blocked, 'a file or a symbolic link stands where a folder is needed');
        continue;
      }
      const place = join(this.#base, path);
      if (!exists(place)) continue;
      const stat = standing(place);
      if (lstatSync(place).isDirectory()) found.set(place, 'a folder is in the way');
      else if (stat && !stat.isFile()) found.set(place, 'a folder, a pipe or a device is in the way');
      else if (!this.#force && !this.#earlier.has(path) && hashOf(place) !== this.#files.get(path)?.sha256) {
        found.set(place, 'the file exists, and no earlier cook lists it');
      }
    }
    if (found.size === 0) return;
    throw new SourceError([...found].map(([place, message]) => diagnostic('UC4001', place, '', message)));
  }

  /** Removes folders that the exchange left empty, below the base only. */
  #removeEmpty(folders: ReadonlySet<string>): void {
    for (const folder of folders) {
      try {
        for (
          let f = folder;
          f.length > this.#base.length && existsSync(f) && readdirSync(f).length === 0;
          f = dirname(f)
        ) {
          rmdirSync(f);
        }
      } catch {
        // The set is in place; an empty folder that the system holds on to does no harm.
      }
    }
  }
}
