// check(): whether an output fits a device: what is in memory and in view at the worst places, against what the device carries.

import { type OptionsOf, type SettledOptions, settle } from '../../config/options/option.ts';
import { CHECK_CALL_OPTIONS } from '../../config/options/table.ts';
import { deviceNamed } from '../../config/projectDevices.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { applyPolicy } from '../../diagnostics/policy.ts';
import type { Device } from '../../engine/devices.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { variablesOf, workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { projectFile } from '../call/mergePreset.ts';
import { severityPolicy } from '../call/policy.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { writeWhole } from '../call/writeWhole.ts';
import { type NamedOutputs, namedOutputs } from '../namedOutputs.ts';
import { DELAY, type DeviceVerdict, rateOf, verdictOf } from './deviceVerdict.ts';
import { fitMap } from './fitMap.ts';
import { measureOutput, type Whereabouts } from './measureOutput.ts';
import { readFlight, zonePlaces } from './requestedPlaces.ts';
import { foundOf } from './verdict.ts';

/** The options of `untold check` in camelCase. */
export interface CheckOptions extends OptionsOf<typeof CHECK_CALL_OPTIONS>, CallOptions {
  /** Each of several outputs before it is checked. Must not throw. */
  readonly onOutput?: ((output: string, index: number, total: number) => void) | undefined;
}

export interface CheckDocument extends DeviceVerdict {
  /** Relative to the working folder. */
  readonly output: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Several outputs: those of a project, of one of its targets, or all of a folder. */
export interface CheckAllDocument {
  /** The folder that they lie in, relative to the working folder. */
  readonly output: string;
  readonly device: string;
  /** Every output is there, can be read and fits. */
  readonly fits: boolean;
  /** Each output that could be read, in the order of the paths. */
  readonly outputs: readonly CheckDocument[];
  /** What concerns the call as a whole: outputs that are not there or cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CheckResult {
  /** 0: it fits, or what is over is a warning; 1: an error; others as validate() gives them. Of several outputs the worst. */
  readonly exitCode: number;
  /** One output. Null when there are several, when the call was refused, or the output cannot be read. */
  readonly document: CheckDocument | null;
  /** Several outputs; null when one was named, or the call was refused. */
  readonly all: CheckAllDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a call asks for, with the device as the project has it. */
interface Asked {
  readonly options: SettledOptions<typeof CHECK_CALL_OPTIONS>;
  readonly device: Device;
}

/** Checks one output at an absolute path; `name`: what messages call it, `where`: which places count. Throws what reading it throws. */
async function checkOne(
  path: string,
  name: string,
  where: Whereabouts,
  { options, device }: Asked,
  cwd: string,
): Promise<CheckDocument> {
  const { deviceMemory, bandwidth, map } = options;
  const output = await measureOutput(path, name, cwd, { delay: DELAY, rate: rateOf(bandwidth) }, where);
  const unused = !output.isWhole
    ? null
    : where.flight
      ? '--path'
      : where.places && output.tiles.length === 0
        ? '--zone'
        : null;
  if (unused !== null) fail('UC1012', '', unused, `${name} is loaded as a whole, wherever somebody is`);
  const verdict = verdictOf(output, device, deviceMemory);
  if (map !== undefined) {
    if (output.expected.length === 0)
      fail('UC1012', '', '--map', 'there is no map of a single file, a pack or a flight');
    writeWhole(map, Buffer.from(fitMap(output, device, deviceMemory)), '--map');
  }
  const policy = severityPolicy(options);
  const found = foundOf(output, verdict.measures, device, showPath(output.path, cwd));
  const diagnostics = found.map((item) => shownDiagnostic(applyPolicy(item, policy), cwd));
  return { output: name, ...verdict, diagnostics };
}

/** Checks several outputs; what keeps one from being read does not stop the others. */
async function checkEach({ place, mains, notes }: NamedOutputs, where: Whereabouts, asked: Asked, given: CheckOptions) {
  const { options, device } = asked;
  const cwd = workingFolder(given);
  if (options.map !== undefined) {
    fail('UC1012', '', '--map', `a map shows one output, and there are ${mains.length}`, 'name one of them');
  }
  const policy = severityPolicy(options);
  const outputs: CheckDocument[] = [];
  const lacking: Diagnostic[] = [...notes];
  for (const [i, path] of mains.entries()) {
    throwIfAborted(given.signal);
    given.onOutput?.(showPath(path, cwd), i, mains.length);
    try {
      outputs.push(await checkOne(path, showPath(path, cwd), where, asked, cwd));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      lacking.push(...error.diagnostics);
    }
  }
  const diagnostics = lacking.map((item) => shownDiagnostic(applyPolicy(item, policy), cwd));
  const fits = outputs.every((one) => one.fits) && !diagnostics.some(({ severity }) => severity === 'error');
  const all = { output: showPath(place, cwd), device: device.id, fits, outputs, diagnostics };
  const exitCode = exitCodeOf([...diagnostics, ...outputs.flatMap((one) => one.diagnostics)]);
  return { exitCode, document: null, all, diagnostics: [] };
}

async function checkOutputs(word: string | null, given: CheckOptions, cwd: string): Promise<CheckResult> {
  const own = checkOptions(CHECK_CALL_OPTIONS, given, cwd);
  const project = projectFile(own, cwd, variablesOf(given));
  const { device: ofProject, deviceMemory: memoryOfProject, bandwidth: rateOfProject } = project?.values ?? {};
  const below = { device: ofProject, deviceMemory: memoryOfProject, bandwidth: rateOfProject };
  const options = settle(CHECK_CALL_OPTIONS, below, own);
  const device = deviceNamed(options.device, project?.devices, project ? showPath(project.path, cwd) : '');
  const asked: Asked = { options, device };
  const { zone, path: flight, config } = options;
  const named = await namedOutputs('check', word, config, given);
  if (zone !== undefined && flight !== undefined) fail('UC1012', '', '--path', 'given together with --zone');
  const where: Whereabouts = {
    ...(zone ? { places: zonePlaces(zone, cwd) } : {}),
    ...(flight === undefined ? {} : { flight: readFlight(flight, cwd) }),
  };
  if (named.isProjects || named.mains.length > 1) return checkEach(named, where, asked, given);
  const [main = named.place] = named.mains;
  const document = await checkOne(main, showPath(named.place, cwd), where, asked, cwd);
  throwIfAborted(given.signal);
  return { exitCode: exitCodeOf(document.diagnostics), document, all: null, diagnostics: [] };
}

/** Runs a call of check(); null are the outputs of the project. Rejects only for a bug. */
export async function runCheck(file: string | null, given: CheckOptions): Promise<CheckResult> {
  try {
    throwIfAborted(given.signal);
    return await checkOutputs(file, given, workingFolder(given));
  } catch (error) {
    return { document: null, all: null, ...failedCall(error, given) };
  }
}
