// cook() with `shard` and merge(): parts that were cooked apart become the set that one cook would have written, or none.

import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CookOptions, cook, merge, validate } from '../../src/index.ts';
import { CELL } from '../cook/farTown.ts';
import { gltf, type Thing } from '../cook/things.ts';
import { sphere } from '../geometry/packed.ts';
import { contents, put } from '../support/files.ts';
import { expectSameMerged, folder, fresh, LEVELS, MATERIALS, merged, ownFolder, parts, whole } from './shardedTown.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');

ownFolder();

/** What a merge that is refused says; nothing was written. */
async function refused(shards: string | readonly string[]) {
  const { out, exitCode, sets, diagnostics } = await merged(shards);
  expect(exitCode).not.toBe(0);
  expect(statSync(out, { throwIfNoEntry: false })).toBeUndefined();
  const all = [...diagnostics, ...sets.flatMap((set) => set.diagnostics)].filter((d) => d.severity === 'error');
  return all.map(({ code, message }) => `${code} ${message}`).join('\n');
}

describe('merged shards are the bytes of one cook', () => {
  test('a grid with HLOD clusters and a shared bucket: 3 shards', () =>
    expectSameMerged({ ...LEVELS, hlodLevels: 2 }, [3]));

  test('the sample courtyard with textures, and more shards than tiles', async () => {
    const source = join(SAMPLES, 'gltf/courtyard.gltf');
    const options: CookOptions = { tileSize: 4, lod: [0.5], hlod: 0.3 };
    const { out, result } = await whole(source, options);
    const shards = await parts(source, 5, options);
    const done = await merged(shards);
    expect(contents(done.out)).toEqual(contents(out));
    expect(done.sets[0].totals).toEqual(result.totals);
    expect(readdirSync(shards).some((name) => readdirSync(join(shards, name)).length === 1)).toBe(true);
  });

  test('several sources below an asset root', async () => {
    const art = fresh('art');
    for (const name of ['a', 'deep/b']) {
      const things = [0, 1, 2].map((i): Thing => ({ mesh: sphere(i * 25 + 12, 2, 12, 2, 8), material: 0 }));
      put(art, `${name}.gltf`, gltf(things, MATERIALS));
    }
    const options: CookOptions = { root: art, tileSize: 25 };
    const { out } = await whole(art, options);
    const done = await merged(await parts(art, 2, options));
    expect(done.sets.map(({ shards }) => shards.length)).toEqual([2, 2]);
    expect(contents(done.out)).toEqual(contents(out));
  });

  test('severities are those of the cooks', async () => {
    // Two balls that are far apart: no tiles for an HLOD cluster, which only the merge knows.
    const balls = [0, 8].map((i): Thing => ({ mesh: sphere(i * CELL + 8, 2, 8, 2, 12), material: 0 }));
    const source = put(fresh('art'), 'balls.gltf', gltf(balls, MATERIALS));
    const options: CookOptions = { ...LEVELS, hlodLevels: 2 };
    const noted = await whole(source, options);
    expect(noted.result.diagnostics.map(({ code }) => code)).toContain('UC2062');
    const shards = await parts(source, 2, options, { deny: ['UC2062'] });
    expect(await refused(shards)).toMatch(/^UC2062 /);
  });
});

describe('a merge is refused', () => {
  let shards: string;
  let source: string;
  const options: CookOptions = { tileSize: 25 };
  const row = (lift = 0) =>
    gltf(
      Array.from({ length: 4 }, (_, i): Thing => ({ mesh: sphere(i * 25 + 12, 2 + lift, 12, 2, 8), material: 0 })),
      MATERIALS,
    );
  beforeAll(async () => {
    source = put(fresh('art'), 'row.gltf', row());
    shards = await parts(source, 3, options);
  });
  const copied = () => {
    const to = fresh('copy');
    cpSync(shards, to, { recursive: true });
    return to;
  };
  const main = (place: string, i: number) => join(place, `s${i}`, 'row.shard.json');
  /** A payload of a shard that has one. */
  const payload = (place: string) => {
    const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.untold'));
    return join(place, files.sort()[0]);
  };
  /** Changes the part and states its hash, as somebody would who means harm. */
  const forge = (file: string, change: (part: Record<string, never>) => void) => {
    const document = JSON.parse(readFileSync(file, 'utf8'));
    change(document.part);
    document.sha256 = createHash('sha256').update(JSON.stringify(document.part)).digest('hex');
    writeFileSync(file, JSON.stringify(document));
  };

  test('when parts are missing or there twice', async () => {
    expect(await refused([join(shards, 's0'), join(shards, 's2')])).toBe('UC4202 row lacks 1/3');
    const twice = copied();
    cpSync(join(twice, 's1'), join(twice, 'again'), { recursive: true });
    expect(await refused(twice)).toMatch(/^UC4203 it is part 1\/3, as .*row\.shard\.json is$/);
  });

  test('when a part is of other settings, another source, or another number of parts', async () => {
    const other = copied();
    const again = async (more: CookOptions) => {
      rmSync(join(other, 's1'), { recursive: true });
      await cook(source, { ...options, shard: '1/3', ...more, out: join(other, 's1') });
    };
    await again({ compress: 'none' });
    expect(await refused(other)).toMatch(/^UC4201 it has another settings than /);
    await again({ shard: '1/4' });
    expect(await refused(other)).toMatch(/^UC4201 it is one of 4 parts, not of 3: /);
    await again({ strict: true });
    expect(await refused(other)).toMatch(/^UC4201 it has another severities of diagnostics than /);
    const before = readFileSync(source);
    appendFileSync(source, '\n');
    await again({});
    expect(await refused(other)).toMatch(/^UC4201 it has read another row\.gltf than /);
    writeFileSync(source, row(0.5));
    await again({});
    expect(await refused(other)).toMatch(/^UC4201 it has another plan than /);
    writeFileSync(source, before);
    await again({});
    forge(main(other, 1), (part) => Object.assign(part.common, { version: '0.0.9' }));
    expect(await refused(other)).toMatch(/^UC4201 it has another version of untold than /);
  });

  test('when a file is gone, changed, longer, or a link', async () => {
    const changed = copied();
    const file = payload(changed);
    const bytes = readFileSync(file);
    rmSync(file);
    expect(await refused(changed)).toMatch(/^UC4204 it is not there; /);
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('x')]));
    expect(await refused(changed)).toMatch(/^UC4204 it has \d+ bytes instead of \d+; /);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(file, bytes);
    expect(await refused(changed)).toMatch(/^UC4204 its content has changed; /);
    bytes[bytes.length - 1] ^= 1;
    rmSync(file);
    writeFileSync(join(folder, 'elsewhere'), bytes);
    symlinkSync(join(folder, 'elsewhere'), file);
    expect(await refused(changed)).toMatch(/^UC4204 it is not a regular file; /);
    rmSync(file);
    writeFileSync(file, bytes);
    const below = resolve(file, '..');
    renameSync(below, `${below}-moved`);
    symlinkSync(`${below}-moved`, below);
    expect(await refused(changed)).toMatch(/^UC4204 a link or a file stands where its folder should be; /);
    rmSync(below);
    mkdirSync(below);
    expect(await refused(changed)).toMatch(/^UC4204 it is not there; /);
  });

  test('when a main file is cut off, changed, or no shard', async () => {
    const broken = copied();
    const file = main(broken, 1);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.length / 2));
    expect(await refused(broken)).toBe('UC4200 it is no JSON, or cut off');
    writeFileSync(file, text.replace('"index":1', '"index":2'));
    expect(await refused(broken)).toBe('UC4200 it was changed after it was cooked');
    writeFileSync(file, text.replace('"schemaVersion":1', '"schemaVersion":2'));
    expect(await refused(broken)).toBe('UC4200 another version of untold has cooked it');
    writeFileSync(file, '{"kind":"untold-shard"}');
    expect(await refused(broken)).toBe('UC4200 another version of untold has cooked it');
    writeFileSync(file, '[]');
    expect(await refused(file)).toBe('UC4200 it is not the main file of a shard');
    expect(await refused(fresh('none'))).toMatch(/^UC1200 /);
    mkdirSync(join(folder, 'bare'), { recursive: true });
    expect(await refused(join(folder, 'bare'))).toBe('UC4200 the folder holds no shard');
  });

  test.each([
    ['../../outside.untold', 'is not a path inside the shard'],
    ['/etc/passwd', 'is not a path inside the shard'],
    ['row/../../outside', 'is not a path inside the shard'],
    ['row\\..\\outside', 'is not a path inside the shard'],
    ['other/tile.untold', 'does not lie in the folder of the scene'],
  ])('when the path %s is listed', async (path, why) => {
    const forged = copied();
    forge(main(forged, 1), (part) => {
      (part.files as object[]).push({ path, bytes: 1, sha256: '0'.repeat(64) });
    });
    expect(await refused(forged)).toContain(why);
  });

  test.each<[string, (part: Record<string, never>) => void, RegExp]>([
    ['another place', (part) => Object.assign(part.common, { place: '../..' }), /common\.place is not a folder inside/],
    ['a scene with folders', (part) => Object.assign(part.common, { scene: '../x' }), /common\.scene is not the name/],
    ['a number of parts', (part) => Object.assign(part, { count: 1e9 }), /there is no shard \d of/],
    ['an endless number', (part) => Object.assign(part.common, { budgets: null }), /common\.budgets is not an object/],
    ['no tiles', (part) => Object.assign(part, { tiles: [] }), /^UC4202 no shard holds /],
    ['a foreign tile', (part) => Object.assign((part.tiles as object[])[0], { id: 'mine' }), /has no tile mine/],
    ['no files', (part) => Object.assign(part, { files: [] }), /which is not listed/],
    ['unknown properties', (part) => Object.assign(part, { more: 1 }), /part\.more is unknown/],
  ])('when a main file is forged with %s', async (_, change, message) => {
    const forged = copied();
    const index = [0, 1, 2].find((i) => JSON.parse(readFileSync(main(forged, i), 'utf8')).part.tiles.length > 0);
    if (index !== 1) renameSync(join(forged, `s${index}`), join(forged, 'kept'));
    forge(index === 1 ? main(forged, 1) : join(forged, 'kept', 'row.shard.json'), change);
    expect(await refused(forged)).toMatch(message);
  });

  test('and a set at the target stays as it was', async () => {
    const { out } = await whole(source, { ...options, compress: 'none' });
    const before = contents(out);
    const changed = copied();
    rmSync(payload(changed));
    expect((await merge(changed, { out })).exitCode).toBe(1);
    expect(contents(out)).toEqual(before);
  });

  test('a shard is no set, and does not go beside one', async () => {
    const { exitCode, files } = await validate(shards);
    expect(exitCode).toBe(1);
    const found = files.filter(({ path }) => path.endsWith('.shard.json'));
    expect(found.map(({ diagnostics }) => diagnostics[0].code)).toEqual(['UC4205', 'UC4205', 'UC4205']);
    const { out } = await whole(source, options);
    const { results, exitCode: code } = await cook(source, { ...options, out, shard: '0/2' });
    expect([code, results[0].diagnostics.map((d) => d.code)]).toEqual([2, ['UC4206']]);
  });

  test('main files hold no absolute path, and the same bytes from another folder', async () => {
    const elsewhere = put(fresh('art'), 'row.gltf', row());
    const again = await parts(elsewhere, 3, options);
    for (const i of [0, 1, 2]) {
      const [a, b] = [main(shards, i), main(again, i)].map((file) => JSON.parse(readFileSync(file, 'utf8')).part);
      expect(JSON.stringify(a.inputs)).not.toContain(folder);
      expect(a.inputs).toEqual(b.inputs);
      expect(a.files).toEqual(b.files);
    }
  });
});

describe('options that exclude shards', () => {
  test.each<[string, CookOptions]>([
    ['--only', { only: 'tile_0_0_0', out: 'o' }],
    ['--dry-run', { dryRun: true, out: 'o' }],
    ['--out-each', { outEach: 'x/{name}.untold' }],
    ['a single file', { out: 'o.untold' }],
  ])('%s', async (_, options) => {
    const { exitCode, diagnostics } = await cook('none.gltf', { ...options, shard: '0/2' });
    expect([exitCode, diagnostics[0].code, diagnostics[0].path]).toEqual([2, 'UC1012', '--shard']);
  });
});
