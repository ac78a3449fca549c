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
import type { Authored, FormatCode } from '../format.ts';
import { counted, lostOfMaterials, lostOfScene } from '../losses.ts';
import { BAKED, WHOLE_OUTPUT } from '../wholeOutput.ts';
import { hasOwnRest } from './target/bones.ts';
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

/** UC2332: what of skeletons has no place besides their bones, and clips. */
function lostOfRigs({ skeletons = [], clips = [] }: Authored, file: string): Diagnostic[] {
  const posed = skeletons.filter(hasOwnRest);
  const lost = [
    ...(posed.length > 0 ? [`poses at rest of ${counted(posed.length, 'skeleton')}`] : []),
    ...(clips.length > 0 ? [counted(clips.length, 'clip')] : []),
  ];
  if (lost.length === 0) return [];
  return [diagnostic('UC2332', file, '', `${lost.join(' and ')}: bones have the pose in which the meshes are bound`)];
}

export const BPX: FormatCode<FloatMesh> = {
  ...WHOLE_OUTPUT,
  attributes: STORED_ATTRIBUTES,
  uvs: FLOAT_UVS,
  // A model has no nodes: every placement is baked.
  instances: BAKED,
  storeParts,
  storeMesh,
  drawn: drawnMesh,
  drawnPositions,
  round: roundValues,
  encode: encodePayload,
  lossesOf: (authored, file, prepared) => [
    ...lostOfScene({ ...authored, skeletons: [], clips: [] }, file),
    ...lostOfRigs(authored, file),
    ...lostOfMaterials(prepared, file),
    ...resampled(prepared, file),
  ],
  decode: decodePayload,
  drawnFile,
  measure: measurePayload,
  verify: validateWithFiles,
};
