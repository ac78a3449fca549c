// Formats of other programs that people try to cook, and how their scenes become USD or glTF.

import { extname } from 'node:path';

const BLENDER_EXPORT =
  'in Blender with File > Export > Universal Scene Description (.usd) or glTF 2.0 (.glb), and cook that file';

const FORMATS: Readonly<Record<string, string>> = {
  '.blend': `this is a Blender file: export it ${BLENDER_EXPORT}`,
  '.fbx': `this is FBX: import it (File > Import > FBX) and export it ${BLENDER_EXPORT}`,
  '.obj': `this is Wavefront OBJ: import it (File > Import > Wavefront) and export it ${BLENDER_EXPORT}`,
  '.dae': `this is COLLADA: import it (File > Import > Collada) and export it ${BLENDER_EXPORT}`,
  '.stl': `this is STL: import it (File > Import > STL) and export it ${BLENDER_EXPORT}`,
  '.ply': `this is PLY: import it (File > Import > Stanford PLY) and export it ${BLENDER_EXPORT}`,
  '.abc': `this is Alembic: import it (File > Import > Alembic) and export it ${BLENDER_EXPORT}`,
  '.max': 'this is a 3ds Max file: export USD there, and cook that file',
  '.ma': 'this is a Maya file: export USD there, and cook that file',
  '.mb': 'this is a Maya file: export USD there, and cook that file',
  '.c4d': 'this is a Cinema 4D file: export USD or glTF there, and cook that file',
  '.pak': 'this is a package: name a model in it, as Data.pak[Models/Jack.mdl], or take it apart with untold unpack',
  '.reality': 'in Reality Composer, export USDZ (Preferences > Enable USDZ export), and cook that file',
};

/** How a file of a format that is not read becomes a source; undefined for unknown extensions. */
export function foreignRemedy(name: string): string | undefined {
  return FORMATS[extname(name).toLowerCase()];
}
