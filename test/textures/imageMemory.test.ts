import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import type { SceneImage } from '../../src/scene/types.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { chunk, colorUse, image, material, neverRead, rgb, scene } from './fixture.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const IMAGES = 12;
const IMAGE_BYTES = 12e6;
/** What is kept of the images that are checked: 64 MB, which is five of these. */
const KEPT = 5;

it('of a scene with many images, those of 64 MB stay in memory and the others only until they are checked', async () => {
  const padding = chunk('puDd', new Uint8Array(IMAGE_BYTES));
  const read: WeakRef<ArrayBuffer>[] = [];
  const images = Array.from({ length: IMAGES }, (_, i): SceneImage => {
    const file = rgb([[i, 2, 3]], [padding]);
    return {
      ...image(`i${i}`, file),
      read: async () => {
        // A buffer of its own at each reading, as files are read.
        const bytes = new Uint8Array(file);
        read.push(new WeakRef(bytes.buffer));
        return bytes;
      },
    };
  });
  const inMemory = async () => {
    // Objects that a WeakRef was made of or asked for live until the current task ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return read.filter((bytes) => bytes.deref() !== undefined).length;
  };
  const counts: number[] = [];
  await prepareMaterials(
    scene(
      images.map((_, i) => material({ baseColor: colorUse(i) })),
      images,
    ),
    {
      missingTexture: 'error',
      atOnce: 1,
      makeFile: async ({ texels }) => {
        if (texels.kind !== 'image') throw new Error('no image');
        counts.push(await inMemory());
        const { width, height } = texels.image.info;
        await texels.image.read();
        const bytes = Uint8Array.of(counts.length);
        return {
          file: { bytes, extension: 'png', width, height, format: 0, mipCount: 1 },
          clipped: 0,
          clamped: false,
        };
      },
    },
    neverRead,
    new Diagnostics(),
  );
  // Every image was read to be checked, and those that are not kept a second time.
  expect(read).toHaveLength(IMAGES + IMAGES - KEPT);
  expect(counts).toEqual(Array(IMAGES).fill(KEPT));
});
