// The files of textures by the settings: images, or what GPUs read (utex/). Either reads both: HLODs of clusters take their
// colours from files that an earlier cook wrote.

import { sha256Hex } from '../bytes/sha256.ts';
import { decodeImageFile, imageFiles } from '../textures/encode/png.ts';
import { keptPaintings, type ProductStore } from '../textures/keptFiles.ts';
import type { TextureFiles, TextureSettings } from '../textures/types.ts';
import { isUtex } from './utex/layout.ts';

/** Makes and reads texture files. `store`: where painted textures are kept from cook to cook. */
export function textureFiles(settings: TextureSettings, store: ProductStore | null = null): TextureFiles {
  const files = filesOf(settings);
  return store ? keptPaintings(files, store, settings) : files;
}

/** The code of cooked textures is loaded when it is needed. */
function filesOf(settings: TextureSettings): TextureFiles {
  const { mode, unpacked } = settings;
  const decode: TextureFiles['decode'] = async (bytes, side) =>
    isUtex(bytes) ? (await import('./utex/texels.ts')).utexTexels(bytes, side) : decodeImageFile(bytes);
  const smaller: TextureFiles['smaller'] = async (bytes) => {
    if (!isUtex(bytes)) return [];
    const { smallerUtex } = await import('./utex/smaller.ts');
    return smallerUtex(bytes).map((file) => ({ ...file, sha256: sha256Hex(file.bytes) }));
  };
  if (mode !== 'utex') return { ...imageFiles(mode, !unpacked), decode };
  return {
    mode,
    encode: async (image, use) => (await import('./utex/encode.ts')).encodeUtex(image, use, settings),
    pass: async (image, alpha) => (await import('./utex/pass.ts')).passBlocks(image, alpha, settings),
    decode,
    smaller,
  };
}
