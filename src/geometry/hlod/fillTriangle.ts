// The samples of a grid whose centres a triangle covers. Triangles that share an edge never cover the same sample, and leave
// none between them: corners are whole numbers and each edge belongs to one side (the top-left rule of rasterisers).

/** Steps of a corner's coordinate from one sample to the next. */
export const SNAP = 256;

/** The samples of the last triangle that was filled. */
export class TriangleFill {
  /** Row * columns + column, row by row; what follows the count is of earlier triangles. */
  samples = new Uint32Array(64);
  /** The weights of the second and the third corner there. */
  second = new Float64Array(64);
  third = new Float64Array(64);

  /**
   * Gives the number of samples. Corners are in whole steps of 1/256 sample, either way round; the centre of the first sample
   * is at (128, 128).
   */
  fill(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, columns: number, rows: number): number {
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area === 0) return 0;
    // Counter-clockwise: a turned triangle has its second and third corner exchanged.
    const turned = area < 0;
    const bx = turned ? x2 : x1;
    const by = turned ? y2 : y1;
    const cx = turned ? x1 : x2;
    const cy = turned ? y1 : y2;
    const half = SNAP / 2;
    const left = Math.max(0, Math.ceil((Math.min(x0, bx, cx) - half) / SNAP));
    const right = Math.min(columns - 1, Math.floor((Math.max(x0, bx, cx) - half) / SNAP));
    const top = Math.max(0, Math.ceil((Math.min(y0, by, cy) - half) / SNAP));
    const bottom = Math.min(rows - 1, Math.floor((Math.max(y0, by, cy) - half) / SNAP));
    if (left > right || top > bottom) return 0;
    this.#makeRoom((right - left + 1) * (bottom - top + 1));
    const { samples } = this;
    const ofB = turned ? this.third : this.second;
    const ofC = turned ? this.second : this.third;
    const leastA = leastInside(bx, by, cx, cy);
    const leastB = leastInside(cx, cy, x0, y0);
    const leastC = leastInside(x0, y0, bx, by);
    const size = Math.abs(area);
    let count = 0;
    for (let row = top; row <= bottom; row++) {
      const y = row * SNAP + half;
      // Twice the areas of the triangles that the sample makes with two corners: whole numbers, so that sums are exact.
      const x = left * SNAP + half;
      let a = (cx - bx) * (y - by) - (cy - by) * (x - bx);
      let b = (x0 - cx) * (y - cy) - (y0 - cy) * (x - cx);
      let c = (bx - x0) * (y - y0) - (by - y0) * (x - x0);
      const stepA = (by - cy) * SNAP;
      const stepB = (cy - y0) * SNAP;
      const stepC = (y0 - by) * SNAP;
      const first = row * columns;
      for (let column = left; column <= right; column++) {
        if (a >= leastA && b >= leastB && c >= leastC) {
          samples[count] = first + column;
          ofB[count] = b / size;
          ofC[count] = c / size;
          count++;
        }
        a += stepA;
        b += stepB;
        c += stepC;
      }
    }
    return count;
  }

  #makeRoom(count: number): void {
    if (this.samples.length >= count) return;
    this.samples = new Uint32Array(count * 2);
    this.second = new Float64Array(count * 2);
    this.third = new Float64Array(count * 2);
  }
}

/** 0 where an edge owns the samples on it: if it runs up, or level from right to left. 1 for another. */
function leastInside(xa: number, ya: number, xb: number, yb: number): number {
  return yb < ya || (yb === ya && xb < xa) ? 0 : 1;
}
