// Packs roughness and metalness as glTF has them (5.22): in green and blue of one image.

import type { TexelImage } from '../types.ts';

export const GREEN = 1;
export const BLUE = 2;

/** Texels, and the channel of them that counts. */
export interface SurfacePart {
  readonly image: Pick<TexelImage, 'width' | 'height' | 'data' | 'channels'>;
  readonly channel: number;
}

/** Green and blue of a new image from a channel of each; what is not there is 1, whatever the factor. */
export function packSurface(roughness: SurfacePart | null, metallic: SurfacePart | null): TexelImage {
  const width = Math.max(roughness?.image.width ?? 1, metallic?.image.width ?? 1);
  const height = Math.max(roughness?.image.height ?? 1, metallic?.image.height ?? 1);
  const data = new Uint8Array(width * height * 3).fill(255);
  for (const [part, to] of [
    [roughness, GREEN],
    [metallic, BLUE],
  ] as const) {
    if (!part) continue;
    const { image, channel } = part;
    for (let y = 0; y < height; y++) {
      const row = Math.floor((y * image.height) / height) * image.width;
      for (let x = 0; x < width; x++) {
        const texel = row + Math.floor((x * image.width) / width);
        data[(y * width + x) * 3 + to] = image.data[texel * image.channels + channel];
      }
    }
  }
  return { width, height, data, channels: 3, alpha: false };
}
