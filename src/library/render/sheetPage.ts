// The sheet of levels as one HTML file, which loads nothing: a sentence, figures and enlarged pictures of each level.

import { levelFigure, levelId, levelParts } from '../report/levelFigures.ts';
import { html, Markup } from '../report/markup.ts';
import { POLICY, SCRIPT } from '../report/script.ts';
import { STYLE } from '../report/style.ts';
import { count, metres, plural, tableOf } from '../report/table.ts';
import type { ComparedLevel, ComparedLevels } from './compareLevels.ts';
import { NOTICED } from './levelSentence.ts';

const ID = 'level';

/** How a level was looked at, in the table. */
const LOOKS: Readonly<Record<ComparedLevel['look'], string>> = {
  sides: '2 views',
  around: '8 views',
  drawn: '8 views, drawn',
};

/** `source`: what was drawn. */
export async function sheetPage(source: string, { shown, compared }: ComparedLevels): Promise<string> {
  const figures = [];
  for (const level of shown) figures.push(await levelFigure(level));
  const drawn = new Set(shown.map(({ row }) => levelId(ID, row)));
  const worstFirst = [...compared].sort((a, b) => a.worstSsim - b.worstSsim);
  const anchor = (row: ComparedLevel) => (drawn.has(levelId(ID, row)) ? `#${levelId(ID, row)}` : null);
  const title = `${source}: levels beside full detail`;
  return `<!doctype html>\n<!-- sheet of untold -->${
    html`
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title><style>${new Markup(STYLE)}</style></head><body>
<header><h1>${title}</h1>
<p class="dim">${plural(shown.length, 'level')} of ${count(compared.length)}, the one that looks least like full detail first. Each is drawn in its worst of eight views around, from where the engine begins to show it, on a screen of 1920 × 1080 pixels and 60 degrees. A pixel differs noticeably from a distance of ${String(NOTICED)} in Oklab on.</p></header>
<main><section aria-labelledby="all"><h2 id="all">All levels</h2>
${compared.length > shown.length && html`<p class="dim">Two views in small pictures say which tiles differ most. These are looked at from eight sides, and the worst of them are drawn in full size. Small pictures mostly look a little more like full detail.</p>`}
<div class="tools needs-script"><label>Filter <input type="search" data-filters="levels" placeholder="tile, level"></label><span class="dim" data-counts="levels" aria-live="polite">${plural(compared.length, 'level')}</span></div>
${tableOf(
  'levels',
  'All levels',
  [
    { title: 'Tile', cell: ({ tile }) => tile, href: anchor },
    { title: 'Level', cell: ({ level }) => level },
    { title: 'From', cell: ({ distance }) => [metres(distance), distance] },
    { title: 'Triangles', cell: ({ triangles }) => [count(triangles), triangles] },
    { title: 'Of', cell: ({ fullTriangles }) => [count(fullTriangles), fullTriangles] },
    { title: 'SSIM, worst view', cell: ({ worstSsim }) => [worstSsim.toFixed(3), worstSsim] },
    { title: 'SSIM, mean', cell: ({ ssim }) => [ssim.toFixed(3), ssim] },
    { title: 'Looked at', cell: ({ look }) => LOOKS[look] },
    { title: 'Outline', cell: ({ silhouette }) => [`${(silhouette * 100).toFixed(1)} %`, silhouette] },
  ],
  worstFirst,
  true,
)}</section>
<section aria-labelledby="drawn"><h2 id="drawn">Side by side</h2>
${levelParts(ID, figures)}</section></main>
<footer>The page loads nothing from elsewhere.</footer>
<script>${new Markup(SCRIPT)}</script></body></html>
`.text
  }`;
}
