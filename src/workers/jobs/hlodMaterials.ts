// The choices of materials for a tile's HLOD: materials merged into palettes, or the picture of full detail baked onto it.

import type { DrawnMesh } from '../../formats/format.ts';
import { errorAtDistance } from '../../tiling/streaming/ladder.ts';
import { nearestStart, pixelAtStart } from '../../tiling/streaming/levelStart.ts';
import { MAX_ATLASED_SIDE } from './atlasedSide.ts';
import { bakeOnto, bakeProxy, isWorthBaking, type ProxyImages } from './bakeProxy.ts';
import type { LevelJob } from './levelJob.ts';
import { type AtlasImages, mergeMaterials } from './mergeMaterials.ts';
import { finishedMaterials, type ProxyMaterials } from './proxyMaterials.ts';
import { splitPalettes } from './splitPalettes.ts';

/** A way to the materials that a level may have. */
export interface MaterialChoice {
  readonly materials: () => Promise<ProxyMaterials>;
  /** Whether it keeps borders of materials, as LODs do: what held a LOD then holds this too. */
  readonly keepsSeams: boolean;
}

/**
 * The choices of materials for the tile's HLOD, the best first: merged, or baked where merging would lose colours and textures
 * may be made. Merged materials are simplified under other constraints, so that baking onto those may be possible where
 * baking onto one surface is not. Where pictures decide, merged materials come first: they look more alike, because
 * nothing is resampled.
 */
export function hlodMaterials(near: readonly DrawnMesh[], job: LevelJob, streaming: number): MaterialChoice[] {
  const { tileId, meshes: detail, images, format, textureSize } = job;
  const merge = async () => {
    const plain = await splitPalettes(near, format);
    return mergeMaterials(plain, tileId, format, atlasImages(images), errorAtDistance(streaming));
  };
  const merged: MaterialChoice = { materials: async () => finishedMaterials(await merge()), keepsSeams: true };
  if (textureSize === null || !isWorthBaking(detail)) return [merged];
  const pixelAt = (error: number) => pixelAtStart(nearestStart(streaming), error);
  const request = { name: tileId, detail, images, format, textureSize, pixelAt };
  const baked: MaterialChoice = { materials: () => bakeProxy(near, request), keepsSeams: false };
  if (job.similarity !== null) return [merged, baked];
  return [baked, { materials: async () => bakeOnto(await merge(), request), keepsSeams: true }];
}

function atlasImages(images: ProxyImages): AtlasImages {
  return async (texture) => {
    const mips = await images(texture);
    const isSmall = ({ width, height }: { readonly width: number; readonly height: number }) =>
      Math.max(width, height) <= MAX_ATLASED_SIDE;
    return mips?.find(isSmall) ?? null;
  };
}
