// The factors of a material whose textures are lost: left out, or replaced by placeholders. A factor that was authored to
// scale a texture must not show alone. For prepare.ts.

import {
  FILE_SLOTS,
  type MaterialFactor,
  type MaterialFactors,
  slotChannels,
  slotKind,
  type TextureSlot,
} from '../scene/materialSlots.ts';
import type { SceneMaterial } from '../scene/types.ts';
import type { PreparedFactors, PreparedSlots } from './types.ts';

/** What a slot becomes without its texture, for messages: '' if the material's factor is used unchanged. */
export function lossOf(slot: TextureSlot): string {
  const { lost } = slotKind(slot);
  return lost ? `, ${lost.words}` : '';
}

/** The material as a dielectric, because its specular colours are lost. */
export function withoutSpecular(material: SceneMaterial): SceneMaterial {
  const { specularWorkflow, ...plain } = material;
  if (!specularWorkflow) return material;
  return { ...plain, baseColor: [...specularWorkflow.diffuse, material.baseColor[3]], metallic: 0 };
}

/**
 * The factors where the textures of `lost` slots are not drawn. Beside a texture, exporters write an emissive factor of
 * (1, 1, 1) and a metallic factor of 1, so neither may remain: emission becomes black (unless a black placeholder texture
 * makes it so), metallic becomes 0, and the roughness stays as authored. A material of the specular workflow keeps its
 * diffuse colour.
 */
export function factorsWithout(
  lost: ReadonlySet<TextureSlot>,
  material: SceneMaterial,
  slots: PreparedSlots,
  factors: PreparedFactors,
): PreparedFactors {
  const { specularWorkflow: workflow } = material;
  const isDiffuse = workflow !== undefined && lost.has('metallic') && (slots.baseColor < 0 || lost.has('baseColor'));
  const without: Partial<Record<MaterialFactor, MaterialFactors[MaterialFactor]>> = {};
  for (const slot of FILE_SLOTS) {
    const { factor, lost: rule } = slotKind(slot);
    if (!rule || factor === null || !lost.has(slot) || (rule.unlessReplaced && slots[slot] >= 0)) continue;
    without[factor] = rule.factor === 'authored' ? material[factor] : rule.factor;
  }
  if (workflow && lost.has('roughness')) without.roughness = workflow.roughness;
  return {
    ...factors,
    ...slotChannels((field, slot) => (lost.has(slot) ? 0 : factors[field])),
    ...(isDiffuse && { baseColor: [...workflow.diffuse, factors.baseColor[3]] as const }),
    ...(without as Partial<MaterialFactors>),
  };
}
