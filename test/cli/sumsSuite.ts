// Every sum that a cook tells, in its last line, its document, its reports and its plan, is that of the files which lie on the
// disk after it, counted here without asking the cook. The calls that take longer are in sums.long.test.ts.

import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatBytes } from '../../src/bytes/units.ts';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { rgb } from '../textures/fixture.ts';

let folder: string;

/** The folder of the test that runs. */
export const folderOfTest = (): string => folder;

/** Gives each test a folder with sources. */
export function withSources(): void {
  beforeEach(async () => {
    await new Promise(setImmediate);
    folder = temporaryFolder();
    putSources();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
}

const BLUE_PNG = rgb([[0, 0, 255]]);

/** A dome of `side` x `side` quads, placed at each x; one material, which may glow. */
function domes(places: readonly number[], side: number, image?: string): string {
  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column <= side; column++) {
      const [u, v] = [column / side, row / side];
      positions.push(40 * u, 12 * Math.sin(Math.PI * u) * Math.sin(Math.PI * v), 40 * v);
      uvs.push(u, v);
      const a = row * (side + 1) + column;
      if (row < side && column < side) indices.push(a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2);
    }
  }
  const parts = [Float32Array.from(positions), Float32Array.from(uvs), Uint32Array.from(indices)];
  const data = Buffer.concat(parts.map((array) => Buffer.from(array.buffer)));
  let byteOffset = 0;
  const bufferViews = parts.map(({ byteLength }) => {
    const view = { buffer: 0, byteOffset, byteLength };
    byteOffset += byteLength;
    return view;
  });
  const vertices = positions.length / 3;
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: places.map((_, i) => i) }],
    nodes: places.map((x, i) => ({ name: `dome${i}`, mesh: 0, translation: [x, 0, 0] })),
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [{ name: 'dome', pbrMetallicRoughness: image ? { baseColorTexture: { index: 0 } } : {} }],
    ...(image ? { textures: [{ source: 0 }], images: [{ uri: image }] } : {}),
    accessors: [
      { bufferView: 0, componentType: 5126, count: vertices, type: 'VEC3', min: [0, 0, 0], max: [40, 12, 40] },
      { bufferView: 1, componentType: 5126, count: vertices, type: 'VEC2' },
      { bufferView: 2, componentType: 5125, count: indices.length, type: 'SCALAR' },
    ],
    bufferViews,
    buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
  });
}

/** Four props of which three share an image, a row of domes, a model of two roots, a broken file, one with nothing to draw. */
function putSources(): void {
  put(folder, 'kit/wood.png', RED_PNG);
  put(folder, 'kit/steel.png', BLUE_PNG);
  for (const [i, image] of ['wood', 'wood', 'steel', 'wood'].entries()) {
    put(folder, `kit/prop${i}.gltf`, squareGltf({ size: 1 + i, image: `${image}.png` }));
  }
  put(folder, 'one/wood.png', RED_PNG);
  put(folder, 'one/box.gltf', squareGltf({ image: 'wood.png' }));
  put(folder, 'row/wood.png', largePng());
  put(folder, 'row/row.gltf', domes([0, 400, 800], 8, 'wood.png'));
  put(folder, 'mixed/a.gltf', squareGltf());
  put(folder, 'mixed/b.gltf', '{');
  put(folder, 'mixed/c.usda', '#usda 1.0\n(upAxis = "Y"\nmetersPerUnit = 1)\ndef Scope "Looks" {}\n');
}

/** 64 x 64 texels of many colours, which levels have smaller files of. */
const largePng = (): Uint8Array =>
  rgb(Array.from({ length: 64 }, (_, y) => Array.from({ length: 64 }, (_, x) => [x * 4, y * 4, 0]).flat()));

export interface Sum {
  readonly files: number;
  readonly bytes: number;
}

export interface Document {
  readonly results: readonly {
    readonly status: string;
    readonly outputs: readonly { readonly path: string; readonly bytes: number }[];
    readonly totals: { readonly tiles: number; models: number; files: number; bytes: number; textures: number } | null;
    readonly diagnostics: readonly { readonly severity: string }[];
  }[];
  readonly totals: Readonly<Record<string, number>> & {
    readonly output: Sum;
    readonly textures: Sum;
    readonly shared: Sum;
    readonly planned?: { readonly atMost: Sum; readonly textures: Sum; readonly levels: Sum };
  };
  readonly run: { readonly cooked: number; readonly upToDate: number; readonly written: Sum };
}

export const OUT = 'o';

/** The files of the output with what tells that one was written. */
export function disk(): Map<string, { readonly bytes: number; readonly mark: string }> {
  return new Map(
    filesBelow(join(folder, OUT)).map((path) => {
      const { size, ino, mtimeNs } = statSync(join(folder, OUT, path), { bigint: true });
      return [path, { bytes: Number(size), mark: `${ino} ${mtimeNs}` }];
    }),
  );
}

export const sum = (sizes: readonly number[]): Sum => ({
  files: sizes.length,
  bytes: sizes.reduce((a, b) => a + b, 0),
});
export const isTexture = (path: string) => /\.(?:utex|png|jpg)$/.test(path);

/** The tiles and models that the main files of an output list, by reading them. */
export function listed(): { readonly tiles: number; readonly models: number } {
  let [tiles, models] = [0, 0];
  for (const path of filesBelow(join(folder, OUT))) {
    const read = () => JSON.parse(readFileSync(join(folder, OUT, path), 'utf8'));
    if (path.endsWith('.untoldpack')) models += new Set(read().models.map((one: { path: string }) => one.path)).size;
    if (!path.endsWith('.json')) continue;
    const main = read();
    if (main.kind === 'untold-shard') {
      tiles += main.part.tiles.filter(({ written }: { written: unknown }) => written !== null).length;
    } else if (main.tiles) tiles += main.tiles.length + (main.shared_bucket ? 1 : 0);
  }
  return { tiles, models };
}

/** How many sources are cooked, up to date, failed, skipped. */
type Counts = readonly [cooked: number, upToDate: number, failed: number, skipped: number];

/** What a call is expected to come to; what else it writes besides `OUT` it does not count. */
interface Call {
  readonly args: readonly string[];
  readonly counts: Counts;
  /** Calls and changes before it. */
  readonly before?: readonly (readonly string[] | (() => void))[];
  readonly singleFiles?: number;
  /** Texture files that several sources name. */
  readonly shared?: number;
  /** Of an output whose tiles are not listed as JSON. */
  readonly tiles?: number;
  /** The output holds files that this call does not count: those of one tile that it did not write. */
  readonly isPart?: boolean;
  /** A page is written too, which draws pictures and takes its time. */
  readonly hasPage?: boolean;
}

export const CACHE = ['--cache-dir', 'cache'];
export const KIT = ['kit', '--out-each', `${OUT}/{name}.untold`] as const;
export const FLAT = ['--lod', 'none', '--hlod', 'none'] as const;
export const ROW = ['row/row.gltf', '--out', OUT, '--tile-size', '100'] as const;
export const FILE = ['one/box.gltf', '--out', `${OUT}/box.untold`] as const;
const touch = () => put(folder, 'kit/prop1.gltf', squareGltf({ size: 9, image: 'wood.png' }));

export const CALLS: Readonly<Record<string, Call>> = {
  'one set': { args: ['one', '--out', OUT], counts: [1, 0, 0, 0] },
  'one set with images': { args: ['one', '--out', OUT, '--textures', 'keep'], counts: [1, 0, 0, 0] },
  'one set with PNG': { hasPage: true, args: ['one', '--out', OUT, '--textures', 'png'], counts: [1, 0, 0, 0] },
  'one set without textures': { args: ['mixed/a.gltf', '--out', OUT], counts: [1, 0, 0, 0] },
  'tiles without levels': { args: [...ROW, ...FLAT], counts: [1, 0, 0, 0] },
  'tiles with levels': { args: [...ROW, '--lod', '0.4', '--lod-check', 'geometry'], counts: [1, 0, 0, 0] },
  'tiles with all levels': { args: [...ROW], counts: [1, 0, 0, 0] },
  'tiles with clusters': { args: [...ROW, '--hlod-levels', '2', '--lod-check', 'geometry'], counts: [1, 0, 0, 0] },
  'tiles and images': { args: [...ROW, '--textures', 'keep', '--lod-check', 'geometry'], counts: [1, 0, 0, 0] },
  'tiles uncompressed': { args: [...ROW, ...FLAT, '--compress', 'none'], counts: [1, 0, 0, 0] },
  'tiles in a tree': { args: ['row', '--out', OUT, '--partition', 'quadtree', ...FLAT], counts: [1, 0, 0, 0] },
  'several sets': { args: ['kit', '--out', OUT], counts: [4, 0, 0, 0] },
  'several sets in one thread': { args: ['kit', '--out', OUT, '--jobs', '1'], counts: [4, 0, 0, 0] },
  'several sets below a root': { args: ['kit', 'one', '--root', '.', '--out', OUT], counts: [5, 0, 0, 0] },
  'sources as one': { args: ['kit', '--as-one', 'all', '--out', OUT], counts: [4, 0, 0, 0] },
  'sources as one again': {
    before: [['kit', '--as-one', 'all', '--out', OUT, ...CACHE]],
    args: ['kit', '--as-one', 'all', '--out', OUT, ...CACHE],
    counts: [0, 4, 0, 0],
  },
  'a part of a set': { args: [...ROW, '--shard', '0/2'], counts: [1, 0, 0, 0] },
  'the other part of a set': { args: [...ROW, '--shard', '1/2'], counts: [1, 0, 0, 0] },
  'one tile again': {
    before: [[...ROW, ...FLAT]],
    args: [...ROW, ...FLAT, '--only', 'tile_0_0_0'],
    counts: [1, 0, 0, 0],
    isPart: true,
  },
  'one file': { args: [...FILE], counts: [1, 0, 0, 0], singleFiles: 1 },
  'one file up to date': {
    before: [[...FILE, ...CACHE]],
    args: [...FILE, ...CACHE],
    counts: [0, 1, 0, 0],
    singleFiles: 1,
  },
  'one GLB': { args: ['one/box.gltf', '--out', `${OUT}/box.glb`], counts: [1, 0, 0, 0], singleFiles: 1 },
  'one Galileo mesh': { args: ['one/box.gltf', '--out', `${OUT}/box.gali`], counts: [1, 0, 0, 0], singleFiles: 1 },
  'one BPX package': { args: ['one/box.gltf', '--out', `${OUT}/box.bpx`], counts: [1, 0, 0, 0], singleFiles: 1 },
  'one model of Urho3D': { args: ['one/box.gltf', '--out', `${OUT}/box.mdl`], counts: [1, 0, 0, 0], singleFiles: 1 },
  'a scene of Urho3D': { hasPage: true, args: [...ROW, '--target', 'urho3d'], counts: [1, 0, 0, 0], tiles: 3 },
  'a file of each': { args: [...KIT], counts: [4, 0, 0, 0], singleFiles: 4, shared: 1 },
  'a file of each in one thread': { args: [...KIT, '--jobs', '1'], counts: [4, 0, 0, 0], singleFiles: 4, shared: 1 },
  'a file of each with images': {
    args: [...KIT, '--textures', 'keep'],
    counts: [4, 0, 0, 0],
    singleFiles: 4,
    shared: 1,
  },
  'a file of each up to date': {
    before: [[...KIT, ...CACHE]],
    args: [...KIT, ...CACHE],
    counts: [0, 4, 0, 0],
    singleFiles: 4,
    shared: 1,
  },
  'a file of each with one changed': {
    hasPage: true,
    before: [[...KIT, ...CACHE], touch],
    args: [...KIT, ...CACHE],
    counts: [1, 3, 0, 0],
    singleFiles: 4,
    shared: 1,
  },
  'a file of each with one gone': {
    before: [[...KIT, ...CACHE], () => rmSync(join(folder, OUT, 'prop2.untold'))],
    args: [...KIT, ...CACHE],
    counts: [1, 3, 0, 0],
    singleFiles: 4,
    shared: 1,
  },
  'a file of each cooked again': {
    before: [[...KIT]],
    args: [...KIT],
    counts: [4, 0, 0, 0],
    singleFiles: 4,
    shared: 1,
  },
  'a GLB of each': { args: ['kit', '--out-each', `${OUT}/{name}.glb`], counts: [4, 0, 0, 0], singleFiles: 4 },
  'a pack': { args: ['row', '--out', `${OUT}/row.untoldpack`], counts: [1, 0, 0, 0] },
  'a pack without levels': {
    hasPage: true,
    args: ['row', '--out', `${OUT}/row.untoldpack`, '--lod', 'none'],
    counts: [1, 0, 0, 0],
  },
  'a pack of each': { args: ['kit', '--out-each', `${OUT}/{name}/all.untoldpack`], counts: [4, 0, 0, 0], shared: 1 },
  'sets up to date': {
    before: [['kit', '--out', OUT, ...CACHE]],
    args: ['kit', '--out', OUT, ...CACHE],
    counts: [0, 4, 0, 0],
  },
  'sets with one changed': {
    before: [['kit', '--out', OUT, ...CACHE], touch],
    args: ['kit', '--out', OUT, ...CACHE],
    counts: [1, 3, 0, 0],
  },
  'sets that share textures, with one changed': {
    before: [['kit', '--out', OUT, '--share-textures', ...CACHE], touch],
    args: ['kit', '--out', OUT, '--share-textures', ...CACHE],
    counts: [1, 3, 0, 0],
    shared: 1,
  },
  'sets cooked by force': {
    before: [['kit', '--out', OUT, ...CACHE]],
    args: ['kit', '--out', OUT, ...CACHE, '--force-rebuild'],
    counts: [4, 0, 0, 0],
  },
  'sources that fail and that draw nothing': { hasPage: true, args: ['mixed', '--out', OUT], counts: [1, 0, 1, 1] },
  'a file of each with one that fails': {
    args: ['mixed', 'kit', '--out-each', `${OUT}/{name}.untold`],
    counts: [5, 0, 1, 1],
    singleFiles: 5,
    shared: 1,
  },
  'nothing but failures': { args: ['mixed/b.gltf', '--out', OUT], counts: [0, 0, 1, 0] },
};

export const cook = (...args: readonly string[]) =>
  untold(folder, ['cook', ...args, ...(args.includes('--cache-dir') ? [] : ['--no-cache'])]);

export const PLANS: Readonly<Record<string, readonly string[]>> = {
  'one set': ['one', '--out', OUT],
  'one set with images': ['one', '--out', OUT, '--textures', 'keep'],
  'one set with PNG': ['one', '--out', OUT, '--textures', 'png'],
  'tiles with levels': [...ROW],
  'tiles with clusters': [...ROW, '--hlod-levels', '2', '--lod-check', 'geometry'],
  'tiles and images': [...ROW, '--textures', 'png', '--lod-check', 'geometry'],
  'sources as one': ['kit', '--as-one', 'all', '--out', OUT],
  'sets that share textures': ['kit', '--out', OUT, '--share-textures'],
  'one file': [...FILE],
  'one GLB': ['one/box.gltf', '--out', `${OUT}/box.glb`],
  'one BPX package': ['one/box.gltf', '--out', `${OUT}/box.bpx`],
  'one model of Urho3D': ['one/box.gltf', '--out', `${OUT}/box.mdl`],
  'a scene of Urho3D': [...ROW, '--target', 'urho3d'],
  'a file of each': [...KIT],
  'a GLB of each': ['kit', '--out-each', `${OUT}/{name}.glb`],
  'a pack': ['row', '--out', `${OUT}/row.untoldpack`],
};

/** What draws pictures, judges levels or cooks much takes seconds. */
const SLOW: ReadonlySet<string> = new Set([
  'tiles with all levels',
  'tiles with clusters',
  'tiles and images',
  'a part of a set',
  'the other part of a set',
  'several sets in one thread',
  'several sets below a root',
  'sets cooked by force',
  'a scene of Urho3D',
  'a pack',
  'a pack of each',
  'a file of each with images',
  'a file of each with one gone',
  'a file of each cooked again',
  'a file of each with one that fails',
  'a pack without levels',
  'one set with PNG',
  'tiles with levels',
]);
export const isSlow = (name: string): boolean => SLOW.has(name);

/** Tests calls and plans for which `isWanted` is true. */
export function sumsSuite(isWanted: (name: string) => boolean): void {
  describe('the sums of a call are those of the disk', () => {
    test.each(Object.entries(CALLS).filter(([name]) => isWanted(name)))('%s', (_name, call) => expectSums(call));
  });
  describe('a dry run tells the most that a cook writes', () => {
    test.each(Object.entries(PLANS).filter(([name]) => isWanted(name)))('%s', (_name, args) => expectAtMost(args));
  });
}

async function expectSums(call: Call): Promise<void> {
  const { args, before = [], counts, singleFiles = 0, shared = 0, isPart = false, hasPage = false } = call;
  for (const step of before) {
    if (typeof step === 'function') step();
    else expect((await cook(...step)).code).toBe(0);
  }
  const earlier = disk();
  const reports = ['--report', 'r/all.junit.xml', ...(hasPage ? ['--report', 'r/page.html'] : [])];
  mkdirSync(join(folder, 'r'), { recursive: true });
  const { stdout, stderr } = await cook(...args, ...reports, '--json', '--verbose');
  const { results, totals, run }: Document = JSON.parse(stdout);
  const now = disk();

  // 1. Files and bytes, each once, of the call and of each source.
  const outputs = results.flatMap((result) => result.outputs.map(({ path }) => path.slice(OUT.length + 1)));
  const named = [...new Set(outputs)].sort();
  if (!isPart) expect(named).toEqual([...now.keys()]);
  const sizes = (paths: readonly string[]) => sum(paths.map((path) => now.get(path)?.bytes ?? -1));
  expect(totals.output).toEqual(sizes(named));
  expect(totals.textures).toEqual(sizes(named.filter(isTexture)));
  const uses = (path: string) => outputs.filter((one) => one === path).length;
  expect(totals.shared).toEqual(sizes(named.filter((path) => uses(path) > 1)));
  expect(totals.shared.files).toBe(shared);
  for (const { outputs: own, totals: one } of results) {
    if (!one) continue;
    const paths = own.map(({ path }) => path.slice(OUT.length + 1));
    expect({ files: one.files, bytes: one.bytes }).toEqual(sizes(paths));
    expect(one.textures).toBe(paths.filter(isTexture).length);
  }

  // 2. What was written by this call.
  const fresh = [...now].filter(([path, { mark }]) => earlier.get(path)?.mark !== mark).map(([path]) => path);
  expect(run.written).toEqual(sizes(fresh));

  // 3. Sources, tiles, models.
  const [cooked, upToDate, failed, skipped] = counts;
  expect([run.cooked, run.upToDate, totals.failed, totals.skipped]).toEqual(counts);
  expect([totals.sources, totals.ok]).toEqual([cooked + upToDate + failed + skipped, cooked + upToDate]);
  const { tiles, models } = listed();
  const expected = isPart ? 1 : (call.tiles ?? tiles);
  expect([totals.tiles, totals.models, totals.singleFiles]).toEqual([expected, models, singleFiles]);
  const diagnostics = results.flatMap((result) => result.diagnostics);
  const having = (severity: string) => diagnostics.filter((item) => item.severity === severity).length;
  expect([totals.warnings, totals.notes]).toEqual([having('warning'), having('info')]);

  // 4. The last line, the page, the test cases.
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  const begin = `${cooked} of ${totals.sources} source${totals.sources === 1 ? '' : 's'} cooked`;
  expect(line.startsWith(begin)).toBe(true);
  const count = (value: number, noun: string) => `${value} ${noun}${value === 1 ? '' : 's'}`;
  const inFiles = ({ files, bytes }: Sum) => `${formatBytes(bytes)} in ${count(files, 'file')}`;
  const words = [
    ...(upToDate > 0 ? [`, ${upToDate} up to date`] : []),
    ...(failed > 0 ? [`, ${failed} failed`] : []),
    ...(skipped > 0 ? [`, ${skipped} skipped`] : []),
    ...(totals.warnings > 0 ? [`, ${count(totals.warnings, 'warning')}`] : []),
    ...(totals.notes > 0 ? [`, ${count(totals.notes, 'note')}`] : []),
    ...(totals.ok > 0 ? [inFiles(totals.output), `, ${count(totals.textures.files, 'texture file')}`] : []),
    ...(run.written.files > 0 && fresh.length < named.length ? [`, ${inFiles(run.written)} written`] : []),
    ...(totals.ok > 0 && run.written.files === 0 ? [', nothing written'] : []),
  ];
  expect(words.filter((word) => !line.includes(word))).toEqual([]);
  const page = hasPage ? readFileSync(join(folder, 'r/page.html'), 'utf8') : '';
  const facts = [...page.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map(
    ([, title, value]) => `${title}: ${value}`,
  );
  const shown = [
    ...(results.length > 1 && totals.output.files > 0
      ? [`Output: ${count(totals.output.files, 'file')}, ${formatBytes(totals.output.bytes)}`]
      : []),
    ...(results.length > 1 && cooked > 0 ? [`Cooked: ${cooked}`] : []),
    ...results.flatMap(({ totals: one }) => (one ? [`Bytes: ${formatBytes(one.bytes)}`, `Files: ${one.files}`] : [])),
  ];
  if (hasPage) expect(shown.filter((fact) => !facts.includes(fact))).toEqual([]);
  const junit = readFileSync(join(folder, 'r/all.junit.xml'), 'utf8');
  expect(junit).toContain(`tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}"`);
}

async function expectAtMost(args: readonly string[]): Promise<void> {
  const plan = await cook(...args, '--dry-run', '--json');
  const { totals, run }: Document = JSON.parse(plan.stdout);
  expect([plan.code, disk().size, run.written, totals.output]).toEqual([0, 0, sum([]), sum([])]);
  expect((await cook(...args)).code).toBe(0);
  const files = [...disk()];
  const real = sum(files.map(([, { bytes }]) => bytes));
  const textures = sum(files.filter(([path]) => isTexture(path)).map(([, { bytes }]) => bytes));
  const nothing = { atMost: sum([]), textures: sum([]), levels: sum([]) };
  const { atMost, textures: planned, levels } = totals.planned ?? nothing;
  expect(atMost.bytes).toBeGreaterThanOrEqual(real.bytes);
  expect(atMost.files).toBeGreaterThanOrEqual(real.files);
  expect(planned.bytes + levels.bytes).toBeGreaterThanOrEqual(textures.bytes);
  expect(plan.stderr).toContain(`at most ${formatBytes(atMost.bytes - levels.bytes)}`);
}
