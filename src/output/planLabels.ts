// The labels of the map of a plan: where each finds room, and how it is written.

import type { SetTile } from '../formats/manifest/write.ts';

/** Below this size a label no longer helps. */
const SMALLEST_LABEL = 7;
/** Font sizes of labels. */
const LABEL = 17;
const ARC_LABEL = 14;
/** Where a label is tried between the middle of its tile and the sides, as shares of the way. */
const LABEL_STEPS = [0, -0.5, 0.5, -1, 1] as const;
/** An id is turned where it is then larger by more than this. */
const UPRIGHT = 0.8;

/** Rules of style that labels need. */
export const LABEL_STYLE =
  '.id{font-weight:bold}.plate{fill:#fff;fill-opacity:.72;pointer-events:none}.id{pointer-events:none}';

/** World X and Z to pixels of a panel. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly x0: number;
  readonly z0: number;
  readonly scale: number;
}

export const toX = (view: View, x: number): number => view.left + (x - view.x0) * view.scale;
export const toY = (view: View, z: number): number => view.top + (z - view.z0) * view.scale;

/** Text as XML holds it. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"\u0000-\u001f]/g, (c) =>
    c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '"' ? '&quot;' : ' ',
  );

/** At most two decimals, no exponent, no -0. */
export const number = (value: number): string => {
  const text = value.toFixed(2).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};

/** Half the width and half the height of a label, in pixels. */
interface Extent {
  readonly across: number;
  readonly down: number;
}

/** Width of a bold sans-serif character, as a share of the font size: more than that of any letter but m and w. */
const CHARACTER = 0.66;

/** The labels of a panel: each lies inside the panel and on none of the others. */
export class Labels {
  /** How many found no free position. */
  refused = 0;
  readonly #view: View;
  readonly #taken: (readonly [left: number, top: number, right: number, bottom: number])[] = [];

  constructor(view: View) {
    this.#view = view;
  }

  /** Takes the first of the positions, centres in pixels, where the label fits; null where it fits at none. */
  take({ across, down }: Extent, positions: readonly (readonly [number, number])[]): readonly [number, number] | null {
    const { left, top, width, height } = this.#view;
    for (const [x, y] of positions) {
      const box = [x - across, y - down, x + across, y + down] as const;
      const isInside = box[0] >= left && box[1] >= top && box[2] <= left + width && box[3] <= top + height;
      const isFree = this.#taken.every(
        (other) => box[2] <= other[0] || box[0] >= other[2] || box[3] <= other[1] || box[1] >= other[3],
      );
      if (!isInside || !isFree) continue;
      this.#taken.push(box);
      return [x, y];
    }
    return null;
  }
}

const halfWidth = (text: string, font: number): number => (CHARACTER * font * text.length) / 2 + 2;
const halfHeight = (font: number): number => font * 0.6 + 1;

/** A label on a plate of its own: a halo around letters would hide the lines below them. */
function written(at: readonly [number, number], text: string, font: number, more: string, isUpright = false): string[] {
  const [x, y] = at.map(number);
  const half = [halfWidth(text, font), halfHeight(font)];
  const plate = isUpright ? [half[1], half[0]] : half;
  const rect = `x="${number(at[0] - plate[0])}" y="${number(at[1] - plate[1])}" width="${number(2 * plate[0])}" height="${number(2 * plate[1])}"`;
  const turn = isUpright ? ` transform="rotate(-90 ${x} ${y})"` : '';
  return [
    `<rect ${rect} class="plate"/>`,
    `<text x="${x}" y="${number(at[1] + font / 3)}" font-size="${number(font)}" text-anchor="middle" class="id${more}${turn}>${escapeXml(text)}</text>`,
  ];
}

/** The id of a tile inside its rectangle, in the largest font and at the position nearest to the middle that are free. */
export function tileLabel(labels: Labels, view: View, { planned: { id, range }, bounds }: SetTile): string[] {
  if (range.kind === 'shared') return [];
  const [left, top] = [toX(view, bounds.min[0]), toY(view, bounds.min[2])];
  const [width, height] = [toX(view, bounds.max[0]) - left, toY(view, bounds.max[2]) - top];
  const largest = (along: number, across: number) =>
    Math.min(LABEL, (along - 4) / (CHARACTER * id.length), across / 1.3);
  // In a tile that is too narrow for its id the id is read from below.
  const isUpright = largest(width, height) < Math.min(LABEL, largest(height, width)) * UPRIGHT;
  for (let font = isUpright ? largest(height, width) : largest(width, height); font >= SMALLEST_LABEL; font *= 0.85) {
    const half = [halfWidth(id, font), halfHeight(font)];
    const [across, down] = isUpright ? [half[1], half[0]] : half;
    const positions = LABEL_STEPS.flatMap((low) =>
      LABEL_STEPS.map(
        (right) =>
          [left + width / 2 + right * (width / 2 - across), top + height / 2 + low * (height / 2 - down)] as const,
      ),
    );
    const at = labels.take({ across, down }, positions);
    if (at !== null) return written(at, id, font, '"', isUpright);
  }
  labels.refused++;
  return [];
}

/** A text on a side of the rounded rectangle at a distance around a tile: what the engine does at that distance. */
export function arcLabel(labels: Labels, view: View, { bounds }: SetTile, radius: number, text: string, color: string) {
  const [across, down] = [halfWidth(text, ARC_LABEL), halfHeight(ARC_LABEL)];
  const [left, right] = [toX(view, bounds.min[0] - radius), toX(view, bounds.max[0] + radius)];
  const [top, bottom] = [toY(view, bounds.min[2] - radius), toY(view, bounds.max[2] + radius)];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  // Where the sides are straight, then where the corners turn.
  const turn = radius * view.scale * (1 - Math.SQRT1_2);
  const positions = [
    [x, top],
    [x, bottom],
    [left, y],
    [right, y],
    [right - turn, top + turn],
    [left + turn, top + turn],
    [right - turn, bottom - turn],
    [left + turn, bottom - turn],
  ] as const;
  // Moved inwards where the side is in the panel and only the label reaches out of it.
  const [lowest, highest] = [view.left + across + 1, view.left + view.width - across - 1];
  const isShown = (px: number) => px > view.left && px < view.left + view.width;
  const inside = positions.map(([px, py]) => [isShown(px) ? Math.min(highest, Math.max(lowest, px)) : px, py] as const);
  const at = labels.take({ across, down }, inside);
  return at === null ? [] : written(at, text, ARC_LABEL, ` arc" fill="${color}"`);
}
