// Whether what was measured fits a device: each measure against its limit, with a code where it is exceeded.

import { formatBytes } from '../../bytes/units.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type Device, geometryLimit, MEASURES, type Measure } from '../../engine/devices.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { MeasuredPlace, PlaceMeasure } from './measure.ts';

/** One measure of an output and how near it is to what the device carries. */
export interface CheckedMeasure {
  readonly measure: Measure;
  readonly title: string;
  readonly unit: 'bytes' | 'count';
  /** The worst that was found. */
  readonly value: number;
  /** Where, in metres; null: at no place alone. */
  readonly at: Vec3 | null;
  /** The file, of `file`. */
  readonly file: string | null;
  /** Null where nothing is known of the device. */
  readonly limit: number | null;
  readonly kind: 'limit' | 'advice' | null;
  readonly source: string | null;
}

/** Codes of measures beyond their limit. */
const CODES = {
  geometry: 'UC2240',
  textures: 'UC2241',
  triangles: 'UC2242',
  visibleTriangles: 'UC2243',
  draws: 'UC2244',
  entities: 'UC2245',
  file: 'UC2246',
} as const satisfies Record<Measure, string>;

export const isOver = ({ value, limit }: CheckedMeasure): boolean => limit !== null && value > limit;

/** A value in the unit of its measure. */
export const shownValue = (unit: 'bytes' | 'count', value: number): string =>
  unit === 'bytes' ? formatBytes(value) : String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** A place in metres, with two digits. */
export const shownPlace = (place: Vec3): string => `(${place.map((value) => Number(value.toFixed(2))).join(' ')})`;

/** The worst place of each measure. The first of equal places counts. */
export function worstPlaces(places: readonly MeasuredPlace[]): ReadonlyMap<PlaceMeasure, MeasuredPlace> {
  const worst = new Map<PlaceMeasure, MeasuredPlace>();
  for (const measure of Object.keys(places[0].figures) as PlaceMeasure[]) {
    const found = places.reduce((most, place) => (place.figures[measure] > most.figures[measure] ? place : most));
    worst.set(measure, found);
  }
  return worst;
}

export interface LargestFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * All measures of an output. `isWhole`: it is loaded as one, so that no place tells more than another. `freeMemory`: bytes that the
 * process may take on the device, if they are known.
 */
export function checkMeasures(
  worst: ReadonlyMap<PlaceMeasure, MeasuredPlace>,
  largest: LargestFile,
  device: Device,
  { isWhole, freeMemory }: { readonly isWhole: boolean; readonly freeMemory?: number | undefined },
): CheckedMeasure[] {
  return (Object.keys(MEASURES) as Measure[]).map((measure) => {
    const place = measure === 'file' ? undefined : (worst.get(measure) as MeasuredPlace);
    const { value: limit, kind, source } = device.limits[measure] ?? { value: null, kind: null, source: null };
    return {
      measure,
      ...MEASURES[measure],
      value: measure === 'file' ? largest.bytes : (place as MeasuredPlace).figures[measure],
      at: place === undefined || isWhole ? null : place.position,
      file: measure === 'file' ? largest.path : null,
      limit: measure === 'geometry' && freeMemory !== undefined ? geometryLimit(freeMemory) : limit,
      kind,
      source,
    };
  });
}

/** A warning for each measure beyond its limit. `file`: the output. */
export function verdictDiagnostics(measures: readonly CheckedMeasure[], device: Device, file: string): Diagnostic[] {
  return measures.filter(isOver).map(({ measure, title, unit, value, at, file: path, limit, kind, source }) => {
    const where = at ? ` at ${shownPlace(at)}` : path === null ? '' : `, ${path}`;
    const of = `${shownValue(unit, value)} of ${shownValue(unit, limit as number)}`;
    const what = kind === 'limit' ? 'a limit' : 'advice';
    return diagnostic(CODES[measure], file, '', `${device.title}: ${title} ${of}${where}; ${what}: ${source}`);
  });
}

/** All that is found of an output: what is over, and textures that the figures lack. */
export function foundOf(
  { facts }: { readonly facts: { readonly uncounted: ReadonlyMap<string, string> } },
  measures: readonly CheckedMeasure[],
  device: Device,
  file: string,
): Diagnostic[] {
  const lacking = [...facts.uncounted].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...verdictDiagnostics(measures, device, file),
    ...lacking.map(([texture, why]) => diagnostic('UC2248', file, texture, why)),
  ];
}

const percent = (value: number, limit: number): number => Math.round((value / limit) * 100);

/** One line for a summary: what is exceeded, or the two measures that are nearest to their limits. */
export function verdictLine(measures: readonly CheckedMeasure[], { id }: Device): string {
  const known = measures.filter(({ limit }) => limit !== null);
  const over = known.filter(isOver);
  if (over.length > 0) {
    const words = over.map(({ title, unit, value, limit, at }) => {
      const place = at ? ` at ${shownPlace(at)}` : '';
      return `${title} ${shownValue(unit, value)} of ${shownValue(unit, limit as number)}${place}`;
    });
    return `over for ${id}: ${words.join('; ')}`;
  }
  const near = known
    .filter(({ measure }) => measure !== 'file')
    .sort((a, b) => b.value / (b.limit as number) - a.value / (a.limit as number))
    .slice(0, 2);
  const words = near.map(({ title, unit, value, limit }) =>
    unit === 'bytes'
      ? `${percent(value, limit as number)} % of ${title}`
      : `${shownValue(unit, value)} of ${shownValue(unit, limit as number)} ${title}`,
  );
  return `fits ${id}: ${words.join(', ')}`;
}
