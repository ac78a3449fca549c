// The triangles of a mesh by place.

import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { distanceTo } from './vectors.ts';

/** Edge in metres of the cubes that triangles are looked up by. */
const CUBE = 1;

/** The triangles of a mesh by the cubes that their boxes touch. */
export class TriangleGrid {
  readonly #cubes = new Map<string, number[]>();
  readonly #mesh: Float32Mesh;

  constructor(mesh: Float32Mesh) {
    this.#mesh = mesh;
    const { positions, indices } = mesh;
    for (let i = 0; i < indices.length; i += 3) {
      const corners = [0, 1, 2].map((k) => positions.subarray(indices[i + k] * 3, indices[i + k] * 3 + 3));
      const low = [0, 1, 2].map((k) => Math.min(...corners.map((corner) => corner[k])));
      const high = [0, 1, 2].map((k) => Math.max(...corners.map((corner) => corner[k])));
      this.#visit(low, high, (key) => {
        const list = this.#cubes.get(key);
        if (list) list.push(i / 3);
        else this.#cubes.set(key, [i / 3]);
      });
    }
  }

  /** Whether a triangle within `reach` metres of a point fits. */
  some(point: readonly number[], range: number, fits: (triangle: number) => boolean): boolean {
    const { positions, indices } = this.#mesh;
    const seen = new Set<number>();
    let found = false;
    const [low, high] = [point.map((x) => x - range), point.map((x) => x + range)];
    this.#visit(low, high, (key) => {
      for (const t of found ? [] : (this.#cubes.get(key) ?? [])) {
        if (seen.has(t)) continue;
        seen.add(t);
        if (distanceTo(positions, indices, t * 3, point) > range || !fits(t)) continue;
        found = true;
        break;
      }
    });
    return found;
  }

  #visit(low: readonly number[], high: readonly number[], visit: (key: string) => void): void {
    const [x0, y0, z0] = low.map((x) => Math.floor(x / CUBE));
    const [x1, y1, z1] = high.map((x) => Math.floor(x / CUBE));
    for (let x = x0; x <= x1; x++) {
      for (let y = y0; y <= y1; y++) for (let z = z0; z <= z1; z++) visit(`${x},${y},${z}`);
    }
  }
}
