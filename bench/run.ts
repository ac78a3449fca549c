// `npm run bench`: what a cook of a million triangles costs, stage by stage and as a whole command, and what reading a
// crate of the same size, opening, composing and importing large stages, and cooking a town with levels and thousands of
// small things cost. Medians of several runs; nothing here is a test. `npm run bench -- --csv` prints a row for
// results.csv as well, `--large` cooks a town of ten million triangles too, `--peer` compares with gltfpack instead,
// `--profile` shows where the CPU time of the town goes.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import { packLz4 } from '../src/formats/untold/container/lz4.ts';
import { HALF_UVS } from '../src/formats/untold/mesh/halfFloat.ts';
import { packParts } from '../src/formats/untold/mesh/packMesh.ts';
import { packVertices, VERTEX_WORDS } from '../src/formats/untold/mesh/vertexWords.ts';
import type { Mesh } from '../src/geometry/mesh/mesh.ts';
import { prepareMesh } from '../src/geometry/mesh/prepare.ts';
import { closedRows } from '../src/geometry/mesh/weld.ts';
import { addTangents } from '../src/geometry/shading/tangents.ts';
import { diskFiles } from '../src/importers/files.ts';
import { importSource } from '../src/importers/index.ts';
import { kernel } from '../src/kernel/kernel.ts';
import { OutputSet } from '../src/output/outputSet.ts';
import type { PolygonMesh } from '../src/scene/types.ts';
import { blockBytes } from './blocks.ts';
import { cookFiles, inspectKit, planCrate, startUp } from './commands.ts';
import { crateTerrain } from './crate.ts';
import { bundleImporter, importOnce } from './importer.ts';
import { compareWithPeer, PEER_TOWNS } from './peer.ts';
import { profileTown } from './profile.ts';
import { crateTown, referenceTown, textTown } from './stages.ts';
import { terrainGlb } from './terrain.ts';
import { writeThings } from './things.ts';
import { writeTown } from './town.ts';

const RUNS = 5;
const TRIANGLES = 1_000_000;
const cli = resolve(import.meta.dirname, '../bin/untold.js');

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function timed(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const begin = performance.now();
    await work();
    if (run > 0) times.push((performance.now() - begin) / 1000);
  }
  return median(times);
}

const rows: [string, number, string][] = [];
function stage(name: string, seconds: number, triangles: number): void {
  rows.push([name, seconds, `${(triangles / seconds / 1e6).toFixed(1)} M triangles/s`]);
}

async function readAll(path: string): Promise<PolygonMesh[]> {
  const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: {} };
  const scene = await importSource(path, path, context);
  const meshes: PolygonMesh[] = [];
  for (const { primitives } of scene.meshes) for (const primitive of primitives) meshes.push(await primitive.read());
  return meshes;
}

interface WholeCook {
  wall: number;
  peakBytes: number;
}

/** What levels cost is measured with the towns. */
const FULL_DETAIL = ['--lod', 'none', '--hlod', 'none'];

/** Cooks in processes of its own; the first run of all but the longest is not counted. */
function wholeCook(source: string, out: string, options: readonly string[] = FULL_DETAIL, runs = RUNS): WholeCook {
  const walls: number[] = [];
  const peaks: number[] = [];
  for (let run = runs === RUNS ? 0 : 1; run <= runs; run++) {
    rmSync(out, { recursive: true, force: true });
    const begin = performance.now();
    const child = spawnSync(
      process.execPath,
      [cli, 'cook', source, '--out', out, '--no-cache', '--json', '--quiet', ...options],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      },
    );
    const wall = (performance.now() - begin) / 1000;
    if (child.status !== 0) throw new Error(child.stderr);
    if (run > 0) {
      walls.push(wall);
      peaks.push((JSON.parse(child.stdout) as { run: { peakBytes: number } }).run.peakBytes);
    }
  }
  return { wall: median(walls), peakBytes: median(peaks) };
}

/** A tile, two LODs and an HLOD for each 50 m of a town, without pictures: what other tools do. */
const TOWN_OPTIONS = ['--lod', '0.5,0.2', '--hlod', '0.1', '--tile-size', '50', '--lod-check', 'geometry'];
/** What a town of a million triangles may take on two cores, and how many times that one of ten million. */
const TOWN_SECONDS = 4;
const TOWN_BYTES = 1e9;
const LARGE_TIMES = 11;
const LARGE_BYTES = 3e9;
const LARGE_RUNS = 3;

const within = (value: number, max: number) => (value <= max ? 'within' : 'MORE THAN');

interface CookFigures extends WholeCook {
  readonly line: string;
}

function cookTown(folder: string, triangles: number, seconds: number, bytes: number, runs: number): CookFigures {
  const source = join(folder, 'town.glb');
  const made = writeTown(triangles, source);
  const cooked = wholeCook(source, join(folder, 'town'), TOWN_OPTIONS, runs);
  const { wall, peakBytes } = cooked;
  const time = `${wall.toFixed(2)} s, ${within(wall, seconds)} ${seconds.toFixed(1)} s`;
  const memory = `${(peakBytes / 1e6).toFixed(0)} MB peak, ${within(peakBytes, bytes)} ${(bytes / 1e6).toFixed(0)} MB`;
  return { ...cooked, line: `town of ${(made / 1e6).toFixed(2)} M triangles: ${time}; ${memory}` };
}

/** What one small thing may add to a whole cook. */
const THING_SECONDS = 0.05e-3;
/** Meshes of one triangle, and the materials that they take in turn. */
const THINGS: readonly (readonly [meshes: number, materials: number])[] = [
  [50_000, 4],
  [20_000, 20_000],
];

function cookThings(folder: string, meshes: number, materials: number): CookFigures {
  const source = join(folder, 'things.glb');
  writeThings(meshes, materials, source);
  const cooked = wholeCook(source, join(folder, 'things'));
  const time = `${cooked.wall.toFixed(2)} s, ${within(cooked.wall, meshes * THING_SECONDS)} ${(meshes * THING_SECONDS).toFixed(1)} s`;
  const each = `${((cooked.wall / meshes) * 1e3).toFixed(3)} ms each`;
  const memory = `${(cooked.peakBytes / 1e6).toFixed(0)} MB peak`;
  return { ...cooked, line: `${meshes} meshes of one triangle, ${materials} materials: ${time}, ${each}; ${memory}` };
}

/** What is asked of a large stage. */
interface StageGoal {
  readonly name: string;
  readonly source: string;
  readonly seconds: number | null;
  /** Files that may be opened, each time counted. */
  readonly files: number;
}

/** Bytes that an import may take at its peak: 100 MB and four times the files that it reads. */
const allowedMemory = (bytes: number) => 100e6 + 4 * bytes;

interface StageFigures {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly line: string;
}

/** Imports a stage in processes of its own, as a command does it: nothing is warm. */
function importStage(importer: string, { name, source, seconds: goal, files }: StageGoal): StageFigures {
  const runs = Array.from({ length: RUNS }, () => importOnce(importer, source));
  const [{ bytes, opened, triangles }] = runs;
  if (opened !== files) throw new Error(`${name}: ${opened} files were opened, not ${files}`);
  const seconds = median(runs.map((run) => run.importSeconds));
  const peakBytes = median(runs.map((run) => run.peakBytes));
  const memory = `${(peakBytes / 1e6).toFixed(0)} MB peak, ${within(peakBytes, allowedMemory(bytes))} ${(allowedMemory(bytes) / 1e6).toFixed(0)} MB`;
  const time = goal === null ? '' : `, ${within(seconds, goal)} ${goal} s`;
  const what = `${(bytes / 1e6).toFixed(1)} MB in ${opened} files, ${(triangles / 1e6).toFixed(1)} M triangles`;
  return { seconds, peakBytes, line: `${name}: ${seconds.toFixed(2)} s${time}; ${memory} (${what})` };
}

if (!existsSync(resolve(import.meta.dirname, '../dist/cli.js'))) throw new Error('run `npm run build` first');
if (process.argv.includes('--peer')) {
  const towns = process.argv.includes('--large') ? PEER_TOWNS : PEER_TOWNS.slice(0, 1);
  for (const triangles of towns) process.stdout.write(`${compareWithPeer(triangles)}\n`);
  process.exit(0);
}
if (process.argv.includes('--profile')) {
  process.stdout.write(profileTown(TRIANGLES, TOWN_OPTIONS));
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'untold-bench-'));
try {
  const { glb, triangles } = terrainGlb({ triangles: TRIANGLES, patches: 1 });
  const source = join(folder, 'terrain.glb');
  writeFileSync(source, glb);
  const tiled = join(folder, 'patches.glb');
  writeFileSync(tiled, terrainGlb({ triangles: TRIANGLES, patches: 8 }).glb);

  stage('import GLB', await timed(() => readAll(source)), triangles);
  const [polygons] = await readAll(source);
  const diagnostics = new Diagnostics();
  const where = { file: source, path: '' };
  const request = {
    subset: -1,
    uv: { set: 'TEXCOORD_0', transform: null },
    color: 'white',
    attributes: [],
    uvLimits: HALF_UVS,
  } as const;
  const plain = (await prepareMesh(polygons, request, diagnostics, where)) as Mesh;
  stage('tangents', await timed(() => addTangents(plain)), triangles);
  const mesh = addTangents(plain);
  const packWords = () =>
    kernel.within((memory) => {
      const at = memory.allocate(mesh.vertexCount * VERTEX_WORDS * 4);
      packVertices(memory, mesh, null, at);
      return memory.uint32(at, mesh.vertexCount * VERTEX_WORDS).slice();
    });
  stage('pack', await timed(packWords), triangles);
  const words = packWords();
  const weld = () =>
    kernel.within((memory) => {
      closedRows(memory, memory.put(words), VERTEX_WORDS, words.length / VERTEX_WORDS);
    });
  stage('weld', await timed(weld), triangles);
  const packAll = () => packParts([{ mesh, world: null }], diagnostics, where);
  stage('weld, order and pack', await timed(packAll), triangles);
  const packed = await packAll();
  if (packed === null) throw new Error('nothing was packed');
  const indexBytes = new Uint8Array(packed.indices.buffer, packed.indices.byteOffset, packed.indices.byteLength);
  stage('compress', await timed(() => Promise.all([packLz4(packed.vertices), packLz4(indexBytes)])), triangles);
  const write = () => {
    const set = OutputSet.open({
      base: join(folder, 'write'),
      main: 'a.untold',
      earlier: () => new Map(),
      force: true,
    });
    set.write('a.untold', packed.vertices);
    set.commit();
  };
  stage('write and sync', await timed(write), triangles);

  const crate = join(folder, 'terrain.usdc');
  const inCrate = crateTerrain(TRIANGLES);
  writeFileSync(crate, inCrate.bytes);
  stage('import crate', await timed(() => readAll(crate)), inCrate.triangles);

  const importer = await bundleImporter();
  const put = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  put('block.usdc', crateTown(4, 40).bytes);
  const goals: StageGoal[] = [
    { name: 'crate of 10,000 prims', source: put('town.usdc', crateTown(10_000, 7).bytes), seconds: 0.8, files: 1 },
    { name: 'text layer of 80 MB', source: put('town.usda', textTown(80e6).bytes), seconds: 3, files: 1 },
    {
      name: '1,000 references to one asset',
      source: put('blocks.usda', referenceTown(1000, './block.usdc')),
      seconds: null,
      files: 2,
    },
  ];
  const stages = goals.map((goal) => importStage(importer, goal));

  const one = wholeCook(source, join(folder, 'one'));
  const many = wholeCook(tiled, join(folder, 'many'));
  const town = cookTown(folder, TRIANGLES, TOWN_SECONDS, TOWN_BYTES, RUNS);
  const towns: CookFigures[] = [town];
  if (process.argv.includes('--large')) {
    towns.push(cookTown(folder, 10 * TRIANGLES, LARGE_TIMES * town.wall, LARGE_BYTES, LARGE_RUNS));
  }
  const things = THINGS.map(([meshes, materials]) => cookThings(folder, meshes, materials));
  const blocks = await blockBytes(TRIANGLES, folder);
  const commands = [startUp(folder), cookFiles(folder), inspectKit(folder), planCrate(crate, folder)];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(
    ([name, s, rate]) => `${name.padEnd(width)}  ${(s * 1000).toFixed(0).padStart(5)} ms  ${rate}`,
  );
  const whole = (name: string, { wall, peakBytes }: WholeCook) =>
    `${name.padEnd(width)}  ${wall.toFixed(2)} s wall, ${(peakBytes / 1e6).toFixed(0)} MB peak`;
  lines.push(whole('whole cook, 1 mesh', one), whole('whole cook, 16 tiles', many));
  lines.push('opened, composed and imported in a process of its own', ...stages.map(({ line }) => `  ${line}`));
  lines.push('cooked with two LODs and an HLOD for each tile', ...towns.map(({ line }) => `  ${line}`));
  lines.push(blocks);
  lines.push('cooked whole, many small things', ...things.map(({ line }) => `  ${line}`));
  lines.push('CPU of whole commands', ...commands.map(({ line }) => `  ${line}`));
  process.stdout.write(`${lines.join('\n')}\n`);
  if (process.argv.includes('--csv')) {
    const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    const cells = [
      version,
      process.version,
      `${process.platform}-${process.arch}`,
      cpus()[0].model.replaceAll(',', ' '),
      cpus().length,
    ];
    const figures = [
      ...rows.map(([, s]) => s.toFixed(3)),
      one.wall.toFixed(2),
      Math.round(one.peakBytes / 1e6),
      many.wall.toFixed(2),
      Math.round(many.peakBytes / 1e6),
      ...stages.flatMap(({ seconds, peakBytes }) => [seconds.toFixed(3), Math.round(peakBytes / 1e6)]),
      ...[0, 1].flatMap((i) =>
        towns[i] ? [towns[i].wall.toFixed(2), Math.round(towns[i].peakBytes / 1e6)] : ['', ''],
      ),
      ...things.flatMap(({ wall, peakBytes }) => [wall.toFixed(2), Math.round(peakBytes / 1e6)]),
      ...commands.flatMap(({ figures }) => figures),
    ];
    process.stdout.write(`${[...cells, ...figures].join(',')}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
