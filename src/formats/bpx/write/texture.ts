// Writes textures, in the layout of the text: the crate has none.

import { TEXTURE } from '../container/layout.ts';
import { writeBpx } from '../container/write.ts';
import { fullMips } from '../kinds/texture.ts';
import { CUBE_FACES, MAX_EXPONENT, TEXEL_FORMATS, TEXTURE_EXT, TEXTURE_FLAGS } from '../records.ts';
import type { BpxTexture } from '../types.ts';
import { joined, type PackOptions, recordBytes, zeros } from './sections.ts';

/** The number that a file stores for a side; null: the format cannot store it. */
export function storedSide(side: number): number | null {
  const exponent = Math.log2(side);
  return Number.isInteger(exponent) && exponent >= 1 && exponent <= MAX_EXPONENT ? exponent - 1 : null;
}

/** Throws an Error, which is a bug of the caller, for a texture that no valid file can hold. */
export function writeBpxTexture(texture: BpxTexture, { isPacked = false }: PackOptions = {}): Uint8Array {
  const { width, height, images, isArray, isCubeMap, compressOnLoad, mips } = texture;
  const sides = [storedSide(width), storedSide(height)];
  const [number, , texelBytes] = TEXEL_FORMATS.find(([, name]) => name === texture.format) ?? [0, '', 0];
  if (sides[0] === null || sides[1] === null || mips > fullMips(width, height)) {
    throw new Error(`a texture of ${width} x ${height} texels with ${mips} mips`);
  }
  const hasCount = isCubeMap
    ? images.length === CUBE_FACES && width === height
    : isArray
      ? images.length > 0 && images.length <= 0xffff
      : images.length === 1;
  if (!hasCount || images.some(({ length }) => length !== width * height * texelBytes)) {
    throw new Error(`${images.length} images of other sizes than ${width} x ${height} texels`);
  }
  const flags =
    (isArray ? TEXTURE_FLAGS.array : 0) |
    (compressOnLoad ? TEXTURE_FLAGS.compressOnLoad : 0) |
    (isCubeMap ? TEXTURE_FLAGS.cubeMap : 0);
  const typeExt = recordBytes(TEXTURE_EXT, {
    array: isArray || isCubeMap ? images.length : 0,
    sides: sides[0] | (sides[1] << 4),
    formatAndFlags: number | (flags << 4),
    mips,
    reserved: zeros(3),
  });
  const sections = [{ type: TEXTURE.pixels, bytes: joined(images), isPacked }];
  return writeBpx({ layout: 'spec', kind: 'texture', typeExt, sections });
}
