// `npx tsx bench/fit.ts [--keep FOLDER] [SCENE …]`: what --fit vision-pro does to scenes that are too heavy for it, before and after:
// a table with forty textures of 2048 texels a side (also where a device holds 100 MB of textures alone), a city of KayKit parts, the towns of the other benchmarks, a room with textures of 8192. For the
// place of each that holds most textures, or geometry, what the simulation holds is compared with the files on the disk, counted here.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import sharp from 'sharp';
import type { CookVerdict } from '../src/index.ts';
import { fitLine } from '../src/index.ts';
import { measureOutput } from '../src/library/check/measureOutput.ts';
import { writeForties } from './forties.ts';
import { writeTown } from './town.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const KAYKIT = process.env.KAYKIT_PARTS ?? resolve(import.meta.dirname, '../../shared/assets/gltf/kaykit-city/gltf');
const TOWN = ['--lod', '0.5,0.2', '--hlod', '0.1', '--tile-size', '50', '--lod-check', 'geometry'];

/** A room of 5 by 3 by 4 m whose floor, ceiling and walls have a texture of their own each. */
async function writeRoom(folder: string, side: number): Promise<string> {
  const [x, y, z] = [2.5, 3, 2];
  const faces = [
    [
      [-x, 0, z],
      [x, 0, z],
      [x, 0, -z],
      [-x, 0, -z],
    ],
    [
      [-x, y, -z],
      [x, y, -z],
      [x, y, z],
      [-x, y, z],
    ],
    [
      [-x, 0, -z],
      [x, 0, -z],
      [x, y, -z],
      [-x, y, -z],
    ],
    [
      [x, 0, z],
      [-x, 0, z],
      [-x, y, z],
      [x, y, z],
    ],
  ];
  const parts = faces.map((corners, i) => {
    const points = corners.map((corner) => `(${corner.join(', ')})`).join(', ');
    return `
  def Mesh "Face${i}" (prepend apiSchemas = ["MaterialBindingAPI"]) {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [${points}]
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
    rel material:binding = </Room/Look${i}>
  }
  def Material "Look${i}" {
    token outputs:surface.connect = <surface.outputs:surface>
    def Shader "surface" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor.connect = </Room/Look${i}/color.outputs:rgb>
      token outputs:surface
    }
    def Shader "st" {
      uniform token info:id = "UsdPrimvarReader_float2"
      string inputs:varname = "st"
      float2 outputs:result
    }
    def Shader "color" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @face${i}.png@
      float2 inputs:st.connect = </Room/Look${i}/st.outputs:result>
      float3 outputs:rgb
    }
  }`;
  });
  for (const i of faces.keys()) {
    const data = new Uint8Array(side * side * 3);
    let state = i * 7919 + 1;
    for (let row = 0, at = 0; row < side; row++) {
      for (let column = 0; column < side; column++, at += 3) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const stripe = ((column >> 7) + (row >> 7)) & 1 ? 30 : 0;
        const value = 110 + stripe + 40 * Math.sin((column + 13 * i) / 61) + (state >>> 27);
        data.set([value, value - 10 * i, 220 - value], at);
      }
    }
    const image = sharp(data, { raw: { width: side, height: side, channels: 3 }, limitInputPixels: false });
    writeFileSync(join(folder, `face${i}.png`), await image.png({ compressionLevel: 1 }).toBuffer());
  }
  const source = join(folder, 'room.usda');
  const head = '#usda 1.0\n(\n  defaultPrim = "Room"\n  metersPerUnit = 1\n  upAxis = "Y"\n)\n';
  writeFileSync(source, `${head}def Xform "Room" {${parts.join('')}\n}\n`);
  return source;
}

function writeCity(folder: string): string {
  const source = join(folder, 'city.glb');
  const script = resolve(import.meta.dirname, '../samples/kaykit.ts');
  execFileSync(process.execPath, ['--import', 'tsx', script, KAYKIT, source, '7'], { stdio: 'ignore' });
  return source;
}

interface BenchScene {
  readonly write: (folder: string) => string | Promise<string>;
  readonly options: readonly string[];
  /** Bytes of textures of a device of its own, which is else a vision-pro; absent: it is one. */
  readonly textures?: string;
}

const town = (triangles: number): BenchScene => ({
  write: (folder) => {
    const source = join(folder, 'town.glb');
    writeTown(triangles, source);
    return source;
  },
  options: TOWN,
});

const SCENES: Readonly<Record<string, BenchScene>> = {
  forties: { write: (folder) => writeForties(folder), options: [] },
  'forties on 100 MB': { write: (folder) => writeForties(folder), options: [], textures: '100MB' },
  city: { write: writeCity, options: [] },
  town1: town(1_000_000),
  town10: town(10_000_000),
  room: { write: (folder) => writeRoom(folder, 8192), options: [] },
};

/** Cooks into tiles whose chunks lie in the files as they lie in memory; gives the verdict and the seconds. */
function cook(source: string, out: string, options: readonly string[]) {
  rmSync(out, { recursive: true, force: true });
  const begin = performance.now();
  const words = [cli, 'cook', source, '--out', out, '--json', '--quiet', '--compress', 'none', ...options];
  const child = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (child.status !== 0) throw new Error(child.stderr);
  const [verdict] = (JSON.parse(child.stdout) as { verdicts: CookVerdict[] }).verdicts;
  return { verdict, seconds: (performance.now() - begin) / 1000 };
}

/** Bytes of vertices and indices of a file, and the textures that its text names, without any reader of the cooker. */
function countPayload(path: string): { readonly geometry: number; readonly textures: readonly string[] } {
  const file = readFileSync(path);
  const [table, count] = [file.readUInt32LE(20), file.readUInt32LE(24)];
  const chunks = Array.from({ length: count }, (_, i) => table + i * 40).map((at) => ({
    type: file.readUInt32LE(at),
    bytes: file.subarray(
      Number(file.readBigUInt64LE(at + 8)),
      Number(file.readBigUInt64LE(at + 8) + file.readBigUInt64LE(at + 16)),
    ),
  }));
  const geometry = chunks
    .filter(({ type }) => type === 6 || type === 7)
    .reduce((sum, { bytes }) => sum + bytes.length, 0);
  const words = chunks
    .filter(({ type }) => type === 1)
    .map(({ bytes }) => bytes.toString('latin1'))
    .join('\0');
  return {
    geometry,
    textures: [...words.matchAll(/[\w./-]*\/[\w.-]+\.utex/g)].map(([name]) => join(dirname(path), name)),
  };
}

type Entry = Readonly<Record<'tile_id' | 'path_relative_to_manifest', string>> &
  Readonly<Partial<Record<'lod_levels' | 'hlod_levels', readonly { readonly path: string }[]>>>;

/** What the simulation holds at the place with most textures, else geometry, beside the files on the disk. */
async function checkByHand(manifest: string): Promise<string> {
  const { places } = await measureOutput(manifest, basename(manifest), dirname(manifest), { delay: 0.05, rate: 25e6 });
  const measure = places.some(({ figures }) => figures.textures > 0) ? 'textures' : 'geometry';
  const place = places.reduce((most, one) => (one.figures[measure] > most.figures[measure] ? one : most));
  const document = JSON.parse(readFileSync(manifest, 'utf8')) as { tiles: Entry[]; shared_bucket?: Entry };
  const entries = new Map(
    [...document.tiles, document.shared_bucket ?? []].flat().map((entry) => [entry.tile_id, entry]),
  );
  // Of the looks around, the one with most.
  const look = place.looks.reduce((most, one) => (one.figures[measure] > most.figures[measure] ? one : most));
  let geometry = 0;
  const textures = new Set<string>();
  for (const { tile, level } of look.held) {
    const {
      path_relative_to_manifest: full,
      lod_levels: lods = [],
      hlod_levels: hlods = [],
    } = entries.get(tile) as Entry;
    const path = level === 'full' ? full : level === 'hlod' ? hlods[0].path : lods[Number(level.slice(3)) - 1].path;
    const counted = countPayload(join(dirname(manifest), path));
    geometry += counted.geometry;
    for (const texture of counted.textures) textures.add(texture);
  }
  let bytes = 0;
  for (const texture of textures) bytes += statSync(texture).size - readFileSync(texture).readUInt32LE(36);
  const at = place.position.map((value) => Number(value.toFixed(1))).join(' ');
  const same = geometry === look.figures.geometry && bytes === look.figures.textures ? 'equal' : 'DIFFERENT';
  const shown = (value: number) => value.toLocaleString('en-US');
  return (
    `${same} at (${at}): ${look.held.length} payloads with ${shown(look.figures.geometry)} and ${textures.size} textures with ` +
    `${shown(look.figures.textures)} bytes simulated; ${shown(geometry)} and ${shown(bytes)} in the files`
  );
}

const words = process.argv.slice(2);
const keep = words[0] === '--keep' ? words[1] : null;
const asked = words.filter((word) => Object.hasOwn(SCENES, word));
const folder = keep ?? mkdtempSync(join(tmpdir(), 'untold-fit-'));
try {
  for (const [name, { write, options, textures }] of Object.entries(SCENES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    if (name === 'city' && !existsSync(KAYKIT)) {
      process.stdout.write('city: KAYKIT_PARTS names no folder with the parts\n');
      continue;
    }
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const source = await write(own);
    const project = join(own, 'untold.config.json');
    writeFileSync(
      project,
      JSON.stringify({ devices: { device: { base: 'vision-pro', ...(textures && { textures }) } } }),
    );
    const ways = ['--cache-dir', join(own, 'cache'), '--config', project, ...options];
    const before = cook(source, join(own, 'before'), ['--device', 'device', ...ways]);
    const after = cook(source, join(own, 'after'), ['--fit', 'device', ...ways]);
    const manifest = `${basename(source).replace(/\.\w+$/, '')}.json`;
    const { fit } = after.verdict;
    const ssims = (fit?.textures ?? []).flatMap(({ ssim }) => ssim ?? []);
    process.stdout.write(
      [
        name,
        `  before  ${before.verdict.line} (${before.seconds.toFixed(0)} s)`,
        `          ${await checkByHand(join(own, 'before', manifest))}`,
        `  after   ${after.verdict.line} (${after.seconds.toFixed(0)} s, ${fit?.rounds ?? 0} rounds)`,
        `          ${await checkByHand(join(own, 'after', manifest))}`,
        `  done    ${(fit && fitLine(fit)) ?? 'nothing'}${ssims.length > 0 ? `; least SSIM ${Math.min(...ssims)}` : ''}`,
        '',
      ].join('\n'),
    );
  }
} finally {
  if (keep === null) rmSync(folder, { recursive: true, force: true });
}
