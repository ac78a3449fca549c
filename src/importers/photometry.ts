// From the photometric units of sources to the radiometric units of the engine: W for lights with a position, W/m2 for
// directional ones. Both importers use these functions of plain numbers.
//
// The engine's light model is Blender's: the power P of a light with a position is all that it emits. So a point light has
// the radiant intensity P / 4pi, and an area light, which emits from one side by Lambert's law, has the radiance P / (pi A).
// A spot is a point light behind a screen: its cone does not change the intensity inside.

import type { Mat4, SceneLight, Vec3 } from '../scene/types.ts';

/**
 * Lumens in a watt: the luminous efficacy of 540 THz, which defines the candela (SI Brochure, 9th edition, 2.3.1), and
 * the factor that glTF exporters use between watts and KHR_lights_punctual's candela and lux.
 */
export const LUMENS_PER_WATT = 683;

/** Power of a point or spot light from its intensity in candela (lm/sr), over the whole sphere of 4pi sr. */
export function wattsOfCandela(candela: number): number {
  return (candela * 4 * Math.PI) / LUMENS_PER_WATT;
}

/** Irradiance, in W/m2, of a directional light from its illuminance in lux (lm/m2) of a surface that faces it. */
export function irradianceOfLux(lux: number): number {
  return lux / LUMENS_PER_WATT;
}

/** Power of a Lambertian emitter from its luminance in nits (cd/m2) and its area: its exitance is pi times its luminance. */
export function wattsOfNits(nits: number, squareMetres: number): number {
  return (Math.PI * nits * squareMetres) / LUMENS_PER_WATT;
}

/** Whether the position of a light or camera with the transform `world` fits the float32 that a file stores. */
export const hasFiniteTranslation = (world: Mat4): boolean => world.subarray(12, 15).every(fitsFloat32);

export type Brightness = Pick<SceneLight, 'color' | 'intensity' | 'sourcePower' | 'sourceExposure'>;

/** Whether a number is finite as the float32 that a file stores. */
export const fitsFloat32 = (value: number): boolean => Number.isFinite(Math.fround(value));

/**
 * Colour and strength as the engine takes them. Its colours end at 1, so that a brighter component is moved into the power:
 * the result emits color * power * 2 ^ exposure. Null when a number does not fit the float32 that a file stores.
 */
export function brightness(color: Vec3, power: number, exposure: number): Brightness | null {
  const max = Math.max(1, color[0], color[1], color[2]);
  const sourcePower = power * max;
  const intensity = sourcePower * 2 ** exposure;
  if (![sourcePower, intensity, exposure, max].every(fitsFloat32)) return null;
  const scale = 1 / max;
  return {
    color: [color[0] * scale, color[1] * scale, color[2] * scale],
    intensity,
    sourcePower,
    sourceExposure: exposure,
  };
}
