// The textures of a scene, with the smaller files of them that levels are drawn with.

import { textureName } from '../../../textures/name.ts';
import { fileBytes, type HeldFiles, type PreparedTexture, type TextureFiles } from '../../../textures/types.ts';

/** The texture itself, then its smaller files for levels. */
export function filesOf(texture: PreparedTexture): readonly PreparedTexture[] {
  return [texture, ...(texture.smaller ?? [])];
}

interface SmallerWishes {
  /** Whether levels are drawn, with files of their own. */
  readonly areWanted: boolean;
  /** CookSettings.textureLimits. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
}

/** The largest of a texture and its smaller files that a limit allows, with those below it; the last one where none is so small. */
function limited({ smaller = [], ...texture }: PreparedTexture, limit: number): PreparedTexture {
  const all: readonly PreparedTexture[] = [texture, ...smaller];
  const found = all.findIndex(({ width, height }) => Math.max(width, height) <= limit);
  const first = found < 0 ? all.length - 1 : found;
  return { ...all[first], smaller: all.slice(first + 1) };
}

/** The textures with their smaller files for levels, and not larger than their limits, if the kind of file has smaller ones. */
export async function withSmaller(
  textures: readonly PreparedTexture[],
  files: TextureFiles,
  held: HeldFiles,
  { areWanted, limits = {} }: SmallerWishes,
): Promise<readonly PreparedTexture[]> {
  if (files.mode !== 'utex') return textures;
  const taken = new Set(textures.map(({ fileName }) => fileName.toLowerCase()));
  const names = new Map(textures.map(({ sha256, fileName }) => [sha256, fileName]));
  const all: PreparedTexture[] = [];
  for (const texture of textures) {
    const limit = limits[texture.sha256];
    if (!areWanted && limit === undefined) {
      all.push(texture);
      continue;
    }
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
    const whole = smaller.length > 0 ? { ...texture, smaller } : texture;
    const { smaller: rest = [], ...own } = limit === undefined ? whole : limited(whole, limit);
    all.push(areWanted && rest.length > 0 ? { ...own, smaller: rest } : own);
  }
  return all;
}
