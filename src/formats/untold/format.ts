// The .untold container as a target of the cook.

import type { FormatCode } from '../format.ts';
import { validateUntold } from './check/validate.ts';
import { chooseInstances, isWorthInstances } from './chooseInstances.ts';
import { CLIPS } from './clipFiles.ts';
import { readDrawnFile } from './drawnFile.ts';
import { HALF_UVS } from './mesh/halfFloat.ts';
import { drawnMesh, drawnPositions, type PackedMesh, packMesh, packParts } from './mesh/packMesh.ts';
import { roundValues, STORED_ATTRIBUTES } from './mesh/vertexWords.ts';
import { decodePayload, encodeBlank, encodePayload, measurePayload } from './payload.ts';
import { readDrawnMeshes, textureNames, textureUris } from './readTile.ts';
import { isTileOfSet } from './setNames.ts';
import { checkTextures } from './textureFiles.ts';
import { compressionWarnings } from './write.ts';

export const UNTOLD: FormatCode<PackedMesh> = {
  attributes: STORED_ATTRIBUTES,
  uvs: HALF_UVS,
  instances: { choose: chooseInstances, isWorth: isWorthInstances },
  storeParts: packParts,
  storeMesh: packMesh,
  drawn: drawnMesh,
  drawnPositions,
  round: roundValues,
  encode: encodePayload,
  encodeBlank,
  // All that a scene holds has a place in it.
  lossesOf: () => [],
  clips: CLIPS,
  assembly: null,
  compressionWarnings,
  decode: decodePayload,
  decodeDrawn: readDrawnMeshes,
  drawnFile: readDrawnFile,
  textureNames,
  textureUris,
  measure: measurePayload,
  verify: validateUntold,
  checkTextures,
  isTileOfSet,
};
