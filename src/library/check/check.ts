// check(): whether an output fits a device: what is in memory and in view at the worst places, against what the device carries.

import { resolve } from 'node:path';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { CHECK_CALL_OPTIONS } from '../../config/options/table.ts';
import { showPath } from '../../config/showPath.ts';
import { urlFault } from '../../config/sources.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { applyPolicy } from '../../diagnostics/policy.ts';
import { DEVICES, type Device, type DeviceId, type Measure } from '../../engine/devices.ts';
import type { Vec3 } from '../../scene/types.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { severityPolicy } from '../call/policy.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { writeWhole } from '../call/writeWhole.ts';
import { type Contributors, contributorsOf } from './contributors.ts';
import { fitMap } from './fitMap.ts';
import type { Figures, PlaceMeasure } from './measure.ts';
import { type MeasuredOutput, measureOutput, type Whereabouts } from './measureOutput.ts';
import { readFlight, zonePlaces } from './requestedPlaces.ts';
import { type CheckedMeasure, checkMeasures, isOver, verdictDiagnostics, verdictLine, worstPlaces } from './verdict.ts';

/** The options of `untold check` in camelCase. */
export interface CheckOptions extends OptionsOf<typeof CHECK_CALL_OPTIONS>, CallOptions {}

/** A place at which a measure is worst. */
export interface WorstPlace extends Contributors {
  readonly measure: Measure;
  /** In metres; null: the output is loaded as a whole. */
  readonly at: Vec3 | null;
  readonly figures: Figures;
}

/** Whether an output fits a device, and why. */
export interface DeviceVerdict {
  readonly device: DeviceId;
  /** Nothing is beyond a limit or an advice. */
  readonly fits: boolean;
  /** In one line. */
  readonly line: string;
  readonly measures: readonly CheckedMeasure[];
  /** The worst place of each measure with a known bound, the one nearest to it first. */
  readonly worst: readonly WorstPlace[];
  /** Places that were looked at, and those of them at which the loader was simulated. */
  readonly places: { readonly looked: number; readonly simulated: number };
  /** Estimates, which depend on more than the output. */
  readonly estimates: {
    /** Until full detail is there of all that is near, at the bandwidth, at the slowest place. */
    readonly secondsToFull: number;
    /** Draws of the worst view if the engine merges the meshes of a tile that share a material. */
    readonly batchedDraws: number;
    /** CPU of a frame for the draws of the worst view; null where nobody has measured a draw. */
    readonly drawSeconds: number | null;
  };
}

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

/** Bytes a second of megabits a second. */
export const rateOf = (megabits: number): number => (megabits * 1e6) / 8;
/** Seconds before the first byte of a file. */
export const DELAY = 0.05;

/** What of payloads makes a measure large. */
const WEIGHT = {
  geometry: 'geometry',
  textures: 'geometry',
  triangles: 'triangles',
  visibleTriangles: 'triangles',
  draws: 'draws',
  entities: 'draws',
} as const satisfies Record<PlaceMeasure, 'geometry' | 'triangles' | 'draws'>;

const shareOf = ({ value, limit }: CheckedMeasure): number => (limit === null ? -1 : value / limit);

/** The verdict on what was measured. `freeMemory`: bytes that the app may take, if they are known. */
export function verdictOf(output: MeasuredOutput, device: Device, freeMemory?: number): DeviceVerdict {
  const { isWhole, facts, places, expected, largest } = output;
  const worst = worstPlaces(places);
  const measures = checkMeasures(worst, largest, device, { isWhole, freeMemory });
  const known = measures.filter(({ limit, measure }) => limit !== null && measure !== 'file');
  known.sort((a, b) => shareOf(b) - shareOf(a));
  const draws = worst.get('draws')?.figures.draws ?? 0;
  const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
  return {
    device: device.id,
    fits: !measures.some(isOver),
    line: verdictLine(measures, device),
    measures,
    worst: known.map(({ measure, at }): WorstPlace => {
      const place = worst.get(measure as PlaceMeasure);
      if (place === undefined) throw new Error(`no place was measured for ${measure}`);
      const weight = WEIGHT[measure as PlaceMeasure];
      return { measure, at, figures: place.figures, ...contributorsOf(place, facts, weight) };
    }),
    places: { looked: Math.max(expected.length, places.length), simulated: places.length },
    estimates: {
      secondsToFull: rounded(Math.max(...places.map(({ seconds }) => seconds))),
      batchedDraws: worst.get('draws')?.batchedDraws ?? 0,
      drawSeconds: device.secondsADraw === null ? null : rounded(draws * device.secondsADraw),
    },
  };
}

async function checkOutput(file: string, given: CheckOptions, cwd: string): Promise<CheckResult> {
  const options = settle(CHECK_CALL_OPTIONS, checkOptions(CHECK_CALL_OPTIONS, given, cwd));
  const { device: id, deviceMemory, bandwidth, zone, path: flight, map } = options;
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
  const device = DEVICES[id];
  const verdict = verdictOf(output, device, deviceMemory);
  if (map !== undefined) {
    if (output.expected.length === 0)
      fail('UC1012', '', '--map', 'there is no map of a single file, a pack or a flight');
    writeWhole(map, Buffer.from(fitMap(output, device, deviceMemory)), '--map');
  }
  const policy = severityPolicy(options);
  const found = verdictDiagnostics(verdict.measures, device, showPath(output.path, cwd));
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
