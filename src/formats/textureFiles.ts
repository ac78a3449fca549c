// The files of textures by the settings: images, or what GPUs read (utex/). What one cook makes, another reads with either.

import { imageFiles } from '../textures/encode/png.ts';
import type { TextureFiles, TextureSettings } from '../textures/types.ts';

/** Makes and reads texture files; the code of cooked ones is loaded when it is needed. */
export async function textureFiles(settings: TextureSettings): Promise<TextureFiles> {
  if (settings.mode === 'utex') throw new Error('not yet');
  return imageFiles(settings.mode);
}
