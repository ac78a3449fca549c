// Measures how levels look: each is drawn beside full detail from its switch distance and from all sides.

import { resolve } from 'node:path';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { LevelComparison } from '../../src/library/render/compareLevels.ts';
import { openCookedSet } from '../../src/library/render/cookedSet.ts';
import { DrawnPayloads } from '../../src/library/render/drawnPayloads.ts';
import type { JudgedView } from '../../src/raster/judge.ts';
import { LIKENESS_LIMITS, type LikenessLimits } from '../../src/tiling/streaming/lodQuality.ts';
import { JUDGED_VIEWS } from '../../src/workers/jobs/levelJudge.ts';

/** Decibels that equal pictures count as in a mean. */
const EQUAL = 100;

export interface PictureRow {
  readonly tile: string;
  /** `lod1` …, `hlod`, or `far` for the HLOD of a cluster. */
  readonly level: string;
  /** Metres from which it is shown. */
  readonly distance: number;
  readonly triangles: number;
  readonly fullTriangles: number;
  /** The means over all views. */
  readonly all: LikenessLimits;
  /** The means over the views that a cook draws. */
  readonly cooked: LikenessLimits;
}

/** The means over views, weighted with their judged pixels, as the cook takes them. */
function meansOf(views: readonly JudgedView[]): LikenessLimits {
  let pixels = 0;
  let ssim = 0;
  let psnr = 0;
  let meanColor = 0;
  for (const { difference } of views) {
    pixels += difference.pixels;
    ssim += difference.ssim * difference.pixels;
    psnr += Math.min(difference.psnr, EQUAL) * difference.pixels;
    meanColor += difference.meanColor * difference.pixels;
  }
  if (pixels === 0) return { ssim: 1, psnr: EQUAL, meanColor: 0 };
  return { ssim: ssim / pixels, psnr: psnr / pixels, meanColor: meanColor / pixels };
}

/** What is asked of a level where the cook is told nothing else. */
export const targetOf = (level: string): LikenessLimits =>
  LIKENESS_LIMITS.good[level.startsWith('lod') ? 'lod' : 'hlod'];

export function meets(means: LikenessLimits, target: LikenessLimits): boolean {
  return means.ssim >= target.ssim && means.psnr >= target.psnr && means.meanColor <= target.meanColor;
}

/** Every level of a cooked set. */
export async function measurePictures(manifest: string): Promise<PictureRow[]> {
  const set = await openCookedSet(resolve(manifest), manifest, process.cwd());
  const comparison = new LevelComparison(set, new DrawnPayloads(set, new Diagnostics()));
  const rows: PictureRow[] = [];
  for (const tile of set.tiles) {
    for (const { name, path, distance, triangles, fullTriangles, judgement } of await comparison.judged(tile)) {
      const { views } = judgement;
      rows.push({
        tile: tile.id,
        level: /_far_[^/]*$/.test(path) ? 'far' : name,
        distance,
        triangles,
        fullTriangles,
        all: meansOf(views),
        cooked: meansOf(JUDGED_VIEWS.map((view) => views[view])),
      });
    }
  }
  return rows;
}
