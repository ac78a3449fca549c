// Variant sets named LOD: what is read of their variants, and what is said of them.

import { expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/importers/importer.ts';
import { importText, quad } from './importText.ts';

/** A prim with a set of these variants, each of which has so many quads. */
function lods(prim: string, variants: Readonly<Record<string, string>>, selected: string, inside = ''): string {
  const bodies = Object.entries(variants).map(([name, body]) => `"${name}" {\n${body}\n}`);
  return `def Xform "${prim}" (
    variantSets = ["LOD"]
    variants = { string LOD = "${selected}" }
  ) {
    ${inside}
    variantSet "LOD" = {\n${bodies.join('\n')}\n}
  }`;
}

const quads = (count: number, properties = '') =>
  Array.from({ length: count }, (_, i) => quad(`q${i}`, properties)).join('\n');

async function read(body: string, options: ImportOptions = {}) {
  const { scene, diagnostics } = await importText(body, undefined, {}, { lodGroups: true, ...options });
  const { nodes, meshes } = scene;
  const drawnBelow = (roots: readonly number[]): number => {
    const below = new Set(roots);
    for (const [i, { parent }] of nodes.entries()) if (below.has(parent)) below.add(i);
    return [...below].filter((node) => nodes[node].mesh >= 0).length;
  };
  return {
    drawn: nodes.filter(({ mesh }) => mesh >= 0).map(({ path }) => path),
    groups: (scene.lodGroups ?? []).map(({ path, levels }) => [path, ...levels.map(drawnBelow)]),
    said: diagnostics.list.map(({ code, path, message }) => `${code} ${path}: ${message}`),
    meshes,
  };
}

test('of many variants, those with the lowest numbers are read beside the selected one, and the rest is named', async () => {
  // Level n has 14 - n quads.
  const variants = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`LOD${n}`, quads(14 - n)]));
  const { groups, said } = await read(`${lods('a', variants, 'LOD11')}\n${lods('b', variants, 'LOD3')}`);
  expect(groups).toEqual([
    ['/a', 14, 13, 12, 11, 10, 9, 8, 7, 3],
    ['/b', 14, 13, 12, 11, 10, 9, 8, 7, 6],
  ]);
  expect(said).toEqual(['UC2099 /a: not read: variants of 2 sets; this is the first']);
  const one = await read(lods('a', variants, 'LOD0'));
  expect(one.said).toEqual(['UC2099 /a: not read: 3 variants of the set "LOD"']);
});

test('variants without numbers are in the order of their triangles', async () => {
  const { groups } = await read(lods('a', { low: quads(1), high: quads(3), middle: quads(2) }, 'middle'));
  expect(groups).toEqual([['/a', 3, 2, 1]]);
});

test('nothing outside of what is selected is read, at no level', async () => {
  const variants = { LOD0: quads(2), LOD1: quads(1) };
  const two = `def Xform "world" {\n${lods('a', variants, 'LOD1')}\n${lods('b', variants, 'LOD1')}\n}\n${quad('other')}`;
  const { drawn, groups, said } = await read(two, { select: ['/world/b'] });
  expect([groups, said]).toEqual([[['/world/b', 2, 1]], []]);
  expect(drawn).toEqual(['/world/b/q0', '/world/b/q0', '/world/b/q1']);
  // What is selected within a level is that level's.
  const within = await read(two, { select: ['/world/b/q0'] });
  expect([within.groups, within.drawn]).toEqual([[], ['/world/b/q0']]);
  // The level has no prim there.
  const finest = two.replaceAll('LOD = "LOD1"', 'LOD = "LOD0"');
  const without = await read(finest, { select: ['/world'], exclude: ['/world/b/q1'] });
  expect(without.groups).toEqual([
    ['/world/a', 2, 1],
    ['/world/b', 1, 1],
  ]);
});

test('what moves full detail is not said of its levels, and an empty level is none', async () => {
  const influences = 'int[] primvars:skel:jointIndices = [0, 0, 0, 0] ( interpolation = "vertex" )';
  const variants = { LOD0: quads(2, influences), LOD1: quads(1, influences), LOD2: '' };
  const { groups, said } = await read(lods('a', variants, 'LOD0'));
  expect(groups).toEqual([['/a', 2, 1]]);
  expect(said).toEqual(['UC1837 /a/q0: cooked as authored points: 2 skinned or blended meshes; this is the first']);
});

test('a variant that the caller chooses counts where a level alone has it', async () => {
  const inner = `def Xform "inner" ( variantSets = ["v"] ) {\nvariantSet "v" = { "x" { ${quad('x')}\n } "y" {\n }\n }\n}`;
  const body = lods('a', { LOD0: quads(3), LOD1: `${quads(1)}\n${inner}` }, 'LOD0');
  const { groups, said } = await read(body, { variants: [{ prim: '/a/inner', set: 'v', name: 'x' }] });
  expect([groups, said]).toEqual([[['/a', 3, 2]], []]);
  await expect(read(body, { variants: [{ prim: '/a/gone', set: 'v', name: 'x' }] })).rejects.toMatchObject({
    diagnostics: [expect.objectContaining({ code: 'UC1720' })],
  });
});

test('what a level misses is counted with the rest', async () => {
  const missing = (name: string) => `def "${name}" ( references = @./${name}.usda@ ) {}`;
  const body = lods('a', { LOD0: quads(2), LOD1: `${quads(1)}\n${missing('gone')}` }, 'LOD0', missing('lost'));
  const { said } = await read(body, { missingAsset: 'drop' });
  expect(said.filter((text) => text.startsWith('UC1719'))).toEqual([
    'UC1719 /: the scene is incomplete: left out 2 arcs or sublayers with missing targets',
  ]);
});
