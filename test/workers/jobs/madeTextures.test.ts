// Textures that the cook has made are decoded once.

import { expect, test } from 'vitest';
import { paletteTexture } from '../../../src/textures/atlas/palette.ts';
import { imageFiles } from '../../../src/textures/encode/png.ts';
import { mipsOfMade } from '../../../src/workers/jobs/madeTextures.ts';

const files = imageFiles('keep');

test('a palette is decoded once, and another one by itself', async () => {
  const red = await paletteTexture([1, 0, 0, 1], files);
  const blue = await paletteTexture([0, 0, 1, 1], files);
  const mips = await mipsOfMade(red, files);
  expect([...(mips?.[0].data.subarray(0, 3) ?? [])]).toEqual([255, 0, 0]);
  expect(await mipsOfMade(red, files)).toBe(mips);
  expect([...((await mipsOfMade(blue, files))?.[0].data.subarray(0, 3) ?? [])]).toEqual([0, 0, 255]);
});

test('one that cannot be read has no texels', async () => {
  const broken = { ...(await paletteTexture([1, 0, 0, 1], files)), bytes: Uint8Array.of(1, 2, 3) };
  expect(await mipsOfMade(broken, files)).toBeNull();
});
