// The textures of a scene, with the smaller files of them that levels are drawn with.

import { textureName } from '../../../textures/name.ts';
import {
  fileBytes,
  type HeldFiles,
  type PreparedMaterials,
  type PreparedTexture,
  type TextureFiles,
} from '../../../textures/types.ts';

/** The texture itself, then its smaller files for levels. */
export function filesOf(texture: PreparedTexture): readonly PreparedTexture[] {
  return [texture, ...(texture.smaller ?? [])];
}

interface SmallerWishes {
  /** Whether levels are drawn, with files of their own. */
  readonly areWanted: boolean;
  /** CookSettings.textureLimits. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /** Of each texture the texels along its longer side that somebody can tell; absent: all of them. */
  readonly needed?: ReadonlyMap<PreparedTexture, number> | undefined;
}

/** The texels that somebody can tell of each texture, from those of the materials that it is drawn with. */
export function neededTexels(
  { materials, textures }: Pick<PreparedMaterials, 'materials' | 'textures'>,
  ofMaterials: ReadonlyMap<number, number>,
  drawn: ReadonlySet<number>,
): ReadonlyMap<PreparedTexture, number> {
  const needed = new Map<PreparedTexture, number>();
  for (const material of drawn) {
    if (material < 0) continue;
    const texels = ofMaterials.get(material) ?? Number.POSITIVE_INFINITY;
    for (const slot of Object.values(materials[material].slots) as number[]) {
      if (slot >= 0) needed.set(textures[slot], Math.max(needed.get(textures[slot]) ?? 0, texels));
    }
  }
  return needed;
}

/** Of a texture and its smaller files the smallest that has as many texels as needed, with those below it. */
function asNeeded({ smaller = [], ...texture }: PreparedTexture, texels: number): PreparedTexture {
  const all: readonly PreparedTexture[] = [texture, ...smaller];
  const first = Math.max(
    0,
    all.findLastIndex(({ width, height }) => Math.max(width, height) >= texels),
  );
  return { ...all[first], smaller: all.slice(first + 1) };
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
  { areWanted, limits = {}, needed = new Map() }: SmallerWishes,
): Promise<readonly PreparedTexture[]> {
  if (files.mode !== 'utex') return textures;
  const taken = new Set(textures.map(({ fileName }) => fileName.toLowerCase()));
  const names = new Map(textures.map(({ sha256, fileName }) => [sha256, fileName]));
  const all: PreparedTexture[] = [];
  for (const texture of textures) {
    const limit = limits[texture.sha256];
    const texels = needed.get(texture);
    if (!areWanted && limit === undefined && texels === undefined) {
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
    const enough = texels === undefined ? whole : asNeeded(whole, texels);
    const { smaller: rest = [], ...own } = limit === undefined ? enough : limited(enough, limit);
    all.push(areWanted && rest.length > 0 ? { ...own, smaller: rest } : own);
  }
  return all;
}
