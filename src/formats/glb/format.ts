// GLB as a target of the cook: one file that holds all, for Blender and every viewer.

import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { COLOR_SETS, UV_SETS } from '../../geometry/mesh/attributes.ts';
import type { PreparedMaterials } from '../../textures/types.ts';
import {
  chooseInstances,
  drawnMesh,
  drawnPositions,
  FLOAT_UVS,
  type FloatMesh,
  isWorthInstances,
  roundValues,
  storeMesh,
  storeParts,
} from '../floatMesh.ts';
import type { Authored, FormatCode } from '../format.ts';
import { lostHeights } from '../losses.ts';
import { WHOLE_OUTPUT } from '../wholeOutput.ts';
import { verifyGlb } from './check.ts';
import { decodePayload, drawnFile, measurePayload } from './decode.ts';

/** UC2300: lights that glTF has no kind for. */
function lossesOf({ lights = [] }: Authored, file: string, { materials }: PreparedMaterials) {
  const areas = lights.filter(({ kind }) => kind === 'area');
  const heights = lostHeights(materials.filter(({ height }) => height !== undefined).length, file);
  if (areas.length === 0) return heights;
  const count = areas.length === 1 ? '1 area light becomes a spot' : `${areas.length} area lights become spots`;
  return [diagnostic('UC2300', file, areas[0].path, `${count}: glTF has no lights with an area`), ...heights];
}

export const GLB: FormatCode<FloatMesh> = {
  ...WHOLE_OUTPUT,
  attributes: ['normal', 'tangent', ...UV_SETS, ...COLOR_SETS],
  uvs: FLOAT_UVS,
  instances: { choose: chooseInstances, isWorth: isWorthInstances },
  storeParts,
  storeMesh,
  drawn: drawnMesh,
  drawnPositions,
  round: roundValues,
  // Its code and gltf-transform are loaded where a file is written: not to check or draw one.
  encode: async (payload) => (await import('./write.ts')).encodePayload(payload),
  lossesOf,
  decode: decodePayload,
  drawnFile,
  measure: measurePayload,
  verify: verifyGlb,
};
