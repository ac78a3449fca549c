// Clips triangles at the near plane, and at planes far outside of the picture, so that rounded corners stay small enough for
// exact arithmetic (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974). Only triangles that need it come here.

import type { Camera } from './camera.ts';

/**
 * Corners lie within so many samples of the picture's middle. With 256 steps a sample, the products of two differences stay
 * below 2^52, which doubles hold exactly.
 */
const REACH = 2 ** 16;

/** Corners that a triangle can have after five planes. */
const MOST_CORNERS = 8;

export class TriangleClipper {
  readonly #near: number;
  /** Tangents of the planes beside, above and below. */
  readonly #minX: number;
  readonly #maxX: number;
  readonly #minY: number;
  readonly #maxY: number;
  /** Corners of the clipped polygon: right, up and forward of the eye, three numbers each. */
  points = new Float64Array(MOST_CORNERS * 3);
  #other = new Float64Array(MOST_CORNERS * 3);

  /** `columns`, `rows`: samples of the picture. */
  constructor({ near, left, rightEdge, bottom, top }: Camera, columns: number, rows: number) {
    const sideways = (REACH * (rightEdge - left)) / columns;
    const upwards = (REACH * (top - bottom)) / rows;
    this.#near = near;
    this.#minX = (left + rightEdge) / 2 - sideways;
    this.#maxX = (left + rightEdge) / 2 + sideways;
    this.#minY = (bottom + top) / 2 - upwards;
    this.#maxY = (bottom + top) / 2 + upwards;
  }

  /** Whether a point in front of the eye needs no clipping. */
  isInside(x: number, y: number, z: number): boolean {
    return z >= this.#near && x >= this.#minX * z && x <= this.#maxX * z && y >= this.#minY * z && y <= this.#maxY * z;
  }

  /** Clips a triangle of points of the eye into `points`; gives the number of corners, 0 where nothing is left. */
  clip(eye: Float64Array, a: number, b: number, c: number): number {
    for (let k = 0; k < 3; k++) {
      this.points[k] = eye[a * 3 + k];
      this.points[3 + k] = eye[b * 3 + k];
      this.points[6 + k] = eye[c * 3 + k];
    }
    let count = this.#cut(3, 0, 0, 1, -this.#near);
    count = this.#cut(count, 1, 0, -this.#minX, 0);
    count = this.#cut(count, -1, 0, this.#maxX, 0);
    count = this.#cut(count, 0, 1, -this.#minY, 0);
    return this.#cut(count, 0, -1, this.#maxY, 0);
  }

  /** Keeps what has px x + py y + pz z + p of at least 0. */
  #cut(count: number, px: number, py: number, pz: number, p: number): number {
    const from = this.points;
    const to = this.#other;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const at = i * 3;
      const next = ((i + 1) % count) * 3;
      const here = px * from[at] + py * from[at + 1] + pz * from[at + 2] + p;
      const there = px * from[next] + py * from[next + 1] + pz * from[next + 2] + p;
      if (here >= 0) {
        to[kept * 3] = from[at];
        to[kept * 3 + 1] = from[at + 1];
        to[kept * 3 + 2] = from[at + 2];
        kept++;
      }
      if (here >= 0 === there >= 0) continue;
      // From the inner end to the outer one: both triangles of an edge get the same point.
      const [inner, outer, share] = here >= 0 ? [at, next, here / (here - there)] : [next, at, there / (there - here)];
      for (let k = 0; k < 3; k++) to[kept * 3 + k] = from[inner + k] + (from[outer + k] - from[inner + k]) * share;
      kept++;
    }
    this.points = to;
    this.#other = from;
    return kept;
  }
}
