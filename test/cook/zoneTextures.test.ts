// Images of a scene that is cooked for a zone have no more texels than its eyes can tell, and no fewer.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeUtex } from '../../src/formats/utex/read.ts';
import { cook } from '../../src/index.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'untold-zone-textures-'));
  const noise = Buffer.from(Uint8Array.from({ length: 512 * 512 * 3 }, (_, i) => (i * 7919) % 251));
  await sharp(noise, { raw: { width: 512, height: 512, channels: 3 } })
    .png()
    .toFile(join(folder, 'paint.png'));
  writeFileSync(join(folder, 'square.gltf'), squareGltf({ image: 'paint.png' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The side of the texture beside the file that is cooked for eyes at so many metres in front of the square of 1 m. */
async function sideFrom(metres: number): Promise<number> {
  const out = join(folder, `${metres}`);
  const zone = `box:0.5,0.5,${metres},0.5,0.5,${metres}`;
  const { exitCode } = await cook(join(folder, 'square.gltf'), {
    out: join(out, 'square.untold'),
    viewerZone: [zone],
    textures: 'utex',
  });
  expect(exitCode).toBe(0);
  expect(existsSync(join(out, 'square.untold'))).toBe(true);
  const [name] = readdirSync(join(out, 'Textures'));
  return describeUtex(readFileSync(join(out, 'Textures', name)), name).description.width;
}

test('a texel for each pixel at the nearest eye, and a power of two', async () => {
  // 34 pixels a degree are 1,948 pixels for a tangent of 1: at 10 m a metre covers 195 of them, at 2 m 974, at 50 m 39.
  expect([await sideFrom(10), await sideFrom(2), await sideFrom(50)]).toEqual([256, 512, 64]);
});
