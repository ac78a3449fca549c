// Variants of materials in a GLB: their names in the file, and for each primitive what it is drawn with in them.

import type { Document } from '@gltf-transform/core';
import { KHRMaterialsVariants, type MappingList, type Variant } from '@gltf-transform/extensions';
import type { VariantSurface } from '../format.ts';
import type { MaterialWriter } from './materials.ts';

export class VariantWriter {
  readonly #materials: MaterialWriter;
  readonly #extension: KHRMaterialsVariants | null;
  readonly #variants: readonly Variant[];
  readonly #lists = new Map<string, MappingList>();

  /** States all variants of the source, also those in which nothing differs: programs list them by name. */
  constructor(document: Document, materials: MaterialWriter, names: readonly string[]) {
    this.#materials = materials;
    const extension = names.length > 0 ? document.createExtension(KHRMaterialsVariants) : null;
    this.#extension = extension;
    this.#variants = extension ? names.map((name) => extension.createVariant(name)) : [];
  }

  /** What a primitive says of its variants; null: nothing. Equal ones are one. */
  async mappings(surfaces: readonly VariantSurface[]): Promise<MappingList | null> {
    if (surfaces.length === 0 || this.#extension === null) return null;
    const list = this.#extension.createMappingList();
    const key: unknown[] = [];
    for (const { surface, variants } of surfaces) {
      const material = await this.#materials.add(surface);
      const mapping = this.#extension.createMapping().setMaterial(material);
      for (const number of variants) mapping.addVariant(this.#variants[number]);
      list.addMapping(mapping);
      // No two materials of a file have one name.
      key.push([material.getName(), variants]);
    }
    const known = this.#lists.get(JSON.stringify(key)) ?? list;
    this.#lists.set(JSON.stringify(key), known);
    return known;
  }
}
