import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../../../src/importers/importer.ts';
import { importText, layer, quad } from '../importText.ts';

async function drawn(body: string, options: ImportOptions, metadata?: string, files?: Record<string, Uint8Array>) {
  const { scene, diagnostics } = await importText(body, metadata, files, { ...options, tolerant: true });
  return {
    nodes: scene.nodes.filter((node) => node.mesh >= 0).map((node) => node.path),
    scene,
    said: diagnostics.list.map((d) => `${d.code} ${d.path}`),
  };
}

const INSTANCER = `def PointInstancer "Trees" {
  int[] protoIndices = [0, 1, 0]
  point3f[] positions = [(0, 0, 0), (5, 0, 0), (9, 0, 0)]
  int64[] invisibleIds = [2]
  rel prototypes = [</Trees/Oak>, </Shelf/Elm>]
  ${quad('Oak')}
}
def Xform "Shelf" {
  ${quad('Elm')}
}`;

describe('parts of a stage', () => {
  it('whose prototypes stand elsewhere are whole', async () => {
    expect((await drawn(INSTANCER, { select: ['/Trees'] })).nodes).toEqual(['/Trees/Oak', '/Shelf/Elm']);
  });

  it('without a prototype are without its instances', async () => {
    expect((await drawn(INSTANCER, { exclude: ['/Shelf'] })).nodes).toEqual(['/Trees/Oak']);
    expect((await drawn(INSTANCER, { exclude: ['/Trees/Oak'] })).nodes).toEqual(['/Shelf/Elm', '/Shelf/Elm']);
  });

  it('within an instancer draw nothing: prototypes are not drawn in place', async () => {
    const { nodes, said } = await drawn(INSTANCER, { select: ['/Trees/Oak'] });
    expect([nodes, said]).toEqual([[], ['UC1824 /']]);
  });

  it('may lie in instances', async () => {
    const body = `def "A" ( instanceable = true; references = @asset.usda@</Tree> ) {\n}
      def "B" ( instanceable = true; references = @asset.usda@</Tree> ) {\n}`;
    const asset = { '/scene/asset.usda': layer(`def Xform "Tree" {\n${quad('Crown')}\n${quad('Trunk')}\n}`) };
    const { nodes } = await drawn(body, { select: ['/B'], exclude: ['/B/Trunk'] }, undefined, asset);
    expect(nodes).toEqual(['/B/Crown']);
  });

  it('keep the transforms, purposes and visibility above them', async () => {
    const inner = `def Xform "In" {\n${quad('a')}\n}`;
    const moved = 'double3 xformOp:translate = (0, 0, 7)\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const { scene } = await drawn(`def Xform "Out" {\n${moved}\n${inner}\n}`, { select: ['/Out/In'] });
    expect(scene.nodes.map((node) => [node.path, node.world[14]])).toEqual([
      ['/Out', 7],
      ['/Out/In', 7],
      ['/Out/In/a', 7],
    ]);
    const proxy = `def Xform "Out" {\nuniform token purpose = "proxy"\n${inner}\n}`;
    expect((await drawn(proxy, { select: ['/Out/In'] })).nodes).toEqual([]);
    const hidden = `def Xform "Out" {\ntoken visibility = "invisible"\n${inner}\n}`;
    expect((await drawn(hidden, { select: ['/Out/In'] })).said).toEqual(['UC1824 /', 'UC1820 /Out']);
  });

  it('say nothing of what is beside them', async () => {
    const body = `def Xform "x" {\ndef BasisCurves "c" {\n}\n}\n${quad('a')}`;
    expect((await drawn(body, {})).said).toEqual(['UC1831 /x/c']);
    expect((await drawn(body, { select: ['/a'] })).said).toEqual([]);
    expect((await drawn(body, { exclude: ['/x'] })).said).toEqual([]);
  });
});

it('instances that are invisible are drawn when invisible prims are', async () => {
  const { nodes } = await drawn(INSTANCER, { invisible: true, select: ['/Trees'] });
  expect(nodes).toEqual(['/Trees/Oak', '/Shelf/Elm', '/Trees/Oak']);
});

it('instances have the purposes that are chosen', async () => {
  const proxies = INSTANCER.replace('def Xform "Shelf" {', 'def Xform "Shelf" {\n  uniform token purpose = "proxy"');
  expect((await drawn(proxies, { select: ['/Trees'] })).nodes).toEqual(['/Trees/Oak']);
  expect((await drawn(proxies, { select: ['/Trees'], purposes: ['proxy'] })).nodes).toEqual(['/Shelf/Elm']);
});

describe('a given unit and axis', () => {
  const asset = { '/scene/asset.usda': layer(quad('m'), 'metersPerUnit = 1\n upAxis = "Z"') };
  const body = 'def "a" ( references = @asset.usda@</m> ) {\n}';

  it('are what other layers are compared to', async () => {
    expect((await drawn(body, {}, '(\n metersPerUnit = 0.01\n upAxis = "Y"\n)\n', asset)).said).toEqual(['UC1706 /']);
    const given = { metersPerUnit: 1, upAxis: 'Z' } as const;
    expect((await drawn(body, given, '(\n metersPerUnit = 0.01\n upAxis = "Y"\n)\n', asset)).said).toEqual([]);
  });

  it('place lights and cameras too', async () => {
    const light =
      'def SphereLight "l" {\ndouble3 xformOp:translate = (0, 0, 3)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n}';
    const { scene } = await drawn(`${light}\n${quad('q')}`, { metersPerUnit: 2, upAxis: 'Z' });
    // (0, 0, 3) is up: (0, 6, 0) in metres.
    expect([...scene.lights![0].world.slice(12, 15)]).toEqual([0, 6, 0]);
  });
});
