// verify(): whether a whole output is sound, by its rules and by what its own records prove, and with the sources that it was
// cooked from whether it is up to date.

import { dirname, join, resolve } from 'node:path';
import type { OptionsOf } from '../../config/options/option.ts';
import { JUDGE_OPTIONS, VERIFY_CALL_OPTIONS } from '../../config/options/table.ts';
import { showPath } from '../../config/showPath.ts';
import { filesBeside } from '../../cook/outputs/singleFile/ownFiles.ts';
import { type Diagnostic, diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import { applyPolicy } from '../../diagnostics/policy.ts';
import { filesOfManifest } from '../../formats/manifest/write.ts';
import { isPackPath } from '../../formats/untoldpack/document.ts';
import { isFile, readWholeText, statusOf } from '../../importers/wholeFile.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { variablesOf, workingFolder } from '../call/environment.ts';
import { exitCodeOf, worst } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { mergePreset } from '../call/mergePreset.ts';
import { severityPolicy } from '../call/policy.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { type CheckedFile, runValidate } from '../validate.ts';
import { type CheckedSource, checkFresh } from './freshSets.ts';
import { checkSet } from './soundSets.ts';

/** The options of `untold verify` in camelCase: `against`, and those of the cook. */
export interface VerifyOptions extends OptionsOf<typeof VERIFY_CALL_OPTIONS>, CallOptions {}

export interface VerifyDocument {
  /** Relative to the working folder. */
  readonly output: string;
  /** Whether every file is what it has to be. */
  readonly sound: boolean;
  /** Whether every source has the output that a cook would write now; null: no source was named. */
  readonly fresh: boolean | null;
  /** As validate() gives them, with what the records of sets prove. */
  readonly files: readonly CheckedFile[];
  /** Empty without `against`. */
  readonly sources: readonly CheckedSource[];
  /** What concerns the call as a whole. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface VerifyResult {
  /** 0 sound, and fresh as far as that was asked; 1 unsound or stale; others as cook() and validate() give them. */
  readonly exitCode: number;
  /** Null when the call was refused. */
  readonly document: VerifyDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

const isOk = (diagnostics: readonly Diagnostic[]): boolean => !diagnostics.some((d) => d.severity === 'error');

function isSet(path: string): boolean {
  try {
    const scene = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1, -'.json'.length);
    return path.endsWith('.json') && filesOfManifest(readWholeText(path), scene) !== null;
  } catch {
    return false;
  }
}

/** The clips of a model that is one file; none of a folder. */
function clipsBeside(place: string): string[] {
  if (!isFile(place) || isPackPath(place)) return [];
  const clips = [...filesBeside(place).keys()].filter((path) => !path.endsWith('.txt'));
  return clips.map((path) => join(dirname(place), path));
}

async function verifyOutput(folder: string, given: VerifyOptions, cwd: string) {
  const { against = [], ...ofCook } = checkOptions(VERIFY_CALL_OPTIONS, given, cwd);
  const { signal, environment } = given;
  const place = resolve(cwd, folder);
  if (statusOf(place).stat === null) {
    fail('UC1200', folder, '', 'no such file or folder', 'name the folder or file that --out names');
  }
  const merged = mergePreset(ofCook, cwd, variablesOf(given)).options;
  const names = JUDGE_OPTIONS.map(({ name }) => name);
  const judging = Object.fromEntries(Object.entries(merged).filter(([name]) => (names as string[]).includes(name)));
  const policy = severityPolicy(merged);
  const validated = await runValidate([folder, ...clipsBeside(place)], { ...judging, signal, environment });
  const judged = (item: Diagnostic) => shownDiagnostic(applyPolicy(item, policy), cwd);
  const files = validated.files.map((file): CheckedFile => {
    const more = checkSet(resolve(cwd, file.path), file.path).map(judged);
    const diagnostics = [...file.diagnostics, ...more];
    return { ...file, ok: isOk(diagnostics), diagnostics };
  });
  const codes = [exitCodeOf(validated.diagnostics), ...files.map(({ diagnostics }) => exitCodeOf(diagnostics))];
  const sound = isOk(validated.diagnostics) && files.every(({ ok }) => ok);
  const output = showPath(place, cwd);
  if (against.length === 0) {
    const { diagnostics } = validated;
    return { exitCode: worst(codes), document: { output, sound, fresh: null, files, sources: [], diagnostics } };
  }
  const checked = await checkFresh(against, place, { ...ofCook, signal, environment }, cwd);
  const sources = checked.sources.map((source) => ({ ...source, diagnostics: source.diagnostics.map(judged) }));
  const strays = files
    .filter(({ path }) => isSet(resolve(cwd, path)) && !checked.outputs.has(resolve(cwd, path)))
    .map(({ path }) => judged(diagnostic('UC3246', path, '', 'none of the sources is cooked into it')));
  const diagnostics = [...validated.diagnostics, ...checked.diagnostics.map(judged), ...strays];
  const fresh = sources.every(({ status }) => status === 'fresh') && isOk(strays);
  const all = [
    ...codes,
    checked.exitCode,
    exitCodeOf(diagnostics),
    ...sources.map((one) => exitCodeOf(one.diagnostics)),
  ];
  return { exitCode: worst(all), document: { output, sound, fresh, files, sources, diagnostics } };
}

/** Runs a call of verify(). Rejects only for a bug. */
export async function runVerify(folder: string, given: VerifyOptions): Promise<VerifyResult> {
  try {
    return { ...(await verifyOutput(folder, given, workingFolder(given))), diagnostics: [] };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
