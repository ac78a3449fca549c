// Sound output files to damage: payloads, textures, manifests, and what a cook keeps.

import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { pack } from '../../../src/bytes/pack.ts';
import { cookSource } from '../../../src/cook/cookSource.ts';
import { CookRecords } from '../../../src/cook/kept/cookRecord.ts';
import type { CookJob, CookOutcome } from '../../../src/cook/types.ts';
import { diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { DEFAULT_LIMITS } from '../../../src/diagnostics/limits.ts';
import { LENIENT } from '../../../src/diagnostics/policy.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import { encodeActionResult } from '../../../src/output/cache/remote/actionResult.ts';
import {
  addChunk,
  concat,
  FIXTURE_NAMES,
  f32,
  fixture,
  IDENTITY,
  NONE,
  putTogether,
  takeApart,
  text,
  u16,
  u32,
  u64,
} from '../../formats/untold/edit.ts';
import { FORMAT, texture } from '../../formats/utex/textures.ts';
import type { Seed } from '../reader.ts';

const SAMPLES = resolve(import.meta.dirname, '../../../samples');

/** A payload that holds one record of everything. */
function rich(): Uint8Array {
  const edit = takeApart(fixture('valid-v4-none.untold'));
  addChunk(edit, 8, u32(0, NONE, 0, 1, 0, 0), 1);
  addChunk(edit, 9, concat(u32(NONE, 0, 0, 0), f32(...IDENTITY, ...IDENTITY)), 1);
  addChunk(edit, 10, concat(u32(1, 0, 0, 1, 0, 4), u64(0, 0), u32(0, 0)), 1);
  addChunk(edit, 11, u32(0), 1);
  addChunk(edit, 12, concat(u32(0), f32(1), u32(0, 1, 0, 0, 0)), 1);
  addChunk(edit, 13, u32(0, 0, 1, 0, 1, 0, 0), 1);
  addChunk(edit, 14, concat(f32(0, 1, 2, 3), u32(0)), 1);
  addChunk(edit, 15, f32(0, 0, 0, 0, 1), 1);
  addChunk(edit, 16, new Uint8Array(32));
  addChunk(edit, 17, f32(...[0, 1, 2, 3].flatMap(() => [1, 0, 0, 0])));
  addChunk(edit, 18, u16(0, 1));
  addChunk(edit, 23, concat(u32(0, 0, 0, 0, 1), f32(1)), 1);
  addChunk(edit, 24, u16(1, 0, 0, 0, 0, 0, 0, 0), 1);
  addChunk(edit, 26, concat(u32(0, 0, 0), f32(0, 0, 0, 1, 1), u32(0)), 1);
  addChunk(edit, 0x8001, concat(text('UEXT'), u16(1, 1), u32(0, 0), text('x')));
  return putTogether(edit);
}

export async function untoldSeeds(): Promise<Seed[]> {
  const plain = await readUntold(fixture('valid-v1-none.untold'), 'f');
  return [
    ...FIXTURE_NAMES.map((name) => ({ name, bytes: fixture(name) })),
    { name: 'rich.untold', bytes: rich() },
    // The engine reads no Zstandard.
    { name: 'zstd.untold', bytes: await writeUntold(plain, { compression: 'zstd' }), isRefused: true },
  ];
}

export const utexSeeds = (): Seed[] => [
  { name: 'astc.utex', bytes: texture(FORMAT.astc4x4Srgb) },
  { name: 'wide.utex', bytes: texture(FORMAT.astc6x6Linear, { width: 40, height: 3 }) },
  { name: 'half.utex', bytes: texture(FORMAT.rgba16Float, { width: 4, height: 4 }) },
  { name: 'deep.utex', bytes: texture(FORMAT.r16Unorm, { width: 8, height: 8, mips: 1 }) },
];

/** The manifest of the sample, with levels and clusters, as a cook writes it. */
export async function manifestSeeds(): Promise<Seed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'untold-fuzz-'));
  try {
    const outcome = await cookSource({
      source: join(SAMPLES, 'courtyard.usdz'),
      root: null,
      target: { kind: 'folder', folder, sceneName: 'scene' },
      settings: { missingTexture: 'drop', tileSize: 4, compress: 'none', lods: [0.5], hlod: 0.2, hlodLevels: 2 },
      policy: LENIENT,
      force: false,
    });
    if (outcome.status !== 'ok') throw new Error('the sample does not cook');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const beside = Object.fromEntries(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [relative(folder, path).split(sep).join('/'), new Uint8Array(readFileSync(path))];
      }),
    );
    return [{ name: 'manifest.json', bytes: beside['scene.json'], beside }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const json = (name: string, value: object): Seed => ({ name, bytes: new TextEncoder().encode(JSON.stringify(value)) });

export const presetSeeds = (): Seed[] => [
  json('preset.json', {
    description: 'a preset',
    'tile-size': 50,
    lod: '0.5,0.2',
    'missing-texture': 'drop',
    compress: 'zstd',
    strict: true,
    variant: ['look=red'],
    'tier-radius': ['Exterior=100'],
    'search-path': ['a', '../b'],
    allow: ['UC2001'],
  }),
  ...readdirSync(resolve(SAMPLES, '../pipelines'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(resolve(SAMPLES, '../pipelines', name))) })),
];

export const projectSeeds = (): Seed[] => [
  json('untold.config.json', {
    description: 'a project',
    sources: ['props/', 'town/*.usd'],
    out: 'build/tiles',
    pipeline: 'outdoor',
    'tile-size': 25,
    lod: 'auto',
    files: [
      { match: 'props/**/*.usd', 'tile-size': 10 },
      { match: ['town/[ab]*.{glb,gltf}', '!x'], scene: 'Night', scale: 2 },
    ],
    targets: {
      preview: { out: 'build/preview', lod: 'none', files: [{ match: 'props/', 'tile-size': 50 }] },
      props: { sources: 'props/', 'out-each': 'build/{dir}/{name}.glb', pipeline: './p.json' },
    },
  }),
];

/** The packed form of what a cook keeps. */
export const packSeeds = (): Seed[] => [
  {
    name: 'packed.bin',
    bytes: pack({
      file: new Uint8Array(100).fill(7),
      list: [1, 'two', null, true, [Float32Array.of(1, 2, 3), Uint32Array.of(9)]],
      bounds: { min: [0, 0, 0], max: [1, 2, 3] },
      wide: new Float64Array(20),
    }),
  },
];

/** A cache entry as it lies on disk. */
export function entryOf(payload: Uint8Array): Uint8Array {
  const head = Buffer.alloc(56);
  head.write('untcache', 'latin1');
  head.writeUInt32LE(1, 8);
  head.writeBigUInt64LE(BigInt(payload.length), 16);
  createHash('sha256').update(payload).digest().copy(head, 24);
  return new Uint8Array(Buffer.concat([head, payload]));
}

export const resultSeeds = (): Seed[] => {
  const hash = createHash('sha256').update('x').digest('hex');
  const proof = createHmac('sha256', 'secret').update(hash).digest();
  return [
    { name: 'plain.bin', bytes: encodeActionResult({ path: 'entry', hash, size: 1, stdout: new Uint8Array(0) }) },
    { name: 'proved.bin', bytes: encodeActionResult({ path: 'entry', hash, size: 2 ** 31, stdout: proof }) },
  ];
};

/** The cook that the record is of. */
export const recordedJob = (folder: string): CookJob => ({
  source: 'scene.gltf',
  root: null,
  target: { kind: 'folder', folder, sceneName: 'scene' },
  settings: { missingTexture: 'drop', tileSize: 25, compress: 'lz4' },
  policy: LENIENT,
  force: false,
});

/** The record of a complete cook, the notes of its units, and a record of an input that is gone. */
export const recordSeeds = (): Seed[] => {
  const seeds: Seed[] = [];
  const put = (kind: string, _: string, bytes: Uint8Array) => {
    seeds.push({ name: `${kind}-${seeds.length}`, bytes, isRefused: seeds.length > 0 });
  };
  const records = new CookRecords({ get: () => null, put }, '/');
  const read = {
    path: '/absent.gltf',
    stamp: { size: 1, mtime: '1', ctime: '1', inode: '1:1' },
    sha256: 'ab'.repeat(32),
    time: 1,
  };
  const note = diagnostic('UC2001', 'scene.gltf', 'meshes/0', 'left out 1 triangle');
  const outcome: CookOutcome = {
    source: 'scene.gltf',
    status: 'ok',
    outputs: [],
    totals: null,
    diagnostics: [note],
    filesRead: ['/scene.gltf'],
  };
  const units = [
    { kind: 'payload', name: 'tile_0_0', keyInputs: { settings: 'ab', place: 'cd' }, isMade: true },
  ] as const;
  const trace = { read: [], seen: [], missing: ['/absent.png'], noFile: [], lookups: null };
  const stamps = new Map();
  records.record(recordedJob('/out'), outcome, { trace, units, used: DEFAULT_LIMITS, stamps });
  const seen = [{ path: '/absent.gltf', real: '/absent.gltf' }];
  const other = { read: [read], seen, missing: [], noFile: ['/absent.bin'], lookups: null };
  records.record(recordedJob('/out'), outcome, { trace: other, units: [], used: DEFAULT_LIMITS, stamps });
  return seeds;
};
