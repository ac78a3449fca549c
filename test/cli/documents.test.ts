// What each command prints with --json, and the lines of --log-format json, against the schemas in schemas/. They allow no
// property that they do not name, so that every difference is found.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { character } from '../animation/characters.ts';
import { buildGlb } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

const SCHEMAS = resolve(import.meta.dirname, '../../schemas');
const SAMPLES = resolve(import.meta.dirname, '../../samples');

const ajv = new Ajv2020({ allErrors: true, validateFormats: false, allowUnionTypes: true });
const compiled = new Map<string, ValidateFunction>();

/** What a schema refuses in a document. */
function faults(schema: string, document: unknown): unknown {
  let check = compiled.get(schema);
  if (!check) {
    check = ajv.compile(JSON.parse(readFileSync(join(SCHEMAS, `${schema}.schema.json`), 'utf8')));
    compiled.set(schema, check);
  }
  check(document);
  return check.errors;
}

function expectValid(schema: string, document: unknown): void {
  expect(faults(schema, document)).toBe(null);
  expect(faults(schema, { ...(document as object), more: 1 })).not.toBe(null);
  const { schemaVersion, ...rest } = document as { schemaVersion: unknown };
  expect(schemaVersion).toBe(1);
  expect(faults(schema, rest)).not.toBe(null);
}

let folder: string;

async function ran(schema: string, code: number, ...args: string[]) {
  const result = await untold(folder, [...args, '--json'], { UNTOLD_CACHE_DIR: join(folder, 'cache') });
  expect([args, result.code, result.code === code ? '' : result.stderr]).toEqual([args, code, '']);
  const document = JSON.parse(result.stdout);
  expectValid(schema, document);
  return document;
}

const STAGE = `#usda 1.0
( upAxis = "Y" )
def Xform "Town" ( variants = { string look = "a" }; prepend variantSets = "look" )
{
    double nan = nan
    matrix4d m = ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) )
    rel friend = </Town/House>
    def Mesh "House" ( prepend references = </Kit> )
    {
        point3f[] points = [(0,0,0), (1,0,0), (0,1,0)]
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        color3f[] primvars:displayColor.connect = </Town.nan>
    }
    variantSet "look" = {
        "a" {
            over "House" {
            }
        }
    }
}
class "Kit" { }
`;

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'art/town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'art/red.png', RED_PNG);
  put(folder, 'art/empty.gltf', '{"asset":{"version":"2.0"}}');
  put(folder, 'stage.usda', STAGE);
  put(folder, 'broken.glb', 'glTF?');
  put(folder, 'strange.json', '{"version": 3, "tiles": 1}');
  const args = ['cook', 'art/town.gltf', '--out', 'tiles', '--lod', '0.5', '--quiet'];
  expect((await untold(folder, args)).code).toBe(0);
  const yard = ['cook', join(SAMPLES, 'gltf/courtyard.gltf'), '--out', 'yard', '--lod', '0.5', '--quiet'];
  expect((await untold(folder, yard)).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every schema compiles', () => {
  for (const name of readdirSync(SCHEMAS)) faults(name.replace('.schema.json', ''), {});
  expect(compiled.size).toBe(readdirSync(SCHEMAS).length);
});

describe('cook', () => {
  test('of good, failed and skipped sources', async () => {
    const document = await ran(
      'cook',
      1,
      'cook',
      'art',
      'broken.glb',
      '--out',
      'o',
      '--lod',
      '0.5',
      '--hlod',
      '0.1',
      '--timing',
    );
    const statuses = document.results.map(({ status }: { status: string }) => status);
    expect(statuses.sort()).toEqual(['failed', 'ok', 'skipped']);
    expect(document.run.phases.length).toBeGreaterThan(0);
    // The schema describes what is deep inside, too.
    document.results.find(({ status }: { status: string }) => status === 'ok').outputs[0].more = 1;
    expect(faults('cook', document)).not.toBe(null);
  });

  test('that plans', async () => {
    for (const args of [['--partition', 'quadtree'], ['--out', 'one.untold'], []]) {
      const { results } = await ran('cook', 0, 'cook', 'art/town.gltf', '--dry-run', ...args);
      expect(results[0].plan.tiles.length).toBe(1);
    }
  });

  test('that is refused', async () => {
    for (const args of [['--nix'], ['gone/*.glb'], ['art', '--pipeline', 'nix'], ['art', '--lod', '2']]) {
      const { results, diagnostics, run } = await ran('cook', 2, 'cook', '--out', 'o', ...args);
      expect([results, diagnostics.length, run]).toEqual([[], 1, undefined]);
    }
  });
});

test('check, and cook with a device', async () => {
  const { measures } = await ran('check', 0, 'check', 'tiles/town.json', '--device', 'vision-pro');
  const args = ['cook', 'art/town.gltf', '--out', 'fit.untold', '--device', 'iphone'];
  const { verdicts } = await ran('cook', 0, ...args);
  expect([measures.length, verdicts.length]).toEqual([7, 1]);
});

test('why and advise', async () => {
  const { payloads } = await ran('why', 0, 'why', 'tiles/town.json');
  const { subject } = await ran('why', 0, 'why', 'tiles/town.json', payloads[0].tile);
  expect(subject.kind).toBe('tile');
  expect((await ran('advise', 0, 'advise', 'art/town.gltf')).totals.objects).toBe(1);
});

test('validate', async () => {
  expect((await ran('validate', 0, 'validate', 'tiles')).files.length).toBeGreaterThan(1);
  expect((await ran('validate', 1, 'validate', 'strange.json', 'tiles')).files[0].ok).toBe(false);
  expect((await ran('validate', 2, 'validate', 'tiles', '--allow', 'UC0')).diagnostics.length).toBe(1);
});

test('pack and unpack', async () => {
  put(folder, 'pack/in/a.usda', STAGE);
  await ran('pack', 0, 'pack', 'pack/in', '--out', 'pack/a.usdz');
  expect((await ran('unpack', 0, 'unpack', 'pack/a.usdz', '--out', 'pack/out')).files.length).toBe(1);
  await ran('pack', 0, 'pack', 'pack/in', '--out', 'pack/a.bpx');
  await ran('inspect', 0, 'inspect', 'pack/a.bpx');
  expect((await ran('inspect', 0, 'inspect', 'pack/a.usdz')).entries.length).toBe(1);
  await ran('error', 1, 'unpack', 'stage.usda', '--out', 'pack/out');
});

test('verify and diff', async () => {
  expect((await ran('verify', 0, 'verify', 'tiles')).fresh).toBe(null);
  const against = await ran('verify', 1, 'verify', 'tiles', '--against', 'art/town.gltf', '--no-cache');
  expect([against.fresh, against.sources.length]).toEqual([false, 1]);
  await ran('error', 2, 'verify', 'tiles', '--allow', 'UC0');
  expect((await ran('diff', 0, 'diff', 'tiles', 'tiles')).equal).toBe(true);
  await ran('error', 3, 'diff', 'tiles', 'gone');
  expect((await ran('diff', 1, 'diff', '.', 'tiles')).counts.equal).toBe(0);
});

describe('inspect', () => {
  test('of each kind', async () => {
    const kinds = new Set<string>();
    const inspect = async (file: string) => kinds.add((await ran('inspect', 0, 'inspect', file)).kind);
    await inspect('art/town.gltf');
    await inspect('stage.usda');
    await inspect('.');
    await inspect('tiles/town.json');
    const { files } = await ran('inspect', 0, 'inspect', 'tiles');
    for (const { path } of files) await inspect(path);
    for (const name of readdirSync(SAMPLES)) if (name.endsWith('.usdz')) await inspect(join(SAMPLES, name));
    expect([...kinds].sort()).toEqual(['folder', 'gltf', 'manifest', 'untold', 'usda', 'usdz', 'utex']);
  });

  test('of what is wrong', async () => {
    expect((await ran('inspect', 1, 'inspect', 'strange.json')).manifest).toBe(null);
    expect((await ran('error', 1, 'inspect', 'broken.glb')).diagnostics.length).toBe(1);
    await ran('error', 3, 'inspect', 'gone.usda');
    await ran('error', 2, 'inspect', '--nix', 'gone.usda');
    await ran('error', 3, 'inspect', '--stage', 'gone.usda');
  });

  test('--stage', async () => {
    const { prims } = await ran('inspect-stage', 0, 'inspect', '--stage', 'stage.usda');
    const house = prims.find(({ path }: { path: string }) => path === '/Town/House');
    expect(house.arcs.length).toBeGreaterThan(1);
    expect(prims[0].attributes.nan.value).toBe('NaN');
  });
});

test('check and render of several outputs', async () => {
  for (const name of ['town', 'village']) {
    put(folder, `several-art/${name}.gltf`, squareGltf());
    await ran('cook', 0, 'cook', `several-art/${name}.gltf`, '--out', 'several');
  }
  expect((await ran('check', 0, 'check', 'several')).outputs.length).toBe(2);
  expect((await ran('render', 0, 'render', 'several', '--out', 'pictures/', '--size', '32x32')).pictures.length).toBe(
    2,
  );
});

test('render', async () => {
  expect((await ran('render', 0, 'render', 'tiles', '--out', 'a.png', '--size', '32x32')).drawn.length).toBe(1);
  const { compared } = await ran('render', 0, 'render', 'yard', '--out', 'b.png', '--sheet', 'worst');
  expect(compared.length).toBeGreaterThan(0);
  await ran('error', 3, 'render', 'gone.untold', '--out', 'c.png');
});

test('explain', async () => {
  await ran('explain', 0, 'explain', 'UC1203');
  expect((await ran('explain', 0, 'explain')).codes.length).toBeGreaterThan(100);
  await ran('explain', 0, 'explain', 'texture');
  await ran('error', 2, 'explain', 'UC1');
});

test('config', async () => {
  const lists = ['--purpose', 'render,proxy', '--lod', '0.5,0.2', '--tile-size', '30', '--strict'];
  expect((await ran('source-options', 0, 'config', 'art/town.gltf', ...lists)).config).toBe(null);
  put(folder, 'project.json', '{"lod": "none", "files": [{"match": "*.gltf", "hlod": "0.1"}]}');
  await ran('source-options', 0, 'config', 'art/town.gltf', '--config', 'project.json');
  await ran('error', 2, 'config', 'art/town.gltf', '--config', 'strange.json');
});

test('clean', async () => {
  const args = ['art/town.gltf', '--out', 'stale', '--quiet'];
  expect((await untold(folder, ['cook', ...args])).code).toBe(0);
  expect((await ran('clean', 0, 'clean', 'stale', '--sources', 'art/empty.gltf')).removed).toHaveLength(1);
  await ran('error', 2, 'clean', 'stale', '--sources', 'gone.gltf');
});

test('init, and the project file that it writes', async () => {
  put(folder, 'new/one.gltf', squareGltf());
  await ran('init', 0, 'init', 'new');
  await ran('error', 2, 'init', 'new');
  const { config } = await ran('init', 0, 'init', 'new', '--force');
  expect(faults('config', config)).toBe(null);
  const target = { pipeline: 'indoor', sources: 'a/', out: 'o', files: [{ match: 'b/', lod: 'none' }] };
  const devices = { headset: { base: 'mac', textures: '1MB', draws: null, 'pixels-per-degree': 40 } };
  const targets = { 'a.b-c': { description: 'z', ...target } };
  const project = { $schema: 'x', description: 'y', ...target, targets, devices };
  expect(faults('config', project)).toBe(null);
  for (const wrong of [
    { targets: { '-a': {} } },
    { targets: { a: { targets: {} } } },
    { sources: [] },
    { device: '' },
    { devices: { x: { texture: '1MB' } } },
    { devices: { '-x': {} } },
  ]) {
    expect([wrong, faults('config', wrong)]).not.toEqual([wrong, null]);
  }
});

test('cook --explain-rebuild', async () => {
  const args = ['cook', 'art/town.gltf', '--out', 'again', '--explain-rebuild'];
  const first = await ran('cook', 0, ...args);
  expect(first.results[0].rebuilt).toEqual(['no complete cook of it is recorded']);
  expect((await ran('cook', 0, ...args)).results[0].rebuilt).toEqual([]);
});

test('cache', async () => {
  const { entries } = await ran('cache-info', 0, 'cache', 'info');
  expect(entries).toBeGreaterThan(0);
  expect((await ran('cache-prune', 0, 'cache', 'prune', '--dry-run')).entries).toBe(0);
  expect((await ran('cache-clear', 0, 'cache', 'clear')).entries).toBe(entries);
  expect((await ran('cache-info', 0, 'cache', 'info')).oldest).toBe(null);
  await ran('error', 2, 'cache', 'clear', '--kind', '?');
});

describe('--log-format json', () => {
  test.each([
    [['cook', 'art', 'broken.glb', '--out', 'log', '--lod', '0.5', '--verbose'], 'wrote'],
    [['cook', 'art', '--out', 'log', '--timing'], 'finished'],
    [['validate', 'tiles', 'strange.json', '--verbose'], 'validated'],
    [['cook', 'gone/*.glb', '--out', 'log'], undefined],
    [['render', 'tiles', '--out', 'd.png', '--size', '32x32', '--verbose'], 'drawn'],
    [['render', 'yard', '--out', 'e.png', '--sheet', 'worst', '--verbose'], 'rendered'],
  ])('%j', async (args, event) => {
    const { stderr } = await untold(folder, [...args, '--log-format', 'json']);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.event)).toContain(event);
    for (const line of lines) expectValid('log', line);
  });
});

test('the commands with the flags of the engine', async () => {
  put(folder, 'engine/wall.png', RED_PNG);
  put(folder, 'engine/chair.gltf', squareGltf({ image: 'wall.png' }));
  put(folder, 'engine/hero.glb', buildGlb(character()));
  const chair = 'engine/out/chair.untold';
  await ran('cook', 0, 'export', '--input', 'engine/chair.gltf', '--output', chair, '--blender', 'x');
  await ran('cook', 0, 'export-tiles', '--input', 'engine/chair.gltf', '--output-dir', 'engine/tiles/payloads');
  await ran('export-clip', 0, 'export', '--input', 'engine/hero.glb', '--output', 'engine/a.untoldanim', '--animation');
  const { baked, patched } = await ran('texbake', 0, 'texbake', '--dir', 'engine/out/Textures', '--patch-refs', chair);
  expect([baked.length, patched]).toEqual([1, [{ path: chair, textures: 1 }]]);
  const { models } = await ran('bake-lods', 0, 'bake-lods', '--input', chair);
  expect(models).toMatchObject([{ path: chair, levels: [] }]);
  await ran('error', 2, 'export-tiles', '--input', 'engine/chair.gltf', '--output-dir', 'engine/t', '--perimeter');
});
