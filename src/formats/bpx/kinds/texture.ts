// Reads textures: their properties from TypeExt, and the images of their one section.

import type { Findings } from '../../findings.ts';
import { TEXTURE } from '../container/layout.ts';
import type { BpxContainer } from '../container/open.ts';
import { CUBE_FACES, TEXEL_FORMATS, TEXTURE_EXT, TEXTURE_FLAGS } from '../records.ts';
import type { BpxTexture } from '../types.ts';
import { sectionOf, typeExtOf } from './sections.ts';

/** How many mips a texture can have, down to one texel. */
export const fullMips = (width: number, height: number): number => 32 - Math.clz32(Math.max(width, height));

/** Null, with a finding, when the images cannot be told. */
export function readTexture(container: BpxContainer, findings: Findings): BpxTexture | null {
  const { array, sides, formatAndFlags, mips } = typeExtOf(TEXTURE_EXT, container, findings);
  const width = 2 ** ((sides & 15) + 1);
  const height = 2 ** ((sides >>> 4) + 1);
  const flags = formatAndFlags >>> 4;
  const known = TEXEL_FORMATS.find(([number]) => number === (formatAndFlags & 15));
  const allFlags = TEXTURE_FLAGS.array | TEXTURE_FLAGS.compressOnLoad | TEXTURE_FLAGS.cubeMap;
  if (!known)
    findings.report(
      'UC3610',
      'header',
      `unknown texel format of a BPX texture: format ${formatAndFlags & 15} in TypeExt`,
    );
  if ((flags & ~allFlags) !== 0)
    findings.report('UC3610', 'header', `unknown flags of a BPX texture: flags ${flags} in TypeExt`);
  const isCubeMap = (flags & TEXTURE_FLAGS.cubeMap) !== 0;
  const isArray = (flags & TEXTURE_FLAGS.array) !== 0 && array > 0;
  if (isCubeMap && (array !== CUBE_FACES || width !== height)) {
    findings.report(
      'UC3644',
      'header',
      `cube map without six square images: ${array} images of ${width} x ${height} texels in TypeExt`,
    );
  }
  if (mips > fullMips(width, height)) {
    findings.report(
      'UC3644',
      'header',
      `more mips than a BPX texture can have: ${mips} mips of ${width} x ${height} texels in TypeExt`,
    );
  }
  const pixels = sectionOf(container, TEXTURE.pixels);
  if (!pixels || !known) return null;
  const [, format, texelBytes] = known;
  const count = isArray || isCubeMap ? array : 1;
  const imageBytes = width * height * texelBytes;
  if (pixels.bytes.length !== count * imageBytes) {
    const message = `${pixels.bytes.length} bytes, ${count} images of ${width} x ${height} take ${count * imageBytes}`;
    findings.report('UC3601', pixels.place, `BPX texture has not the bytes that its texels take: ${message}`);
    return null;
  }
  const images = Array.from({ length: count }, (_, i) => pixels.bytes.subarray(i * imageBytes, (i + 1) * imageBytes));
  const compressOnLoad = (flags & TEXTURE_FLAGS.compressOnLoad) !== 0;
  return { kind: 'texture', width, height, format, isArray, isCubeMap, compressOnLoad, mips, images };
}
