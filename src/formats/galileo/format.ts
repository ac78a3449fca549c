// Galileo mesh assets as a target of the cook: one file with a vertex group for each mesh.

import type { FormatCode } from '../format.ts';
import { lostOfLights, lostOfMaterials, lostPoses, lostTextures } from '../losses.ts';
import { BAKED, WHOLE_OUTPUT } from '../wholeOutput.ts';
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
  ...WHOLE_OUTPUT,
  attributes: STORED_ATTRIBUTES,
  uvs: UNORM_UVS,
  // A mesh asset has no nodes: every placement is baked.
  instances: BAKED,
  storeParts,
  storeMesh: storeAsIs,
  drawn: drawnMesh,
  drawnPositions,
  round: roundValues,
  encode: encodePayload,
  lossesOf: (authored, file, prepared) => [
    ...lostOfLights(authored, file),
    ...lostPoses(authored, file),
    ...lostOfMaterials(prepared, file),
    ...lostTextures(prepared, file),
  ],
  decode: decodePayload,
  drawnFile,
  measure: measurePayload,
  verify: validateGalileo,
};
