import { describe, expect, it } from 'vitest';
import type { Attribute } from '../../../../../src/scene/types.ts';
import { errorsOf, importText, meshAt, quad } from '../../importText.ts';

/** Two triangles and a quad over five points: (0 1 4), (1 2 4), (0 4 2 3) as corners 0-2, 3-5, 6-9. */
function fan(properties = '', scheme = 'none'): string {
  return `def Mesh "m" {
    int[] faceVertexCounts = [3, 3, 4]
    int[] faceVertexIndices = [0, 1, 4, 1, 2, 4, 0, 4, 2, 3]
    point3f[] points = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 1), (1, 1, -1)]
    uniform token subdivisionScheme = "${scheme}"
    ${properties}
  }`;
}

function plain(attribute: Attribute | null | undefined) {
  if (!attribute) return null;
  const { data, size, interpolation, indices } = attribute;
  return { data: [...data], size, interpolation, indices: indices && [...indices] };
}

describe('topology', () => {
  it('counts, bounds and arrays as authored', async () => {
    const { scene, codes } = await importText(fan());
    const primitive = scene.meshes[0].primitives[0];
    expect(primitive).toMatchObject({ path: '/m', type: 'Mesh', vertexCount: 5, triangleCount: 4, subsets: [] });
    expect(primitive.bounds).toEqual({ min: [0, 0, -1], max: [2, 2, 1] });
    const mesh = await primitive.read();
    expect([...mesh.faceCounts!]).toEqual([3, 3, 4]);
    expect([...mesh.corners]).toEqual([0, 1, 4, 1, 2, 4, 0, 4, 2, 3]);
    expect([...mesh.points.slice(9)]).toEqual([0, 2, 1, 1, 1, -1]);
    expect(mesh).toMatchObject({
      holes: null,
      faceSubsets: null,
      leftHanded: false,
      missingNormals: 'flat',
      creases: null,
    });
    expect(codes()).toEqual([]);
  });

  it('a mesh of triangles has no face counts', async () => {
    const { scene } = await importText(
      'def Mesh "m" { point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\n int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0,1,2]\n}',
    );
    expect((await meshAt(scene, '/m')).faceCounts).toBeNull();
  });

  it('holes are not counted; holes that do not exist are named', async () => {
    const { scene, codes } = await importText(fan('int[] holeIndices = [2, 2, 7, -1]'));
    expect(scene.meshes[0].primitives[0].triangleCount).toBe(2);
    expect([...(await meshAt(scene, '/m')).holes!]).toEqual([0, 0, 1]);
    expect(codes()).toEqual(['UC1806']);
  });

  it('faces of fewer than three corners are skipped, and their corners with them', async () => {
    const body = `def Mesh "m" {
      int[] faceVertexCounts = [2, 3, 0, 1]
      int[] faceVertexIndices = [0, 1, 0, 1, 2, 2]
      point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
      int[] holeIndices = [0]
    }`;
    const { scene, codes } = await importText(body);
    expect(scene.meshes[0].primitives[0].triangleCount).toBe(1);
    expect([...(await meshAt(scene, '/m')).holes!]).toEqual([1, 0, 1, 1]);
    expect(codes()).toContain('UC1805');
  });

  it('left-handed meshes say so', async () => {
    const { scene } = await importText(quad('m', 'uniform token orientation = "leftHanded"'));
    expect((await meshAt(scene, '/m')).leftHanded).toBe(true);
  });

  it.each([
    ['UC1800', 'int[] faceVertexCounts = [4]', 'int[] faceVertexIndices = [0, 1, 2]', '(0,0,0),(1,0,0),(1,1,0)'],
    ['UC1800', 'int[] faceVertexCounts = [-1, 4]', 'int[] faceVertexIndices = [0, 1, 2]', '(0,0,0),(1,0,0),(1,1,0)'],
    ['UC1800', '', 'int[] faceVertexIndices = [0, 1, 2]', '(0,0,0),(1,0,0),(1,1,0)'],
    ['UC1801', 'int[] faceVertexCounts = [3]', 'int[] faceVertexIndices = [0, 1, 3]', '(0,0,0),(1,0,0),(1,1,0)'],
    ['UC1801', 'int[] faceVertexCounts = [3]', 'int[] faceVertexIndices = [0, 1, -1]', '(0,0,0),(1,0,0),(1,1,0)'],
    ['UC1802', 'int[] faceVertexCounts = [3]', 'int[] faceVertexIndices = [0, 1, 2]', '(0,0,0),(nan,0,0),(1,1,0)'],
    ['UC1802', 'int[] faceVertexCounts = [3]', 'int[] faceVertexIndices = [0, 1, 2]', '(0,0,0),(0,0,-inf),(1,1,0)'],
  ])('%s for %s %s %s', async (code, counts, indices, points) => {
    const body = `def Xform "a" { def Mesh "bad" {\n${counts}\n${indices}\npoint3f[] points = [${points}]\n}\n${quad('good')}\n}`;
    expect(await errorsOf(body)).toEqual([`${code} /a/bad`]);
  });

  it.each([
    'half3[] points = [(0,0,0),(1,0,0),(1,1,0),(0,1,0)]',
    'double3[] points = [(0,0,0),(1,0,0),(1,1,0),(0,1,0)]',
    'point3f points = (0,0,0)',
    'point3f[] points = []',
    '',
  ])('what USD does not read as points is an empty mesh: %s', async (points) => {
    const body = `def Mesh "m" { int[] faceVertexCounts = [4]\n int[] faceVertexIndices = [0,1,2,3]\n ${points}\n}`;
    const { scene, codes } = await importText(body);
    expect(scene.meshes[0].primitives[0]).toMatchObject({ vertexCount: 0, triangleCount: 0, bounds: null });
    expect((await meshAt(scene, '/m')).corners).toHaveLength(0);
    expect(codes()).toEqual(['UC1804']);
  });

  it('any role of three floats is points', async () => {
    const body =
      'def Mesh "m" { int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0,1,2]\n color3f[] points = [(0,0,0),(1,0,0),(0,3,0)]\n}';
    expect((await importText(body)).scene.meshes[0].primitives[0].bounds?.max).toEqual([1, 3, 0]);
  });

  it('animated points are the first sample, with counts and bounds of it', async () => {
    const body = `def Mesh "m" {
      int[] faceVertexCounts = [3]
      int[] faceVertexIndices = [0, 1, 2]
      point3f[] points.timeSamples = { 1: [(0,0,0),(1,0,0),(0,1,0)], 2: [(0,0,0),(9,0,0),(0,9,0)] }
    }`;
    const { scene, diagnostics } = await importText(body);
    expect(scene.meshes[0].primitives[0].bounds?.max).toEqual([1, 1, 0]);
    expect(diagnostics.list.map((d) => `${d.code} ${d.message}`)).toContain('UC1702 frozen: points');
  });
});

describe('normals and creases', () => {
  const normals = 'normal3f[] normals = [(0,0,1),(0,0,1),(0,0,1),(0,0,1),(1,0,0)]';

  it('polygons without normals are flat, subdivision surfaces smooth, and both say what they are', async () => {
    expect(await meshAt((await importText(fan('', 'bilinear'))).scene, '/m')).toMatchObject({
      normals: null,
      missingNormals: 'flat',
    });
    const smooth = await importText(fan('', 'loop'));
    expect(await meshAt(smooth.scene, '/m')).toMatchObject({ normals: null, missingNormals: 'smooth' });
    expect(smooth.codes()).toEqual(['UC1815']);
    const unauthored = await importText(fan().replace('uniform token subdivisionScheme = "none"', ''));
    expect((await meshAt(unauthored.scene, '/m')).missingNormals).toBe('smooth');
  });

  it('normals fall back to vertex, and are used on subdivision surfaces too', async () => {
    const { scene, codes } = await importText(fan(normals, 'catmullClark'));
    expect(plain((await meshAt(scene, '/m')).normals)).toMatchObject({
      interpolation: 'vertex',
      size: 3,
      indices: null,
    });
    expect(codes()).toEqual(['UC1814']);
  });

  it('primvars:normals wins, with indices', async () => {
    const primvar = `normal3f[] primvars:normals = [(0,1,0),(1,0,0)] ( interpolation = "uniform" )
      int[] primvars:normals:indices = [1, 0, 1]`;
    const { scene } = await importText(fan(`${normals}\n${primvar}`));
    expect(plain((await meshAt(scene, '/m')).normals)).toEqual({
      data: [0, 1, 0, 1, 0, 0],
      size: 3,
      interpolation: 'uniform',
      indices: [1, 0, 1],
    });
  });

  it('halves and doubles are normals too', async () => {
    const { scene } = await importText(fan('double3[] normals = [(0,0,0.5),(0,0,1)] ( interpolation = "constant" )'));
    // Two values are no constant, nor anything else here: dropped.
    expect((await meshAt(scene, '/m')).normals).toBeNull();
    const one = await importText(fan('half3[] normals = [(0,0,0.5)] ( interpolation = "constant" )'));
    expect(plain((await meshAt(one.scene, '/m')).normals)).toMatchObject({
      data: [0, 0, 0.5],
      interpolation: 'constant',
    });
  });

  it('creases are kept on subdivision surfaces, when they fit', async () => {
    const creases = (sharp: string) =>
      `int[] creaseIndices = [0, 1, 2, 4]\nint[] creaseLengths = [2, 2]\nfloat[] creaseSharpnesses = [${sharp}]`;
    const { scene } = await importText(fan(creases('10, 2.5'), 'catmullClark'));
    const kept = (await meshAt(scene, '/m')).creases!;
    expect([[...kept.vertices], [...kept.lengths], [...kept.sharpnesses]]).toEqual([
      [0, 1, 2, 4],
      [2, 2],
      [10, 2.5],
    ]);
    expect((await meshAt((await importText(fan(creases('10, 2.5')))).scene, '/m')).creases).toBeNull();
    const bad = await importText(fan(creases('1, 2, 3'), 'catmullClark'));
    expect((await meshAt(bad.scene, '/m')).creases).toBeNull();
    expect(bad.codes()).toContain('UC1813');
  });
});

describe('primvars', () => {
  const colors = (count: number, interpolation: string, extra = '') =>
    `color3f[] primvars:displayColor = [${Array.from({ length: count }, (_, i) => `(${i}, 0, 0)`).join(', ')}] ${
      interpolation ? `( interpolation = "${interpolation}" )` : ''
    }\n${extra}`;

  it.each([
    ['constant', 1, 'constant'],
    ['', 1, 'constant'],
    ['uniform', 3, 'uniform'],
    ['varying', 5, 'vertex'],
    ['vertex', 5, 'vertex'],
    ['faceVarying', 10, 'faceVarying'],
  ])('"%s" of %d values is %s', async (declared, count, interpolation) => {
    const { scene, codes } = await importText(fan(colors(count, declared)));
    const found = plain((await meshAt(scene, '/m')).colors)!;
    expect(found).toMatchObject({ interpolation, size: 3, indices: null });
    expect(found.data.filter((_, i) => i % 3 === 0)).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(codes()).toEqual([]);
  });

  it.each([
    ['constant', 10, 'faceVarying'],
    ['', 5, 'vertex'],
    ['faceVarying', 5, 'vertex'],
    ['vertex', 3, 'uniform'],
    ['uniform', 1, 'constant'],
  ])('"%s" of %d values is taken as %s, with a warning', async (declared, count, interpolation) => {
    const { scene, codes } = await importText(fan(colors(count, declared)));
    expect((await meshAt(scene, '/m')).colors?.interpolation).toBe(interpolation);
    expect(codes()).toEqual(['UC1807']);
  });

  it('what fits nothing is dropped', async () => {
    const { scene, codes } = await importText(fan(colors(7, 'vertex')));
    expect((await meshAt(scene, '/m')).colors).toBeNull();
    expect(codes()).toEqual(['UC1808']);
  });

  it('what is not finite is dropped', async () => {
    const { scene, codes } = await importText(fan('color3f[] primvars:displayColor = [(nan, 0, 0)]'));
    expect((await meshAt(scene, '/m')).colors).toBeNull();
    expect(codes()).toEqual(['UC1808']);
  });

  it('with indices, the number of indices decides', async () => {
    const { scene } = await importText(fan(colors(2, 'uniform', 'int[] primvars:displayColor:indices = [1, 1, 0]')));
    expect(plain((await meshAt(scene, '/m')).colors)).toEqual({
      data: [0, 0, 0, 1, 0, 0],
      size: 3,
      interpolation: 'uniform',
      indices: [1, 1, 0],
    });
  });

  it('indices without a value take zero, or the value that the primvar names for them', async () => {
    const zero = await importText(fan(colors(2, 'uniform', 'int[] primvars:displayColor:indices = [1, -1, 5]')));
    const padded = plain((await meshAt(zero.scene, '/m')).colors)!;
    expect(padded.indices).toEqual([1, 2, 2]);
    expect(padded.data).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0]);
    expect(zero.codes()).toEqual(['UC1809']);
    const body = colors(2, 'uniform', 'int[] primvars:displayColor:indices = [0, -1, 0]').replace(
      'interpolation = "uniform"',
      'interpolation = "uniform"; unauthoredValuesIndex = 1',
    );
    const named = await importText(fan(body));
    expect(plain((await meshAt(named.scene, '/m')).colors)!.indices).toEqual([0, 1, 0]);
  });

  it('constant ones are inherited, others are not and hide those above', async () => {
    const inherit = async (outer: string, inner: string) => {
      const body = `def Xform "a" {\n${outer}\ndef Scope "b" {\n${inner}\n${fan()}\n}\n}`;
      const { scene } = await importText(body);
      const primitive = scene.meshes[0].primitives[0];
      const found = plain((await meshAt(scene, '/a/b/m')).colors);
      return [found?.data[0], scene.materials[primitive.material].name];
    };
    expect(await inherit('color3f[] primvars:displayColor = [(0.5, 0, 0)]', '')).toEqual([0.5, 'displayColor']);
    expect(
      await inherit(
        'color3f[] primvars:displayColor = [(0.5, 0, 0)]',
        'color3f[] primvars:displayColor = [(0.25, 0, 0)]',
      ),
    ).toEqual([0.25, 'displayColor']);
    expect(await inherit('color3f[] primvars:displayColor = [(0.5, 0, 0)]', colors(2, 'vertex'))).toEqual([
      undefined,
      'default',
    ]);
    expect(await inherit('', '')).toEqual([undefined, 'default']);
  });

  it('texture coordinates are kept under their name, doubles and halves as floats, three components as two', async () => {
    const { scene } = await importText(
      fan('double2[] primvars:UVMap = [(0,0),(1,0),(1,1),(0,1),(0.5,0.25)] ( interpolation = "vertex" )'),
    );
    expect(plain((await meshAt(scene, '/m')).uvs.get('UVMap'))?.data).toEqual([0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.25]);
    const cut = await importText(fan('texCoord3f[] primvars:st = [(0.5, 0.75, 9)]'));
    expect(plain((await meshAt(cut.scene, '/m')).uvs.get('st'))).toMatchObject({ data: [0.5, 0.75], size: 2 });
  });

  it('opacity comes apart from colour, and makes the material transparent where it is below 1', async () => {
    const material = async (opacity: string) => {
      const { scene } = await importText(fan(`${colors(1, '')}\nfloat[] primvars:displayOpacity = ${opacity}`));
      const { name, alphaMode, usesVertexColors } = scene.materials[scene.meshes[0].primitives[0].material];
      return { name, alphaMode, usesVertexColors, opacities: plain((await meshAt(scene, '/m')).opacities)?.data };
    };
    expect(await material('[0.5]')).toEqual({
      name: 'displayColor_transparent',
      alphaMode: 'blend',
      usesVertexColors: true,
      opacities: [0.5],
    });
    expect(await material('[1]')).toEqual({
      name: 'displayColor',
      alphaMode: 'opaque',
      usesVertexColors: true,
      opacities: undefined,
    });
  });
});

describe('material subsets', () => {
  const looks = 'def Scope "Looks" { def Material "A" {}\ndef Material "B" {}\ndef Material "C" {} }';
  const subset = (name: string, indices: string, rest: string) => `def GeomSubset "${name}" {
      uniform token elementType = "face"
      int[] indices = ${indices}
      ${rest}
    }`;
  const bind = (to: string) => `rel material:binding = </Looks/${to}>`;
  const family = 'uniform token familyName = "materialBind"';

  it("faces that no subset claims keep the mesh's own material", async () => {
    const body = `${fan(`${bind('C')}\n${subset('a', '[2]', `${family}\n${bind('A')}`)}\n${subset('b', '[0]', bind('B'))}`)}\n${looks}`;
    const { scene } = await importText(body);
    const primitive = scene.meshes[0].primitives[0];
    const path = (index: number) => scene.materials[index].path;
    expect(path(primitive.material)).toBe('/Looks/C');
    expect(primitive.subsets.map((s) => [s.path, path(s.material), s.triangleCount])).toEqual([
      ['/m/a', '/Looks/A', 2],
      ['/m/b', '/Looks/B', 1],
    ]);
    expect([...(await meshAt(scene, '/m')).faceSubsets!]).toEqual([1, -1, 0]);
  });

  it('that claim every face leave a mesh without a binding no material, and the Scene none for it', async () => {
    const all = `${subset('a', '[1, 2]', bind('A'))}\n${subset('b', '[0]', bind('B'))}`;
    const { scene } = await importText(`${fan(all)}\n${looks}`);
    const primitive = scene.meshes[0].primitives[0];
    expect([primitive.material, scene.materials.map((m) => m.path)]).toEqual([-1, ['/Looks/A', '/Looks/B']]);
    expect([...(await meshAt(scene, '/m')).faceSubsets!]).toEqual([1, 0, 0]);
    // A binding stays, although nothing is drawn with it; faces that are left need the shared one.
    const bound = (await importText(`${fan(`${bind('C')}\n${all}`)}\n${looks}`)).scene;
    expect(bound.materials[bound.meshes[0].primitives[0].material].path).toBe('/Looks/C');
    const some = (await importText(`${fan(subset('a', '[1, 2]', bind('A')))}\n${looks}`)).scene;
    expect(some.materials[some.meshes[0].primitives[0].material]).toMatchObject({ path: '', name: 'default' });
  });

  it('the first subset keeps a face that two claim; indices of no face are skipped', async () => {
    const body = `${fan(`${subset('a', '[0, 0, 1, 3]', bind('A'))}\n${subset('b', '[1, 2]', bind('B'))}`)}\n${looks}`;
    const { scene, codes } = await importText(body);
    expect([...(await meshAt(scene, '/m')).faceSubsets!]).toEqual([0, 0, 1]);
    expect(scene.meshes[0].primitives[0].subsets.map((s) => s.triangleCount)).toEqual([2, 2]);
    expect(codes().filter((c) => c.startsWith('UC18'))).toEqual(['UC1811', 'UC1810']);
  });

  it("a subset without a binding of its own takes its parents', holes are not counted", async () => {
    const body = `${fan(`${bind('C')}\nint[] holeIndices = [2]\n${subset('a', '[1, 2]', family)}`)}\n${looks}`;
    const { scene } = await importText(body);
    const primitive = scene.meshes[0].primitives[0];
    expect(primitive.subsets).toEqual([{ path: '/m/a', material: primitive.material, triangleCount: 1 }]);
  });

  it('subsets of other families without a binding do not part the mesh; subsets of points cannot', async () => {
    const points = subset('p', '[0]', bind('A')).replace('"face"', '"point"');
    const body = `${fan(`${subset('other', '[0]', 'uniform token familyName = "physics"')}\n${points}`)}\n${looks}`;
    const { scene, codes } = await importText(body);
    expect(scene.meshes[0].primitives[0].subsets).toEqual([]);
    expect((await meshAt(scene, '/m')).faceSubsets).toBeNull();
    expect(codes()).toContain('UC1812');
  });
});
