// What each command prints with --json, and the lines of --log-format json, against the schemas in schemas/. They allow no
// property that they do not name, so that every difference is found.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { put, RED_PNG, squareGltf, temporaryFolder, untold } from './run.ts';

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

function ran(schema: string, code: number, ...args: string[]) {
  const result = untold(folder, [...args, '--json'], { UNTOLD_CACHE_DIR: join(folder, 'cache') });
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

beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'art/town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'art/red.png', RED_PNG);
  put(folder, 'art/empty.gltf', '{"asset":{"version":"2.0"}}');
  put(folder, 'stage.usda', STAGE);
  put(folder, 'broken.glb', 'glTF?');
  put(folder, 'strange.json', '{"version": 3, "tiles": 1}');
  const args = ['cook', 'art/town.gltf', '--out', 'tiles', '--lod', '0.5', '--quiet'];
  expect(untold(folder, args).code).toBe(0);
  const yard = ['cook', join(SAMPLES, 'gltf/courtyard.gltf'), '--out', 'yard', '--lod', '0.5', '--quiet'];
  expect(untold(folder, yard).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every schema compiles', () => {
  for (const name of readdirSync(SCHEMAS)) faults(name.replace('.schema.json', ''), {});
  expect(compiled.size).toBe(readdirSync(SCHEMAS).length);
});

describe('cook', () => {
  test('of good, failed and skipped sources', () => {
    const document = ran(
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

  test('that plans', () => {
    for (const args of [['--partition', 'quadtree'], ['--out', 'one.untold'], []]) {
      const { results } = ran('cook', 0, 'cook', 'art/town.gltf', '--dry-run', ...args);
      expect(results[0].plan.tiles.length).toBe(1);
    }
  });

  test('that is refused', () => {
    for (const args of [['--nix'], ['gone/*.glb'], ['art', '--pipeline', 'nix'], ['art', '--lod', '2']]) {
      const { results, diagnostics, run } = ran('cook', 2, 'cook', '--out', 'o', ...args);
      expect([results, diagnostics.length, run]).toEqual([[], 1, undefined]);
    }
  });
});

test('validate', () => {
  expect(ran('validate', 0, 'validate', 'tiles').files.length).toBeGreaterThan(1);
  expect(ran('validate', 1, 'validate', 'strange.json', 'tiles').files[0].ok).toBe(false);
  expect(ran('validate', 2, 'validate', 'tiles', '--allow', 'UC0').diagnostics.length).toBe(1);
});

test('pack and unpack', () => {
  put(folder, 'pack/in/a.usda', STAGE);
  ran('pack', 0, 'pack', 'pack/in', '--out', 'pack/a.usdz');
  expect(ran('unpack', 0, 'unpack', 'pack/a.usdz', '--out', 'pack/out').files.length).toBe(1);
  ran('pack', 0, 'pack', 'pack/in', '--out', 'pack/a.bpx');
  ran('inspect', 0, 'inspect', 'pack/a.bpx');
  expect(ran('inspect', 0, 'inspect', 'pack/a.usdz').entries.length).toBe(1);
  ran('error', 1, 'unpack', 'stage.usda', '--out', 'pack/out');
});

test('verify and diff', () => {
  expect(ran('verify', 0, 'verify', 'tiles').fresh).toBe(null);
  const against = ran('verify', 1, 'verify', 'tiles', '--against', 'art/town.gltf', '--no-cache');
  expect([against.fresh, against.sources.length]).toEqual([false, 1]);
  ran('error', 2, 'verify', 'tiles', '--allow', 'UC0');
  expect(ran('diff', 0, 'diff', 'tiles', 'tiles').equal).toBe(true);
  ran('error', 3, 'diff', 'tiles', 'gone');
});

describe('inspect', () => {
  test('of each kind', () => {
    const kinds = new Set<string>();
    const inspect = (file: string) => kinds.add(ran('inspect', 0, 'inspect', file).kind);
    inspect('art/town.gltf');
    inspect('stage.usda');
    inspect('.');
    inspect('tiles/town.json');
    const { files } = ran('inspect', 0, 'inspect', 'tiles');
    for (const { path } of files) inspect(path);
    for (const name of readdirSync(SAMPLES)) if (name.endsWith('.usdz')) inspect(join(SAMPLES, name));
    expect([...kinds].sort()).toEqual(['folder', 'gltf', 'manifest', 'untold', 'usda', 'usdz', 'utex']);
  });

  test('of what is wrong', () => {
    expect(ran('inspect', 1, 'inspect', 'strange.json').manifest).toBe(null);
    expect(ran('error', 1, 'inspect', 'broken.glb').diagnostics.length).toBe(1);
    ran('error', 3, 'inspect', 'gone.usda');
    ran('error', 2, 'inspect', '--nix', 'gone.usda');
    ran('error', 3, 'inspect', '--stage', 'gone.usda');
  });

  test('--stage', () => {
    const { prims } = ran('inspect-stage', 0, 'inspect', '--stage', 'stage.usda');
    const house = prims.find(({ path }: { path: string }) => path === '/Town/House');
    expect(house.arcs.length).toBeGreaterThan(1);
    expect(prims[0].attributes.nan.value).toBe('NaN');
  });
});

test('render', () => {
  expect(ran('render', 0, 'render', 'tiles', '--out', 'a.png', '--size', '32x32').drawn.length).toBe(1);
  const { compared } = ran('render', 0, 'render', 'yard', '--out', 'b.png', '--sheet', 'worst');
  expect(compared.length).toBeGreaterThan(0);
  ran('error', 3, 'render', 'gone.untold', '--out', 'c.png');
});

test('explain', () => {
  ran('explain', 0, 'explain', 'UC1203');
  expect(ran('explain', 0, 'explain').codes.length).toBeGreaterThan(100);
  ran('explain', 0, 'explain', 'texture');
  ran('error', 2, 'explain', 'UC1');
});

test('config', () => {
  const lists = ['--purpose', 'render,proxy', '--lod', '0.5,0.2', '--tile-size', '30', '--strict'];
  expect(ran('source-options', 0, 'config', 'art/town.gltf', ...lists).config).toBe(null);
  put(folder, 'project.json', '{"lod": "none", "files": [{"match": "*.gltf", "hlod": "0.1"}]}');
  ran('source-options', 0, 'config', 'art/town.gltf', '--config', 'project.json');
  ran('error', 2, 'config', 'art/town.gltf', '--config', 'strange.json');
});

test('clean', () => {
  const args = ['art/town.gltf', '--out', 'stale', '--quiet'];
  expect(untold(folder, ['cook', ...args]).code).toBe(0);
  expect(ran('clean', 0, 'clean', 'stale', '--sources', 'art/empty.gltf').removed).toHaveLength(1);
  ran('error', 2, 'clean', 'stale', '--sources', 'gone.gltf');
});

test('cook --explain-rebuild', () => {
  const args = ['cook', 'art/town.gltf', '--out', 'again', '--explain-rebuild'];
  const first = ran('cook', 0, ...args);
  expect(first.results[0].rebuilt).toEqual(['no complete cook of it is recorded']);
  expect(ran('cook', 0, ...args).results[0].rebuilt).toEqual([]);
});

test('cache', () => {
  const { entries } = ran('cache-info', 0, 'cache', 'info');
  expect(entries).toBeGreaterThan(0);
  expect(ran('cache-clear', 0, 'cache', 'clear').entries).toBe(entries);
  expect(ran('cache-info', 0, 'cache', 'info').oldest).toBe(null);
  ran('error', 2, 'cache', 'clear', '--kind', '?');
});

describe('--log-format json', () => {
  test.each([
    [['cook', 'art', 'broken.glb', '--out', 'log', '--lod', '0.5', '--verbose'], 'wrote'],
    [['cook', 'art', '--out', 'log', '--timing'], 'finished'],
    [['validate', 'tiles', 'strange.json', '--verbose'], 'validated'],
    [['cook', 'gone/*.glb', '--out', 'log'], undefined],
    [['render', 'tiles', '--out', 'd.png', '--size', '32x32', '--verbose'], 'drawn'],
    [['render', 'yard', '--out', 'e.png', '--sheet', 'worst', '--verbose'], 'rendered'],
  ])('%j', (args, event) => {
    const { stderr } = untold(folder, [...args, '--log-format', 'json']);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.event)).toContain(event);
    for (const line of lines) expectValid('log', line);
  });
});
