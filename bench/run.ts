// `npm run bench`: what a cook of a million triangles costs, stage by stage and as a whole command, and what reading a
// crate of the same size costs. Medians of several runs; nothing here is a test. `npm run bench -- --csv` prints a row
// for results.csv as well.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generateTangents, packMesh, prepareMesh } from '../src/cook/cook.ts';
import { packVertices, VERTEX_WORDS } from '../src/cook/pack.ts';
import type { TriangleMesh } from '../src/cook/types.ts';
import { weldRows } from '../src/cook/weld.ts';
import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import { OutputSet } from '../src/emit/outputSet.ts';
import { diskFiles } from '../src/importers/files.ts';
import { importSource } from '../src/importers/index.ts';
import type { PolygonMesh } from '../src/scene/types.ts';
import { packLz4 } from '../src/untold/compress.ts';
import { crateTerrain } from './crate.ts';
import { terrainGlb } from './terrain.ts';

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

function wholeCook(source: string, out: string): WholeCook {
  const walls: number[] = [];
  const peaks: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    rmSync(out, { recursive: true, force: true });
    const begin = performance.now();
    const child = spawnSync(process.execPath, [cli, 'cook', source, '--out', out, '--json', '--quiet'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const wall = (performance.now() - begin) / 1000;
    if (child.status !== 0) throw new Error(child.stderr);
    if (run > 0) {
      walls.push(wall);
      peaks.push((JSON.parse(child.stdout) as { run: { peakBytes: number } }).run.peakBytes);
    }
  }
  return { wall: median(walls), peakBytes: median(peaks) };
}

if (!existsSync(resolve(import.meta.dirname, '../dist/cli.js'))) throw new Error('run `npm run build` first');
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
    needsTangents: false,
  } as const;
  const plain = (await prepareMesh(polygons, request, diagnostics, where)) as TriangleMesh;
  stage('tangents', await timed(() => generateTangents(plain)), triangles);
  const mesh = generateTangents(plain);
  const words = new Uint32Array(mesh.vertexCount * VERTEX_WORDS);
  stage('pack', await timed(() => packVertices(mesh, null, words, 0)), triangles);
  const scratch = new Uint32Array(words.length);
  const weld = () => {
    scratch.set(words);
    weldRows(scratch, VERTEX_WORDS);
  };
  stage('weld', await timed(weld), triangles);
  stage('weld, order and pack', await timed(() => packMesh(mesh, diagnostics, where)), triangles);
  const packed = await packMesh(mesh, diagnostics, where);
  if (packed === null) throw new Error('nothing was packed');
  const indexBytes = new Uint8Array(packed.indices.buffer, packed.indices.byteOffset, packed.indices.byteLength);
  stage('compress', await timed(() => Promise.all([packLz4(packed.vertices), packLz4(indexBytes)])), triangles);
  const write = () => {
    const set = OutputSet.open({ base: join(folder, 'write'), main: 'a.untold', earlier: new Map(), force: true });
    set.write('a.untold', packed.vertices);
    set.commit();
  };
  stage('write and sync', await timed(write), triangles);

  const crate = join(folder, 'terrain.usdc');
  const inCrate = crateTerrain(TRIANGLES);
  writeFileSync(crate, inCrate.bytes);
  stage('import crate', await timed(() => readAll(crate)), inCrate.triangles);

  const one = wholeCook(source, join(folder, 'one'));
  const many = wholeCook(tiled, join(folder, 'many'));
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(
    ([name, s, rate]) => `${name.padEnd(width)}  ${(s * 1000).toFixed(0).padStart(5)} ms  ${rate}`,
  );
  const whole = (name: string, { wall, peakBytes }: WholeCook) =>
    `${name.padEnd(width)}  ${wall.toFixed(2)} s wall, ${(peakBytes / 1e6).toFixed(0)} MB peak`;
  lines.push(whole('whole cook, 1 tile', one), whole('whole cook, 16 tiles', many));
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
    ];
    process.stdout.write(`${[...cells, ...figures].join(',')}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
