// `untold verify`: a whole output by its own records, and by its sources.

import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { workFolderOf } from '../../src/output/workFolder.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
const CACHE = ['--cache-dir', 'cache'];
const cook = (...args: string[]) => untold(folder, ['cook', 'town.gltf', '--out', 'tiles', ...CACHE, ...args]);

beforeEach(async () => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
  expect((await cook('--scene', 'Night')).code).toBe(0);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Document {
  output: string;
  sound: boolean;
  fresh: boolean | null;
  files: { path: string; ok: boolean; diagnostics: { code: string; file: string; message: string }[] }[];
  sources: { source: string; status: string; by: string | null; diagnostics: { code: string; message: string }[] }[];
  diagnostics: { code: string; file: string }[];
}

async function verify(...args: string[]): Promise<{ code: number | null; codes: string[]; stderr: string } & Document> {
  const { code, stdout, stderr } = await untold(folder, ['verify', 'tiles', '--json', ...args]);
  const document = JSON.parse(stdout) as Document;
  const all = [...document.files, ...document.sources, document];
  const codes = all.flatMap(({ diagnostics }) => diagnostics.map((item) => item.code));
  return { code, stderr, codes: [...new Set(codes)].sort(), ...document };
}

/** A file of the set below its folder, by the end of its name. */
const fileOf = (end: string): string => {
  const root = join(folder, 'tiles/town');
  const found = readdirSync(root, { recursive: true }).find((name) => String(name).endsWith(end));
  return join(root, String(found));
};

describe('a whole output', () => {
  test('is sound as it was cooked: exit 0, a line on stderr, nothing on stdout without --json', async () => {
    const { code, stdout, stderr } = await untold(folder, ['verify', 'tiles']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^\d files: sound\n$/);
    expect(await verify()).toMatchObject({
      code: 0,
      output: 'tiles',
      sound: true,
      fresh: null,
      codes: [],
      sources: [],
    });
    expect((await untold(folder, ['verify', 'tiles/town.json'])).code).toBe(0);
  });

  test('one changed byte is found', async () => {
    const path = fileOf('.untold');
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(path, bytes);
    const { code, sound, codes } = await verify();
    expect([code, sound]).toEqual([1, false]);
    expect(codes).toContain('UC3241');
  });

  test('a file that was renamed together with the manifest states a hash that it has not', async () => {
    const path = fileOf('.untold');
    const name = path.slice(path.lastIndexOf('tile_'));
    const other = name.replace(/[0-9a-f]{8}(?=\.untold)/, '0123abcd');
    expect(other).not.toBe(name);
    renameSync(path, path.replace(name, other));
    const manifest = join(folder, 'tiles/town.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(name, other));
    const { code, files } = await verify();
    expect(code).toBe(1);
    const [fault] = files.flatMap(({ diagnostics }) => diagnostics).filter((item) => item.code === 'UC3241');
    expect([fault.file, fault.message]).toEqual([
      `tiles/town/${other}`,
      `the name states 0123abcd, the content has ${/[0-9a-f]{8}(?=\.untold)/.exec(name)?.[0]}`,
    ]);
  });

  test('what no manifest lists is a warning, which --strict makes an error', async () => {
    writeFileSync(join(folder, 'tiles/town/notes.txt'), 'mine');
    expect(await verify()).toMatchObject({ code: 0, sound: true, codes: ['UC3240'] });
    expect(await verify('--strict')).toMatchObject({ code: 1, sound: false });
  });

  test('a map that is gone, or none, is a warning', async () => {
    const map = join(folder, 'tiles/town.plan.svg');
    writeFileSync(map, 'no map');
    expect((await verify()).codes).toEqual(['UC3243']);
    rmSync(map);
    expect((await verify()).codes).toContain('UC3243');
  });

  test('a cook that was killed while it moved files in is an error', async () => {
    mkdirSync(join(workFolderOf(join(folder, 'tiles')), 'town.json.cooking-0123456789abcdef'), { recursive: true });
    expect(await verify()).toMatchObject({ code: 1, sound: false, codes: ['UC3242'] });
  });

  test('a folder that is not there is refused', async () => {
    const { code, stderr } = await untold(folder, ['verify', 'gone']);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('UC1200')]);
    expect(code).toBeGreaterThan(1);
  });
});

describe('--against', () => {
  const AGAINST = ['--against', 'town.gltf', '--scene', 'Night', ...CACHE];

  test('the record of the last cook tells that nothing has changed', async () => {
    expect(await verify(...AGAINST)).toMatchObject({
      code: 0,
      fresh: true,
      sources: [{ source: 'town.gltf', status: 'fresh', by: 'record' }],
    });
  });

  test.each([
    ['a source', () => put(folder, 'town.gltf', squareGltf({ image: 'red.png', size: 3 }))],
    ['an image', async () => put(folder, 'red.png', await sharp(RED_PNG).negate({ alpha: false }).png().toBuffer())],
  ])('%s that has changed since is told from the record and without it', async (_, change) => {
    await change();
    const known = await verify(...AGAINST);
    expect(known).toMatchObject({ code: 1, sound: true, fresh: false, codes: ['UC3244'] });
    expect(known.sources[0]).toMatchObject({ status: 'stale', by: 'record' });
    const cooked = await verify(...AGAINST, '--no-incremental');
    expect(cooked.sources[0]).toMatchObject({ status: 'stale', by: 'cook' });
    expect(cooked.code).toBe(1);
  });

  test('without a record the sources are cooked elsewhere and compared, and nothing of the output changes', async () => {
    const before = readdirSync(join(folder, 'tiles'), { recursive: true });
    const { code, fresh, sources } = await verify('--against', 'town.gltf', '--scene', 'Night', '--no-cache');
    expect([code, fresh, sources[0].by]).toEqual([0, true, 'cook']);
    expect(readdirSync(join(folder, 'tiles'), { recursive: true })).toEqual(before);
  });

  test('other settings are another output', async () => {
    const { code, codes, sources } = await verify(...AGAINST, '--compress', 'none');
    expect([code, codes]).toEqual([1, ['UC3244']]);
    expect(sources[0].diagnostics[0].message).toContain('compress');
  });

  test('a source without output, and an output without source', async () => {
    cpSync(join(folder, 'town.gltf'), join(folder, 'yard.gltf'));
    const missing = await verify('--against', 'town.gltf', '--against', 'yard.gltf', '--scene', 'Night', ...CACHE);
    expect(missing).toMatchObject({ code: 1, fresh: false, codes: expect.arrayContaining(['UC3245']) });
    expect(missing.sources.map(({ status }) => status)).toEqual(['fresh', 'missing']);
    expect((await untold(folder, ['cook', 'yard.gltf', '--out', 'tiles', ...CACHE])).code).toBe(0);
    const stray = await verify(...AGAINST);
    expect(stray).toMatchObject({ code: 0, codes: expect.arrayContaining(['UC3246']) });
    expect(stray.diagnostics.map(({ file }) => file)).toEqual(['tiles/yard.json']);
  });

  test('a source that cannot be read is not up to date, with its own error', async () => {
    put(folder, 'town.gltf', '{');
    const { code, sources } = await verify('--against', 'town.gltf', '--scene', 'Night', '--no-cache');
    expect([code, sources[0].status]).toEqual([1, 'unknown']);
  });

  test('a single file', async () => {
    expect((await untold(folder, ['cook', 'town.gltf', '--out', 'one/town.untold', '--no-cache'])).code).toBe(0);
    const check = () => untold(folder, ['verify', 'one/town.untold', '--against', 'town.gltf', '--no-cache']);
    expect(await check()).toMatchObject({ code: 0, stderr: expect.stringContaining('up to date') });
    put(folder, 'town.gltf', squareGltf({ image: 'red.png', size: 3 }));
    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringContaining('UC3244') });
  });
});
