// Levels beside their full detail on a page: one sentence each, and pictures of what is drawn, enlarged pixel by pixel.

import type { Picture } from '../../raster/render.ts';
import { encodeQuickPng } from '../../textures/encode/png.ts';
import type { ComparedLevel, PicturedLevel } from '../render/compareLevels.ts';
import { coveredBox } from '../render/levelSentence.ts';
import { dataOf } from './figure.ts';
import { html, type Markup } from './markup.ts';
import { count, metres } from './table.ts';

/** The pictures of a level as PNG files of one size. */
export interface LevelFigure {
  readonly row: ComparedLevel;
  readonly sentence: string;
  readonly width: number;
  readonly height: number;
  readonly pngs: Readonly<Record<'full' | 'level' | 'difference', Uint8Array>>;
}

/** Pixels around what is drawn. */
const MARGIN = 2;

/** Encodes what the pictures show, without the empty part around it. */
export async function levelFigure({ row, sentence, full, level, difference }: PicturedLevel): Promise<LevelFigure> {
  const box = coveredBox(full, level);
  const left = Math.max(0, box.left - MARGIN);
  const top = Math.max(0, box.top - MARGIN);
  const width = Math.min(full.width, box.left + box.width + MARGIN) - left;
  const height = Math.min(full.height, box.top + box.height + MARGIN) - top;
  const png = (picture: Picture) => {
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y++) {
      const from = ((top + y) * picture.width + left) * 3;
      rgb.set(picture.rgb.subarray(from, from + width * 3), y * width * 3);
    }
    return encodeQuickPng(rgb, width, height);
  };
  return {
    row,
    sentence,
    width,
    height,
    pngs: { full: await png(full), level: await png(level), difference: await png(difference) },
  };
}

/** The id of a level's part on the page, another for each level. `id`: of what holds it. */
export const levelId = (id: string, { tile, level }: ComparedLevel): string =>
  `${id}-${`${tile}-${level}`.replace(/[^A-Za-z0-9-]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}_`)}`;

function levelPart(id: string, { row, sentence, width, height, pngs }: LevelFigure): Markup {
  const { tile, level, distance, triangles, fullTriangles, worstSsim, psnr, silhouette } = row;
  const figures = [
    `${count(triangles)} of ${count(fullTriangles)} triangles`,
    `SSIM ${worstSsim.toFixed(3)}`,
    psnr === null ? 'equal pictures' : `PSNR ${psnr.toFixed(1)} dB`,
    `outline ${(silhouette * 100).toFixed(1)} %`,
  ];
  const shown = [
    ['full', 'full detail'],
    ['level', level],
    ['difference', 'difference'],
  ] as const;
  const images = shown.map(
    ([key, title]) =>
      html`<figure><img src="${dataOf(pngs[key])}" width="${width}" height="${height}" style="--w:${width}" alt="${tile} ${level}: ${title}"><figcaption>${title}</figcaption></figure>`,
  );
  return html`<article class="level" aria-labelledby="${levelId(id, row)}"><h4 id="${levelId(id, row)}">${tile} ${level} <span class="dim">from ${metres(distance)}</span></h4>
<p>${sentence}</p>
<p class="dim">${figures.join(' · ')}</p>
<div class="shots">${images}</div></article>\n`;
}

/** The parts of levels in the order given. */
export const levelParts = (id: string, levels: readonly LevelFigure[]): Markup =>
  html`${levels.map((level) => levelPart(id, level))}`;
