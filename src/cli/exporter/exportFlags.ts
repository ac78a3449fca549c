// The flags of `untoldengine export`, in the order of its documents.

import { info, same } from './exporterFlag.ts';
import { BLENDER, COLOR_GRADE_LUT, COMPRESS_GEOMETRY, OLDER, OPTIMIZE } from './sharedFlags.ts';

const AXES = 'leave it out: sources always become Y up, in metres';
const NO_BAKE = 'leave it out: procedural materials do not come in USD or glTF; bake them before they are exported';
const NO_SPLATS = 'export the splats with untoldengine';

const splat = (name: string, placeholder: string | null) =>
  info(name, placeholder, 'only splats have it, which are not read', NO_SPLATS);

export const EXPORT_FLAGS = [
  same({
    name: 'input',
    kind: { type: 'path' },
    placeholder: 'SCENE',
    description: 'the source: USD, USDZ, and glTF too; no .blend file and no splats',
    instead: 'give the source as a word: `untold cook SCENE --out DIR`',
  }),
  same({
    name: 'output',
    kind: { type: 'path' },
    placeholder: 'FILE',
    description:
      'FILE.untold, which becomes FILE.untoldpack where the scene has several root objects; FILE.untoldpack stays a pack; FILE.untoldanim with --animation',
    instead: 'use --out FILE.untold, or --out FILE.untoldpack for several root objects',
  }),
  BLENDER,
  same({
    name: 'file-type',
    kind: { type: 'choice', choices: ['tile', 'lod', 'hlod', 'shared', 'animation'] },
    placeholder: 'TYPE',
    description: 'what the header says that the file is; animation: as --animation. Models of packs are tile',
    default: 'tile',
    instead: 'leave it out: tiles, levels and shared buckets get their types by themselves',
  }),
  same({
    name: 'mesh-name',
    kind: { type: 'text' },
    placeholder: 'NAME',
    description:
      'only the objects of this name, with all below them; where none is called so, those with a mesh of this name',
    instead: 'use --select with the path of the prim, or of the node of glTF as nodes/3',
  }),
  info('convert-orientation', null, 'sources always become Y up', AXES),
  info('ConvertOrientation', null, 'sources always become Y up', AXES),
  info(
    'source-orientation',
    'WHAT',
    'the source says which axis is up',
    'use --up-axis, if a USD source says its axis wrongly',
  ),
  same({
    name: 'assets-dir',
    kind: { type: 'path' },
    placeholder: 'DIR',
    description: 'textures of a single file go to DIR/Textures; packs keep all in the folder of the output',
    instead: 'use --textures-dir DIR/Textures',
  }),
  same({
    name: 'include-hidden',
    kind: { type: 'flag' },
    description: 'USD: invisible prims too',
    instead: 'use --all-meshes',
  }),
  same({
    name: 'animation',
    kind: { type: 'flag' },
    description: 'the one clip of the source alone, as FILE.untoldanim',
    instead: 'leave it out: --out FILE.untold writes clips to Animations/ beside it; --animations chooses them',
  }),
  info('no-material-bake', null, 'nothing is baked', NO_BAKE),
  info('material-bake-size', 'N', 'nothing is baked', NO_BAKE),
  info('material-bake-tile', 'N', 'nothing is baked', NO_BAKE),
  COMPRESS_GEOMETRY,
  OPTIMIZE,
  COLOR_GRADE_LUT,
  info(
    'validate',
    null,
    'every output is read back and checked; no report is written beside it',
    'leave it out: every cook is read back and checked; `untold validate` checks it again',
  ),
  splat('lod-levels', 'N'),
  splat('splat-chunk-splats', 'N'),
  splat('splat-coarse-levels', 'N'),
  splat('splat-coarse-ratio-log2', 'N'),
  splat('splat-sh-degree', 'N'),
  splat('splat-min-opacity', 'N'),
  splat('splat-max-count', 'N'),
  splat('splat-crop', 'NUMBERS'),
  splat('splat-crop-margin', 'N'),
  splat('splat-scale', 'N'),
  splat('splat-yaw-degrees', 'N'),
  splat('splat-translate', 'NUMBERS'),
  splat('splat-up-axis', 'AXIS'),
  splat('splat-flip-yz', null),
  splat('splat-environment', null),
  splat('splat-antialiased', null),
  ...OLDER,
] as const;
