// What surfaces mirror, as three.js takes it: a cube map whose mips are the sky as surfaces of growing roughness see it.

import {
  CubeTexture,
  DataTexture,
  DataUtils,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RGBAFormat,
} from 'three';
import type { Background } from '../../../raster/background.ts';
import { lobeAt, lobesOf } from './skyLight.ts';

/** Texels along a side of the sharpest mip, and of the roughest one, which three.js takes for all diffuse light. */
const SIZE = 128;
const LEAST_SIZE = 8;
/** Heights that are integrated for each mip. */
const STEPS = 65;

/** A face with a height for each texel. */
function faceOf(size: number, table: Float32Array, heightAt: (u: number, v: number) => number): DataTexture {
  const data = new Uint16Array(size * size * 4);
  for (let y = 0, to = 0; y < size; y++) {
    for (let x = 0; x < size; x++, to += 4) {
      const [u, v] = [(2 * x + 1) / size - 1, (2 * y + 1) / size - 1];
      const color = lobeAt(table, heightAt(u, v) / Math.hypot(u, v, 1));
      for (let k = 0; k < 3; k++) data[to + k] = DataUtils.toHalfFloat(color[k]);
      data[to + 3] = DataUtils.toHalfFloat(1);
    }
  }
  return new DataTexture(data, size, size, RGBAFormat, HalfFloatType);
}

/** The faces of a mip, +X to -Z: all sides of a sky that depends on the height alone are equal. */
function facesOf(sky: Background, size: number, roughness: number): DataTexture[] {
  const table = lobesOf(sky, roughness, STEPS);
  const side = faceOf(size, table, (_, v) => -v);
  return [side, side, faceOf(size, table, () => 1), faceOf(size, table, () => -1), side, side];
}

export function environmentOf(sky: Background): CubeTexture {
  const last = Math.log2(SIZE / LEAST_SIZE);
  // The inverse of `roughnessToMip` of its shaders.
  const roughnessOf = (lod: number) => 1 - Math.sqrt(1 - Math.min(lod, last) / last);
  // three.js counts one mip less than a cube map of arrays has: the last one is never seen.
  const mips = Array.from({ length: last + 1 }, (_, i) => ({
    width: SIZE >> (i + 1),
    height: SIZE >> (i + 1),
    image: facesOf(sky, SIZE >> (i + 1), roughnessOf(i + 1)),
  }));
  const texture = new CubeTexture(facesOf(sky, SIZE, 0) as unknown as HTMLImageElement[]);
  texture.mipmaps = mips as unknown as typeof texture.mipmaps;
  texture.type = HalfFloatType;
  texture.format = RGBAFormat;
  texture.colorSpace = NoColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.generateMipmaps = false;
  Object.assign(texture, { isPMREMTexture: true });
  texture.needsUpdate = true;
  return texture;
}
