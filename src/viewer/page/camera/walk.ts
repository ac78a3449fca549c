// A walker: feet that stay on the ground, and eyes above them.

import { Vector3 } from 'three';
import type { Ground } from './ground.ts';

/** Metres from the ground to the eyes, and the highest step that is climbed. */
export const EYE_HEIGHT = 1.7;
const HIGHEST_STEP = 0.6;
/** Places between camera and target where ground is looked for. */
const SAMPLES = 48;
/** Seconds in which the eyes come half of the way up or down a step. */
const RISE = 0.05;

export class Walker {
  readonly #ground: Ground;
  readonly #feet = new Vector3();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Stands below the eyes, or where ground first lies on the way from them to the target. Gives where the eyes are then. */
  stand(eyes: Vector3, target: Vector3): Vector3 {
    const at = new Vector3();
    this.#feet.set(eyes.x, Math.max(this.#ground.floor, eyes.y - EYE_HEIGHT), eyes.z);
    for (let i = 0; i <= SAMPLES; i++) {
      at.lerpVectors(eyes, target, i / SAMPLES);
      const height = this.#ground.below(at.x, Math.max(eyes.y, target.y), at.z);
      if (height === null) continue;
      this.#feet.set(at.x, height, at.z);
      break;
    }
    return this.#feet.clone().setY(this.#feet.y + EYE_HEIGHT);
  }

  /** Goes along the ground. Where there is none nobody goes: along one axis at least, as along a wall. */
  go(x: number, z: number): void {
    for (const [dx, dz] of [
      [x, z],
      [x, 0],
      [0, z],
    ]) {
      if (dx === 0 && dz === 0) continue;
      const [toX, toZ] = [this.#feet.x + dx, this.#feet.z + dz];
      // A slope of 45 degrees is climbed at any speed.
      const reach = HIGHEST_STEP + Math.hypot(dx, dz);
      const height = this.#ground.below(toX, this.#feet.y + reach, toZ);
      if (height === null) continue;
      this.#feet.set(toX, height, toZ);
      return;
    }
  }

  /** Brings eyes to their place over the feet; `seconds`: null for at once. True: they have moved. */
  lead(eyes: Vector3, seconds: number | null): boolean {
    const height = this.#feet.y + EYE_HEIGHT;
    const share = seconds === null ? 1 : 1 - 0.5 ** (seconds / RISE);
    const left = height - eyes.y;
    const y = Math.abs(left) < 1e-3 ? height : eyes.y + left * share;
    const isMoved = eyes.x !== this.#feet.x || eyes.z !== this.#feet.z || eyes.y !== y;
    eyes.set(this.#feet.x, y, this.#feet.z);
    return isMoved;
  }
}
