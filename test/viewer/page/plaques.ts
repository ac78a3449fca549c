// Square plaques of one colour each, lying side by side: some shine, the others are dark metals. For tests of tone mappings.

import { buildGlb } from '../../importers/gltf/build.ts';

export interface Plaque {
  /** The base colour, linear. */
  readonly color: readonly number[];
  /** The light that it emits, linear; null: none, it is a metal. */
  readonly emission: readonly number[] | null;
  readonly middle: readonly number[];
}

/** A base colour that reflects next to nothing, and is not the black that the engine takes for white. */
const DARKEST = [0.0015, 0.0015, 0.0015];
const SHINING = [0.004, 0.02, 0.1, 0.4, 1.5].map((value) => [value, value * 0.8, value * 0.6]);
const METALS = [
  [0.03, 0.032, 0.04],
  [0.05, 0.044, 0.04],
  [0.09, 0.09, 0.09],
];

export const PLAQUES: readonly Plaque[] = [
  ...SHINING.map((emission) => ({ color: DARKEST, emission })),
  ...METALS.map((color) => ({ color, emission: null })),
].map((plaque, i) => ({ ...plaque, middle: [i + 0.5, 0, 0.5] }));

export function plaquesGlb(): Uint8Array {
  return buildGlb({
    meshes: PLAQUES.map((_, i) => ({
      name: `Plaque ${i}`,
      primitives: [
        {
          positions: [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1],
          normals: [0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0],
          indices: [0, 2, 1, 0, 3, 2],
          material: i,
        },
      ],
    })),
    materials: PLAQUES.map(({ color, emission }, i) => {
      const strength = Math.max(1, ...(emission ?? []));
      return {
        name: `Plaque ${i}`,
        pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 1, roughnessFactor: 0.5 },
        ...(emission ? { emissiveFactor: emission.map((value) => value / strength) } : {}),
        ...(strength > 1 ? { extensions: { KHR_materials_emissive_strength: { emissiveStrength: strength } } } : {}),
      };
    }),
    nodes: PLAQUES.map((_, i) => ({ name: `Plaque ${i}`, mesh: i, translation: [i, 0, 0] })),
    root: { extensionsUsed: ['KHR_materials_emissive_strength'] },
  });
}
