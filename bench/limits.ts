// `npx tsx bench/limits.ts [NAME …]`: small files that ask for a lot of memory or time, made in a temporary folder, each
// cooked in a process of its own. Prints size, seconds, peak memory and exit code; a cook that needs more than 10 s or
// 1 GB without ending in a limit (exit 5) is marked. `--keep FOLDER` keeps the files there.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { crc32 } from '../src/bytes/crc32.ts';
import { array, attribute, double, prim, token, writeCrate } from '../test/importers/usd/crateWriter.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const MAX_SECONDS = 10;
const MAX_BYTES = 1e9;

interface Case {
  readonly file: string;
  readonly make: (folder: string) => Uint8Array | string;
  readonly options?: readonly string[];
}

const usda = (body: string): string => `#usda 1.0\n(\n    upAxis = "Y"\n    metersPerUnit = 1\n)\n${body}\n`;

function meshText(
  points: readonly (readonly number[])[],
  counts: readonly number[],
  indices: readonly number[],
): string {
  return usda(`def Mesh "Mesh"
{
    int[] faceVertexCounts = [${counts}]
    int[] faceVertexIndices = [${indices}]
    point3f[] points = [${points.map((point) => `(${point.map((n) => n.toFixed(3))})`)}]
    uniform token subdivisionScheme = "none"
}`);
}

/** A face of a comb's outline: every ear of it is a long triangle. */
function comb(teeth: number): string {
  const far = Array.from({ length: teeth }, (_, i) => [(i / teeth) * 500, 0, i % 2 === 0 ? 490 : 0]);
  const near = far.map(([x, y, z]) => [x, y, z + 10]).reverse();
  return meshText([...far, ...near], [2 * teeth], [...Array(2 * teeth).keys()]);
}

function needles(count: number): string {
  const points = Array.from({ length: count }, (_, i) => {
    const z = (i / count) * 500;
    return [
      [0, 0, z],
      [500, 0, z + 3.02],
      [500, 0, z + 3],
    ];
  }).flat();
  return meshText(points, Array(count).fill(3), [...Array(3 * count).keys()]);
}

function nestedInstancers(outer: number, inner: number): string {
  const instancer = (
    name: string,
    prototype: string,
    count: number,
    step: number,
    inside: string,
  ) => `def PointInstancer "${name}" {
    rel prototypes = <${prototype}>
    int[] protoIndices = [${Array(count).fill(0)}]
    point3f[] positions = [${Array.from({ length: count }, (_, i) => `(${(i % 32) * step}, 0, ${Math.floor(i / 32) * step})`)}]
${inside}
}`;
  const cube = 'def Cube "C" {\n    double size = 0.5\n}';
  return usda(instancer('A', '/A/B', outer, 40, instancer('B', '/A/B/C', inner, 1, cube)));
}

/** One triangle, and more attributes of the mesh. */
function crate(more: Parameters<typeof writeCrate>[0], version = '0.8.0'): Uint8Array {
  return writeCrate(
    {
      '/': { upAxis: token('Y'), metersPerUnit: double(1) },
      '/Mesh': prim('Mesh'),
      '/Mesh.faceVertexCounts': attribute('int[]', array('Int', Int32Array.of(3))),
      '/Mesh.faceVertexIndices': attribute('int[]', array('Int', Int32Array.of(0, 1, 2))),
      '/Mesh.points': attribute('point3f[]', array('Vec3f', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1))),
      ...more,
    },
    { version, compressArrays: true },
  );
}

/** A package with one deflated layer. */
function deflatedPackage(layer: Uint8Array): Uint8Array {
  const name = Buffer.from('a.usdc');
  const data = deflateRawSync(layer, { level: 9 });
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(layer), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(layer.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, data]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

function png(side: number, depth: 8 | 16, colorType: number, samples: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = depth;
  header[9] = colorType;
  const row = Buffer.alloc(1 + (side * samples * depth) / 8, 0x60);
  row[0] = 0;
  const data = deflateSync(Buffer.concat(Array(side).fill(row)), { level: 9 });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** A position accessor of zeros, of which a sparse one sets three. */
function sparse(count: number): string {
  const bytes = Buffer.concat([
    Buffer.from(Uint32Array.of(0, 1, 2).buffer),
    Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1).buffer),
  ]);
  return JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [
      {
        componentType: 5126,
        count,
        type: 'VEC3',
        min: [0, 0, 0],
        max: [1, 0, 1],
        sparse: {
          count: 3,
          indices: { bufferView: 0, componentType: 5125 },
          values: { bufferView: 1 },
        },
      },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 12 },
      { buffer: 0, byteOffset: 12, byteLength: 36 },
    ],
    buffers: [{ byteLength: 48, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  });
}

/** A triangle with images as base colours, each of a material of its own. */
function textured(images: readonly string[]): string {
  const floats = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1);
  const uri = `data:application/octet-stream;base64,${Buffer.from(floats.buffer).toString('base64')}`;
  const each = <T>(of: (i: number) => T) => images.map((_, i) => of(i));
  return JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: each((i) => i) }],
    nodes: each((i) => ({ mesh: i })),
    meshes: each((i) => ({ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: i }] })),
    materials: each((i) => ({ pbrMetallicRoughness: { baseColorTexture: { index: i } } })),
    textures: each((i) => ({ source: i })),
    images: images.map((image) => ({ uri: image })),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 0, 1] },
      { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 24 },
    ],
    buffers: [{ byteLength: 60, uri }],
  });
}

/** Writes images beside the scene. */
function withImages(folder: string, images: readonly Uint8Array[]): string {
  const names = images.map((bytes, i) => {
    const name = `image${bytes.length}_${i}.png`;
    writeFileSync(join(folder, name), bytes);
    return name;
  });
  return textured(names);
}

const square = (side: number) =>
  meshText(
    [
      [0, 0, 0],
      [0, 0, side],
      [side, 0, side],
      [side, 0, 0],
    ],
    [4],
    [0, 1, 2, 3],
  );

/** Triangles 0 1 2, 3 4 5 … over and over among few points: packed to almost nothing. */
function repeatedTriangles(count: number, points: number): Parameters<typeof writeCrate>[0] {
  return {
    '/Mesh.faceVertexCounts': attribute('int[]', array('Int', new Int32Array(count).fill(3))),
    '/Mesh.faceVertexIndices': attribute(
      'int[]',
      array(
        'Int',
        Int32Array.from({ length: count * 3 }, (_, i) => i % points),
      ),
    ),
    '/Mesh.points': attribute(
      'point3f[]',
      array(
        'Vec3f',
        Float32Array.from({ length: points * 3 }, (_, i) => Math.sin(i)),
      ),
    ),
  };
}

const CASES: readonly Case[] = [
  { file: 'comb.usda', make: () => comb(15_000) },
  { file: 'needles.usda', make: () => needles(20_000) },
  { file: 'needlesAlways.usda', make: () => needles(20_000), options: ['--split', 'always', '--tile-size', '5'] },
  { file: 'ground.usda', make: () => square(1e6), options: ['--split', 'always', '--tile-size', '1'] },
  { file: 'nested.usda', make: () => nestedInstancers(1000, 1000) },
  { file: 'deep.gltf', make: (folder) => withImages(folder, [png(8192, 16, 6, 4)]) },
  { file: 'deepTwice.gltf', make: (folder) => withImages(folder, [png(8192, 16, 2, 3), png(8192, 16, 0, 1)]) },
  {
    file: 'tokens.usdz',
    make: () =>
      deflatedPackage(
        crate({ '/Mesh.xformOpOrder': attribute('token[]', array('Token', Array(60_000_000).fill('a'))) }),
      ),
  },
  {
    file: 'points.usdz',
    make: () =>
      deflatedPackage(crate({ '/Mesh.points': attribute('point3f[]', array('Vec3f', new Float32Array(8_001_000))) })),
  },
  { file: 'indices.usdc', make: () => crate(repeatedTriangles(30_000_000, 3000)) },
  { file: 'fewIndices.usdc', make: () => crate(repeatedTriangles(1_390_000, 3000)) },
  { file: 'sparse.gltf', make: () => sparse(50_000_000) },
  { file: 'nestedJson.gltf', make: () => `${'['.repeat(400_000)}${']'.repeat(400_000)}` },
  { file: 'indices.usdz', make: () => deflatedPackage(crate(repeatedTriangles(30_000_000, 3000))) },
  {
    file: 'floats.usdc',
    make: () =>
      crate({
        '/Mesh.primvars:displayOpacity': attribute('float[]', array('Float', new Float32Array(100_000_000).fill(1))),
      }),
  },
];

const names = process.argv.slice(2);
const at = names.indexOf('--keep');
const kept = at < 0 ? null : resolve(names.splice(at, 2)[1]);
const folder = kept ?? mkdtempSync(join(tmpdir(), 'untold-limits-'));
mkdirSync(folder, { recursive: true });
try {
  for (const { file, make, options = [] } of CASES) {
    if (names.length > 0 && !names.some((name) => file.startsWith(name))) continue;
    const source = join(folder, file);
    writeFileSync(source, make(folder));
    const out = join(folder, 'out');
    const begin = performance.now();
    const args = ['cook', source, '--out', out, '--no-cache', '--json', '--quiet', ...options];
    const child = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const seconds = (performance.now() - begin) / 1000;
    rmSync(out, { recursive: true, force: true });
    const { run, results } = JSON.parse(child.stdout) as {
      run: { peakBytes: number };
      results: { diagnostics: { code: string; severity: string }[] }[];
    };
    const errors = results.flatMap((one) => one.diagnostics.filter(({ severity }) => severity === 'error'));
    const isOver = child.status !== 5 && (seconds > MAX_SECONDS || run.peakBytes > MAX_BYTES);
    const size = `${(statSync(source).size / 1000).toFixed(0)} kB`;
    const peak = `${(run.peakBytes / 1e6).toFixed(0)} MB`;
    const codes = errors.map(({ code }) => ` ${code}`).join('');
    const mark = isOver ? ' TOO MUCH' : '';
    process.stdout.write(`${file}: ${size}, ${seconds.toFixed(1)} s, ${peak}, exit ${child.status}${codes}${mark}\n`);
  }
} finally {
  if (kept === null) rmSync(folder, { recursive: true, force: true });
}
