// The table of every code: severity, exit code, title, cause and remedy. The entries are in codes/, one file for each
// part of the program. A code is never reused for something else. `untold explain CODE` prints an entry of this table.

import { COMMAND_LINE } from './codes/commandLine.ts';
import { ENVIRONMENT } from './codes/environment.ts';
import { ADVICE_CODES } from './codes/output/advice.ts';
import { ARKIT } from './codes/output/arkit.ts';
import { BPX } from './codes/output/bpx.ts';
import { CHAINS } from './codes/output/chains.ts';
import { COOK } from './codes/output/cook.ts';
import { DEVICE_CODES } from './codes/output/devices.ts';
import { EMIT } from './codes/output/emit.ts';
import { GALILEO } from './codes/output/galileo.ts';
import { GLB } from './codes/output/glb.ts';
import { GLB_LOSSES } from './codes/output/glbLosses.ts';
import { KEPT_MATERIALS } from './codes/output/keptMaterials.ts';
import { MANIFEST } from './codes/output/manifest.ts';
import { MESH_LIMITS } from './codes/output/meshLimits.ts';
import { PACK } from './codes/output/pack.ts';
import { PICTURE } from './codes/output/picture.ts';
import { RENDER } from './codes/output/render.ts';
import { SETS } from './codes/output/sets.ts';
import { SHARDS } from './codes/output/shards.ts';
import { TARGET_LIMITS } from './codes/output/targetLimits.ts';
import { TARGETS } from './codes/output/targets.ts';
import { TEXTURES } from './codes/output/textures.ts';
import { TILING } from './codes/output/tiling.ts';
import { UNTOLD } from './codes/output/untold.ts';
import { UNTOLDPACK } from './codes/output/untoldpack.ts';
import { URHO3D } from './codes/output/urho3d.ts';
import { UTEX } from './codes/output/utex.ts';
import { ZONE_CODES } from './codes/output/zones.ts';
import { BPX_MODELS } from './codes/sources/bpx.ts';
import { COOKED } from './codes/sources/cooked.ts';
import { FILES } from './codes/sources/files.ts';
import { GALILEO_SOURCES } from './codes/sources/galileo.ts';
import { GLTF } from './codes/sources/gltf.ts';
import { TREES } from './codes/sources/trees.ts';
import { URHO3D_SOURCES } from './codes/sources/urho3d.ts';
import { URHO3D_SCENES } from './codes/sources/urho3dScenes.ts';
import { USD_CRATE } from './codes/sources/usdCrate.ts';
import { USD_GEOM } from './codes/sources/usdGeom.ts';
import { USD_SHADE } from './codes/sources/usdShade.ts';
import { USD_STAGE } from './codes/sources/usdStage.ts';
import { USD_TEXT } from './codes/sources/usdText.ts';
import { USDZ } from './codes/sources/usdz.ts';

export type { CodeEntry, Severity } from './entry.ts';

export const CODES = {
  ...COMMAND_LINE,
  ...ENVIRONMENT,
  ...FILES,
  ...GLTF,
  ...USD_CRATE,
  ...USD_TEXT,
  ...USDZ,
  ...USD_STAGE,
  ...USD_GEOM,
  ...USD_SHADE,
  ...COOK,
  ...TEXTURES,
  ...TILING,
  ...DEVICE_CODES,
  ...ZONE_CODES,
  ...ADVICE_CODES,
  ...TARGETS,
  ...KEPT_MATERIALS,
  ...MESH_LIMITS,
  ...TARGET_LIMITS,
  ...COOKED,
  ...TREES,
  ...BPX_MODELS,
  ...URHO3D_SOURCES,
  ...URHO3D_SCENES,
  ...GALILEO_SOURCES,
  ...UNTOLD,
  ...UNTOLDPACK,
  ...CHAINS,
  ...MANIFEST,
  ...UTEX,
  ...GALILEO,
  ...BPX,
  ...URHO3D,
  ...GLB,
  ...EMIT,
  ...PACK,
  ...PICTURE,
  ...ARKIT,
  ...GLB_LOSSES,
  ...SETS,
  ...RENDER,
  ...SHARDS,
} as const;

export type Code = keyof typeof CODES;
