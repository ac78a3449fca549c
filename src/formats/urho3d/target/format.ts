// Urho3D as a target of the cook: payloads are encoded as pieces, which become models, materials and a scene in the end.

import {
  drawnMesh,
  drawnPositions,
  FLOAT_UVS,
  type FloatMesh,
  roundValues,
  STORED_ATTRIBUTES,
  storeMesh,
  storeParts,
} from '../../floatMesh.ts';
import type { FormatCode, VerifyRules } from '../../format.ts';
import { validateUrho3d } from '../recognise.ts';
import { ASSEMBLY } from './assembly.ts';
import { decodeDrawn, decodePayload, measurePayload, pieceTextureNames } from './decode.ts';
import { drawnFile } from './drawnFile.ts';
import { encodeBlank, encodePayload } from './encode.ts';
import { isPiece, validatePiece } from './piece.ts';

const verify = async (bytes: Uint8Array, name: string, _rules: VerifyRules) =>
  isPiece(bytes) ? validatePiece(bytes, name) : validateUrho3d(bytes, name);

export const URHO3D: FormatCode<FloatMesh> = {
  attributes: STORED_ATTRIBUTES,
  uvs: FLOAT_UVS,
  // A model cannot place a geometry several times, so nothing is instanced.
  instances: { choose: (candidates) => candidates.map(() => false), isWorth: () => false },
  storeParts,
  storeMesh,
  drawn: drawnMesh,
  drawnPositions,
  round: roundValues,
  encode: encodePayload,
  encodeBlank,
  // What is lost is known when the files are made.
  lossesOf: () => [],
  clips: null,
  assembly: ASSEMBLY,
  compressionWarnings: () => [],
  decode: decodePayload,
  decodeDrawn,
  drawnFile,
  textureNames: async (file) => (isPiece(file) ? pieceTextureNames(file) : []),
  // A .mdl names no file.
  textureUris: async () => [],
  measure: measurePayload,
  verify,
  checkTextures: async () => ({ diagnostics: [], cooked: [] }),
  isTileOfSet: () => false,
};
