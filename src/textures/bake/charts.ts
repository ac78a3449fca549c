// Maps a texture from one UV set to another. Triangles are rasterised in the layout of uv0; the other set's UVs of the
// triangle that covers a texel tell where the texel samples the source. Refuses layouts in which one texel would have two
// sources. route.ts makes the charts, bake.ts samples through them.

import type { Wrap } from '../../scene/types.ts';
import { type Affine, compose, triangleMap } from './affine.ts';

export interface Charts {
  readonly width: number;
  readonly height: number;
  /** For each texel, rows from the top, where its triangle begins in `from` and `to`; -1 for a texel without a triangle. */
  readonly triangles: Int32Array;
  /** Corners in uv0 and in the texture's own UVs, transforms applied, six numbers for each triangle, V up. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** How many source texels one texel of the image covers, at least 1: the source is shrunk by this first. */
  readonly reduction: number;
}

export interface ChartSize {
  readonly width: number;
  readonly height: number;
  readonly reduction: number;
}

/** Limits of a side of a resampled texture. At the largest, a hundred of them can still be streamed. */
const MAX_CHART_SIDE = 4096;
const MIN_CHART_SIDE = 4;

/**
 * A size at which the result is as fine as the texture: the mean number of its texels along u and v of uv0, weighted by
 * area, as powers of two from 4 to 4096.
 */
export function chartSize(from: Float64Array, to: Float64Array, width: number, height: number): ChartSize {
  let area = 0;
  let alongU = 0;
  let alongV = 0;
  for (let t = 0; t + 5 < from.length; t += 6) {
    const m = triangleMap(from, to, t);
    if (m === null) continue;
    const weight = Math.abs(
      (from[t + 2] - from[t]) * (from[t + 5] - from[t + 1]) - (from[t + 3] - from[t + 1]) * (from[t + 4] - from[t]),
    );
    area += weight;
    alongU += weight * ((m[0] * width) ** 2 + (m[1] * height) ** 2);
    alongV += weight * ((m[2] * width) ** 2 + (m[3] * height) ** 2);
  }
  const density = (sum: number) => (area > 0 ? Math.sqrt(sum / area) : 0);
  const side = (texels: number) => {
    let n = MIN_CHART_SIDE;
    // One percent of slack: rounding noise must not double the size.
    while (n < MAX_CHART_SIDE && n * 1.01 < texels) n *= 2;
    return n;
  };
  const u = density(alongU);
  const v = density(alongV);
  const size = { width: side(u), height: side(v) };
  return { ...size, reduction: Math.max(1, Math.min(u / size.width, v / size.height)) };
}

/** A texel is inside a triangle, not on its border, if its centre is farther than this from each edge, in texels. */
const INSIDE = 0.02;
/** Two triangles agree about a texel if the positions that they sample are no farther apart than this, in source texels. */
const SAME_TEXELS = 0.5;
/** Share of covered texels in which charts may overlap: unwrapping tools leave slivers. */
const MAX_CONFLICT_SHARE = 1e-3;
/** Tests of a texel against a triangle, for each texel of the image, beyond which the layout counts as overlapping. */
const MAX_TESTS = 64;

/**
 * Rasterises the charts in an image of the given size, repeated over whole tiles. Null if they overlap (two triangles cover
 * a texel and sample positions more than half a source texel apart), if a triangle spans more than a tile, or if none
 * covers a texel.
 */
export function mapCharts(
  from: Float64Array,
  to: Float64Array,
  size: ChartSize,
  source: { readonly width: number; readonly height: number; readonly wrapS: Wrap; readonly wrapT: Wrap },
): Charts | null {
  const { width, height } = size;
  const triangles = new Int32Array(width * height).fill(-1);
  const inside = new Uint8Array(width * height);
  let covered = 0;
  let conflicts = 0;
  let budget = width * height * MAX_TESTS + from.length;

  const disagree = (a: Affine, b: Affine, u: number, v: number) => {
    const apart = (row: 0 | 1, wrap: Wrap) => {
      const d = (a[row] - b[row]) * u + (a[row + 2] - b[row + 2]) * v + (a[row + 4] - b[row + 4]);
      return Math.abs(wrap === 'repeat' ? d - Math.round(d) : d);
    };
    return apart(0, source.wrapS) * source.width > SAME_TEXELS || apart(1, source.wrapT) * source.height > SAME_TEXELS;
  };

  for (let t = 0; t + 5 < from.length; t += 6) {
    const map = triangleMap(from, to, t);
    if (map === null) continue;
    // Texel space, y down. `turn` makes distances inside positive for either winding.
    const ax = from[t] * width;
    const ay = (1 - from[t + 1]) * height;
    const bx = from[t + 2] * width;
    const by = (1 - from[t + 3]) * height;
    const cx = from[t + 4] * width;
    const cy = (1 - from[t + 5]) * height;
    const turn = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) < 0 ? -1 : 1;
    const x0 = Math.ceil(Math.min(ax, bx, cx) - 0.5);
    const x1 = Math.floor(Math.max(ax, bx, cx) - 0.5);
    const y0 = Math.ceil(Math.min(ay, by, cy) - 0.5);
    const y1 = Math.floor(Math.max(ay, by, cy) - 0.5);
    if (x1 - x0 >= width || y1 - y0 >= height) return null;
    budget -= Math.max(0, x1 - x0 + 1) * Math.max(0, y1 - y0 + 1);
    if (budget < 0) return null;
    const ab = turn / Math.max(1e-12, Math.hypot(bx - ax, by - ay));
    const bc = turn / Math.max(1e-12, Math.hypot(cx - bx, cy - by));
    const ca = turn / Math.max(1e-12, Math.hypot(ax - cx, ay - cy));
    for (let y = y0; y <= y1; y++) {
      const py = y + 0.5;
      const row = (y - Math.floor(y / height) * height) * width;
      for (let x = x0; x <= x1; x++) {
        const px = x + 0.5;
        const near = Math.min(
          ab * ((bx - ax) * (py - ay) - (by - ay) * (px - ax)),
          bc * ((cx - bx) * (py - by) - (cy - by) * (px - bx)),
          ca * ((ax - cx) * (py - cy) - (ay - cy) * (px - cx)),
        );
        if (near < 0) continue;
        const at = row + (x - Math.floor(x / width) * width);
        const other = triangles[at];
        const isInside = near > INSIDE ? 1 : 0;
        if (other < 0) {
          covered++;
        } else if (inside[at] === 1) {
          if (isInside === 1 && conflictsAt(other, map, px / width, 1 - py / height)) conflicts++;
          continue;
        } else if (isInside === 0) {
          continue;
        }
        triangles[at] = t;
        inside[at] = isInside;
      }
    }
  }

  function conflictsAt(other: number, map: Affine, u: number, v: number): boolean {
    const before = triangleMap(from, to, other);
    if (before === null) return false;
    // The earlier triangle may lie in another tile: move its map to the tile of this texel.
    const shift = tileShift(from, other, u, v);
    const moved = compose(before, [1, 0, 0, 1, shift[0], shift[1]]);
    return disagree(map, moved, u, v);
  }

  if (covered === 0 || conflicts > covered * MAX_CONFLICT_SHARE) return null;
  return { width, height, triangles, from, to, reduction: size.reduction };
}

/** Whole tiles to add to (u, v) so that it lies in (or nearest to) the bounding box of the triangle at `t`. */
function tileShift(from: Float64Array, t: number, u: number, v: number): [number, number] {
  const mid = (i: number) =>
    (Math.min(from[i], from[i + 2], from[i + 4]) + Math.max(from[i], from[i + 2], from[i + 4])) / 2;
  return [Math.round(mid(t) - u), Math.round(mid(t + 1) - v)];
}

/** Gives the map of a triangle from uv0 to the source, moved to the tile of (u, v). */
export function createChartLookup(charts: Charts): (triangle: number, u: number, v: number) => Affine {
  // Neighbouring texels mostly belong to one triangle.
  let last = -1;
  let lastDu = 0;
  let lastDv = 0;
  let moved: Affine | null = null;
  return (triangle, u, v) => {
    const [du, dv] = tileShift(charts.from, triangle, u, v);
    if (moved !== null && triangle === last && du === lastDu && dv === lastDv) return moved;
    const map = triangleMap(charts.from, charts.to, triangle);
    if (map === null) throw new Error('charts name a degenerate triangle');
    last = triangle;
    lastDu = du;
    lastDv = dv;
    moved = compose(map, [1, 0, 0, 1, du, dv]);
    return moved;
  };
}

/**
 * Fills texels that no chart covers with the colour of the nearest covered texel (breadth first, across the borders of the
 * tile), so that bilinear sampling and mips at the borders of charts mix in no foreign colour.
 */
export function dilate(data: Uint8Array, size: number, charts: Charts): void {
  const { width, height, triangles } = charts;
  const done = new Uint8Array(width * height);
  const queue = new Int32Array(width * height);
  let tail = 0;
  for (let i = 0; i < triangles.length; i++) {
    if (triangles[i] >= 0) {
      done[i] = 1;
      queue[tail++] = i;
    }
  }
  for (let head = 0; head < tail; head++) {
    const i = queue[head];
    const x = i % width;
    const y = (i - x) / width;
    for (let side = 0; side < 4; side++) {
      const nx = side === 0 ? (x + 1) % width : side === 1 ? (x + width - 1) % width : x;
      const ny = side === 2 ? (y + 1) % height : side === 3 ? (y + height - 1) % height : y;
      const n = ny * width + nx;
      if (done[n] === 1) continue;
      done[n] = 1;
      queue[tail++] = n;
      for (let c = 0; c < size; c++) data[n * size + c] = data[i * size + c];
    }
  }
}
