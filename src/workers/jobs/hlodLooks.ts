// The looks that a tile's HLOD may have: materials folded into palettes, or the picture of full detail baked onto it.

import type { DrawnMesh } from '../../formats/format.ts';
import { errorAtDistance } from '../../tiling/streaming/ladder.ts';
import { nearestStart, pixelAtStart } from '../../tiling/streaming/levelStart.ts';
import { bakeOnto, bakeProxy, isWorthBaking, type ProxyImages } from './bakeProxy.ts';
import { type FoldedImages, foldMaterials, MAX_FOLDED_SIDE } from './foldMaterials.ts';
import type { LevelJob } from './levelJob.ts';
import { finishedLook, type ProxyLook } from './proxyLook.ts';
import { unfoldPalettes } from './unfoldPalettes.ts';

/** A way to a look that a level may have. */
export interface Look {
  readonly look: () => Promise<ProxyLook>;
  /** Whether it keeps borders of materials, as LODs do: what held a LOD then holds this too. */
  readonly keepsSeams: boolean;
}

/**
 * The looks that the tile's HLOD may have, the best first: folded, or baked where folding would lose colours and textures
 * may be made. Folded materials are simplified under other constraints, so that baking onto those may be possible where
 * baking onto one surface is not. Where pictures decide, folded materials come first: they look more alike, because
 * nothing is resampled.
 */
export function hlodLooks(near: readonly DrawnMesh[], job: LevelJob, streaming: number): Look[] {
  const { tileId, meshes: detail, images, format, textureSize } = job;
  const fold = async () => {
    const plain = await unfoldPalettes(near, format);
    return foldMaterials(plain, tileId, format, foldedImages(images), errorAtDistance(streaming));
  };
  const folded: Look = { look: async () => finishedLook(await fold()), keepsSeams: true };
  if (textureSize === null || !isWorthBaking(detail)) return [folded];
  const pixelAt = (error: number) => pixelAtStart(nearestStart(streaming), error);
  const request = { name: tileId, detail, images, format, textureSize, pixelAt };
  const baked: Look = { look: () => bakeProxy(near, request), keepsSeams: false };
  if (job.likeness !== null) return [folded, baked];
  return [baked, { look: async () => bakeOnto(await fold(), request), keepsSeams: true }];
}

function foldedImages(images: ProxyImages): FoldedImages {
  return async (texture) => {
    const mips = await images(texture);
    const isSmall = ({ width, height }: { readonly width: number; readonly height: number }) =>
      Math.max(width, height) <= MAX_FOLDED_SIDE;
    return mips?.find(isSmall) ?? null;
  };
}
