// The tables of levels as cells of text.

import { type ByteDifference, peakRatio } from '../../src/raster/metrics.ts';
import type { SimilarityLimits } from '../../src/tiling/streaming/lodQuality.ts';
import type { GeometryRow } from './geometry.ts';
import { meets, type PictureRow, targetOf } from './pictures.ts';

function sum<T>(list: readonly T[], of: (row: T) => number): number {
  return list.reduce((all, row) => all + of(row), 0);
}

const percent = (part: number, whole: number) => `${(whole > 0 ? (part / whole) * 100 : 0).toFixed(2)} %`;

/** One line for each kind of level, with its worst tiles. */
export function geometryLines(rows: readonly GeometryRow[]): string[][] {
  const lines = [
    [
      'level',
      'tiles',
      'triangles',
      'leaning',
      'worst tile',
      'turned',
      'cards grow',
      'worst tile',
      'features',
      'lost',
      'area lost',
      'worst tile',
    ],
  ];
  const byMost = (list: readonly GeometryRow[], of: (row: GeometryRow) => number) =>
    list.reduce((a, b) => (of(b) > of(a) ? b : a));
  for (const level of [...new Set(rows.map((row) => row.level))].sort()) {
    const own = rows.filter((row) => row.level === level);
    const away = byMost(own, (row) => (row.area > 0 ? row.away / row.area : 0));
    const grown = byMost(own, (row) => row.growth);
    const lost = byMost(own, (row) => row.lost);
    lines.push([
      level,
      `${own.length}`,
      `${sum(own, (row) => row.triangles)}`,
      percent(
        sum(own, (row) => row.away),
        sum(own, (row) => row.area),
      ),
      `${away.tile} ${percent(away.away, away.area)}`,
      percent(
        sum(own, (row) => row.turned),
        sum(own, (row) => row.area),
      ),
      grown.growth.toFixed(2),
      grown.growth > 0 ? grown.tile : '',
      `${sum(own, (row) => row.features)}`,
      `${sum(own, (row) => row.lost)}`,
      percent(
        sum(own, (row) => row.lostArea),
        sum(own, (row) => row.featureArea),
      ),
      lost.lost > 0 ? `${lost.tile} ${lost.lost}` : '',
    ]);
  }
  const all = sum(
    rows.filter(({ level }) => level !== 'full'),
    (row) => row.triangles,
  );
  lines.push(['levels', '', `${all}`]);
  // What is drawn at each step: where a tile has no level of its own there, that of the level before.
  const levels = [...new Set(rows.map((row) => row.level))].filter((level) => /^(lod\d+|hlod)$/.test(level)).sort();
  const steps = [...levels.filter((level) => level !== 'hlod'), ...levels.filter((level) => level === 'hlod')];
  let drawn = 0;
  for (const tile of new Set(rows.map((row) => row.tile))) {
    const own = rows.filter((row) => row.tile === tile);
    let last = own.find(({ level }) => level === 'full')?.triangles ?? 0;
    for (const step of steps) {
      last = own.find(({ level }) => level === step)?.triangles ?? last;
      drawn += last;
    }
  }
  lines.push(['drawn', '', `${drawn}`]);
  return lines;
}

const figures = ({ ssim, psnr, meanColor }: SimilarityLimits) => [
  ssim.toFixed(4),
  psnr.toFixed(1),
  meanColor.toFixed(2),
];

/** One line for each kind of level: means over its tiles, the tile that looks least like full detail, and the misses. */
export function pictureLines(rows: readonly PictureRow[]): string[][] {
  const lines = [
    [
      'level',
      'tiles',
      'triangles',
      'of full',
      'SSIM',
      'PSNR',
      'colour',
      'least tile',
      'SSIM',
      'PSNR',
      'colour',
      'miss',
    ],
  ];
  for (const level of [...new Set(rows.map((row) => row.level))].sort()) {
    const own = rows.filter((row) => row.level === level);
    const mean = (of: (means: ByteDifference) => number) => sum(own, ({ all }) => of(all)) / own.length;
    const min = own.reduce((a, b) => (b.all.ssim < a.all.ssim ? b : a));
    lines.push([
      level,
      `${own.length}`,
      `${sum(own, (row) => row.triangles)}`,
      `${sum(own, (row) => row.fullTriangles)}`,
      ...figures({
        ssim: mean(({ ssim }) => ssim),
        psnr: peakRatio(mean(({ meanSquare }) => meanSquare)),
        meanColor: mean(({ meanColor }) => meanColor),
      }),
      min.tile,
      ...figures(min.all),
      `${missesOf(own).length}`,
    ]);
  }
  return lines;
}

const missesOf = (rows: readonly PictureRow[]) => rows.filter(({ all, level }) => !meets(all, targetOf(level)));

/** The levels whose means over all views miss the target, and what the views of the cook say of them. */
export function missLines(rows: readonly PictureRow[]): string[][] {
  const misses = missesOf(rows);
  if (misses.length === 0) return [];
  const head = ['missed by', 'level', 'from m', 'SSIM', 'PSNR', 'colour', "cook's views", 'SSIM', 'PSNR', 'colour'];
  const lines = misses.map(({ tile, level, distance, all, cooked }) => [
    tile,
    level,
    distance.toFixed(1),
    ...figures(all),
    meets(cooked, targetOf(level)) ? 'pass' : 'miss',
    ...figures(cooked),
  ]);
  return [head, ...lines];
}
