// The cache of a cook: it spares the making of textures and never decides a byte, whatever becomes of it.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CookOptions, cacheInfo, clearCache, cook, pruneCache } from '../../src/index.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
let outs = 0;
beforeEach(async () => {
  folder = temporaryFolder();
  outs = 0;
  put(folder, 'town.gltf', squareGltf({ image: 'wall.webp' }));
  put(folder, 'wall.webp', await wall('#c0ffee'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An image that the engine does not read, so that a PNG is made of it. */
const wall = (background: string) =>
  sharp({ create: { width: 24, height: 16, channels: 3, background } })
    .webp({ lossless: true })
    .toBuffer();

const cacheDir = () => join(folder, 'cache');

/** Cooks into a new folder and gives the files with their hashes, and the codes of the call. */
async function cooked(options: CookOptions): Promise<{ files: Record<string, string>; codes: string[]; code: number }> {
  const out = join(folder, `out${outs++}`);
  const { exitCode, diagnostics } = await cook(join(folder, 'town.gltf'), { out, textures: 'keep', ...options });
  return { files: contents(out), codes: diagnostics.map(({ code }) => code), code: exitCode };
}

/** The files of the textures' entries. */
function entries(): string[] {
  const folder = join(cacheDir(), 'content/texture');
  return filesBelow(folder).map((path) => join(folder, path));
}

test('bytes are the same without a cache, cold, warm, damaged, shared, unusable', async () => {
  const plain = await cooked({});
  expect(plain).toMatchObject({ codes: [], code: 0 });
  expect(Object.keys(plain.files).filter((file) => file.endsWith('.png'))).toHaveLength(1);
  const cold = await cooked({ cacheDir: cacheDir() });
  expect(cold).toEqual(plain);
  expect(entries()).toHaveLength(1);
  expect(await cooked({ cacheDir: cacheDir() })).toEqual(plain);

  const [entry] = entries();
  const sound = readFileSync(entry);
  const broken = Buffer.from(sound);
  broken[broken.length - 20] ^= 255;
  for (const bytes of [broken, sound.subarray(0, 70), Buffer.alloc(0)]) {
    writeFileSync(entry, bytes);
    expect(await cooked({ cacheDir: cacheDir() })).toEqual(plain);
    // It was made again.
    expect(readFileSync(entry)).toEqual(sound);
  }
  const both = await Promise.all([cooked({ cacheDir: cacheDir() }), cooked({ cacheDir: cacheDir() })]);
  expect(both).toEqual([plain, plain]);
  const unusable = await cooked({ cacheDir: join(folder, 'town.gltf'), strict: true });
  expect(unusable).toEqual({ ...plain, codes: ['UC1105'] });
});

test('what is in the cache is taken, not made', async () => {
  const cold = await cooked({ cacheDir: cacheDir() });
  const [entry] = entries();
  // Another sound payload under the same key shows where the texture comes from.
  const other = await sharp({ create: { width: 24, height: 16, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const facts = { extension: 'png', width: 24, height: 16, format: 0, mipCount: 1, clipped: 0, clamped: false };
  const payload = Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), other]);
  const header = Buffer.from(readFileSync(entry).subarray(0, 56));
  header.writeBigUInt64LE(BigInt(payload.length), 16);
  header.set(createHash('sha256').update(payload).digest(), 24);
  writeFileSync(entry, Buffer.concat([header, payload]));
  const warm = await cooked({ cacheDir: cacheDir() });
  expect(Object.values(warm.files)).toContain(createHash('sha256').update(other).digest('hex'));
  expect(Object.values(cold.files)).not.toContain(createHash('sha256').update(other).digest('hex'));
});

test('other bytes of an image are another entry, another name or place of it is not', async () => {
  await cooked({ cacheDir: cacheDir() });
  put(folder, 'house/other.gltf', squareGltf({ image: 'brick.webp', size: 3 }));
  put(folder, 'house/brick.webp', readFileSync(join(folder, 'wall.webp')));
  await cook(join(folder, 'house/other.gltf'), { out: join(folder, 'other'), textures: 'keep', cacheDir: cacheDir() });
  expect(entries()).toHaveLength(1);
  put(folder, 'wall.webp', await wall('#c0ffef'));
  await cooked({ cacheDir: cacheDir() });
  expect(entries()).toHaveLength(2);
});

test('there is none unless it is asked for, whatever the environment says', async () => {
  const before = process.env.UNTOLD_CACHE_DIR;
  try {
    process.env.UNTOLD_CACHE_DIR = cacheDir();
    await cooked({});
    await cooked({ cache: false });
    await cooked({ cacheSize: 5e6 });
    expect(existsSync(cacheDir())).toBe(false);
    await cooked({ cache: true, dryRun: false });
    expect(entries()).toHaveLength(1);
  } finally {
    process.env.UNTOLD_CACHE_DIR = before;
  }
});

test('options that cannot be meant are refused', async () => {
  const refused = async (options: CookOptions) => {
    const { exitCode, results, diagnostics } = await cook(join(folder, 'town.gltf'), { out: folder, ...options });
    expect(results).toEqual([]);
    return [exitCode, diagnostics[0].code, diagnostics[0].message];
  };
  expect(await refused({ cache: false, cacheDir: cacheDir() })).toEqual([2, 'UC1012', '--cache-dir was given too']);
  const size = 'but the option takes a size like 500MB or 10GB, from 1MB to 1000TB';
  for (const cacheSize of [0, 1.5e6 + 0.5, Number.NaN, 2 ** 60]) {
    expect(await refused({ cacheSize, cacheDir: cacheDir() })).toEqual([2, 'UC1003', expect.stringContaining(size)]);
  }
});

test('cacheInfo(), clearCache() and pruneCache() give documents', async () => {
  expect(await cacheInfo({ cacheDir: cacheDir(), cacheSize: 2e6 })).toEqual({
    exitCode: 0,
    document: { folder: cacheDir(), limit: 2e6, entries: 0, bytes: 0, kinds: [], oldest: null },
    diagnostics: [],
  });
  await cooked({ cacheDir: cacheDir() });
  const { document } = await cacheInfo({ cacheDir: cacheDir() });
  const bytes = readFileSync(entries()[0]).length;
  const kinds = [
    { kind: 'payload', entries: 1, bytes: expect.any(Number) },
    { kind: 'texture', entries: 1, bytes },
  ];
  expect(document).toMatchObject({ limit: 1e10, entries: 2, kinds });
  expect(document?.oldest).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect((await clearCache({ cacheDir: cacheDir(), kind: 'other' })).document).toMatchObject({
    entries: 0,
    bytes: 0,
  });
  const left = { entries: 2, bytes: document?.bytes };
  const cleared = { folder: cacheDir(), dryRun: true, ...left, kinds, projects: [], left: { entries: 0, bytes: 0 } };
  expect((await clearCache({ cacheDir: cacheDir(), dryRun: true })).document).toEqual(cleared);
  expect((await pruneCache({ cacheDir: cacheDir() })).document).toMatchObject({ entries: 0, left });
  expect((await clearCache({ cacheDir: cacheDir() })).document).toEqual({ ...cleared, dryRun: false });
  const refused = await clearCache({ cacheDir: cacheDir(), kind: '../..' });
  expect([refused.exitCode, refused.document, refused.diagnostics[0].code]).toEqual([2, null, 'UC1003']);
  const foreign = await clearCache({ cacheDir: folder });
  expect([foreign.exitCode, foreign.document, foreign.diagnostics[0].code]).toEqual([2, null, 'UC1106']);
});
