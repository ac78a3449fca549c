// USDZ packages from layers and from folders, and what is unpacked of them.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzip } from 'unzipit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planUsdz } from '../../../src/formats/usdz/write.ts';
import { importScene, inspectStage, pack, type StagePrimRow, unpack, validate } from '../../../src/index.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { RED_PNG } from '../../support/squareGltf.ts';
import { textOfCrate } from '../../support/tinyusdz.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const ball = (more = '') =>
  `#usda 1.0\n(\n  defaultPrim = "Ball"\n  metersPerUnit = 1\n  upAxis = "Y"\n)\ndef Xform "Ball"\n{\n  def Sphere "S"\n  {\n  }\n${more}}\n`;
const scene = (body: string, more = '') =>
  `#usda 1.0\n(\n  defaultPrim = "Town"\n  metersPerUnit = 1\n  upAxis = "Y"\n${more})\n\n# @not/a/path.png@\ndef Xform "Town"\n{\n  string note = "@neither.png@ '"\n${body}}\n`;
const texture = (path: string) =>
  `  def Shader "T"\n  {\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = ${path}\n  }\n`;

/** Every file below a folder but hidden ones, by its name. */
function tree(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(root, name)).isFile() && !/(^|\/)\./.test(name),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name)).toString('base64')]));
}
const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code);

/** A town that brings in what lies beside, below and outside of its folder. */
function town(): void {
  const body = [
    '  def "Near" (\n    references = @./parts/near.usda@\n  )\n  {\n  }\n',
    '  def "Far" (\n    payload = @../lib/far.usda@</Ball>\n  )\n  {\n  }\n',
    texture('@../lib/red@2x.png@').replace('@../lib/red@2x.png@', '@@@../lib/red@2x.png@@@'),
    texture('@tiles/a.<UDIM>.png@').replace('"T"', '"U"'),
  ].join('');
  put(folder, 'art/town.usda', scene(body, '  subLayers = [ @./base.usda@ ]\n'));
  put(folder, 'art/base.usda', '#usda 1.0\nover "Town"\n{\n}\n');
  put(folder, 'art/parts/near.usda', ball(texture('@../../lib/red@2x.png@').replace(/@(.*)@$/m, '@@@$1@@@')));
  put(folder, 'art/tiles/a.1001.png', RED_PNG);
  put(folder, 'art/tiles/a.1012.png', RED_PNG);
  put(folder, 'lib/far.usda', ball(texture('@./maps/b.png@')));
  put(folder, 'lib/maps/b.png', RED_PNG);
  put(folder, 'lib/red@2x.png', RED_PNG);
}

describe('pack of a layer', () => {
  test('holds all that it brings in, the layer first, and is the same stage', async () => {
    town();
    const { exitCode, document } = await pack(at('art/town.usda'), { out: at('town.usdz') });
    expect(exitCode).toBe(0);
    expect(document?.files.map(({ path }) => path)).toEqual([
      'town.usda',
      'base.usda',
      'external/0/far.usda',
      'external/0/maps/b.png',
      'external/0/red@2x.png',
      'parts/near.usda',
      'tiles/a.1001.png',
      'tiles/a.1012.png',
    ]);
    const result = await validate(at('town.usdz'));
    expect(result.files[0].diagnostics).toEqual([]);
    const rows = async (file: string) => {
      const prims: unknown[] = [];
      await inspectStage(file, ({ path, type }) => prims.push([path, type]));
      return prims;
    };
    expect(await rows(at('town.usdz'))).toEqual(await rows(at('art/town.usda')));
    const scenes = await Promise.all([at('town.usdz'), at('art/town.usda')].map((file) => importScene(file)));
    const shown = scenes.map(({ scene }) => [scene?.meshes.length, scene?.nodes.map(({ name }) => name)]);
    expect(shown[0]).toEqual(shown[1]);
    expect(scenes[0].diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('rewrites paths that lead outside, and nothing else', async () => {
    town();
    await pack(at('art/town.usda'), { out: at('town.usdz') });
    await unpack(at('town.usdz'), { out: at('out') });
    const text = readFileSync(at('out/town.usda'), 'utf8');
    const before = readFileSync(at('art/town.usda'), 'utf8');
    expect(text).toBe(
      before
        .replace('@../lib/far.usda@', '@./external/0/far.usda@')
        .replace('@@@../lib/red@2x.png@@@', '@@@./external/0/red@2x.png@@@'),
    );
    expect(readFileSync(at('out/parts/near.usda'), 'utf8')).toContain('@@@../external/0/red@2x.png@@@');
    expect(readFileSync(at('out/external/0/far.usda'))).toEqual(readFileSync(at('lib/far.usda')));
  });

  test('gives equal bytes, and independent readers of zip find every file at a multiple of 64', async () => {
    town();
    await pack(at('art/town.usda'), { out: at('1.usdz') });
    await pack(at('art/town.usda'), { out: at('2.usdz') });
    const bytes = readFileSync(at('1.usdz'));
    expect(readFileSync(at('2.usdz'))).toEqual(bytes);
    const { entries } = await unzip(new Uint8Array(bytes));
    expect(Object.keys(entries)).toHaveLength(8);
    expect(Buffer.from(await entries['tiles/a.1001.png'].arrayBuffer())).toEqual(Buffer.from(RED_PNG));
    const script = `
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for i in z.infolist():
    z.fp.seek(i.header_offset + 26)
    n = int.from_bytes(z.fp.read(2), 'little'); e = int.from_bytes(z.fp.read(2), 'little')
    assert i.compress_type == 0 and (i.header_offset + 30 + n + e) % 64 == 0
print(z.namelist()[0])`;
    const python = spawnSync('python3', ['-c', script, at('1.usdz')], { encoding: 'utf8' });
    if (python.error) return;
    expect([python.stderr, python.stdout]).toEqual(['', 'town.usda\n']);
  });

  test('names all that is missing or not allowed, and writes nothing', async () => {
    put(folder, 'a.usda', scene(texture('@gone.png@') + texture('@b.tga@').replace('"T"', '"U"')));
    put(folder, 'b.tga', 'x');
    const result = await pack(at('a.usda'), { out: at('a.usdz') });
    expect([codes(result).sort(), result.exitCode, existsSync(at('a.usdz'))]).toEqual([['UC1203', 'UC1630'], 1, false]);
  });

  describe('with MaterialX documents', () => {
    const looks = (more = '') => `<?xml version="1.0"?>
<materialx version="1.38" colorspace="lin_rec709">
  <nodegraph name="paint">
    <image name="picture" type="color3">
      <input name="file" type="filename" value="../maps/red.png" colorspace="srgb_texture" />
    </image>
    <output name="out" type="color3" nodename="picture" />
  </nodegraph>
  <standard_surface name="shader" type="surfaceshader">
    <input name="base_color" type="color3" nodegraph="paint" output="out" />
    <input name="specular_roughness" type="float" value="0.25" />
  </standard_surface>
  <surfacematerial name="Wood" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="shader" />
  </surfacematerial>
${more}</materialx>`;
    const board = `  def Mesh "Board" ( prepend apiSchemas = ["MaterialBindingAPI"] )
  {
    uniform token subdivisionScheme = "none"
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1)] ( interpolation = "vertex" )
    rel material:binding = </Town/Looks/Wood>
  }
  def "Looks" (
    references = @./looks.mtlx@</MaterialX/Materials>
  )
  {
  }
`;

    test('writes them as the layers that they are', async () => {
      put(folder, 'art/town.usda', scene(board));
      put(folder, 'art/looks.mtlx', looks());
      put(folder, 'maps/red.png', RED_PNG);
      const { exitCode, document, diagnostics } = await pack(at('art/town.usda'), { out: at('town.usdz') });
      expect([exitCode, diagnostics]).toEqual([0, []]);
      const files = ['town.usda', 'external/0/red.png', 'looks.mtlx.usdc'];
      expect(document?.files.map(({ path }) => path)).toEqual(files);
      expect((await validate(at('town.usdz'))).files[0].diagnostics).toEqual([]);
      const drawn = async (file: string) => {
        const { scene: read, diagnostics: found } = await importScene(file);
        const [{ path, textures, roughness }] = read?.materials ?? [];
        const { image, ...use } = textures.baseColor ?? { image: -1 };
        return { path, use, roughness, image: await read?.images[image].read(), found: found.map(({ code }) => code) };
      };
      const packed = await drawn(at('town.usdz'));
      expect(packed).toEqual(await drawn(at('art/town.usda')));
      expect([packed.roughness, packed.use]).toEqual([0.25, expect.objectContaining({ uvSet: 'st', channel: 'rgb' })]);
      // What an independent reader of crates finds in the layer.
      await unpack(at('town.usdz'), { out: at('out') });
      const text = await textOfCrate(new Uint8Array(readFileSync(at('out/looks.mtlx.usdc'))));
      expect(text).toContain('ND_standard_surface_surfaceshader');
      expect(text).toContain('./external/0/red.png');
    });

    test('refuses those of which a layer has not all, and those that values lead to (UC1630)', async () => {
      put(folder, 'maps/red.png', RED_PNG);
      put(folder, 'art/town.usda', scene(board));
      put(folder, 'art/looks.mtlx', looks('  <look name="l" />\n'));
      const lost = await pack(at('art/town.usda'), { out: at('a.usdz') });
      expect(lost.diagnostics.find(({ code }) => code === 'UC1630')?.message).toBe(
        "'looks.mtlx' is no layer without loss: UC1956",
      );
      put(folder, 'art/looks.mtlx', looks());
      put(folder, 'art/value.usda', scene('  asset looks = @./looks.mtlx@\n'));
      expect(codes(await pack(at('art/value.usda'), { out: at('b.usdz') }))).toEqual(['UC1630']);
      expect([existsSync(at('a.usdz')), existsSync(at('b.usdz'))]).toEqual([false, false]);
    });
  });

  test('reports variable expressions, which it does not follow', async () => {
    put(folder, 'a.usda', scene(texture('@`X`@')));
    expect(codes(await pack(at('a.usda'), { out: at('a.usdz') }))).toEqual(['UC1917']);
  });

  test('refuses other sources and options that mean nothing', async () => {
    put(folder, 'a.usda', ball());
    put(folder, 'a.txt', 'x');
    const out = at('a.usdz');
    expect(codes(await pack(at('a.txt'), { out }))).toEqual(['UC3800']);
    expect(codes(await pack(at('a.usda'), { out: at('a.bpx') }))).toEqual(['UC3800']);
    expect(codes(await pack(at('a.usda'), { out: at('a.zip') }))).toEqual(['UC1003']);
    expect(codes(await pack(at('a.usda'), {}))).toEqual(['UC1002']);
    expect(codes(await pack(at('a.usda'), { out, layout: 'spec' }))).toEqual(['UC1012']);
    expect(codes(await pack(at('a.usda'), { out, compress: true }))).toEqual(['UC1012']);
    expect(codes(await pack(at('a.usda'), { out, defaultLayer: 'a.usda' }))).toEqual(['UC1012']);
    expect(codes(await pack(at('gone.usda'), { out }))).toEqual(['UC1200']);
  });

  test('replaces a package, and other files with force alone', async () => {
    put(folder, 'a.usda', ball());
    put(folder, 'a.usdz', 'mine');
    expect(codes(await pack(at('a.usda'), { out: at('a.usdz') }))).toEqual(['UC4001']);
    expect(readFileSync(at('a.usdz'), 'utf8')).toBe('mine');
    expect((await pack(at('a.usda'), { out: at('a.usdz'), force: true })).exitCode).toBe(0);
    expect((await pack(at('a.usda'), { out: at('a.usdz') })).exitCode).toBe(0);
    mkdirSync(at('f.usdz'));
    expect(codes(await pack(at('a.usda'), { out: at('f.usdz') }))).toEqual(['UC4001']);
  });
});

describe('pack of a folder', () => {
  test('puts the one layer at its root first, and unpacks to the same tree', async () => {
    put(folder, 'in/b/a.png', RED_PNG);
    put(folder, 'in/b/part.usda', ball());
    put(folder, 'in/z.usda', ball());
    put(folder, 'in/.hidden', 'x');
    const result = await pack(at('in'), { out: at('in/z.usdz') });
    expect([result.exitCode, codes(result)]).toEqual([0, ['UC3807']]);
    expect(result.document?.files.map(({ path }) => path)).toEqual(['z.usda', 'b/a.png', 'b/part.usda']);
    // The package that lies there is no part of the next one.
    const bytes = readFileSync(at('in/z.usdz'));
    await pack(at('in'), { out: at('in/z.usdz') });
    expect(readFileSync(at('in/z.usdz'))).toEqual(bytes);
    expect((await unpack(at('in/z.usdz'), { out: at('out') })).exitCode).toBe(0);
    rmSync(at('in/z.usdz'));
    expect(tree(at('out'))).toEqual(tree(at('in')));
  });

  test('needs to know its default layer', async () => {
    put(folder, 'in/a.usda', ball());
    put(folder, 'in/b.usda', ball());
    expect(codes(await pack(at('in'), { out: at('x.usdz') }))).toEqual(['UC3801']);
    expect(codes(await pack(at('in'), { out: at('x.usdz'), defaultLayer: 'c.usda' }))).toEqual(['UC3801']);
    const named = await pack(at('in'), { out: at('x.usdz'), defaultLayer: './b.usda' });
    expect(named.document?.files[0].path).toBe('b.usda');
    put(folder, 'in/defaultLayer.usd', ball());
    const found = await pack(at('in'), { out: at('x.usdz') });
    expect(found.document?.files[0].path).toBe('defaultLayer.usd');
  });

  test('refuses folders without files, links, foreign types and names that clash', async () => {
    mkdirSync(at('in'));
    expect(codes(await pack(at('in'), { out: at('x.usdz') }))).toEqual(['UC3800']);
    put(folder, 'in/a.usda', ball());
    put(folder, 'in/a.blend', 'x');
    expect(codes(await pack(at('in'), { out: at('x.usdz') }))).toEqual(['UC1630']);
    rmSync(at('in/a.blend'));
    symlinkSync('/etc/hosts', at('in/b.png'));
    expect(codes(await pack(at('in'), { out: at('x.usdz') }))).toEqual(['UC3806']);
    rmSync(at('in/b.png'));
    put(folder, 'in/nul.png', RED_PNG);
    expect(codes(await pack(at('in'), { out: at('x.usdz') }))).toEqual(['UC3803']);
    rmSync(at('in/nul.png'));
    put(folder, 'in/c.png', RED_PNG);
    put(folder, 'in/C.png', RED_PNG);
    // Disks that ignore case hold one of the two.
    if (readdirSync(at('in')).length === 3)
      expect(codes(await pack(at('in'), { out: at('x.usdz') }))).toEqual(['UC3804']);
    expect(existsSync(at('x.usdz'))).toBe(false);
  });
});

test('limits of a package are named before anything is made', () => {
  const thrown = (files: { name: string; size: number }[]) => {
    try {
      planUsdz(files, 'x.usdz');
      return null;
    } catch (error) {
      return (error as { diagnostics: { code: string; message: string }[] }).diagnostics[0].message;
    }
  };
  expect(thrown([{ name: 'a.usda', size: 2 ** 30 }])).toBe(null);
  expect(thrown([1, 2].map((i) => ({ name: `${i}.usda`, size: 2 ** 30 })))).toMatch(/the limit is 2147483647/);
  expect(thrown(Array.from({ length: 65_536 }, (_, i) => ({ name: `${i}`, size: 0 })))).toMatch(/holds 65535/);
  expect(thrown([{ name: 'a'.repeat(65_536), size: 0 }])).toMatch(/65536 bytes/);
});

describe('paths of crates that change', () => {
  test('are written anew', async () => {
    const { crateWith } = await import('./crateLayer.ts');
    put(folder, 'art/a.usdc', crateWith('../lib/red.png'));
    put(folder, 'lib/red.png', RED_PNG);
    const result = await pack(at('art/a.usdc'), { out: at('a.usdz') });
    expect([codes(result), result.document?.files.map(({ path }) => path)]).toEqual([
      [],
      ['a.usdc', 'external/0/red.png'],
    ]);
    expect((await validate(at('a.usdz'))).files[0].diagnostics).toEqual([]);
    const values: unknown[] = [];
    await inspectStage(at('a.usdz'), (row) => values.push(row.attributes['inputs:file'].value));
    expect(values).toEqual(['./external/0/red.png']);
    expect(dirname(at('a.usdz'))).toBe(folder);
  });

  test('of layers, arrays, dictionaries and time samples too, found with --remap and --search-path', async () => {
    const body = `  asset one = @C:/art/red.png@
  asset[] some = [@C:/art/red.png@, @own.png@]
  asset later.timeSamples = { 0: @C:/art/red.png@, 1: None }
  custom int kept = 7 (
    customData = {
      asset deep = @C:/art/red.png@
    }
  )
  def "Far" (
    references = @C:/art/ball.usda@
  )
  {
  }
`;
    const text = put(folder, 'in/a.usda', scene(body, '  subLayers = [ @C:/art/ball.usda@ ]\n'));
    put(folder, 'in/own.png', RED_PNG);
    put(folder, 'moved/red.png', RED_PNG);
    put(folder, 'moved/ball.usda', ball());
    const { writeUsdc } = await import('../../../src/formats/usdc/write.ts');
    const { readUsda } = await import('../../../src/importers/usd/text/readUsda.ts');
    const { Diagnostics } = await import('../../../src/diagnostics/diagnostic.ts');
    const layer = readUsda(readFileSync(text), 'a.usda', new Diagnostics());
    const specs = [...layer.specs.values()].map((spec) => ({
      path: spec.path,
      type: spec.type,
      fields: spec.fieldNames().map((name) => [name, spec.get(name)!] as const),
    }));
    put(folder, 'in/a.usdc', writeUsdc(specs, 'a.usdc'));
    const remap = [`C:/art=${at('moved')}`];
    for (const source of ['in/a.usda', 'in/a.usdc']) {
      expect(codes(await pack(at(source), { out: at('a.usdz') }))).not.toEqual([]);
      const { document } = await pack(at(source), { out: at('a.usdz'), remap });
      expect(document?.files.map(({ path }) => path).slice(1)).toEqual([
        'external/0/ball.usda',
        'external/0/red.png',
        'own.png',
      ]);
      expect((await validate(at('a.usdz'))).files[0].diagnostics).toEqual([]);
      const rows: Record<string, StagePrimRow> = {};
      await inspectStage(at('a.usdz'), (row) => Object.assign(rows, { [row.path]: row }));
      expect(Object.keys(rows)).toEqual(expect.arrayContaining(['/Town/Far/S', '/Ball/S']));
      expect(rows['/Town'].attributes.some.value).toEqual(['./external/0/red.png', 'own.png']);
      expect(rows['/Town'].attributes.later.value).toBe('./external/0/red.png');
      expect(rows['/Town'].attributes.kept.value).toBe(7);
      const flat = await pack(at(source), { out: at('flat.usdz'), remap, arkit: true });
      expect(flat.document?.files.map(({ path }) => path)).toEqual(['a.usdc', 'textures/red.png', 'textures/own.png']);
    }
    put(folder, 'in/lost.usda', scene(texture('@lost/red.png@')));
    const found = await pack(at('in/lost.usda'), { out: at('b.usdz'), searchPath: [at('moved')] });
    expect(found.document?.files.map(({ path }) => path)).toEqual(['lost.usda', 'external/0/red.png']);
    rmSync(at('in/a.usda'));
    rmSync(at('in/lost.usda'));
    expect(codes(await pack(at('in'), { out: at('c.usdz'), remap }))).toEqual(['UC1012']);
  });

  test('of a version whose values are not all read are named (UC3805)', async () => {
    const { crateWith } = await import('./crateLayer.ts');
    const crate = crateWith('../lib/red.png');
    // The minor version.
    crate[9] = 12;
    put(folder, 'art/a.usdc', crate);
    put(folder, 'lib/red.png', RED_PNG);
    const result = await pack(at('art/a.usdc'), { out: at('a.usdz') });
    expect(codes(result)).toEqual(['UC3805']);
    expect(result.diagnostics[0].message).toContain("'../lib/red.png' would become './external/0/red.png'");
  });
});
