// KHR_materials_pbrSpecularGlossiness: diffuse and specular colours instead of base colour and metallic factor.

import { convertedFactors } from '../../../../scene/specularWorkflow.ts';
import type { Vec3, Vec4 } from '../../../../scene/types.ts';
import type { Element } from '../../document/element.ts';
import type { Notes } from '../../document/notes.ts';
import { COLOR, type StatedSurface, type TextureSlots } from '../../materials/surface.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_pbrSpecularGlossiness';

export const KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'Factors and textures are converted to metallic-roughness, unless the material has values of its own for that.',
  codes: ['UC1361'],
};

/** Whether a material has nothing else than the extension to be drawn with. */
export const isSpecularGlossiness = (material: Element): boolean =>
  material.extension(NAME) !== null && !material.has('pbrMetallicRoughness');

type ConvertedSurface = Pick<StatedSurface, 'baseColor' | 'metallic' | 'roughness' | 'textures' | 'specularWorkflow'>;

/**
 * The surface of a specular-glossiness material; null when the material is none, or when it also has metallic-roughness
 * values, which its author has chosen and which are then used. UC1361 reports either.
 */
export function specularGlossinessSurface(
  material: Element,
  textures: TextureSlots,
  notes: Notes,
): ConvertedSurface | null {
  const ext = material.extension(NAME);
  if (!ext) return null;
  const hasOwn = material.has('pbrMetallicRoughness');
  const how = hasOwn ? 'its own metallic-roughness values are used' : 'converted';
  notes.add('UC1361', material.path, material.path, material.name, (names) => `${names}: ${how}`);
  return hasOwn ? null : readSurface(ext, textures);
}

const all = (value: number): Vec4 => [value, value, value, value];

/** The surface with roughness = 1 - glossiness. Texels of colours are converted later, with the factors of the file. */
function readSurface(ext: Element, textures: TextureSlots): ConvertedSurface {
  const [r, g, b, alpha] = ext.numbers('diffuseFactor', 4) ?? [1, 1, 1, 1];
  const diffuse: Vec3 = [r, g, b];
  const specular = (ext.numbers('specularFactor', 3) ?? [1, 1, 1]) as unknown as Vec3;
  const glossiness = ext.number('glossinessFactor', 1);
  const baseColor = textures.use(ext, 'diffuseTexture', COLOR);
  const metallic = textures.use(ext, 'specularGlossinessTexture', COLOR);
  const roughness = metallic && {
    ...metallic,
    channel: 'a' as const,
    colorSpace: 'linear' as const,
    scale: all(-glossiness),
    bias: all(1),
  };
  const workflow = { diffuse, specular, roughness: 1 - glossiness };
  const { color, ...converted } = convertedFactors(workflow, baseColor !== null, metallic !== null);
  return {
    ...converted,
    baseColor: [...color, alpha],
    roughness: roughness ? 1 : workflow.roughness,
    textures: {
      ...(baseColor && { baseColor }),
      ...(metallic && { metallic }),
      ...(roughness && { roughness }),
    },
  };
}
