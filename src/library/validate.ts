// validate(): checks packages and cooked files, and manifests with all that they name, against their format and against what the engine
// refuses, crashes on or silently drops.

import { basename, dirname, extname, join, resolve } from 'node:path';
import type { OptionsOf } from '../config/options/option.ts';
import { VALIDATE_CALL_OPTIONS } from '../config/options/table.ts';
import { showPath } from '../config/showPath.ts';
import { expandSources } from '../config/sources.ts';
import { interruption, throwIfAborted } from '../cook/interruption.ts';
import { type Diagnostic, Diagnostics, diagnostic, fail, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { applyPolicy, type SeverityPolicy } from '../diagnostics/policy.ts';
import { CLIP_EXTENSION } from '../engine/names.ts';
import { BPX_EXTENSION, isBpx } from '../formats/bpx/container/layout.ts';
import { GALILEO_EXTENSION, isGalileo } from '../formats/galileo/layout.ts';
import { COOKED_EXTENSIONS, DEFAULT_FORMAT, formatOfContent, loadFormat } from '../formats/registry.ts';
import { isShardText } from '../formats/shard/document.ts';
import { readShardText } from '../formats/shard/text.ts';
import { PACK_EXTENSION } from '../formats/untoldpack/document.ts';
import { USDZ_EXTENSION } from '../formats/usdz/write.ts';
import { isUtex, UTEX_EXTENSION } from '../formats/utex/layout.ts';
import { wholeOf } from '../importers/content.ts';
import { diskFiles, type SourceFiles } from '../importers/files.ts';
import { recognise } from '../importers/index.ts';
import { isZip } from '../importers/usd/readLayer.ts';
import { readWholeText } from '../importers/wholeFile.ts';
import { type CallOptions, checkOptions } from './call/checkOptions.ts';
import { workingFolder } from './call/environment.ts';
import { exitCodeOf, worst } from './call/exitCode.ts';
import { failedCall, thrownDiagnostics } from './call/faults.ts';
import { severityPolicy } from './call/policy.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { looseTiles } from './looseTiles.ts';
import { diskProbe, isManifestText, textureProbe } from './manifestFiles.ts';
import { strayChannels } from './strayChannels.ts';
import {
  checkRecord,
  checkUrho3d,
  filesOfRecord,
  isUrho3dCandidate,
  isUrho3dFile,
  URHO3D_EXTENSIONS,
} from './urho3dFiles.ts';

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

/**
 * Of the JSON files in a folder, only manifests count. A file that cannot be parsed may be a broken manifest, and a file
 * that cannot be read is checked too, so that it is reported.
 */
function isCandidate(path: string): boolean {
  if (URHO3D_EXTENSIONS.includes(extname(path).toLowerCase())) return isUrho3dCandidate(path);
  if (extname(path).toLowerCase() !== '.json') return true;
  try {
    const text = readWholeText(path);
    const isRecord = filesOfRecord(text, basename(path, '.json')) !== null;
    return isShardText(text) || isRecord || isManifestText(text) !== false;
  } catch {
    return true;
  }
}

interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of files that are checked too: payloads of a manifest, cooked textures of a payload. */
  readonly named: readonly string[];
  /** Whether the file is a tile, which a manifest has to list. */
  readonly isTile: boolean;
  readonly error?: unknown;
}

/** What is wrong with one file, by its content: a manifest when it is JSON (or is called so), else a cooked one. */
async function check(path: string, name: string, files: SourceFiles, arkit: boolean): Promise<Findings> {
  const content = files.open(path, '', '');
  const extension = extname(path).toLowerCase();
  if (isZip(content) || extension === USDZ_EXTENSION) {
    const { checkUsdz } = await import('../importers/usd/checkUsdz.ts');
    return { diagnostics: checkUsdz(content, name, { arkit }), named: [], isTile: false };
  }
  const bytes = wholeOf(content, name);
  const folder = dirname(path);
  const kind = recognise(bytes);
  const isUnknown = kind === null && !isUtex(bytes);
  if (isBpx(bytes) || (isUnknown && !isGalileo(bytes) && extension === BPX_EXTENSION)) {
    const { validateWithFiles } = await import('../formats/bpx/validateFiles.ts');
    return { diagnostics: await validateWithFiles(bytes, name), named: [], isTile: false };
  }
  if (isGalileo(bytes) || (isUnknown && extension === GALILEO_EXTENSION)) {
    const { validateGalileo } = await import('../formats/galileo/validate.ts');
    return { diagnostics: await validateGalileo(bytes, name), named: [], isTile: false };
  }
  if (extension === PACK_EXTENSION) {
    const { validatePack } = await import('../formats/untoldpack/validate.ts');
    const { diagnostics, models } = validatePack(new TextDecoder().decode(bytes), name, diskProbe(folder));
    return { diagnostics, named: models.map((model) => join(folder, model)), isTile: false };
  }
  if (kind === 'json' || (kind === null && extension === '.json')) {
    const text = new TextDecoder().decode(bytes);
    if (isShardText(text)) {
      const { index, count } = readShardText(text, name);
      const part = `it is part ${index} of ${count} of a set, and has no manifest`;
      return { diagnostics: [diagnostic('UC4205', name, '', part)], named: [], isTile: false };
    }
    const scene = basename(path, '.json');
    const recorded = filesOfRecord(text, scene);
    if (recorded) return { ...checkRecord(recorded, name, folder, scene), isTile: false };
    const { validateManifest } = await import('../formats/manifest/validate.ts');
    const report = await validateManifest(text, name, diskProbe(folder));
    return {
      // A payload is checked itself, with all that is wrong with it. A listed file that cannot be read is not.
      diagnostics: report.diagnostics.filter((d) => d.file === name || d.code === 'UC1200'),
      named: report.payloads.map((payload) => join(folder, payload)),
      isTile: false,
    };
  }
  if (isUtex(bytes) || (kind === null && extension === UTEX_EXTENSION)) {
    const { validateUtex } = await import('../formats/utex/validate.ts');
    return { diagnostics: validateUtex(bytes, name), named: [], isTile: false };
  }
  if (isUrho3dFile(bytes, path)) {
    return { diagnostics: checkUrho3d(bytes, name), named: [], isTile: false };
  }
  // If the file is of no format, the check of the default format reports what is wrong with it.
  const format = await loadFormat(formatOfContent(bytes) ?? DEFAULT_FORMAT);
  const found = await format.verify(bytes, name, { engine: true });
  const textures = await format.checkTextures(bytes, name, textureProbe(folder));
  return {
    diagnostics: [...found, ...textures.diagnostics],
    named: textures.cooked.map((texture) => join(folder, texture)),
    isTile: format.isTileOfSet(basename(path), bytes),
  };
}

/** Calls check() and turns what it throws into diagnostics. */
async function checkOne(path: string, name: string, files: SourceFiles, arkit: boolean): Promise<Findings> {
  try {
    return await check(path, name, files, arkit);
  } catch (error) {
    return { diagnostics: thrownDiagnostics(error, name), named: [], isTile: false, error };
  }
}

function judge(found: readonly Diagnostic[], policy: SeverityPolicy, cwd: string): readonly Diagnostic[] {
  const all = new Diagnostics();
  for (const item of found) all.add(shownDiagnostic(applyPolicy(item, policy), cwd));
  return sortDiagnostics(all.list);
}

const isOk = (diagnostics: readonly Diagnostic[]): boolean => !diagnostics.some((d) => d.severity === 'error');

async function checkAll(words: readonly string[], given: ValidateOptions, cwd: string): Promise<CheckedFile[]> {
  const { signal, onProgress, onResult } = given;
  const { arkit = false, ...judging } = checkOptions(VALIDATE_CALL_OPTIONS, given, cwd);
  const policy = severityPolicy(judging);
  if (words.length === 0) fail('UC1002', '', '', 'no file is named', 'name a file, a folder or a pattern');
  // A stack: the payloads of a manifest come right after it, the textures of a payload after that, each file once.
  const open = expandSources(
    words,
    cwd,
    [
      ...COOKED_EXTENSIONS,
      '.json',
      PACK_EXTENSION,
      UTEX_EXTENSION,
      BPX_EXTENSION,
      GALILEO_EXTENSION,
      CLIP_EXTENSION,
      ...URHO3D_EXTENSIONS,
    ],
    isCandidate,
  ).reverse();
  const checked = new Map<string, CheckedFile>();
  const files = diskFiles(null);
  // A tile that is named itself is to be checked alone.
  const named = new Set(words.map((word) => resolve(cwd, word)));
  const tiles: string[] = [];
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
    for (const other of [...found.named].reverse()) open.push(other);
  }
  if (signal?.aborted) return [...checked.values()];
  const add = (path: string, items: readonly Diagnostic[]) => {
    const file = checked.get(path)!;
    const diagnostics = [...file.diagnostics, ...judge(items, policy, cwd)];
    checked.set(path, { ...file, ok: isOk(diagnostics), diagnostics });
  };
  for (const { example, item } of looseTiles(tiles)) add(example, [item]);
  const sound = [...checked].filter(([, { ok }]) => ok).map(([path]) => path);
  for (const { path, items } of await strayChannels(sound, (path) => showPath(path, cwd))) add(path, items);
  return [...checked.values()];
}

/** Runs a call of validate(). Rejects only for a bug. */
export async function runValidate(words: readonly string[], given: ValidateOptions): Promise<ValidateResult> {
  try {
    throwIfAborted(given.signal);
    const files = await checkAll(words, given, workingFolder(given));
    const diagnostics = given.signal?.aborted ? [interruption()] : [];
    const codes = files.map((file) => exitCodeOf(file.diagnostics));
    return { exitCode: worst([exitCodeOf(diagnostics), ...codes]), files, diagnostics };
  } catch (error) {
    return { files: [], ...failedCall(error, given) };
  }
}
