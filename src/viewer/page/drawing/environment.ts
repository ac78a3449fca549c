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
import { LIGHT_MIPS } from '../lightMips.ts';
import { lobeAt, lobesOf } from './skyLight.ts';

/** Heights that are integrated for each mip. */
const STEPS = 65;

/** Writes the three numbers of a texel into `to`. */
type Fill = (x: number, y: number, to: Float64Array) => void;

function faceOf(size: number, fill: Fill): DataTexture {
  const data = new Uint16Array(size * size * 4);
  const color = new Float64Array(3);
  for (let y = 0, to = 0; y < size; y++) {
    for (let x = 0; x < size; x++, to += 4) {
      fill(x, y, color);
      for (let k = 0; k < 3; k++) data[to + k] = DataUtils.toHalfFloat(color[k]);
      data[to + 3] = DataUtils.toHalfFloat(1);
    }
  }
  return new DataTexture(data, size, size, RGBAFormat, HalfFloatType);
}

/** A face with a height for each texel. */
function faceOfHeights(size: number, table: Float32Array, heightAt: (u: number, v: number) => number): DataTexture {
  return faceOf(size, (x, y, to) => {
    const [u, v] = [(2 * x + 1) / size - 1, (2 * y + 1) / size - 1];
    to.set(lobeAt(table, heightAt(u, v) / Math.hypot(u, v, 1)));
  });
}

/** The faces of a mip, +X to -Z: all sides of a sky that depends on the height alone are equal. */
function facesOf(sky: Background, size: number, roughness: number): DataTexture[] {
  const table = lobesOf(sky, roughness, STEPS);
  const side = faceOfHeights(size, table, (_, v) => -v);
  const [top, bottom] = [1, -1].map((height) => faceOfHeights(size, table, () => height));
  return [side, side, top, bottom, side, side];
}

/** `facesOfMip`: those of each of LIGHT_MIPS. */
function cubeTexture([first, ...more]: readonly (readonly DataTexture[])[]): CubeTexture {
  const texture = new CubeTexture(first as unknown as HTMLImageElement[]);
  const mips = more.map((image, i) => ({ width: LIGHT_MIPS[i + 1].size, height: LIGHT_MIPS[i + 1].size, image }));
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

export const environmentOf = (sky: Background): CubeTexture =>
  cubeTexture(LIGHT_MIPS.map(({ size, roughness }) => facesOf(sky, size, roughness)));

/** `mips`: of LIGHT_MIPS, six faces each, three numbers a texel. */
export function environmentOfMips(mips: readonly Float32Array[]): CubeTexture {
  const faces = mips.map((texels, lod) => {
    const { size } = LIGHT_MIPS[lod];
    return Array.from({ length: 6 }, (_, face) =>
      faceOf(size, (x, y, to) => {
        const from = ((face * size + y) * size + x) * 3;
        for (let k = 0; k < 3; k++) to[k] = texels[from + k];
      }),
    );
  });
  return cubeTexture(faces);
}
