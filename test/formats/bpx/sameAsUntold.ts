// Cooks a source to bpx and to .untold, and compares what both draw.

import { expect } from 'vitest';
import { readBpx } from '../../../src/formats/bpx/read.ts';
import { assetsOf } from '../../../src/formats/bpx/target/payload.ts';
import type { BpxModel } from '../../../src/formats/bpx/types.ts';
import { validateWithFiles } from '../../../src/formats/bpx/validateFiles.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { type Drawn, drawnOfUntold, expectSameDrawing } from '../compare.ts';
import { bytesOf, cook, fileOf, toUntold } from '../glb/cooking.ts';

export const toBpx = (source: string, name: string, settings = {}) =>
  cook(source, { kind: 'file', path: fileOf(name) }, { format: 'bpx', instances: 'bake', ...settings });

export const modelIn = async (file: Uint8Array): Promise<BpxModel> =>
  (await readBpx((await assetsOf(file, 'f'))[0].bytes, 'f')).content as BpxModel;

/** The triangles of a file in the engine's space: (x, z, y), the other way round, V up. */
async function drawnOfBpx(bytes: Uint8Array): Promise<Drawn[]> {
  const { arrays, components } = await modelIn(bytes);
  const stride = components.reduce((sum, { count }) => sum + count * 4, 0);
  return arrays.flatMap(({ vertices, indices, material }) => {
    const view = new DataView(vertices.buffer, vertices.byteOffset, vertices.length);
    const corner = (v: number) => {
      const at = (k: number) => view.getFloat32(v * stride + k * 4, true);
      return { position: [at(0), at(2), at(1)], normal: [at(3), at(5), at(4)], uv: [at(10), 1 - at(11)] };
    };
    const list = indices as Uint32Array;
    return Array.from({ length: list.length / 3 }, (_, t) => ({
      corners: [2, 1, 0].map((k) => corner(list[t * 3 + k])),
      material: (material as string).replace('Materials/', ''),
    }));
  });
}

export async function expectSame(source: string, name: string): Promise<void> {
  await toUntold(source, `${name}.untold`, { instances: 'bake', flatten: true });
  const { diagnostics } = await toBpx(source, `${name}.bpx`);
  expect(diagnostics.map(({ code }) => code)).toContain('UC2333');
  const file = bytesOf(`${name}.bpx`);
  expect(await validateWithFiles(file, name)).toEqual([]);
  const untold = await readUntold(bytesOf(`${name}.untold`), name);
  const theirs = drawnOfUntold(untold);
  expect(expectSameDrawing(await drawnOfBpx(file), theirs)).toBe(theirs.length);
  const images = (await assetsOf(file, name)).filter(({ path }) => path.startsWith('Textures/'));
  expect(images.length).toBe(new Set(untold.textures.map(({ uri }) => uri)).size);
}
