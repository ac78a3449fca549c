import { describe, expect, it } from 'vitest';
import { paletteLayout, paletteUv } from '../../src/scene/palette.ts';
import { paletteTexture } from '../../src/textures/atlas/palette.ts';
import { createSampler } from '../../src/textures/bake/sample.ts';
import { imageFiles } from '../../src/textures/encode/png.ts';
import { chunkTypes, pixelsOf } from './fixture.ts';

describe('paletteTexture', () => {
  it('paints linear colours as sRGB cells, row by row from the top left', async () => {
    // 0.5 linear is sRGB 188; 0.2158605 is 128.
    const colors = [1, 0, 0, 1, 0.5, 0.2158605, 0, 1, 0, 0, 1, 1];
    const texture = await paletteTexture(colors, imageFiles('keep'));
    expect(texture).toMatchObject({ width: 16, height: 16, flags: 1 });
    expect(texture.fileName).toBe(`palette_${texture.sha256.slice(0, 8)}.png`);
    expect(chunkTypes(texture.bytes)).toEqual(['IHDR', 'IDAT', 'IEND']);
    const { channels, rows } = await pixelsOf(texture.bytes);
    expect(channels).toBe(3);
    const at = (x: number, y: number) => rows[y].slice(x * 3, x * 3 + 3);
    expect([at(0, 0), at(7, 7), at(8, 0), at(15, 7), at(0, 8), at(15, 15)]).toEqual([
      [255, 0, 0],
      [255, 0, 0],
      [188, 128, 0],
      [188, 128, 0],
      [0, 0, 255],
      [0, 0, 255],
    ]);
  });

  it('gives every colour exactly at the centre of its cell, alpha too', async () => {
    const count = 256;
    const colors = Array.from({ length: count }, (_, i) => [i / 255, 0, 1 - i / 255, i / 255]).flat();
    const { bytes, width, height } = await paletteTexture(colors, imageFiles('keep'));
    const { channels, rows } = await pixelsOf(bytes);
    expect(channels).toBe(4);
    const sample = createSampler({ width, height, data: Uint8Array.from(rows.flat()) }, 'repeat', 'repeat', false);
    const layout = paletteLayout(count);
    const out = new Float64Array(4);
    for (let i = 0; i < count; i++) {
      const [u, v] = paletteUv(layout, i);
      sample(u, v, out);
      expect(Math.round(out[3] * 255)).toBe(i);
      expect(Math.abs(out[3] * 255 - i)).toBeLessThan(1e-9);
    }
  });

  it('refuses none, too many and half a colour', async () => {
    await expect(paletteTexture([], imageFiles('keep'))).rejects.toThrow(RangeError);
    await expect(paletteTexture(new Float32Array(257 * 4), imageFiles('keep'))).rejects.toThrow(RangeError);
    await expect(paletteTexture([1, 1, 1], imageFiles('keep'))).rejects.toThrow(RangeError);
  });
});
