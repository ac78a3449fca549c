// pack --arkit: the composed stage as one crate with Y up, PNG and JPEG textures, which validate --arkit accepts.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importScene, inspect, inspectStage, pack, type StagePrimRow, unpack, validate } from '../../../src/index.ts';
import { prim, writeCrate } from '../../importers/usd/crateWriter.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { RED_PNG } from '../../support/squareGltf.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SAMPLES = join(ROOT, 'samples');
const ASSETS = resolve(ROOT, '../shared/assets/usd');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const out = () => at('out.usdz');

/** Packs a source for ARKit, and has validate accept it. Codes of what was reported, and the files. */
async function packed(source: string) {
  const { document, diagnostics } = await pack(source, { out: out(), arkit: true });
  if (!document) return { codes: diagnostics.map(({ code }) => code), files: [] };
  const { files } = await validate(out(), { arkit: true });
  expect(files[0].diagnostics).toEqual([]);
  return { codes: diagnostics.map(({ code }) => code), files: document.files.map(({ path }) => path) };
}

/** The prims of a composed stage by path, with their values at a time. */
async function stage(path: string, options: Parameters<typeof inspectStage>[2] = {}) {
  const rows: Record<string, StagePrimRow> = {};
  await inspectStage(path, (row) => Object.assign(rows, { [row.path]: row }), options);
  return rows;
}

/** The bounds of a source in metres with Y up. */
async function box(path: string) {
  const { document } = await inspect(path);
  return document && 'bounds' in document ? document.bounds : null;
}

const MESH = `def Mesh "M"
  {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 5)]
  }`;
const scene = (body: string, head = '  upAxis = "Y"\n  metersPerUnit = 1\n  defaultPrim = "A"\n') =>
  `#usda 1.0\n(\n${head})\ndef Xform "A"\n{\n  ${body}\n}\n`;
const textured = (file: string, more = '') => `def Shader "T"
  {
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @${file}@
    ${more}
  }`;

describe('what is packed', () => {
  test('the courtyard of the samples: the same stage, the same bytes twice, as one aligned crate with its textures', async () => {
    const source = join(SAMPLES, 'courtyard.usdz');
    const { codes, files } = await packed(source);
    expect(codes).toEqual([]);
    expect(files[0]).toBe('courtyard.usdc');
    expect(files.slice(1).every((name) => /^textures\/[\w.-]+\.(png|jpg)$/.test(name))).toBe(true);
    const first = readFileSync(out());
    await packed(source);
    expect(readFileSync(out()).equals(first)).toBe(true);
    const [own, their] = [await stage(source), await stage(out())];
    expect(Object.keys(their)).toEqual(Object.keys(own));
    for (const [path, row] of Object.entries(own)) {
      // Instances have children of their own, and textures other names.
      expect(their[path].instance).toBe(false);
      expect(their[path].type).toBe(row.type);
      expect(their[path].relationships).toEqual(row.relationships);
      const { 'inputs:file': _own, ...attributes } = row.attributes;
      const { 'inputs:file': _their, ...written } = their[path].attributes;
      expect(written).toEqual(attributes);
    }
  });

  test('a package of ours again, a folder, and through the command line', async () => {
    mkdirSync(at('in'));
    writeFileSync(at('in/a.usda'), scene(textured('t/red.png')));
    put(folder, 'in/t/red.png', RED_PNG);
    expect(await packed(at('in'))).toEqual({ codes: [], files: ['a.usdc', 'textures/red.png'] });
    writeFileSync(at('a.usdz'), readFileSync(out()));
    const ran = await untold(folder, ['pack', 'a.usdz', '--arkit', '--out', 'again.usdz']);
    expect([ran.code, ran.stderr]).toEqual([0, 'again.usdz: 2 files, 1.2 kB\n']);
    expect(readFileSync(at('again.usdz')).equals(readFileSync(out()))).toBe(true);
  });

  test.skipIf(!existsSync(ASSETS))('packages of others (skipped where the assets are not there)', async () => {
    const sources = [
      'usdz/CesiumMan/CesiumMan.usdz',
      'tinyusdz-models/cube.usdz',
      'tinyusdz-models/texture-cat-plane.usdz',
      'usdwg-tests/RoughnessTest/RoughnessTest.usdz',
      'usdwg-tests/NormalsTextureBiasAndScale/NormalsTextureBiasAndScale.usdz',
      'mcusd/McUsd.usda',
      'tinyusdz-models/blendshape.usda',
    ];
    for (const source of sources) expect((await packed(join(ASSETS, source))).files.length).toBeGreaterThan(0);
  });

  test('what arcs bring in, instances with children of their own, and animation in the time of the stage', async () => {
    put(
      folder,
      'part.usda',
      scene(
        `double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (1, 0, 0) }\n  uniform token[] xformOpOrder = ["xformOp:translate"]\n  rel of = </A/M>\n  ${MESH}`,
      ),
    );
    const body = ['One', 'Two'].map(
      (name) =>
        `def "${name}" (\n    instanceable = true\n    references = @part.usda@ (offset = 5; scale = 2)\n  )\n  {\n  }`,
    );
    const source = put(folder, 'all.usda', `${scene(body.join('\n'))}class "Unused"\n{\n}\n`);
    expect((await packed(source)).codes).toEqual([]);
    const rows = await stage(out());
    expect(Object.keys(rows)).toEqual(['/A', '/A/One', '/A/One/M', '/A/Two', '/A/Two/M']);
    expect(rows['/A/Two'].relationships.of).toEqual(['/A/Two/M']);
    const later = await stage(out(), { time: 15 });
    expect(later['/A/One'].attributes['xformOp:translate'].value).toEqual([0.5, 0, 0]);
  });

  test('Z up is turned to Y up, also where a prim resets its transforms', async () => {
    const reset = `def Xform "R"\n  {\n    double3 xformOp:translate = (0, 0, 7)\n    uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]\n    ${MESH}\n  }\n  def DomeLight_1 "D"\n  {\n  }`;
    const source = put(
      folder,
      'z.usda',
      scene(`${MESH}\n  ${reset}`, '  upAxis = "Z"\n  metersPerUnit = 0.5\n  defaultPrim = "A"\n'),
    );
    await packed(source);
    const [own, their] = [await box(source), await box(out())];
    expect(their).toEqual(own);
    expect((await importScene(out())).scene?.upAxis).toBe('Y');
    const rows = await stage(out());
    expect(rows['/Root/A/R'].attributes.xformOpOrder.value).toEqual([
      '!resetXformStack!',
      'xformOp:transform:yUp',
      'xformOp:translate',
    ]);
    expect(rows['/Root/A/D'].attributes.poleAxis.value).toBe('Z');
  });

  test('time samples that begin with a block, a lone sample, and a default beside samples', async () => {
    const body =
      'custom float late = 3\n  custom float late.timeSamples = { 0: None, 5: 2 }\n  custom float one.timeSamples = { 7: 1.5 }';
    await packed(put(folder, 't.usda', scene(body)));
    const value = async (time: number) => (await stage(out(), { time }))['/A'].attributes.late.value;
    expect([await value(0), await value(4), await value(5)]).toEqual([null, null, 2]);
    expect((await stage(out()))['/A'].attributes.one.value).toBe(1.5);
  });

  test('materials of equal instances are named once', async () => {
    const other =
      'def Material "Mat"\n  {\n    token outputs:surface.connect = </A/Mat/S.outputs:out>\n    def Shader "S"\n    {\n      uniform token info:id = "Other"\n      token outputs:out\n    }\n  }';
    put(folder, 'part.usda', scene(other));
    const body = ['One', 'Two', 'Three'].map(
      (name) => `def "${name}" (\n    instanceable = true\n    references = @part.usda@\n  )\n  {\n  }`,
    );
    expect((await packed(put(folder, 'all.usda', scene(body.join('\n'))))).codes).toEqual(['UC2470']);
  });

  test('a stage that states nothing, and one without a prim', async () => {
    await packed(put(folder, 'two.usda', '#usda 1.0\ndef Sphere "A"\n{\n}\ndef Sphere "B"\n{\n}\n'));
    expect(Object.keys(await stage(out()))).toEqual(['/Root', '/Root/A', '/Root/B']);
    await packed(put(folder, 'none.usda', '#usda 1.0\n'));
    expect(Object.keys(await stage(out()))).toEqual(['/Root']);
  });

  test('names that are no ASCII identifiers, with the paths that lead to them, and empty arrays', async () => {
    const odd = (name: string) => `/A/${name}`;
    const names = ['Haus', 'Hä us', 'H_ us', '1', 'ä'];
    const specs = { '/A': prim('Xform'), ...Object.fromEntries(names.map((name) => [odd(name), prim('Scope')])) };
    writeFileSync(at('odd.usdc'), writeCrate(specs));
    await packed(at('odd.usdc'));
    expect(Object.keys(await stage(out()))).toEqual(['/A', '/A/Haus', '/A/H__us', '/A/H__us_1', '/A/_1', '/A/_']);
    const source = put(
      folder,
      'utf.usda',
      scene('rel to = </A/Größe>\n  point3f[] none = []\n  def Scope "Größe"\n  {\n  }'),
    );
    await packed(source);
    const rows = await stage(out());
    expect(rows['/A'].relationships.to).toEqual(['/A/Gr__e']);
    expect(rows['/A'].attributes.none.value).toEqual([]);
  });
});

describe('textures', () => {
  test('become PNG where they are neither PNG nor JPEG, and have names of their own', async () => {
    // One red pixel of a BMP, 24 bits.
    const bmp = Buffer.from(
      '424d3a000000000000003600000028000000010000000100000001001800000000000400000000000000000000000000000000000000' +
        '0000ff00',
      'hex',
    );
    put(folder, 't/a.bmp', bmp);
    put(folder, 'u/a.png', RED_PNG);
    put(folder, 'u/A.jpeg', await sharp(RED_PNG).jpeg().toBuffer());
    const body = [
      textured('t/a.bmp'),
      textured('u/a.png').replace('"T"', '"U"'),
      textured('u/A.jpeg').replace('"T"', '"V"'),
    ];
    const source = put(folder, 'x.usda', scene(body.join('\n')));
    const { codes, files } = await packed(source);
    expect(codes).toEqual([]);
    expect(files).toEqual(['x.usdc', 'textures/a.png', 'textures/a_1.png', 'textures/A.jpg']);
    await unpack(out(), { out: at('files') });
    const { data, info } = await sharp(at('files/textures/a.png')).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, ...data]).toEqual([1, 1, 255, 0, 0]);
    expect(readFileSync(at('files/textures/a_1.png')).equals(RED_PNG)).toBe(true);
  });

  test('tiles keep one ending, light of floating point is said to lose its range (UC2473), what is none is left out (UC2472)', async () => {
    put(folder, 't/w.1001.png', RED_PNG);
    put(folder, 't/w.1002.png', await sharp(RED_PNG).jpeg().toBuffer());
    const hdr = Buffer.concat([
      Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n'),
      Buffer.from([128, 128, 128, 129]),
    ]);
    put(folder, 't/sky.hdr', hdr);
    put(folder, 't/code.glsl', 'void main() {}');
    put(folder, 't/hum.wav', 'RIFF');
    const body = [
      textured('t/w.<UDIM>.png'),
      textured('t/sky.hdr').replace('"T"', '"U"'),
      'custom asset code = @t/code.glsl@',
      'asset filePath = @t/hum.wav@',
    ];
    const { codes, files } = await packed(put(folder, 'x.usda', scene(body.join('\n  '))));
    expect(codes.sort()).toEqual(['UC2472', 'UC2473']);
    expect(files.sort()).toEqual([
      'sounds/hum.wav',
      'textures/sky.png',
      'textures/w.1001.png',
      'textures/w.1002.png',
      'x.usdc',
    ]);
    await unpack(out(), { out: at('files') });
    // (128 / 256) * 2^1 = 1, which is white.
    expect([...(await sharp(at('files/textures/sky.png')).raw().toBuffer())]).toEqual([255, 255, 255]);
    expect((await sharp(at('files/textures/w.1002.png')).metadata()).format).toBe('png');
  });

  test('that are missing or damaged end the package, and nothing is written', async () => {
    put(folder, 't/bad.tif', Buffer.from('II*\0\xff\xff\xff\xff', 'latin1'));
    expect((await packed(put(folder, 'a.usda', scene(textured('no.png'))))).codes).toEqual(['UC1203']);
    expect((await packed(put(folder, 'b.usda', scene(textured('t/bad.tif'))))).codes).toEqual(['UC1631']);
    expect(existsSync(out())).toBe(false);
  });
});

describe('materials', () => {
  const material = (surface: string, output = 'mtlx:surface') =>
    `${MESH.replace('{', '{\n    rel material:binding = </A/Mat>\n    texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (\n      interpolation = "vertex"\n    )')}
  def Material "Mat"
  {
    token outputs:${output}.connect = </A/Mat/S.outputs:out>
    ${surface}
  }`;
  const standard = `def Shader "S"
    {
      uniform token info:id = "ND_standard_surface_surfaceshader"
      float inputs:base = 0.5
      color3f inputs:base_color.connect = </A/Mat/I.outputs:out>
      float inputs:metalness = 0.25
      float inputs:specular_roughness = 0.75
      color3f inputs:opacity = (0.5, 0.5, 0.5)
      token outputs:out
    }
    def Shader "I"
    {
      uniform token info:id = "ND_image_color3"
      asset inputs:file = @red.png@ (
        colorSpace = "srgb_texture"
      )
      color3f outputs:out
    }`;

  test('of MaterialX are written as UsdPreviewSurface, which draws the same (UC2474)', async () => {
    put(folder, 'red.png', RED_PNG);
    const source = put(folder, 'm.usda', scene(material(standard)));
    expect((await packed(source)).codes).toEqual(['UC2474']);
    const rows = await stage(out());
    const surface = rows['/A/Mat/PreviewSurface/Surface'].attributes;
    expect(surface['inputs:metallic'].value).toBe(0.25);
    expect(surface['inputs:roughness'].value).toBe(0.75);
    expect(surface['inputs:opacity'].value).toBe(0.5);
    expect(surface['inputs:diffuseColor'].connections).toEqual(['/A/Mat/PreviewSurface/BaseColorTexture.outputs:rgb']);
    expect(rows['/A/Mat/PreviewSurface/BaseColorTexture'].attributes['inputs:scale'].value).toEqual([0.5, 0.5, 0.5, 1]);
    expect(rows['/A/Mat'].attributes['outputs:surface'].connections).toEqual([
      '/A/Mat/PreviewSurface/Surface.outputs:surface',
    ]);
    expect(Object.keys(rows).filter((path) => path.startsWith('/A/Mat/'))).not.toContain('/A/Mat/S');
    const [own, their] = [await importScene(source), await importScene(out())];
    const seen = (of: typeof own) => {
      const [{ name: _name, path: _path, textures, ...rest }] = of.scene!.materials;
      return { ...rest, textures: { ...textures, baseColor: { ...textures.baseColor, image: 0 } } };
    };
    expect(seen(their)).toEqual(seen(own));
  });

  test('of other renderers are left out (UC2470), those with a UsdPreviewSurface beside it keep that', async () => {
    const other =
      'def Shader "S"\n    {\n      uniform token info:id = "ArnoldStandard"\n      token outputs:out\n    }';
    expect((await packed(put(folder, 'o.usda', scene(material(other, 'ai:surface'))))).codes).toEqual(['UC2470']);
    const preview =
      'def Shader "S"\n    {\n      uniform token info:id = "UsdPreviewSurface"\n      token outputs:out\n    }';
    expect((await packed(put(folder, 'p.usda', scene(material(preview, 'glslfx:surface'))))).codes).toEqual([]);
    expect((await stage(out()))['/A/Mat'].attributes['outputs:surface'].connections).toEqual(['/A/Mat/S.outputs:out']);
  });

  test('of selected variants alone are in it (UC2471)', async () => {
    const body = `${MESH}\n  def Scope "V" (\n    variants = {\n      string look = "b"\n    }\n    prepend variantSets = "look"\n  )\n  {\n    variantSet "look" = {\n      "a" {\n        def Scope "OnlyA"\n        {\n        }\n      }\n      "b" {\n        def Scope "OnlyB"\n        {\n        }\n      }\n    }\n  }`;
    expect((await packed(put(folder, 'v.usda', scene(body)))).codes).toEqual(['UC2471']);
    const paths = Object.keys(await stage(out()));
    expect([paths.includes('/A/V/OnlyB'), paths.includes('/A/V/OnlyA')]).toEqual([true, false]);
  });
});

test('other packages, and sources that are no stage, are refused', async () => {
  const source = put(folder, 'a.usda', scene(MESH));
  const refused = async (path: string, to: string) =>
    (await pack(path, { out: at(to), arkit: true })).diagnostics.map(({ code }) => code);
  expect(await refused(dirname(source), 'a.pak')).toEqual(['UC1012']);
  expect(await refused(put(folder, 'n.png', RED_PNG), 'a.usdz')).toEqual(['UC3800']);
  expect(
    await refused(put(folder, 'r.usda', scene('def "X" (\n    references = @no.usda@\n  )\n  {\n  }')), 'a.usdz'),
  ).toEqual(['UC1711']);
});
