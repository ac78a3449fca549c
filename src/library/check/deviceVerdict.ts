// Whether what was measured of an output fits a device, and what makes its worst places heavy.

import type { Device, Measure } from '../../engine/devices.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { FitReport } from '../fit/report.ts';
import { type Contributors, contributorsOf } from './contributors.ts';
import type { Figures, PlaceMeasure } from './measure.ts';
import type { MeasuredOutput } from './measureOutput.ts';
import { type CheckedMeasure, checkMeasures, isOver, verdictLine, worstPlaces } from './verdict.ts';

/** A place at which a measure is worst. */
export interface WorstPlace extends Contributors {
  readonly measure: Measure;
  /** In metres; null: the output is loaded as a whole. */
  readonly at: Vec3 | null;
  readonly figures: Figures;
}

/** Whether an output fits a device, and why. */
export interface DeviceVerdict {
  /** Its name. */
  readonly device: string;
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

/** Of what a cook has written. */
export interface CookVerdict extends DeviceVerdict {
  /** The source, as SourceResult.source has it. */
  readonly source: string;
  /** The main file of its output, relative to the working folder. */
  readonly output: string;
  /** What was done so that it fits; absent: nobody has asked for that. */
  readonly fit?: FitReport;
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
  const measures = checkMeasures(worst, largest, device, {
    isWhole: isWhole && places.length === 1,
    freeMemory,
  });
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
