// What the options of an import do to a stage of several layers, and how instances become meshes.

import { describe, expect, it } from 'vitest';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import type { ImportOptions } from '../../../src/importers/importer.ts';
import { importUsd } from '../../../src/importers/usd/index.ts';
import { layer, meshAt, quad, usda } from './importText.ts';

async function load(body: string, options: ImportOptions, files: Record<string, Uint8Array> = {}) {
  const diagnostics = new Diagnostics();
  const context = { files: memoryFiles(files, '/'), diagnostics, options };
  const said = () => diagnostics.list.map((d) => `${d.code} ${d.severity} ${d.path}`);
  try {
    const scene = await importUsd('/r/s.usda', memoryContent(usda(body)), context);
    const drawn = scene.nodes.filter((n) => n.mesh >= 0).map((n) => n.path);
    return { scene, drawn, said: said(), thrown: false };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { scene: null, drawn: [], said: said(), thrown: true };
  }
}

describe('missing targets', () => {
  const body = `${quad('m')}\ndef "x" ( references = @./gone.usda@ ) {}`;

  it('are errors', async () => {
    expect(await load(body, {})).toMatchObject({ thrown: true, said: ['UC1711 error /x'] });
    expect(await load(body, { missingAsset: 'error' })).toMatchObject({ thrown: true });
  });

  it('are left out when dropped, and the scene is said to be incomplete', async () => {
    expect(await load(body, { missingAsset: 'drop' })).toMatchObject({
      thrown: false,
      drawn: ['/m'],
      said: ['UC1711 warning /x', 'UC1719 warning /'],
    });
  });

  it('stay errors beside what composed when the import is tolerant', async () => {
    const broken = quad('bad').replace('[0, 1, 2, 3]', '[0, 1, 2, 9]');
    expect(await load(`${body}\n${broken}`, { tolerant: true })).toMatchObject({
      thrown: false,
      drawn: ['/m'],
      said: ['UC1711 error /x', 'UC1801 error /bad'],
    });
  });
});

describe('variants and time', () => {
  it('are chosen', async () => {
    const body = `def Xform "x" ( variants = { string v = "a" }
      prepend variantSets = "v" ) {
        double3 xformOp:translate.timeSamples = { 1: (1, 0, 0), 3: (3, 0, 0) }
        uniform token[] xformOpOrder = ["xformOp:translate"]
        variantSet "v" = { "a" { ${quad('qa')}\n } "b" { ${quad('qb')}\n } }
      }`;
    const at = async (options: ImportOptions) => {
      const { drawn, scene } = await load(body, options);
      return [drawn, scene?.nodes[0].world[12]];
    };
    expect(await at({})).toEqual([['/x/qa'], 1]);
    expect(await at({ variants: [{ prim: '/x', set: 'v', name: 'b' }], time: 2 })).toEqual([['/x/qb'], 2]);
    expect(await load(body, { variants: [{ prim: '/x', set: 'v', name: 'c' }] })).toMatchObject({ thrown: true });
  });
});

describe('instances', () => {
  const files = {
    '/r/lamp.usda': layer(
      `def Xform "Lamp" {
         ${quad('bulb', 'rel material:binding = </Lamp/M>')}
         ${quad('shade')}
         def Material "M" {}
       }`,
      'defaultPrim = "Lamp"',
    ),
  };
  const body = `def Xform "l1" ( instanceable = true
      references = @./lamp.usda@ ) {
      double3 xformOp:translate = (1, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"]
      color3f[] primvars:displayColor = [(1, 0, 0)]
    }
    def Xform "l2" ( instanceable = true
      references = @./lamp.usda@ ) {
      double3 xformOp:translate = (2, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"]
      color3f[] primvars:displayColor = [(0, 1, 0)]
      over "shade" { token visibility = "invisible" }
    }
    def Xform "l3" ( instanceable = true
      references = @./lamp.usda@ ) { uniform token purpose = "guide" }
    def Xform "l4" ( instanceable = true
      references = @./lamp.usda@ ) {
      rel material:binding = </Paint> ( bindMaterialAs = "strongerThanDescendants" )
    }
    def Material "Paint" {}`;

  it('have what they inherit from their own instance, and share the meshes that need nothing of it', async () => {
    const { scene, drawn } = await load(body, {}, files);
    expect(drawn).toEqual(['/l1/bulb', '/l1/shade', '/l2/bulb', '/l2/shade', '/l4/bulb', '/l4/shade']);
    expect(scene?.nodes.filter((n) => n.mesh >= 0).map((n) => n.world[12])).toEqual([1, 1, 2, 2, 0, 0]);
    const meshes = scene?.nodes.filter((n) => n.mesh >= 0).map((n) => scene.meshes[n.mesh]);
    expect(meshes?.map((m) => m.path)).toEqual([
      ...['/l1/bulb', '/l1/shade', '/l1/bulb', '/l2/shade', '/l4/bulb', '/l4/shade'],
    ]);
    const materials = meshes?.map((m) => scene?.materials[m.primitives[0].material].path);
    expect(materials).toEqual(['/l1/M', '', '/l1/M', '', '/Paint', '/Paint']);
    expect(scene?.meshes.every((m) => m.primitives[0].triangleCount === 2 && m.primitives[0].vertexCount === 4)).toBe(
      true,
    );
    const colors = await Promise.all(
      ['/l1/shade', '/l2/shade'].map(async (path) => (await meshAt(scene!, path)).colors),
    );
    expect(colors.map((c) => Array.from(c!.data))).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
  });

  it('of a mesh that is broken are left out, each', async () => {
    const broken = {
      '/r/lamp.usda': layer(
        `def "Lamp" { ${quad('m').replace('[0, 1, 2, 3]', '[0, 1, 2, 9]')}\n }`,
        'defaultPrim = "Lamp"',
      ),
    };
    const two = ['a', 'b'].map((name) => `def "${name}" ( instanceable = true\n references = @./lamp.usda@ ) {}`);
    const { drawn, said } = await load(two.join('\n'), { tolerant: true }, broken);
    expect(drawn).toEqual([]);
    // It is measured once for both.
    expect(said.filter((line) => line.startsWith('UC1801'))).toEqual(['UC1801 error /a/m']);
  });
});
