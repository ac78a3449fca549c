// validate(): checks packages and cooked files, and manifests with all that they name, against their format and against what the engine
// refuses, crashes on or silently drops.

import { basename, dirname, join, resolve } from 'node:path';
import type { OptionsOf } from '../config/options/option.ts';
import { VALIDATE_CALL_OPTIONS } from '../config/options/table.ts';
import { showPath } from '../config/showPath.ts';
import { expandSources } from '../config/sources.ts';
import { interruption, throwIfAborted } from '../cook/interruption.ts';
import { type Diagnostic, Diagnostics, fail, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { applyPolicy, type SeverityPolicy } from '../diagnostics/policy.ts';
import type { FileCheck } from '../formats/checks.ts';
import { extensionsFor, type KindsOf, searchedExtensions, takes } from '../formats/kinds.ts';
import { kindOfName } from '../formats/recognise.ts';
import { DEFAULT_FORMAT, FORMATS } from '../formats/registry.ts';
import { type Content, wholeOf } from '../importers/content.ts';
import { diskFiles, type SourceFiles } from '../importers/files.ts';
import { recogniseContent } from '../importers/index.ts';
import { type CallOptions, checkOptions } from './call/checkOptions.ts';
import { workingFolder } from './call/environment.ts';
import { exitCodeOf, worst } from './call/exitCode.ts';
import { failedCall, thrownDiagnostics } from './call/faults.ts';
import { severityPolicy } from './call/policy.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { diskProbe } from './diskProbe.ts';
import { orphanTiles } from './orphanTiles.ts';
import { isOwn } from './ownFiles.ts';
import { strayChannels } from './strayChannels.ts';

/** What was found in one file. */
export interface CheckedFile {
  /** Relative to the working folder, with `/`. */
  readonly path: string;
  /** Whether no diagnostic is an error. */
  readonly ok: boolean;
  /** Sorted by file, element and code; severities after `strict`, `deny` and `allow`. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A file is checked next. */
export interface ValidateProgress {
  readonly path: string;
  /** Files that are checked, and that are known to be checked still, this one among them. */
  readonly checked: number;
  readonly remaining: number;
}

/** The options of `untold validate` in camelCase, and callbacks. Callbacks must not throw. */
export interface ValidateOptions extends OptionsOf<typeof VALIDATE_CALL_OPTIONS>, CallOptions {
  readonly onProgress?: ((progress: ValidateProgress) => void) | undefined;
  /** Each file when it was checked; `error` is the exception behind UC1099. */
  readonly onResult?: ((file: CheckedFile, error?: unknown) => void) | undefined;
}

export interface ValidateResult {
  /** What `untold validate` would end with: 0 exactly when every file is ok. */
  readonly exitCode: number;
  /** In the order in which they were checked, the payloads of a manifest after it, cooked textures after a payload. */
  readonly files: readonly CheckedFile[];
  /** What concerns the call as a whole: options, files that are not there, an abort. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Findings extends FileCheck {
  readonly error?: unknown;
}

/** As what a file is checked: by its content, or else by its name, or else as what is cooked by default. */
function checkedKind(content: Content, path: string): KindsOf<'validate'> {
  const found = recogniseContent(content, path);
  const named = kindOfName(path);
  if (takes('validate', found)) return found;
  if (takes('validate', named)) return named;
  // JSON of other programs: what it lacks of a manifest is told.
  return found === 'gltf' ? 'manifest' : FORMATS[DEFAULT_FORMAT].kinds[0];
}

/** What is wrong with one file. */
async function check(path: string, name: string, files: SourceFiles, arkit: boolean): Promise<Findings> {
  const content = files.open(path, '', '');
  const kind = checkedKind(content, path);
  if (kind === 'usdz') {
    const { checkUsdz } = await import('../importers/usd/checkUsdz.ts');
    return { diagnostics: checkUsdz(content, name, { arkit }) };
  }
  const { checkFile } = await import('../formats/checks.ts');
  const bytes = wholeOf(content, name);
  return checkFile(kind, { name, fileName: basename(path), bytes, folder: diskProbe(dirname(path)) });
}

/** Calls check() and turns what it throws into diagnostics. */
async function checkOne(path: string, name: string, files: SourceFiles, arkit: boolean): Promise<Findings> {
  try {
    return await check(path, name, files, arkit);
  } catch (error) {
    return { diagnostics: thrownDiagnostics(error, name), error };
  }
}

function judge(found: readonly Diagnostic[], policy: SeverityPolicy, cwd: string): readonly Diagnostic[] {
  const all = new Diagnostics();
  for (const item of found) all.add(shownDiagnostic(applyPolicy(item, policy), cwd));
  return sortDiagnostics(all.list);
}

const isOk = (diagnostics: readonly Diagnostic[]): boolean => !diagnostics.some((d) => d.severity === 'error');

/** What a check has found, and which file names which; paths are absolute. */
export interface CheckedNames {
  readonly files: readonly CheckedFile[];
  readonly named: ReadonlyMap<string, readonly string[]>;
  /** Those that are tiles of sets. */
  readonly tiles: ReadonlySet<string>;
}

async function checkAll(words: readonly string[], given: ValidateOptions, cwd: string): Promise<CheckedNames> {
  const { signal, onProgress, onResult } = given;
  const { arkit = false, ...judging } = checkOptions(VALIDATE_CALL_OPTIONS, given, cwd);
  const policy = severityPolicy(judging);
  if (words.length === 0) fail('UC1002', '', '', 'no file is named', 'name a file, a folder or a pattern');
  // A stack: the payloads of a manifest come right after it, the textures of a payload after that, each file once.
  const open = expandSources(words, cwd, searchedExtensions('output'), isOwn, extensionsFor('validate')).reverse();
  const checked = new Map<string, CheckedFile>();
  const files = diskFiles(null);
  // A tile that is named itself is to be checked alone.
  const named = new Set(words.map((word) => resolve(cwd, word)));
  const tiles: string[] = [];
  const allTiles = new Set<string>();
  const namedBy = new Map<string, readonly string[]>();
  const result = () => ({ files: [...checked.values()], named: namedBy, tiles: allTiles });
  while (open.length > 0 && !signal?.aborted) {
    const path = open.pop()!;
    if (checked.has(path)) continue;
    const name = showPath(path, cwd);
    onProgress?.({ path: name, checked: checked.size, remaining: open.length + 1 });
    const found = await checkOne(path, name, files, arkit);
    const diagnostics = judge(found.diagnostics, policy, cwd);
    const file: CheckedFile = { path: name, ok: isOk(diagnostics), diagnostics };
    checked.set(path, file);
    onResult?.(file, found.error);
    if (found.isTile && !named.has(path)) tiles.push(path);
    if (found.isTile) allTiles.add(path);
    const others = (found.named ?? []).map((other) => join(dirname(path), other));
    namedBy.set(path, others);
    open.push(...[...others].reverse());
  }
  if (signal?.aborted) return result();
  const add = (path: string, items: readonly Diagnostic[]) => {
    const file = checked.get(path)!;
    const diagnostics = [...file.diagnostics, ...judge(items, policy, cwd)];
    checked.set(path, { ...file, ok: isOk(diagnostics), diagnostics });
  };
  for (const { example, item } of orphanTiles(tiles)) add(example, [item]);
  const sound = [...checked].filter(([, { ok }]) => ok).map(([path]) => path);
  for (const { path, items } of await strayChannels(sound, (path) => showPath(path, cwd))) add(path, items);
  return result();
}

/** Runs a call of validate(). Rejects only for a bug. */
export async function runValidate(words: readonly string[], given: ValidateOptions): Promise<ValidateResult> {
  const { exitCode, files, diagnostics } = await validateNames(words, given);
  return { exitCode, files, diagnostics };
}

/** As runValidate(), with the files that name others. */
export async function validateNames(
  words: readonly string[],
  given: ValidateOptions,
): Promise<ValidateResult & CheckedNames> {
  try {
    throwIfAborted(given.signal);
    const { files, ...names } = await checkAll(words, given, workingFolder(given));
    const diagnostics = given.signal?.aborted ? [interruption()] : [];
    const codes = files.map((file) => exitCodeOf(file.diagnostics));
    return { exitCode: worst([exitCodeOf(diagnostics), ...codes]), files, ...names, diagnostics };
  } catch (error) {
    return { files: [], named: new Map(), tiles: new Set(), ...failedCall(error, given) };
  }
}
