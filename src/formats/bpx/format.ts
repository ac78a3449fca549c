// BPX as a target of the cook: one package with a model and its textures.

import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import type { PreparedMaterials } from '../../textures/types.ts';
import {
  drawnMesh,
  drawnPositions,
  FLOAT_UVS,
  type FloatMesh,
  roundValues,
  STORED_ATTRIBUTES,
  storeMesh,
  storeParts,
} from '../floatMesh.ts';
import type { FormatCode } from '../format.ts';
import { counted, lostOfMaterials, lostOfScene } from '../losses.ts';
import { decodePayload, drawnFile, encodePayload, measurePayload } from './target/payload.ts';
import { fits } from './target/textures.ts';
import { validateWithFiles } from './validateFiles.ts';

/** UC2335: textures with sides that a file cannot store. */
function resampled({ textures }: Pick<PreparedMaterials, 'textures'>, file: string): Diagnostic[] {
  const others = textures.filter((texture) => !fits(texture));
  if (others.length === 0) return [];
  return [
    diagnostic('UC2335', file, '', `${counted(others.length, 'texture')} of other sizes, ${others[0].fileName} first`),
  ];
}

export const BPX: FormatCode<FloatMesh> = {
  attributes: STORED_ATTRIBUTES,
  uvs: FLOAT_UVS,
  // A model has no nodes: every placement is baked.
  instances: { choose: (candidates) => candidates.map(() => false), isWorth: () => false },
  storeParts,
  storeMesh,
  drawn: drawnMesh,
  drawnPositions,
  round: roundValues,
  encode: encodePayload,
  encodeBlank: () => Promise.reject(new Error('only sets of tiles have blank payloads')),
  lossesOf: (authored, file, prepared) => [
    ...lostOfScene(authored, file),
    ...lostOfMaterials(prepared, file),
    ...resampled(prepared, file),
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
  verify: validateWithFiles,
  checkTextures: async () => ({ diagnostics: [], cooked: [] }),
  isTileOfSet: () => false,
};
