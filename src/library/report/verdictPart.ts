// Whether an output fits a device, in a report: a bar for each bound, all on one scale, what the tightest place holds, and what was
// done so that it fits.

import { formatBytes } from '../../bytes/units.ts';
import type { DeviceVerdict, WorstPlace } from '../check/deviceVerdict.ts';
import { type CheckedMeasure, isOver, shownPlace, shownValue } from '../check/verdict.ts';
import { type FitReport, type FittedTexture, fitLine } from '../fit/report.ts';
import { html, type Markup } from './markup.ts';
import { count, plural, tableOf } from './table.ts';

export interface ReportedVerdict extends DeviceVerdict {
  /** What was done so that it fits; absent: nobody has asked for that. */
  readonly fit?: FitReport;
}

/** What is measured of an output beside the budgets of devices that have the same. */
export interface DeviceBudget {
  /** Their names. */
  readonly title: string;
  readonly verdict: DeviceVerdict;
}

/** The share of a bound that a whole bar stands for: the bound itself is marked at two thirds. */
const WHOLE = 1.5;

const width = (share: number): string => `${Number(((share / WHOLE) * 100).toFixed(2))}%`;

function bar(one: CheckedMeasure): Markup {
  const { title, unit, value, limit, kind, source, at, file } = one;
  const where = at ? shownPlace(at) : (file ?? '');
  const shown = shownValue(unit, value);
  if (limit === null) {
    return html`<div class="bound"><span class="what">${title}</span><span class="dim none">no bound is known</span><span class="much">${shown}</span></div>\n`;
  }
  const share = value / limit;
  const percent = `${count(share * 100)} %`;
  const bound = `${shownValue(unit, limit)}${kind === 'advice' ? ' advised' : ''}`;
  const over = Math.min(share, WHOLE) - 1;
  const isOut = share > WHOLE;
  const bars = [
    html`<i style="width:${width(Math.min(share, 1))}"></i>`,
    isOver(one) && html`<i class="over${isOut ? ' out' : ''}" style="left:${width(1)};width:${width(over)}"></i>`,
    html`<span class="mark" style="left:${width(1)}"></span>`,
  ];
  const words = `${title}: ${shown} of ${bound}, ${percent}`;
  return html`<div class="bound" title="${source}"><span class="what">${title}</span><span class="track" role="img" aria-label="${words}">${bars}</span><span class="much${isOver(one) ? ' error' : ''}">${percent}</span><span class="of">${shown} of ${bound}${where && html` <span class="dim">${where}</span>`}</span></div>\n`;
}

function worstPart(
  id: string,
  { measure, at, payloads, textures }: WorstPlace,
  measures: readonly CheckedMeasure[],
): Markup {
  const title = measures.find((one) => one.measure === measure)?.title ?? '';
  return html`<p>What is in memory where ${title} are tightest${at ? `, at ${shownPlace(at)}` : ''}, the largest first:</p>
${tableOf(
  `${id}-tightest`,
  'Payloads at the tightest place',
  [
    { title: 'Payload', cell: ({ tile, level }) => `${tile} ${level}` },
    { title: 'Geometry', cell: ({ geometry }) => [formatBytes(geometry), geometry] },
    { title: 'Triangles', cell: ({ triangles }) => [count(triangles), triangles] },
    { title: 'Draws', cell: ({ draws }) => [count(draws), draws] },
  ],
  payloads,
)}
${
  textures.length > 0 &&
  html`<p></p>
${tableOf(
  `${id}-tightest-textures`,
  'Textures at the tightest place',
  [
    { title: 'Texture', cell: ({ path }) => path },
    { title: 'On the GPU', cell: ({ bytes }) => [formatBytes(bytes), bytes] },
    { title: 'Payloads', cell: ({ payloads: named }) => [count(named), named] },
  ],
  textures,
)}`
}`;
}

const size = ({ width: w, height: h }: FittedTexture['before']): string => `${w} × ${h}`;
const texels = (value: number | null): string => (value === null ? 'unseen' : value.toFixed(1));

function fitPart(id: string, fit: FitReport): Markup {
  const { textures, pixelsADegree, before } = fit;
  const line = fitLine(fit);
  if (line === null) return html`<p>Nothing had to be done so that it fits.</p>`;
  return html`<p>So that it fits, ${line}. Before: ${before}.</p>
${
  textures.length > 0 &&
  html`<p>A degree of the view has ${count(pixelsADegree)} pixels. Texels a degree are those from the nearest place where somebody may be; SSIM is against the whole texture as it is seen from there, and 1 where nothing is lost.</p>
${tableOf(
  `${id}-fitted`,
  'Textures that are smaller',
  [
    { title: 'Texture', cell: ({ path }) => path },
    { title: 'Before', cell: (row) => [size(row.before), row.before.width * row.before.height] },
    { title: 'Now', cell: (row) => [size(row.after), row.after.width * row.after.height] },
    {
      title: 'On the GPU',
      cell: ({ bytes }) => [`${formatBytes(bytes.before)} to ${formatBytes(bytes.after)}`, bytes.after],
    },
    {
      title: 'Texels a degree',
      cell: ({ texelsADegree: { before: was, after } }) => [`${texels(was)} to ${texels(after)}`, after ?? 1e9],
    },
    { title: 'Nearest', cell: ({ nearest }) => [nearest === null ? '' : `${nearest.toFixed(1)} m`, nearest ?? 1e9] },
    { title: 'SSIM', cell: ({ ssim }) => [ssim?.toFixed(3) ?? 'not compared', ssim ?? 2] },
    { title: 'Is seen', cell: ({ isSeen }) => (isSeen ? 'yes' : 'no') },
  ],
  textures,
  textures.length > 12,
)}`
}`;
}

/** The verdict on the output of a case. */
export function verdictPart(id: string, verdict: ReportedVerdict): Markup {
  const { device, fits, measures, worst, places, estimates, fit } = verdict;
  const [tightest] = worst;
  const { secondsToFull, batchedDraws, drawSeconds } = estimates;
  const cpu = drawSeconds === null ? '' : `, ${(drawSeconds * 1000).toFixed(1)} ms of CPU a frame for all draws`;
  return html`<h3 id="${id}-fit">Does it fit ${device}? <span class="badge ${fits ? 'ok' : 'failed'}">${fits ? 'fits' : 'over'}</span></h3>
<div class="bounds">${measures.map(bar)}</div>
<p class="dim">The mark is the bound, at 100 %; bars end at ${count(WHOLE * 100)} %. ${tightest?.at ? `Looked at ${plural(places.looked, 'place')}, simulated ${count(places.simulated)}. ` : ''}Estimates: ${secondsToFull.toFixed(1)} s until all full detail is there; ${count(batchedDraws)} draws where meshes of a tile share materials${cpu}.</p>
${fit && fitPart(id, fit)}
${tightest && worstPart(id, tightest, measures)}`;
}

/** Bars for the budgets of all known devices, where a call names none. */
export function budgetsPart(id: string, budgets: readonly DeviceBudget[]): Markup {
  if (budgets.length === 0) return html``;
  const parts = budgets.map(
    ({ title, verdict: { fits, measures } }) =>
      html`<div><h4>${title} <span class="badge ${fits ? 'ok' : 'warning'}">${fits ? 'fits' : 'over'}</span></h4>
<div class="bounds">${measures.filter(({ limit }) => limit !== null).map(bar)}</div></div>\n`,
  );
  return html`<h3 id="${id}-budgets">Budgets of devices</h3>
<div class="halves">${parts}</div>
<p class="dim">The mark is the bound, at 100 %; bars end at ${count(WHOLE * 100)} %. Each figure is that of the heaviest place where somebody may stand. <code>--device NAME</code> warns of what is over and says what the tightest place holds.</p>`;
}
