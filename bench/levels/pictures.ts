// Measures how levels look: each is drawn beside full detail from its switch distance and from all sides.

import { resolve } from 'node:path';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { LevelComparison } from '../../src/library/render/compareLevels.ts';
import { openCookedSet } from '../../src/library/render/cookedSet.ts';
import { DrawnPayloads } from '../../src/library/render/drawnPayloads.ts';
import { meanDifference } from '../../src/raster/mean.ts';
import type { ByteDifference } from '../../src/raster/metrics.ts';
import { LIKENESS_LIMITS, type SimilarityLimits } from '../../src/tiling/streaming/lodQuality.ts';
import { JUDGED_VIEWS } from '../../src/workers/jobs/levelJudge.ts';

export interface PictureRow {
  readonly tile: string;
  /** `lod1` …, `hlod`, or `far` for the HLOD of a cluster. */
  readonly level: string;
  /** Metres from which it is shown. */
  readonly distance: number;
  readonly triangles: number;
  readonly fullTriangles: number;
  /** The means over all views. */
  readonly all: ByteDifference;
  /** The means over the views that a cook draws. */
  readonly cooked: ByteDifference;
}

/** What is asked of a level where the cook is told nothing else. */
export const targetOf = (level: string): SimilarityLimits =>
  LIKENESS_LIMITS.good[level.startsWith('lod') ? 'lod' : 'hlod'];

export function meets(means: SimilarityLimits, target: SimilarityLimits): boolean {
  return means.ssim >= target.ssim && means.psnr >= target.psnr && means.meanColor <= target.meanColor;
}

/** Every level of a cooked set. */
export async function measurePictures(manifest: string): Promise<PictureRow[]> {
  const set = await openCookedSet(resolve(manifest), manifest, process.cwd());
  const comparison = new LevelComparison(set, new DrawnPayloads(set, new Diagnostics()));
  const rows: PictureRow[] = [];
  for (const tile of set.tiles) {
    for (const { name, path, distance, triangles, fullTriangles, judgement } of await comparison.judged(tile)) {
      const views = judgement.views.map(({ difference }) => difference);
      rows.push({
        tile: tile.id,
        level: /_far_[^/]*$/.test(path) ? 'far' : name,
        distance,
        triangles,
        fullTriangles,
        all: meanDifference(views),
        cooked: meanDifference(JUDGED_VIEWS.map((view) => views[view])),
      });
    }
  }
  return rows;
}
