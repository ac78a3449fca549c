// Chooses uv0 for a material: the leading texture's UVs unchanged, or scaled so that one tile of uv0 holds several periods
// of a mirrored or coarser texture, or the whole extent of clamped UVs. Each axis is decided alone, because a texture may
// repeat along u and not along v. Pure; for route.ts.

import type { Wrap } from '../../scene/types.ts';
import { type Affine, SNAP } from './affine.ts';

/** One texture of a material as the layout sees it. */
export interface Placed {
  /** From the leading UVs to the texture's own. Null: charts map it, so it does not restrict the layout. */
  readonly map: Affine | null;
  /** Wrap modes as far as they show: 'repeat' for UVs that stay in [0, 1]. */
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
  readonly width: number;
  readonly height: number;
}

export interface Axis {
  /** uv0 = leading * scale + offset. */
  readonly scale: number;
  readonly offset: number;
  /** All UVs lie within one tile of uv0 on this axis, so that no texture has to repeat. */
  readonly bounded: boolean;
  /** Every texture can be sampled with uv0 on this axis. */
  readonly fits: boolean;
}

/** Most periods that one tile of uv0 holds, and most tiles that a window spans. */
const MAX_PERIODS = 4;
/** Grid of a window if no texture gives one. */
const DEFAULT_GRID = 256;

function whole(x: number): boolean {
  return Math.abs(x - Math.round(x)) < SNAP;
}

/** True when the texture looks the same `n` tiles further along an axis (0 u, 1 v) of the leading UVs. */
export function repeatsAlong(placed: Placed, axis: 0 | 1, n: number): boolean {
  const { map } = placed;
  if (map === null) return true;
  return [placed.wrapS, placed.wrapT].every((wrap, row) => {
    const step = map[axis * 2 + row] * n;
    if (wrap === 'repeat') return whole(step);
    if (wrap === 'mirror') return whole(step / 2);
    return Math.abs(step) < SNAP;
  });
}

function gcd(a: number, b: number): number {
  let x = a;
  let y = b;
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/**
 * The layout of one axis for all textures of a material. `extent` is the range of the leading UVs on it, null when the
 * material is drawn nowhere. In this order: as it is, when everything repeats with a tile or lies within one; 2 to 4
 * periods in a tile; a window of at most 4 tiles around the extent, on the texel grid, so that clamped borders are baked.
 */
export function layoutAxis(placed: readonly Placed[], axis: 0 | 1, extent: readonly [number, number] | null): Axis {
  const asIs = { scale: 1, offset: 0, bounded: false, fits: true };
  if (placed.every((p) => repeatsAlong(p, axis, 1))) return asIs;
  if (extent === null || (extent[0] >= -SNAP && extent[1] <= 1 + SNAP)) return { ...asIs, bounded: true };
  for (let n = 2; n <= MAX_PERIODS; n++) {
    if (placed.every((p) => repeatsAlong(p, axis, n))) return { scale: 1 / n, offset: 0, bounded: false, fits: true };
  }
  let grid = 0;
  for (const p of placed) {
    // For textures on the leading UVs, a window aligned to their common texel grid moves no texel.
    if (p.map !== null && Math.abs(Math.abs(p.map[axis * 3]) - 1) < SNAP)
      grid = gcd(axis === 0 ? p.width : p.height, grid);
  }
  if (grid === 0) grid = DEFAULT_GRID;
  // Half a texel of margin: bilinear sampling must not leave the window.
  const first = Math.floor(extent[0] * grid - 0.5);
  const end = Math.ceil(extent[1] * grid + 0.5);
  // So far out that neighbouring texels have the same number, a window has no width.
  const isExact = Number.isSafeInteger(first) && Number.isSafeInteger(end);
  if (!isExact || end - first > MAX_PERIODS * grid + 2) return { ...asIs, fits: false };
  return { scale: grid / (end - first), offset: -first / (end - first), bounded: true, fits: true };
}
