// The layout of a palette texture: which cell holds colour i, and the UV that samples it. Shared by the textures room,
// which paints the cells, and the cook, which points vertices at their centres. Pure numbers, no dependencies.

/** Colours a palette texture holds at most. */
export const MAX_PALETTE_COLORS = 256;

/**
 * Pixels along a cell's edge. The centre of a cell is a corner of four equal pixels, so bilinear sampling there gives
 * the exact colour. As all sides are powers of two, so does every mip down to one pixel for each cell (mips 0 to 3).
 */
const CELL = 8;

export interface PaletteLayout {
  /** Cells in each row, and number of rows, both powers of two; unused cells are the last ones. */
  readonly columns: number;
  readonly rows: number;
  /** Pixels along a cell's edge. */
  readonly cell: number;
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
}

/** The layout for `count` colours, 1 to 256: cells row by row from the top left. Throws RangeError outside of that. */
export function paletteLayout(count: number): PaletteLayout {
  if (!Number.isInteger(count) || count < 1 || count > MAX_PALETTE_COLORS) {
    throw new RangeError(`a palette holds 1 to ${MAX_PALETTE_COLORS} colours, not ${count}`);
  }
  let columns = 1;
  while (columns * columns < count) columns *= 2;
  let rows = 1;
  while (columns * rows < count) rows *= 2;
  return { columns, rows, cell: CELL, width: columns * CELL, height: rows * CELL };
}

/**
 * The centre of cell `i`, V up. At most five significant bits, so the engine's half floats store it exactly. Throws
 * RangeError for a cell that the layout lacks.
 */
export function paletteUv(layout: PaletteLayout, i: number): [number, number] {
  const { columns, rows } = layout;
  if (!Number.isInteger(i) || i < 0 || i >= columns * rows) throw new RangeError(`no cell ${i} in the palette`);
  const column = i % columns;
  const row = (i - column) / columns;
  return [(column + 0.5) / columns, 1 - (row + 0.5) / rows];
}
