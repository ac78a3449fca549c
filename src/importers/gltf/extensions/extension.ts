// What the file of each glTF extension declares. The registry lists these objects; which extensions a file may require, the
// layers of materials, the sources of images and docs/gltf-extensions.md all follow from it.

import type { Code } from '../../../diagnostics/diagnostic.ts';
import type { LayeredMaterial } from '../../layers/layeredMaterial.ts';
import type { Element } from '../document/element.ts';
import type { TextureSlots } from '../materials/surface.ts';

/**
 * Brings one layer of a material back to metallic-roughness. Returns what became of the layer in a few words, null when
 * it changes nothing.
 */
export type MaterialLayer = (material: Element, to: LayeredMaterial, textures: TextureSlots) => string | null;

export interface Extension {
  /** As `extensionsUsed` lists it. */
  readonly name: string;
  /**
   * `full`: nothing of it is lost. `partial`: it is approximated, or cooked in part. `ignored`: it would change what is
   * drawn, but is left out; one of `codes` reports that. `unneeded`: it changes nothing that the cook draws, so it is not
   * read.
   */
  readonly support: 'full' | 'partial' | 'ignored' | 'unneeded';
  /** What the cook does with it, in one sentence for docs/gltf-extensions.md. */
  readonly effect: string;
  /** The codes that report on it; those of damaged JSON are not listed. */
  readonly codes?: readonly Code[];
  /** The extension object of a texture refers to an image as `source`. */
  readonly namesImage?: true;
  readonly layer?: MaterialLayer;
}
