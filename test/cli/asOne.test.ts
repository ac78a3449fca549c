// Several sources cooked as one set, each in its own place, through the command line.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold, untoldBytes } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(async () => {
  // Waiting for processes blocks this one: the test runner gets its turn here, or it takes it for dead.
  await new Promise(setImmediate);
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A wall of 200 x 300 cm in a stage with Z up, 1000 cm to the east. */
const WALL = `#usda 1.0
(
  defaultPrim = "Wall"
  metersPerUnit = 0.01
  upAxis = "Z"
)
def Xform "Wall" {
  double3 xformOp:translate = (1000, 0, 0)
  uniform token[] xformOpOrder = ["xformOp:translate"]
  def Mesh "Face" {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (200, 0, 0), (200, 0, 300), (0, 0, 300)]
  }
}
`;

const cook = (...args: string[]) => untold(folder, ['cook', ...args, '--no-cache', '--textures', 'keep']);

interface Result {
  readonly source: string;
  readonly joined?: readonly string[];
  readonly status: string;
  readonly totals: { readonly objects: number } | null;
  readonly plan?: { readonly bounds: { readonly min: number[]; readonly max: number[] } };
  readonly diagnostics: readonly { readonly code: string; readonly file: string; readonly path: string }[];
}

async function results(...args: string[]): Promise<Result[]> {
  return (JSON.parse((await cook(...args, '--json')).stdout) as { results: Result[] }).results;
}

const bounds = async (...args: string[]) => {
  const found = (await results(...args, '--dry-run'))[0].plan?.bounds;
  return found && [found.min, found.max].map((corner) => corner.map((value) => Number(value.toFixed(9)) + 0));
};

describe('--as-one', () => {
  test('makes one set of all sources, in metres and Y up, with the same bytes for any number of threads', async () => {
    put(folder, 'art/a.gltf', squareGltf({ size: 2, image: 'red.png' }));
    put(folder, 'art/red.png', RED_PNG);
    put(folder, 'art/sub/a.gltf', squareGltf({ at: -5 }));
    put(folder, 'art/wall.usda', WALL);
    const [result, ...more] = await results('art', '--as-one', 'town', '--out', 'tiles', '--depfile', 'tiles.d');
    expect(more).toEqual([]);
    expect([result.source, result.status, result.totals?.objects]).toEqual(['town', 'ok', 3]);
    expect(result.joined).toEqual(['art/a.gltf', 'art/sub/a.gltf', 'art/wall.usda']);
    expect(readdirSync(join(folder, 'tiles')).sort()).toEqual(['town', 'town.json', 'town.plan.svg']);
    expect((await untold(folder, ['validate', 'tiles'])).code).toBe(0);
    expect(await bounds('art', '--as-one', 'town')).toEqual([
      [-5, 0, 0],
      [12, 3, 0],
    ]);
    const rule = readFileSync(join(folder, 'tiles.d'), 'utf8').split('\n\n')[0];
    expect(rule.split(/\s+\\?\s*/)).toEqual(
      ['tiles/town.json:', 'art/a.gltf', 'art/red.png', 'art/sub/a.gltf', 'art/wall.usda'].filter((word) => word),
    );
    const first = contents(join(folder, 'tiles'));
    for (const jobs of ['1', '3']) {
      rmSync(join(folder, 'tiles'), { recursive: true });
      expect((await cook('art', '--as-one', 'town', '--out', 'tiles', '--jobs', jobs)).code).toBe(0);
      expect(contents(join(folder, 'tiles'))).toEqual(first);
    }
    expect((await cook('art', '--as-one', 'town', '--out', 'town.untold')).code).toBe(0);
    expect((await untold(folder, ['validate', 'town.untold'])).code).toBe(0);
  });

  test('reads each source as the project file says of it', async () => {
    put(folder, 'art/a.gltf', squareGltf());
    put(folder, 'art/b.gltf', squareGltf());
    put(folder, 'untold.config.json', JSON.stringify({ files: [{ match: 'b.gltf', origin: '-10,0,0', scale: 2 }] }));
    const call = ['art', '--as-one', 'town', '--out', 'tiles'];
    expect(await bounds(...call)).toEqual([
      [0, 0, 0],
      [22, 2, 0],
    ]);
    expect(await bounds(...call, '--scale', '1')).toEqual([
      [0, 0, 0],
      [11, 1, 0],
    ]);
    for (const setting of [{ 'tile-size': 10 }, { strict: true }, { textures: 'png' }]) {
      put(folder, 'untold.config.json', JSON.stringify({ files: [{ match: 'b.gltf', ...setting }] }));
      const { code, stderr } = await untold(folder, ['cook', ...call]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('error UC1012 art/b.gltf --as-one')]);
    }
  });

  test('cooks one tile of the set alone', async () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'b.gltf', squareGltf({ at: 100 }));
    const call = ['a.gltf', 'b.gltf', '--as-one', 'town', '--out', 'tiles'];
    expect((await cook(...call)).code).toBe(0);
    const before = contents(join(folder, 'tiles'));
    const [tile] = (await results(...call, '--dry-run')).flatMap(({ plan }) =>
      (plan as unknown as { tiles: { id: string }[] }).tiles.map(({ id }) => id),
    );
    rmSync(join(folder, 'tiles/town.plan.svg'), { force: true });
    const [result] = await results(...call, '--only', tile);
    expect(result.status).toBe('ok');
    for (const [name, bytes] of Object.entries(contents(join(folder, 'tiles')))) expect(bytes).toBe(before[name]);
    // Another place of a source is another set, of which no tile can be taken over.
    expect((await results(...call, '--only', tile, '--scale', '3'))[0].diagnostics.map(({ code }) => code)).toContain(
      'UC2207',
    );
  });

  test('names the file of each fault, of all sources that cannot be read, and writes nothing', async () => {
    put(folder, 'bad.gltf', '{');
    put(folder, 'empty.usda', '');
    put(folder, 'good.gltf', squareGltf());
    const call = ['bad.gltf', 'empty.usda', 'good.gltf', '--as-one', 'town', '--out', 'tiles'];
    const [{ status, diagnostics }] = await results(...call);
    expect(status).toBe('failed');
    expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['UC1301', 'bad.gltf'],
      ['UC1206', 'empty.usda'],
    ]);
    expect(existsSync(join(folder, 'tiles'))).toBe(false);
  });

  test('names file and element of what is found after reading', async () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'far.gltf', squareGltf({ at: 5000 }));
    put(folder, 'lost.gltf', squareGltf({ image: 'missing.png' }));
    put(folder, 'wall.usda', WALL.replace('(1000, 0, 0)', '(1e6, 0, 0)'));
    const call = ['a.gltf', 'far.gltf', 'wall.usda', 'lost.gltf', '--as-one', 'town', '--out', 'tiles'];
    const [{ diagnostics }] = await results(...call, '--missing-texture', 'drop');
    const found = diagnostics.map(({ code, file, path }) => `${code} ${file} ${path}`);
    expect(found).toContain('UC2201 far.gltf nodes/0');
    expect(found.filter((text) => text.startsWith('UC21'))).toEqual(['UC2105 lost.gltf materials/0']);
    expect(found.filter((text) => text.includes(':'))).toEqual([]);
    const [refused] = await results(...call);
    const places = refused.diagnostics.map(({ file, path }) => `${file} ${path}`);
    expect([refused.status, places.includes('lost.gltf images/0')]).toEqual(['failed', true]);
    expect(places.filter((text) => text.includes(':'))).toEqual([]);
  });

  test('takes standard input as one of the sources', async () => {
    put(folder, 'a.gltf', squareGltf());
    const call = ['cook', '-', 'a.gltf', '--stdin-name', 'b.gltf', '--as-one', 'town', '--out', 'tiles', '--json'];
    const { stdout } = await untoldBytes(folder, call, { stdin: squareGltf({ at: 9 }) });
    const [{ joined, totals }] = (JSON.parse(stdout.toString()) as { results: Result[] }).results;
    expect([joined, totals?.objects]).toEqual([['b.gltf', 'a.gltf'], 2]);
  });

  test.each([
    [['--as-one', 'town', '--out-each', '{name}.untold'], 'UC1012 --as-one'],
    [['--as-one', 'town', '--out', 'tiles', '--watch'], 'UC1012 --watch'],
    [['--as-one', 'to wn', '--out', 'tiles'], 'UC1003 --as-one'],
    [['--as-one', 'a/b', '--out', 'tiles'], 'UC1003 --as-one'],
    [['--as-one', 'town.json', '--out', 'tiles'], 'UC1003 --as-one'],
    [['--as-one', 'town', '--out', 'tiles', '--textures-dir', 'all'], 'UC1012 --textures-dir'],
  ])('refuses %j', async (args, message) => {
    put(folder, 'a.gltf', squareGltf());
    const { code, stderr } = await cook('a.gltf', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(`error ${message}`);
    expect(readdirSync(folder)).toEqual(['a.gltf']);
  });
});

describe('--origin, --rotate and --scale', () => {
  const cooked = async (source: string, ...args: string[]) => {
    const { code, stderr } = await cook(source, '--out', 'out.untold', ...args);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('UC2201')]);
    return readFileSync(join(folder, 'out.untold'), 'latin1');
  };

  test('make a site at 4,500,000 m the same bytes as one at 0', async () => {
    put(folder, 'near/site.gltf', squareGltf({ at: 0.125 }));
    put(folder, 'far/site.gltf', squareGltf({ at: 4_500_000.125 }));
    expect(await cooked('far/site.gltf', '--origin', '4500000,0,0')).toEqual(await cooked('near/site.gltf'));
    put(folder, 'near/wall.usda', WALL);
    put(folder, 'far/wall.usda', WALL.replace('(1000, 0, 0)', '(450001000, -560000000, 0)'));
    expect(await cooked('far/wall.usda', '--origin', '450000000,-560000000,0')).toEqual(await cooked('near/wall.usda'));
  });

  test('make glTF in centimetres the same bytes as one in metres, lights and cameras too', async () => {
    const withLight = (unit: number) => {
      const gltf = JSON.parse(squareGltf({ size: 2 * unit })) as Record<string, unknown[]>;
      (gltf.nodes as object[]).push({
        translation: [0, 4 * unit, 0],
        camera: 0,
        extensions: { KHR_lights_punctual: { light: 0 } },
      });
      (gltf.scenes[0] as { nodes: number[] }).nodes.push(3);
      const punctual = { lights: [{ type: 'point', intensity: 100 * unit ** 2, range: 8 * unit }] };
      const perspective = { yfov: 1, znear: 0.25 * unit, zfar: 64 * unit, aspectRatio: 1 };
      return JSON.stringify({
        ...gltf,
        extensionsUsed: ['KHR_lights_punctual'],
        extensions: { KHR_lights_punctual: punctual },
        cameras: [{ type: 'perspective', perspective }],
      });
    };
    put(folder, 'm/a.gltf', withLight(1));
    put(folder, 'quarter/a.gltf', withLight(4));
    expect(await cooked('quarter/a.gltf', '--scale', '0.25')).toEqual(await cooked('m/a.gltf'));
  });

  test('are read from presets too, and by inspect; a composed stage is shown as it is', async () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'preset.json', JSON.stringify({ rotate: '0,0,90', origin: '1,0,0', scale: 10 }));
    expect(await bounds('a.gltf', '--out', 'tiles', '--pipeline', 'preset.json')).toEqual([
      [-10, -10, 0],
      [0, 0, 0],
    ]);
    const inspected = JSON.parse((await untold(folder, ['inspect', 'a.gltf', '--json', '--origin', '0,-3,0'])).stdout);
    expect(inspected.bounds.min).toEqual([0, 3, 0]);
    put(folder, 'wall.usda', WALL);
    const { code, stderr } = await untold(folder, ['inspect', 'wall.usda', '--stage', '--origin', '0,-3,0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('UC1012 --origin')]);
  });
});
