// Reads what MaterialX surfaces say of light that passes them, as through glass.

import { absorbedColor, storedTransmission } from '../../../scene/transmission.ts';
import type { TextureUse, Vec3 } from '../../../scene/types.ts';
import { constantsOf } from './network/expression.ts';
import type { SurfaceReader } from './surfaceReader.ts';

/** The inputs of a surface shader for its glass. */
export interface GlassModel {
  /** How much light passes; 0 if it is not authored. */
  readonly transmission: string;
  /** The colour of that light; white if it is not authored. Null: the base colour alone tints it. */
  readonly color: string | null;
  /** What colours light on its way through the volume. */
  readonly volume: { readonly thickness: string; readonly distance: string; readonly color: string } | null;
  /** Inputs that the engine ignores of glass, with the value at which they have no effect. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** What has been read of the surface; `base` without its weight. */
interface Surface {
  readonly base: Vec3;
  readonly weight: number;
  readonly metallic: number;
  readonly roughness: number;
}

export interface Glass {
  readonly factors: { readonly transmission: number; readonly transmissionTexture?: TextureUse };
  /** With its weight and tints. */
  readonly base: Vec3;
  /** Inputs that are lost, as GlassModel has them. */
  readonly ignored: Readonly<Record<string, number>>;
}

const WHITE: Vec3 = [1, 1, 1];

function volumeColor(reader: SurfaceReader, { volume }: GlassModel): Vec3 {
  if (volume === null) return WHITE;
  const thickness = reader.constant(volume.thickness) ?? 0;
  const distance = reader.constant(volume.distance) ?? 0;
  return absorbedColor(reader.constantColor(volume.color) ?? WHITE, thickness, distance) ?? WHITE;
}

/** The glass of a surface; null: it is solid. A base colour without weight does not darken light that passes. */
export function glassOf(reader: SurfaceReader, model: GlassModel, surface: Surface): Glass | null {
  const { factor, use } = reader.scalar(model.transmission, reader.read(model.transmission, [0]), 0);
  const passes = Math.min(1, Math.max(0, factor));
  if (passes === 0) return null;
  const color = model.color === null ? WHITE : constantsOf(reader.read(model.color, WHITE));
  const volume = volumeColor(reader, model);
  const weight = surface.weight + (1 - surface.weight) * passes;
  const [red, green, blue] = surface.base.map((value, c) => {
    const tint = (color?.[c] ?? 1) * volume[c];
    return value * weight * (1 + (tint - 1) * passes);
  });
  const base: Vec3 = [red, green, blue];
  const { metallic, roughness } = surface;
  const transmission = storedTransmission(
    { baseColor: [red, green, blue, 1], metallic, roughness, transmission: passes },
    (slot) => reader.textures[slot] !== undefined,
  );
  if (transmission === 0) return null;
  const ignored = color === null && model.color !== null ? { ...model.ignored, [model.color]: 1 } : model.ignored;
  return { factors: { transmission, ...(use && { transmissionTexture: use }) }, base, ignored };
}
