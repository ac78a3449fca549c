// How a texture is sampled: NAME.xml beside the image of the same name (Texture.cpp). Without it the engine repeats the image
// and takes its numbers for linear.

import { element, writeXml } from './document.ts';

export type AddressMode = 'wrap' | 'mirror' | 'clamp';

export interface TextureSettings {
  readonly u: AddressMode;
  readonly v: AddressMode;
  /** Whether the image holds colours. */
  readonly srgb: boolean;
}

export function writeTextureSettings({ u, v, srgb }: TextureSettings): Uint8Array {
  return writeXml(
    element('texture', {}, [
      element('address', { coord: 'u', mode: u }),
      element('address', { coord: 'v', mode: v }),
      ...(srgb ? [element('srgb', { enable: 'true' })] : []),
    ]),
  );
}
