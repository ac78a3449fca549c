// check(): whether an output fits a device: what is in memory and in view at the worst places, against what the device carries.

import { resolve } from 'node:path';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { CHECK_CALL_OPTIONS } from '../../config/options/table.ts';
import { deviceNamed } from '../../config/projectDevices.ts';
import { showPath } from '../../config/showPath.ts';
import { urlFault } from '../../config/sources.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { applyPolicy } from '../../diagnostics/policy.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { variablesOf, workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { projectFile } from '../call/mergePreset.ts';
import { severityPolicy } from '../call/policy.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { writeWhole } from '../call/writeWhole.ts';
import { DELAY, type DeviceVerdict, rateOf, verdictOf } from './deviceVerdict.ts';
import { fitMap } from './fitMap.ts';
import { measureOutput, type Whereabouts } from './measureOutput.ts';
import { readFlight, zonePlaces } from './requestedPlaces.ts';
import { foundOf } from './verdict.ts';

/** The options of `untold check` in camelCase. */
export interface CheckOptions extends OptionsOf<typeof CHECK_CALL_OPTIONS>, CallOptions {}

export interface CheckDocument extends DeviceVerdict {
  /** Relative to the working folder. */
  readonly output: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CheckResult {
  /** 0: it fits, or what is over is a warning; 1: an error; others as validate() gives them. */
  readonly exitCode: number;
  /** Null when the call was refused, or the output cannot be read. */
  readonly document: CheckDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

async function checkOutput(file: string, given: CheckOptions, cwd: string): Promise<CheckResult> {
  const asked = checkOptions(CHECK_CALL_OPTIONS, given, cwd);
  const project = projectFile(asked, cwd, variablesOf(given));
  const { device: ofProject, deviceMemory: memoryOfProject, bandwidth: rateOfProject } = project?.values ?? {};
  const below = { device: ofProject, deviceMemory: memoryOfProject, bandwidth: rateOfProject };
  const options = settle(CHECK_CALL_OPTIONS, below, asked);
  const { deviceMemory, bandwidth, zone, path: flight, map } = options;
  const device = deviceNamed(options.device, project?.devices, project ? showPath(project.path, cwd) : '');
  const url = urlFault(file);
  if (url !== null) throw new SourceError(url);
  if (file === '') fail('UC1003', '', '', 'the name of the output is empty', 'give a file or a folder');
  if (zone !== undefined && flight !== undefined) fail('UC1012', '', '--path', 'given together with --zone');
  const where: Whereabouts = {
    ...(zone ? { places: zonePlaces(zone, cwd) } : {}),
    ...(flight === undefined ? {} : { flight: readFlight(flight, cwd) }),
  };
  const place = resolve(cwd, file);
  const name = showPath(place, cwd);
  const output = await measureOutput(place, name, cwd, { delay: DELAY, rate: rateOf(bandwidth) }, where);
  throwIfAborted(given.signal);
  if (output.isWhole && (zone !== undefined || flight !== undefined)) {
    fail(
      'UC1012',
      '',
      zone ? '--zone' : '--path',
      'a single file or a pack is loaded as a whole, wherever somebody is',
    );
  }
  const verdict = verdictOf(output, device, deviceMemory);
  if (map !== undefined) {
    if (output.expected.length === 0)
      fail('UC1012', '', '--map', 'there is no map of a single file, a pack or a flight');
    writeWhole(map, Buffer.from(fitMap(output, device, deviceMemory)), '--map');
  }
  const policy = severityPolicy(options);
  const found = foundOf(output, verdict.measures, device, showPath(output.path, cwd));
  const diagnostics = found.map((item) => shownDiagnostic(applyPolicy(item, policy), cwd));
  return { exitCode: exitCodeOf(diagnostics), document: { output: name, ...verdict, diagnostics }, diagnostics: [] };
}

/** Runs a call of check(). Rejects only for a bug. */
export async function runCheck(file: string, given: CheckOptions): Promise<CheckResult> {
  try {
    throwIfAborted(given.signal);
    return await checkOutput(file, given, workingFolder(given));
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
