import { describe, expect, it } from 'vitest';
import type { Pixels } from '../../../src/textures/decode/pixels.ts';
import { minPassing } from '../../../src/textures/mips/coverage.ts';
import { mipChain } from '../../../src/textures/mips/mipChain.ts';
import { resize } from '../../../src/textures/mips/resize.ts';
import { noiseImage } from './reference.ts';

const cut = (image: Pixels, alphaCutoff: number | null) =>
  mipChain(image, 'color', { filter: 'linear', alphaCutoff, roughness: null }).levels;
const passing = (bytes: Uint8Array, cutoff: number) =>
  bytes.filter((byte, i) => i % 4 === 3 && Math.fround(byte / 255) >= Math.fround(cutoff)).length;

/** Thin blades: most of each smaller level lies below the cutoff. */
function grass(size: number): Pixels {
  const image = noiseImage(size, size, 255);
  for (let i = 0; i < size * size; i++) {
    const x = i % size;
    const y = Math.floor(i / size);
    image.data[i * 4 + 3] = (x * 7 + Math.round(3 * Math.sin(y / 5))) % 19 < 4 ? 255 - ((x * y) % 40) : (x + y) % 30;
  }
  return image;
}

describe('cut-outs', () => {
  it.each([
    ['grass', grass(128), 0.5],
    ['grass with a low cutoff', grass(128), 0.1],
    ['noise', noiseImage(100, 60, 'random'), 0.7],
    ['noise with a high cutoff', noiseImage(64, 64, 'random'), 0.98],
  ])('keep their share of drawn texels: %s', (_, image, cutoff) => {
    const share = passing(image.data, cutoff) / (image.width * image.height);
    for (const { width, height, bytes } of cut(image, cutoff)) {
      const count = width * height;
      expect(Math.abs(passing(bytes, cutoff) - share * count)).toBeLessThanOrEqual(1);
    }
  });

  it('keep their share when the image is made smaller', () => {
    const image = grass(128);
    const share = passing(image.data, 0.5) / (128 * 128);
    const drawn = (cutoff: number | null) => passing(resize(image, 48, 30, 'color', cutoff).bytes, 0.5);
    expect(Math.abs(drawn(0.5) - share * 48 * 30)).toBeLessThanOrEqual(1);
    expect(Math.abs(drawn(null) - share * 48 * 30)).toBeGreaterThan(20);
  });

  it('vanish without it', () => {
    const image = grass(128);
    const { bytes } = cut(image, null)[4];
    expect(passing(image.data, 0.5) / (128 * 128)).toBeGreaterThan(0.15);
    expect(passing(bytes, 0.5) / 64).toBeLessThan(0.05);
  });

  it('keep the order of alphas and all colours', () => {
    const image = grass(64);
    const plain = cut(image, null);
    let changed = 0;
    cut(image, 0.5).forEach(({ bytes }, i) => {
      const min = new Uint8Array(256).fill(255);
      const max = new Uint8Array(256);
      bytes.forEach((byte, k) => {
        const before = plain[i].bytes[k];
        if (k % 4 !== 3) changed += byte === before ? 0 : 1;
        else {
          min[before] = Math.min(min[before], byte);
          max[before] = Math.max(max[before], byte);
        }
      });
      let below = 0;
      for (let before = 0; before < 256; before++) {
        if (max[before] < min[before]) continue;
        expect(min[before]).toBeGreaterThanOrEqual(below);
        below = max[before];
      }
    });
    expect(changed).toBe(0);
  });

  it('stay as they are if all or no texels are drawn', () => {
    const image = noiseImage(32, 32, 'random');
    const plain = cut(image, null);
    expect(cut(image, 0)).toEqual(plain);
    expect(cut(image, 1.5)).toEqual(plain);
    const opaque = noiseImage(32, 32, 255);
    expect(cut(opaque, 0.5)).toEqual(cut(opaque, null));
  });

  it('go with the comparison of the engine', () => {
    expect([0, 0.2, 0.5, 1, 1.01].map(minPassing)).toEqual([0, 51, 128, 255, 256]);
    // 0.1 as a float32 is more than 0.1, and more than 25 / 255.
    expect(minPassing(0.1)).toBe(26);
  });
});
