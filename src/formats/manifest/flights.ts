// What levels save: the triangles that are drawn along flights through and around a set, with its levels and with full detail in
// their place. A camera is taken to stay at each point until the engine has loaded what it asks for there.

import { center } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import { shownOf } from './shownTiles.ts';
import type { CookedTiles } from './tiles.ts';

/** Along the longer side of the set's box and along the shorter one, through its middle, and in a circle around it. */
export const FLIGHTS = ['along', 'across', 'around'] as const;
export type FlightName = (typeof FLIGHTS)[number];

export interface FlightFigures {
  readonly flight: FlightName;
  /** Triangles that are drawn, the mean over the flight. */
  readonly triangles: number;
  /** The same with full detail wherever anything is drawn of a tile. */
  readonly fullTriangles: number;
}

/** Points of a flight. */
const POINTS = 64;
/** Metres above the lowest point of the set. */
const EYE_HEIGHT = 1.7;

/** The points of a flight, evenly spaced. Straight ones begin and end half a diagonal of the box's ground beside it. */
export function pointsOf(flight: FlightName, bounds: Bounds): Vec3[] {
  const { min, max } = bounds;
  const [x, , z] = center(bounds);
  const y = min[1] + EYE_HEIGHT;
  const half = Math.hypot(max[0] - min[0], max[2] - min[2]) / 2;
  const isWide = max[0] - min[0] >= max[2] - min[2];
  return Array.from({ length: POINTS }, (_, i): Vec3 => {
    if (flight === 'around') {
      const angle = (2 * Math.PI * i) / POINTS;
      return [x + 1.5 * half * Math.cos(angle), y, z + 1.5 * half * Math.sin(angle)];
    }
    const share = i / (POINTS - 1);
    if (isWide === (flight === 'along')) return [min[0] - half + (max[0] - min[0] + 2 * half) * share, y, z];
    return [x, y, min[2] - half + (max[2] - min[2] + 2 * half) * share];
  });
}

/** `trianglesOf`: of a payload by its path. Empty for a set without bounds. */
export function flightFigures({ tiles, bounds }: CookedTiles, trianglesOf: (path: string) => number): FlightFigures[] {
  if (bounds === null) return [];
  return FLIGHTS.map((flight): FlightFigures => {
    let triangles = 0;
    let fullTriangles = 0;
    for (const point of pointsOf(flight, bounds)) {
      for (const tile of tiles) {
        const shown = shownOf(tile, point);
        if (shown === null) continue;
        triangles += trianglesOf(shown.path);
        fullTriangles += trianglesOf(tile.full);
      }
    }
    return { flight, triangles: Math.round(triangles / POINTS), fullTriangles: Math.round(fullTriangles / POINTS) };
  });
}
