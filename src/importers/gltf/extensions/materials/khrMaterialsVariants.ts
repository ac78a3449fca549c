// KHR_materials_variants: a primitive lists materials that replace its own in some variants of the file. The variant that
// --material-variant names is cooked; without the option every primitive keeps its own material, and a GLB has the others too.

import type { VariantMaterial } from '../../../../scene/types.ts';
import { type Element, quote } from '../../document/element.ts';
import type { Notes } from '../../document/notes.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_variants';

export const KHR_MATERIALS_VARIANTS: Extension = {
  name: NAME,
  support: 'full',
  effect:
    'A GLB has all variants, or the one that --material-variant chooses. Other outputs have one: without the option that of the materials that primitives name themselves.',
  codes: ['UC1366', 'UC1367', 'UC2476', 'UC2479'],
};

/** Names that a message lists. */
const NAMED = 20;

/** The names of the variants of a file. */
export const variantNames = (root: Element): string[] =>
  (root.extension(NAME)?.elements('variants') ?? []).map((variant) => variant.name);

/**
 * Index of the variant called `asked`, -1 for none. UC1367 when the file has no such variant; UC1366 lists the variants of
 * the file when none is asked for, and the output does not keep them all.
 */
export function chooseVariant(root: Element, asked: string | undefined, keeps: boolean, notes: Notes): number {
  const names = variantNames(root);
  const shown = names.slice(0, NAMED).map(quote).join(', ') + (names.length > NAMED ? ', …' : '');
  if (asked === undefined) {
    if (names.length > 0 && !keeps) notes.add('UC1366', '', '', '', () => `the file also has the variants ${shown}`);
    return -1;
  }
  const chosen = names.indexOf(asked);
  if (chosen < 0) {
    const has = names.length === 0 ? 'no variants' : shown;
    root.fail('UC1367', `there is no variant ${quote(asked)}; the file has ${has}`);
  }
  return chosen;
}

/** How many variants the file has, for checking references to them. */
export function variantCount(root: Element): number {
  return root.extension(NAME)?.count('variants') ?? 0;
}

/** What the mappings of a primitive name; as checked by `variantMaterial`. */
export function variantMappings(primitive: Element, variants: number, materials: number): VariantMaterial[] {
  return (primitive.extension(NAME)?.elements('mappings') ?? []).map((mapping) => ({
    material: mapping.index('material', materials, 'materials'),
    variants: mapping.indices('variants', variants, 'variants'),
  }));
}

/**
 * The mappings of a primitive as a file may have them: each names a variant, and no variant is named twice. Of those that name one
 * variant the last counts, as for `variantMaterial`. Notes UC2479 where they differ.
 */
export function soundMappings(mappings: readonly VariantMaterial[], path: string, notes: Notes): VariantMaterial[] {
  const last = new Map(mappings.flatMap(({ variants }, i) => variants.map((variant) => [variant, i] as const)));
  const sound = mappings
    .map(({ material, variants }, i) => ({
      material,
      variants: [...new Set(variants)].filter((variant) => last.get(variant) === i),
    }))
    .filter(({ variants }) => variants.length > 0);
  const named = mappings.reduce((sum, { variants }) => sum + variants.length, 0);
  if (sound.length < mappings.length || last.size < named)
    notes.add('UC2479', '', path, '', (paths) => `mappings of ${paths} name no variant, or one that another names`);
  return sound;
}

/** The material of a primitive in a variant: the one mapped to it, else the primitive's own (-1 for none). */
export function variantMaterial(primitive: Element, variant: number, variants: number, materials: number): number {
  let material = primitive.index('material', materials, 'materials');
  for (const mapping of primitive.extension(NAME)?.elements('mappings') ?? []) {
    const mapped = mapping.index('material', materials, 'materials');
    if (mapped < 0) mapping.fail('UC1307', 'material is missing');
    if (mapping.indices('variants', variants, 'variants').includes(variant)) material = mapped;
  }
  return material;
}
