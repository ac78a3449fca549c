// `untold validate`: checks .untold files, and manifests with all that they name, against the format and against what
// the engine refuses, crashes on or silently drops.

import { basename, dirname, extname, join, resolve } from 'node:path';
import { defaultValues, layerValues, type OptionValue } from '../config/settings.ts';
import { expandSources, showPath } from '../config/sources.ts';
import { type Diagnostic, Diagnostics, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { applyPolicy, type SeverityPolicy } from '../diagnostics/policy.ts';
import { diskFiles, type SourceFiles } from '../importers/files.ts';
import { recognise } from '../importers/index.ts';
import { isFile, readWholeText } from '../importers/wholeFile.ts';
import { stackLines, thrownDiagnostics } from './bug.ts';
import { print, shownDiagnostic } from './documents.ts';
import { exitCodeOf, worst } from './exitCode.ts';
import { onInterrupt } from './interrupt.ts';
import { type Log, openLog } from './log.ts';
import { looseTiles } from './looseTiles.ts';
import { diskProbe, isManifestText } from './manifestFiles.ts';
import { logOptions, severityPolicy, VALIDATE_OPTIONS } from './options.ts';
import type { Terminal } from './terminal.ts';
import { plural } from './words.ts';
import { workingFolder } from './workingFolder.ts';

/** One row of the document. */
interface CheckedFile {
  readonly path: string;
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * In folders only JSON files that mean to be manifests count; one that cannot be parsed may be a broken one, and one that
 * cannot be read stays, so that the check says so.
 */
function isCandidate(path: string): boolean {
  if (extname(path).toLowerCase() !== '.json') return true;
  try {
    return isManifestText(readWholeText(path)) !== false;
  } catch {
    return true;
  }
}

interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of payloads that are files of their own. */
  readonly payloads: readonly string[];
  /** Whether the file is a tile, which a manifest has to list. */
  readonly isTile: boolean;
}

/** What is wrong with one file, by its content: a manifest when it is JSON (or is called so), else a .untold file. */
async function check(path: string, name: string, files: SourceFiles): Promise<Findings> {
  const bytes = files.read(path, '', '');
  const folder = dirname(path);
  const kind = recognise(bytes);
  if (kind === 'json' || (kind === null && extname(path).toLowerCase() === '.json')) {
    const { validateManifest } = await import('../formats/manifest/validate.ts');
    const report = await validateManifest(new TextDecoder().decode(bytes), name, diskProbe(folder));
    return {
      // What is said of a payload is said again, with all the rest, when the payload is checked itself; of a listed
      // file that cannot be read nothing else will speak.
      diagnostics: report.diagnostics.filter((d) => d.file === name || d.code === 'UC1200'),
      payloads: report.payloads.map((payload) => join(folder, payload)),
      isTile: false,
    };
  }
  const { validateUntold } = await import('../formats/untold/check/validate.ts');
  const { missingTextures } = await import('../formats/untold/textureFiles.ts');
  const { isTileOfSet } = await import('../formats/untold/setNames.ts');
  const found = await validateUntold(bytes, name, { engine: true });
  const exists = (texture: string) => isFile(join(folder, texture));
  const isTile = isTileOfSet(basename(path), bytes);
  return { diagnostics: [...found, ...(await missingTextures(bytes, name, exists))], payloads: [], isTile };
}

/** check(), with whatever is thrown as a diagnostic. */
async function checkOne(path: string, name: string, files: SourceFiles, log: Log): Promise<Findings> {
  try {
    return await check(path, name, files);
  } catch (error) {
    for (const line of stackLines(error)) log.detail(line, {});
    return { diagnostics: thrownDiagnostics(error, name), payloads: [], isTile: false };
  }
}

function judge(found: readonly Diagnostic[], policy: SeverityPolicy, cwd: string): readonly Diagnostic[] {
  const all = new Diagnostics();
  for (const item of found) all.add(shownDiagnostic(applyPolicy(item, policy), cwd));
  return sortDiagnostics(all.list);
}

/** Validates what the words name and returns the exit code. */
export async function validate(
  words: readonly string[],
  given: ReadonlyMap<string, OptionValue>,
  terminal: Terminal,
): Promise<number> {
  const cwd = workingFolder();
  const values = layerValues(defaultValues(VALIDATE_OPTIONS), given);
  const log = await openLog(terminal, logOptions(values));
  const policy = severityPolicy(values);
  const json = values.get('json') === true;
  // A stack: the payloads of a manifest come right after it, each file once.
  const open = expandSources(words, cwd, ['.untold', '.json'], isCandidate).reverse();
  const checked = new Map<string, CheckedFile>();
  const answer = () => {
    if (json) terminal.answer(print({ files: [...checked.values()] }));
  };
  const release = onInterrupt(log, answer);
  const files = diskFiles(null);
  // A tile that is named itself is to be checked alone.
  const named = new Set(words.map((word) => resolve(cwd, word)));
  const tiles: string[] = [];
  const codes: number[] = [];
  while (open.length > 0) {
    const path = open.pop()!;
    if (checked.has(path)) continue;
    const name = showPath(path, cwd);
    log.progress(
      `${name}  (${checked.size} checked, ${open.length + 1} to go)`,
      { event: 'progress', path: name },
      false,
    );
    const found = await checkOne(path, name, files, log);
    const diagnostics = judge(found.diagnostics, policy, cwd);
    const ok = !diagnostics.some((d) => d.severity === 'error');
    checked.set(path, { path: name, ok, diagnostics });
    codes.push(exitCodeOf(diagnostics));
    terminal.status('');
    for (const item of diagnostics) log.diagnostic(item);
    log.detail(`${name}: ${ok ? 'ok' : 'has errors'}`, { event: 'validated', path: name, ok });
    if (found.isTile && !named.has(path)) tiles.push(path);
    for (const payload of [...found.payloads].reverse()) open.push(payload);
  }
  for (const { example, item } of looseTiles(tiles)) {
    const [said] = judge([item], policy, cwd);
    const row = checked.get(example)!;
    checked.set(example, {
      ...row,
      ok: row.ok && said.severity !== 'error',
      diagnostics: [...row.diagnostics, said],
    });
    codes.push(exitCodeOf([said]));
    log.diagnostic(said);
  }
  release();
  report([...checked.values()], log);
  answer();
  return worst(codes);
}

function report(files: readonly CheckedFile[], log: Log): void {
  const bad = files.filter((file) => !file.ok).length;
  const all = files.flatMap((file) => file.diagnostics);
  const errors = all.filter((d) => d.severity === 'error').length;
  const warnings = all.filter((d) => d.severity === 'warning').length;
  const verdict = bad === 0 ? 'valid' : `${files.length - bad} valid, ${bad} with errors`;
  const counts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : ''];
  const said = counts.filter((part) => part !== '').join(', ');
  const fields = { event: 'finished', files: files.length, bad, errors, warnings };
  log.info(`${plural(files.length, 'file')}: ${verdict}${said === '' ? '' : ` (${said})`}`, fields);
}
