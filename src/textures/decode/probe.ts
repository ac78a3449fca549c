// The check in front of every decoder: format by content, size, limits, and whether the file is whole. For prepare.ts,
// which decides from it what can be copied; bytes that fail here never reach a decoder.

import { ImageFault } from './fault.ts';
import type { CheckedImage, TextureUse } from './imageFormat.ts';
import { IMAGE_FORMAT_IDS, type ImageFormatId, imageFormat, recogniseImage } from './registry.ts';
import { sizeFault } from './sizeLimit.ts';
import { unsupportedName } from './unsupported.ts';

/** A checked image, with what its format noted for decoding and copying it. */
export interface ImageInfo extends CheckedImage {
  readonly format: ImageFormatId;
}

const GLTF_FORMATS: readonly ImageFormatId[] = ['png', 'jpeg', 'webp', 'avif', 'ktx2'];

/**
 * Whether glTF has a place for the image: PNG and JPEG (3.8.3), and by extensions WebP, AVIF and Basis Universal in KTX 2, whose other
 * blocks have none.
 */
export const isGltfImage = ({ format, blocks }: ImageInfo): boolean => GLTF_FORMATS.includes(format) && !blocks;

/** Recognises and checks an image without decoding it. */
export async function probeImage(bytes: Uint8Array): Promise<ImageInfo | ImageFault> {
  if (bytes.length === 0) return new ImageFault('cut', 'image file is empty');
  const format = recogniseImage(bytes);
  if (format === null) {
    const readable = IMAGE_FORMAT_IDS.map((id) => id.toUpperCase()).join(', ');
    return new ImageFault(
      'unsupported',
      `image format is ${unsupportedName(bytes)}; those that can be read: ${readable}`,
    );
  }
  const checked = await imageFormat(format).check(bytes);
  if (checked instanceof ImageFault) return checked;
  return sizeFault(checked.width, checked.height) ?? { ...checked, format };
}

/**
 * The bytes of a copyable image for a slot that the engine loads as sRGB (`color`) or linear (`data`): as they are, or
 * without colour space chunks and profiles that a loader might apply to the texels.
 */
export async function copyImage(bytes: Uint8Array, info: ImageInfo, use: TextureUse): Promise<Uint8Array | ImageFault> {
  const { copy } = imageFormat(info.format);
  if (!copy || !info.copyable) throw new Error('image cannot be copied');
  return copy(bytes, info, use);
}
