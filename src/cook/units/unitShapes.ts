// What a kept unit must look like before a cook believes it. The store compares hashes, but who filled a shared cache may
// have been another program.

import { sha256Hex } from '../../bytes/sha256.ts';
import {
  either,
  isBytes,
  isCount,
  isNumber,
  isText,
  listOf,
  objectOf,
  oneOf,
  orAbsent,
  orNull,
  type Shape,
} from '../../bytes/shape.ts';
import { CODES } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ClusterResult, LevelsResult } from '../../workers/jobs.ts';

const isVector = (length: number): Shape => listOf(isNumber, length);
const isBox = objectOf({ min: isVector(3), max: isVector(3) });

export const isDiagnostic = objectOf<Diagnostic>({
  code: (value) => typeof value === 'string' && Object.hasOwn(CODES, value),
  severity: oneOf('error', 'warning', 'info'),
  file: isText,
  path: isText,
  message: isText,
  remedy: isText,
});

const isReported = listOf(objectOf({ item: isDiagnostic, once: orNull(isText) }));

const MEASURES = { bounds: isBox, gpuBytes: isCount, meshes: isCount, vertices: isCount, file: isBytes } as const;

const isNaming = either(objectOf({ entity: isText, mesh: isText }), objectOf({ tile: isText, mesh: orAbsent(isText) }));
const isSurface = objectOf({ material: orNull(isText), tint: orNull(isVector(4)), palette: orNull(isText) });

/** Of an entry of KeptPayloads, of so many meshes and cut objects. */
export const payloadShape = (meshes: number, cuts: number): Shape =>
  objectOf({
    payload: orNull(objectOf({ ...MEASURES, triangles: isCount })),
    borders: (borders) => borders instanceof Uint32Array && borders.length % 3 === 0,
    reported: isReported,
    drawn: listOf(objectOf({ naming: isNaming, surface: isSurface, entities: isCount, coarser: orAbsent(isCount) })),
    meshes: listOf(isReported, meshes),
    cuts: listOf(isReported, cuts),
  });

/** No folder. */
const isFileName: Shape = (name) => typeof name === 'string' && /^[^/\\\0]+$/.test(name) && !/^\.{1,2}$/.test(name);

const isMadeTexture: Shape = (value) =>
  objectOf({
    bytes: isBytes,
    fileName: isFileName,
    sha256: isText,
    width: isCount,
    height: isCount,
    format: isCount,
    mipCount: isCount,
    flags: isCount,
    smaller: orAbsent(listOf(() => false, 0)),
  })(value) && sha256Hex((value as { bytes: Uint8Array }).bytes) === (value as { sha256: string }).sha256;

const isLevel = objectOf({
  ...MEASURES,
  name: (name) => typeof name === 'string' && /^(lod[1-9]\d?|hlod|far)$/.test(name),
  fileType: oneOf('lod', 'hlod'),
  triangles: isCount,
  error: isNumber,
  looksFrom: orAbsent(isNumber),
  textures: listOf(isText),
  made: listOf(isMadeTexture),
});

const levelsShape = objectOf({ kind: oneOf('levels'), levels: listOf(isLevel), reported: isReported });
const clusterShape = objectOf({ kind: oneOf('cluster'), hlod: orNull(isLevel), reported: isReported });

export const isLevelsResult = (value: unknown): value is LevelsResult => levelsShape(value);
export const isClusterResult = (value: unknown): value is ClusterResult => clusterShape(value);
