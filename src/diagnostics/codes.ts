// The table of every code: severity, exit code, title, cause and remedy. One chapter a room, in codes/; a code is never
// reused for something else. `untold explain CODE` prints an entry of this table.

import { COMMAND_LINE } from './codes/commandLine.ts';
import { COOK } from './codes/cook.ts';
import { EMIT } from './codes/emit.ts';
import { ENVIRONMENT } from './codes/environment.ts';
import { FILES } from './codes/files.ts';
import { GLTF } from './codes/gltf.ts';
import { MANIFEST } from './codes/manifest.ts';
import { RENDER } from './codes/render.ts';
import { TEXTURES } from './codes/textures.ts';
import { TILING } from './codes/tiling.ts';
import { UNTOLD } from './codes/untold.ts';
import { USD_CRATE } from './codes/usdCrate.ts';
import { USD_GEOM } from './codes/usdGeom.ts';
import { USD_SHADE } from './codes/usdShade.ts';
import { USD_STAGE } from './codes/usdStage.ts';
import { USD_TEXT } from './codes/usdText.ts';
import { USDZ } from './codes/usdz.ts';

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
  ...UNTOLD,
  ...MANIFEST,
  ...EMIT,
  ...RENDER,
} as const;

export type Code = keyof typeof CODES;
