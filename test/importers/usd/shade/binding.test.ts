import { describe, expect, it } from 'vitest';
import { importText, quad } from '../importText.ts';

const LOOKS = ['A', 'B', 'C', 'D']
  .map(
    (name) =>
      `def Material "${name}" {\ntoken outputs:surface.connect = </${name}/s.outputs:surface>\ndef Shader "s" {\nuniform token info:id = "UsdPreviewSurface"\ntoken outputs:surface\n}\n}`,
  )
  .join('\n');

const bind = (to: string, purpose = '', stronger = false) =>
  `rel material:binding${purpose && `:${purpose}`} = </${to}>${stronger ? ' ( bindMaterialAs = "strongerThanDescendants" )' : ''}`;

/** The material path of the only mesh, and what was said. */
async function boundTo(body: string) {
  const { scene, codes } = await importText(`${body}\n${LOOKS}`);
  return [scene.materials[scene.meshes[0].primitives[0].material].path, ...codes()];
}

describe('material bindings', () => {
  it('are inherited, the nearest winning', async () => {
    expect(await boundTo(`def Xform "x" {\n${bind('A')}\n${quad('m')}\n}`)).toEqual(['/A']);
    expect(await boundTo(`def Xform "x" {\n${bind('A')}\n${quad('m', bind('B'))}\n}`)).toEqual(['/B']);
  });

  it('that are stronger than descendants win, the outermost of them', async () => {
    expect(await boundTo(`def Xform "x" {\n${bind('A', '', true)}\n${quad('m', bind('B'))}\n}`)).toEqual(['/A']);
    const both = `def Xform "x" {\n${bind('A', '', true)}\ndef Xform "y" {\n${bind('B', '', true)}\n${quad('m', bind('C'))}\n}\n}`;
    expect(await boundTo(both)).toEqual(['/A']);
  });

  it('for preview beat those for all purposes, those for full are not asked', async () => {
    expect(
      await boundTo(`def Xform "x" {\n${bind('A', 'preview')}\n${quad('m', `${bind('B')}\n${bind('C', 'full')}`)}\n}`),
    ).toEqual(['/A']);
    expect(await boundTo(quad('m', bind('C', 'full')))).toEqual(['']);
  });

  it('count without an API schema; the first target counts', async () => {
    expect(await boundTo(quad('m', 'rel material:binding = [</B>, </A>]'))).toEqual(['/B']);
  });

  it('to something else give no material, and do not fall through', async () => {
    const body = (target: string) => `def Xform "x" {\n${bind('A')}\n${quad('m', bind(target))}\n}`;
    expect(await boundTo(body('nowhere'))).toEqual(['', 'UC1900']);
    expect(await boundTo(body('x'))).toEqual(['', 'UC1900']);
  });

  it("blocked by an empty list leave the ancestor's in place", async () => {
    // ComputeBoundMaterial looks for targets: a relationship without any binds nothing at that prim.
    expect(await boundTo(`def Xform "x" {\n${bind('A')}\n${quad('m', 'rel material:binding = []')}\n}`)).toEqual([
      '/A',
    ]);
  });

  it('share one material among all prims bound to it', async () => {
    const { scene } = await importText(
      `${quad('m', bind('A'))}\n${quad('n', bind('A'))}\n${quad('o', bind('B'))}\n${LOOKS}`,
    );
    expect(scene.materials.map((m) => m.path)).toEqual(['/A', '/B']);
  });

  it('double-sidedness of a shape makes its material show both sides', async () => {
    const { scene } = await importText(
      `${quad('m', bind('A'))}\n${quad('n', `${bind('A')}\nuniform bool doubleSided = true`)}\n${quad('o', bind('B'))}\n${LOOKS}`,
    );
    expect(scene.materials.map((m) => m.doubleSided)).toEqual([true, false]);
  });
});

describe('collection bindings', () => {
  const collection = (name: string, rest: string) =>
    `${rest}\nrel material:binding:collection:${name} = [</x.collection:${name}>, </B>]`;
  const scene = (properties: string, mesh = '') =>
    `def Xform "x" {\n${properties}\ndef Xform "y" {\n${quad('m', mesh)}\n}\n}`;
  const includes = (name: string, ...paths: string[]) =>
    `rel collection:${name}:includes = [${paths.map((p) => `<${p}>`).join(', ')}]`;

  it('hold what is at or below an included path', async () => {
    expect(await boundTo(scene(collection('c', includes('c', '/x/y'))))).toEqual(['/B']);
    expect(await boundTo(scene(collection('c', includes('c', '/x/other'))))).toEqual(['']);
    expect(await boundTo(scene(collection('c', `uniform bool collection:c:includeRoot = true`)))).toEqual(['/B']);
  });

  it('the nearest path that is named decides', async () => {
    const excluded = `${includes('c', '/x')}\nrel collection:c:excludes = </x/y>`;
    expect(await boundTo(scene(collection('c', excluded)))).toEqual(['']);
    const back = `${includes('c', '/x', '/x/y/m')}\nrel collection:c:excludes = </x/y>`;
    expect(await boundTo(scene(collection('c', back)))).toEqual(['/B']);
  });

  it('with explicitOnly hold the named prims alone', async () => {
    const rule = 'uniform token collection:c:expansionRule = "explicitOnly"';
    expect(await boundTo(scene(collection('c', `${rule}\n${includes('c', '/x/y')}`)))).toEqual(['']);
    expect(await boundTo(scene(collection('c', `${rule}\n${includes('c', '/x/y/m')}`)))).toEqual(['/B']);
  });

  it('beat the direct binding of the same prim, but not of a nearer one', async () => {
    const both = `${bind('A')}\n${collection('c', includes('c', '/x'))}`;
    expect(await boundTo(scene(both))).toEqual(['/B']);
    expect(await boundTo(scene(both, bind('C')))).toEqual(['/C']);
  });

  it('may hold other collections, also in a circle', async () => {
    const nested = `${includes('c', '/x.collection:d')}\n${includes('d', '/x.collection:c', '/x/y')}`;
    expect(await boundTo(scene(collection('c', nested)))).toEqual(['/B']);
    const loop = `${includes('c', '/x.collection:d')}\n${includes('d', '/x.collection:c')}`;
    expect(await boundTo(scene(collection('c', loop)))).toEqual(['']);
  });

  it('the nearest path decides among all that are included; what a collection excludes itself goes first', async () => {
    // d holds what is at /x/y, which c excludes at /x and at /x/y.
    const deeper = `${includes('c', '/x.collection:d')}\nrel collection:c:excludes = </x>\n${includes('d', '/x/y')}`;
    expect(await boundTo(scene(collection('c', deeper)))).toEqual(['/B']);
    const same = `${includes('c', '/x.collection:d')}\nrel collection:c:excludes = </x/y>\n${includes('d', '/x/y')}`;
    expect(await boundTo(scene(collection('c', same)))).toEqual(['']);
    const inner = `${includes('c', '/x.collection:d')}\n${includes('d', '/x')}\nrel collection:d:excludes = </x/y>`;
    expect(await boundTo(scene(collection('c', inner)))).toEqual(['']);
  });

  it('by an expression are not evaluated, with a warning', async () => {
    const expression = 'pathExpression collection:c:membershipExpression = "//m"';
    expect(await boundTo(scene(collection('c', expression)))).toEqual(['', 'UC1964']);
  });

  it('stronger than descendants beat nearer direct bindings', async () => {
    const rel =
      'rel material:binding:collection:c = [</x.collection:c>, </B>] ( bindMaterialAs = "strongerThanDescendants" )';
    expect(await boundTo(scene(`${includes('c', '/x')}\n${rel}`, bind('C')))).toEqual(['/B']);
  });

  it('for preview beat those for all purposes', async () => {
    const rel = 'rel material:binding:collection:preview:c = [</x.collection:c>, </B>]';
    expect(await boundTo(scene(`${includes('c', '/x')}\n${rel}`, bind('C')))).toEqual(['/B']);
    const full = 'rel material:binding:collection:full:c = [</x.collection:c>, </B>]';
    expect(await boundTo(scene(`${includes('c', '/x')}\n${full}`))).toEqual(['']);
  });
});
