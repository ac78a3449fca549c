// How like full detail the pictures of a level must look from where the level is shown.

export type LodQuality = 'draft' | 'good' | 'best';

/** The least that is asked of the pictures of a level, over the mean of all views. */
export interface SimilarityLimits {
  /** Structural similarity. */
  readonly ssim: number;
  /** Peak signal-to-noise ratio in decibels. */
  readonly psnr: number;
  /** The largest difference of the mean colour, of 255. */
  readonly meanColor: number;
}

/** Levels of tiles, their HLODs, and levels of the chains of packs. */
export type JudgedKind = 'lod' | 'hlod' | 'chain';

type Limits = Readonly<Record<JudgedKind, SimilarityLimits>>;

/**
 * Levels of chains are shown from any distance, also where the picture of a model is a few pixels and every one of them an edge: they
 * have the structure and colour of a LOD, and the noise of an HLOD.
 */
const withChain = (both: Pick<Limits, 'lod' | 'hlod'>): Limits => ({
  ...both,
  chain: { ...both.lod, psnr: both.hlod.psnr },
});

export const LIKENESS_LIMITS: Readonly<Record<LodQuality, Limits>> = {
  draft: withChain({ lod: { ssim: 0.93, psnr: 31, meanColor: 5 }, hlod: { ssim: 0.86, psnr: 26, meanColor: 6 } }),
  good: withChain({ lod: { ssim: 0.97, psnr: 36, meanColor: 3 }, hlod: { ssim: 0.93, psnr: 30, meanColor: 3 } }),
  best: withChain({ lod: { ssim: 0.985, psnr: 40, meanColor: 2 }, hlod: { ssim: 0.965, psnr: 34, meanColor: 2 } }),
};
