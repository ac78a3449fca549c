// Textures of the renderer: chains of mips in sRGB bytes, and what of a mip a cut-out covers. The kernel filters them.

import { byteOfLinear, LINEAR_OF_BYTE } from './color.ts';

/** RGBA, 4 bytes a texel, straight alpha, sRGB, rows from the top. */
export interface MipLevel {
  readonly width: number;
  readonly height: number;
  readonly texels: Uint8Array;
}

/** From the texture as it is down to one texel. */
export interface Texture {
  readonly levels: readonly MipLevel[];
}

/** The texels of one axis that make a texel of the next mip, with their shares: two, or three where the size is odd. */
interface Footprint {
  readonly first: number;
  readonly weights: readonly number[];
}

function footprints(size: number, next: number): Footprint[] {
  return Array.from({ length: next }, (_, i) => {
    const from = (i * size) / next;
    const to = ((i + 1) * size) / next;
    const first = Math.floor(from);
    const weights: number[] = [];
    for (let texel = first; texel < to; texel++) {
      weights.push((Math.min(to, texel + 1) - Math.max(from, texel)) / (to - from));
    }
    return { first, weights };
  });
}

/** The next mip: each texel is the mean, by area, of those that it replaces. */
function halved({ width, height, texels }: MipLevel): MipLevel {
  const nextWidth = Math.max(1, width >> 1);
  const nextHeight = Math.max(1, height >> 1);
  const out = new Uint8Array(nextWidth * nextHeight * 4);
  const columns = footprints(width, nextWidth);
  const rows = footprints(height, nextHeight);
  for (let y = 0, to = 0; y < nextHeight; y++) {
    const row = rows[y];
    for (let x = 0; x < nextWidth; x++, to += 4) {
      const column = columns[x];
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let j = 0; j < row.weights.length; j++) {
        let at = ((row.first + j) * width + column.first) * 4;
        for (let i = 0; i < column.weights.length; i++, at += 4) {
          const weight = row.weights[j] * column.weights[i];
          r += weight * LINEAR_OF_BYTE[texels[at]];
          g += weight * LINEAR_OF_BYTE[texels[at + 1]];
          b += weight * LINEAR_OF_BYTE[texels[at + 2]];
          a += weight * texels[at + 3];
        }
      }
      out[to] = byteOfLinear(r);
      out[to + 1] = byteOfLinear(g);
      out[to + 2] = byteOfLinear(b);
      out[to + 3] = Math.floor(a + 0.5);
    }
  }
  return { width: nextWidth, height: nextHeight, texels: out };
}

/** A texture of RGBA texels, sRGB, rows from the top. Keeps the array. */
export function buildTexture(texels: Uint8Array, width: number, height: number): Texture {
  if (texels.length !== width * height * 4) throw new Error(`${texels.length} bytes for ${width} x ${height} texels`);
  return continueTexture([{ width, height, texels }]);
}

/** A texture that begins with these mips, at least one. Keeps the arrays. */
export function continueTexture(mips: readonly MipLevel[]): Texture {
  const levels = [...mips];
  for (let level = levels[levels.length - 1]; level.width > 1 || level.height > 1; ) {
    level = halved(level);
    levels.push(level);
  }
  return { levels };
}

/** Where alpha is cut at each mip; mips beyond are too small to keep the coverage. */
export interface AlphaCuts {
  readonly cuts: readonly number[];
}

/** The least and the most of the finest mip's coverage that a mip keeps to be used. */
const KEPT_COVERAGE = 0.8;

/**
 * The alpha at which each mip covers the share that texels of at least `cutoff` cover in the finest one (Ignacio Castaño,
 * "Computing Alpha Mipmaps", 2010: he scales alpha instead). Averaged alpha against the same cutoff would make foliage
 * vanish with the distance. Ends before the first mip whose coverage cannot be within a fifth of that share.
 */
export function alphaCuts(texture: Texture, cutoff: number): AlphaCuts {
  const cuts: number[] = [cutoff];
  const share = (level: MipLevel): Float64Array => {
    // share[a]: of the texels with alpha of at least a.
    const counts = new Float64Array(257);
    for (let at = 3; at < level.texels.length; at += 4) counts[level.texels[at]]++;
    for (let a = 254; a >= 0; a--) counts[a] += counts[a + 1];
    return counts.map((count) => count / (level.width * level.height));
  };
  const wanted = share(texture.levels[0])[Math.min(256, Math.max(0, Math.ceil(cutoff * 255)))];
  for (const level of texture.levels.slice(1)) {
    const shares = share(level);
    let best = 0;
    for (let a = 0; a <= 256; a++) if (Math.abs(shares[a] - wanted) < Math.abs(shares[best] - wanted)) best = a;
    const min = Math.min(shares[best], wanted);
    if (min < KEPT_COVERAGE * Math.max(shares[best], wanted)) break;
    // Between the alphas on either side, as interpolation gives values between them.
    let low = best;
    while (low > 0 && shares[low - 1] === shares[best]) low--;
    let high = best;
    while (high < 256 && shares[high + 1] === shares[best]) high++;
    cuts.push((Math.max(0, low - 1) + high) / 2 / 255);
  }
  return { cuts };
}
