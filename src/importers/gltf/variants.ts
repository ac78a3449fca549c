// KHR_materials_variants: which of a file's looks is cooked. A primitive lists, for some variants, a material instead of
// its own; the variant asked for by name decides, and without one every primitive keeps its own.

import { type Element, quote } from './element.ts';
import type { Notes } from './notes.ts';

const NAMED = 20;

/**
 * Index of the variant called `asked`, -1 for none. UC1367 when the file has no such variant; UC1366 says which ones
 * there are when none was asked for.
 */
export function chooseVariant(root: Element, asked: string | undefined, notes: Notes): number {
  const names = (root.extension('KHR_materials_variants')?.elements('variants') ?? []).map((variant) => variant.name);
  const shown = names.slice(0, NAMED).map(quote).join(', ') + (names.length > NAMED ? ', …' : '');
  if (asked === undefined) {
    if (names.length > 0) notes.add('UC1366', '', '', '', () => `the file also has the variants ${shown}`);
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
  return root.extension('KHR_materials_variants')?.count('variants') ?? 0;
}

/** The material of a primitive in a variant: the one mapped to it, else the primitive's own (-1 for none). */
export function variantMaterial(primitive: Element, variant: number, variants: number, materials: number): number {
  let material = primitive.index('material', materials, 'materials');
  for (const mapping of primitive.extension('KHR_materials_variants')?.elements('mappings') ?? []) {
    const mapped = mapping.index('material', materials, 'materials');
    if (mapped < 0) mapping.fail('UC1307', 'material is missing');
    if (mapping.indices('variants', variants, 'variants').includes(variant)) material = mapped;
  }
  return material;
}
