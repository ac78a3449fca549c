// A sheet: rows of pictures side by side, each row under its caption.

import { GLYPH_HEIGHT, lineWidth, writeLine } from './lettering.ts';
import type { Picture } from './render.ts';

export interface SheetRow {
  readonly caption: string;
  /** Above each picture. */
  readonly titles: readonly string[];
  /** Of one size. */
  readonly pictures: readonly Picture[];
}

const PAPER = [24, 26, 30] as const;
const INK = [232, 232, 228] as const;
const DIM = [150, 152, 158] as const;
const GAP = 8;
const CAPTION_ZOOM = 2;
/** Small pictures are drawn larger, by whole pixels, as long as they are at most so wide or high. */
const WANTED = 260;

function zoomOf({ width, height }: Picture): number {
  return Math.max(1, Math.floor(WANTED / Math.max(width, height)));
}

function paste(rgb: Uint8Array, width: number, picture: Picture, x: number, y: number, zoom: number): void {
  for (let row = 0; row < picture.height * zoom; row++) {
    for (let column = 0; column < picture.width * zoom; column++) {
      const from = (Math.floor(row / zoom) * picture.width + Math.floor(column / zoom)) * 3;
      const to = ((y + row) * width + x + column) * 3;
      rgb[to] = picture.rgb[from];
      rgb[to + 1] = picture.rgb[from + 1];
      rgb[to + 2] = picture.rgb[from + 2];
    }
  }
}

/** What a colour in the pictures of a sheet means. */
export interface LegendEntry {
  readonly color: readonly [number, number, number];
  readonly words: string;
}

const SWATCH = GLYPH_HEIGHT * CAPTION_ZOOM;
/** From one entry of a legend to the next. */
const ENTRY_GAP = 4 * GAP;

const entryWidth = ({ words }: LegendEntry): number => SWATCH + GAP + lineWidth(words, CAPTION_ZOOM) + ENTRY_GAP;

function writeLegend(rgb: Uint8Array, width: number, legend: readonly LegendEntry[]): void {
  let x = GAP;
  for (const entry of legend) {
    for (let row = 0; row < SWATCH; row++) {
      for (let column = 0; column < SWATCH; column++) rgb.set(entry.color, ((GAP + row) * width + x + column) * 3);
    }
    writeLine(rgb, width, x + SWATCH + GAP, GAP, entry.words, CAPTION_ZOOM, INK);
    x += entryWidth(entry);
  }
}

/** The sheet as one picture, under its legend. A caption says by how much its row is enlarged. Needs a row. */
export function drawSheet(rows: readonly SheetRow[], legend: readonly LegendEntry[] = []): Picture {
  const laid = rows.map((row) => {
    const zoom = zoomOf(row.pictures[0]);
    const caption = zoom > 1 ? `${row.caption}, ${zoom} times as large` : row.caption;
    return { ...row, zoom, caption };
  });
  const top = legend.length > 0 ? SWATCH + 3 * GAP : GAP;
  let width = legend.reduce((sum, entry) => sum + entryWidth(entry), GAP);
  let height = top;
  for (const { pictures, zoom, caption } of laid) {
    const across = pictures.reduce((sum, picture) => sum + picture.width * zoom + GAP, GAP);
    width = Math.max(width, across, lineWidth(caption, CAPTION_ZOOM) + 2 * GAP);
    height += GLYPH_HEIGHT * CAPTION_ZOOM + GLYPH_HEIGHT + 2 * GAP + pictures[0].height * zoom + 2 * GAP;
  }
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at += 3) rgb.set(PAPER, at);
  writeLegend(rgb, width, legend);
  let y = top;
  for (const { caption, titles, pictures, zoom } of laid) {
    writeLine(rgb, width, GAP, y, caption, CAPTION_ZOOM, INK);
    y += GLYPH_HEIGHT * CAPTION_ZOOM + GAP;
    let x = GAP;
    for (const [i, picture] of pictures.entries()) {
      writeLine(rgb, width, x, y, titles[i], 1, DIM);
      paste(rgb, width, picture, x, y + GLYPH_HEIGHT + GAP, zoom);
      x += picture.width * zoom + GAP;
    }
    y += GLYPH_HEIGHT + GAP + pictures[0].height * zoom + 2 * GAP;
  }
  return { width, height, rgb, coverage: new Uint8Array(width * height).fill(255) };
}
