// Which file of a texture a level is drawn with: the smallest whose texels are no larger than half a pixel.

import { expect, test } from 'vitest';
import type { DrawnMesh } from '../../../src/formats/format.ts';
import { maxRepeatSize } from '../../../src/geometry/uv/repeatSize.ts';
import type { PreparedTexture } from '../../../src/textures/types.ts';
import { levelTextures } from '../../../src/workers/jobs/levelTextures.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { stored, surface } from '../../geometry/packed.ts';

const texture = (side: number): PreparedTexture => ({
  fileName: `wall.${side}.utex`,
  bytes: new Uint8Array(0),
  sha256: String(side),
  width: side,
  height: side,
  flags: 1,
  format: 4,
  mipCount: 1 + Math.log2(side),
});
const wall: PreparedTexture = { ...texture(256), smaller: [128, 64, 32, 16].map(texture) };

/** A square of `metres` on which the texture repeats `repeats` times. */
async function square(metres: number, repeats: number): Promise<DrawnMesh> {
  const mesh = await stored(surface(2, 2, (u, v) => [u * metres, v * metres, 0]));
  const uv0 = mesh.attributes.uv0?.map((value) => value * repeats);
  const slots = { ...DEFAULT_MATERIAL.slots, baseColor: 0 };
  return {
    naming: { entity: 'wall', mesh: 'wall' },
    surface: { material: { ...DEFAULT_MATERIAL, slots }, tint: null, palette: null },
    mesh: { ...mesh, attributes: { ...mesh.attributes, ...(uv0 && { uv0 }) } },
  };
}

test('the size of a repeat is that in metres along u and along v', async () => {
  const [u, v] = maxRepeatSize((await square(8, 4)).mesh);
  expect(u).toBeCloseTo(2, 2);
  expect(v).toBeCloseTo(2, 2);
});

test('a repeat of 2 m needs twice as many texels as it covers pixels', async () => {
  const meshes = [await square(8, 4)];
  const side = (pixel: number) => levelTextures(meshes, [wall], pixel)[0].width;
  // 2 m are 20, 40, 200 and 2000 pixels.
  expect([side(0.1), side(0.05), side(0.01), side(0.001)]).toEqual([64, 128, 256, 256]);
  expect(side(1)).toBe(16);
});

test('the mesh that stretches it most decides, and points or lines of it keep it whole', async () => {
  const [near, far, point] = [await square(8, 4), await square(64, 4), await square(8, 0)];
  const side = (...meshes: readonly DrawnMesh[]) => levelTextures(meshes, [wall], 0.25)[0].width;
  expect(side(near)).toBe(16);
  expect(side(near, far)).toBe(128);
  expect(side(near, point)).toBe(256);
});

test('images, and textures that no mesh uses, stay as they are', async () => {
  const image = texture(64);
  expect(levelTextures([await square(8, 4)], [image, wall], 1)).toEqual([image, wall]);
});
