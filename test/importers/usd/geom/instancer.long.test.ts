// Point instancers with as many instances as there may be.

import { expect, it } from 'vitest';
import { errorsOf, importText } from '../importText.ts';

it('point instancers may be nested as long as they place no more than 131,072 shapes besides 16 for each authored instance', async () => {
  const many = (name: string, prototype: string, count: number, inside: string) => `def PointInstancer "${name}" {
    rel prototypes = <${prototype}>
    int[] protoIndices = [${new Array(count).fill(0).join(', ')}]
    point3f[] positions = [${new Array(count).fill('(0, 0, 0)').join(', ')}]
    ${inside}
  }`;
  const nested = (name: string, outer: number, inner: number) =>
    many(name, `/${name}/b`, outer, many('b', `/${name}/b/c`, inner, `def Cube "c" {}`));
  // 131,072 + 16 * (500 + 286) = 143,648; an instancer of 286 cubes placed 500 times makes 143,000, one of 288 144,000.
  expect((await importText(nested('a', 500, 286))).scene.nodes.filter(({ mesh }) => mesh >= 0).length).toBe(143_000);
  expect(await errorsOf(nested('a', 500, 288))).toEqual(['UC1843 /a']);
  // Two together have the 131,072 once, in whatever order: 70,000 + 75,000 are 145,000 of 131,072 + 16 * 1,010.
  expect(await errorsOf(`${nested('a', 200, 350)}\n${nested('b', 300, 250)}`)).toEqual([]);
  // 150,000 are more than 131,072 + 16 * 1,100.
  expect(await errorsOf(`${nested('a', 250, 300)}\n${nested('b', 300, 250)}`)).toEqual(['UC1843 /b']);
});
