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

export const LIKENESS_LIMITS: Readonly<Record<LodQuality, Readonly<Record<'lod' | 'hlod', SimilarityLimits>>>> = {
  draft: { lod: { ssim: 0.93, psnr: 31, meanColor: 5 }, hlod: { ssim: 0.86, psnr: 26, meanColor: 6 } },
  good: { lod: { ssim: 0.97, psnr: 36, meanColor: 3 }, hlod: { ssim: 0.93, psnr: 30, meanColor: 3 } },
  best: { lod: { ssim: 0.985, psnr: 40, meanColor: 2 }, hlod: { ssim: 0.965, psnr: 34, meanColor: 2 } },
};
