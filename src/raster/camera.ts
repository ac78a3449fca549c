// Perspective cameras, and the views from which a tile is judged. A camera looks along -back; its picture is a rectangle at
// unit distance, given by tangents, so that a crop of a screen is a camera too.

import { distanceToBounds } from '../scene/bounds.ts';
import type { Bounds, Vec3 } from '../scene/types.ts';
import { angleOf } from './turn.ts';

export interface Camera {
  readonly position: Vec3;
  /** Axes of unit length, at right angles, right-handed: right x up = back. */
  readonly right: Vec3;
  readonly up: Vec3;
  readonly back: Vec3;
  /** Edges of the picture at unit distance in front of the camera. */
  readonly left: number;
  readonly rightEdge: number;
  readonly bottom: number;
  readonly top: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Metres; what is nearer is cut away. */
  readonly near: number;
}

/** The tangent of half of 60 degrees: the field of view at which switch distances are reckoned (tiling/streaming/ladder). */
export const TAN_HALF_VIEW = 0.5773502691896258;
/** The screen at which they are reckoned, in pixels. */
export const SCREEN = { width: 1920, height: 1080 } as const;
/** Pixels that one metre covers at one metre's distance on that screen. */
export const PIXELS_PER_TANGENT = SCREEN.height / (2 * TAN_HALF_VIEW);

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function unit(v: Vec3): Vec3 {
  const length = Math.sqrt(dot(v, v));
  return [v[0] / length, v[1] / length, v[2] / length];
}

type Axes = Pick<Camera, 'position' | 'right' | 'up' | 'back'>;

/** What is up in the picture of a camera that looks straight down or up: north, which is -Z. */
const NORTH: Vec3 = [0, 0, -1];
/** Cosine from which a look counts as straight down or up. */
const STRAIGHT = 0.99999;

/** A camera's axes at `position`, looking at `target`, with +Y up. Null where the two are the same point. */
export function lookAt(position: Vec3, target: Vec3): Axes | null {
  const away = minus(position, target);
  const length = Math.sqrt(dot(away, away));
  if (!(length > 0) || !Number.isFinite(length)) return null;
  const back = unit(away);
  const right = unit(cross(Math.abs(back[1]) > STRAIGHT ? NORTH : [0, 1, 0], back));
  return { position, right, up: cross(back, right), back };
}

/** The tangent of half of 38 degrees: the field of view of pictures that frame a scene, as of a lens of 50 mm. */
export const TAN_HALF_FRAMING = 0.3443276132896652;

/** A whole picture; `tangent`: of half its field of view from bottom to top. */
export function wholePicture(
  axes: Axes,
  width: number,
  height: number,
  near: number,
  tangent: number = TAN_HALF_VIEW,
): Camera {
  const side = (tangent * width) / height;
  return { ...axes, left: -side, rightEdge: side, bottom: -tangent, top: tangent, width, height, near };
}

/** The eight corners of a box. */
export function cornersOf({ min, max }: Bounds): Vec3[] {
  const list: Vec3[] = [];
  for (const x of [min[0], max[0]])
    for (const y of [min[1], max[1]]) for (const z of [min[2], max[2]]) list.push([x, y, z]);
  return list;
}

const centreOf = ({ min, max }: Bounds): Vec3 => [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];

const along = (from: Vec3, direction: Vec3, way: number): Vec3 => [
  from[0] + direction[0] * way,
  from[1] + direction[1] * way,
  from[2] + direction[2] * way,
];

/** The point on the ray from the box's centre whose distance to the box is `distance`. */
function pointAt(bounds: Bounds, direction: Vec3, distance: number): Vec3 {
  const centre = centreOf(bounds);
  const diagonal = minus(bounds.max, bounds.min);
  let low = 0;
  let high = distance + Math.sqrt(dot(diagonal, diagonal));
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (distanceToBounds(along(centre, direction, middle), bounds) < distance) low = middle;
    else high = middle;
  }
  return along(centre, direction, high);
}

const S = Math.SQRT1_2;
/** Eight azimuths, from +Z on. */
const AZIMUTHS: readonly (readonly [number, number])[] = [
  [0, 1],
  [S, S],
  [1, 0],
  [S, -S],
  [0, -1],
  [-S, -S],
  [-1, 0],
  [-S, S],
];
/** Cosine and sine of 12 and of 40 degrees above the horizon. */
const LOW = [0.9781476007338057, 0.20791169081775934] as const;
const HIGH = [0.766044443118978, 0.6427876096865393] as const;

/** From where a tile is judged, as directions from its centre: eight around, four from higher up, one from above. */
export const JUDGED_DIRECTIONS: readonly Vec3[] = [
  ...AZIMUTHS.map(([x, z]): Vec3 => [x * LOW[0], LOW[1], z * LOW[0]]),
  ...[1, 3, 5, 7].map((i): Vec3 => [AZIMUTHS[i][0] * HIGH[0], HIGH[1], AZIMUTHS[i][1] * HIGH[0]]),
  [0, 1, 0],
];

/** Pixels around the box, so that its outline is in the picture. */
const MARGIN = 2;

/**
 * The cameras of JUDGED_DIRECTIONS whose distance to the box is `distance` metres, more than 0. Each picture has the scale
 * of SCREEN and is cropped to the box, or where that is larger to the screen.
 */
export function viewsOf(bounds: Bounds, distance: number): Camera[] {
  if (!(distance > 0)) throw new Error(`a view from ${distance} m`);
  return JUDGED_DIRECTIONS.map((direction) => {
    const centre = centreOf(bounds);
    const position = pointAt(bounds, direction, distance);
    const axes = lookAt(position, centre)!;
    const halfWidth = SCREEN.width / 2;
    const halfHeight = SCREEN.height / 2;
    // Pixels from the middle of the screen.
    let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const corner of cornersOf(bounds)) {
      const offset = minus(corner, position);
      const depth = -dot(axes.back, offset);
      // A corner beside or behind the camera is beyond every edge of the screen.
      const scale = depth > 0 ? PIXELS_PER_TANGENT / depth : Infinity;
      const x = dot(axes.right, offset) * scale;
      const y = dot(axes.up, offset) * scale;
      minX = Math.min(minX, Number.isNaN(x) ? -halfWidth : x);
      maxX = Math.max(maxX, Number.isNaN(x) ? halfWidth : x);
      minY = Math.min(minY, Number.isNaN(y) ? -halfHeight : y);
      maxY = Math.max(maxY, Number.isNaN(y) ? halfHeight : y);
    }
    const left = Math.max(-halfWidth, Math.floor(minX) - MARGIN);
    const right = Math.min(halfWidth, Math.ceil(maxX) + MARGIN);
    const bottom = Math.max(-halfHeight, Math.floor(minY) - MARGIN);
    const top = Math.min(halfHeight, Math.ceil(maxY) + MARGIN);
    return {
      ...axes,
      left: left / PIXELS_PER_TANGENT,
      rightEdge: right / PIXELS_PER_TANGENT,
      bottom: bottom / PIXELS_PER_TANGENT,
      top: top / PIXELS_PER_TANGENT,
      width: right - left,
      height: top - bottom,
      near: distance * 0.25,
    };
  });
}

/** A rectangle of a picture as a camera of its own, and its place in pixels from the upper left corner. */
export interface Crop {
  readonly camera: Camera;
  readonly x: number;
  readonly y: number;
}

/** The part of a camera's picture that a box may be seen in; null: none. A box around or beside the camera may be anywhere. */
export function cropTo(camera: Camera, bounds: Bounds): Crop | null {
  const { position, right, up, back, left, rightEdge, bottom, top, near, width, height } = camera;
  const [acrossX, acrossY] = [width / (rightEdge - left), height / (top - bottom)];
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  let behind = 0;
  for (const corner of cornersOf(bounds)) {
    const offset = minus(corner, position);
    const depth = -dot(back, offset);
    if (depth <= near) behind++;
    const x = (dot(right, offset) / depth - left) * acrossX;
    const y = (top - dot(up, offset) / depth) * acrossY;
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
  }
  if (behind === 8) return null;
  if (behind > 0) return { camera, x: 0, y: 0 };
  const x0 = Math.max(0, Math.floor(minX) - 1);
  const x1 = Math.min(width, Math.ceil(maxX) + 1);
  const y0 = Math.max(0, Math.floor(minY) - 1);
  const y1 = Math.min(height, Math.ceil(maxY) + 1);
  if (x0 >= x1 || y0 >= y1) return null;
  const edges = {
    left: left + x0 / acrossX,
    rightEdge: left + x1 / acrossX,
    top: top - y0 / acrossY,
    bottom: top - y1 / acrossY,
  };
  return { camera: { ...camera, ...edges, width: x1 - x0, height: y1 - y0 }, x: x0, y: y0 };
}

/** Room around what a camera frames: the picture is so much larger. */
const FRAME = 1.07;

/**
 * The nearest camera that looks along -direction (of unit length) and has the whole box in the middle of its picture, with
 * +Y up. With corners at x sideways and z towards the camera, a camera at distance d and sideways at c sees them within
 * tangents of t where x + t z - t d <= c <= x - t z + t d.
 */
export function framing(
  bounds: Bounds,
  direction: Vec3,
  width: number,
  height: number,
  tangent: number = TAN_HALF_VIEW,
): Camera {
  const centre = centreOf(bounds);
  const axes = lookAt(along(centre, direction, 1), centre)!;
  const offsets = cornersOf(bounds).map((corner) => minus(corner, centre));
  const rangeOf = (sideways: Vec3, tangent: number) => {
    let lowest = -Infinity;
    let highest = Infinity;
    for (const offset of offsets) {
      const x = dot(sideways, offset);
      const z = tangent * dot(axes.back, offset);
      lowest = Math.max(lowest, x + z);
      highest = Math.min(highest, x - z);
    }
    return { min: lowest, max: highest, distance: (lowest - highest) / (2 * tangent) };
  };
  const tangentX = (tangent * width) / height / FRAME;
  const tangentY = tangent / FRAME;
  const across = rangeOf(axes.right, tangentX);
  const upwards = rangeOf(axes.up, tangentY);
  const distance = Math.max(across.distance, upwards.distance, 0.01);
  /** Of the shifts at which the box is in the picture, the one at which both its sides are equally far from the middle. */
  const shiftOf = (sideways: Vec3, low: number, high: number): number => {
    let [from, to] = [low, high];
    for (let i = 0; i < 60; i++) {
      const middle = (from + to) / 2;
      const tangents = offsets.map((offset) => (dot(sideways, offset) - middle) / (distance - dot(axes.back, offset)));
      if (Math.max(...tangents) + Math.min(...tangents) > 0) from = middle;
      else to = middle;
    }
    return (from + to) / 2;
  };
  const reachX = tangentX * distance;
  const reachY = tangentY * distance;
  const shiftX = shiftOf(axes.right, across.min - reachX, across.max + reachX);
  const shiftY = shiftOf(axes.up, upwards.min - reachY, upwards.max + reachY);
  const shifted = along(along(centre, axes.right, shiftX), axes.up, shiftY);
  const position = along(shifted, axes.back, distance);
  const nearest = distanceToBounds(position, bounds);
  const near = Math.max(nearest * 0.5, distance * 1e-4);
  return wholePicture({ ...axes, position }, width, height, near, tangent);
}

/** From the front right and above. */
const ORBIT: Vec3 = [0.5566703992264194, 0.5, 0.6634139481689384];
const ABOVE: Vec3 = [0, 1, 0];

/** Three-quarter view of the whole box; `tangent`: of half the field of view. */
export function orbitCamera(bounds: Bounds, width: number, height: number, tangent = TAN_HALF_VIEW): Camera {
  return framing(bounds, ORBIT, width, height, tangent);
}

/** The whole box from above, north (-Z) up. */
export function overviewCamera(bounds: Bounds, width: number, height: number, tangent = TAN_HALF_VIEW): Camera {
  return framing(bounds, ABOVE, width, height, tangent);
}

/** Metres in front of a camera whose near plane nobody names. */
const NEAR = 0.05;

/** The camera of six numbers: position and target. Null where they are the same point. */
export function givenCamera(numbers: readonly number[], width: number, height: number): Camera | null {
  const [x, y, z, tx, ty, tz] = numbers;
  const axes = lookAt([x, y, z], [tx, ty, tz]);
  return axes && wholePicture(axes, width, height, NEAR);
}

/** A camera turned about the vertical through a point, by a share of a whole turn: from the south over the east. */
export function turnedCamera(camera: Camera, pivot: Vec3, share: number): Camera {
  const [cosine, sine] = angleOf(2 * Math.PI * share);
  const turned = ([x, y, z]: Vec3): Vec3 => [x * cosine + z * sine, y, z * cosine - x * sine];
  const { position, right, up, back } = camera;
  const [x, y, z] = turned(minus(position, pivot));
  const moved: Vec3 = [x + pivot[0], y + pivot[1], z + pivot[2]];
  return { ...camera, position: moved, right: turned(right), up: turned(up), back: turned(back) };
}

/** As orbitCamera, from so far away that the box is in the picture from every side, and its middle in the picture's. */
export function turntableCamera(bounds: Bounds, width: number, height: number, tangent: number, count: number): Camera {
  const centre = centreOf(bounds);
  const axes = lookAt(along(centre, ORBIT, 1), centre)!;
  const tangentX = (tangent * width) / height / FRAME;
  const tangentY = tangent / FRAME;
  const offsets = cornersOf(bounds).map((corner) => minus(corner, centre));
  let distance = 0.01;
  for (let i = 0; i < count; i++) {
    const { right, up, back } = turnedCamera(wholePicture(axes, width, height, 1, tangent), centre, i / count);
    for (const offset of offsets) {
      const z = dot(back, offset);
      distance = Math.max(
        distance,
        Math.abs(dot(right, offset)) / tangentX + z,
        Math.abs(dot(up, offset)) / tangentY + z,
      );
    }
  }
  const position = along(centre, axes.back, distance);
  return wholePicture({ ...axes, position }, width, height, distance * 1e-3, tangent);
}
