// Whether a place lies in a closed room, and from where such a room is pictured: from outside it would only show its shell.

import { center } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import { type Camera, lookAt, wholePicture } from '../camera.ts';
import { painter } from '../placed.ts';
import type { RasterScene } from '../scene.ts';
import { Hit, Rays } from './hit.ts';
import { NOTHING, Sight } from './sight.ts';

/** Samples along a side of what is seen towards each face of a cube. */
const SIDE = 32;
/** The least share of all directions, and of those upwards, in which a place in a room must meet a surface. */
const CLOSED = 0.9;
const ROOFED = 0.97;
/** The least share of all directions in which a surface must face it: from within a solid thing one sees backs alone. */
const FACING = 0.4;
/** Metres: of the eye above the floor, and the least height of a room in which a person stands. */
const EYE = 1.65;
const LEAST_HEIGHT = 2;
/** Metres before the eye that are cut away, and between the eye and the wall behind it. */
const NEAR = 0.05;
const BEHIND = 0.6;

const UP: Vec3 = [0, 1, 0];
const DOWN: Vec3 = [0, -1, 0];
/** Of a room, in the order in which they turn. */
const AROUND: readonly Vec3[] = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 0, -1],
  [-1, 0, 0],
];

interface View {
  /** Metres to the nearest surface along each ray, rows from the top; Infinity: none. */
  readonly distances: Float32Array;
  /** The shares of rays that meet a surface, and one that faces the eye. */
  readonly met: number;
  readonly facing: number;
}

/** What is seen from a place towards one face of a cube. */
function viewTowards(sight: Sight, scene: RasterScene, place: Vec3, direction: Vec3): View {
  const target: Vec3 = [place[0] + direction[0], place[1] + direction[1], place[2] + direction[2]];
  const camera = wholePicture(lookAt(place, target)!, SIDE, SIDE, NEAR, 1);
  const rays = new Rays(scene, camera);
  const ray = new Float64Array(3);
  const hit = new Hit();
  const distances = new Float32Array(SIDE * SIDE).fill(Infinity);
  let met = 0;
  let facing = 0;
  sight.look(camera, 1, ({ row, rows, stride, triangles }) => {
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < SIDE; i++) {
        const triangle = triangles[j * stride + i];
        if (triangle === NOTHING) continue;
        met++;
        rays.ray(i + 0.5, row + j + 0.5, ray);
        rays.meet(triangle, ray, hit);
        distances[(row + j) * SIDE + i] = hit.distance * Math.sqrt(ray[0] ** 2 + ray[1] ** 2 + ray[2] ** 2);
        if (hit.nx * hit.vx + hit.ny * hit.vy + hit.nz * hit.vz > 0) facing++;
      }
    }
  });
  return { distances, met: met / (SIDE * SIDE), facing: facing / (SIDE * SIDE) };
}

const middleOf = ({ distances }: View): number => distances[(SIDE / 2) * SIDE + SIDE / 2];

/** The height of the floor below a place in a closed room, null for any other place. */
function floorBelow(sight: Sight, scene: RasterScene, place: Vec3): number | null {
  const above = viewTowards(sight, scene, place, UP);
  if (above.met < ROOFED) return null;
  const below = viewTowards(sight, scene, place, DOWN);
  const views = [above, below, ...AROUND.map((direction) => viewTowards(sight, scene, place, direction))];
  const mean = (share: (view: View) => number) => views.reduce((sum, view) => sum + share(view), 0) / views.length;
  if (mean(({ met }) => met) < CLOSED || mean(({ facing }) => facing) < FACING) return null;
  if (middleOf(above) + middleOf(below) < LEAST_HEIGHT) return null;
  return place[1] - middleOf(below);
}

/** Whether a camera at this place stands in a closed room. */
export function isInRoom(scene: RasterScene, place: Vec3): boolean {
  return painter.within((memory) => floorBelow(new Sight(memory, scene), scene, place) !== null);
}

/** How far one can go from a place in each direction around, from +Z over +X on, a column of samples after the other. */
interface Ways {
  readonly metres: Float64Array;
  readonly directions: readonly Vec3[];
}

/** Where nothing stops one, metres that count as very far. */
const FAR = 1000;

function waysAround(sight: Sight, scene: RasterScene, place: Vec3): Ways {
  const metres: number[] = [];
  const directions: Vec3[] = [];
  for (const direction of AROUND) {
    const { distances } = viewTowards(sight, scene, place, direction);
    // On the left of who looks along +Z lies +X.
    for (let i = SIDE - 1; i >= 0; i--) {
      const s = ((i + 0.5) / SIDE) * 2 - 1;
      const length = Math.sqrt(1 + s * s);
      directions.push([(direction[0] - direction[2] * s) / length, 0, (direction[2] + direction[0] * s) / length]);
      metres.push(Math.min(FAR, distances[(SIDE / 2 - 1) * SIDE + i], distances[(SIDE / 2) * SIDE + i]));
    }
  }
  return { metres: Float64Array.from(metres), directions };
}

/** Columns on either side that count for a direction. */
const BESIDE = 4;

/** The direction in which a room is longest, ahead and behind together: the middle of the long ways, by their squares. */
function longestWay({ metres, directions }: Ways): Vec3 {
  const count = metres.length;
  const at = (i: number) => metres[(i + count) % count];
  let best = 0;
  let most = 0;
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let k = -BESIDE; k <= BESIDE; k++) sum += at(i + k) + at(i + k + count / 2);
    // Of two opposite ways, which are equally long together, the one with more ahead.
    if (sum + at(i) * 1e-3 <= most) continue;
    most = sum + at(i) * 1e-3;
    best = i;
  }
  let [x, z] = [0, 0];
  for (let k = -BESIDE; k <= BESIDE; k++) {
    const length = at(best + k) + at(best + k + count / 2);
    const direction = directions[(best + k + count) % count];
    x += direction[0] * length * length;
    z += direction[2] * length * length;
  }
  const length = Math.sqrt(x * x + z * z);
  return [x / length, 0, z / length];
}

/** How far one can go in a direction, and to its sides at least. */
function roomOf({ metres, directions }: Ways, [x, , z]: Vec3): { readonly ahead: number; readonly beside: number } {
  let [ahead, closest, beside] = [0, -1, FAR];
  for (const [i, direction] of directions.entries()) {
    const cosine = direction[0] * x + direction[2] * z;
    if (cosine > closest) [closest, ahead] = [cosine, metres[i]];
    if (Math.abs(cosine) < Math.SQRT1_2) beside = Math.min(beside, metres[i]);
  }
  return { ahead, beside };
}

/** Shares of the way back that are tried, and of the room beside the middle that must be left there. */
const STEPS_BACK = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1] as const;
const LEFT_BESIDE = 0.6;

/**
 * The view from inside of the room around the middle of a box: from eye height, along its longest way, from as far back as one can
 * step without a wall close beside. Null where the middle lies in no closed room.
 */
export function roomCamera(scene: RasterScene, bounds: Bounds, width: number, height: number): Camera | null {
  return painter.within((memory) => {
    const sight = new Sight(memory, scene);
    const middle = center(bounds);
    const floor = floorBelow(sight, scene, middle);
    if (floor === null) return null;
    const eye: Vec3 = [middle[0], Math.min(middle[1], floor + EYE), middle[2]];
    const around = waysAround(sight, scene, eye);
    const look = longestWay(around);
    const back = Math.max(0, roomOf(around, [-look[0], 0, -look[2]]).ahead - BEHIND);
    const { beside } = roomOf(around, look);
    const placeAt = (share: number): Vec3 => [eye[0] - look[0] * back * share, eye[1], eye[2] - look[2] * back * share];
    const isOpen = (share: number) =>
      roomOf(waysAround(sight, scene, placeAt(share)), look).beside >= beside * LEFT_BESIDE;
    const position = placeAt(STEPS_BACK.find(isOpen) ?? 0);
    const target: Vec3 = [position[0] + look[0], position[1], position[2] + look[2]];
    return wholePicture(lookAt(position, target)!, width, height, NEAR);
  });
}
