// Whole sets that other machines have cooked. The entry of a set says what its cook read, what it wrote and how it ended, with
// paths relative to the working folder; the files lie beside it under their hashes. Where a cook would read the same here, its
// files are taken as they are, and the source need not even be opened.

import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { CODE_DIGEST } from '../../bytes/codeDigest.ts';
import { packedDigest } from '../../bytes/pack.ts';
import { sha256Hex } from '../../bytes/sha256.ts';
import { payloadFolder } from '../../config/targets.ts';
import type { CookTarget } from '../../config/types.ts';
import { DEFAULT_LIMITS, type LimitName, type LimitUse } from '../../diagnostics/limits.ts';
import { planMapPath } from '../../formats/manifest/write.ts';
import { isPathOfModel, isPathOfSet } from '../../formats/urho3d/target/names.ts';
import { fileSha256, fileStamp, isSameStamp } from '../../importers/fileStamp.ts';
import { type FileTrace, isNothing, realPathOf, type TracedFile } from '../../importers/fileTrace.ts';
import type { RemoteCache, RemoteFile } from '../../output/cache/cache.ts';
import { isInnerPath } from '../../output/commitJournal.ts';
import type { OutputSet, WrittenFile } from '../../output/outputSet.ts';
import { partsOf, pathIn } from '../openSource.ts';
import { setFiles } from '../outputs/setFiles.ts';
import { isClipPath, modelName, ownerOf } from '../outputs/singleFile/clipNames.ts';
import type { CookJob, CookOutcome } from '../types.ts';
import type { UnitNote } from '../units/unitStore.ts';
import { settingsOf } from './cookRecord.ts';
import { isWholeSet, type WholeSet } from './recordShape.ts';

const SET = 'set';

/** A set that another machine has cooked, as a cook of this one would have ended. Its files wait to be fetched. */
export interface FoundSet {
  readonly trace: FileTrace;
  readonly used: LimitUse;
  readonly units: readonly UnitNote[];
  readonly outputs: readonly WrittenFile[];
  readonly outcome: Pick<CookOutcome, 'totals' | 'diagnostics' | 'filesRead'>;
}

/** What a cook that is to be kept noted besides its outcome. */
export interface SetNotes {
  readonly trace: FileTrace | null;
  readonly units: readonly UnitNote[];
  readonly used: LimitUse;
}

/** Begins a path that was absolute, and is now relative to the working folder, with `/`. */
const ABSOLUTE = '//';

/** Parts of sets, and outputs that share their textures with others, are not kept as a whole. */
function isKept({ target, content }: CookJob): boolean {
  const isPart = target.kind === 'folder' && target.shard !== undefined;
  return content == null && !isPart && target.shared === undefined;
}

/** Whether the files of a set lie where a cook of the job writes, each once, and the main file is among them. */
function areOutputsOf({ target, settings }: CookJob, outputs: readonly Pick<WrittenFile, 'path'>[]): boolean {
  const { main } = setFiles(target);
  const isInPlace = (path: string): boolean => {
    if (settings.format === 'urho3d') {
      return target.kind === 'folder' ? isPathOfSet(path, target.sceneName) : isPathOfModel(path, modelName(main));
    }
    if (target.kind === 'folder') return path.startsWith(payloadFolder(target));
    return path.startsWith('Textures/') || isClipPath(path);
  };
  const paths = new Set(outputs.map(({ path }) => path));
  const isOwn = (path: string) => path === main || isBeside(path, target) || isInPlace(path);
  return (
    paths.has(main) && paths.size === outputs.length && [...paths].every((path) => isInnerPath(path) && isOwn(path))
  );
}

/** Whether clips of another model lie where those of the set go: a cook of this machine would give its own other names. */
function meetsOthersClips({ target }: CookJob, { outputs }: WholeSet): boolean {
  const { base, main } = setFiles(target);
  return outputs.some(({ path }) => isClipPath(path) && ownerOf(base, path, modelName(main)) === 'other');
}

/** Whether the main file does not list it. */
const isBeside = (path: string, target: CookTarget): boolean =>
  target.kind === 'folder' && path === planMapPath(target.sceneName);

export class WholeSets {
  readonly #remote: RemoteCache;
  /** The working folder: paths in entries are relative to it. */
  readonly #cwd: string;

  constructor(remote: RemoteCache, cwd: string) {
    this.#remote = remote;
    this.#cwd = cwd;
  }

  /** The set of a job, if a cook on this machine would read the same; null: it has to be cooked. */
  async find(job: CookJob): Promise<FoundSet | null> {
    if (!isKept(job)) return null;
    const sources = new Map<string, TracedFile>();
    for (const { source } of partsOf(job)) {
      const file = traced(pathIn(job, source));
      if (file === null) return null;
      sources.set(file.path, file);
    }
    const key = this.#keyOf(job, [...sources.values()]);
    let set: WholeSet | null = null;
    await this.#remote.find(SET, key, (entry) => {
      set = setOf(entry, job);
      return set !== null;
    });
    return set && !meetsOthersClips(job, set) ? this.#asHere(job, set, sources) : null;
  }

  /** The set with the paths of this machine; null: something that its cook read or looked for is different here. */
  #asHere(job: CookJob, set: WholeSet, sources: ReadonlyMap<string, TracedFile>): FoundSet | null {
    const limits = job.limits ?? DEFAULT_LIMITS;
    if ((Object.keys(limits) as LimitName[]).some((name) => !(set.used[name] <= limits[name]))) return null;
    const here = (path: string) => this.#here(path);
    const missing = set.missing.map(here);
    const noFile = set.noFile.map(here);
    const seen = set.seen.map(({ path, real }) => ({ path: here(path), real: here(real) }));
    if (!missing.every(isNothing) || noFile.some((path) => fileStamp(path) !== null)) return null;
    if (seen.some(({ path, real }) => realPathOf(path) !== real)) return null;
    const read: TracedFile[] = [];
    for (const { path, bytes, sha256 } of set.inputs) {
      const known = sources.get(here(path));
      const file = known ?? (fileStamp(here(path))?.size === bytes ? traced(here(path)) : null);
      if (file?.sha256 !== sha256) return null;
      read.push(file);
    }
    const { totals, diagnostics, filesRead } = set.outcome;
    return {
      trace: { read, seen, missing, noFile, lookups: null },
      used: set.used,
      units: set.units,
      outputs: set.outputs,
      outcome: {
        totals,
        diagnostics: diagnostics.map((item) => ({ ...item, file: here(item.file) })),
        filesRead: filesRead.map(here),
      },
    };
  }

  /** Keeps a complete cook for other machines, unless it could not mean the same there. */
  put(job: CookJob, { outputs, totals, diagnostics, filesRead }: CookOutcome, notes: SetNotes): void {
    const { trace, units, used } = notes;
    if (trace === null || !isKept(job)) return;
    const read = new Map(trace.read.map((file) => [file.path, file]));
    const sources = partsOf(job).map(({ source }) => read.get(pathIn(job, source)));
    const there = (path: string) => this.#there(path);
    const { base } = setFiles(job.target);
    const set: WholeSet = {
      used,
      units,
      inputs: trace.read.map(({ path, stamp, sha256 }) => ({ path: there(path), bytes: stamp.size, sha256 })),
      seen: trace.seen.map(({ path, real }) => ({ path: there(path), real: there(real) })),
      missing: trace.missing.map(there),
      noFile: trace.noFile.map(there),
      outputs: outputs.map(({ path, ...rest }) => ({ path: slashed(relative(base, path)), ...rest })),
      outcome: {
        totals,
        diagnostics: diagnostics.map((item) => ({ ...item, file: there(item.file) })),
        filesRead: filesRead.map(there),
      },
    };
    if (sources.some((file) => file === undefined) || this.#isOfHere(set, [base, ...read.keys()])) return;
    // Elsewhere the names of its clips may be free. A set that find would refuse is of use to nobody.
    if (diagnostics.some(({ code }) => code === 'UC2075') || !areOutputsOf(job, set.outputs)) return;
    const files = outputs.map(
      ({ path, bytes, sha256 }): RemoteFile => ({ sha256, bytes, read: () => content(path, sha256) }),
    );
    const entry = new TextEncoder().encode(JSON.stringify(set));
    this.#remote.putWithFiles(SET, this.#keyOf(job, sources as TracedFile[]), entry, files);
  }

  /** Whether an entry means something on this machine only: between drives there are no relative paths, and messages name places. */
  #isOfHere({ outcome, units, inputs, seen }: WholeSet, places: readonly string[]): boolean {
    const said = JSON.stringify([
      outcome.diagnostics.map(({ message, remedy, path }) => [message, remedy, path]),
      units,
    ]);
    const words = [this.#cwd, ...places].map((place) => JSON.stringify(place).slice(1, -1));
    const paths = [...inputs, ...seen].map(({ path }) => path.slice(ABSOLUTE.length));
    return words.some((word) => said.includes(word)) || paths.some((path) => isAbsolute(path));
  }

  /** Stages the files of a found set; false: some could not be had, and what was staged is of no use. */
  async fetch(job: CookJob, { outputs }: FoundSet, set: OutputSet, onFile: (done: number) => void): Promise<boolean> {
    const { main } = setFiles(job.target);
    let next = 0;
    let done = 0;
    let isWhole = true;
    const fetchSome = async (): Promise<void> => {
      for (let file = outputs[next++]; file && isWhole; file = outputs[next++]) {
        const { path, bytes, sha256 } = file;
        const found = await this.#remote.findFile(sha256, bytes);
        if (found === null) isWhole = false;
        else if (isBeside(path, job.target)) set.writeBeside(path, found);
        // The main file is read back and checked with the set. The cook that made the others has checked them.
        else if (path === main) set.write(path, found, sha256);
        else await set.writeAside(path, found, sha256);
        onFile(++done);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: FETCHED_AT_ONCE }, fetchSome));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return isWhole;
  }

  #keyOf(job: CookJob, sources: readonly Pick<TracedFile, 'sha256'>[]): string {
    const { target, source, root, joined } = job;
    const there = (path: string) => this.#there(path);
    const { main } = setFiles(target);
    return packedDigest([
      CODE_DIGEST,
      there(source),
      root && there(root),
      [target.kind, main, (target.kind === 'folder' ? target.payloads : target.fileType) ?? null],
      settingsOf({
        ...job,
        ...(joined && {
          joined: joined.map((part) => ({ ...part, source: there(part.source), root: part.root && there(part.root) })),
        }),
        ...(job.search && {
          search: {
            folders: job.search.folders.map(there),
            animations: (job.search.animations ?? []).map(there),
            remaps: job.search.remaps.map(({ from, to }) => ({ from: there(from), to: there(to) })),
          },
        }),
      }),
      sources.map(({ sha256 }) => sha256),
    ]);
  }

  #there(path: string): string {
    return isAbsolute(path) ? `${ABSOLUTE}${slashed(relative(this.#cwd, path))}` : path;
  }

  #here(path: string): string {
    return path.startsWith(ABSOLUTE) ? resolve(this.#cwd, path.slice(ABSOLUTE.length)) : path;
  }
}

/** Files that are asked for at once; the store has its own limit. */
const FETCHED_AT_ONCE = 16;

const slashed = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'));

/** A file as it is now; null: there is none, or it changes. */
function traced(path: string): TracedFile | null {
  const time = Date.now();
  const stamp = fileStamp(path);
  if (stamp === null) return null;
  try {
    const sha256 = fileSha256(path);
    const now = fileStamp(path);
    return now && isSameStamp(now, stamp) ? { path, stamp, sha256, time } : null;
  } catch {
    return null;
  }
}

/** The content of a file, if it is still the one of this hash. */
function content(path: string, sha256: string): Uint8Array | null {
  try {
    const bytes = readFileSync(path);
    return sha256Hex(bytes) === sha256 ? bytes : null;
  } catch {
    return null;
  }
}

function setOf(entry: Uint8Array, job: CookJob): WholeSet | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString());
    return isWholeSet(read) && areOutputsOf(job, read.outputs) ? read : null;
  } catch {
    return null;
  }
}
