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
  /** 1 over the metres in front of the light; 0: nothing is there. */
  readonly inverses: Float32Array;
  /** Metres that a texel covers. */
  texel = 0;
  /** How a place of the world becomes a column, a row and a distance: twelve numbers, four each. */
  readonly matrix = new Float64Array(12);
  /** Of a place that was asked for: its column and row in texels, from the middle of the first, and its distance in metres. */
  column = 0;
  row = 0;
  distance = 0;

  constructor(size: number) {
    this.size = size;
    this.inverses = new Float32Array(size * size);
  }

  /** Looks at a box, of a scene with this radius around it, from a direction of unit length. */
  draw(sight: Sight, direction: Vec3, box: Bounds, radius: number): void {
    const { size, inverses } = this;
    const middle: Vec3 = [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2, (box.min[2] + box.max[2]) / 2];
    const away = radius * FAR;
    const at: Vec3 = [
      middle[0] + direction[0] * away,
      middle[1] + direction[1] * away,
      middle[2] + direction[2] * away,
    ];
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
    const room = Math.max(1e-9, (Math.max(rightEdge - left, top - bottom) * 3) / size);
    const edges = { left: left - room, rightEdge: rightEdge + room, bottom: bottom - room, top: top + room };
    // What casts a shadow may stand anywhere between the light and the box.
    const camera = { ...axes, ...edges, width: size, height: size, near: radius };
    this.#setMatrix(camera);
    this.texel = (Math.max(edges.rightEdge - edges.left, edges.top - edges.bottom) / size) * away;
    sight.look(
      camera,
      1,
      ({ stride, depths }) => {
        for (let j = 0; j < size; j++) {
          inverses.set(depths.subarray(j * stride, j * stride + size), j * size);
        }
      },
      true,
    );
  }

  /** Columns and rows are those numbers of the matrix over the distance. */
  #setMatrix({ position, right, up, back, left, rightEdge, top, bottom }: Camera): void {
    const acrossX = this.size / (rightEdge - left);
    const acrossY = this.size / (top - bottom);
    const m = this.matrix;
    for (let k = 0; k < 3; k++) {
      m[k] = right[k] * acrossX + back[k] * (left * acrossX + 0.5);
      m[4 + k] = -up[k] * acrossY - back[k] * (top * acrossY - 0.5);
      m[8 + k] = -back[k];
    }
    for (let at = 0; at < 12; at += 4)
      m[at + 3] = -(m[at] * position[0] + m[at + 1] * position[1] + m[at + 2] * position[2]);
  }

  /** Sets column, row and distance of a place. */
  place(x: number, y: number, z: number): void {
    const m = this.matrix;
    const distance = m[8] * x + m[9] * y + m[10] * z + m[11];
    const over = 1 / distance;
    this.column = (m[0] * x + m[1] * y + m[2] * z + m[3]) * over;
    this.row = (m[4] * x + m[5] * y + m[6] * z + m[7]) * over;
    this.distance = distance;
  }

  /** The share of the light at a place of the map that comes as far as 1 / `inverse` metres: of four texels, bilinear. */
  reached(column: number, row: number, inverse: number): number {
    const { size, inverses } = this;
    const i = Math.floor(column);
    const j = Math.floor(row);
    if (i < 0 || j < 0 || i + 1 >= size || j + 1 >= size) return 1;
    const at = j * size + i;
    const across = column - i;
    const down = row - j;
    const below = at + size;
    const upper = (inverses[at] <= inverse ? 1 - across : 0) + (inverses[at + 1] <= inverse ? across : 0);
    const lower = (inverses[below] <= inverse ? 1 - across : 0) + (inverses[below + 1] <= inverse ? across : 0);
    return upper + (lower - upper) * down;
  }
}
