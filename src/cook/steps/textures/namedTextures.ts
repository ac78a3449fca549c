// The textures that the files of an output name.

import type { PreparedTexture } from '../../../textures/types.ts';
import type { MadeScene } from '../../made.ts';

/** By file name, of payloads, levels and HLODs of clusters, each once. */
export function namedTextures({
  payloads,
  levels,
  clusters,
}: Pick<MadeScene, 'payloads' | 'levels' | 'clusters'>): ReadonlyMap<string, PreparedTexture> {
  const named = new Map<string, PreparedTexture>();
  for (const texture of [...payloads.textures, ...levels.textures, ...(clusters?.textures ?? [])]) {
    if (!named.has(texture.fileName)) named.set(texture.fileName, texture);
  }
  return named;
}
