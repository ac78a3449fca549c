// Whether what was read as a record of a cook is one, down to its last value. Entries of a cache prove that they are whole,
// not who wrote them.

import { CODES } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TracedFile } from '../../importers/fileTrace.ts';
import type { CookOutcome, CookTotals, LevelTotals } from '../types.ts';
import type { UnitNote } from './unitStore.ts';

export interface CookRecord {
  readonly code: string;
  /** By name, what was asked for; digests, as settings hold maps. */
  readonly settings: Readonly<Record<string, string>>;
  /** When it was written, in milliseconds since 1970. */
  readonly time: number;
  readonly inputs: readonly TracedFile[];
  readonly missing: readonly string[];
  readonly outputs: readonly (TracedFile & { readonly bytes: number })[];
  readonly outcome: Pick<CookOutcome, 'totals' | 'diagnostics' | 'filesRead'>;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mapOf =
  (check: Check): Check =>
  (value) =>
    isPlain(value) && Object.values(value).every(check);
/** An object with these properties of its own. */
function objectOf<T>(shape: { readonly [K in keyof Required<T>]: Check }): Check {
  const checks = Object.entries<Check>(shape);
  return (value) => isPlain(value) && checks.every(([key, check]) => Object.hasOwn(value, key) && check(value[key]));
}

const TRACED: { readonly [K in keyof TracedFile]: Check } = {
  path: isText,
  stamp: objectOf<TracedFile['stamp']>({ size: isNumber, mtime: isDigits, ctime: isDigits, inode: isText }),
  sha256: isText,
};

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d+$/.test(value);
}

const isDiagnostic = objectOf<Diagnostic>({
  code: (value) => typeof value === 'string' && Object.hasOwn(CODES, value),
  severity: oneOf('error', 'warning', 'info'),
  file: isText,
  path: isText,
  message: isText,
  remedy: isText,
});

const isTotals = objectOf<CookTotals>({
  objects: isNumber,
  tiles: isNumber,
  trianglesIn: isNumber,
  trianglesOut: isNumber,
  levels: listOf(objectOf<LevelTotals>({ level: isText, tiles: isNumber, triangles: isNumber })),
  vertices: isNumber,
  materials: isNumber,
  textures: isNumber,
  bytes: isNumber,
});

const isWholeRecord = objectOf<CookRecord>({
  code: isText,
  settings: mapOf(isText),
  time: isNumber,
  inputs: listOf(objectOf<TracedFile>(TRACED)),
  missing: listOf(isText),
  outputs: listOf(objectOf<CookRecord['outputs'][number]>({ ...TRACED, bytes: isNumber })),
  outcome: objectOf<CookRecord['outcome']>({
    totals: (value) => value === null || isTotals(value),
    diagnostics: listOf(isDiagnostic),
    filesRead: listOf(isText),
  }),
});

export function isRecord(value: unknown): value is CookRecord {
  return isWholeRecord(value);
}

/** Whether these are the notes of a cook's units. */
export const areUnitNotes = listOf(
  objectOf<UnitNote>({
    kind: oneOf('payload', 'levels', 'cluster'),
    name: isText,
    ingredients: mapOf(isText),
    isMade: oneOf(true, false),
  }),
);
