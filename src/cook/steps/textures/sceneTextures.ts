// The textures of a scene, with the smaller files of them that levels are drawn with.

import { textureName } from '../../../textures/name.ts';
import { fileBytes, type HeldFiles, type PreparedTexture, type TextureFiles } from '../../../textures/types.ts';

/** The texture itself, then its smaller files for levels. */
export function filesOf(texture: PreparedTexture): readonly PreparedTexture[] {
  return [texture, ...(texture.smaller ?? [])];
}

/** The textures with their smaller files, if the kind of file has such. */
export async function withSmaller(
  textures: readonly PreparedTexture[],
  files: TextureFiles,
  held: HeldFiles,
): Promise<readonly PreparedTexture[]> {
  if (files.mode !== 'utex') return textures;
  const taken = new Set(textures.map(({ fileName }) => fileName.toLowerCase()));
  const names = new Map(textures.map(({ sha256, fileName }) => [sha256, fileName]));
  const all: PreparedTexture[] = [];
  for (const texture of textures) {
    const { format, flags } = texture;
    const stem = texture.fileName.replace(/\.[^.]*\.[^.]*$/, '');
    const smaller: PreparedTexture[] = [];
    for (const { bytes, ...file } of await files.smaller(fileBytes(texture, held))) {
      const { sha256 } = file;
      const fileName = names.get(sha256) ?? textureName(stem, sha256, 'utex', taken);
      names.set(sha256, fileName);
      taken.add(fileName.toLowerCase());
      smaller.push({ ...file, format, flags, fileName, bytes: held.hold(sha256, bytes) ? null : bytes });
    }
    all.push(smaller.length > 0 ? { ...texture, smaller } : texture);
  }
  return all;
}
