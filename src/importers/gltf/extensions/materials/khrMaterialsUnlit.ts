// KHR_materials_unlit: the base colour is shown as it is, whatever the light.

import type { SceneMaterial, Vec4 } from '../../../../scene/types.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_unlit';

export const KHR_MATERIALS_UNLIT: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'An unlit material has its colour as emission over black. Formats that draw vertex colours get a rough material where it has such colours.',
  codes: ['UC1360'],
};

export function isUnlit(material: Element): boolean {
  return material.extension(NAME) !== null;
}

/** An unlit material of the same base colour; nothing else of it counts. */
export function unlit(material: SceneMaterial): SceneMaterial {
  const { specularWorkflow, ...plain } = material;
  const { baseColor, opacity } = material.textures;
  const textures = { ...(baseColor && { baseColor }), ...(opacity && { opacity }) };
  const { baseColor: factor } = material;
  const color: Vec4 = specularWorkflow ? [...specularWorkflow.diffuse, factor[3]] : factor;
  return { ...plain, baseColor: color, metallic: 0, roughness: 1, emissive: [0, 0, 0], textures, unlit: true };
}
