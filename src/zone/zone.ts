// A zone: where the eyes of a viewer can be. Places in it are chosen by number, so that every machine looks from the same ones.

import { unite } from '../scene/bounds.ts';
import type { Bounds, Vec3 } from '../scene/types.ts';

/** A place with the room around it that an eye may move in. */
export interface EyeSphere {
  readonly middle: Vec3;
  /** Metres, 0 or more. */
  readonly radius: number;
}

/** The four corners of a window in order around it; what is seen from the zone is seen through one of them. */
export type Portal = readonly [Vec3, Vec3, Vec3, Vec3];

export interface Zone {
  readonly boxes: readonly Bounds[];
  readonly spheres: readonly EyeSphere[];
  /** Empty: all directions count. */
  readonly portals: readonly Portal[];
}

/** The middle of all of the zone. */
export function middleOf({ boxes, spheres }: Zone): Vec3 {
  const low: number[] = [Infinity, Infinity, Infinity];
  const high: number[] = [-Infinity, -Infinity, -Infinity];
  for (let axis = 0; axis < 3; axis++) {
    for (const { min, max } of boxes) {
      low[axis] = Math.min(low[axis], min[axis]);
      high[axis] = Math.max(high[axis], max[axis]);
    }
    for (const { middle, radius } of spheres) {
      low[axis] = Math.min(low[axis], middle[axis] - radius);
      high[axis] = Math.max(high[axis], middle[axis] + radius);
    }
  }
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
}

/** Metres from a point to the nearest place of the zone. */
export function distanceToZone(x: number, y: number, z: number, { boxes, spheres }: Zone): number {
  let nearest = Infinity;
  for (const { min, max } of boxes) {
    const dx = Math.max(min[0] - x, 0, x - max[0]);
    const dy = Math.max(min[1] - y, 0, y - max[1]);
    const dz = Math.max(min[2] - z, 0, z - max[2]);
    nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy + dz * dz));
  }
  for (const { middle, radius } of spheres) {
    const [dx, dy, dz] = [x - middle[0], y - middle[1], z - middle[2]];
    nearest = Math.min(nearest, Math.max(0, Math.sqrt(dx * dx + dy * dy + dz * dz) - radius));
  }
  return nearest;
}

/** Metres from a box to the nearest place of the zone. */
export function boxToZone(low: Vec3, high: Vec3, { boxes, spheres }: Zone): number {
  let nearest = Infinity;
  for (const { min, max } of boxes) {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) sum += Math.max(min[axis] - high[axis], 0, low[axis] - max[axis]) ** 2;
    nearest = Math.min(nearest, Math.sqrt(sum));
  }
  for (const { middle, radius } of spheres) {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) sum += Math.max(middle[axis] - high[axis], 0, low[axis] - middle[axis]) ** 2;
    nearest = Math.min(nearest, Math.max(0, Math.sqrt(sum) - radius));
  }
  return nearest;
}

function distinct(places: readonly Vec3[]): Vec3[] {
  const found = new Map<string, Vec3>();
  for (const place of places) if (!found.has(place.join(' '))) found.set(place.join(' '), place);
  return [...found.values()];
}

/** The corners of the zone's boxes, the middles of their faces and their own, and the same of its spheres. */
export function outerEyes({ boxes, spheres }: Zone): Vec3[] {
  const places: Vec3[] = [];
  for (const { min, max } of boxes) {
    const at = (axis: number, step: number) => min[axis] + ((max[axis] - min[axis]) * step) / 2;
    for (let i = 0; i < 27; i++) {
      const steps = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)];
      const middles = steps.filter((step) => step === 1).length;
      // Corners, middles of faces, the middle: not the middles of edges.
      if (middles !== 1) places.push([at(0, steps[0]), at(1, steps[1]), at(2, steps[2])]);
    }
  }
  for (const { middle, radius } of spheres) {
    places.push(middle);
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [-radius, radius]) {
        const place: [number, number, number] = [...middle];
        place[axis] += side;
        places.push(place);
      }
    }
  }
  return distinct(places);
}

/** Halton's sequence: the digits of a number in a base, mirrored at the point. */
function mirrored(number: number, base: number): number {
  let value = 0;
  for (let part = 1 / base, rest = number; rest > 0; rest = Math.floor(rest / base), part /= base) {
    value += (rest % base) * part;
  }
  return value;
}

const volumeOf = ({ min, max }: Bounds): number =>
  // A flat box counts as one of a centimetre.
  [0, 1, 2].reduce((product, axis) => product * Math.max(max[axis] - min[axis], 0.01), 1);

/** Places evenly inside the zone: `count` of them from number `from` on. Different numbers are different places. */
export function innerEyes({ boxes, spheres }: Zone, from: number, count: number): Vec3[] {
  const volumes = [
    ...boxes.map(volumeOf),
    ...spheres.map(({ radius }) => (4 / 3) * Math.PI * Math.max(radius, 0.005) ** 3),
  ];
  const whole = volumes.reduce((sum, volume) => sum + volume, 0);
  const places: Vec3[] = [];
  for (let number = from + 1; number <= from + count; number++) {
    const [u, v, w] = [mirrored(number, 2), mirrored(number, 3), mirrored(number, 5)];
    let left = mirrored(number, 7) * whole;
    let chosen = 0;
    while (chosen < volumes.length - 1 && left >= volumes[chosen]) left -= volumes[chosen++];
    if (chosen < boxes.length) {
      const { min, max } = boxes[chosen];
      places.push([min[0] + (max[0] - min[0]) * u, min[1] + (max[1] - min[1]) * v, min[2] + (max[2] - min[2]) * w]);
    } else {
      const { middle, radius } = spheres[chosen - boxes.length];
      const [r, turn, height] = [Math.cbrt(u) * radius, v * 2 * Math.PI, 2 * w - 1];
      const across = Math.sqrt(1 - height * height) * r;
      places.push([middle[0] + across * Math.cos(turn), middle[1] + height * r, middle[2] + across * Math.sin(turn)]);
    }
  }
  return places;
}

/** The six directions of an eye: each looks along -back, with right x up = back. */
export const FACES: readonly { readonly right: Vec3; readonly up: Vec3; readonly back: Vec3 }[] = [
  { right: [0, 0, 1], up: [0, 1, 0], back: [-1, 0, 0] },
  { right: [0, 0, -1], up: [0, 1, 0], back: [1, 0, 0] },
  { right: [1, 0, 0], up: [0, 0, 1], back: [0, -1, 0] },
  { right: [1, 0, 0], up: [0, 0, -1], back: [0, 1, 0] },
  { right: [-1, 0, 0], up: [0, 1, 0], back: [0, 0, -1] },
  { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] },
];

/** Boxes are told one by one up to so many. */
const MANY_BOXES = 64;

/** The boxes that the eyes of a zone are in; one around all of them where they are many. */
export function boxesOf({ boxes, spheres }: Zone): Bounds[] {
  const around = spheres.map(
    ({ middle: [x, y, z], radius: r }): Bounds => ({ min: [x - r, y - r, z - r], max: [x + r, y + r, z + r] }),
  );
  const all = [...boxes, ...around];
  if (all.length <= MANY_BOXES) return all;
  return [all.reduce<Bounds | null>((whole, box) => unite(whole, box), null) as Bounds];
}
