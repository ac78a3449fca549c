// Each limit through the command line: a small value ends with exit code 5 and names its flag, the default does not, and no
// byte of the output, nor a hit of the cache, depends on the value.

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeUsdz } from '../importers/usdz/usdzWriter.ts';
import { untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';
import { png } from '../textures/fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  // Commands are waited for synchronously: let the runner hear of the tests that are done.
  await new Promise((resolve) => setImmediate(resolve));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SQUARE = `int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]`;

const stage = (body: string) => `#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Y"\n)\n${body}\n`;
const mesh = (name: string, x = 0) => `def Mesh "${name}" {
        ${SQUARE}
        double3 xformOp:translate = (${x}, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }`;

/** What each limit is asked for, and a value that is too small for its source. */
const CASES: readonly {
  readonly flag: string;
  readonly small: string;
  /** The smallest value that is enough. */
  readonly enough: string;
  readonly source: string;
}[] = [
  { flag: '--max-input-bytes', small: '100', enough: '1MB', source: 'town.gltf' },
  { flag: '--max-pixels', small: '15', enough: '16', source: 'town.gltf' },
  { flag: '--max-prims', small: '2', enough: '3', source: 'town.gltf' },
  { flag: '--max-prims', small: '4', enough: '5', source: 'site.usda' },
  { flag: '--max-vertices', small: '3', enough: '4', source: 'town.gltf' },
  { flag: '--max-vertices', small: '3', enough: '4', source: 'site.usda' },
  { flag: '--max-reference-depth', small: '1', enough: '2', source: 'site.usda' },
  { flag: '--max-instances', small: '2', enough: '3', source: 'trees.usda' },
  { flag: '--max-instances', small: '2', enough: '3', source: 'copies.gltf' },
  { flag: '--max-tiles', small: '1', enough: '2', source: 'site.usda' },
  { flag: '--max-output-bytes', small: '100', enough: '1MB', source: 'site.usda' },
  { flag: '--max-archive-entries', small: '1', enough: '2', source: 'pack.usdz' },
];

function putSources(): void {
  put(folder, 'paint.png', png(4, 4, Array(4).fill(Array(4).fill([9, 90, 200]).flat()), { colorType: 2 }));
  put(folder, 'town.gltf', squareGltf({ image: 'paint.png' }));
  const copies = JSON.parse(squareGltf());
  copies.extensionsUsed = ['EXT_mesh_gpu_instancing'];
  copies.accessors.push({ componentType: 5126, count: 3, type: 'VEC3' });
  copies.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 3 } } };
  put(folder, 'copies.gltf', JSON.stringify(copies));
  put(folder, 'part.usda', stage(`def Xform "Part" (references = </Inner>) {}\ndef Xform "Inner" { ${mesh('Wall')} }`));
  put(
    folder,
    'site.usda',
    stage(`def Xform "Site" {
    def Xform "A" (references = @part.usda@</Part>) {}
    ${mesh('Far', 200)}
    ${mesh('Near')}
}`),
  );
  put(
    folder,
    'trees.usda',
    stage(`def PointInstancer "Trees" {
    int[] protoIndices = [0, 0, 0]
    point3f[] positions = [(0, 0, 0), (3, 0, 0), (6, 0, 0)]
    rel prototypes = </Trees/Tree>
    ${mesh('Tree')}
}`),
  );
  const text = new TextEncoder().encode(stage(mesh('Crate')));
  const files = [
    { name: 'root.usda', bytes: text },
    { name: 'other.usda', bytes: text },
  ];
  put(folder, 'pack.usdz', writeUsdz(files));
}

/** What each source becomes without limits of its own. */
const usual = new Map<string, Record<string, string>>();

async function usualBytes(source: string): Promise<Record<string, string>> {
  const known = usual.get(source);
  if (known) return known;
  expect((await untold(folder, ['cook', source, '-o', 'usual', '--no-cache'])).code).toBe(0);
  const bytes = contents(join(folder, 'usual'));
  usual.set(source, bytes);
  return bytes;
}

describe.each(CASES)('$flag of $source', ({ flag, small, enough, source }) => {
  test('refuses more with exit code 5, names the flag twice, and writes nothing', async () => {
    putSources();
    const { code, stderr, stdout } = await untold(folder, ['cook', source, '-o', 'out', flag, small, '--no-cache']);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(/error\[?.*UC\d{4}/);
    expect(stderr.split(flag).length - 1, stderr).toBeGreaterThanOrEqual(2);
    expect(existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : []).toEqual([]);
  });

  test('allows exactly as much as it says, and changes no byte', async () => {
    putSources();
    const given = await untold(folder, ['cook', source, '-o', 'given', flag, enough, '--no-cache']);
    expect([given.code, given.stderr]).toEqual([0, expect.any(String)]);
    expect(contents(join(folder, 'given'))).toEqual(await usualBytes(source));
  });
});

test('a record lets a larger limit pass, and no smaller one than the cook needed', async () => {
  putSources();
  const cook = async (...more: string[]) => {
    const args = ['cook', 'town.gltf', '-o', 'out', '--cache-dir', 'cache', '--explain-rebuild', '--json', ...more];
    const { code, stdout } = await untold(folder, args);
    const { rebuilt } = JSON.parse(stdout).results?.[0] ?? {};
    return { code, rebuilt };
  };
  expect((await cook()).code).toBe(0);
  for (const { flag, enough } of CASES.filter(
    ({ source, flag: name }) => source === 'town.gltf' && name !== '--max-pixels',
  )) {
    expect([flag, (await cook(flag, enough)).rebuilt]).toEqual([flag, []]);
  }
  for (const { flag, small } of CASES.filter(({ source }) => source === 'town.gltf')) {
    expect([flag, (await cook(flag, small)).code]).toEqual([flag, 5]);
  }
  expect([(await cook('--max-pixels', '100000000')).rebuilt, (await cook()).code]).toEqual([[], 0]);
});

test('a preset, the project file and one of its entries give limits as well', async () => {
  putSources();
  writeFileSync(join(folder, 'strict.json'), JSON.stringify({ 'max-prims': 2 }));
  const preset = await untold(folder, ['cook', 'town.gltf', '-o', 'out', '--pipeline', 'strict.json']);
  expect([preset.code, preset.stderr.includes('--max-prims')]).toEqual([5, true]);
  const files = [{ match: '*.gltf', 'max-vertices': 3 }];
  writeFileSync(join(folder, 'untold.config.json'), JSON.stringify({ files }));
  const project = await untold(folder, ['cook', 'town.gltf', 'trees.usda', '-o', 'out', '--json']);
  expect(project.code).toBe(5);
  const results = JSON.parse(project.stdout).results as { source: string; status: string }[];
  expect(results.map(({ source, status }) => [source, status])).toEqual([
    ['town.gltf', 'failed'],
    ['trees.usda', 'ok'],
  ]);
});

test('inspect has the limits of reading', async () => {
  putSources();
  const { code, stderr } = await untold(folder, ['inspect', 'town.gltf', '--max-prims', '2']);
  expect([code, stderr.includes('--max-prims')]).toEqual([5, true]);
});

/** A field of 2 × side × side triangles whose levels take far longer than the time that the test gives. */
function field(side: number): string {
  const at = (i: number, j: number) => Math.sin(i * 0.31) * Math.cos(j * 0.17) * 3 + Math.sin(i * j * 0.01);
  const points = new Float32Array((side + 1) ** 2 * 3);
  for (let i = 0; i <= side; i++) {
    for (let j = 0; j <= side; j++) points.set([i * 0.1, at(i, j), j * 0.1], (i * (side + 1) + j) * 3);
  }
  const indices = new Uint32Array(side * side * 6);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const a = i * (side + 1) + j;
      const b = a + side + 1;
      indices.set([a, a + 1, b, a + 1, b + 1, b], (i * side + j) * 6);
    }
  }
  const data = Buffer.concat([Buffer.from(points.buffer), Buffer.from(indices.buffer)]);
  return JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: points.length / 3, type: 'VEC3' },
      { bufferView: 1, componentType: 5125, count: indices.length, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: points.byteLength },
      { buffer: 0, byteOffset: points.byteLength, byteLength: indices.byteLength },
    ],
    buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
  });
}

describe('--timeout', () => {
  test.each([
    ['1', 'with one thread'],
    ['2', 'with two threads'],
  ])('ends %s thread(s) at work, leaves the earlier set and nothing else (%#)', async (threads) => {
    putSources();
    expect((await untold(folder, ['cook', 'site.usda', '-o', 'out', '--no-cache'])).code).toBe(0);
    const before = contents(join(folder, 'out'));
    put(folder, 'site.gltf', field(400));
    const args = [
      'cook',
      'site.gltf',
      '-o',
      'out',
      '--force',
      '-j',
      threads,
      '--lod',
      '0.5,0.2',
      '--tile-size',
      '1000',
    ];
    const { code, stderr } = await untold(folder, [...args, '--timeout', '1.5', '--no-cache']);
    expect([code, stderr.includes('--timeout'), stderr.includes('UC1097')]).toEqual([5, true, true]);
    expect(contents(join(folder, 'out'))).toEqual(before);
  });

  test('is over before anything is begun, and says so in JSON', async () => {
    putSources();
    const { code, stdout } = await untold(folder, [
      'cook',
      'town.gltf',
      'site.usda',
      '-o',
      'out',
      '--timeout',
      '0.001',
      '--json',
    ]);
    expect(code).toBe(5);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('UC1097');
    expect(existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : []).toEqual([]);
  });

  test('changes nothing where it is not reached', async () => {
    putSources();
    expect((await untold(folder, ['cook', 'town.gltf', '-o', 'a', '--timeout', '1000'])).code).toBe(0);
    expect((await untold(folder, ['cook', 'town.gltf', '-o', 'b'])).code).toBe(0);
    expect(contents(join(folder, 'a'))).toEqual(contents(join(folder, 'b')));
  });
});
