// Urho3D on the command line: what the target refuses, sets that replace each other, threads, and loose files of all kinds.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixture, fixtures } from '../formats/urho3d/fixtures.ts';
import { untold } from '../support/command.ts';
import { contents, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

const COURTYARD = resolve(import.meta.dirname, '../../samples/courtyard.usdz');

interface Found {
  readonly code: string;
  readonly severity: string;
}

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'square.gltf'), squareGltf());
  writeFileSync(join(folder, 'other.gltf'), squareGltf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, args);
const cook = (...args: string[]) => run('cook', ...args, '--no-cache');
const read = (path: string) => readFileSync(join(folder, path));

test.each([
  [['--out', 'x.mdl', '--textures', 'utex'], '--textures', 'png'],
  [['--out', 'x.mdl', '--compress', 'lz4'], '--compress', 'no meaning with --target urho3d'],
  [['--out', 'x.mdl', '--meshopt'], '--meshopt', 'no meaning with --target urho3d'],
  [['--out', 'x.mdl', '--edges'], '--edges', 'no meaning with --target urho3d'],
  [['--out', 'x.mdl', '--color-grade', 'a.cube'], '--color-grade', 'no meaning with --target urho3d'],
  [['--out', 'x.mdl', '--textures-dir', 'T'], '--textures-dir', 'no meaning with --target urho3d'],
  [['--out', 'x', '--target', 'urho3d', '--only', 'tile_0_0_0'], '--only', 'no meaning with --target urho3d'],
  [['--out', 'x', '--target', 'urho3d', '--shard', '1/2'], '--shard', 'no meaning with --target urho3d'],
  [['--out', 'x.glb', '--target', 'urho3d'], '--target', '--out names a .glb file'],
])('%j is refused', async (args, option, words) => {
  const { code, stderr } = await cook('square.gltf', ...args);
  expect([code, stderr.includes('UC1012'), stderr.includes(option), stderr.includes(words)]).toEqual([
    2,
    true,
    true,
    true,
  ]);
  expect([existsSync(join(folder, 'x')), existsSync(join(folder, 'x.mdl'))]).toEqual([false, false]);
});

test('standard output takes no model, which is several files', async () => {
  const { code, stdout, stderr } = await cook('square.gltf', '--target', 'urho3d', '--out', '-');
  expect([code !== 0, stdout, stderr.includes('UC1061')]).toEqual([true, '', true]);
});

test('a model of others is not replaced without --force, one of ours is', async () => {
  mkdirSync(join(folder, 'mine'));
  writeFileSync(join(folder, 'mine/a.mdl'), fixture(fixtures(/^good.*\.mdl$/)[0]));
  writeFileSync(join(folder, 'mine/a.txt'), 'Materials/Stone.xml\n');
  const { code, stderr } = await cook('square.gltf', '--out', 'mine/a.mdl');
  expect([code !== 0, stderr.includes('--force')]).toEqual([true, true]);
  expect(read('mine/a.txt').toString()).toBe('Materials/Stone.xml\n');
  expect((await cook('square.gltf', '--out', 'mine/a.mdl', '--force')).code).toBe(0);
  expect((await cook('square.gltf', '--out', 'mine/a.mdl')).code).toBe(0);
});

test('each source becomes a model with its own materials beside it', async () => {
  expect((await cook('square.gltf', 'other.gltf', '--out-each', 'each/{name}/{name}.mdl')).code).toBe(0);
  expect(readdirSync(join(folder, 'each')).sort()).toEqual(['other', 'square']);
  expect(readdirSync(join(folder, 'each/square')).sort()).toEqual(['Materials', 'square.mdl', 'square.txt']);
  expect((await run('validate', 'each')).stderr).toContain('2 files: valid');
});

test('clean takes models of ours whose source is gone, with their lists, and leaves those of others', async () => {
  mkdirSync(join(folder, 'kept'));
  writeFileSync(join(folder, 'gone.gltf'), squareGltf());
  expect((await cook('square.gltf', 'gone.gltf', '--out-each', 'kept/{name}.mdl')).code).toBe(0);
  writeFileSync(join(folder, 'kept/stone.mdl'), fixture(fixtures(/^good.*\.mdl$/)[0]));
  rmSync(join(folder, 'gone.gltf'));
  expect((await run('clean', 'kept', '--sources', 'square.gltf', '--out-each', 'kept/{name}.mdl')).code).toBe(0);
  const left = readdirSync(join(folder, 'kept')).filter((name) => !name.startsWith('.'));
  expect(left.sort()).toEqual(['Materials', 'square.mdl', 'square.txt', 'stone.mdl']);
  expect((await run('verify', 'kept/square.mdl')).code).toBe(0);
});

test('a set is valid, sound and drawn; damage is found; clean removes it', async () => {
  const args = ['--target', 'urho3d', '--tile-size', '5', '--lod', '0.5', '--hlod', '0.1'];
  expect((await cook(COURTYARD, ...args, '--jobs', '1', '--out', 'one')).code).toBe(0);
  expect((await cook(COURTYARD, ...args, '--jobs', '2', '--out', 'two')).code).toBe(0);
  expect(contents(join(folder, 'two'))).toEqual(contents(join(folder, 'one')));
  expect((await run('validate', 'one')).code).toBe(0);
  expect((await run('verify', 'one')).code).toBe(0);
  const [model] = readdirSync(join(folder, 'one/Models/courtyard')).filter((name) => name.endsWith('.mdl'));
  expect((await run('render', `one/Models/courtyard/${model}`, '--out', 'model.png')).code).toBe(0);
  expect(read('model.png').length).toBeGreaterThan(1000);

  // The same again with the cache: what is kept gives the same bytes.
  for (const out of ['cached', 'cached2']) {
    expect((await run('cook', COURTYARD, ...args, '--out', out, '--cache-dir', 'cache')).code).toBe(0);
    expect(contents(join(folder, out))).toEqual(contents(join(folder, 'one')));
  }

  const record = read('one/courtyard.json');
  const listed = JSON.parse(record.toString()) as { files: object[] };
  listed.files.push({ path: '../away.mdl', sha256: '0'.repeat(64) }, { path: 'Models/courtyard/nameless.mdl' });
  writeFileSync(join(folder, 'one/courtyard.json'), JSON.stringify(listed));
  const wrongRows = await run('validate', 'one/courtyard.json');
  expect(wrongRows.code).toBe(1);
  for (const row of [listed.files.length - 2, listed.files.length - 1]) {
    expect(wrongRows.stderr).toContain(`files/${row}: the row gives no path and SHA-256 of a file of this set`);
  }
  writeFileSync(join(folder, 'one/courtyard.json'), record);

  writeFileSync(join(folder, 'one/Models/courtyard/stray.mdl'), read(`one/Models/courtyard/${model}`));
  const strays = await run('verify', 'one');
  expect(strays.stderr).toContain('UC3240');
  rmSync(join(folder, 'one/Models/courtyard/stray.mdl'));
  const bytes = read(`one/Models/courtyard/${model}`);
  writeFileSync(join(folder, 'one/Models/courtyard', model), bytes.subarray(0, 200));
  rmSync(join(folder, 'one/Scenes/courtyard.xml'));
  const damaged = await run('validate', 'one/courtyard.json');
  expect(damaged.code).toBe(1);
  for (const code of ['UC3219', 'UC3220', 'UC3902']) expect(damaged.stderr).toContain(code);

  // What the source in the folder no longer makes goes with its record.
  const cleaned = await run('clean', 'two', '--sources', 'square.gltf');
  expect(cleaned.code).toBe(0);
  expect(Object.keys(contents(join(folder, 'two')))).toEqual([]);
});

test('loose files are validated and shown by their content', async () => {
  mkdirSync(join(folder, 'loose'));
  // Names of their own: the content says what they are.
  const kinds = ['.mdl', '.ani', '.vs3', '.asc'].map((extension) => {
    const [name] = fixtures(new RegExp(`^good.*\\${extension}$`));
    writeFileSync(join(folder, `loose/a${extension}.bin`), fixture(name));
    return `loose/a${extension}.bin`;
  });
  writeFileSync(join(folder, 'loose/scene.txt'), '<?xml version="1.0"?>\n<scene id="1"><node id="2" /></scene>\n');
  writeFileSync(
    join(folder, 'loose/material.txt'),
    '<material><technique name="Techniques/Diff.xml" /><texture unit="diffuse" name="a.png" /></material>',
  );
  const all = [...kinds, 'loose/scene.txt', 'loose/material.txt'];
  expect((await run('validate', ...all)).code).toBe(0);
  writeFileSync(
    join(folder, 'loose/prefabs.txt'),
    '<scene><node><component type="PrefabReference"><attribute name="Prefab" value="PrefabResource;Objects/a.xml" /></component></node></scene>',
  );
  expect(JSON.parse((await run('inspect', 'loose/prefabs.txt', '--json')).stdout).names).toEqual(['Objects/a.xml']);
  const shown: string[] = [];
  for (const name of all) {
    const { stdout } = await run('inspect', name);
    shown.push(stdout.split('\n')[0].replace(/^\S+: (Urho3D \w+).*$/, '$1'));
  }
  expect(shown).toEqual([
    'Urho3D model',
    'Urho3D animation',
    'Urho3D shader',
    'Urho3D script',
    'Urho3D scene',
    'Urho3D material',
  ]);
  for (const name of all) expect(JSON.parse((await run('inspect', name, '--json')).stdout).kind).toBe('urho3d');
  expect((await run('inspect', 'loose/material.txt')).stdout).toContain('diffuse a.png');

  // In folders only what begins as those of Urho3D do; by name what others call so, too.
  writeFileSync(join(folder, 'loose/quake.mdl'), 'IDPO of another engine');
  writeFileSync(join(folder, 'loose/new.mdl'), 'UMD3 and more');
  const found = await run('validate', 'loose');
  expect([found.code, found.stderr.includes('UC3901'), found.stderr.includes('quake')]).toEqual([1, true, false]);
  expect((await run('validate', 'loose/quake.mdl')).stderr).toContain('UC3900');
  const listed = JSON.parse((await run('inspect', 'loose', '--json')).stdout).files as { path: string }[];
  expect(listed.map(({ path }) => path).sort()).toEqual(['loose/new.mdl']);
});

test('every broken file has an error of the format, and every good one has none', async () => {
  mkdirSync(join(folder, 'fixtures'));
  const [bad, good] = [/^bad_/, /^good_/].map((pattern) => fixtures(pattern));
  for (const name of [...bad, ...good]) writeFileSync(join(folder, 'fixtures', name), fixture(name));
  const checked = async (names: string[]) => {
    const { code, stdout } = await run('validate', '--json', ...names.map((name) => `fixtures/${name}`));
    const { files } = JSON.parse(stdout) as { files: { path: string; diagnostics: Found[] }[] };
    const errors = (found: Found[]) => found.filter(({ severity }) => severity === 'error');
    const faults = files.map(({ path, diagnostics }) => [path, errors(diagnostics).map((one) => one.code)] as const);
    return { code, faults };
  };
  const broken = await checked(bad);
  expect([broken.code, broken.faults.length]).toEqual([1, bad.length]);
  expect(broken.faults.filter(([, codes]) => !codes.some((one) => /^UC39\d\d$/.test(one)))).toEqual([]);
  const sound = await checked(good);
  expect([sound.code, sound.faults.filter(([, codes]) => codes.length > 0)]).toEqual([0, []]);
});

test('packages are shown and checked with the files in them, also at the end of a program', async () => {
  for (const name of ['good_pak.pak', 'good_lz4.pak', 'good_exe.pak']) writeFileSync(join(folder, name), fixture(name));
  for (const name of ['good_pak.pak', 'good_lz4.pak', 'good_exe.pak']) {
    const { kind, type, files } = JSON.parse((await run('inspect', name, '--json')).stdout);
    expect([name, kind, type, files.length > 0]).toEqual([name, 'urho3d', 'package', true]);
  }
  mkdirSync(join(folder, 'held'));
  writeFileSync(join(folder, 'held/cut.mdl'), fixture(fixtures(/^good.*\.mdl$/)[0]).slice(0, 100));
  expect((await run('pack', 'held', '--out', 'held.pak')).code).toBe(0);
  const { code, stderr } = await run('validate', 'held.pak');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/UC39\d\d held\.pak\/cut\.mdl/)]);
});
