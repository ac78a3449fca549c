// Shadows of the sun: one map over all of the set, or over what is near the camera where the set is large.

import type { DirectionalLight, PerspectiveCamera } from 'three';
import type { Bounds, Vec3 } from '../../../scene/types.ts';

/** Texels along a side of the map. */
const SIZE = 2048;
/** Metres around the middle of a map: at most this much, so that a texel covers 15 cm at most. */
const MAX_RADIUS = 150;
/** So far the camera may go from the middle of the map before it is drawn anew elsewhere, as a share of the radius. */
const SLACK = 0.25;

export class SunShadow {
  readonly #sun: DirectionalLight;
  #bounds: Bounds | null = null;
  readonly #middle: [number, number, number] = [0, 0, 0];
  #radius = 0;

  constructor(sun: DirectionalLight) {
    this.#sun = sun;
    sun.shadow.mapSize.set(SIZE, SIZE);
    sun.shadow.intensity = 1;
  }

  set isOn(value: boolean) {
    this.#sun.castShadow = value;
  }

  get isOn(): boolean {
    return this.#sun.castShadow;
  }

  set bounds(bounds: Bounds) {
    this.#bounds = bounds;
    this.#radius = 0;
  }

  /** Puts the map where the camera sees it; `sun`: the direction to the sun. True: it has to be drawn anew. */
  follow(camera: PerspectiveCamera, sun: Vec3): boolean {
    if (this.#bounds === null) return false;
    const { min, max } = this.#bounds;
    const half = [0, 1, 2].map((k) => (max[k] - min[k]) / 2);
    const radius = Math.max(0.01, Math.min(MAX_RADIUS, Math.hypot(...half)));
    const eye = camera.position.toArray();
    // The map is over the set, as near to the camera as it can be.
    const wanted = [0, 1, 2].map((k) => {
      const room = Math.max(0, half[k] - radius);
      const middle = min[k] + half[k];
      return Math.min(middle + room, Math.max(middle - room, eye[k]));
    });
    const shift = Math.hypot(...wanted.map((value, k) => value - this.#middle[k]));
    if (radius === this.#radius && shift <= SLACK * radius) return false;
    this.#radius = radius;
    for (const k of [0, 1, 2]) this.#middle[k] = wanted[k];
    this.aim(sun);
    return true;
  }

  aim(sun: Vec3): void {
    const [x, y, z] = this.#middle;
    const radius = this.#radius;
    // The direction of the light is that from here to the middle.
    const reach = Math.max(1, 2 * radius);
    this.#sun.target.position.set(x, y, z);
    this.#sun.position.set(x + sun[0] * reach, y + sun[1] * reach, z + sun[2] * reach);
    const { camera } = this.#sun.shadow;
    Object.assign(camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 0, far: 4 * radius });
    camera.updateProjectionMatrix();
    // Half of a texel, so that surfaces do not shade themselves.
    this.#sun.shadow.normalBias = (1.5 * radius) / SIZE;
    this.#sun.shadow.bias = -0.0002;
  }
}
