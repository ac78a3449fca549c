// The light of a clear day by the hour: where the sun is and how bright sun and sky are. Not that of a place on earth: the sun
// rises in the east (+X) at six, stands at 60 degrees in the south (+Z) at noon, and sets in the west at eighteen.

import type { Vec3 } from '../scene/types.ts';

export interface Daylight {
  /** Where the sun is, of unit length; below the horizon at night. */
  readonly sun: Vec3;
  /** Linear, the brightest channel is 1. */
  readonly sunColor: Vec3;
  /** Irradiance at right angles to the sun, for a white surface that then has the radiance of this over pi. */
  readonly sunIrradiance: number;
  /** What the light of the sky is multiplied with. */
  readonly sky: number;
}

const NOON_HEIGHT = Math.PI / 3;
const SUN_IRRADIANCE = 2.6;
const NIGHT_SKY = 0.06;

const smooth = (from: number, to: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** `hour`: 0 to 24. */
export function daylightAt(hour: number): Daylight {
  const turn = ((hour - 6) / 12) * Math.PI;
  const sun: Vec3 = [Math.cos(turn), Math.sin(turn) * Math.sin(NOON_HEIGHT), Math.sin(turn) * Math.cos(NOON_HEIGHT)];
  const height = sun[1];
  const day = smooth(-0.08, 0.25, height);
  // Near the horizon the air takes green, and blue more.
  const red = 1 - smooth(0.02, 0.45, height);
  return {
    sun,
    sunColor: [1, 0.96 - 0.42 * red, 0.9 - 0.68 * red],
    sunIrradiance: SUN_IRRADIANCE * smooth(-0.02, 0.2, height),
    sky: NIGHT_SKY + (1 - NIGHT_SKY) * day,
  };
}
