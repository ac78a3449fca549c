// Variants of materials (KHR_materials_variants): the names that a scene has, and what primitives are drawn with in each.

import type { Scene, ScenePrimitive, VariantMaterial } from './types.ts';

/** The materials that a primitive is drawn with: its own, those of its subsets, and those of variants. -1 is none. */
export function materialsOf({ material, subsets, variants = [] }: ScenePrimitive): number[] {
  return [material, ...subsets.map((subset) => subset.material), ...variants.map((variant) => variant.material)];
}

/** Other materials for a primitive, in its variants too. */
export function withMaterials(primitive: ScenePrimitive, materialOf: (index: number) => number): ScenePrimitive {
  const of = (index: number) => (index < 0 ? index : materialOf(index));
  const { material, subsets, variants } = primitive;
  return {
    ...primitive,
    material: of(material),
    subsets: subsets.map((subset) => ({ ...subset, material: of(subset.material) })),
    ...(variants && { variants: variants.map((variant) => ({ ...variant, material: of(variant.material) })) }),
  };
}

/** The variants of several scenes as those of one: equal names are one variant. */
export function joinedVariants(scenes: readonly Pick<Scene, 'materialVariants'>[]): {
  readonly names: readonly string[];
  /** By scene, the numbers that its variants have. */
  readonly numbers: readonly (readonly number[])[];
} {
  const names: string[] = [];
  const numbers = scenes.map(({ materialVariants = [] }) =>
    materialVariants.map((name) => {
      if (!names.includes(name)) names.push(name);
      return names.indexOf(name);
    }),
  );
  return { names, numbers };
}

/** The variants of a primitive with other numbers. */
export const renumbered = (
  variants: readonly VariantMaterial[] | undefined,
  numbers: readonly number[],
): readonly VariantMaterial[] | undefined =>
  variants?.map((variant) => ({ ...variant, variants: variant.variants.map((number) => numbers[number]) }));
