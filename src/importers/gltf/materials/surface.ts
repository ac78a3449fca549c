// The types that reading a material needs: how a slot reads its texture, and the surface that all other properties of a
// material are added to.

import type { Channel, SpecularGlossiness, TextureUse, Vec4 } from '../../../scene/types.ts';
import type { Element } from '../document/element.ts';

/** What a slot takes from a texel; everything else is the texture's. */
export interface SlotReading {
  readonly channel: Channel;
  readonly colorSpace: 'srgb' | 'linear';
  readonly scale?: number;
  readonly bias?: number;
}

export const COLOR: SlotReading = { channel: 'rgb', colorSpace: 'srgb' };

/** The textures of a file, as materials ask for them. */
export interface TextureSlots {
  /** The use of a textureInfo (`baseColorTexture` …) of `owner`; null when it is absent or has no image. */
  use(owner: Element, key: string, reading: SlotReading): TextureUse | null;
}

export interface Surface {
  readonly baseColor: Vec4;
  readonly metallic: number;
  readonly roughness: number;
  readonly textures: { baseColor?: TextureUse; metallic?: TextureUse; roughness?: TextureUse };
  readonly specularGlossiness?: SpecularGlossiness;
}
