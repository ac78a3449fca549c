// Shared textures that a killed cook has left without a set that names them: the next cook removes them.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { rgb } from '../textures/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'art/wood.png', RED_PNG);
  for (const name of ['a', 'b']) put(folder, `art/${name}.gltf`, squareGltf({ image: 'wood.png' }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = async (...args: string[]) => {
  const all = ['cook', 'art', '--out', 'tiles', '--share-textures', '--cache-dir', 'cache', '--jobs', '1', ...args];
  const { code, stderr } = await untold(folder, all);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return stderr;
};
const textures = () => filesBelow(join(folder, 'tiles/Textures'));

/** The number of a process that was there and is gone. */
const gonePid = () => spawnSync(process.execPath, ['-e', '']).pid;
/** What a cook leaves that is killed between its last commit and the removal of `names`. */
const leave = (pid: number, ...names: string[]) =>
  put(folder, `tiles/Textures/.left-${hostname().replace(/[^A-Za-z0-9.-]/g, '_')}-${pid}`, `${names.join('\n')}\n`);

test('a cook that ends leaves no note, and no texture that was replaced', async () => {
  await cook();
  const [red] = textures();
  expect(textures()).toEqual([red]);
  put(folder, 'art/wood.png', rgb([[0, 0, 255]]));
  await cook();
  expect(textures()).toHaveLength(1);
  expect(textures()).not.toContain(red);
});

test('the next cook removes what a killed one has left, also where all is up to date', async () => {
  await cook();
  const [red] = textures();
  put(folder, 'art/wood.png', rgb([[0, 0, 255]]));
  await cook();
  const [blue] = textures();
  put(folder, 'elsewhere/wood.png', RED_PNG);
  put(folder, 'elsewhere/c.gltf', squareGltf({ image: 'wood.png' }));
  // As it was before the red one went: its content proves that it is ours.
  expect((await untold(folder, ['cook', 'elsewhere', '--out', 'other', '--share-textures', '--no-cache'])).code).toBe(
    0,
  );
  const old = filesBelow(join(folder, 'other/Textures'));
  expect(old).toEqual([red]);
  const putBack = () => put(folder, `tiles/Textures/${red}`, readFileSync(join(folder, 'other/Textures', red)));
  putBack();
  leave(gonePid(), red, blue, '../../art/a.gltf');
  expect(await cook()).toContain('2 up to date');
  expect([textures(), filesBelow(join(folder, 'art'))]).toEqual([[blue], ['a.gltf', 'b.gltf', 'wood.png']]);
  // A cook that is still there has its own to do.
  putBack();
  const note = leave(process.ppid, red);
  await cook();
  expect(textures()).toEqual([note.slice(note.lastIndexOf('.left-')), red, blue].sort());
});
