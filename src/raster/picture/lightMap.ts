// What a far light sees of a scene: of each texel how far away the nearest surface is. Sun and sky ask it what they reach.

import type { Bounds, Vec3 } from '../../scene/types.ts';
import { type Camera, cornersOf, lookAt } from '../camera.ts';
import type { Sight } from './sight.ts';

/** A light looks from so many radii of the scene away: its rays are as good as parallel. */
const FAR = 40;

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A map of the light from one direction, drawn again for another. */
export class LightMap {
  readonly size: number;
  /** Metres in front of the light; Infinity: nothing is there. */
  readonly distances: Float32Array;
  /** Metres that a texel covers. */
  texel = 0;
  #camera: Camera | null = null;
  /** Of a place that was asked for: its column and row in texels, from the middle of the first, and its distance in metres. */
  column = 0;
  row = 0;
  distance = 0;

  constructor(size: number) {
    this.size = size;
    this.distances = new Float32Array(size * size);
  }

  /** Looks at a box, of a scene with this radius around it, from a direction of unit length. */
  draw(sight: Sight, direction: Vec3, box: Bounds, radius: number): void {
    const { size, distances } = this;
    const middle: Vec3 = [
      (box.min[0] + box.max[0]) / 2,
      (box.min[1] + box.max[1]) / 2,
      (box.min[2] + box.max[2]) / 2,
    ];
    const away = radius * FAR;
    const at: Vec3 = [middle[0] + direction[0] * away, middle[1] + direction[1] * away, middle[2] + direction[2] * away];
    const axes = lookAt(at, middle)!;
    let [left, rightEdge, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const corner of cornersOf(box)) {
      const offset: Vec3 = [corner[0] - at[0], corner[1] - at[1], corner[2] - at[2]];
      const distance = -dot(axes.back, offset);
      const [x, y] = [dot(axes.right, offset) / distance, dot(axes.up, offset) / distance];
      left = Math.min(left, x);
      rightEdge = Math.max(rightEdge, x);
      bottom = Math.min(bottom, y);
      top = Math.max(top, y);
    }
    const room = (Math.max(rightEdge - left, top - bottom) * 3) / size;
    const edges = { left: left - room, rightEdge: rightEdge + room, bottom: bottom - room, top: top + room };
    // What casts a shadow may stand anywhere between the light and the box.
    const camera = { ...axes, ...edges, width: size, height: size, near: radius };
    this.#camera = camera;
    this.texel = (Math.max(edges.rightEdge - edges.left, edges.top - edges.bottom) / size) * away;
    sight.look(
      camera,
      1,
      ({ stride, depths }) => {
        for (let j = 0; j < size; j++) {
          for (let i = 0, to = j * size, from = j * stride; i < size; i++, to++, from++) {
            distances[to] = 1 / depths[from];
          }
        }
      },
      true,
    );
  }

  /** Sets column, row and distance of a place. */
  place(x: number, y: number, z: number): void {
    const { position, right, up, back, left, rightEdge, top, bottom } = this.#camera!;
    const dx = x - position[0];
    const dy = y - position[1];
    const dz = z - position[2];
    const distance = -(back[0] * dx + back[1] * dy + back[2] * dz);
    const tx = (right[0] * dx + right[1] * dy + right[2] * dz) / distance;
    const ty = (up[0] * dx + up[1] * dy + up[2] * dz) / distance;
    this.column = ((tx - left) / (rightEdge - left)) * this.size - 0.5;
    this.row = ((top - ty) / (top - bottom)) * this.size - 0.5;
    this.distance = distance;
  }

  /** The share of the light at a place of the map that comes as far as `distance`: of four texels, bilinear. */
  reached(column: number, row: number, distance: number): number {
    const { size, distances } = this;
    const i = Math.floor(column);
    const j = Math.floor(row);
    if (i < 0 || j < 0 || i + 1 >= size || j + 1 >= size) return 1;
    const at = j * size + i;
    const across = column - i;
    const down = row - j;
    const upper = (distances[at] >= distance ? 1 - across : 0) + (distances[at + 1] >= distance ? across : 0);
    const below = at + size;
    const lower = (distances[below] >= distance ? 1 - across : 0) + (distances[below + 1] >= distance ? across : 0);
    return upper + (lower - upper) * down;
  }
}
