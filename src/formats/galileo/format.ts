// Galileo mesh assets as a target of the cook: one file with a vertex group for each mesh.

import type { FormatCode } from '../format.ts';
import { lostOfMaterials, lostOfScene, lostTextures } from '../losses.ts';
import { decodePayload, drawnFile, encodePayload, measurePayload } from './payload.ts';
import {
  drawnMesh,
  drawnPositions,
  type GalileoStored,
  roundValues,
  STORED_ATTRIBUTES,
  storeAsIs,
  storeParts,
  UNORM_UVS,
} from './storedMesh.ts';
import { validateGalileo } from './validate.ts';

export const GALILEO: FormatCode<GalileoStored> = {
  attributes: STORED_ATTRIBUTES,
  uvs: UNORM_UVS,
  // A mesh asset has no nodes: every placement is baked.
  instances: { choose: (candidates) => candidates.map(() => false), isWorth: () => false },
  storeParts,
  storeMesh: storeAsIs,
  drawn: drawnMesh,
  drawnPositions,
  round: roundValues,
  encode: encodePayload,
  encodeBlank: () => Promise.reject(new Error('only sets of tiles have blank payloads')),
  lossesOf: (authored, file, prepared) => [
    ...lostOfScene(authored, file),
    ...lostOfMaterials(prepared, file),
    ...lostTextures(prepared, file),
  ],
  clips: null,
  assembly: null,
  compressionWarnings: () => [],
  decode: decodePayload,
  decodeDrawn: () => Promise.reject(new Error('only sets of tiles have HLOD clusters')),
  drawnFile,
  textureNames: async () => [],
  textureUris: async () => [],
  measure: measurePayload,
  verify: validateGalileo,
  checkTextures: async () => ({ diagnostics: [], cooked: [] }),
  isTileOfSet: () => false,
};
