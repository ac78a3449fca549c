// What the server of `untold view` does with files that are dropped on its page, of friends and of enemies.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cook } from '../../../src/index.ts';
import { runView, type ViewResult } from '../../../src/library/view/view.ts';
import type { ViewDescription } from '../../../src/viewer/description.ts';
import type { DropNews } from '../../../src/viewer/drop.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { squareGltf } from '../../support/squareGltf.ts';

const samples = resolve(import.meta.dirname, '../../../samples');
const courtyard = readFileSync(join(samples, 'courtyard.usdz'));

const usdSquare = `def Mesh "Square"
{
  point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
  int[] faceVertexCounts = [4]
  int[] faceVertexIndices = [0, 1, 2, 3]
}
`;

let folder: string;
let view: ViewResult;
let secret: string;
const { TMPDIR } = process.env;

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
  expect((await cook(join(folder, 'town.gltf'), { out: join(folder, 'tiles') })).exitCode).toBe(0);
  expect((await cook(join(folder, 'town.gltf'), { out: join(folder, 'one.untold') })).exitCode).toBe(0);
  // A place of its own for what calls make for themselves.
  put(folder, 'temporary/.keep', '');
  process.env.TMPDIR = join(folder, 'temporary');
});
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  view = await runView(join(folder, 'tiles'), {});
  secret = secretIn(await (await fetch(view.url!)).text());
});
afterEach(async () => {
  await view.close();
  expect(left()).toEqual([]);
});

const secretIn = (html: string): string => /<meta name="untold-drop" content="([0-9a-f]*)">/.exec(html)![1];

/** Folders of calls that are there. */
const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('untold-view-'));

type Files = readonly (readonly [path: string, content: string | Uint8Array])[];

function framed(list: unknown, contents: Uint8Array = new Uint8Array(0)): Buffer<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(list));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, contents]);
}

const bodyOf = (files: Files): Buffer<ArrayBuffer> =>
  framed(
    files.map(([path, content]) => ({ path, bytes: Buffer.byteLength(content) })),
    Buffer.concat(files.map(([, content]) => Buffer.from(content))),
  );

const post = (
  body: Buffer<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = { 'untold-drop': secret },
  signal?: AbortSignal,
) => fetch(`${view.url}drop`, { method: 'POST', headers, body, signal: signal ?? null });

const newsOf = async (response: Response): Promise<DropNews[]> =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DropNews);

async function outcome(body: Buffer<ArrayBuffer>): Promise<string[] | 'shown'> {
  const last = (await newsOf(await post(body))).at(-1)!;
  return 'faults' in last ? last.faults.map(({ code }) => code) : 'isShown' in last ? 'shown' : ['no end'];
}

const shown = async () => (await (await fetch(`${view.url}view.json`)).json()) as ViewDescription;

/** A cooked set as a folder that is dropped. */
const tiles = (): Files => {
  const root = join(folder, 'tiles');
  return (readdirSync(root, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [`set/${path.slice(root.length + 1)}`, readFileSync(path)] as const;
    });
};

describe('is shown', () => {
  test('a source, cooked, beside its full detail, with what is done meanwhile', async () => {
    const news = await newsOf(await post(bodyOf([['courtyard.usdz', courtyard]])));
    expect(news.at(-1)).toEqual({ isShown: true });
    const progress = news.flatMap((one) => ('progress' in one ? [one.progress] : []));
    expect(new Set(progress.map(({ pass }) => pass))).toEqual(new Set([0, 1]));
    expect(progress.map(({ phase }) => phase)).toContain('verify');
    const description = await shown();
    expect([description.name, description.against?.name]).toEqual(['courtyard.usdz (cooked)', 'courtyard.usdz']);
    expect((await fetch(`${view.url}set/${description.manifest}`)).status).toBe(200);
    expect((await fetch(`${view.url}against/${description.against?.file}`)).status).toBe(200);
    // The drop and its cook; those of a drop before it are gone.
    expect(left()).toHaveLength(2);
    expect(await outcome(bodyOf([['b.usdz', courtyard]]))).toBe('shown');
    expect(left()).toHaveLength(2);
  });

  test('a cooked file, as it is', async () => {
    expect(await outcome(bodyOf([['one.untold', readFileSync(join(folder, 'one.untold'))]]))).toBe('shown');
    expect(await shown()).toMatchObject({ name: 'one.untold', manifest: null, file: 'one.untold' });
    expect(left()).toHaveLength(1);
  });

  test('a folder with a set, whose tree is kept', async () => {
    expect(await outcome(bodyOf(tiles()))).toBe('shown');
    const description = await shown();
    expect([description.name, description.manifest]).toEqual(['set/town.json', 'town.json']);
    for (const path of Object.keys(description.bytes)) {
      expect((await fetch(`${view.url}set/${path}`)).status).toBe(200);
    }
  });

  test('the source above all others, with empty files beside it', async () => {
    const town = squareGltf();
    const files: Files = [
      ['asset/empty.txt', ''],
      ['asset/parts/a.gltf', town],
      ['asset/parts/b.gltf', town],
      ['asset/town.gltf', town],
      ['asset/end', ''],
    ];
    expect(await outcome(bodyOf(files))).toBe('shown');
    expect((await shown()).name).toBe('asset/town.gltf (cooked)');
  });

  test.each<[string, string, Files]>([
    [
      'the layer that is called like its folder',
      'Chair/chair.usda',
      [
        ['Chair/chair.usda', `#usda 1.0\n${usdSquare}`],
        ['Chair/other.usda', `#usda 1.0\n${usdSquare}`],
      ],
    ],
    [
      'the layer that is no part of another',
      'asset/z.usda',
      [
        ['asset/a.usda', `#usda 1.0\n${usdSquare}`],
        ['asset/z.usda', '#usda 1.0\n(\n  subLayers = [@./a.usda@]\n)\n'],
      ],
    ],
  ])('%s', async (_, name, files) => {
    expect(await outcome(bodyOf(files))).toBe('shown');
    expect((await shown()).name).toBe(`${name} (cooked)`);
  });
});

describe('is refused, and what was shown stays', () => {
  afterEach(async () => {
    expect((await shown()).name).toMatch(/town\.json$/);
    expect(left()).toEqual([]);
  });

  test.each([
    ['no secret', {}],
    ['a wrong one', { 'untold-drop': '0'.repeat(32) }],
    ['a shorter one', { 'untold-drop': '0' }],
    ['that of the address', { 'untold-drop': 'address' }],
  ])('%s', async (_, headers: Readonly<Record<string, string>>) => {
    const given = headers['untold-drop'] === 'address' ? { 'untold-drop': view.url!.split('/')[3] } : headers;
    const answer = await post(bodyOf([['a.usdz', courtyard]]), given);
    expect([answer.status, await answer.text()]).toEqual([403, 'only the page may drop files\n']);
  });

  test('another origin, and another place', async () => {
    const body = bodyOf([['a.usdz', courtyard]]);
    expect((await post(body, { 'untold-drop': secret, Origin: 'https://example.org' })).status).toBe(403);
    expect(
      (await fetch(`${view.url}drop/x`, { method: 'POST', body, headers: { 'untold-drop': secret } })).status,
    ).toBe(405);
    expect((await fetch(`${view.url}drop`, { headers: { 'untold-drop': secret } })).status).toBe(404);
  });

  test.each([
    '../secret.gltf',
    'a/../../secret.gltf',
    '/secret.gltf',
    'a//b.gltf',
    './a.gltf',
    '..',
    '',
    'a/',
    '..\\secret.gltf',
    'C:secret.gltf',
    'a\0.gltf',
    'a\n.gltf',
    'x'.repeat(256),
    `${'a/'.repeat(64)}b`,
  ])('the name %j', async (path) => {
    expect(
      await outcome(
        bodyOf([
          ['good.usdz', courtyard],
          [path, squareGltf()],
        ]),
      ),
    ).toEqual(['UC1204']);
  });

  test.each<[string, Files]>([
    [
      'one name twice',
      [
        ['a.gltf', '{}'],
        ['a.gltf', '{}'],
      ],
    ],
    [
      'a file in the place of a folder',
      [
        ['a', 'x'],
        ['a/b.gltf', '{}'],
      ],
    ],
    [
      'a folder in the place of a file',
      [
        ['a/b.gltf', '{}'],
        ['a', 'x'],
      ],
    ],
  ])('%s', async (_, files) => {
    expect(await outcome(bodyOf(files))).toEqual(['UC4001']);
  });

  test.each<[string, Files, string]>([
    ['a source that is broken', [['a.gltf', '{"asset":{"version":"2.0"},"scenes":[{"nodes":[3]}],"scene":0}']], 'UC1'],
    [
      'a source without its buffer',
      [['a.gltf', '{"asset":{"version":"2.0"},"buffers":[{"uri":"a.bin","byteLength":4}]}']],
      'UC',
    ],
    ['a package that is cut off', [['a.usdz', courtyard.subarray(0, 3000)]], 'UC'],
    ['a manifest without its tiles', [['town.json', '{"tiles":[{}]}']], 'UC3'],
    ['what is nothing to be seen', [['notes.txt', 'notes']], 'UC5000'],
    [
      'several of it',
      [
        ['a.txt', 'a'],
        ['b.txt', 'b'],
      ],
      'UC5000',
    ],
    [
      'several sources',
      [
        ['a.gltf', squareGltf()],
        ['b.gltf', squareGltf()],
      ],
      'UC5000',
    ],
    ['nothing', [], 'UC5000'],
  ])('%s', async (_, files, code) => {
    const codes = await outcome(bodyOf(files));
    expect(codes).not.toBe('shown');
    expect((codes as string[]).every((one) => one.startsWith(code))).toBe(true);
  });

  test('a source that names a file above the drop', async () => {
    put(folder, 'temporary/secret.bin', squareGltf());
    const gltf = JSON.parse(squareGltf()) as { buffers: { uri?: string; byteLength: number }[] };
    gltf.buffers[0].uri = '../secret.bin';
    expect(await outcome(bodyOf([['a.gltf', JSON.stringify(gltf)]]))).toEqual(['UC1204']);
  });

  test('messages call files as they were dropped', async () => {
    const news = await newsOf(await post(bodyOf([['sub/a.gltf', '{"asset":{"version":"2.0"},"scene":1}']])));
    const last = news.at(-1)!;
    expect('faults' in last && last.faults[0].file).toBe('sub/a.gltf');
    expect(JSON.stringify(last)).not.toContain('untold-view-');
  });

  test.each<[string, Buffer<ArrayBuffer>]>([
    ['nothing at all', Buffer.alloc(0)],
    ['half a length', Buffer.alloc(3, 1)],
    ['a list of no bytes', Buffer.alloc(8)],
    ['a list that is longer than all', Buffer.from([255, 255, 255, 255, 91, 93])],
    ['a list that is no JSON', Buffer.from([2, 0, 0, 0, 91, 91])],
    ['a list that is no UTF-8', Buffer.from([3, 0, 0, 0, 34, 255, 34])],
    ['a list of something else', framed([{ path: 1, bytes: 0 }])],
    ['an object', framed({ path: 'a', bytes: 0 })],
    ['null', framed([null])],
    [
      'a size below zero',
      framed([
        { path: 'a', bytes: -1 },
        { path: 'b', bytes: 1 },
      ]),
    ],
    ['half a byte', framed([{ path: 'a', bytes: 0.5 }])],
    ['more than follows', framed([{ path: 'a', bytes: 5 }], Buffer.from('abcd'))],
    ['less than follows', framed([{ path: 'a', bytes: 3 }], Buffer.from('abcd'))],
  ])('%s', async (_, body) => {
    expect(await outcome(body)).toEqual(['UC1206']);
  });

  test('too many files', async () => {
    const list = Array.from({ length: 20_001 }, (_, i) => ({ path: `${i}`, bytes: 0 }));
    expect(await outcome(framed(list))).toEqual(['UC1209']);
  });

  /** The answer to a request of which so much is sent. */
  const ask = (head: readonly string[], body = ''): Promise<string> => {
    const { port, host, pathname } = new URL(view.url!);
    const lines = [`POST ${pathname}drop HTTP/1.1`, `Host: ${host}`, `untold-drop: ${secret}`, ...head, '', body];
    return new Promise((done) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(lines.join('\r\n')));
      let answer = '';
      socket.setEncoding('latin1').on('data', (text) => {
        answer += text;
      });
      socket.on('close', () => done(answer)).on('error', () => done(answer));
    });
  };

  test('more bytes than are taken, before one of them is, and a body of unknown length', async () => {
    for (const head of ['Content-Length: 4294967297', 'Transfer-Encoding: chunked']) {
      const answer = await ask([head]);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('UC1209');
    }
  });

  test('a second drop while one is opened', async () => {
    const { port, host, pathname } = new URL(view.url!);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [`POST ${pathname}drop HTTP/1.1`, `Host: ${host}`, `untold-drop: ${secret}`, 'Content-Length: 1000'];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await until(() => left().length === 1);
    const answer = await post(bodyOf([['a.usdz', courtyard]]));
    expect(answer.status).toBe(409);
    expect((await newsOf(answer))[0]).toMatchObject({ faults: [{ code: 'UC4004' }] });
    // Whoever leaves in the middle of the files leaves nothing.
    socket.destroy();
    await until(() => left().length === 0);
  });

  test('a drop that its page leaves while it is cooked', async () => {
    const leaving = new AbortController();
    const answer = await post(bodyOf([['a.usdz', courtyard]]), undefined, leaving.signal);
    expect(answer.status).toBe(200);
    expect(left().length).toBeGreaterThan(0);
    leaving.abort();
    await until(() => left().length === 0);
    // The next one is taken as soon as that one has ended.
    const one = bodyOf([['one.txt', 'x']]);
    await until(async () => (await outcome(one))[0] === 'UC5000');
  });
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await isSo()) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  expect(await isSo()).toBe(true);
}

test('the end of the view in the middle of a drop leaves nothing', async () => {
  const answer = await post(bodyOf([['a.usdz', courtyard]]));
  expect(answer.status).toBe(200);
  const rest = answer.text().catch(() => '');
  await view.close();
  await rest;
  expect(left()).toEqual([]);
});

test('an abort in the middle of a drop removes its files before anything else happens', async () => {
  const ending = new AbortController();
  const own = await runView(join(folder, 'tiles'), { signal: ending.signal });
  const given = { 'untold-drop': secretIn(await (await fetch(own.url!)).text()) };
  const body = bodyOf([['a.usdz', courtyard]]);
  const answer = await fetch(`${own.url}drop`, { method: 'POST', headers: given, body });
  const rest = answer.text().catch(() => '');
  expect(left().length).toBeGreaterThan(0);
  ending.abort();
  expect(left()).toEqual([]);
  await rest;
  await own.close();
  expect(left()).toEqual([]);
});

test('a temporary folder that cannot be made is told, and an exported page has no secret', async () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(folder, 'lost');
  try {
    expect(await outcome(bodyOf([['a.usdz', courtyard]]))).toEqual(['UC1103']);
  } finally {
    process.env.TMPDIR = before;
  }
  const site = join(folder, 'site');
  expect((await runView(join(folder, 'tiles'), { export: site })).exitCode).toBe(0);
  expect(secretIn(readFileSync(join(site, 'index.html'), 'utf8'))).toBe('');
});
