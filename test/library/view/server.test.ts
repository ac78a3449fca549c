// What the server of `untold view` answers and refuses, asked byte by byte over sockets: clients of HTTP correct too much.

import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook } from '../../../src/index.ts';
import { runView } from '../../../src/library/view/view.ts';
import type { ViewDescription } from '../../../src/viewer/description.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { squareGltf } from '../../support/squareGltf.ts';

const SHARED = '0123456789abcdef.png';
const LINKED = '0123456789abcde0.png';

let folder: string;
let url: URL;
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
  const cooked = await cook(join(folder, 'town.gltf'), { out: join(folder, 'my tiles') });
  expect(cooked.exitCode).toBe(0);
  put(folder, 'secret.png', 'outside');
  put(folder, 'my tiles/.hidden.png', 'hidden');
  put(folder, 'my tiles/notes.txt', 'notes');
  put(folder, 'my tiles/100% &+ü.png', 'a name');
  put(folder, 'beside/inside.png', 'beside');
  symlinkSync(join(folder, 'secret.png'), join(folder, 'my tiles', 'link.png'));
  symlinkSync(join(folder, 'beside'), join(folder, 'my tiles', 'folder'));
  symlinkSync(join(folder, 'my tiles', '100% &+ü.png'), join(folder, 'my tiles', 'inside.png'));
  // A folder whose path begins with that of the set is another one.
  put(folder, 'my tiles 2/other.png', 'other');
  symlinkSync(join(folder, 'my tiles 2', 'other.png'), join(folder, 'my tiles', 'near.png'));
  // What sets share, and what only lies beside it.
  put(folder, `Textures/${SHARED}`, 'shared');
  put(folder, 'Textures/secret.png', 'secret');
  symlinkSync(join(folder, 'secret.png'), join(folder, 'Textures', LINKED));
  const result = await runView(join(folder, 'my tiles'), {});
  expect([result.exitCode, result.tiles]).toEqual([0, 1]);
  url = new URL(result.url!);
  stop = result.close;
});
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The whole answer to bytes, as Latin-1. */
function ask(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

const request = (path: string, headers: readonly string[] = [], method = 'GET', host = url.host): string =>
  [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n');

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);

test('the page, its parts and the set are answered, with headers that bind the browser', async () => {
  const index = await ask(request(url.pathname));
  expect(statusOf(index)).toBe(200);
  const page = readFileSync(join(import.meta.dirname, '../../../dist/viewer/index.html'), 'latin1');
  const [, secret] = /<meta name="untold-drop" content="([0-9a-f]{32})">/.exec(bodyOf(index))!;
  expect(bodyOf(index).replace(secret, '')).toBe(page);
  expect(secret).not.toBe(url.pathname.slice(1, -1));
  const head = index.slice(0, index.indexOf('\r\n\r\n'));
  expect(head).toContain(
    "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'",
  );
  expect(head).toContain('X-Content-Type-Options: nosniff');
  expect(head).toContain('Referrer-Policy: no-referrer');
  expect(head).toContain('Cache-Control: no-store');
  expect(head).not.toContain('Access-Control');
  for (const [name, type] of [
    ['page.js', 'text/javascript'],
    ['reader.js', 'text/javascript'],
    ['page.css', 'text/css'],
    ['kernel.wasm', 'application/wasm'],
    ['view.json', 'application/json'],
    ['set/town.json', 'application/json'],
    ['set/town.plan.svg', 'image/svg+xml'],
    ['set/inside.png', 'image/png'],
    ['set/100%25%20&+%C3%BC.png', 'image/png'],
  ]) {
    const answer = await ask(request(url.pathname + name));
    expect([name, statusOf(answer)]).toEqual([name, 200]);
    expect(answer).toContain(`Content-Type: ${type}`);
    expect(answer).toContain('X-Content-Type-Options: nosniff');
    expect(answer).toContain("default-src 'none'");
  }
  expect(bodyOf(await ask(request(`${url.pathname}set/town.json`)))).toBe(
    readFileSync(join(folder, 'my tiles/town.json'), 'latin1'),
  );
});

test('a texture that sets share is answered, and nothing else above the set', async () => {
  const below = async (path: string) => ask(request(`${url.pathname}set/${path}`));
  const answer = await below(`~up/1/Textures/${SHARED}`);
  expect([statusOf(answer), bodyOf(answer)]).toEqual([200, 'shared']);
  expect(statusOf(await below(`~up/1/Textures/${LINKED}`))).toBe(403);
  for (const path of ['~up/1/Textures/secret.png', '~up/1/secret.png', `~up/2/Textures/${SHARED}`, `~up/x/${SHARED}`]) {
    expect([path, statusOf(await below(path))]).toEqual([path, 404]);
  }
});

test('view.json tells what is shown, with the sizes of the payloads', async () => {
  const description = JSON.parse(bodyOf(await ask(request(`${url.pathname}view.json`))));
  const { tiles } = JSON.parse(readFileSync(join(folder, 'my tiles/town.json'), 'utf8'));
  const [{ path_relative_to_manifest: path, file_size_bytes: bytes }] = tiles;
  expect(description).toMatchObject({ manifest: 'town.json', file: null, planMap: 'town.plan.svg', diagnostics: [] });
  expect(description.bytes).toEqual({ [path]: bytes });
});

test('HEAD has the same headers and no body', async () => {
  for (const name of ['', 'view.json', 'set/town.json', 'lost.js']) {
    const got = await ask(request(url.pathname + name));
    const answer = await ask(request(url.pathname + name, [], 'HEAD'));
    expect(bodyOf(answer)).toBe('');
    expect(statusOf(answer)).toBe(statusOf(got));
    const length = /Content-Length: \d+/.exec(got)?.[0];
    if (length) expect(answer).toContain(length);
  }
});

test('without the end of the folder the page is found', async () => {
  const answer = await ask(request(url.pathname.slice(0, -1)));
  expect([statusOf(answer), answer.includes(`Location: ${url.pathname}\r\n`)]).toEqual([308, true]);
});

describe('refused', () => {
  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('%s', async (method) => {
    const answer = await ask(request(url.pathname, ['Content-Length: 0'], method));
    expect([statusOf(answer), answer.includes('Allow: GET, HEAD')]).toEqual([405, true]);
  });

  test('CONNECT', async () => {
    expect(await ask(request('example.org:443', [], 'CONNECT'))).toBe('');
  });

  test('an upgrade', async () => {
    expect(await ask(request(url.pathname, ['Connection: Upgrade', 'Upgrade: websocket']))).not.toContain('101');
  });

  test.each(['example.org', 'localhost.example.org', '127.0.0.1', '127.0.0.1:1', 'localhost:1', '[::1]:80', ''])(
    'the host "%s"',
    async (host) => {
      const answer = await ask(request(url.pathname, [], 'GET', host));
      expect(statusOf(answer)).toBe(421);
      expect(answer).not.toContain('<!doctype');
    },
  );

  test('two hosts, and none', async () => {
    expect([400, 421]).toContain(statusOf(await ask(request(url.pathname, ['Host: example.org']))));
    expect(statusOf(await ask(`GET ${url.pathname} HTTP/1.1\r\nConnection: close\r\n\r\n`))).toBe(400);
    expect(statusOf(await ask(`GET ${url.pathname} HTTP/1.0\r\n\r\n`))).toBe(421);
  });

  test('localhost of this port is not', async () => {
    expect(statusOf(await ask(request(url.pathname, [], 'GET', `localhost:${url.port}`)))).toBe(200);
  });

  test.each(['Origin: https://example.org', 'Origin: null', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-site'])(
    '%s',
    async (header) => {
      expect(statusOf(await ask(request(`${url.pathname}view.json`, [header])))).toBe(403);
    },
  );

  test('its own origin is not', async () => {
    const own = [`Origin: ${url.origin}`, 'Sec-Fetch-Site: same-origin'];
    expect(statusOf(await ask(request(`${url.pathname}view.json`, own)))).toBe(200);
  });

  test.each(['/', '/view.json', '/set/town.json', '/0123456789abcdef0123456789abcdef/', '//', '/%00/'])(
    'the path %s, which lacks the token',
    async (path) => {
      expect(statusOf(await ask(request(path)))).toBe(404);
    },
  );

  test.each([
    'set/../secret.png',
    'set/..%2fsecret.png',
    'set/%2e%2e/secret.png',
    'set/..%5csecret.png',
    'set/town/../../secret.png',
    'set//secret.png',
    'set/./town.json',
    'set/.hidden.png',
    'set/C:/secret.png',
    'set/town.json%00.png',
    'set/link.png',
    'set/near.png',
    'set/folder/inside.png',
  ])('%s, which leads outside', async (path) => {
    const answer = await ask(request(url.pathname + path));
    expect(statusOf(answer)).toBe(403);
    expect(bodyOf(answer)).toBe('the path leads outside\n');
  });

  test.each([
    'set/notes.txt',
    'set/town',
    'set',
    'set/lost.png',
    'lost.js',
    'page.js/x',
    'chunk-x.js',
    'tsconfig.json',
  ])('%s, which is nothing of the set', async (path) => {
    expect(statusOf(await ask(request(url.pathname + path)))).toBe(404);
  });

  test('a path that is no UTF-8, and bytes that are no HTTP', async () => {
    expect(statusOf(await ask(request(`${url.pathname}set/%ff.png`)))).toBe(400);
    expect(statusOf(await ask('\0\0\0\r\n\r\n'))).toBe(400);
  });

  test('connections from other machines: it listens on the loopback interface alone', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal),
    );
    for (const { address } of others) {
      const code = await new Promise((resolve) => {
        const socket = connect(Number(url.port), address, () => resolve(socket.destroy() && 'open'));
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      });
      expect(code).toBe('ECONNREFUSED');
    }
  });
});

test('each server has a token of its own', async () => {
  const other = await runView(join(folder, 'my tiles'), {});
  expect(new URL(other.url!).pathname).toMatch(/^\/[0-9a-f]{32}\/$/);
  expect(new URL(other.url!).pathname).not.toBe(url.pathname);
  await other.close();
  await expect(fetch(other.url!)).rejects.toThrow();
});

test('a file that is replaced is read anew, and one that goes is not found', async () => {
  const path = put(folder, 'my tiles/changing.png', 'before');
  expect(bodyOf(await ask(request(`${url.pathname}set/changing.png`)))).toBe('before');
  writeFileSync(path, 'afterwards');
  expect(bodyOf(await ask(request(`${url.pathname}set/changing.png`)))).toBe('afterwards');
  rmSync(path);
  expect(statusOf(await ask(request(`${url.pathname}set/changing.png`)))).toBe(404);
});

test('a single file is shown alone, and nothing but files of sets lies beside it', async () => {
  const cooked = await cook(join(folder, 'town.gltf'), { out: join(folder, 'one.untold') });
  expect(cooked.exitCode).toBe(0);
  const { url: address, close } = await runView(join(folder, 'one.untold'), {});
  const description = await (await fetch(`${address}view.json`)).json();
  expect(description).toMatchObject({ manifest: null, file: 'one.untold', planMap: null });
  expect((await fetch(`${address}set/one.untold`)).status).toBe(200);
  expect((await fetch(`${address}set/town.gltf`)).status).toBe(404);
  await close();
});

test('what cannot be shown is told', async () => {
  const codes = async (file: string, options = {}) =>
    (await runView(join(folder, file), options)).diagnostics.map(({ code }) => code);
  expect(await codes('lost')).toEqual(['UC1200']);
  put(folder, 'notes.txt', 'nothing to be seen');
  expect(await codes('notes.txt')).toEqual(['UC5000']);
  expect(await codes('my tiles', { port: 65_536 })).toEqual(['UC1003']);
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  expect(await codes('my tiles', { port })).toEqual(['UC5005']);
  taken.close();
});

test('of the clips beside a model those that move its joints are named and given, and no others', async () => {
  const sprout = join(import.meta.dirname, '../../../samples/glb/sprout.glb');
  expect((await cook(sprout, { out: join(folder, 'model/sprout.untold'), animations: ['Walk'] })).exitCode).toBe(0);
  put(folder, 'model/Animations/Other/Other.untoldanim', 'no clip');
  const result = await runView(join(folder, 'model/sprout.untold'), {});
  const { clips } = (await (await fetch(`${result.url}view.json`)).json()) as ViewDescription;
  const path = 'Animations/Walk/Walk.untoldanim';
  expect(clips).toEqual([{ path, index: 0, name: 'Walk', duration: 1 }]);
  const status = async (name: string) => (await fetch(`${result.url}set/${name}`)).status;
  expect([await status(path), await status('Animations/Other/Other.untoldanim')]).toEqual([200, 404]);
  await result.close();
});
