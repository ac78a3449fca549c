// At which distance a tile is loaded and let go: the exporter's formulas over the scene's footprint, widened where they
// would drop full detail at arm's length, and kept in a form that the engine's loader leaves as it is.

import type { Bounds } from '../scene/types.ts';

export interface Radii {
  readonly streaming: number;
  readonly unload: number;
}

/** The loader raises unload to at least streaming + 4. */
const UNLOAD_GAP = 4;
/** Nearer than this, full detail must never be missing. */
const MIN_STREAMING = 10;
/** … nor within this many diagonals of the tile. */
const DIAGONALS = 4;

/** Half the diagonal of the scene's XZ footprint. */
export function halfDiagonal(scene: Bounds): number {
  return 0.5 * Math.hypot(scene.max[0] - scene.min[0], scene.max[2] - scene.min[2]);
}

/** The exporter's radii of a uniform grid with square cells. */
export function gridRadii(scene: Bounds, tileSize: number): Radii {
  const half = halfDiagonal(scene);
  const streaming = Math.min(2 * tileSize, 0.35 * half);
  return { streaming, unload: Math.max(Math.min(3 * tileSize, 0.5 * half), 1.5 * streaming) };
}

/** The exporter's radii of the shared bucket. */
export function sharedRadii(scene: Bounds): Radii {
  const half = halfDiagonal(scene);
  return { streaming: half, unload: 1.5 * half };
}

/** Raises radii to what a tile with this content needs; never lowers them. Rounded up to centimetres. */
export function widenRadii(radii: Radii, content: Bounds | null): Radii {
  const diagonal =
    content === null
      ? 0
      : Math.hypot(content.max[0] - content.min[0], content.max[1] - content.min[1], content.max[2] - content.min[2]);
  const streaming = ceilCentimetre(Math.max(radii.streaming, MIN_STREAMING, DIAGONALS * diagonal));
  return { streaming, unload: ceilCentimetre(Math.max(radii.unload, streaming + UNLOAD_GAP)) };
}

function ceilCentimetre(metres: number): number {
  // Whole centimetres survive the subtraction of float noise: 44.15 stays 44.15.
  return Math.ceil(Number((metres * 100).toFixed(6))) / 100;
}
