// Unlit materials for readers that light everything: their colour as emission over black, so that no light adds to it but what the
// surface reflects, which is as little as can be. For prepare.ts.

import type { Scene, SceneMaterial } from '../../scene/types.ts';

/** The scene with the colours of unlit materials as emission, but of those that `keeps` is true for. */
export function withoutUnlit(scene: Scene, keeps: (material: SceneMaterial) => boolean): Scene {
  const turned = (material: SceneMaterial) => (material.unlit && !keeps(material) ? glowing(material) : material);
  return { ...scene, materials: scene.materials.map(turned) };
}

/** Alpha stays where it is: in the base colour. */
function glowing(material: SceneMaterial): SceneMaterial {
  const { baseColor: color, opacity } = material.textures;
  const [r, g, b, a] = material.baseColor;
  return {
    ...material,
    baseColor: [0, 0, 0, a],
    emissive: [r, g, b],
    textures: { ...(color && { emissive: color }), ...(opacity && { opacity }) },
  };
}
