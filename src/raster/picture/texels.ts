// Textures as pictures show them: between mips, and with several places along the longer side of what a pixel shows, so that
// floors that run to the horizon stay sharp (anisotropic filtering).

import { LINEAR_OF_BYTE } from '../color.ts';
import type { MipLevel, Texture } from '../texture.ts';
import type { Hit } from './hit.ts';

/** Places along the longer side, at most. */
const MAX_PLACES = 12;

/** The value of each byte of a texel that is no colour. */
const PLAIN_OF_BYTE = Float64Array.from({ length: 256 }, (_, i) => i / 255);

/** What a byte of red, green or blue stands for. */
export type Texels = 'color' | 'data';

/** The mip for so many texels of the finest one, squared, between powers of two in proportion; without a logarithm. */
function mipOf(squared: number, levels: number): number {
  let level = 0;
  let rest = squared;
  for (; rest >= 4 && level < levels - 1; level++) rest /= 4;
  return rest > 1 ? Math.min(level + Math.sqrt(rest) - 1, levels - 1) : level;
}

/** Adds a mip at u, v (V up, repeating), bilinear, times `weight`, to the four numbers of `sum`. */
function add(mip: MipLevel, u: number, v: number, weight: number, of: Float64Array, sum: Float64Array): void {
  const { width, height, texels } = mip;
  const x = (u - Math.floor(u)) * width - 0.5;
  const y = (1 - (v - Math.floor(v))) * height - 0.5;
  const left = Math.floor(x);
  const top = Math.floor(y);
  const across = x - left;
  const down = y - top;
  const x0 = left < 0 ? width - 1 : left;
  const x1 = left + 1 < width ? left + 1 : 0;
  const y0 = top < 0 ? height - 1 : Math.min(top, height - 1);
  const y1 = top + 1 < height ? top + 1 : 0;
  const a = (y0 * width + x0) * 4;
  const b = (y0 * width + x1) * 4;
  const c = (y1 * width + x0) * 4;
  const d = (y1 * width + x1) * 4;
  const wd = across * down * weight;
  const wb = across * weight - wd;
  const wc = down * weight - wd;
  const wa = weight - wb - wc - wd;
  sum[0] += of[texels[a]] * wa + of[texels[b]] * wb + of[texels[c]] * wc + of[texels[d]] * wd;
  sum[1] += of[texels[a + 1]] * wa + of[texels[b + 1]] * wb + of[texels[c + 1]] * wc + of[texels[d + 1]] * wd;
  sum[2] += of[texels[a + 2]] * wa + of[texels[b + 2]] * wb + of[texels[c + 2]] * wc + of[texels[d + 2]] * wd;
  sum[3] += (texels[a + 3] * wa + texels[b + 3] * wb + texels[c + 3] * wc + texels[d + 3] * wd) / 255;
}

function addBetween(
  texture: Texture,
  at: number,
  u: number,
  v: number,
  weight: number,
  of: Float64Array,
  sum: Float64Array,
) {
  const level = Math.floor(at);
  const share = at - level;
  add(texture.levels[level], u, v, weight * (1 - share), of, sum);
  if (share > 0) add(texture.levels[level + 1], u, v, weight * share, of, sum);
}

/**
 * Red, green, blue (linear for `color`) and alpha of a texture where a hit is, 0 to 1, into `sum`. What the pixel covers in the
 * texture is an ellipse: its longer half is walked in steps of about its shorter one, whose mip is taken. `maxLevel`: of a
 * cut-out, beyond which mips do not keep what it covers.
 */
export function sampleTexture(texture: Texture, hit: Hit, kind: Texels, sum: Float64Array, maxLevel = Infinity): void {
  const { levels } = texture;
  const [{ width, height }] = levels;
  const of = kind === 'color' ? LINEAR_OF_BYTE : PLAIN_OF_BYTE;
  sum.fill(0);
  const ax = hit.acrossU * width;
  const ay = hit.acrossV * height;
  const bx = hit.downU * width;
  const by = hit.downV * height;
  // The axes of the ellipse are those of J Jt, with J's columns the two changes: its eigenvalues are their squares.
  const xx = ax * ax + bx * bx;
  const xy = ax * ay + bx * by;
  const yy = ay * ay + by * by;
  const middle = (xx + yy) / 2;
  const root = Math.sqrt(((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy);
  const longer = middle + root;
  const shorter = Math.max(0, middle - root);
  const last = Math.min(levels.length - 1, maxLevel);
  if (!(longer < Infinity)) {
    addBetween(texture, last, hit.u, hit.v, 1, of, sum);
    return;
  }
  if (longer <= 1) {
    addBetween(texture, 0, hit.u, hit.v, 1, of, sum);
    return;
  }
  const ratio = Math.sqrt(longer / Math.max(1, shorter));
  const places = Math.min(MAX_PLACES, Math.ceil(ratio - 0.1));
  const at = Math.min(last, mipOf(longer / (places * places), levels.length));
  if (places <= 1) {
    addBetween(texture, at, hit.u, hit.v, 1, of, sum);
    return;
  }
  // The eigenvector of the longer axis, as long as that.
  let ex = longer - yy;
  let ey = xy;
  if (xx < yy) {
    ex = xy;
    ey = longer - xx;
  }
  const length = Math.sqrt(ex * ex + ey * ey);
  const scale = length > 0 ? Math.sqrt(longer) / length : 0;
  const stepU = (ex * scale) / width / places;
  const stepV = (ey * scale) / height / places;
  for (let i = 0; i < places; i++) {
    const way = i - (places - 1) / 2;
    addBetween(texture, at, hit.u + stepU * way, hit.v + stepV * way, 1 / places, of, sum);
  }
}
