// How the scene's height is cut into floors for the tree modes: as given, else one outdoors and, indoors, bands as high
// as the objects that look like storeys.

import { center } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PlannedObject } from '../types.ts';

export interface Floors {
  readonly count: number;
  /** Metres; a floor begins this much above the one below. */
  readonly band: number;
}

export interface FloorOptions {
  readonly count: number | null;
  readonly band: number | null;
}

/** Heights that count as those of a storey. */
const STOREY = { lowest: 1.8, highest: 5 } as const;
const NARROWEST_BAND = 2.5;
const USUAL_BAND = 3.5;
/** A scene with more floors has a wrong unit or band; its floors are made higher instead. */
const MAX_FLOORS = 1000;

/** The floors of a scene; the count is at least 1. */
export function planFloors(
  objects: readonly PlannedObject[],
  scene: Bounds,
  profile: 'indoor' | 'outdoor',
  { count, band }: FloorOptions,
): Floors {
  const height = scene.max[1] - scene.min[1];
  if (count !== null) return { count, band: band ?? height / count };
  if (band === null && profile === 'outdoor') return { count: 1, band: height };
  const wanted = band ?? storeyBand(objects);
  const floors = Math.max(1, Math.ceil(height / wanted));
  return floors > MAX_FLOORS ? { count: MAX_FLOORS, band: height / MAX_FLOORS } : { count: floors, band: wanted };
}

function storeyBand(objects: readonly PlannedObject[]): number {
  const heights = objects
    .map(({ bounds: { min, max } }) => max[1] - min[1])
    .filter((height) => height >= STOREY.lowest && height <= STOREY.highest)
    .sort((a, b) => a - b);
  if (heights.length === 0) return USUAL_BAND;
  const middle = heights.length >> 1;
  const median = heights.length % 2 === 1 ? heights[middle] : (heights[middle - 1] + heights[middle]) / 2;
  return Math.max(NARROWEST_BAND, Math.min(STOREY.highest, median));
}

/** The floor that holds the object's centre, counted from 1. */
export function floorOf(object: PlannedObject, scene: Bounds, { count, band }: Floors): number {
  const above = center(object.bounds)[1] - scene.min[1];
  const floor = band > 0 ? Math.floor(above / band) : 0;
  return Math.max(0, Math.min(count - 1, floor)) + 1;
}
