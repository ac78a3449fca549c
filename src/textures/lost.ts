// The factors of a material whose textures are lost: left out, or replaced by placeholders. A factor that was authored to
// scale a texture must not show alone. For prepare.ts.

import { DIELECTRIC } from '../scene/specularGlossiness.ts';
import type { SceneMaterial, TextureSlot } from '../scene/types.ts';
import type { MaterialFactors, PreparedSlots } from './types.ts';

/** What a slot becomes without its texture, for messages: '' if the material's factor is used unchanged. */
export function lossOf(slot: TextureSlot): string {
  if (slot === 'emissive') return ', emission 0';
  if (slot === 'metallic') return ', metallic 0';
  return slot === 'roughness' ? ', roughness at its factor' : '';
}

/** The material as a dielectric, because its specular colours are lost. */
export function withoutSpecular(material: SceneMaterial): SceneMaterial {
  const glossy = material.specularGlossiness;
  if (!glossy) return material;
  return { ...material, specularGlossiness: { ...glossy, specular: [DIELECTRIC, DIELECTRIC, DIELECTRIC] } };
}

/**
 * The factors where the textures of `lost` slots are not drawn. Beside a texture, exporters write an emissive factor of
 * (1, 1, 1) and a metallic factor of 1, so neither may remain: emission becomes black (unless a black placeholder texture
 * makes it so), metallic becomes 0, and the roughness stays as authored. A material of the specular-glossiness model keeps
 * its diffuse colour.
 */
export function factorsWithout(
  lost: ReadonlySet<TextureSlot>,
  material: SceneMaterial,
  slots: PreparedSlots,
  factors: MaterialFactors,
): MaterialFactors {
  const { specularGlossiness: glossy } = material;
  const noMetal = lost.has('metallic');
  const isDiffuse = glossy !== undefined && noMetal && (slots.baseColor < 0 || lost.has('baseColor'));
  return {
    ...factors,
    ...(isDiffuse && { baseColor: [...glossy.diffuse, factors.baseColor[3]] as const }),
    ...(noMetal && { metallic: 0, metallicChannel: 0 }),
    ...(lost.has('roughness') && { roughness: material.roughness, roughnessChannel: 0 }),
    ...(lost.has('emissive') && slots.emissive < 0 && { emissive: [0, 0, 0] as const }),
  };
}
