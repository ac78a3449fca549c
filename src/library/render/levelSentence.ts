// What the pictures of a level and of its full detail say in one sentence: how much of it differs, how, and where.

import { oklabOfBytes } from '../../raster/color.ts';
import type { Picture } from '../../raster/render.ts';

/** Distance in Oklab from which two colours beside each other are told apart. */
export const NOTICED = 0.02;
/** Of 255: a pixel of the outline is covered by so much more or less. */
const OUTLINE = 64;
/** Contrast that is lower or higher by less is the same. */
const SAME_CONTRAST = 0.1;
/** Share of the difference that lies to one side of equal from which a surface is lighter or darker. */
const ONE_SIDED = 0.8;
/** Shares of the difference from which it lies in a ninth, or in a third, of the picture. */
const IN_NINTH = 0.5;
const IN_THIRD = 0.67;

/** How two pictures of one size differ, where either shows something. */
export interface SeenDifference {
  /** Share of the covered pixels that differ by NOTICED or more. */
  readonly share: number;
  /** Of those, the share that only one of both covers. */
  readonly outline: number;
  /** Of those that both cover, by how much the second is lighter; of their mean distance, -1 to 1. */
  readonly lighter: number;
  /** Contrast of the second there, where that of the first is 1. */
  readonly contrast: number;
  /** Of the differences, the share in each ninth of what is covered, rows from the top. */
  readonly ninths: readonly number[];
}

const luma = (rgb: Uint8Array, i: number): number =>
  0.299 * rgb[i * 3] + 0.587 * rgb[i * 3 + 1] + 0.114 * rgb[i * 3 + 2];

/** How strongly a pixel differs from its neighbours to the right and below. */
function edge({ rgb, width, height }: Picture, i: number): number {
  const own = luma(rgb, i);
  const right = i % width < width - 1 ? Math.abs(luma(rgb, i + 1) - own) : 0;
  return right + (i < width * (height - 1) ? Math.abs(luma(rgb, i + width) - own) : 0);
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The rectangle of the pixels that either picture covers; the whole where neither covers one. */
export function coveredBox(a: Picture, b: Picture): Box {
  const { width, height } = a;
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let i = 0; i < a.coverage.length; i++) {
    if (a.coverage[i] === 0 && b.coverage[i] === 0) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right < 0) return { left: 0, top: 0, width, height };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

export function seenDifference(a: Picture, b: Picture): SeenDifference {
  const box = coveredBox(a, b);
  const [labA, labB] = [new Float64Array(3), new Float64Array(3)];
  const ninths = new Array<number>(9).fill(0);
  let [covered, noticed, outline, lighter, inBoth, edgesA, edgesB, sum] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0, at = 0; i < a.coverage.length; i++, at += 3) {
    if (a.coverage[i] === 0 && b.coverage[i] === 0) continue;
    covered++;
    if (a.rgb[at] === b.rgb[at] && a.rgb[at + 1] === b.rgb[at + 1] && a.rgb[at + 2] === b.rgb[at + 2]) continue;
    oklabOfBytes(a.rgb[at], a.rgb[at + 1], a.rgb[at + 2], labA);
    oklabOfBytes(b.rgb[at], b.rgb[at + 1], b.rgb[at + 2], labB);
    const distance = Math.hypot(labA[0] - labB[0], labA[1] - labB[1], labA[2] - labB[2]);
    if (distance < NOTICED) continue;
    noticed++;
    if (Math.abs(a.coverage[i] - b.coverage[i]) >= OUTLINE) outline++;
    else {
      lighter += labB[0] - labA[0];
      inBoth += distance;
      edgesA += edge(a, i);
      edgesB += edge(b, i);
    }
    const column = Math.floor((((i % a.width) - box.left) * 3) / box.width);
    const row = Math.floor(((Math.floor(i / a.width) - box.top) * 3) / box.height);
    ninths[row * 3 + column] += distance;
    sum += distance;
  }
  return {
    share: covered === 0 ? 0 : noticed / covered,
    outline: noticed === 0 ? 0 : outline / noticed,
    lighter: inBoth === 0 ? 0 : lighter / inBoth,
    contrast: edgesA === 0 ? 1 : edgesB / edgesA,
    ninths: ninths.map((part) => (sum === 0 ? 0 : part / sum)),
  };
}

const ROWS = ['at the top', 'in the middle', 'at the bottom'] as const;
const COLUMNS = ['on the left', 'in the middle', 'on the right'] as const;
const NINTHS = [
  ...['at the upper left', 'at the top', 'at the upper right'],
  ...['on the left', 'in the middle', 'on the right'],
  ...['at the lower left', 'at the bottom', 'at the lower right'],
] as const;

function placeOf(ninths: readonly number[]): string {
  const most = ninths.indexOf(Math.max(...ninths));
  if (ninths[most] >= IN_NINTH) return `, most of it ${NINTHS[most]}`;
  for (let k = 0; k < 3; k++) {
    if (ninths[k * 3] + ninths[k * 3 + 1] + ninths[k * 3 + 2] >= IN_THIRD) return `, most of it ${ROWS[k]}`;
    if (ninths[k] + ninths[k + 3] + ninths[k + 6] >= IN_THIRD) return `, most of it ${COLUMNS[k]}`;
  }
  return '';
}

const percent = (share: number): string => {
  const value = share * 100;
  return `${value < 0.01 ? 'less than 0.01' : value < 10 ? Number(value.toFixed(2)) : Math.round(value)} %`;
};

function kindOf({ outline, lighter, contrast }: SeenDifference): string {
  if (outline > 0.5) return 'its outline has changed';
  if (contrast < 1 - SAME_CONTRAST)
    return `details are blurred or gone, with ${percent(contrast)} of the contrast there`;
  if (Math.abs(lighter) >= ONE_SIDED) return lighter > 0 ? 'surfaces are lighter' : 'surfaces are darker';
  if (contrast > 1 + SAME_CONTRAST) return `edges are harder, with ${percent(contrast)} of the contrast there`;
  return 'details have moved or changed their colour';
}

/** One sentence on a level that is shown from so many metres. */
export function levelSentence(seen: SeenDifference, distance: number): string {
  const from = `${distance < 10 ? Number(distance.toFixed(1)) : Math.round(distance)} m`;
  if (seen.share === 0) return `Not visible from ${from}: no pixel differs noticeably.`;
  return `From ${from}, ${percent(seen.share)} of what is drawn differs noticeably: ${kindOf(seen)}${placeOf(seen.ninths)}.`;
}
