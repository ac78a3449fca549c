// Whole sets in the cache of a team, through the command line, against an HTTP server of this process.

import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodeActionResult, encodeActionResult } from '../../src/output/cache/remote/actionResult.ts';
import { character } from '../animation/characters.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { type Ran, untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

const folders: string[] = [];
let server: Server;
let url: string;
/** What the server keeps, by path. */
const kept = new Map<string, Buffer>();
/** `METHOD /folder` of each request. */
const asked: string[] = [];

beforeEach(async () => {
  kept.clear();
  asked.length = 0;
  server = createServer(async (request, response) => {
    const { method, url: path = '' } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    asked.push(`${method} ${path.split('/')[1]}`);
    if (method === 'PUT') kept.set(path, Buffer.concat(parts));
    response.statusCode = method === 'PUT' || kept.has(path) ? 200 : 404;
    response.end(method === 'GET' ? kept.get(path) : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The folder of a machine with the sources. */
function machine(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  put(folder, 'square.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
  return folder;
}

/** Cooks the square. The cache of its own is in the folder. */
function cook(folder: string, ...args: string[]): Promise<Ran> {
  return ended(folder, ['cook', 'square.gltf', '--out', 'out', ...args]);
}

/** A character with the clips Walk and Run, as a model in `out/`. */
const cookModel = (folder: string) => ended(folder, ['cook', 'hero.glb', '--out', 'out/hero.untold']);

const ended = (folder: string, words: readonly string[]): Promise<Ran> =>
  untold(folder, [...words, '--cache-dir', 'cache', '--remote-cache', url]);

const count = (request: string): number => asked.filter((one) => one === request).length;

/** The path of the blob that is the entry of the set. */
const entryPath = (): string =>
  [...kept].find(([path, bytes]) => path.startsWith('/cas/') && bytes.subarray(0, 8).toString() === '{"used":')?.[0] ??
  '';

/** Puts another blob in the place of the set's entry, as a server without a secret may. */
function replaceEntry(change: (set: { outputs: { path: string }[] }) => void): void {
  const path = entryPath();
  const set = JSON.parse((kept.get(path) as Buffer).toString());
  change(set);
  const blob = Buffer.from(JSON.stringify(set));
  const hash = createHash('sha256').update(blob).digest('hex');
  kept.set(`/cas/${hash}`, blob);
  for (const [name, bytes] of kept) {
    const result = name.startsWith('/ac/') ? decodeActionResult(bytes) : null;
    if (result && `/cas/${result.hash}` === path) {
      kept.set(name, Buffer.from(encodeActionResult({ ...result, hash, size: blob.length })));
    }
  }
}

test('another machine in another folder takes the set as it is, with the same words', async () => {
  const [first, second] = [machine(), machine()];
  const cooked = await cook(first, '--json');
  expect(cooked.code).toBe(0);
  expect(count('HEAD cas')).toBeGreaterThan(2);
  asked.length = 0;
  const taken = await cook(second, '--json');
  expect([taken.code, contents(join(second, 'out'))]).toEqual([0, contents(join(first, 'out'))]);
  // The entry, and each file of the set.
  expect([...new Set(asked)]).toEqual(['GET ac', 'GET cas']);
  expect(count('GET ac')).toBe(1);
  expect(count('GET cas')).toBe(1 + Object.keys(contents(join(second, 'out'))).length);
  const plain = (text: string, folder: string) => {
    const { run: _, ...rest } = JSON.parse(text.replaceAll(folder, 'HERE')) as { run: unknown };
    return rest;
  };
  expect(plain(taken.stdout, second)).toEqual(plain(cooked.stdout, first));
  // It is recorded here as a cook of this machine would be.
  asked.length = 0;
  expect((await cook(second)).stderr).toContain('up to date');
  expect(asked).toEqual([]);
});

test('a set that shares its textures is cooked by each machine, of the tiles that others have made', async () => {
  const [first, second] = [machine(), machine()];
  expect((await cook(first, '--share-textures')).code).toBe(0);
  expect(entryPath()).toBe('');
  expect((await cook(second, '--share-textures')).code).toBe(0);
  expect(contents(join(second, 'out'))).toEqual(contents(join(first, 'out')));
  expect(Object.keys(contents(join(second, 'out')))[0]).toMatch(/^Textures\/[0-9a-f]{16}\.utex$/);
  // The same source with textures of its own is another set, and is found.
  expect((await cook(first)).code).toBe(0);
  asked.length = 0;
  expect((await cook(second)).code).toBe(0);
  expect([count('GET ac'), count('PUT cas')]).toEqual([1, 0]);
  expect(contents(join(second, 'out'))).toEqual(contents(join(first, 'out')));
});

describe('a model with clips', () => {
  function withHero(): string {
    const folder = machine();
    const scene = character() as SceneInput & { root: { animations: object[] } };
    const [walk] = scene.root.animations;
    const animations = ['Walk', 'Run'].map((name) => ({ ...walk, name }));
    put(folder, 'hero.glb', buildGlb({ ...scene, root: { ...scene.root, animations } }));
    return folder;
  }

  test('is found by another machine', async () => {
    const [first, second] = [withHero(), withHero()];
    expect((await cookModel(first)).code).toBe(0);
    expect(Object.keys(contents(join(first, 'out')))).toEqual([
      'Animations/Run/Run.untoldanim',
      'Animations/Walk/Walk.untoldanim',
      'hero.untold',
    ]);
    asked.length = 0;
    expect((await cookModel(second)).code).toBe(0);
    expect(contents(join(second, 'out'))).toEqual(contents(join(first, 'out')));
    // The entry and the three files; nothing is cooked, so nothing is sent.
    expect([count('GET ac'), count('GET cas'), count('PUT cas')]).toEqual([1, 4, 0]);
  });

  test('is cooked where its clips would lie on those of another model, and then not sent', async () => {
    const [first, second, third] = [withHero(), withHero(), withHero()];
    const renamed = ['Animations/hero_Run/hero_Run.untoldanim', 'Animations/hero_Walk/hero_Walk.untoldanim'];
    expect((await ended(first, ['cook', 'hero.glb', '--out', 'out/troll.untold'])).code).toBe(0);
    const troll = contents(join(first, 'out'));
    await cookModel(first);
    expect(Object.keys(contents(join(first, 'out')))).toEqual(expect.arrayContaining(renamed));
    await cookModel(second);
    expect(Object.keys(contents(join(second, 'out')))).not.toContain(renamed[0]);
    await ended(third, ['cook', 'hero.glb', '--out', 'out/troll.untold']);
    // That of the second machine is in the cache now.
    await cookModel(third);
    expect(contents(join(third, 'out'))).toEqual(contents(join(first, 'out')));
    expect(contents(join(third, 'out'))).toMatchObject(troll);
  });

  test.each(['Animations/Walk.untoldanim', 'Animations/Walk/other.untoldanim', 'Animations/Walk/a/Walk.untoldanim'])(
    'an entry that wants to write %s is not believed',
    async (path) => {
      const [first, second] = [withHero(), withHero()];
      await cookModel(first);
      replaceEntry(({ outputs }) => {
        outputs.find((output) => output.path.includes('Walk'))!.path = path;
      });
      await cookModel(second);
      expect(contents(join(second, 'out'))).toEqual(contents(join(first, 'out')));
    },
  );
});

test('a set of which a file is gone from the server is cooked', async () => {
  const [first, second] = [machine(), machine()];
  await cook(first);
  const tile = Object.entries(contents(join(first, 'out'))).find(([path]) => path.endsWith('.untold'))?.[1];
  expect(kept.delete(`/cas/${tile}`)).toBe(true);
  expect((await cook(second)).code).toBe(0);
  expect(contents(join(second, 'out'))).toEqual(contents(join(first, 'out')));
  // That machine has sent it again.
  expect(kept.has(`/cas/${tile}`)).toBe(true);
});

test('other bytes of a source or an image, and other settings, are another set', async () => {
  const [first, second] = [machine(), machine()];
  await cook(first);
  put(second, 'red.png', Buffer.concat([RED_PNG, Buffer.from([0])]));
  asked.length = 0;
  expect((await cook(second)).code).toBe(0);
  expect(count('PUT ac')).toBeGreaterThan(0);
  const third = machine();
  asked.length = 0;
  await cook(third, '--compress', 'none');
  expect(count('PUT ac')).toBeGreaterThan(0);
});

test('a file that was missing for the first machine and is there for the second counts', async () => {
  const [first, second] = [machine(), machine()];
  rmSync(join(first, 'red.png'));
  const without = await cook(first, '--missing-texture', 'drop');
  expect(without.code).toBe(0);
  expect((await cook(second, '--missing-texture', 'drop')).code).toBe(0);
  expect(Object.keys(contents(join(second, 'out'))).some((path) => path.includes('Textures'))).toBe(true);
  expect(Object.keys(contents(join(first, 'out'))).some((path) => path.includes('Textures'))).toBe(false);
});

test('a limit that the set exceeds is not passed over', async () => {
  const [first, second] = [machine(), machine()];
  await cook(first);
  const { code, stderr } = await cook(second, '--max-output-bytes', '100');
  expect([code, stderr]).toEqual([5, expect.stringContaining('--max-output-bytes')]);
});

test.each([['../escaped.untold'], ['square/../../escaped.untold'], ['other/escaped.untold'], ['.escaped']])(
  'an entry that wants to write %s is not believed',
  async (path) => {
    const [first, second] = [machine(), machine()];
    await cook(first);
    replaceEntry(({ outputs }) => {
      outputs[0].path = path;
    });
    expect((await cook(second)).code).toBe(0);
    expect(contents(join(second, 'out'))).toEqual(contents(join(first, 'out')));
    expect(existsSync(join(second, 'escaped.untold'))).toBe(false);
  },
);

test('an entry whose manifest lists other files is not believed', async () => {
  const [first, second] = [machine(), machine()];
  await cook(first);
  replaceEntry((set) => {
    set.outputs = set.outputs.filter(({ path }) => !path.endsWith('.untold'));
  });
  expect((await cook(second)).code).toBe(0);
  expect(contents(join(second, 'out'))).toEqual(contents(join(first, 'out')));
});

test('what is sent names no folder of this machine', async () => {
  const first = machine();
  writeFileSync(join(first, 'red.png'), 'no image');
  await cook(first, '--missing-texture', 'drop');
  for (const [, bytes] of kept) expect(bytes.includes(first)).toBe(false);
});
