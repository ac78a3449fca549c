// Which shapes that arcs bring in share a mesh and a material, and which do not.

import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../../../../src/importers/importer.ts';
import type { Scene, SceneMaterial } from '../../../../../src/scene/types.ts';
import { importText, layer, meshAt, quad } from '../../importText.ts';

const PREVIEW = (color: string) => `
  token outputs:surface.connect = <s.outputs:surface>
  def Shader "s" {
    uniform token info:id = "UsdPreviewSurface"
    color3f inputs:diffuseColor = (${color})
    token outputs:surface
  }`;

const LAMP = layer(
  `def Xform "Lamp" ( variantSets = "size" ) {
     ${quad('shade')}
     ${quad(
       'bulb',
       `rel material:binding = </Lamp/Glass>
        def GeomSubset "top" {
          int[] indices = [0]
          uniform token familyName = "materialBind"
          rel material:binding = </Lamp/Brass>
        }`,
     )}
     ${quad('flag').replace('point3f[] points =', 'point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], 10:').replace('(0, 1, 0)]\n', '(0, 11, 0)] }\n')}
     def Material "Glass" {${PREVIEW('0.5, 0.5, 1').replace('<s.', '</Lamp/Glass/s.')} }
     def Material "Brass" {${PREVIEW('1, 0.5, 0').replace('<s.', '</Lamp/Brass/s.')} }
     variantSet "size" = {
       "tall" { over "shade" { float3[] extent = [(0, 0, 0), (1, 1, 0)] } }
       "short" { over "shade" { point3f[] points = [(0, 0, 0), (3, 0, 0), (3, 3, 0), (0, 3, 0)] } }
     }
   }`,
  'defaultPrim = "Lamp"',
);

const FILES = { '/scene/lamp.usda': LAMP };

/** `def`s of lamps, which braces on one line end as text layers want them ended. */
async function lamps(bodies: Readonly<Record<string, string>>, rest = '', options: ImportOptions = {}) {
  const body = Object.entries(bodies).map(([name, text]) => {
    const [metadata, properties = ''] = text.split('|');
    return `def Xform "${name}" (\nreferences = @./lamp.usda@\n${metadata}\n) {\n${properties}\n}`;
  });
  const { scene, diagnostics } = await importText(
    `${body.join('\n')}\n${rest}`.replaceAll(' }', '\n}'),
    undefined,
    FILES,
    options,
  );
  expect(diagnostics.list.filter((d) => d.severity === 'error')).toEqual([]);
  return scene;
}

/** The path of the mesh that each prim is drawn with, for the shapes of one name. */
function meshesOf(scene: Scene, name: string): string[] {
  return scene.nodes.filter((n) => n.mesh >= 0 && n.name === name).map((n) => scene.meshes[n.mesh].path);
}

const ALL = ['shade', 'bulb', 'flag'];

describe('instances and references of one asset', () => {
  it('share each mesh and each material, by the names and paths of the first', async () => {
    const scene = await lamps({
      a: 'instanceable = true|double3 xformOp:translate = (1, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]',
      b: 'instanceable = true|double3 xformOp:translate = (2, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]',
      c: '|token purpose = "render"',
    });
    expect(scene.meshes.map((m) => [m.name, m.path])).toEqual(ALL.map((name) => [name, `/a/${name}`]));
    expect(scene.materials.map((m) => m.path)).toEqual(['', '/a/Glass', '/a/Brass']);
    const drawn = scene.nodes.filter((n) => n.mesh >= 0);
    expect(drawn.map((n) => n.path)).toEqual(['a', 'b', 'c'].flatMap((lamp) => ALL.map((name) => `/${lamp}/${name}`)));
    expect(drawn.map((n) => n.world[12])).toEqual([1, 1, 1, 2, 2, 2, 0, 0, 0]);
    expect(scene.meshes[1].primitives[0].subsets).toEqual([{ path: '/a/bulb/top', material: 2, triangleCount: 2 }]);
  });

  it.each([
    ['an inherited colour', '|color3f[] primvars:displayColor = [(1, 0, 0)]', ['shade', 'flag']],
    ['an inherited opacity', '|float[] primvars:displayOpacity = [0.5]', ['shade', 'flag']],
    [
      'a binding above that is stronger',
      '|rel material:binding = </Paint> ( bindMaterialAs = "strongerThanDescendants" )',
      ALL,
    ],
    ['a binding above', '|rel material:binding = </Paint>', ['shade', 'flag']],
    ['a variant with other points', 'variants = { string size = "short" }', ['shade']],
    ['an over on a shape', '|over "flag" { uniform token orientation = "leftHanded" }', ['flag']],
    ['an over on a subset', '|over "bulb" { over "top" { int[] indices = [] } }', ['bulb']],
    [
      'a subset more',
      `|over "shade" { def GeomSubset "s" { int[] indices = [0]\n rel material:binding = </Paint> } }`,
      ['shade'],
    ],
    ['an over on a shader', '|over "Glass" { over "s" { color3f inputs:diffuseColor = (0, 1, 0) } }', ['bulb']],
    ['another binding of a subset', '|over "bulb" { over "top" { rel material:binding = </Paint> } }', ['bulb']],
    ['a shape that shows both sides', '|over "flag" { uniform bool doubleSided = true }', ['flag']],
  ])('are told apart by %s', async (_, other, apart) => {
    const paint = `def Material "Paint" {${PREVIEW('1, 1, 1').replace('<s.', '</Paint/s.')} }`;
    const scene = await lamps({ a: '', b: other, c: '' }, paint);
    for (const name of ALL) {
      const own = apart.includes(name) ? 'b' : 'a';
      expect(meshesOf(scene, name)).toEqual([`/a/${name}`, `/${own}/${name}`, `/a/${name}`]);
    }
  });

  it.each([
    [
      'transforms',
      '|over "shade" { double3 xformOp:translate = (1, 2, 3)\n uniform token[] xformOpOrder = ["xformOp:translate"] }',
    ],
    ['tags', '|over "shade" { custom string userProperties:untold_tag = "x" }'],
    ['a binding to what is bound already', '|over "bulb" { rel material:binding = </b/Glass> }'],
    ['an over that says nothing', '|over "Glass" ( kind = "x" ) { }'],
    ['a primvar that no material reads', '|color3f[] primvars:temperature = [(1, 0, 0)]'],
  ])('are not told apart by %s', async (_, other) => {
    const scene = await lamps({ a: '', b: other });
    for (const name of ALL) expect(meshesOf(scene, name)).toEqual([`/a/${name}`, `/a/${name}`]);
  });

  it('are one where what they inherit is equal, wherever it is authored', async () => {
    const red = 'color3f[] primvars:displayColor = [(1, 0, 0)]';
    const scene = await lamps(
      { a: `|${red}`, b: '|color3f[] primvars:displayColor = [(0, 1, 0)]', c: `|${red}` },
      `def Xform "W" {\n${red}\n def Xform "d" ( references = @./lamp.usda@ ) {} }`,
    );
    expect(meshesOf(scene, 'shade')).toEqual(['/a/shade', '/b/shade', '/a/shade', '/a/shade']);
    expect(Array.from((await meshAt(scene, '/W/d/shade')).colors?.data ?? [])).toEqual([1, 0, 0]);
    expect(Array.from((await meshAt(scene, '/b/shade')).colors?.data ?? [])).toEqual([0, 1, 0]);
  });

  it('are told apart by the index of an inherited colour, and by long lists in any case', async () => {
    const indexed = (i: number) =>
      `|color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)]\nint[] primvars:displayColor:indices = [${i}]`;
    const long = `|color3f[] primvars:displayColor = [${Array(65).fill('(1, 0, 0)').join()}]`;
    const scene = await lamps({ a: indexed(0), b: indexed(1), c: indexed(0), d: long, e: long });
    expect(meshesOf(scene, 'shade')).toEqual(['/a/shade', '/b/shade', '/a/shade', '/d/shade', '/e/shade']);
    expect(Array.from((await meshAt(scene, '/b/shade')).colors?.indices ?? [])).toEqual([1]);
  });

  it('at other times are told apart, also where only time samples would tell', async () => {
    const moved = (offset: number) => `def Xform "o${-offset}" ( references = @./lamp.usda@ (offset = ${offset}) ) { }`;
    const scene = await lamps({ a: '' }, `${moved(0)}\n${moved(-10)}\n${moved(-20)}`, { time: 0 });
    expect(meshesOf(scene, 'flag')).toEqual(['/a/flag', '/a/flag', '/o10/flag', '/o20/flag']);
    const heights = ['/a', '/o10'].map(async (lamp) => (await meshAt(scene, `${lamp}/flag`)).points[10]);
    expect(await Promise.all(heights)).toEqual([1, 11]);
  });

  it('are one in instances within instances', async () => {
    const pair = layer(
      `def Xform "Pair" {
         def Xform "l" ( instanceable = true\n references = @./lamp.usda@ ) { }
         def Xform "r" ( references = @./lamp.usda@ ) { color3f[] primvars:displayColor = [(0, 0, 1)] } }`,
      'defaultPrim = "Pair"',
    );
    const body = ['p', 'q'].map(
      (name) => `def Xform "${name}" ( instanceable = true\n references = @./pair.usda@ ) {}`,
    );
    const { scene } = await importText(body.join('\n'), undefined, { ...FILES, '/scene/pair.usda': pair });
    expect(meshesOf(scene, 'shade')).toEqual(['/p/l/shade', '/p/r/shade', '/p/l/shade', '/p/r/shade']);
    expect(meshesOf(scene, 'bulb')).toEqual(Array(4).fill('/p/l/bulb'));
    expect(scene.materials.map((m) => m.path)).toEqual(['', '/p/l/Glass', '/p/l/Brass', '']);
  });
});

describe('shapes', () => {
  const ball = layer('def Sphere "Ball" { double radius = 0.1 }\n', 'defaultPrim = "Ball"');
  const balls = async (...bodies: readonly string[]) => {
    const { scene } = await importText(bodies.join('\n'), undefined, { '/scene/ball.usda': ball });
    return scene.nodes.filter((n) => n.mesh >= 0).map((n) => scene.meshes[n.mesh].path);
  };
  const one = (name: string, properties = '') => `def "${name}" (\nreferences = @./ball.usda@ ) {\n${properties}\n}`;
  const scaled = (scale: number) =>
    `double3 xformOp:scale = (${scale}, ${scale}, ${scale})\nuniform token[] xformOpOrder = ["xformOp:scale"]`;

  it('are one where they are cut into as many segments', async () => {
    // Radii of 0.1, 0.1001 and 1 m: 16, 16 and 52 segments.
    expect(await balls(one('a'), one('a2', scaled(1.001)), one('a3', scaled(10)))).toEqual(['/a', '/a', '/a3']);
  });

  it('whose names say different things are told apart, but not by a number', async () => {
    expect(await balls(one('Lamp_1'), one('Lamp_12'), one('Door_1'), one('Lamp'))).toEqual([
      ...['/Lamp_1', '/Lamp_1', '/Door_1', '/Lamp_1'],
    ]);
  });

  it('of other types and other materials are told apart', async () => {
    const typed = (type: string, name: string) => one(name).replace('def', `def ${type}`);
    const paint = 'rel material:binding = </Paint>';
    expect(
      await balls(
        ...[typed('Cone', 'a1'), typed('Cylinder', 'a2'), typed('Cone', 'a3'), one('b1', paint), one('b2')],
        'def Material "Paint" {}',
      ),
    ).toEqual(['/a1', '/a2', '/a1', '/b1', '/b2']);
  });

  it('that no arc brings in keep a mesh each', async () => {
    const { scene } = await importText([quad('a1'), quad('a2')].join('\n'));
    expect(scene.meshes.map((m) => m.path)).toEqual(['/a1', '/a2']);
  });

  it('of prototypes of instancers are those of the references beside them, with their subsets', async () => {
    const { scene } = await importText(
      `class "Parts" {
         def Xform "Lamp" (
           references = @./lamp.usda@
         ) {
         }
       }
       def Xform "a" (
         references = @./lamp.usda@
       ) {
       }
       def PointInstancer "i" {
         rel prototypes = </Parts/Lamp>
         int[] protoIndices = [0, 0]
         point3f[] positions = [(10, 0, 0), (20, 0, 0)]
       }`,
      undefined,
      FILES,
    );
    expect(meshesOf(scene, 'bulb')).toEqual(['/a/bulb', '/a/bulb', '/a/bulb']);
    expect(scene.meshes).toHaveLength(3);
  });
});

describe('broken meshes', () => {
  it('are said once and left out, each', async () => {
    const subset = 'def GeomSubset "s" { int[] indices = [0]\n uniform token familyName = "materialBind" }';
    const bad = layer(
      `def "Bad" { ${quad('m', subset).replace('[0, 1, 2, 3]', '[0, 1, 2, 9]')} }`,
      'defaultPrim = "Bad"',
    );
    const body = ['a', 'b'].map((name) => `def "${name}" ( references = @./bad.usda@ ) {}`).join('\n');
    const files = { '/scene/bad.usda': bad };
    const { scene, diagnostics } = await importText(`${body}\n${quad('m')}`, undefined, files, { tolerant: true });
    expect(scene.meshes.map((m) => m.path)).toEqual(['/m']);
    expect(diagnostics.list.map((d) => `${d.code} ${d.path}`)).toEqual(['UC1801 /a/m']);
  });
});

describe('primvars', () => {
  const load = async (mesh: string, bodies: readonly string[]) => {
    const asset = layer(`def Xform "A" { ${mesh} }`, 'defaultPrim = "A"');
    const prims = bodies.map((text, i) => `def "p${i}" (\nreferences = @./a.usda@ ) {\n${text}\n}`);
    const { scene } = await importText(prims.join('\n'), undefined, { '/scene/a.usda': asset });
    return scene;
  };

  it('of its own keep a shape one, however long they are', async () => {
    const colors = `color3f[] primvars:displayColor = [${Array(65).fill('(1, 0, 0)').join()}] ( interpolation = "vertex" )
      int[] primvars:displayColor:indices = [0, 1, 2, 64]`;
    const scene = await load(quad('m', colors), ['', 'color3f[] primvars:displayColor = [(0, 1, 0)]']);
    expect(meshesOf(scene, 'm')).toEqual(['/p0/m', '/p0/m']);
  });

  it('that textures are laid out by tell shapes apart', async () => {
    const material = `def Material "M" {
      token outputs:surface.connect = </A/M/s.outputs:surface>
      def Shader "s" {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </A/M/t.outputs:rgb>
        token outputs:surface
      }
      def Shader "t" {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @./t.png@
        float2 inputs:st.connect = </A/M/r.outputs:result>
        float3 outputs:rgb
      }
      def Shader "r" {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "map1"
        float2 outputs:result
      }
    }`;
    const at = (u: number) => `texCoord2f[] primvars:map1 = [(${u}, 0)]`;
    const scene = await load(`${quad('m', 'rel material:binding = </A/M>')}\n${material}`, [
      at(0.25),
      at(0.5),
      at(0.25),
    ]);
    expect(meshesOf(scene, 'm')).toEqual(['/p0/m', '/p1/m', '/p0/m']);
    expect(Array.from((await meshAt(scene, '/p1/m')).uvs.get('map1')?.data ?? [])).toEqual([0.5, 0]);
    expect(scene.materials).toHaveLength(1);
  });
});

describe('materials', () => {
  it('of other names, or of other assets, are told apart', async () => {
    const glass = layer(`def Material "Glass" {${PREVIEW('0, 0, 1').replace('<s.', '</Glass/s.')} }`);
    const from = (file: string, name: string) => `def Material "${name}" (\nreferences = @./${file}@</Glass> ) {}`;
    const body = `def "A" {\n${from('one.usda', 'Red')}\n${from('one.usda', 'Blue')}\n}
      def "B" {\n${from('one.usda', 'Red')}\n${from('two.usda', 'Blue')}\n}
      ${['/A/Red', '/A/Blue', '/B/Red', '/B/Blue'].map((path, i) => quad(`m${i}`, `rel material:binding = <${path}>`)).join('\n')}`;
    const { scene } = await importText(body, undefined, { '/scene/one.usda': glass, '/scene/two.usda': glass });
    expect(scene.meshes.map((m) => scene.materials[m.primitives[0].material].path)).toEqual([
      ...['/A/Red', '/A/Blue', '/A/Red', '/B/Blue'],
    ]);
  });
});

/** Numbers below `n` from a seed (mulberry32). */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}

/** What is drawn below a prim, but for paths and for whether both sides show, which shapes of other places may decide. */
async function drawnBelow(scene: Scene, root: string): Promise<unknown[]> {
  const surface = (index: number) => {
    if (index < 0) return null;
    const { path: _, doubleSided: _sides, ...rest }: SceneMaterial = scene.materials[index];
    const textures = Object.entries(rest.textures).map(([slot, use]) => [
      slot,
      { ...use, image: scene.images[use.image].file },
    ]);
    return { ...rest, textures };
  };
  const rows: unknown[] = [];
  for (const { path, mesh, world } of scene.nodes) {
    if (mesh < 0 || !path.startsWith(`${root}/`)) continue;
    const [{ path: _, read, undrawnSets, subsets, material, ...counts }] = scene.meshes[mesh].primitives;
    const parts = subsets.map((subset) => [subset.triangleCount, surface(subset.material)]);
    rows.push([path, [...world], counts, undrawnSets?.(), surface(material), parts, await read()]);
  }
  return rows;
}

describe('a stage of many placements', () => {
  it.each([1, 2, 3, 4, 5, 6])('draws each as if it were the only one (seed %i)', async (seed) => {
    const below = random(seed);
    const maybe = (text: string) => (below(3) === 0 ? text : '');
    const color = () => `(${below(2)}, ${below(2)}, 1)`;
    const bodies: Record<string, string> = {};
    const count = 24;
    for (let i = 0; i < count; i++) {
      const metadata = [
        maybe('instanceable = true'),
        maybe(`variants = { string size = "${below(2) === 0 ? 'short' : 'tall'}" }`),
      ];
      const properties = [
        maybe(`color3f[] primvars:displayColor = [${color()}]`),
        maybe(`float[] primvars:displayOpacity = [${below(2) / 2}]`),
        maybe(
          `rel material:binding = </Paint> (\nbindMaterialAs = "${below(2) === 0 ? 'weaker' : 'stronger'}ThanDescendants"\n)`,
        ),
        maybe(`over "shade" { color3f[] primvars:displayColor = [${color()}] }`),
        maybe(`over "Glass" { over "s" { color3f inputs:diffuseColor = ${color()} } }`),
        maybe('over "bulb" { over "top" { int[] indices = [] } }'),
        maybe(
          below(2) === 0
            ? 'over "flag" { rel material:binding = </Paint> }'
            : 'over "flag" { point3f[] points = [(0, 0, 0), (1, 0, 0), (5, 5, 0), (0, 1, 0)] }',
        ),
      ];
      bodies[`l${i}`] = `${metadata.join('\n')}|${properties.join('\n')}`;
    }
    const paint = `def Material "Paint" {${PREVIEW('1, 1, 1').replace('<s.', '</Paint/s.')} }`;
    const all = await lamps(bodies, paint);
    // Some are shared and some are not, or nothing was tried.
    expect(all.meshes.length).toBeGreaterThan(6);
    expect(all.meshes.length).toBeLessThan(3 * count - 6);
    for (const name of Object.keys(bodies)) {
      const alone = await lamps(bodies, paint, { select: [`/${name}`] });
      const rows = await drawnBelow(all, `/${name}`);
      expect(rows).toHaveLength(3);
      expect(rows).toEqual(await drawnBelow(alone, `/${name}`));
    }
  });
});
