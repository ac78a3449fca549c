import { describe, expect, it } from 'vitest';
import { importText, quad } from '../importText.ts';

async function drawn(body: string) {
  const { scene, diagnostics } = await importText(body);
  return {
    paths: scene.meshes.map((m) => m.path),
    nodes: scene.nodes.map((n) => n.path),
    said: diagnostics.list.map((d) => `${d.code} ${d.path}`),
    messages: diagnostics.list.map((d) => d.message),
  };
}

describe('what is drawn', () => {
  it('defined prims, but neither overs nor classes nor what is below them', async () => {
    const body = `${quad('a')}\nover "o" {\n${quad('b')}\n}\nclass Xform "k" {\n${quad('c')}\n}\n${quad('d').replace('def', 'over')}\n${quad('e', '', '( active = false )')}`;
    expect(await drawn(body)).toMatchObject({ paths: ['/a'], nodes: ['/a'], said: [] });
  });

  it('nothing below an invisible prim, whatever it says itself', async () => {
    const body = `def Xform "x" {\ntoken visibility = "invisible"\n${quad('a', 'token visibility = "inherited"')}\n}\n${quad('b')}`;
    expect(await drawn(body)).toMatchObject({ paths: ['/b'], said: ['UC1820 /x'] });
  });

  it('visibility on a prim that is not imageable counts for nothing', async () => {
    const body = `def "x" {\ntoken visibility = "invisible"\ntoken purpose = "guide"\n${quad('a')}\n}`;
    expect((await drawn(body)).paths).toEqual(['/x/a']);
  });

  it('default and render; the nearest authored purpose counts', async () => {
    const body = `def Xform "p" {\nuniform token purpose = "proxy"\n${quad('hidden')}\n${quad('shown', 'uniform token purpose = "render"')}\n}
      ${quad('guide', 'uniform token purpose = "guide"')}\n${quad('other', 'uniform token purpose = "other"')}\n${quad('plain')}`;
    const { paths, said } = await drawn(body);
    expect(paths).toEqual(['/p/shown', '/plain']);
    expect(said).toEqual(['UC1821 /p/hidden', 'UC1821 /guide', 'UC1823 /other']);
  });

  it('a scene of proxies alone says so', async () => {
    const { paths, said } = await drawn(quad('a', 'uniform token purpose = "proxy"'));
    expect(paths).toEqual([]);
    expect(said).toEqual(['UC1821 /a', 'UC1822 /']);
  });

  it('an empty scene says so', async () => {
    expect(await drawn('def Xform "x" {}')).toMatchObject({ paths: [], nodes: [], said: ['UC1824 /'] });
  });

  it('shapes below shapes, and nodes for the ancestors of what is drawn only', async () => {
    const body = `def Xform "a" {\ndef Xform "empty" {}\n${quad('m', quad('inner'))}\ndef Scope "s" {\n${quad('n')}\n}\n}\ndef Xform "none" {}`;
    const { paths, nodes } = await drawn(body);
    expect(paths).toEqual(['/a/m', '/a/m/inner', '/a/s/n']);
    expect(nodes).toEqual(['/a', '/a/m', '/a/m/inner', '/a/s', '/a/s/n']);
  });

  it('parents come first and point to each other', async () => {
    const { scene } = await importText(`def Xform "a" {\n${quad('m')}\n${quad('n')}\n}\n${quad('z')}`);
    expect(scene.nodes.map((n) => [n.name, n.parent, n.mesh])).toEqual([
      ['a', -1, -1],
      ['m', 0, 0],
      ['n', 0, 1],
      ['z', -1, 2],
    ]);
  });

  it('deep hierarchies do not end the stack', async () => {
    const depth = 200;
    const body = `${'def Xform "x" {\n'.repeat(depth)}${quad('m')}\n${'}\n'.repeat(depth)}`;
    expect((await drawn(body)).nodes).toHaveLength(depth + 1);
  });
});

describe('what is left out', () => {
  it.each([
    ['UC1831', 'BasisCurves'],
    ['UC1832', 'Points'],
    ['UC1833', 'Volume'],
    ['UC1834', 'NurbsPatch'],
    ['UC1835', 'DomeLight'],
    ['UC1857', 'GeometryLight'],
    ['UC1857', 'LightFilter'],
    ['UC1838', 'Gizmo'],
  ])('%s names %s once, with their number', async (code, type) => {
    const { said, messages, paths } = await drawn(
      `def ${type} "one" {\n${quad('m')}\n}\ndef ${type} "two" {}\ndef ${type} "three" {}`,
    );
    expect(said).toEqual([`${code} /one`]);
    expect(messages[0]).toContain('3');
    expect(paths).toEqual(['/one/m']);
  });

  it('skins and blend shapes, the meshes being cooked as authored', async () => {
    const skin = 'int[] primvars:skel:jointIndices = [0, 0, 0, 0] ( interpolation = "vertex" )';
    const { paths, said } = await drawn(
      `def SkelRoot "r" {\ndef Skeleton "s" {}\n${quad('m', skin)}\n${quad('n', 'uniform token[] skel:blendShapes = ["a"]')}\n}`,
    );
    expect(paths).toEqual(['/r/m', '/r/n']);
    expect(said).toEqual(['UC1837 /r/m']);
  });

  it('draw modes, where they are applied', async () => {
    const mode = (applied: string) =>
      `uniform token model:drawMode = "cards"\nuniform bool model:applyDrawMode = ${applied}`;
    const body = `def Xform "a" {\n${mode('true')}\n${quad('m')}\n}\ndef Xform "b" {\n${mode('false')}\n${quad('m')}\n}`;
    expect((await drawn(body)).said).toEqual(['UC1839 /a']);
  });

  it('animation is named for what is drawn and for cameras, with what they follow', async () => {
    const moving =
      'double3 xformOp:translate.timeSamples = { 1: (0, 0, 0), 2: (1, 0, 0) }\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const rig = `def Xform "rig" {\n${moving}\ndef Camera "c" {\n${moving}\n}\ndef DomeLight "d" {\n${moving}\n}\n}`;
    const body = `${rig}\ndef Xform "cart" {\n${moving}\n${quad('m')}\n}`;
    expect((await drawn(body)).said).toEqual(['UC1702 /rig/c', 'UC1702 /rig', 'UC1702 /cart', 'UC1835 /rig/d']);
  });
});
