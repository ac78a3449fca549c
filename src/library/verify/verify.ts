// verify(): whether a whole output is sound, by its rules and by what its own records prove, and with the sources that it was
// cooked from whether it is up to date.

import { resolve } from 'node:path';
import type { OptionsOf } from '../../config/options/option.ts';
import { JUDGE_OPTIONS, VERIFY_CALL_OPTIONS } from '../../config/options/table.ts';
import { outEachRoot } from '../../config/outEach.ts';
import { showPath } from '../../config/showPath.ts';
import { mainFile } from '../../config/targets.ts';
import { type Diagnostic, diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import { applyPolicy } from '../../diagnostics/policy.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { variablesOf, workingFolder } from '../call/environment.ts';
import { exitCodeOf, worst } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { mergePreset } from '../call/mergePreset.ts';
import { severityPolicy } from '../call/policy.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import type { CookPlan } from '../cookPlan.ts';
import { isBelow } from '../isBelow.ts';
import { singleFilesBelow } from '../outputsBelow.ts';
import { type CheckedFile, validateNames } from '../validate.ts';
import { countFiles, othersThan, type VerifyCounts } from './countFiles.ts';
import { type CheckedSource, checkFresh } from './freshSets.ts';
import { placeOfPath, placeOfProject, type VerifyPlace } from './place.ts';
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
  /** Every file of the output, each once, in numbers. */
  readonly counts: VerifyCounts;
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

/** Single files and packs that the pattern of a plan may have named, and no source is cooked into. */
async function strayFiles({ options: { outEach } }: CookPlan, outputs: ReadonlySet<string>): Promise<string[]> {
  if (outEach === undefined) return [];
  const found = await singleFilesBelow(outEachRoot(outEach), outEach);
  return found.map(({ main }) => main).filter((main) => !outputs.has(main));
}

/** Whether what lies below the folder and is of no output counts: not among sources, and not where other builds have single files. */
function countsAll({ place, files, against, others }: VerifyPlace, cwd: string): boolean {
  const isWhole = files.length === 1 && files[0] === place;
  const holdsSources = against?.plan.jobs.some((job) =>
    (job.joined ?? [job]).some(({ source }) => isBelow(resolve(cwd, source), place)),
  );
  return !holdsSources && (isWhole || others.length === 0);
}

async function verifyOutput(folder: string | null, given: VerifyOptions, cwd: string) {
  const { against = [], ...ofCook } = checkOptions(VERIFY_CALL_OPTIONS, given, cwd);
  const { signal, environment } = given;
  const options = { ...ofCook, signal, environment };
  const words = against.length > 0 ? against : folder === null ? [] : [folder];
  const whole = mergePreset(ofCook, cwd, variablesOf(given), words);
  const isProjects = whole.build.isProjects && (folder === null || against.length === 0);
  if (folder === null && !isProjects) {
    const remedy =
      'name the folder or file that --out names; in a project, the project file has to name sources and out';
    fail('UC1002', '', '', 'no output is named', remedy);
  }
  const verified =
    folder === null || isProjects
      ? await placeOfProject(whole, options, cwd)
      : await placeOfPath(folder, against, whole, options, cwd);
  const { place } = verified;
  const merged = whole.options;
  const names = JUDGE_OPTIONS.map(({ name }) => name);
  const judging = Object.fromEntries(Object.entries(merged).filter(([name]) => (names as string[]).includes(name)));
  const policy = severityPolicy(merged);
  const { against: cooked, others } = verified;
  const planned = new Set([...(cooked?.plan.jobs.map(({ target }) => mainFile(target)) ?? []), ...others]);
  const strays = cooked ? await strayFiles(cooked.plan, planned) : [];
  const checked = [...new Set([...verified.files, ...strays])];
  const validated = await validateNames(checked, { ...judging, signal, environment });
  const judged = (item: Diagnostic) => shownDiagnostic(applyPolicy(item, policy), cwd);
  const files = validated.files.map((file): CheckedFile => {
    const more = checkSet(resolve(cwd, file.path), file.path).map(judged);
    const diagnostics = [...file.diagnostics, ...more];
    return { ...file, ok: isOk(diagnostics), diagnostics };
  });
  const absolute = files.map(({ path }) => resolve(cwd, path));
  const ok = new Map(files.map((file, i) => [absolute[i], file.ok]));
  const known = { ok, named: validated.named, tiles: validated.tiles };
  if (cooked) strays.push(...othersThan(planned, known).filter((path) => !strays.includes(path)));
  const { counts, unlisted } = countFiles(place, known, new Set(strays), countsAll(verified, cwd));
  // Of what lies in the folder of a set the check of the set tells.
  const told = new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ file }) => file)));
  for (const [i, file] of files.entries()) {
    if (!unlisted.has(absolute[i]) || file.diagnostics.length > 0 || told.has(file.path)) continue;
    const item = judged(diagnostic('UC3240', file.path, '', 'no output names it'));
    files[i] = { ...file, ok: isOk([item]), diagnostics: [item] };
  }
  const codes = [exitCodeOf(validated.diagnostics), ...files.map(({ diagnostics }) => exitCodeOf(diagnostics))];
  const sound = isOk(validated.diagnostics) && files.every((file) => file.ok);
  const output = showPath(place, cwd);
  if (cooked === null) {
    const diagnostics = [...verified.notes.map(judged), ...validated.diagnostics];
    return {
      exitCode: worst(codes),
      document: { output, sound, fresh: null, counts, files, sources: [], diagnostics },
    };
  }
  const compared = await checkFresh(cooked.words, cooked.plan, cooked.options, cwd);
  const sources = compared.sources.map((source) => ({ ...source, diagnostics: source.diagnostics.map(judged) }));
  const ofStrays = strays.map((path) =>
    judged(diagnostic('UC3246', showPath(path, cwd), '', 'none of the sources is cooked into it')),
  );
  const diagnostics = [
    ...validated.diagnostics,
    ...verified.notes.map(judged),
    ...compared.diagnostics.map(judged),
    ...ofStrays,
  ];
  const fresh = sources.every(({ status }) => status === 'fresh') && isOk(ofStrays);
  const all = [
    ...codes,
    compared.exitCode,
    exitCodeOf(diagnostics),
    ...sources.map((one) => exitCodeOf(one.diagnostics)),
  ];
  return { exitCode: worst(all), document: { output, sound, fresh, counts, files, sources, diagnostics } };
}

/** Runs a call of verify(); an output of null is that of the project. Rejects only for a bug. */
export async function runVerify(folder: string | null, given: VerifyOptions): Promise<VerifyResult> {
  try {
    return { ...(await verifyOutput(folder, given, workingFolder(given))), diagnostics: [] };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
