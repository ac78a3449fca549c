// `untold cook --watch`: cooks all sources, then cooks again what a saved file touches. Files are looked at again and again
// instead of being watched by the system, so that editors which replace files, network disks and folders with more files
// than the system watches are all the same.

import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type COMMAND_OPTIONS,
  type CookOptions,
  cook as cookSources,
  type Diagnostic,
  diagnostic,
  listSources,
  type OptionsOf,
  SourceError,
  type SourceResult,
  workingFolder,
} from '../../index.ts';
import { logOfCall, resultLine } from '../documents/cookSummary.ts';
import { logZone } from '../documents/zoneLine.ts';
import { interrupt } from '../terminal/interrupt.ts';
import type { Log } from '../terminal/log.ts';
import { STANDARD_STREAM } from '../terminal/standardStreams.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { duration, plural } from '../terminal/words.ts';

/** Milliseconds between two looks at least. A look that takes long makes the pause longer. */
const RETRY_MS = 200;
/** The pause is so many times what the look took. */
const PAUSE_FACTOR = 20;
/** On a busy machine a look takes long too: nobody waits longer than this for the next one. */
const MAX_PAUSE_MS = 1000;

type Marks = Map<string, string>;

/** What tells that a file or folder was saved or replaced; '' if there is none. */
function markOf(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return '';
  }
}

/** A source as its last cook left it. */
interface Watched {
  /** What the cook has read, and the source itself, with the marks of before the cook. */
  readonly files: Marks;
  /** If a file was missing: the folders where it may appear, with the marks of after the cook. */
  readonly folders: Marks;
}

/** The folder and those in it. */
function withSubfolders(folder: string): string[] {
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...below.filter(({ name }) => !name.startsWith('.')).map(({ name }) => join(folder, name))];
  } catch {
    return [folder];
  }
}

const lacksFiles = ({ status, diagnostics }: SourceResult): boolean =>
  status === 'failed' || diagnostics.some(({ code, message }) => code === 'UC1203' || message.includes('UC1203'));

/** `source`: its absolute path. `before`: marks of before the cook, which began at this time in milliseconds. */
function watched(source: string, result: SourceResult, before: Marks | undefined, began: number): Watched {
  const files: Marks = new Map();
  const ended = Date.now();
  for (const path of [source, ...result.filesRead]) {
    let mark = before?.get(path) ?? markOf(path);
    const savedAt = Number(mark.split(' ')[0]) / 1e6;
    // Saved while it was cooked, perhaps after it was read: this mark differs from every later one.
    if (!before?.has(path) && savedAt >= began && savedAt <= ended) mark = 'saved meanwhile';
    files.set(path, mark);
  }
  const near = lacksFiles(result) ? new Set([...files.keys()].flatMap((path) => withSubfolders(dirname(path)))) : [];
  return { files, folders: new Map([...near].map((folder) => [folder, markOf(folder)])) };
}

const hasChanged = (marks: Marks, look: (path: string) => string): boolean =>
  [...marks].some(([path, mark]) => look(path) !== mark);

/** Each path is looked at once. */
function looker(): (path: string) => string {
  const seen: Marks = new Map();
  return (path) => {
    const mark = seen.get(path) ?? markOf(path);
    seen.set(path, mark);
    return mark;
  };
}

/**
 * Ctrl-C and SIGTERM while sources are watched. The handler stays from start to end: a signal that comes while one handler
 * is replaced by another is lost.
 */
class Stop {
  isWanted = false;
  /** Whether a cook has not given all its results. */
  #isUnfinished = () => false;
  #wake = () => {};
  /** Removes the signal handlers. */
  readonly release: () => void;

  constructor(log: Log, terminal: Terminal) {
    const handle = (signal: NodeJS.Signals) => {
      if (this.#isUnfinished()) {
        this.release();
        interrupt(signal, log, terminal, () => {});
        return;
      }
      this.isWanted = true;
      this.#wake();
    };
    const signals = ['SIGINT', 'SIGTERM'] as const;
    for (const signal of signals) terminal.host.on(signal, handle);
    this.release = () => {
      for (const signal of signals) terminal.host.removeListener(signal, handle);
    };
  }

  begin(isUnfinished: () => boolean): void {
    this.#isUnfinished = isUnfinished;
  }

  end(): void {
    this.#isUnfinished = () => false;
  }

  /** Waits so many milliseconds at most, and tells whether a signal has come. */
  async within(milliseconds: number): Promise<boolean> {
    if (this.isWanted) return true;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    return this.isWanted;
  }
}

/** Throws UC1062 for what cannot be cooked again. */
export function refuseUnwatchable(
  words: readonly string[],
  options: CookOptions,
  { json, timing, report, log }: Pick<OptionsOf<typeof COMMAND_OPTIONS.cook>, 'json' | 'timing' | 'report' | 'log'>,
): void {
  const refuse = (what: string, message: string): never => {
    throw new SourceError(diagnostic('UC1062', '', what, message));
  };
  if (words.includes(STANDARD_STREAM)) refuse(STANDARD_STREAM, 'standard input cannot be watched');
  if (options.out === STANDARD_STREAM) refuse('--out', 'standard output takes one result');
  if (options.asOne !== undefined) {
    throw new SourceError(diagnostic('UC1012', '', '--watch', '--as-one was given too'));
  }
  if (options.shard !== undefined) {
    throw new SourceError(diagnostic('UC1012', '', '--watch', '--shard was given too'));
  }
  if (options.dryRun) refuse('--dry-run', 'a plan changes no file');
  if (json) refuse('--json', 'one document is printed at the end, and there is none');
  if ((report ?? []).length > 0) refuse('--report', 'a report is written at the end, and there is none');
  if (log === 'summary') refuse('--log', 'only what is cooked again is shown, as it happens');
  if (timing) refuse('--timing', 'a table is printed at the end, and there is none');
}

/** Cooks what has changed until the process is interrupted. Throws SourceError if the first call is refused. */
export async function watch(
  words: readonly string[],
  options: CookOptions,
  log: Log,
  terminal: Terminal,
): Promise<number> {
  const stop = new Stop(log, terminal);
  try {
    return await cookUntil(stop, words, options, log, terminal);
  } finally {
    stop.release();
  }
}

async function cookUntil(
  stop: Stop,
  words: readonly string[],
  options: CookOptions,
  log: Log,
  { clock, host: environment }: Terminal,
): Promise<number> {
  const cwd = workingFolder({ environment });
  const known = new Map<string, Watched>();
  let refused = '';
  /** Whether the last listing of the sources was refused. */
  let isRefused = false;
  let noted = '';
  /** Preset and project file, with the marks of before the last cook. */
  let settings: Marks = new Map();

  const cookChanged = async (changed: ReadonlySet<string> | null): Promise<void> => {
    const listed = await listSources(words, options);
    settings = new Map(listed.settings.map((path) => [path, markOf(path)]));
    const expected = changed?.size ?? listed.sources?.length ?? 0;
    let left = expected;
    stop.begin(() => left > 0);
    const began = Date.now();
    const started = clock.now();
    // Marks of what is known to be read: what is saved from now on differs.
    const look = looker();
    const before = new Map(
      [...known].map(([source, { files }]) => [source, new Map([...files.keys()].map((path) => [path, look(path)]))]),
    );
    const { results, diagnostics } = await cookSources(words, {
      ...options,
      onSelect: (source) => changed === null || changed.has(source),
      onProgress: ({ source, phase }) => log.progress(`${phase}  ${source}`, { event: 'progress', source }, false),
      onResult: (result) => {
        const { source, status, totals } = result;
        left--;
        known.set(source, watched(resolve(cwd, source), result, before.get(source), began));
        log.diagnostics(result.diagnostics);
        const line = `${source}: ${resultLine(result)}, ${duration((clock.now() - started) / 1000)}`;
        const { zone, ...sums } = totals ?? {};
        log.info(line, { event: 'cooked', source, status, ...sums });
        logZone(source, zone, log);
      },
    });
    stop.end();
    if (results.length === 0 && known.size === 0) throw new SourceError(diagnostics);
    report(diagnostics);
  };
  const report = (diagnostics: readonly Diagnostic[]) => {
    // Once, however often the same fault or note is found.
    const notes = diagnostics.filter(({ severity }) => severity === 'info');
    if (JSON.stringify(notes) !== noted) logOfCall(notes, log);
    noted = JSON.stringify(notes);
    const faults = diagnostics.filter(({ severity }) => severity !== 'info');
    if (JSON.stringify(faults) !== refused) logOfCall(faults, log);
    refused = JSON.stringify(faults);
  };
  /** The sources to be cooked again, as things are now. Forgets those that are gone. */
  const findChanged = async (): Promise<Set<string>> => {
    const { sources, settings: files, diagnostics } = await listSources(words, options);
    // Where folders were emptied, for a moment perhaps, nothing is cooked until there is something again.
    if (sources === null) {
      report(diagnostics);
      isRefused = true;
      return new Set();
    }
    // A refusal that comes back is told again.
    if (isRefused) refused = '';
    isRefused = false;
    const now = new Set(sources);
    for (const source of [...known.keys()].filter((name) => !now.has(name))) {
      known.delete(source);
      log.info(`${source}: gone; its output stays`, { event: 'gone', source });
    }
    const look = looker();
    if (files.length !== settings.size || files.some((path) => settings.get(path) !== look(path))) return now;
    const isTouched = (source: string) => {
      const before = known.get(source);
      return before === undefined || hasChanged(before.files, look) || hasChanged(before.folders, look);
    };
    return new Set(sources.filter(isTouched));
  };
  await cookChanged(null);
  if (stop.isWanted) return 0;
  const files = new Set([...known.values()].flatMap((one) => [...one.files.keys()]));
  log.info(`watching ${plural(known.size, 'source')}, ${plural(files.size, 'file')}; Ctrl-C ends`, {
    event: 'watching',
    sources: known.size,
    files: files.size,
  });
  /** What a look has found, and how it all was then: it is cooked once two looks see the same. */
  let found = '';
  for (let wait = RETRY_MS; ; ) {
    if (await stop.within(wait)) return 0;
    const lookBegan = clock.now();
    const changed = await findChanged();
    const look = looker();
    const paths = [...changed].flatMap((source) => [resolve(cwd, source), ...(known.get(source)?.files.keys() ?? [])]);
    const state = JSON.stringify(paths.map((path) => [path, look(path)]));
    if (changed.size > 0 && state === found) {
      await cookChanged(changed);
      if (stop.isWanted) return 0;
      found = '';
    } else found = state;
    const pauseWanted = (clock.now() - lookBegan) * (changed.size > 0 ? 1 : PAUSE_FACTOR);
    wait = Math.min(MAX_PAUSE_MS, Math.max(RETRY_MS, pauseWanted));
  }
}
