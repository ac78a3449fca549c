// From photometric units, which sources state, to the radiometric ones of the engine: W for lights with a place, W/m2
// for directional ones. Pure numbers, for both importers.
//
// The engine's light model is Blender's: the power P of a light with a place is what leaves it in all, so a point light
// has the radiant intensity P / 4pi, and an area light, which shines from one side by Lambert's law, the radiance
// P / (pi A). A spot is a point light behind a screen: its cone takes nothing from the intensity inside.

import type { Mat4, SceneLight, Vec3 } from '../scene/types.ts';

/**
 * Lumens in a watt: the luminous efficacy of 540 THz, which defines the candela (SI Brochure, 9th edition, 2.3.1), and
 * the factor that glTF exporters use between watts and KHR_lights_punctual's candela and lux.
 */
export const LUMENS_PER_WATT = 683;

/** Power of a point or spot light of so many candela (lm/sr): the whole sphere counts, 4pi sr. */
export function wattsOfCandela(candela: number): number {
  return (candela * 4 * Math.PI) / LUMENS_PER_WATT;
}

/** Irradiance, in W/m2, of a directional light that gives so many lux (lm/m2) on a surface that faces it. */
export function irradianceOfLux(lux: number): number {
  return lux / LUMENS_PER_WATT;
}

/** Power of a Lambertian emitter of so many nits (cd/m2) over so many m2: its exitance is pi times its luminance. */
export function wattsOfNits(nits: number, squareMetres: number): number {
  return (Math.PI * nits * squareMetres) / LUMENS_PER_WATT;
}

/** Whether a light or camera that stands at `world` has a place that a file can store. */
export const hasFiniteTranslation = (world: Mat4): boolean => world.subarray(12, 15).every(fitsFloat32);

export type Brightness = Pick<SceneLight, 'color' | 'intensity' | 'sourcePower' | 'sourceExposure'>;

/** Whether a number is finite as the float32 that a file stores. */
export const fitsFloat32 = (value: number): boolean => Number.isFinite(Math.fround(value));

/**
 * Colour and strength as the engine takes them: its colours end at 1, so a brighter component is moved into the power.
 * The result shines as color * power * 2 ^ exposure does. Null when a number is beyond float32, which stores them.
 */
export function brightness(color: Vec3, power: number, exposure: number): Brightness | null {
  const most = Math.max(1, color[0], color[1], color[2]);
  const sourcePower = power * most;
  const intensity = sourcePower * 2 ** exposure;
  if (![sourcePower, intensity, exposure, most].every(fitsFloat32)) return null;
  const scale = 1 / most;
  return {
    color: [color[0] * scale, color[1] * scale, color[2] * scale],
    intensity,
    sourcePower,
    sourceExposure: exposure,
  };
}
