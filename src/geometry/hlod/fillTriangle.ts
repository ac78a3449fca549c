// The samples of a grid whose centres a triangle covers. Triangles that share an edge never cover the same sample, and leave
// none between them: corners are whole numbers and each edge belongs to one side (the top-left rule of rasterisers).

/** Steps of a corner's coordinate from one sample to the next. */
export const SNAP = 256;

/**
 * Calls `visit` with each covered sample (row * columns + column), and with the weights of the second and the third corner
 * there, row by row. `corners`: x and y of three corners in whole steps of 1/256 sample, either way round; the centre of the
 * first sample is at (128, 128).
 */
export function fillTriangle(
  corners: Float64Array,
  columns: number,
  rows: number,
  visit: (sample: number, second: number, third: number) => void,
): void {
  const x0 = corners[0];
  const y0 = corners[1];
  let x1 = corners[2];
  let y1 = corners[3];
  let x2 = corners[4];
  let y2 = corners[5];
  const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  if (area === 0) return;
  const turned = area < 0;
  if (turned) {
    const [x, y] = [x1, y1];
    x1 = x2;
    y1 = y2;
    x2 = x;
    y2 = y;
  }
  const half = SNAP / 2;
  const left = Math.max(0, Math.ceil((Math.min(x0, x1, x2) - half) / SNAP));
  const right = Math.min(columns - 1, Math.floor((Math.max(x0, x1, x2) - half) / SNAP));
  const top = Math.max(0, Math.ceil((Math.min(y0, y1, y2) - half) / SNAP));
  const bottom = Math.min(rows - 1, Math.floor((Math.max(y0, y1, y2) - half) / SNAP));
  // A sample on an edge belongs to the triangle if the edge runs up, or level from right to left.
  const bias0 = owns(x1, y1, x2, y2);
  const bias1 = owns(x2, y2, x0, y0);
  const bias2 = owns(x0, y0, x1, y1);
  const size = Math.abs(area);
  for (let row = top; row <= bottom; row++) {
    const y = row * SNAP + half;
    for (let column = left; column <= right; column++) {
      const x = column * SNAP + half;
      const w0 = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
      const w1 = (x0 - x2) * (y - y2) - (y0 - y2) * (x - x2);
      const w2 = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
      if (w0 < bias0 || w1 < bias1 || w2 < bias2) continue;
      visit(row * columns + column, (turned ? w2 : w1) / size, (turned ? w1 : w2) / size);
    }
  }
}

/** The least edge function that counts as inside: 0 for an edge that owns its samples, 1 for another. */
function owns(xa: number, ya: number, xb: number, yb: number): number {
  return yb < ya || (yb === ya && xb < xa) ? 0 : 1;
}
