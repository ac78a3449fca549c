// What a camera sees, as far as the engine's loader asks: whether a box is in its view, and how much of the view it takes.

import type { Bounds, Vec3 } from '../../scene/types.ts';

/** A camera at one moment. Directions have unit length. */
export interface Eye {
  readonly position: Vec3;
  readonly forward: Vec3;
  readonly up: Vec3;
  /** Tangents of half of the field of view. */
  readonly tanX: number;
  readonly tanY: number;
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The four sides of a view and its front, as normals that point inwards; all planes contain the eye. */
function sidesOf({ forward, up, tanX, tanY }: Eye): Vec3[] {
  const right = cross(forward, up);
  const side = (axis: Vec3, sign: number, tangent: number): Vec3 => {
    const length = Math.sqrt(1 + tangent * tangent);
    return [0, 1, 2].map((k) => (sign * axis[k] + tangent * forward[k]) / length) as unknown as Vec3;
  };
  return [side(right, 1, tanX), side(right, -1, tanX), side(up, 1, tanY), side(up, -1, tanY), forward];
}

/** Whether a box may be in view, if the view is `margin` metres wider on all sides. */
export function isInView(eye: Eye, { min, max }: Bounds, margin: number): boolean {
  for (const normal of sidesOf(eye)) {
    // The corner that lies furthest inwards.
    let inwards = 0;
    for (let k = 0; k < 3; k++) inwards += normal[k] * ((normal[k] >= 0 ? max[k] : min[k]) - eye.position[k]);
    if (inwards < -margin) return false;
  }
  return true;
}

/** How much a box takes of what a camera looks at: its solid angle, less where it is beside the middle of the view. */
export function importance(eye: Eye, { min, max }: Bounds): number {
  const towards: number[] = [];
  let radius = 0;
  for (let k = 0; k < 3; k++) {
    towards.push((min[k] + max[k]) / 2 - eye.position[k]);
    radius += ((max[k] - min[k]) / 2) ** 2;
  }
  const distance = Math.sqrt(dot(towards as unknown as Vec3, towards as unknown as Vec3));
  const size = Math.sqrt(radius);
  if (distance <= size) return 4 * Math.PI;
  const solidAngle = 2 * Math.PI * (1 - Math.sqrt(1 - (size / distance) ** 2));
  const alignment = dot(eye.forward, towards as unknown as Vec3) / distance;
  return solidAngle * (0.5 + 0.5 * alignment);
}
