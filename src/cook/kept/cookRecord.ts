// The record of a complete cook: what it read and looked for, what it wrote, its settings, and its outcome. When all of that
// still holds, the cook need not be done again. Records lie in the cache, one for each source and target.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CODE_DIGEST } from '../../bytes/codeDigest.ts';
import { packedDigest } from '../../bytes/pack.ts';
import type { AskedOptions, CookTarget } from '../../config/types.ts';
import { DEFAULT_LIMITS, LIMIT_FLAGS, type LimitName, type LimitUse } from '../../diagnostics/limits.ts';
import { type FileStamp, fileStamp, isSameStamp } from '../../importers/fileStamp.ts';
import { allowedBy } from '../../importers/files.ts';
import { type FileTrace, isNothing, realPathOf, type TracedFile } from '../../importers/fileTrace.ts';
import { changedLookups } from '../../importers/findAsset.ts';
import type { Cache } from '../../output/cache/cache.ts';
import { workFolderOf } from '../../output/workFolder.ts';
import type { CookJob, CookOutcome, CookTotals } from '../types.ts';
import type { UnitNote } from '../units/unitStore.ts';
import { areUnits, type CookRecord, isOfSomeCode, isOfThisCode, isRecord, type RecordedUnits } from './recordShape.ts';
import { unchanged } from './traced.ts';
import { noteOutputs } from './writtenOutputs.ts';

/** The kind of cache entry that a record is. */
export const RECORD = 'cook';
const UNITS = 'cook-units';

/** Why a cook has to be done, in words; none: it need not be, and this was its outcome. */
export type RecordCheck =
  | { readonly outcome: CookOutcome; readonly reasons: readonly []; readonly isRecorded: true }
  /** `isRecorded`: a complete cook is recorded, and something has changed since. */
  | {
      readonly outcome: null;
      readonly reasons: readonly string[];
      readonly isRecorded: boolean;
      /** What that cook came to; null: none is recorded. */
      readonly before: CookTotals | null;
    };

/** Names in a list of reasons at most. */
const MAX_REASONS = 20;

/** The key of a job: the same source and target in the same folder, whatever the settings. */
function keyOf({ source, root, target }: CookJob, cwd: string): string {
  return packedDigest(['cook', cwd, source, root, target]);
}

/** The setting that decides which diagnostics count. No byte of an output depends on it. */
const SEVERITIES = 'severities';

/** The setting that decides where files are found that are not where a source says. */
const SEARCH = 'search';

/** What else decides the outcome, by name. */
export function settingsOf({ settings, search, policy, joined }: CookJob): Record<string, string> {
  const { tiling, source, ...rest } = settings;
  const named: Record<string, unknown> = { ...rest, ...tiling, ...source };
  const { animations, ...folders } = search ?? {};
  const asked = Object.entries({
    ...named,
    [SEARCH]: search && folders,
    animations,
    sources: joined?.map(({ content: _, ...part }) => part),
    [SEVERITIES]: { ...policy, deny: [...policy.deny], allow: [...policy.allow], warn: [...(policy.warn ?? [])] },
  });
  const plain = (value: unknown): unknown => (value instanceof Set ? [...value] : value);
  return Object.fromEntries(asked.map(([name, value]) => [name, packedDigest(plain(value))]));
}

/** What is no option with a value, by the name of the setting. */
const OTHER_SETTINGS: Readonly<Record<string, string>> = {
  sources: 'the sources of --as-one are others',
  joined: 'the sources of --as-one are others',
  colorGrade: 'the file of --color-grade has another content',
  textures: 'the encoder of --astc-encoder has another version',
  viewerZone: 'the places of --viewer-zone, or the numbers of --device, are others',
};

/** A line for each option that has another value than before. */
function changedOptions(now: AskedOptions, before: AskedOptions): string[] {
  const flags = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const word = (value: string | undefined) => value ?? 'not given';
  return flags
    .filter((flag) => now[flag] !== before[flag])
    .map((flag) => `${flag} ${word(now[flag])}, before ${word(before[flag])}`);
}

/** Which options have another value; where none has, what else the settings of these names stand for. */
function changedWords(names: readonly string[], now: AskedOptions, before: AskedOptions): string[] {
  const options = changedOptions(now, before);
  // Options of textures are one setting, and so are those of a zone.
  const isOne = (name: string) => name === 'textures' || name === 'viewerZone';
  const others = names.filter((name) => !isOne(name) || options.length === 0);
  const all = [...options, ...new Set(others.flatMap((name) => OTHER_SETTINGS[name] ?? []))];
  return all.length > 0 ? all : names.map((name) => `setting ${name} differs`);
}

/** Which files a source finds elsewhere than its last cook did, in words; null: that cook has not noted where. */
function movedFiles(
  { root, search = { folders: [], remaps: [] }, joined }: CookJob,
  { lookups, seen }: CookRecord,
  shown: (path: string) => string,
): string[] | null {
  if (lookups === null || joined) return null;
  const isAllowed = allowedBy(root === null ? null : (realPathOf(root) ?? root), search);
  const exists = (path: string): boolean => {
    const real = fileStamp(path) === null ? null : realPathOf(path);
    return real !== null && isAllowed(real);
  };
  const place = (path: string | null) => (path === null ? 'nowhere' : `at ${shown(path)}`);
  const moved = changedLookups(lookups, search, exists).map(
    ({ lookup, path }) => `${lookup.reference} is found ${place(path)}, before ${place(lookup.path)}`,
  );
  const refused = seen
    .filter(({ real }) => !isAllowed(real))
    .map(({ path }) => `${shown(path)} is not allowed any more`);
  return [...moved, ...refused];
}

/** Base folder and main file of a set. */
function mainFileOf(target: CookTarget): string {
  return target.kind === 'folder' ? join(target.folder, `${target.sceneName}.json`) : target.path;
}

/** Whether a cook of the set is under way, or was killed: its folders are still there. */
export function isUnfinished(main: string): boolean {
  const work = workFolderOf(dirname(main));
  if (!existsSync(work)) return false;
  try {
    return readdirSync(work).some((name) => name.startsWith(basename(main)));
  } catch {
    return true;
  }
}

/** The stamps of a set's files, by path, taken while no other cook could change them. */
export type OutputStamps = ReadonlyMap<string, FileStamp>;

export function stampsOf(paths: readonly string[]): OutputStamps {
  return new Map(
    paths.flatMap((path) => {
      const stamp = fileStamp(path);
      return stamp ? [[path, stamp] as const] : [];
    }),
  );
}

/** What a cook notes besides its outcome. */
export interface CookNotes {
  /** Null: it is not known what was asked for. */
  readonly trace: FileTrace | null;
  readonly units: readonly UnitNote[];
  readonly used: LimitUse;
  readonly stamps: OutputStamps;
}

export class CookRecords {
  readonly #store: Pick<Cache, 'get' | 'put'>;
  /** The working folder: names in messages are relative to it. */
  readonly #cwd: string;

  constructor(store: Pick<Cache, 'get' | 'put'>, cwd: string) {
    this.#store = store;
    this.#cwd = cwd;
  }

  /**
   * Compares the record of a job with what is there now. `shown`: how paths are written in reasons. `judges`: which diagnostics
   * count as errors is decided by whoever asks, and not compared.
   */
  check(job: CookJob, shown: (path: string) => string = (path) => path, { judges = false } = {}): RecordCheck {
    const because = (before: CookRecord | null, reasons: readonly string[]): RecordCheck => ({
      outcome: null,
      reasons: reasons.slice(0, MAX_REASONS),
      isRecorded: before !== null,
      before: before?.outcome.totals ?? null,
    });
    const key = keyOf(job, this.#cwd);
    const record = this.#find(RECORD, key);
    if (isOfSomeCode(record) && !isOfThisCode(record)) {
      return because(null, ['another version of untold has cooked it']);
    }
    if (!isRecord(record)) return because(null, ['no complete cook of it is recorded']);
    const reasons: string[] = [];
    const settings = settingsOf(job);
    const all = [...new Set([...Object.keys(settings), ...Object.keys(record.settings)])];
    const names = judges ? all.filter((name) => name !== SEVERITIES) : all;
    const different = names.filter((name) => settings[name] !== record.settings[name]);
    const moved = different.includes(SEARCH) ? movedFiles(job, record, shown) : [];
    // Where other folders are searched, and each file is found where it was, the cook would be the same.
    const changed = different.filter((name) => name !== SEARCH || moved === null);
    if (changed.length > 0) reasons.push(...changedWords(changed, job.asked ?? {}, record.asked ?? {}));
    reasons.push(...(moved ?? []));
    const limits = job.limits ?? DEFAULT_LIMITS;
    for (const name of Object.keys(limits) as LimitName[]) {
      const used = record.used[name] ?? Number.POSITIVE_INFINITY;
      if (used > limits[name])
        reasons.push(`${LIMIT_FLAGS[name]} ${limits[name]} is less than what it may need, ${used}`);
    }
    if (isUnfinished(mainFileOf(job.target))) reasons.push('a cook of it is not finished');
    let isSure = true;
    const current = <F extends TracedFile>(files: readonly F[], what: string): F[] =>
      files.map((file) => {
        const now = unchanged(file);
        if (now === null) reasons.push(`${what} ${shown(file.path)} ${isNothing(file.path) ? 'is gone' : 'changed'}`);
        isSure &&= now === file;
        return now ?? file;
      });
    const inputs = current(record.inputs, 'input');
    const read = new Set(record.inputs.map(({ path }) => path));
    for (const { path, real } of record.seen) {
      const now = realPathOf(path);
      if (now !== null && now !== real) reasons.push(`input ${shown(path)} leads elsewhere`);
      if (now === null && !read.has(path)) reasons.push(`input ${shown(path)} is gone`);
    }
    const isNew = (path: string) => reasons.push(`input ${shown(path)} is new`);
    for (const path of record.missing) if (!isNothing(path)) isNew(path);
    for (const path of record.noFile) if (fileStamp(path) !== null) isNew(path);
    const outputs = current(record.outputs, 'output');
    if (reasons.length > 0) return because(record, reasons);
    // What had to be hashed has a newer stamp: the next check reads it no more.
    if (!isSure) this.#put(RECORD, key, { ...record, inputs, outputs });
    const written = record.outputs.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
    return {
      outcome: { source: job.source, status: 'ok', ...record.outcome, outputs: written },
      reasons: [],
      isRecorded: true,
    };
  }

  /** Records a complete cook; nothing where a file has changed meanwhile. */
  record(job: CookJob, outcome: CookOutcome, { trace, units, used, stamps }: CookNotes): void {
    if (trace === null || outcome.status !== 'ok') return;
    const outputs: CookRecord['outputs'][number][] = [];
    for (const { path, bytes, sha256 } of outcome.outputs) {
      const time = Date.now();
      const stamp = fileStamp(path);
      const moved = stamps.get(path);
      // Another cook may have replaced it since the set's lock was released.
      if (stamp?.size !== bytes || !moved || !isSameStamp(stamp, moved)) return;
      outputs.push({ path, bytes, sha256, stamp, time });
    }
    const { totals, diagnostics, filesRead } = outcome;
    const key = keyOf(job, this.#cwd);
    this.#put(RECORD, key, {
      code: CODE_DIGEST,
      folder: this.#cwd,
      settings: settingsOf(job),
      ...(job.asked && { asked: job.asked }),
      used,
      inputs: trace.read,
      seen: trace.seen,
      missing: trace.missing,
      noFile: trace.noFile,
      lookups: trace.lookups,
      outputs,
      outcome: { totals, diagnostics, filesRead },
    } satisfies CookRecord);
    noteOutputs(this.#store, outputs);
    if (units.length > 0) this.#put(UNITS, key, { code: CODE_DIGEST, units } satisfies RecordedUnits);
  }

  /** What the last complete cook of a job noted of its units. */
  units(job: CookJob): readonly UnitNote[] {
    const found = this.#find(UNITS, keyOf(job, this.#cwd));
    return isOfThisCode(found) && areUnits(found) ? found.units : [];
  }

  #put(kind: string, key: string, value: unknown): void {
    this.#store.put(kind, key, new TextEncoder().encode(JSON.stringify(value)));
  }

  /** What an entry holds; null: there is none, or it is no JSON. */
  #find(kind: string, key: string): unknown {
    const entry = this.#store.get(kind, key);
    if (entry === null) return null;
    try {
      return JSON.parse(Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString());
    } catch {
      return null;
    }
  }
}

/** The names of kinds of units in messages. */
const WORDS = { payload: '', levels: ' levels', cluster: ' HLOD' } as const;

/** Which units a cook has made again and why, a line each, by comparison with those of an earlier cook. */
export function rebuiltUnits(before: readonly UnitNote[], now: readonly UnitNote[]): string[] {
  // The first cook of a source: that says it all.
  if (before.length === 0) return [];
  const key = ({ kind, name }: UnitNote) => `${kind} ${name}`;
  const known = new Map(before.map((note) => [key(note), note.keyInputs]));
  return now
    .filter(({ isMade }) => isMade)
    .map((note) => {
      const earlier = known.get(key(note));
      const unit = `${note.name}${WORDS[note.kind]}`;
      if (!earlier) return `${unit}: not cooked before`;
      const names = [...new Set([...Object.keys(note.keyInputs), ...Object.keys(earlier)])].sort();
      const changed = names.filter((name) => note.keyInputs[name] !== earlier[name]);
      if (changed.length === 0) return `${unit}: not kept`;
      const word = (name: string) =>
        earlier[name] === undefined ? `${name} is new` : note.keyInputs[name] === undefined ? `${name} is gone` : name;
      const more = changed.length > MAX_NAMES ? ` and ${changed.length - MAX_NAMES} more` : '';
      return `${unit}: ${changed.slice(0, MAX_NAMES).map(word).join(', ')}${more}`;
    });
}

/** Key inputs in a line at most. */
const MAX_NAMES = 4;
