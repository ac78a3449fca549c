// Small files as kits have them: each a sphere of its own shape, all with the same image inside.

import { join } from 'node:path';
import sharp from 'sharp';
import { Glb } from './glb.ts';
import { Shape } from './shape.ts';

const IMAGE_SIDE = 1024;
const [ROWS, COLUMNS] = [13, 20];

/** An image of coloured fields with grain. */
async function atlas(): Promise<Buffer> {
  const data = new Uint8Array(IMAGE_SIDE * IMAGE_SIDE * 3);
  let state = 1;
  for (let y = 0, at = 0; y < IMAGE_SIDE; y++) {
    for (let x = 0; x < IMAGE_SIDE; x++, at += 3) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const field = (x >> 7) * 29 + (y >> 7) * 53;
      for (let c = 0; c < 3; c++) data[at + c] = ((field * (c + 3)) % 230) + (state >>> 28);
    }
  }
  return sharp(data, { raw: { width: IMAGE_SIDE, height: IMAGE_SIDE, channels: 3 } })
    .png()
    .toBuffer();
}

/** A sphere whose radius has waves, so that no two props are equal. */
function pebble(seed: number): Shape {
  const shape = new Shape();
  const rings = Array.from({ length: ROWS + 1 }, (_, row) =>
    Array.from({ length: COLUMNS + 1 }, (_, column) => {
      const [down, around] = [(row / ROWS) * Math.PI, ((column % COLUMNS) / COLUMNS) * 2 * Math.PI];
      const normal = [Math.sin(down) * Math.cos(around), Math.cos(down), Math.sin(down) * Math.sin(around)] as const;
      const radius = 0.3 + 0.05 * Math.sin(3 * around + seed) * Math.sin(down) ** 2;
      const place = normal.map((along) => along * radius) as [number, number, number];
      return shape.vertex(place, normal, column / COLUMNS, row / ROWS);
    }),
  );
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const [a, b] = [rings[row][column], rings[row][column + 1]];
      const [c, d] = [rings[row + 1][column], rings[row + 1][column + 1]];
      if (row > 0) shape.indices.push(a, b, d);
      if (row + 1 < ROWS) shape.indices.push(a, d, c);
    }
  }
  return shape;
}

/** Writes `count` GLBs into a folder. */
export async function writeProps(count: number, folder: string): Promise<void> {
  const image = await atlas();
  for (let i = 0; i < count; i++) {
    const material = { name: 'Atlas', pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } };
    const glb = new Glb(join(folder, `prop_${String(i).padStart(3, '0')}.glb`), [material]);
    glb.addImage(image);
    glb.addNode({ name: `Prop_${i}`, mesh: glb.addMesh(`Prop_${i}`, [{ shape: pebble(i), material: 0 }]) });
    glb.write();
  }
}
