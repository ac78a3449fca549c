// Whether what was read as a record of a cook is one, down to its last value. Entries of a cache prove that they are whole,
// not who wrote them.

import { CODE_DIGEST } from '../../bytes/codeDigest.ts';
import {
  isCount,
  isNumber,
  isText,
  isTrueOrFalse,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  orAbsent,
  orNull,
  type ShapesOf,
} from '../../bytes/shape.ts';
import type { AskedOptions } from '../../config/types.ts';
import type { LimitUse } from '../../diagnostics/limits.ts';
import type { FlightFigures } from '../../formats/manifest/flights.ts';
import type { FileTrace, Lookup, SeenFile, TracedFile } from '../../importers/fileTrace.ts';
import type { WrittenFile } from '../../output/outputSet.ts';
import type { Bounds } from '../../scene/types.ts';
import type { StreamedFigures } from '../steps/verify/checkStreamed.ts';
import type { CookOutcome, CookTotals, LevelTotals, MorphTotals } from '../types.ts';
import { isDiagnostic } from '../units/unitShapes.ts';
import type { UnitNote } from '../units/unitStore.ts';
import type { ZoneFigures, ZoneObject, ZonePicture, ZonePictures, ZoneProof } from '../zone/figures.ts';
import { TRACED } from './traced.ts';

export interface CookRecord extends Pick<FileTrace, 'seen' | 'missing' | 'noFile' | 'lookups'> {
  readonly code: string;
  /** The working folder of the call: its project, as `untold cache` names it. */
  readonly folder: string;
  /** By name, what was asked for; digests, as settings hold maps. */
  readonly settings: Readonly<Record<string, string>>;
  /** The options that these are made of; absent: there were none. */
  readonly asked?: AskedOptions;
  /** Of each limit how much the cook needed: smaller limits would have refused it, larger ones change nothing. */
  readonly used: LimitUse;
  readonly inputs: readonly TracedFile[];
  readonly outputs: readonly (TracedFile & { readonly bytes: number })[];
  readonly outcome: Pick<CookOutcome, 'totals' | 'diagnostics' | 'filesRead'>;
}

/** A complete cook as other machines find it: paths are relative, and of files there is only what they hold. */
export interface WholeSet
  extends Pick<FileTrace, 'seen' | 'missing' | 'noFile'>,
    Pick<CookRecord, 'used' | 'outcome'>,
    Pick<RecordedUnits, 'units'> {
  readonly inputs: readonly WrittenFile[];
  /** Relative to the base of the set. */
  readonly outputs: readonly WrittenFile[];
}

/** What a cook noted of its units, for the next one. */
export interface RecordedUnits {
  readonly code: string;
  readonly units: readonly UnitNote[];
}

const isSha256 = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isTotals = objectOf<CookTotals>({
  objects: isNumber,
  tiles: isNumber,
  models: isNumber,
  trianglesIn: isNumber,
  trianglesOut: isNumber,
  levels: listOf(objectOf<LevelTotals>({ level: isText, tiles: isNumber, triangles: isNumber })),
  streamed: orNull(
    objectOf<StreamedFigures>({
      cameras: isNumber,
      judged: isNumber,
      missing: isNumber,
      largestHole: isNumber,
      flights: listOf(objectOf<FlightFigures>({ flight: isText, triangles: isNumber, fullTriangles: isNumber })),
    }),
  ),
  vertices: isNumber,
  materials: isNumber,
  textures: isNumber,
  files: isNumber,
  bytes: isNumber,
  zone: orAbsent(
    objectOf<ZoneFigures>({
      boxes: listOf(objectOf<Bounds>({ min: listOf(isNumber), max: listOf(isNumber) })),
      eyes: isNumber,
      rounds: isNumber,
      newShare: isNumber,
      trianglesBefore: isNumber,
      trianglesSeen: isNumber,
      trianglesKept: isNumber,
      trianglesAfter: isNumber,
      casters: isNumber,
      whole: isNumber,
      trianglesWhole: isNumber,
      sectors: isNumber,
      draws: isNumber,
      joined: isNumber,
      error: isNumber,
      proof: objectOf<ZoneProof>({
        eyes: isNumber,
        holes: isNumber,
        largestHole: isNumber,
        pictures: orAbsent(
          objectOf<ZonePictures>({
            pictures: isNumber,
            ssimMean: isNumber,
            ssimMin: isNumber,
            colorMean: isNumber,
            worst: listOf(
              objectOf<ZonePicture>({
                eye: listOf(isNumber),
                direction: listOf(isNumber),
                ssim: isNumber,
                color: isNumber,
              }),
            ),
          }),
        ),
      }),
      objects: listOf(objectOf<ZoneObject>({ path: isText, triangles: isNumber, seen: isNumber, kept: isNumber })),
    }),
  ),
  morphs: orAbsent(listOf(objectOf<MorphTotals>({ name: isText, weight: isNumber, meshes: isNumber }))),
});

/** What records of this machine and entries of whole sets have alike. */
const COOKED: ShapesOf<Pick<CookRecord, 'seen' | 'missing' | 'noFile' | 'used' | 'outcome'>> = {
  used: mapOf(isNumber),
  seen: listOf(objectOf<SeenFile>({ path: isText, real: isText })),
  missing: listOf(isText),
  noFile: listOf(isText),
  outcome: objectOf<CookRecord['outcome']>({
    totals: orNull(isTotals),
    diagnostics: listOf(isDiagnostic),
    filesRead: listOf(isText),
  }),
};

const isLookup = objectOf<Lookup>({
  reference: isText,
  from: isText,
  kind: oneOf('texture', 'layer'),
  meant: orNull(isText),
  path: orNull(isText),
  isElsewhere: isTrueOrFalse,
});

const recordShape = objectOf<CookRecord>({
  code: isText,
  folder: isText,
  settings: mapOf(isText),
  asked: orAbsent(mapOf(isText)),
  inputs: listOf(objectOf<TracedFile>(TRACED)),
  outputs: listOf(objectOf<CookRecord['outputs'][number]>({ ...TRACED, bytes: isNumber })),
  lookups: orNull(listOf(isLookup)),
  ...COOKED,
});

const UNITS = listOf(
  objectOf<UnitNote>({
    kind: oneOf('payload', 'levels', 'cluster'),
    name: isText,
    keyInputs: mapOf(isText),
    isMade: isTrueOrFalse,
  }),
);

const unitsShape = objectOf<RecordedUnits>({ code: isText, units: UNITS });

const FILES = listOf(objectOf<WrittenFile>({ path: isText, bytes: isCount, sha256: isSha256 }));

const setShape = objectOf<WholeSet>({ ...COOKED, inputs: FILES, outputs: FILES, units: UNITS });

const isCoded = objectOf<Pick<CookRecord, 'code'>>({ code: isText });

/** Whether this version has written it; what others wrote may look different. */
export const isOfThisCode = (value: unknown): boolean => isCoded(value) && (value as CookRecord).code === CODE_DIGEST;
/** Whether any version has written it. */
export const isOfSomeCode = (value: unknown): boolean => isCoded(value);
export const isRecord = (value: unknown): value is CookRecord => recordShape(value);
export const isWholeSet = (value: unknown): value is WholeSet => setShape(value);
export const areUnits = (value: unknown): value is RecordedUnits => unitsShape(value);
