// The mips of a texture as one picture, for an encoder that takes one picture a call. Blocks of ASTC do not depend on each
// other, so each mip's blocks are the same there as alone: cells begin at blocks, and the last texels of a row and a column are
// repeated to the end of their blocks, as encoders do at the edge of a picture. For astcenc.ts.

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGBA, rows from the top. */
  readonly data: Uint8Array;
}

const BLOCK_BYTES = 16;

interface Cell {
  readonly picture: Picture;
  /** All in blocks. */
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

export interface Sheet {
  readonly picture: Picture;
  readonly cells: readonly Cell[];
}

/**
 * The mips, from the largest to the smallest, in one picture: the second one below the first, and all others beside the second.
 * `side`: texels along an edge of a block.
 */
export function sheetOf(mips: readonly Picture[], side: number): Sheet {
  const cells: Cell[] = [];
  for (const [i, picture] of mips.entries()) {
    const [first, before] = [cells[0], cells[i - 1]];
    cells.push({
      picture,
      column: i < 2 ? 0 : before.column + before.columns,
      row: i === 0 ? 0 : first.rows,
      columns: Math.ceil(picture.width / side),
      rows: Math.ceil(picture.height / side),
    });
  }
  const width = side * Math.max(...cells.map(({ column, columns }) => column + columns));
  const height = side * Math.max(...cells.map(({ row, rows }) => row + rows));
  const [only] = mips;
  if (mips.length === 1) return { picture: only, cells };
  const data = new Uint8Array(width * height * 4);
  for (const cell of cells) drawCell(data, width, cell, side);
  return { picture: { width, height, data }, cells };
}

function drawCell(to: Uint8Array, width: number, { picture, column, row, columns, rows }: Cell, side: number): void {
  const { data } = picture;
  for (let y = 0; y < rows * side; y++) {
    const from = Math.min(y, picture.height - 1) * picture.width * 4;
    const at = ((row * side + y) * width + column * side) * 4;
    to.set(data.subarray(from, from + picture.width * 4), at);
    const last = at + (picture.width - 1) * 4;
    for (let x = picture.width; x < columns * side; x++) to.copyWithin(at + x * 4, last, last + 4);
  }
}

/** The blocks of each mip out of those of the sheet. */
export function cutSheet({ picture, cells }: Sheet, blocks: Uint8Array, side: number): Uint8Array[] {
  const perRow = Math.ceil(picture.width / side);
  return cells.map(({ column, row, columns, rows }) => {
    const cut = new Uint8Array(columns * rows * BLOCK_BYTES);
    for (let y = 0; y < rows; y++) {
      const from = ((row + y) * perRow + column) * BLOCK_BYTES;
      cut.set(blocks.subarray(from, from + columns * BLOCK_BYTES), y * columns * BLOCK_BYTES);
    }
    return cut;
  });
}
