// Cooks a source to galileo and to .untold, and compares what both draw.

import { expect } from 'vitest';
import { materialNames } from '../../../src/formats/galileo/materials.ts';
import { readGalileo } from '../../../src/formats/galileo/read.ts';
import { validateGalileo } from '../../../src/formats/galileo/validate.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { type Drawn, drawnOfUntold, expectSameDrawing } from '../compare.ts';
import { bytesOf, cook, fileOf, toUntold } from '../glb/cooking.ts';

export const toGali = (source: string, name: string) =>
  cook(source, { kind: 'file', path: fileOf(name) }, { format: 'galileo', instances: 'bake' });

/** The triangles of a file in the engine's space: (x, z, -y), V up. */
async function drawnOfGali(bytes: Uint8Array): Promise<Drawn[]> {
  const mesh = await readGalileo(bytes, 'f');
  const names = materialNames(mesh) ?? [];
  return mesh.groups.flatMap(({ indices, positions, normals, texcoords }, g) => {
    const corner = (v: number) => {
      const turned = (a: Float32Array) => [a[v * 3], a[v * 3 + 2], -a[v * 3 + 1]];
      // What repeats on a surface without a texture is left out, and is not compared.
      const uv = texcoords[0] ? [texcoords[0][v * 2] / 65535, 1 - texcoords[0][v * 2 + 1] / 65535] : [];
      return { position: turned(positions), normal: turned(normals), uv };
    };
    return Array.from({ length: indices.length / 3 }, (_, t) => ({
      corners: [0, 1, 2].map((k) => corner(indices[t * 3 + k])),
      material: names[g] as string,
    }));
  });
}

/** Gives the share of triangles that are the same; texture coordinates that repeat cut others. */
export async function expectSame(source: string, name: string): Promise<number> {
  await toUntold(source, `${name}.untold`, { instances: 'bake', flatten: true });
  const { diagnostics } = await toGali(source, `${name}.gali`);
  expect(diagnostics.map(({ code }) => code)).toContain('UC2333');
  const file = bytesOf(`${name}.gali`);
  expect(await validateGalileo(file, name)).toEqual([]);
  const theirs = drawnOfUntold(await readUntold(bytesOf(`${name}.untold`), name));
  const same = expectSameDrawing(await drawnOfGali(file), theirs, { cut: true });
  expect(same).toBeGreaterThan(0);
  return same / theirs.length;
}
