// The options that say what is read of a USD source, as users give them.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

/** A square of 1 x 1 units in the XY plane whose lower left corner is at (x, y). */
const square = (name: string, x: number, y: number, more = '') => `def Mesh "${name}" {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(${x}, ${y}, 0), (${x + 1}, ${y}, 0), (${x + 1}, ${y + 1}, 0), (${x}, ${y + 1}, 0)]
    uniform token subdivisionScheme = "none"
    ${more}
  }`;

const HEAD = '#usda 1.0\n(\n  metersPerUnit = 1\n  upAxis = "Y"\n)\n';

const TOWN = `${HEAD}
def Xform "Town" (
  prepend variantSets = ["paint", "lod"]
  variants = { string paint = "red" }
) {
  variantSet "paint" = {
    "red" { ${square('Red', 0, 0)} }
    "blue" { ${square('Blue', 2, 0)} }
  }
  variantSet "lod" = {
    "high" { ${square('High', 4, 0)} }
    "low" { ${square('Low', 6, 0)} }
  }
  def Xform "Harbour" {
    double3 xformOp:translate = (0, 10, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    ${square('Quay', 0, 0)}
    ${square('Ship', 2, 0)}
  }
}
def Xform "Rest" {
  ${square('Secret', 0, 20, 'token visibility = "invisible"')}
  ${square('Stand', 2, 20, 'uniform token purpose = "proxy"')}
  ${square('Gizmo', 4, 20, 'uniform token purpose = "guide"')}
  ${square('Cart', 0, 30, 'double3 xformOp:translate.timeSamples = { 1: (0, 0, 0), 11: (10, 0, 0) }\n    uniform token[] xformOpOrder = ["xformOp:translate"]')}
}
`;

/** A cube of six quads around the origin, a Catmull-Clark surface. */
const CUBE = `${HEAD}
def Mesh "Cube" {
  int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]
  int[] faceVertexIndices = [0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3]
  point3f[] points = [(-1, -1, -1), (1, -1, -1), (-1, 1, -1), (1, 1, -1), (-1, -1, 1), (1, -1, 1), (-1, 1, 1), (1, 1, 1)]
}
`;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'town.usda', TOWN);
  put(folder, 'cube.usda', CUBE);
  put(folder, 'bare.usda', `#usda 1.0\n${square('Wall', 0, 100)}\n`);
  put(folder, 'broken.usda', `${HEAD}${square('Here', 0, 0)}\ndef "Gone" ( prepend references = @nowhere.usda@ ) {}\n`);
  put(
    folder,
    'layered.usda',
    `#usda 1.0\n(\n  subLayers = [@lost.usda@]\n  metersPerUnit = 1\n  upAxis = "Y"\n)\n${square('Here', 0, 0)}\n`,
  );
  put(folder, 'plain.gltf', squareGltf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** The document of `inspect`: what is drawn, and what is said. */
async function inspect(file: string, ...args: string[]) {
  const { code, stdout, stderr } = await untold(folder, ['inspect', '--json', file, ...args]);
  const document = stdout === '' ? null : JSON.parse(stdout);
  const meshes = (document?.meshes ?? []) as { path?: string; bounds: { min: number[]; max: number[] } }[];
  const warnings = (document?.warnings ?? []) as Said[];
  return {
    code,
    stderr,
    document,
    warnings,
    codes: warnings.map((item) => item.code),
    paths: meshes.map(({ path }) => path?.slice(path.lastIndexOf('/') + 1)),
    bounds: (name: string) => meshes.find(({ path }) => path?.endsWith(`/${name}`))?.bounds,
  };
}

/** The only result of `cook --json` into a file. */
async function cook(file: string, ...args: string[]) {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  const { code, stdout, stderr } = await untold(folder, ['cook', file, '--out', 'out/a.untold', '--json', ...args]);
  const result = stdout === '' ? null : JSON.parse(stdout).results[0];
  const written = existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : [];
  return {
    code,
    stderr,
    result,
    codes: (result?.diagnostics ?? []).map((item: Said) => item.code) as string[],
    written,
  };
}

const ALWAYS = ['Quay', 'Ship', 'Cart'];

describe('--variant', () => {
  test('chooses at a prim against what is authored, and for all prims that select none', async () => {
    expect((await inspect('town.usda')).paths).toEqual(['Red', ...ALWAYS]);
    expect((await inspect('town.usda', '--variant', '/Town:paint=blue')).paths).toEqual(['Blue', ...ALWAYS]);
    expect((await inspect('town.usda', '--variant', 'lod=low')).paths).toEqual(['Low', 'Red', ...ALWAYS]);
    // As a fallback it does not change what is authored.
    expect((await inspect('town.usda', '--variant', 'paint=blue')).paths).toEqual(['Red', ...ALWAYS]);
    const both = ['--variant', '/Town:paint=blue', '--variant', 'lod=high'];
    expect((await inspect('town.usda', ...both)).paths).toEqual(['High', 'Blue', ...ALWAYS]);
    expect(await cook('town.usda', ...both)).toMatchObject({ code: 0, result: { totals: { objects: 5 } } });
  });

  test.each(['/Town:paint=green', '/Nowhere:paint=red', '/Town:colour=red', 'lod=middle'])(
    '%s names nothing: exit 2',
    async (choice) => {
      expect(await cook('town.usda', '--variant', choice)).toMatchObject({
        code: 2,
        codes: expect.arrayContaining(['UC1720']),
        written: [],
      });
      expect(await inspect('town.usda', '--variant', choice)).toMatchObject({
        code: 2,
        codes: expect.arrayContaining(['UC1720']),
      });
    },
  );

  test.each(['paint', 'Town:paint', '/Town:paint=', '=red', '/Town/:paint=red'])(
    '%s is no choice: exit 2',
    async (choice) => {
      const { code, stderr } = await cook('town.usda', '--variant', choice);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/UC1003.*--variant.*\/Prim:set=name or set=name/)]);
    },
  );
});

describe('--select and --exclude', () => {
  test('take parts, with the transforms above them', async () => {
    const harbour = await inspect('town.usda', '--select', '/Town/Harbour');
    expect([harbour.code, harbour.paths]).toEqual([0, ['Quay', 'Ship']]);
    expect(harbour.bounds('Quay')).toEqual({ min: [0, 10, 0], max: [1, 11, 0] });
    expect((await inspect('town.usda', '--select', '/Town', '--exclude', '/Town/Harbour/Ship')).paths).toEqual([
      'Red',
      'Quay',
    ]);
    expect((await inspect('town.usda', '--exclude', '/Town,/Rest/Secret')).paths).toEqual(['Cart']);
    expect((await inspect('town.usda', '--select', '/Town/Red', '--select', '/Rest/Cart')).paths).toEqual([
      'Red',
      'Cart',
    ]);
    expect(await cook('town.usda', '--select', '/Town/Harbour')).toMatchObject({
      code: 0,
      result: { totals: { objects: 2 } },
    });
  });

  test('pass over what is broken elsewhere', async () => {
    put(
      folder,
      'half.usda',
      `${HEAD}${square('Here', 0, 0)}\ndef "Sick" {\n  def "Gone" ( references = @nowhere.usda@ ) {\n  }\n}\n`,
    );
    expect(await cook('half.usda')).toMatchObject({ code: 1, codes: ['UC1711'] });
    expect(await cook('half.usda', '--select', '/Here')).toMatchObject({ code: 0, codes: [] });
    expect(await cook('half.usda', '--exclude', '/Sick')).toMatchObject({ code: 0, codes: [] });
  });

  test('a path that names nothing is exit 2', async () => {
    for (const flag of ['--select', '--exclude']) {
      const { code, result, written } = await cook('town.usda', flag, '/Town/Harbor');
      expect([code, written]).toEqual([2, []]);
      expect(result.diagnostics).toContainEqual(expect.objectContaining({ code: 'UC1726', path: '/Town/Harbor' }));
    }
  });

  test.each(['Town', '/', '/Town/', '/Town.points', '/Town{paint=red}'])(
    '%s is no path of a prim: exit 2',
    async (path) => {
      const { code, stderr } = await cook('town.usda', '--exclude', path);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/UC1003.*--exclude.*absolute paths of prims/)]);
    },
  );
});

describe('what is drawn', () => {
  test('--purpose names the purposes', async () => {
    expect((await inspect('town.usda', '--purpose', 'proxy')).paths).toEqual(['Stand']);
    expect((await inspect('town.usda', '--purpose', 'default,guide')).paths).toEqual([
      'Red',
      'Quay',
      'Ship',
      'Gizmo',
      'Cart',
    ]);
    expect((await inspect('town.usda', '--purpose', 'proxy', '--purpose', 'guide')).paths).toEqual(['Stand', 'Gizmo']);
    expect(await cook('town.usda', '--purpose', 'guide')).toMatchObject({
      code: 0,
      result: { totals: { objects: 1 } },
    });
    // Nothing has purpose render, so that nothing is left.
    expect(await cook('town.usda', '--purpose', 'render')).toMatchObject({ code: 1, written: [] });
    const { code, stderr } = await cook('town.usda', '--purpose', 'proxi');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/UC1003.*default, render, proxy, guide.*did you mean proxy\?/),
    ]);
  });

  test('--all-meshes draws invisible prims too', async () => {
    expect((await inspect('town.usda', '--all-meshes')).paths).toEqual(['Red', 'Quay', 'Ship', 'Secret', 'Cart']);
    expect(await cook('town.usda', '--all-meshes')).toMatchObject({ code: 0, result: { totals: { objects: 5 } } });
  });

  test('--time reads values between samples; without it the earliest', async () => {
    expect((await inspect('town.usda')).bounds('Cart')).toEqual({ min: [0, 30, 0], max: [1, 31, 0] });
    expect((await inspect('town.usda', '--time', '6')).bounds('Cart')).toEqual({ min: [5, 30, 0], max: [6, 31, 0] });
    expect((await inspect('town.usda', '--time', '-3')).bounds('Cart')).toEqual({ min: [0, 30, 0], max: [1, 31, 0] });
    expect((await inspect('town.usda', '--time', '99')).bounds('Cart')).toEqual({ min: [10, 30, 0], max: [11, 31, 0] });
    expect(await cook('town.usda', '--time', 'noon')).toMatchObject({ code: 2, written: [] });
  });
});

describe('--meters-per-unit and --up-axis', () => {
  test('stand instead of what is authored', async () => {
    const { document, bounds } = await inspect('town.usda', '--meters-per-unit', '0.5', '--up-axis', 'Z');
    expect(document).toMatchObject({ upAxis: 'Z', metersPerUnit: 0.5 });
    // (x, y, z) becomes (x, z, -y).
    expect(bounds('Quay')).toEqual({ min: [0, 0, -5.5], max: [0.5, 0, -5] });
  });

  test('are named where nothing is authored, and then nothing is said', async () => {
    const bare = await inspect('bare.usda');
    expect(bare.codes).toEqual(['UC1703', 'UC1707']);
    expect(bare.warnings[0].remedy).toContain('--meters-per-unit');
    expect(bare.warnings[1].remedy).toContain('--up-axis');
    expect(bare.document.bounds).toEqual({ min: [0, 1, 0], max: [0.01, 1.01, 0] });
    const told = await inspect('bare.usda', '--meters-per-unit', '1', '--up-axis', 'Y');
    expect([told.codes, told.document.bounds]).toEqual([[], { min: [0, 100, 0], max: [1, 101, 0] }]);
  });

  test.each([
    ['--meters-per-unit', '0'],
    ['--meters-per-unit', '-1'],
    ['--meters-per-unit', 'cm'],
    ['--up-axis', 'X'],
    ['--up-axis', 'z'],
  ])('%s %s is refused', async (flag, value) => {
    expect(await cook('town.usda', flag, value)).toMatchObject({ code: 2, stderr: expect.stringContaining('UC1003') });
  });
});

describe('--binding-purpose', () => {
  const statusOf = (name: string, grey: number) => `def Material "${name}" {
    token outputs:surface.connect = </${name}/Surface.outputs:surface>
    def Shader "Surface" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor = (${grey}, ${grey}, ${grey})
      token outputs:surface
    }
  }
`;
  beforeAll(() => {
    const wall = square('Wall', 0, 0, 'rel material:binding = </Plain>\nrel material:binding:full = </Fine>');
    const back = square('Back', 2, 0, 'rel material:binding:full = </Fine>');
    put(folder, 'walls.usda', `${HEAD}${wall}\n${back}\n${statusOf('Plain', 0.25)}${statusOf('Fine', 0.75)}`);
  });
  const materials = async (...args: string[]) => {
    const { code, document, codes } = await inspect('walls.usda', ...args);
    return [code, document.materials.map(({ path }: { path: string }) => path), codes];
  };

  test('says whose bindings are asked first; those of the other purpose are used or named', async () => {
    expect(await materials()).toEqual([0, ['/Plain', '/Fine'], ['UC1966', 'UC1967']]);
    expect(await materials('--binding-purpose', 'preview')).toEqual(await materials());
    expect(await materials('--binding-purpose', 'full')).toEqual([0, ['/Fine'], []]);
    const told = await cook('walls.usda');
    expect([told.code, told.result.totals.materials, told.codes]).toEqual([0, 2, ['UC1966', 'UC1967']]);
    const full = await cook('walls.usda', '--binding-purpose', 'full');
    expect([full.code, full.result.totals.materials, full.codes]).toEqual([0, 1, []]);
    const { code, stderr } = await cook('walls.usda', '--binding-purpose', 'render');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/UC1003.*--binding-purpose.*one of preview, full/)]);
  });

  test('is part of the settings that a manifest is hashed with', async () => {
    const settings = async (...args: string[]) => {
      expect((await untold(folder, ['cook', 'walls.usda', '--out', 'set', '--force', ...args])).code).toBe(0);
      return JSON.parse(readFileSync(join(folder, 'set/walls.json'), 'utf8')).settings_sha256 as string;
    };
    const preview = await settings();
    expect(preview).toMatch(/^[0-9a-f]{64}$/);
    expect(await settings('--binding-purpose', 'preview')).toBe(preview);
    expect(await settings('--binding-purpose', 'full')).not.toBe(preview);
  });

  test('is an option of presets and in the help', async () => {
    put(folder, 'full.json', JSON.stringify({ 'binding-purpose': 'full' }));
    expect((await cook('walls.usda', '--pipeline', './full.json')).result.totals.materials).toBe(1);
    put(folder, 'wrong.json', JSON.stringify({ 'binding-purpose': 'ful' }));
    expect(await cook('walls.usda', '--pipeline', './wrong.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean full?'),
    });
    for (const command of ['cook', 'inspect']) {
      expect((await untold(folder, [command, '--help'])).stdout).toContain('--binding-purpose <preview|full>');
    }
  });
});

describe('--missing-asset', () => {
  test('is an error by default: nothing is written, and inspect shows the rest', async () => {
    const failed = await cook('broken.usda');
    expect(failed).toMatchObject({ code: 1, codes: ['UC1711'], written: [] });
    expect(failed.result.diagnostics[0]).toMatchObject({
      path: '/Gone',
      message: expect.stringContaining('nowhere.usda'),
    });
    expect(await cook('layered.usda')).toMatchObject({ code: 1, codes: ['UC1710'], written: [] });
    expect(await inspect('broken.usda')).toMatchObject({ code: 1, codes: ['UC1711'], paths: ['Here'] });
  });

  test('drop makes it a warning and says that the scene is incomplete', async () => {
    const dropped = await cook('broken.usda', '--missing-asset', 'drop');
    expect(dropped).toMatchObject({ code: 0, codes: ['UC1719', 'UC1711'], written: ['a.untold'] });
    expect(await cook('layered.usda', '--missing-asset', 'drop')).toMatchObject({
      code: 0,
      codes: ['UC1710', 'UC1719'],
    });
    expect(await inspect('broken.usda', '--missing-asset', 'drop')).toMatchObject({
      code: 0,
      codes: ['UC1719', 'UC1711'],
    });
    expect(await cook('broken.usda', '--missing-asset', 'drop', '--strict')).toMatchObject({ code: 1, written: [] });
    expect(await cook('broken.usda', '--missing-asset', 'ignore')).toMatchObject({ code: 2 });
  });
});

describe('--subdivide', () => {
  test.each([
    ['0', 12],
    ['1', 48],
    ['2', 192],
    ['3', 768],
  ])('%s gives a cube %i triangles', async (levels, triangles) => {
    const { code, result, codes } = await cook('cube.usda', '--subdivide', levels);
    expect([code, result.totals.trianglesIn, result.totals.trianglesOut]).toEqual([0, 12, triangles]);
    // That a cage stands for the surface is said only where it does.
    expect(codes).toEqual(levels === '0' ? ['UC1815'] : []);
  });

  test('leaves polygons as they are, and takes 0 to 3', async () => {
    expect((await cook('town.usda', '--subdivide', '2')).result.totals.trianglesOut).toBe(8);
    for (const levels of ['4', '-1', '1.5']) expect((await cook('cube.usda', '--subdivide', levels)).code).toBe(2);
  });
});

describe('what means nothing for a source is said', () => {
  const USD_ONLY = [
    ['--variant', 'a=b'],
    ['--purpose', 'proxy'],
    ['--binding-purpose', 'full'],
    ['--all-meshes'],
    ['--time', '1'],
    ['--meters-per-unit', '1'],
    ['--up-axis', 'Z'],
    ['--missing-asset', 'drop'],
  ];

  test.each([...USD_ONLY, ['--subdivide', '1']])('%s for glTF', async (...args) => {
    const { code, result } = await cook('plain.gltf', ...(args as string[]));
    expect(code).toBe(0);
    expect(result.diagnostics).toMatchObject([{ code: 'UC1015', severity: 'warning', path: args[0] }]);
  });

  test('by inspect as well, and for what is cooked already', async () => {
    const flags = USD_ONLY.map(([flag]) => flag).sort();
    const said = async (file: string) => (await inspect(file, ...USD_ONLY.flat())).warnings.map(({ path }) => path);
    expect(await said('plain.gltf')).toEqual(flags);
    expect((await cook('plain.gltf')).code).toBe(0);
    expect([...(await said('out/a.untold'))].sort()).toEqual(flags);
  });

  test('--scene and --material-variant for USD', async () => {
    const { code, warnings } = await inspect('cube.usda', '--scene', 'Night', '--material-variant', 'wet');
    expect(code).toBe(0);
    expect(warnings.filter((item) => item.code === 'UC1015').map((item) => item.path)).toEqual([
      '--material-variant',
      '--scene',
    ]);
  });
});

test('a preset may hold them all', async () => {
  const preset = {
    variant: ['/Town:paint=blue', 'lod=low'],
    select: ['/Town', '/Rest'],
    exclude: ['/Town/Harbour'],
    purpose: ['default', 'proxy'],
    'binding-purpose': 'full',
    'all-meshes': true,
    time: 11,
    'meters-per-unit': 2,
    'up-axis': 'Z',
    'missing-asset': 'drop',
    subdivide: 1,
  };
  put(folder, 'all.json', JSON.stringify(preset));
  const { code, result } = await cook('town.usda', '--pipeline', './all.json');
  // Low, Blue, Secret, Stand and Cart.
  expect([code, result.totals.objects]).toEqual([0, 5]);
  expect((await cook('town.usda', '--pipeline', './all.json', '--no-all-meshes')).result.totals.objects).toBe(4);
  put(folder, 'bad.json', JSON.stringify({ purpose: ['defualt'], select: ['Town'], time: '1' }));
  const { code: refused, stderr } = await cook('town.usda', '--pipeline', './bad.json');
  expect([refused, stderr.match(/UC1008/g)?.length]).toEqual([2, 3]);
});
