// Writes the textures that the files of an output name.

import type { PreparedTexture } from '../../textures/types.ts';
import type { MadeScene, Workshop } from '../made.ts';

/** Writes the textures into `Textures/` of a folder, given with `/` at its end, in the order of their names. */
export function writeTextures({ textures, kept }: MadeScene, { set }: Workshop, folder: string): void {
  const paths = new Map([...textures].map(([name, texture]) => [`${folder}Textures/${name}`, texture]));
  for (const path of [...paths.keys()].sort()) {
    // Names carry a hash of the content: a texture with this name that was kept is equal.
    if (kept.textures.has(path)) continue;
    const { bytes, sha256 } = paths.get(path) as PreparedTexture;
    if (bytes === null) set.writeHeld(path, sha256);
    else set.write(path, bytes, sha256);
  }
}

/** Writes the colour grade beside the textures of a folder, if there is one. */
export function writeGrade({ set, grade }: Workshop, folder: string): void {
  if (grade) set.write(`${folder}Textures/${grade.fileName}`, grade.bytes, grade.sha256);
}
