// The textures of a scene, with the smaller files of them that levels are drawn with.

import { textureName } from '../textures/name.ts';
import type { PreparedTexture, TextureFiles } from '../textures/types.ts';

/** A texture and the smaller files of it. */
export function filesOf(texture: PreparedTexture): readonly PreparedTexture[] {
  return [texture, ...(texture.smaller ?? [])];
}

/** The textures with their smaller files, if the kind of file has such. */
export async function withSmaller(
  textures: readonly PreparedTexture[],
  files: TextureFiles,
): Promise<readonly PreparedTexture[]> {
  const taken = new Set(textures.map(({ fileName }) => fileName.toLowerCase()));
  const names = new Map(textures.map(({ sha256, fileName }) => [sha256, fileName]));
  const all: PreparedTexture[] = [];
  for (const texture of textures) {
    const stem = texture.fileName.replace(/\.[^.]*\.[^.]*$/, '');
    const smaller: PreparedTexture[] = [];
    for (const file of await files.smaller(texture)) {
      const fileName = names.get(file.sha256) ?? textureName(stem, file.sha256, 'utex', taken);
      names.set(file.sha256, fileName);
      taken.add(fileName.toLowerCase());
      smaller.push({ ...file, fileName });
    }
    all.push(smaller.length > 0 ? { ...texture, smaller } : texture);
  }
  return all;
}
