// Textures that the cook has made are decoded once.

import { expect, test } from 'vitest';
import { paletteTexture } from '../../../src/textures/atlas/palette.ts';
import { mipsOfMade } from '../../../src/workers/jobs/madeTextures.ts';

test('a palette is decoded once, and another one by itself', async () => {
  const red = await paletteTexture([1, 0, 0, 1]);
  const blue = await paletteTexture([0, 0, 1, 1]);
  const mips = await mipsOfMade(red);
  expect([...(mips?.[0].data.subarray(0, 3) ?? [])]).toEqual([255, 0, 0]);
  expect(await mipsOfMade(red)).toBe(mips);
  expect([...((await mipsOfMade(blue))?.[0].data.subarray(0, 3) ?? [])]).toEqual([0, 0, 255]);
});

test('one that cannot be read has no texels', async () => {
  const broken = { ...(await paletteTexture([1, 0, 0, 1])), bytes: Uint8Array.of(1, 2, 3) };
  expect(await mipsOfMade(broken)).toBeNull();
});
