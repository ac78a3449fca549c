// Cooks of sources that were cooked before: what has not changed is not cooked again, and nobody can tell from the output.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG } from '../support/squareGltf.ts';
import { rgb } from '../textures/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A hill of 2 × n × n triangles in a plane of 40 m, which is worth levels. */
function hill(name: string, x: number, material: string, side = 14): string {
  const points: string[] = [];
  const uvs: string[] = [];
  const indices: string[] = [];
  for (let i = 0; i <= side; i++) {
    for (let j = 0; j <= side; j++) {
      const height = Math.sin((i / side) * 3.1) * Math.sin((j / side) * 3.1) * 6;
      points.push(`(${(i / side) * 40}, ${height.toFixed(4)}, ${(j / side) * 40})`);
      uvs.push(`(${i / side}, ${j / side})`);
    }
  }
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const at = i * (side + 1) + j;
      indices.push(`${at}, ${at + 1}, ${at + side + 2}, ${at + side + 1}`);
    }
  }
  return `    def Mesh "${name}" (prepend apiSchemas = ["MaterialBindingAPI"]) {
        int[] faceVertexCounts = [${Array(side * side)
          .fill(4)
          .join(', ')}]
        int[] faceVertexIndices = [${indices.join(', ')}]
        point3f[] points = [${points.join(', ')}]
        texCoord2f[] primvars:st = [${uvs.join(', ')}] (interpolation = "vertex")
        rel material:binding = </Town/${material}>
        double3 xformOp:translate = (${x}, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
`;
}

const material = (name: string, image: string) => `    def Material "${name}" {
        token outputs:surface.connect = </Town/${name}/S.outputs:surface>
        def Shader "S" {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Town/${name}/T.outputs:rgb>
            token outputs:surface
        }
        def Shader "T" {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @${image}@
            float2 inputs:st.connect = </Town/${name}/R.outputs:result>
            float3 outputs:rgb
        }
        def Shader "R" {
            uniform token info:id = "UsdPrimvarReader_float2"
            string inputs:varname = "st"
            float2 outputs:result
        }
    }
`;

/** Three hills in cells of their own, two images. */
function putTown({ first = '', last = '', x = 400, red = 'red.png' } = {}): void {
  const town = `#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
    defaultPrim = "Town"
)
def Xform "Town" {
${first}${material('Red', red)}${material('Blue', 'blue.png')}${hill('A', 5, 'Red')}${hill('B', 205, 'Blue')}${hill('C', x, 'Red')}${last}}
`;
  put(folder, 'town.usda', town);
}

function putSources(): void {
  put(folder, 'red.png', RED_PNG);
  put(folder, 'blue.png', rgb([[0, 0, 255]]));
  putTown();
}

const SETTINGS = [
  '--tile-size',
  '50',
  '--lod',
  '0.5',
  '--hlod',
  '0.2',
  '--lod-check',
  'geometry',
  '--textures',
  'keep',
];
const cookTo = (out: string, ...args: string[]) =>
  untold(folder, ['cook', 'town.usda', '--out', out, ...SETTINGS, ...args]);
const cook = (...args: string[]) => cookTo('tiles', '--cache-dir', 'cache', ...args);

/** When each file below a folder was written, and which one it is. */
const stamps = (name: string) =>
  Object.keys(contents(join(folder, name))).map((path) => {
    const { ino, mtimeMs } = statSync(join(folder, name, path));
    return `${path} ${ino} ${mtimeMs}`;
  });

/** That the output is what a cook without a cache makes. */
async function expectFull(...args: string[]): Promise<void> {
  rmSync(join(folder, 'full'), { recursive: true, force: true });
  expect((await cookTo('full', '--no-cache', ...args)).code).toBe(0);
  expect(contents(join(folder, 'tiles'))).toEqual(contents(join(folder, 'full')));
}

/** Waits until files that were written now are older than a tick of the clock. */
const settle = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);

const without = (json: string) => {
  const { run: _, ...document } = JSON.parse(json);
  return document;
};

describe('a source of which nothing has changed', () => {
  test('is not cooked again, and every answer is that of the first cook', async () => {
    putSources();
    putTown({ red: 'gone.png' });
    const args = ['--missing-texture', 'drop', '--depfile', 'town.d', '--json'];
    const first = await cook(...args);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('UC1203');
    const depfile = readFileSync(join(folder, 'town.d'), 'utf8');
    const before = stamps('tiles');
    for (let i = 0; i < 2; i++) {
      settle();
      const again = await cook(...args, '--jobs', String(i + 1));
      expect(again.code).toBe(0);
      expect(without(again.stdout)).toEqual(without(first.stdout));
      expect(readFileSync(join(folder, 'town.d'), 'utf8')).toBe(depfile);
      expect(stamps('tiles')).toEqual(before);
    }
    expect((await cook('--missing-texture', 'drop')).stderr).toContain('town.usda: up to date: 3 tiles');
    // A texture that was looked for is there now.
    put(folder, 'gone.png', RED_PNG);
    const found = await cook('--missing-texture', 'drop', '--explain-rebuild');
    expect(found.stderr).toContain('input gone.png is new');
    expect(found.stderr).not.toContain('UC1203');
    expect(stamps('tiles')).not.toEqual(before);
  });

  test('is cooked again if a file could not be read: nobody can tell when it can', async () => {
    putSources();
    rmSync(join(folder, 'red.png'));
    mkdirSync(join(folder, 'red.png'));
    const args = ['--missing-texture', 'drop'];
    for (let i = 0; i < 2; i++) {
      const { code, stderr } = await cook(...args);
      expect(code).toBe(0);
      expect(stderr).toContain('UC1203');
      expect(stderr).not.toContain('up to date');
    }
    rmSync(join(folder, 'red.png'), { recursive: true });
    put(folder, 'red.png', RED_PNG);
    expect((await cook(...args)).stderr).not.toContain('UC1203');
    await expectFull(...args);
  });

  test('is known by its content where times say nothing', async () => {
    putSources();
    expect((await cook()).code).toBe(0);
    const before = stamps('tiles');
    // A checkout sets new times, and copies make new files.
    for (const name of ['town.usda', 'red.png']) {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      rmSync(path);
      writeFileSync(path, bytes);
      utimesSync(path, 1e9, 1e9);
    }
    expect((await cook()).stderr).toContain('up to date');
    expect(stamps('tiles')).toEqual(before);
  });

  test('is cooked where that is asked for', async () => {
    putSources();
    await cook();
    for (const flag of ['--no-incremental', '--force-rebuild', '--force', '--no-cache']) {
      const args = flag === '--no-cache' ? [flag] : ['--cache-dir', 'cache', flag];
      expect((await cookTo('tiles', ...args)).stderr, flag).not.toContain('up to date');
    }
    await expectFull();
    expect((await cook('--force-rebuild', '--explain-rebuild')).stderr).toContain('--force-rebuild was given');
    expect((await cook()).stderr).toContain('up to date');
  });

  test('is recorded with --force, too, so that it is up to date afterwards', async () => {
    putSources();
    await cook();
    putTown({ x: 401 });
    expect((await cook('--force', '--explain-rebuild')).stderr).toMatch(
      /--force was given\n {2}input town.usda changed/,
    );
    expect((await cook()).stderr).toContain('up to date');
  });

  test('keeps a warning that --strict makes an error', async () => {
    putSources();
    putTown({ red: 'gone.png' });
    expect((await cook('--missing-texture', 'drop')).code).toBe(0);
    expect((await cook('--missing-texture', 'drop', '--strict')).code).toBe(1);
    expect((await cook('--missing-texture', 'drop', '--strict')).code).toBe(1);
    expect((await cook('--missing-texture', 'drop')).stderr).toContain('up to date');
  });
});

describe('a source that changed', () => {
  test('has only those tiles cooked again that its change is in', async () => {
    putSources();
    await cook();
    putTown({ x: 401 });
    const moved = (await cook('--explain-rebuild')).stderr;
    expect(moved).toContain('input town.usda changed');
    expect(moved).toContain('tile_8_0_0: object /Town/C');
    expect(moved).toContain('tile_8_0_0 levels: full detail');
    expect(moved).not.toMatch(/tile_[04]_0_0/);
    await expectFull();

    put(folder, 'blue.png', rgb([[0, 9, 255]]));
    const painted = (await cook('--explain-rebuild')).stderr;
    expect(painted).toContain('input blue.png changed');
    expect(painted).toMatch(/tile_4_0_0: material Blue/);
    expect(painted).not.toMatch(/tile_[08]_0_0/);
    await expectFull();
  });

  test('finds its tiles though everything in it has another number', async () => {
    putSources();
    await cook();
    putTown({ first: material('Green', 'blue.png') + hill('Z', 605, 'Green'), last: hill('Y', 805, 'Blue') });
    const added = (await cook('--explain-rebuild')).stderr;
    expect(added).toContain('tile_12_0_0: not cooked before');
    expect(added).toContain('tile_16_0_0: not cooked before');
    expect(added).not.toMatch(/tile_[048]_0_0/);
    await expectFull();
  });

  test('is cooked again with other settings, and says which', async () => {
    putSources();
    await cook();
    const { stderr } = await cook('--hlod', '0.3', '--explain-rebuild');
    expect(stderr).toContain('  --hlod 0.3, before ');
    expect(stderr).toContain('tile_0_0_0 levels: settings');
    expect(stderr).not.toMatch(/tile_0_0_0: /);
  });
});

describe('an output', () => {
  test('is mended where a file of it is gone or was changed', async () => {
    putSources();
    await cook();
    const [tile, other] = Object.keys(contents(join(folder, 'tiles'))).filter((path) => path.endsWith('.untold'));
    rmSync(join(folder, 'tiles', tile));
    const gone = await cook('--explain-rebuild');
    expect(gone.stderr).toContain(`output tiles/${tile} is gone`);
    // Everything is in the cache.
    expect(gone.stderr).not.toContain('not kept');
    await expectFull();
    const path = join(folder, 'tiles', other);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(path, bytes);
    utimesSync(path, 1e9, 1e9);
    expect((await cook('--explain-rebuild')).stderr).toContain(`output tiles/${other} changed`);
    await expectFull();
  });

  test('is cooked again where a killed cook has left its folders', async () => {
    putSources();
    await cook();
    put(folder, 'tiles/.cooking/town.json.cooking-0123456789abcdef/note', '');
    expect((await cook('--explain-rebuild')).stderr).toContain('a cook of it is not finished');
    expect(existsSync(join(folder, 'tiles/.cooking'))).toBe(false);
    await expectFull();
  });
});

test('a damaged record is a miss', async () => {
  putSources();
  await cook();
  const records = readdirSync(join(folder, 'cache/content/cook'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(records).toHaveLength(1);
  appendFileSync(records[0], 'x');
  const { stderr, code } = await cook('--explain-rebuild');
  expect(code).toBe(0);
  expect(stderr).toContain('no complete cook of it is recorded');
  expect((await cook()).stderr).toContain('up to date');
});

test('with --fail-fast nothing behind a source that fails is up to date', async () => {
  putSources();
  await cook();
  put(folder, 'broken.usda', 'no layer');
  const args = ['broken.usda', 'town.usda', '--out', 'tiles', '--cache-dir', 'cache', '--fail-fast', '--json'];
  const { code, stdout } = await untold(folder, ['cook', ...args]);
  expect(code).toBe(1);
  const { results } = JSON.parse(stdout) as { results: { status: string }[] };
  expect(results.map(({ status }) => status)).toEqual(['failed', 'skipped']);
});

test('many sources are skipped one by one', async () => {
  putSources();
  for (let i = 0; i < 5; i++)
    put(folder, `kit/prop${i}.usda`, `#usda 1.0\n(upAxis = "Y")\ndef Cube "C" { double size = ${i + 1} }\n`);
  const all = () => untold(folder, ['cook', 'kit', '--out', 'kit-tiles', '--cache-dir', 'cache']);
  expect((await all()).stderr).not.toContain('up to date');
  put(folder, 'kit/prop3.usda', '#usda 1.0\n(upAxis = "Y")\ndef Cube "C" { double size = 9 }\n');
  const { stderr, code } = await all();
  expect(code).toBe(0);
  expect(stderr.match(/: up to date: /g)).toHaveLength(4);
  expect(stderr).toMatch(/prop3.usda: 1 tile/);
  expect(stderr).toContain('1 of 5 sources cooked, 4 up to date');
});
