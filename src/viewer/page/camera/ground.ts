// The ground under the camera: surfaces of the picture, found by rays straight down. Orbiting stays above it, walking on it.

import { type Object3D, Raycaster, type SkinnedMesh, Vector3 } from 'three';
import type { Bounds } from '../../../scene/types.ts';

const DOWN = new Vector3(0, -1, 0);
/** Below what is this many times as wide as high nobody looks: it is a place with a ground, and no thing. */
const PLACE = 2;

/** What a camera asks of the surfaces below it. Heights in metres. */
export interface Ground {
  /** The highest surface at or below `top`; null: there is none. */
  below(x: number, top: number, z: number): number | null;
  /** Where no surface lies below: as low as a camera may be. */
  readonly floor: number;
}

export class SurfaceGround implements Ground {
  readonly #ray = new Raycaster();
  readonly #surfaces: () => readonly Object3D[];
  readonly #bounds: () => Bounds;

  /** `surfaces`: groups of meshes, as they are shown at the time of the question. */
  constructor(surfaces: () => readonly Object3D[], bounds: () => Bounds) {
    this.#surfaces = surfaces;
    this.#bounds = bounds;
  }

  below(x: number, top: number, z: number): number | null {
    this.#ray.set(new Vector3(x, top, z), DOWN);
    // Characters are no ground.
    const meshes = this.#surfaces().flatMap(({ children }) =>
      children.filter((mesh) => (mesh as SkinnedMesh).isSkinnedMesh !== true),
    );
    const [hit] = this.#ray.intersectObjects(meshes, false);
    return hit ? hit.point.y : null;
  }

  get floor(): number {
    const { min, max } = this.#bounds();
    const isPlace = Math.max(max[0] - min[0], max[2] - min[2]) > PLACE * (max[1] - min[1]);
    return isPlace ? min[1] : -Infinity;
  }
}
