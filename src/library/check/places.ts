// Where somebody may stand in a set: in the middle of its tiles and on their borders, at the cameras of the scene, on a grid.

import type { CookedTile } from '../../formats/manifest/tiles.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';

/** Metres between the ground and the eyes of somebody who stands. */
const EYE_HEIGHT = 1.7;
/** Points along each side of the grid over the set. */
const GRID = 17;
/** The engine's own exporter gives tiles bounds of 10 km height, which tell nothing of the ground. */
const MAX_HEIGHT = 1000;
/** More places are thinned out evenly. */
const MAX_PLACES = 4000;

/** The height of the eyes of somebody who stands on the floor of a box. */
export const eyeHeight = ({ min, max }: Bounds): number => (max[1] - min[1] > MAX_HEIGHT ? 0 : min[1]) + EYE_HEIGHT;

/** The points that divide both sides of a box into `steps` equal steps, at a height. */
function gridOver({ min, max }: Bounds, steps: number, y: number): Vec3[] {
  const at = (axis: 0 | 2, i: number) => min[axis] + ((max[axis] - min[axis]) * i) / steps;
  const points: Vec3[] = [];
  for (let i = 0; i <= steps; i++) for (let k = 0; k <= steps; k++) points.push([at(0, i), y, at(2, k)]);
  return points;
}

/** Each place once, to the centimetre; evenly thinned out where they are too many. */
function distinct(places: readonly Vec3[]): Vec3[] {
  const found = new Map<string, Vec3>();
  for (const place of places) {
    const rounded = place.map((value) => Math.round(value * 100) / 100 + 0) as unknown as Vec3;
    if (rounded.every(Number.isFinite)) found.set(rounded.join(' '), rounded);
  }
  const all = [...found.values()];
  if (all.length <= MAX_PLACES) return all;
  return Array.from({ length: MAX_PLACES }, (_, i) => all[Math.floor((i * all.length) / MAX_PLACES)]);
}

/** The places of a set, `cameras` first. One at the origin where no tile has bounds. */
export function placesOf(tiles: readonly Pick<CookedTile, 'bounds'>[], cameras: readonly Vec3[]): Vec3[] {
  const boxes = tiles.flatMap(({ bounds }) => (bounds ? [bounds] : []));
  const whole = boxes.reduce<Bounds | null>((all, box) => unite(all, box), null);
  if (whole === null) return distinct([...cameras, [0, EYE_HEIGHT, 0]]);
  // Middle, corners and the middle of each border.
  return distinct([
    ...cameras,
    ...boxes.flatMap((box) => gridOver(box, 2, eyeHeight(box))),
    ...gridOver(whole, GRID - 1, eyeHeight(whole)),
  ]);
}

/** Steps along each side of a zone. */
const ZONE_STEPS = 4;

/** Places in boxes of eye positions: corners, middles and a grid between them, at the lowest, middle and highest height. */
export function placesIn(zones: readonly Bounds[]): Vec3[] {
  return distinct(
    zones.flatMap((zone) => {
      const [low, high] = [zone.min[1], zone.max[1]];
      return [low, (low + high) / 2, high].flatMap((y) => gridOver(zone, ZONE_STEPS, y));
    }),
  );
}
