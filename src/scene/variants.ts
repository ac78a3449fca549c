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

/**
 * The variants of several scenes as those of one: equal names of different scenes are one variant. Those of one scene stay apart, as
 * one primitive can have a material for each; the first of a name is the first of that name elsewhere.
 */
export function joinedVariants(scenes: readonly Pick<Scene, 'materialVariants'>[]): {
  readonly names: readonly string[];
  /** By scene, the numbers that its variants have. */
  readonly numbers: readonly (readonly number[])[];
} {
  const names: string[] = [];
  /** By name, the numbers of all variants that have it. */
  const known = new Map<string, number[]>();
  const numbers = scenes.map(({ materialVariants = [] }) => {
    const met = new Map<string, number>();
    return materialVariants.map((name) => {
      const all = known.get(name) ?? [];
      known.set(name, all);
      const before = met.get(name) ?? 0;
      met.set(name, before + 1);
      if (before === all.length) all.push(names.push(name) - 1);
      return all[before];
    });
  });
  return { names, numbers };
}

/** The variants of a primitive with other numbers. */
export const renumbered = (
  variants: readonly VariantMaterial[] | undefined,
  numbers: readonly number[],
): readonly VariantMaterial[] | undefined =>
  variants?.map((variant) => ({ ...variant, variants: variant.variants.map((number) => numbers[number]) }));
