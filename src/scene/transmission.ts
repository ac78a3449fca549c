// What can be seen through a surface that transmits light. The engine's rule for glass (TransparencyShader.metal) and that of
// its exporter for glass that shows next to nothing.

import type { MaterialFactors, TextureSlot } from './materialSlots.ts';
import type { Vec3 } from './types.ts';

/** Up to this roughness a surface is clear, from the other on nothing is seen through it; smooth between. */
const CLEAR_ROUGHNESS = 0.05;
const FROSTED_ROUGHNESS = 0.5;

/** What the engine reflects of light that falls straight on what is no metal. */
const REFLECTANCE = 0.04;

/** The exporter makes surfaces solid through which less than this could be seen. */
const MIN_SEEN = 0.05;

type Surface = Pick<MaterialFactors, 'baseColor' | 'metallic' | 'roughness' | 'transmission'>;

/** Whether a slot of the surface has a texture. */
type HasTexture = (slot: TextureSlot) => boolean;

/** The share of what lies behind that is seen sharply; the rest is blurred beyond recognition. */
function clearness(roughness: number): number {
  const t = Math.min(1, Math.max(0, (roughness - CLEAR_ROUGHNESS) / (FROSTED_ROUGHNESS - CLEAR_ROUGHNESS)));
  return 1 - t * t * (3 - 2 * t);
}

/**
 * The colour of white light that has crossed a volume (Beer's law), which absorbs all but `color` over `distance`; null: the
 * volume absorbs nothing. The engine has no volumes: the colour multiplies the base colour, so each channel is from 0 to 1
 * whatever the source gives. A channel that is no number absorbs nothing.
 */
export function absorbedColor([r, g, b]: Vec3, thickness: number, distance: number): Vec3 | null {
  const paths = thickness > 0 && distance > 0 ? thickness / distance : 0;
  if (!(paths > 0)) return null;
  // The quotient may overflow, and 1 ** Infinity is not a number.
  const left = (channel: number) => (channel < 1 ? Math.max(0, channel) ** paths : 1);
  return [left(r), left(g), left(b)];
}

/** Parts of a textured surface may be polished and no metal, so the engine takes all of it for that. */
function transmitted({ metallic, roughness, transmission }: Surface, hasTexture: HasTexture): number {
  const dielectric = hasTexture('metallic') ? 1 : 1 - Math.min(1, Math.max(0, metallic));
  return transmission * dielectric * (hasTexture('roughness') ? 1 : clearness(roughness));
}

/**
 * The share of the light from behind that passes a face of the surface, before the square root of the base colour tints it.
 * 0: the engine draws the surface solid, whatever its transmission.
 */
export const lightThrough = (surface: Surface, hasTexture: HasTexture): number =>
  transmitted(surface, hasTexture) * (1 - REFLECTANCE);

/**
 * The alpha with which a surface hides as much of what is behind it, without the tint, where nothing draws transmission.
 * `through`: what lightThrough gives.
 */
export function alphaOfGlass([red, green, blue]: readonly number[], through: number): number {
  const tint = Math.sqrt(Math.max(0, 0.2126 * red + 0.7152 * green + 0.0722 * blue));
  return 1 - through * Math.min(1, tint);
}

/**
 * The transmission that is worth storing: 0 where less than 5 % could be seen through. The brightness is that of the
 * brightest channel, so that a pane of any pure colour stays glass; a textured colour counts as white.
 */
export function storedTransmission(surface: Surface, hasTexture: HasTexture): number {
  const [red, green, blue] = surface.baseColor;
  const brightness = hasTexture('baseColor') ? 1 : Math.max(red, green, blue);
  return transmitted(surface, hasTexture) * brightness < MIN_SEEN ? 0 : Math.min(1, surface.transmission);
}
