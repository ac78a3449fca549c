// importScene(): one source as a Scene, for programs that examine it or convert it themselves.

import { resolve } from 'node:path';
import type { OptionsOf } from '../config/options/option.ts';
import { READ_CALL_OPTIONS } from '../config/options/table.ts';
import { assetSearch, importOptions, limitsOf } from '../config/settings.ts';
import { showPath } from '../config/showPath.ts';
import { throwIfAborted } from '../cook/interruption.ts';
import { type Diagnostic, Diagnostics, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { LimitWatch } from '../diagnostics/limits.ts';
import { defaultRoot, diskFiles, type SourceFiles } from '../importers/files.ts';
import { importSource } from '../importers/index.ts';
import { pathInPackage } from '../importers/packages.ts';
import { isFile } from '../importers/wholeFile.ts';
import type { Scene } from '../scene/types.ts';
import { type CallOptions, checkOptions } from './call/checkOptions.ts';
import { folderOfMessages, workingFolder } from './call/environment.ts';
import { exitCodeOf } from './call/exitCode.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';

/** What of a source is read: the options of `untold inspect`, in camelCase. */
export interface ReadOptions extends OptionsOf<typeof READ_CALL_OPTIONS>, CallOptions {}

export interface ImportResult {
  /** What `untold` would end with: 0 when the source was read without errors. */
  readonly exitCode: number;
  /** Null when the source has errors. */
  readonly scene: Scene | null;
  /** Sorted by file, element and code. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of every file that was read, sorted. */
  readonly filesRead: readonly string[];
}

/** `lodGroups`: as ImportOptions has it. */
export async function importScene(file: string, given: ReadOptions, lodGroups = false): Promise<ImportResult> {
  const diagnostics = new Diagnostics();
  let files: SourceFiles | null = null;
  let scene: Scene | null = null;
  try {
    throwIfAborted(given.signal);
    const cwd = workingFolder(given);
    const options = checkOptions(READ_CALL_OPTIONS, given, cwd);
    const path = resolve(cwd, pathInPackage(file, (outer) => isFile(resolve(cwd, outer))) ?? file);
    files = diskFiles(
      options.root ?? defaultRoot(path),
      assetSearch(options, cwd),
      undefined,
      new LimitWatch(limitsOf(options)),
    );
    const context = { files, diagnostics, options: { ...importOptions(options), lodGroups } };
    scene = await importSource(path, showPath(path, cwd), context);
    throwIfAborted(given.signal);
  } catch (error) {
    const faults = faultsOf(error, file);
    if (faults === null) throw error;
    scene = null;
    for (const fault of faults) diagnostics.add(fault);
  }
  const shown = sortDiagnostics(diagnostics.list).map((item) => shownDiagnostic(item, folderOfMessages(given)));
  return { exitCode: exitCodeOf(shown), scene, diagnostics: shown, filesRead: files?.list() ?? [] };
}
