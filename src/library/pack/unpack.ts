// unpack(): the files of a package below a folder, all or none. A record beside them tells what was unpacked, so that doing it
// again replaces that and nothing else.

import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { UNPACK_CALL_OPTIONS } from '../../config/options/table.ts';
import { checkFolderName } from '../../config/outputName.ts';
import { pathMatcher } from '../../config/pathPattern.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, Diagnostics, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { KIND_IDS, KINDS, takes } from '../../formats/kinds.ts';
import { kindOfName } from '../../formats/recognise.ts';
import { wholeOf } from '../../importers/content.ts';
import { diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import { bpxFiles, type PackagedFile, pakFiles } from '../../importers/packages.ts';
import { isFile, statusOf } from '../../importers/wholeFile.ts';
import { OutputSet, type WrittenFile } from '../../output/outputSet.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { nameFault, nameFaults } from './names.ts';
import type { PackageKind, PackedEntry } from './pack.ts';

/** The options of `untold unpack` in camelCase. */
export interface UnpackOptions extends OptionsOf<typeof UNPACK_CALL_OPTIONS>, CallOptions {
  /** Called now and then while files are written. */
  readonly onProgress?: ((progress: UnpackProgress) => void) | undefined;
}

export interface UnpackProgress {
  /** Files that are written. */
  readonly done: number;
  readonly total: number;
}

/** Files from which on one sync of the file system takes less than a sync of each. */
const MANY_FILES = 256;
/** Milliseconds between two calls of onProgress; signals are heard then. */
const TURN_MS = 100;

export interface UnpackDocument {
  readonly source: string;
  readonly kind: PackageKind;
  /** The folder, relative to the working folder, with `/`. */
  readonly out: string;
  /** What was written, in the order of the package. */
  readonly files: readonly PackedEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface UnpackResult {
  /** What `untold unpack` would end with: 0 when all was written. */
  readonly exitCode: number;
  /** Null: nothing was written. */
  readonly document: UnpackDocument | null;
  /** The diagnostics of the document, or why there is none. */
  readonly diagnostics: readonly Diagnostic[];
}

interface UnpackedFile {
  readonly name: string;
  /** Reads and checks it. */
  readonly read: () => Uint8Array;
}

interface OpenPackage {
  readonly kind: PackageKind;
  readonly files: readonly UnpackedFile[];
}

/** Records are smaller; a larger file of this name is none of ours. */
const MAX_RECORD_BYTES = 2 ** 28;

/** The record of a package's files, in the folder that it is unpacked into: a name for every system. */
const recordName = (path: string): string => `.${basename(path).replace(/[^\p{L}\p{N} ._-]/gu, '_')}.unpacked.json`;

/** What an earlier call has written, by the record; nothing where there is none or it is not one. */
function earlierFiles(folder: string, record: string): ReadonlyMap<string, string | null> {
  const path = join(folder, record);
  const { stat } = statusOf(path);
  if (!isFile(path) || !stat || stat.size > MAX_RECORD_BYTES) return new Map();
  try {
    const { untoldUnpacked, files } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const isRow = (row: unknown): row is [string, string] =>
      Array.isArray(row) && typeof row[0] === 'string' && nameFault(row[0]) === null && /^[0-9a-f]{64}$/.test(row[1]);
    if (untoldUnpacked !== 1 || !Array.isArray(files) || !files.every(isRow)) return new Map();
    return new Map<string, string | null>([...files, [record, null]]);
  } catch {
    return new Map();
  }
}

async function openPackage(path: string, name: string, diagnostics: Diagnostics): Promise<OpenPackage> {
  const content = diskFiles(null).open(path, '', '');
  const inMemory = (packageKind: PackageKind, packed: readonly PackagedFile[]): OpenPackage => ({
    kind: packageKind,
    files: packed.map(({ name: own, bytes }) => ({ name: own, read: () => bytes })),
  });
  const kind = recogniseContent(content, path) ?? kindOfName(path);
  if (!takes('unpack', kind)) {
    const titles = KIND_IDS.filter((id) => takes('unpack', id)).map((id) => KINDS[id].title);
    fail('UC3820', name, '', `the content is none of ${titles.join(', ')}`);
  }
  if (kind === 'bpx') return inMemory(kind, await bpxFiles(wholeOf(content, name), name));
  if (kind === 'pak') return inMemory(kind, await pakFiles(wholeOf(content, name), name));
  const { openUsdz } = await import('../../importers/usdz/openUsdz.ts');
  const reported = new Diagnostics();
  const usdz = openUsdz(content, name, reported);
  for (const item of reported.list) {
    // Compressed files are no USDZ; what else reading forgives is unpacked alike.
    if (item.code === 'UC1620') throw new SourceError({ ...item, severity: 'error' });
    diagnostics.add(item);
  }
  const special = usdz.entries.filter(({ isSpecial }) => isSpecial);
  if (special.length > 0) {
    throw new SourceError(special.map((entry) => diagnostic('UC3821', name, entry.name, 'its Unix mode says so')));
  }
  return {
    kind: 'usdz',
    files: usdz.entries.map((entry) => ({ name: entry.name, read: () => wholeOf(usdz.open(entry.name), name) })),
  };
}

async function unpackOne(word: string, given: UnpackOptions, cwd: string): Promise<UnpackDocument> {
  throwIfAborted(given.signal);
  const options = settle(UNPACK_CALL_OPTIONS, checkOptions(UNPACK_CALL_OPTIONS, given, cwd));
  const { only, force = false } = options;
  if (word === '') fail('UC1003', '', '', 'the name of the package is empty', 'give a package');
  if (options.out === undefined) return fail('UC1002', '', '--out', 'no folder is named', 'give --out DIR');
  checkFolderName(options.out, cwd);
  const out = resolve(options.out);
  const path = resolve(cwd, word);
  const name = showPath(path, cwd);
  const { stat } = statusOf(out);
  if (stat && !stat.isDirectory()) fail('UC4001', out, '', 'it is no folder', 'give --out a folder');
  const diagnostics = new Diagnostics();
  const { kind, files } = await openPackage(path, name, diagnostics);
  const record = recordName(path);
  const faults = nameFaults([...files.map((file) => file.name), record], name);
  if (faults.length > 0) throw new SourceError(faults);
  // Everything is checked before anything is written, what is not asked for too.
  for (const file of files) file.read();
  const isWanted = only === undefined ? () => true : pathMatcher(only);
  const wanted = files.filter((file) => isWanted(file.name));
  if (wanted.length === 0 && only !== undefined) {
    fail('UC3822', name, '--only', `${only.join(', ')}: none of ${files.length} files`);
  }
  throwIfAborted(given.signal);
  const isLarge = wanted.length >= MANY_FILES;
  /** What an earlier call wrote of files that are not asked for now: it stays. */
  const stays = new Map<string, string | null>();
  const wantedNames = new Set(wanted.map((file) => file.name));
  const earlier = () => {
    const found = earlierFiles(out, record);
    if (only === undefined) return found;
    for (const [own, sha256] of found) if (own !== record && !wantedNames.has(own)) stays.set(own, sha256);
    return new Map([...found].filter(([own]) => !stays.has(own)));
  };
  const set = OutputSet.open({ base: out, main: record, earlier, force, isLarge });
  try {
    const written: WrittenFile[] = [];
    let turn = performance.now();
    for (const file of wanted) {
      written.push(set.write(file.name, file.read()));
      set.verifyLarge(file.name);
      if (performance.now() - turn < TURN_MS) continue;
      given.onProgress?.({ done: written.length, total: wanted.length });
      await nextTurn();
      throwIfAborted(given.signal);
      turn = performance.now();
    }
    given.onProgress?.({ done: written.length, total: wanted.length });
    await nextTurn();
    throwIfAborted(given.signal);
    const rows = [...stays, ...written.map(({ path: own, sha256 }): [string, string] => [own, sha256])].sort(
      ([a], [b]) => (a < b ? -1 : 1),
    );
    set.write(record, new TextEncoder().encode(`${JSON.stringify({ untoldUnpacked: 1, files: rows }, null, 1)}\n`));
    await set.synced();
    for (const item of set.commit()) diagnostics.add(item);
    return {
      source: name,
      kind,
      out: showPath(out, cwd),
      files: written.map(({ path: own, bytes }) => ({ path: own, bytes })),
      diagnostics: diagnostics.list.map((item) => shownDiagnostic(item, cwd)),
    };
  } finally {
    set.discard();
  }
}

/** Runs a call of unpack(). Rejects only for a bug. */
export async function runUnpack(source: string, given: UnpackOptions): Promise<UnpackResult> {
  try {
    const document = await unpackOne(source, given, workingFolder(given));
    const { diagnostics } = document;
    return { exitCode: exitCodeOf(diagnostics), document, diagnostics };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
