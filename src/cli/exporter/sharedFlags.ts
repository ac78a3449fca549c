// The flags that several commands of the exporter have.

import { info, same } from './exporterFlag.ts';

export const BLENDER = info(
  'blender',
  'PATH',
  'no Blender is started',
  'leave it out: sources are read without Blender',
);

export const COMPRESS_GEOMETRY = same({
  name: 'compress-geometry',
  kind: { type: 'flag' },
  description: 'vertices and indices are compressed with LZ4; otherwise they are not',
  instead: 'use --compress lz4, which is the default',
});

export const OPTIMIZE = same({
  name: 'optimize',
  kind: { type: 'flag' },
  description: 'geometry is compressed, and textures are cooked to .utex; otherwise they are PNG',
  instead: 'leave it out: geometry is compressed and textures are cooked to .utex by default',
});

export const COLOR_GRADE_LUT = same({
  name: 'color-grade-lut',
  kind: { type: 'path' },
  placeholder: 'FILE.cube',
  description: 'the look of the scene; a pack has no place for it',
  instead: 'use --color-grade FILE.cube',
});

const NO_BAKE = 'leave it out: materials of glTF, UsdPreviewSurface and MaterialX are read as they are';

/** What older exporters have beside today's flags. */
export const OLDER = [
  info('bake-color-management', null, 'no view transform is baked', 'give the look as a LUT, with --color-grade'),
  info('color-lut-size', 'N', 'no view transform is baked', 'give the look as a LUT, with --color-grade'),
  info('bake-materials', null, 'sources hold no procedural materials', NO_BAKE),
] as const;
