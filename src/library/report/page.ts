// The report of a call as one HTML file: it loads nothing, is read without scripts as well, and can be printed.

import { formatBytes } from '../../bytes/units.ts';
import type { CookTotals } from '../../cook/types.ts';
import type { ZonePair } from '../../cook/zone/figures.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { FlightFigures } from '../../formats/manifest/flights.ts';
import type { CallTotals, CallWork, FileSum } from '../callSums.ts';
import { explainCode } from '../explain.ts';
import { byLikeness, type ComparedLevel } from '../render/compareLevels.ts';
import { NOTICED } from '../render/levelSentence.ts';
import { figure } from './figure.ts';
import { heatMap } from './heatMap.ts';
import { levelId, levelParts } from './levelFigures.ts';
import { html, Markup } from './markup.ts';
import type { ReportPictures } from './pictures.ts';
import { proofPart } from './proofPart.ts';
import { POLICY, SCRIPT } from './script.ts';
import type { PayloadRow, SetFacts, TileRow } from './setFacts.ts';
import { STYLE } from './style.ts';
import { type Column, count, factsPart, metres, plural, tableOf } from './table.ts';
import type { ReportedVerdict } from './verdictPart.ts';
import { budgetsPart, type DeviceBudget, verdictPart } from './verdictPart.ts';
import { zonePart } from './zonePart.ts';

/** What is known of a cooked set besides its outcome. */
export interface ReportedSet {
  readonly facts: SetFacts;
  readonly pictures: ReportPictures;
  /** The budgets of known devices; empty: a device was asked for, or none was measured. */
  readonly budgets?: readonly DeviceBudget[];
  /** Of a zone, pictures of source and output that are least alike. */
  readonly pairs?: readonly ZonePair[];
}

/** A source of cook, or a file of validate. */
export interface ReportedCase {
  /** Relative to the working folder. */
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly diagnostics: readonly Diagnostic[];
  readonly totals?: CookTotals | null | undefined;
  /** Totals of the last complete cook of it before this one; absent or null: none is known. */
  readonly before?: CookTotals | null | undefined;
  /** Nothing had changed since then. */
  readonly isRecorded?: boolean | undefined;
  /** Whether it fits the device that was asked for; absent: none was, or it was not measured. */
  readonly verdict?: ReportedVerdict | undefined;
  /** Absent or null: nothing was written, or it is a single file. */
  readonly set?: ReportedSet | null | undefined;
}

export interface ReportedRun {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly phases?: readonly { readonly phase: string; readonly seconds: number; readonly peakBytes: number }[];
  /** What the tables and pictures of this page took besides; absent: there are none. */
  readonly pageSeconds?: number | undefined;
}

export interface ReportedCall {
  readonly command: string;
  readonly version: string;
  readonly exitCode: number;
  readonly cases: readonly ReportedCase[];
  /** What concerns the call as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  readonly run?: ReportedRun | undefined;
  /** Of cook only. */
  readonly sums?: ReportedSums | undefined;
}

/** Sums over all sources; `work`: absent where the call was stopped. */
export interface ReportedSums {
  readonly totals: CallTotals;
  readonly work?: CallWork;
}

/** How every report begins. */
export const REPORT_BEGINNING = '<!doctype html>\n<!-- report of untold -->';

const seconds = (value: number): string =>
  value < 60 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;

const full = ({ payloads }: TileRow): PayloadRow | undefined => payloads[0];
const bytesOf = ({ payloads }: TileRow): number => payloads.reduce((sum, { bytes }) => sum + bytes, 0);

const TILE_COLUMNS: readonly Column<TileRow>[] = [
  { title: 'Tile', cell: ({ id }) => id },
  { title: 'Kind', cell: ({ kind }) => kind },
  { title: 'Objects', cell: ({ objects }) => [count(objects), objects] },
  { title: 'Triangles', cell: (tile) => [count(full(tile)?.triangles ?? 0), full(tile)?.triangles ?? 0] },
  { title: 'Meshes drawn', cell: (tile) => [count(full(tile)?.draws ?? 0), full(tile)?.draws ?? 0] },
  { title: 'Bytes with levels', cell: (tile) => [formatBytes(bytesOf(tile)), bytesOf(tile)] },
  {
    title: 'Levels',
    cell: ({ payloads }) =>
      payloads
        .slice(1)
        .map(({ name, triangles, distance }) => `${name} ${count(triangles)} from ${metres(distance)}`)
        .join('\n'),
  },
  { title: 'Loaded within', cell: ({ streaming }) => [metres(streaming), streaming ?? 0] },
  { title: 'Kept within', cell: ({ unload }) => [metres(unload), unload ?? 0] },
];

function tilesPart(id: string, { tiles }: SetFacts): Markup {
  return html`<h3 id="${id}-tiles">Tiles</h3>
<div class="tools needs-script"><label>Filter <input type="search" data-filters="${id}-tile-table" placeholder="tile, kind, level"></label><span class="dim" data-counts="${id}-tile-table" aria-live="polite">${plural(tiles.length, 'tile')}</span></div>
${tableOf(`${id}-tile-table`, 'Tiles', TILE_COLUMNS, tiles, true)}`;
}

interface LevelRow {
  readonly name: string;
  readonly tiles: number;
  readonly triangles: number;
  readonly bytes: number;
  readonly replaced: number;
}

/** Each kind of payload over all tiles, and the triangles of the full detail that it stands for. */
function levelRows(tiles: readonly TileRow[]): LevelRow[] {
  const rows = new Map<string, LevelRow>();
  for (const tile of tiles) {
    for (const { name, triangles, bytes } of tile.payloads) {
      const row = rows.get(name) ?? { name, tiles: 0, triangles: 0, bytes: 0, replaced: 0 };
      rows.set(name, {
        name,
        tiles: row.tiles + 1,
        triangles: row.triangles + triangles,
        bytes: row.bytes + bytes,
        replaced: row.replaced + (full(tile)?.triangles ?? 0),
      });
    }
  }
  const order = ({ name }: LevelRow) => (name === 'full' ? '0' : name === 'hlod' ? '2' : `1${name}`);
  return [...rows.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

const LEVEL_COLUMNS: readonly Column<LevelRow>[] = [
  { title: 'Level', cell: ({ name }) => (name === 'full' ? 'full detail' : name) },
  { title: 'Tiles', cell: ({ tiles }) => [count(tiles), tiles] },
  { title: 'Triangles', cell: ({ triangles }) => [count(triangles), triangles] },
  {
    title: 'Of full detail',
    cell: ({ triangles, replaced }) => {
      const share = replaced > 0 ? triangles / replaced : 0;
      return replaced > 0 ? [`${(share * 100).toFixed(1)} %`, share] : ['', 0];
    },
  },
  { title: 'Bytes', cell: ({ bytes }) => [formatBytes(bytes), bytes] },
];

/** What levels save, in words. */
function flightsText(flights: readonly FlightFigures[]): string {
  const words = flights.map(({ flight, triangles, fullTriangles }) => {
    const saved = fullTriangles > 0 ? Math.round(100 * (1 - triangles / fullTriangles)) : 0;
    return `${flight} ${saved} % (${count(triangles)} of ${count(fullTriangles)})`;
  });
  return `Triangles that levels save along three flights through and around the set, where all is loaded: ${words.join(', ')}.`;
}

/** Rows of the tables of the heaviest and of the least alike. */
const MOST = 10;

/** The tiles that weigh most beside the levels that look least like full detail. */
function extremesPart(id: string, { facts, pictures }: ReportedSet): Markup {
  const heaviest = [...facts.tiles].sort((a, b) => bytesOf(b) - bytesOf(a) || (a.id < b.id ? -1 : 1)).slice(0, MOST);
  const drawn = new Set(pictures.levels.map(({ row }) => levelId(id, row)));
  const worst = [...pictures.compared].sort(byLikeness).slice(0, MOST);
  if (heaviest.length < 2 && worst.length === 0) return html``;
  const anchor = (row: ComparedLevel) => (drawn.has(levelId(id, row)) ? `#${levelId(id, row)}` : null);
  return html`<div class="halves"><div><h3 id="${id}-heaviest">Heaviest tiles</h3>
${tableOf(
  `${id}-heaviest-table`,
  'Heaviest tiles',
  [
    { title: 'Tile', cell: (tile) => tile.id },
    { title: 'Bytes with levels', cell: (tile) => [formatBytes(bytesOf(tile)), bytesOf(tile)] },
    { title: 'Triangles', cell: (tile) => [count(full(tile)?.triangles ?? 0), full(tile)?.triangles ?? 0] },
  ],
  heaviest,
)}</div>
${
  worst.length > 0 &&
  html`<div><h3 id="${id}-worst">Levels least like full detail</h3>
${tableOf(
  `${id}-worst-table`,
  'Levels least like full detail',
  [
    { title: 'Tile', cell: ({ tile }) => tile, href: anchor },
    { title: 'Level', cell: ({ level }) => level },
    { title: 'From', cell: ({ distance }) => [metres(distance), distance] },
    { title: 'SSIM, worst view', cell: ({ worstSsim }) => [worstSsim.toFixed(3), worstSsim] },
  ],
  worst,
)}</div>`
}</div>`;
}

function levelsPart(id: string, { facts, pictures }: ReportedSet, flights: readonly FlightFigures[]): Markup {
  const { levels, compared } = pictures;
  const rows = levelRows(facts.tiles);
  if (rows.length < 2) return html``;
  return html`<h3 id="${id}-levels">Levels</h3>
${flights.length > 0 && html`<p>${flightsText(flights)}</p>`}
${tableOf(`${id}-level-table`, 'Levels', LEVEL_COLUMNS, rows)}
${
  levels.length > 0 &&
  html`<h3 id="${id}-pictured">Levels beside full detail</h3>
<p class="dim">${levels.length < compared.length ? `The ${levels.length} of ${count(compared.length)} levels that look least like full detail` : plural(levels.length, 'level')}, each in its worst of eight views around, from where the engine begins to show it. A pixel differs noticeably from a distance of ${String(NOTICED)} in Oklab on.${levels.length < compared.length && html` <code>--report-pictures all</code> draws all.`}</p>
${levelParts(id, levels)}`
}`;
}

function largestPart(id: string, { meshes, textures }: SetFacts): Markup {
  return html`<h3 id="${id}-largest">Largest meshes and textures</h3>
${tableOf(
  `${id}-meshes`,
  'Largest meshes',
  [
    { title: 'Mesh', cell: ({ name }) => name },
    { title: 'Tile', cell: ({ tile }) => tile },
    { title: 'Triangles', cell: ({ triangles }) => [count(triangles), triangles] },
    { title: 'Vertices', cell: ({ vertices }) => [count(vertices), vertices] },
  ],
  meshes,
)}
<p></p>
${
  textures.length > 0 &&
  tableOf(
    `${id}-textures`,
    'Largest textures',
    [
      { title: 'Texture', cell: ({ name }) => name },
      { title: 'Format', cell: ({ format }) => format },
      { title: 'Size', cell: ({ width, height }) => [`${width} × ${height}`, width * height] },
      { title: 'Mips', cell: ({ mips }) => [count(mips), mips] },
      { title: 'Bytes', cell: ({ bytes }) => [formatBytes(bytes), bytes] },
      { title: 'With gzip', cell: ({ gzipBytes }) => [formatBytes(gzipBytes), gzipBytes] },
    ],
    textures,
  )
}`;
}

const SEVERITIES = ['error', 'warning', 'info'] as const;

/** Diagnostics by code, errors first, each code with its remedy and its places. */
function diagnosticsPart(diagnostics: readonly Diagnostic[]): Markup {
  if (diagnostics.length === 0) return html`<p class="dim">Nothing was reported.</p>`;
  const byCode = new Map<string, Diagnostic[]>();
  for (const item of diagnostics) {
    const key = `${SEVERITIES.indexOf(item.severity)} ${item.code}`;
    byCode.set(key, [...(byCode.get(key) ?? []), item]);
  }
  const groups = [...byCode].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, items]) => items);
  return html`${groups.map((items) => {
    const [{ code, severity }] = items;
    const known = explainCode(code);
    const remedies = new Set(items.map(({ remedy }) => remedy));
    return html`<details${new Markup(severity === 'error' ? ' open' : '')}><summary><span class="badge ${severity}">${severity}</span> ${code} ${known.title} <span class="dim">${plural(items.length, 'time')}</span></summary>
<ul>${items.map(({ file, path, message }) => html`<li>${[file, path].filter(Boolean).join(' ')}${file || path ? ': ' : ''}${message}</li>`)}</ul>
<p>What to do: ${[...remedies].map((remedy) => html`${remedy}<br>`)}</p></details>`;
  })}`;
}

const TOTALS: readonly (readonly [string, (totals: CookTotals) => number, (value: number) => string])[] = [
  ['Tiles', ({ tiles }) => tiles, count],
  ['Models', ({ models }) => models, count],
  ['Triangles in', ({ trianglesIn }) => trianglesIn, count],
  ['Triangles out', ({ trianglesOut }) => trianglesOut, count],
  ['Vertices', ({ vertices }) => vertices, count],
  ['Materials', ({ materials }) => materials, count],
  ['Texture files', ({ textures }) => textures, count],
  ['Files', ({ files }) => files, count],
  ['Bytes', ({ bytes }) => bytes, formatBytes],
];

function beforePart(id: string, totals: CookTotals, before: CookTotals): Markup {
  const signed = (value: number, show: (value: number) => string) =>
    value === 0 ? 'the same' : `${value > 0 ? '+' : '−'}${show(Math.abs(value))}`;
  return html`<h3 id="${id}-before">Compared with the cook before</h3>
${tableOf(
  `${id}-before-table`,
  'Compared with the cook before',
  [
    { title: '', cell: ([name]) => name },
    { title: 'Before', cell: ([, of, show]) => [show(of(before)), of(before)] },
    { title: 'Now', cell: ([, of, show]) => [show(of(totals)), of(totals)] },
    { title: 'Change', cell: ([, of, show]) => [signed(of(totals) - of(before), show), of(totals) - of(before)] },
  ],
  TOTALS,
)}`;
}

/** Facts that most outputs have nothing of. */
const RARE: ReadonlySet<string> = new Set(['Tiles', 'Models']);

const filesOf = ({ files, bytes }: FileSum): string => `${plural(files, 'file')}, ${formatBytes(bytes)}`;

/** What all sources came to, each file once. */
function sumsPart({ totals, work }: ReportedSums): Markup {
  const { ok, failed, skipped, tiles, models, singleFiles, output, textures, shared, planned } = totals;
  const facts: (readonly [string, number, string])[] = [
    ['Cooked', work?.cooked ?? ok, count(work?.cooked ?? ok)],
    ['Up to date', work?.upToDate ?? 0, count(work?.upToDate ?? 0)],
    ['Failed', failed, count(failed)],
    ['Skipped', skipped, count(skipped)],
    ['Tiles', tiles, count(tiles)],
    ['Models', models, count(models)],
    ['Single files', singleFiles, count(singleFiles)],
    ['Output', output.files, filesOf(output)],
    ['Textures of these', textures.files, filesOf(textures)],
    ['Of several sources', shared.files, filesOf(shared)],
    ['Written', work?.written.files ?? 0, filesOf(work?.written ?? { files: 0, bytes: 0 })],
    ['Planned at most', planned?.atMost.files ?? 0, filesOf(planned?.atMost ?? { files: 0, bytes: 0 })],
  ];
  return factsPart(facts.filter(([, value]) => value > 0).map(([title, , shown]) => [title, shown]));
}

function casePart(item: ReportedCase, index: number): Markup {
  const { name, status, diagnostics, totals, before, verdict, set, isRecorded } = item;
  const id = `s${index}`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${name} <span class="badge ${status}">${status}</span></h2>
${isRecorded === true && html`<p>Nothing has changed since it was cooked last: the files are those of that cook.</p>`}
${totals && factsPart(TOTALS.filter(([title, of]) => of(totals) > 0 || !RARE.has(title)).map(([title, of, show]) => [title, show(of(totals))]))}
${totals?.zone && zonePart(id, totals.zone)}
${verdict && verdictPart(id, verdict)}
${set?.pictures.overview && figure(set.pictures.overview)}
${totals?.zone && proofPart(id, totals.zone.proof, set?.pairs ?? [])}
${!verdict && set?.budgets && budgetsPart(id, set.budgets)}
${set && extremesPart(id, set)}
${set && heatMap(id, set.facts.tiles)}
${totals && before && beforePart(id, totals, before)}
${set && [tilesPart(id, set.facts), levelsPart(id, set, totals?.streamed?.flights ?? []), largestPart(id, set.facts)]}
<h3>Diagnostics</h3>
${diagnosticsPart(diagnostics)}
</section>`;
}

function runPart({ seconds: wall, peakBytes, phases = [], pageSeconds }: ReportedRun): Markup {
  return html`<section aria-labelledby="run"><h2 id="run">Time and memory</h2>
<p>${seconds(wall)}, ${formatBytes(peakBytes)} of memory at the peak.${pageSeconds !== undefined && ` The tables and pictures of this page took ${seconds(pageSeconds)} besides.`}</p>
${
  phases.length > 0 &&
  tableOf(
    'phases',
    'Phases',
    [
      { title: 'Phase', cell: ({ phase }) => phase },
      { title: 'Time', cell: ({ seconds: time }) => [seconds(time), time] },
      { title: 'Share', cell: ({ seconds: time }) => [`${wall > 0 ? Math.round((time / wall) * 100) : 0} %`, time] },
      { title: 'Peak memory so far', cell: ({ peakBytes: peak }) => [formatBytes(peak), peak] },
    ],
    phases,
  )
}
</section>`;
}

/** What became of a case, and the heading of the cases. */
const WORDS: Readonly<Record<string, readonly [done: string, heading: string]>> = {
  cook: ['cooked', 'Cooked'],
  check: ['without errors', 'Checked'],
};

export function reportPage(call: ReportedCall): string {
  const { command, version, exitCode, cases, diagnostics, run, sums } = call;
  const done = cases.filter(({ status }) => status === 'ok').length;
  const all = [...cases.flatMap((item) => item.diagnostics), ...diagnostics];
  const of = (severity: Diagnostic['severity']) => all.filter((item) => item.severity === severity).length;
  const title = cases.length === 1 ? cases[0].name : plural(cases.length, command === 'cook' ? 'source' : 'file');
  const words = WORDS[command] ?? ['sound', 'Checked'];
  const page = html`
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title} – untold ${command}</title><style>${new Markup(STYLE)}</style></head><body>
<header><h1>${title} <span class="badge ${exitCode === 0 ? 'ok' : 'failed'}">exit ${exitCode}</span></h1>
<p class="dim">untold ${command} ${version}: ${done} of ${cases.length} ${words[0]}; ${plural(of('error'), 'error')}, ${plural(of('warning'), 'warning')}, ${plural(of('info'), 'note')}.</p>
${sums && cases.length > 1 && sumsPart(sums)}
<nav aria-label="Parts">${cases.map(({ name }, i) => html`<a href="#s${i}">${name}</a> `)}<a href="#call">The call</a>${run && html` <a href="#run">Time and memory</a>`}</nav></header>
<main>${cases.map(casePart)}
<section aria-labelledby="call"><h2 id="call">The call</h2>
${diagnosticsPart(diagnostics)}</section>
${run && runPart(run)}
</main><footer>Written by untold ${version}. The page loads nothing from elsewhere.</footer>
<script>${new Markup(SCRIPT)}</script></body></html>
`;
  return `${REPORT_BEGINNING}${page.text}`;
}
