// What applications have noted in a glTF file: a GLB keeps it for nodes and the file, and what is lost has a code.

import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesOf, fileOf, toGlb, toUntold, useFolder } from '../../formats/glb/cooking.ts';
import { openGlb } from '../../formats/glb/glb.ts';
import { buildGlb, type SceneInput } from '../../importers/gltf/build.ts';
import { box } from './treeScenes.ts';

useFolder();

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

const NOTED: SceneInput = {
  meshes: [{ name: 'Box', primitives: [{ ...box([0, 0, 0], [1, 1, 1]), material: 0 }], extras: { targetNames: [] } }],
  materials: [{ name: 'Red', extras: { shader: 7 } }],
  nodes: [
    { name: 'Shop', mesh: 0, extras: { opens: '09:00', floors: [1, 2] } },
    { name: 'Deep', mesh: 0, translation: [2, 0, 0], extras: { level: deep(40) } },
    { name: 'Tagged', mesh: 0, translation: [4, 0, 0], extras: { untold_tile_policy: 'always_loaded' } },
  ],
  root: { asset: { version: '2.0', copyright: '2026 A. Mason, CC-BY 4.0', extras: { title: 'Shops' } } },
};

const notesOf = (diagnostics: readonly { code: string; message: string }[]) =>
  diagnostics.filter(({ code }) => code === 'UC2468').map(({ message }) => message);

test('a GLB keeps them, and says what it does not', async () => {
  writeFileSync(fileOf('noted.glb'), buildGlb(NOTED));
  for (const [from, to, lost] of [
    ['noted.glb', 'first.glb', ['extras of 1 material, extras of 1 node, nested too deep']],
    ['first.glb', 'second.glb', []],
  ] as const) {
    expect(notesOf((await toGlb(fileOf(from), to)).diagnostics)).toEqual(lost);
    const { json } = openGlb(bytesOf(to));
    expect([json.asset.copyright, json.asset.extras]).toEqual(['2026 A. Mason, CC-BY 4.0', { title: 'Shops' }]);
    const extras = Object.fromEntries(
      json.nodes.map(({ name, extras: own }: { name: string; extras: unknown }) => [name, own]),
    );
    expect(extras).toEqual({
      Shop: { opens: '09:00', floors: [1, 2] },
      // Nested too deep for a reader that recurses.
      Deep: undefined,
      Tagged: { untold_tile_policy: 'always_loaded' },
    });
  }
});

test('other outputs have no place for them, which is said once', async () => {
  writeFileSync(fileOf('noted2.glb'), buildGlb(NOTED));
  const all =
    'asset.copyright, extras of asset, extras of 1 node, extras of 1 material, extras of 1 node, nested too deep';
  expect(notesOf((await toUntold(fileOf('noted2.glb'), 'noted.untold')).diagnostics)).toEqual([all]);
  expect(notesOf((await toGlb(fileOf('noted2.glb'), 'flat.glb', { flatten: true })).diagnostics)).toEqual([
    'extras of 1 node, extras of 1 material, extras of 1 node, nested too deep',
  ]);
  expect(openGlb(bytesOf('flat.glb')).json.asset.copyright).toBe('2026 A. Mason, CC-BY 4.0');
});
