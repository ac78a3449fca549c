// `untold clean`: outputs whose source is gone, through the command line.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = async (...args: string[]) => {
  const ran = await untold(folder, ['cook', ...args, '--no-cache', '--textures', 'keep']);
  expect([ran.code, ran.stderr]).toEqual([0, expect.anything()]);
};
const clean = async (...args: string[]) => {
  const { code, stdout, stderr } = await untold(folder, ['clean', ...args, '--json']);
  const { removed = [], kept, diagnostics } = JSON.parse(stdout);
  const codes = diagnostics.map((item: { code: string }) => item.code);
  return { code, stderr, removed: removed.map((item: { path: string }) => item.path), kept, codes };
};

describe('sets', () => {
  beforeEach(async () => {
    put(folder, 'art/a.gltf', squareGltf());
    put(folder, 'art/wood.png', RED_PNG);
    put(folder, 'art/old/b.gltf', squareGltf({ image: '../wood.png' }));
    await cook('art', '--root', 'art', '--out', 'tiles');
  });

  test('of a source that is gone are removed with their folders, all others stay as they are', async () => {
    const before = filesBelow(join(folder, 'tiles')).map((name) => [
      name,
      readFileSync(join(folder, 'tiles', name), 'hex'),
    ]);
    expect(await clean('tiles', '--sources', 'art', '--root', 'art')).toMatchObject({ code: 0, removed: [], kept: 2 });
    rmSync(join(folder, 'art/old/b.gltf'));
    const dry = await clean('tiles', '--sources', 'art', '--root', 'art', '--dry-run');
    expect(dry).toMatchObject({ code: 0, removed: ['tiles/old/b.json'], kept: 1 });
    expect(
      filesBelow(join(folder, 'tiles')).map((name) => [name, readFileSync(join(folder, 'tiles', name), 'hex')]),
    ).toEqual(before);
    expect(await clean('tiles', '--sources', 'art', '--root', 'art')).toEqual({ ...dry, stderr: expect.anything() });
    expect(
      filesBelow(join(folder, 'tiles')).map((name) => [name, readFileSync(join(folder, 'tiles', name), 'hex')]),
    ).toEqual(before.filter(([name]) => !name.startsWith('old/')));
    expect(existsSync(join(folder, 'tiles/old'))).toBe(false);
    expect((await untold(folder, ['validate', 'tiles'])).code).toBe(0);
    expect(await clean('tiles', '--sources', 'art', '--root', 'art')).toMatchObject({ code: 0, removed: [], kept: 1 });
  });

  test('leave files of somebody else, and files that were changed', async () => {
    rmSync(join(folder, 'art/old/b.gltf'));
    put(folder, 'tiles/old/b/notes.txt', 'mine');
    put(folder, 'tiles/old/c.json', '{"tiles": [], "files": [{"path": "c/x.untold"}]}');
    put(folder, 'tiles/old/c/x.untold', 'mine');
    const tile = filesBelow(join(folder, 'tiles/old/b')).find((name) => name.endsWith('.untold')) as string;
    writeFileSync(join(folder, 'tiles/old/b', tile), 'changed');
    const ran = await clean('tiles', '--sources', 'art', '--root', 'art');
    expect(ran).toMatchObject({ code: 0, removed: ['tiles/old/b.json'], codes: ['UC4007'] });
    expect(ran.stderr).toContain(`UC4007 tiles/old/b/${tile}`);
    expect(filesBelow(join(folder, 'tiles/old'))).toEqual([`b/${tile}`, 'b/notes.txt', 'c.json', 'c/x.untold'].sort());
  });

  test('that name paths outside of their folder remove nothing there', async () => {
    put(folder, 'tiles/mine.untold', 'mine');
    const listed = ['../mine.untold', 'evil/../../mine.untold', '/etc/hosts', 'mine.untold'].map((path) => ({ path }));
    const manifest = { generator: 'untold-cook', plan_map: '../mine.untold', files: listed, tiles: [] };
    put(folder, 'tiles/evil.json', JSON.stringify(manifest));
    const ran = await clean('tiles', '--sources', 'art', '--root', 'art');
    expect(ran).toMatchObject({ code: 0, removed: ['tiles/evil.json'] });
    expect(readFileSync(join(folder, 'tiles/mine.untold'), 'utf8')).toBe('mine');
  });

  test('that a cook holds stay, and the others go', async () => {
    for (const name of ['x', 'y']) put(folder, `art/${name}.gltf`, squareGltf());
    await cook('art', '--root', 'art', '--out', 'tiles');
    for (const name of ['x', 'y']) rmSync(join(folder, `art/${name}.gltf`));
    const holder = { host: `not-${hostname()}`, boot: 'b', namespace: '', pid: 1, began: null, token: '0-a' };
    put(folder, 'tiles/.x.json.lock', JSON.stringify(holder));
    const ran = await clean('tiles', '--sources', 'art', '--root', 'art');
    expect(ran).toMatchObject({ code: 3, removed: ['tiles/y.json'], codes: ['UC4004'] });
    expect(filesBelow(join(folder, 'tiles')).filter((name) => name.endsWith('.json'))).toEqual([
      'a.json',
      'old/b.json',
      'x.json',
    ]);
  });

  test('are told in words', async () => {
    rmSync(join(folder, 'art/old/b.gltf'));
    const args = ['clean', 'tiles', '--sources', 'art', '--root', 'art'];
    const dry = await untold(folder, [...args, '--dry-run']);
    expect(dry.stdout).toMatch(/^would remove tiles\/old\/b\.json: 4 files, [\d.]+ kB\n$/);
    expect(dry.stderr).toMatch(/^1 output to remove, nothing changed, [\d.]+ kB; 1 kept\n$/);
    const ran = await untold(folder, args);
    expect(ran.stdout).toMatch(/^removed tiles\/old\/b\.json: 4 files, [\d.]+ kB\n$/);
    expect(ran.stderr).toMatch(/^1 output removed, [\d.]+ kB; 1 kept\n$/);
    expect(await untold(folder, [...args, '-q'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

test('is refused without sources, with sources that are not there, and for what is no folder', async () => {
  put(folder, 'art/a.gltf', squareGltf());
  await cook('art', '--out', 'tiles');
  const before = filesBelow(join(folder, 'tiles'));
  const refused = async (...args: string[]) => {
    const { code, stderr } = await untold(folder, ['clean', ...args]);
    return [code, /UC\d+/.exec(stderr)?.[0]];
  };
  expect(await refused('tiles')).toEqual([2, 'UC1002']);
  expect(await refused('tiles', '--sources', 'arts')).toEqual([2, 'UC1003']);
  expect((await refused('tiles', '--sources', 'art', '--sources', 'gone/*.gltf'))[0]).toBe(2);
  expect(await refused('tile', '--sources', 'art')).toEqual([2, 'UC1003']);
  expect(await refused('tiles/a.json', '--sources', 'art')).toEqual([2, 'UC1003']);
  expect(filesBelow(join(folder, 'tiles'))).toEqual(before);
});

describe('single files', () => {
  const EACH = ['--out-each', 'props/{dir}/{name}.untold', '--root', 'kit'];
  beforeEach(async () => {
    put(folder, 'kit/red.png', RED_PNG);
    put(folder, 'kit/other.png', Buffer.concat([RED_PNG, Buffer.from('more')]));
    put(folder, 'kit/a.gltf', squareGltf({ image: 'red.png' }));
    put(folder, 'kit/b.gltf', squareGltf({ image: 'red.png' }));
    put(folder, 'kit/old/c.gltf', squareGltf({ image: '../other.png' }));
    await cook('kit', ...EACH);
  });
  const textures = () => filesBelow(join(folder, 'props/Textures'));

  test('go with the shared textures that no file names any more', async () => {
    const [first, second] = textures();
    expect([textures().length, filesBelow(join(folder, 'props')).length]).toEqual([2, 5]);
    rmSync(join(folder, 'kit/b.gltf'));
    expect(await clean('props', '--sources', 'kit', ...EACH)).toMatchObject({ removed: ['props/b.untold'], kept: 2 });
    expect(textures()).toEqual([first, second]);
    rmSync(join(folder, 'kit/old/c.gltf'));
    put(folder, 'props/Textures/0123456789abcdef.png', 'not what its name says');
    const dry = await clean('props', '--sources', 'kit', ...EACH, '--dry-run');
    expect(dry.removed[0]).toBe('props/old/c.untold');
    expect(dry.removed).toHaveLength(2);
    expect(filesBelow(join(folder, 'props'))).toHaveLength(5);
    expect((await clean('props', '--sources', 'kit', ...EACH)).removed).toEqual(dry.removed);
    expect(filesBelow(join(folder, 'props'))).toHaveLength(3);
    expect(filesBelow(join(folder, 'props'))).toContain('Textures/0123456789abcdef.png');
    expect(existsSync(join(folder, 'props/old'))).toBe(false);
    expect((await untold(folder, ['validate', 'props/a.untold'])).code).toBe(0);
  });

  test('leave tiles of sets, and files that are no cooked ones or do not match', async () => {
    await cook('kit/a.gltf', '--out', 'props/set');
    const before = filesBelow(join(folder, 'props/set'));
    put(folder, 'props/text.untold', 'not cooked');
    rmSync(join(folder, 'kit/old/c.gltf'));
    expect((await clean('props', '--sources', 'kit', ...EACH)).removed).toContain('props/old/c.untold');
    expect(filesBelow(join(folder, 'props/set'))).toEqual(before);
    expect(readFileSync(join(folder, 'props/text.untold'), 'utf8')).toBe('not cooked');
    const elsewhere = ['--out-each', 'props/set/{name}_x.untold', '--root', 'kit'];
    expect((await clean('props', '--sources', 'kit', ...elsewhere)).removed).toEqual([]);
  });
});
