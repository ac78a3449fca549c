import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'square.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Team {
  readonly url: string;
  readonly files: Map<string, Buffer>;
  /** `METHOD /folder` of each request. */
  readonly asked: string[];
}

/** A server that keeps what is put; `status` answers all requests instead. */
async function team(status: number | null = null): Promise<Team> {
  const files = new Map<string, Buffer>();
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    asked.push(`${method} ${url.split('/')[1]}`);
    if (method === 'PUT' && status === null) files.set(url, Buffer.concat(parts));
    response.statusCode = status ?? (files.has(url) ? 200 : 404);
    response.end(files.get(url));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files, asked };
}

const cook = (out: string, ...args: string[]) =>
  untold(folder, ['cook', 'square.gltf', '--out', out, '--cache-dir', `cache-${out}`, ...args]);

describe('--remote-cache', () => {
  test('gives a second machine what the first has made', async () => {
    const { url, files, asked } = await team();
    expect((await cook('first', '--remote-cache', url)).code).toBe(0);
    expect(asked.filter((request) => request === 'PUT ac').length).toBeGreaterThan(1);
    const sent = files.size;
    asked.length = 0;
    // Without records of whole cooks: tile by tile.
    expect((await cook('second', '--remote-cache', url, '--no-incremental')).code).toBe(0);
    expect(contents(join(folder, 'second'))).toEqual(contents(join(folder, 'first')));
    expect(asked.filter((request) => request.startsWith('PUT'))).toEqual([]);
    expect(asked.filter((request) => request === 'GET cas').length).toBeGreaterThan(1);
    expect(files.size).toBe(sent);
    // What is on this machine is not asked for.
    asked.length = 0;
    expect((await cook('second', '--remote-cache', url, '--no-incremental')).code).toBe(0);
    expect(asked).toEqual([]);
  });

  test('sends nothing where it is read only', async () => {
    const { url, asked } = await team();
    expect((await cook('out', '--remote-cache', url, '--remote-cache-read-only')).code).toBe(0);
    expect([...new Set(asked)]).toEqual(['GET ac']);
  });

  test('changes no byte where every blob was replaced', async () => {
    const { url, files } = await team();
    await cook('first', '--remote-cache', url);
    for (const path of files.keys()) if (path.startsWith('/cas/')) files.set(path, Buffer.from('something else'));
    const { code, stderr } = await cook('second', '--remote-cache', url);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('UC1109')]);
    expect(contents(join(folder, 'second'))).toEqual(contents(join(folder, 'first')));
  });

  test.each([403, 500])(
    'goes on without a server that answers %i, with one warning that --strict does not count',
    async (status) => {
      const { url } = await team(status);
      const { code, stderr } = await cook('out', '--remote-cache', url, '--strict');
      expect(code).toBe(0);
      expect(stderr.match(/UC1109/g)).toHaveLength(1);
      expect(stderr).toContain(`it answered ${status}`);
    },
  );
});

describe('is refused', () => {
  const refused = (args: readonly string[], env: Record<string, string> = {}) =>
    untold(folder, ['cook', 'square.gltf', '--out', 'out', '--cache-dir', 'cache', ...args], env);

  test.each([
    ['ftp://host/', 'a URL with http: or https: is needed'],
    ['host:9090', 'a URL with http: or https: is needed'],
    ['https://user:secret@host/', 'the URL holds a name or password'],
    ['https://host/cache?bucket=a', 'the URL holds a query'],
  ])('%s', async (url, message) => {
    const { code, stderr } = await refused(['--remote-cache', url]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret@');
  });

  test('a header over http, and one that is none', async () => {
    const header = { UNTOLD_REMOTE_CACHE_HEADER: 'Authorization: Bearer hidden' };
    const open = await refused(['--remote-cache', 'http://example.com/'], header);
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('sent over https alone')]);
    expect(open.stderr).not.toContain('hidden');
    const none = await refused(['--remote-cache', 'https://example.com/'], {
      UNTOLD_REMOTE_CACHE_HEADER: 'hidden\ntoken',
    });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('takes one header')]);
    expect(none.stderr).not.toContain('hidden');
  });

  test('a header to a name that a resolver answers', async () => {
    const header = { UNTOLD_REMOTE_CACHE_HEADER: 'Authorization: Bearer hidden' };
    const { code, stderr } = await refused(['--remote-cache', 'http://localhost:1/'], header);
    expect([code, stderr]).toEqual([2, expect.stringContaining('127.0.0.1')]);
  });

  test('a secret that is empty, as builds of strangers get it', async () => {
    const { code, stderr } = await refused(['--remote-cache', 'http://127.0.0.1:1/'], {
      UNTOLD_REMOTE_CACHE_SECRET: '',
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('UNTOLD_REMOTE_CACHE_SECRET')]);
  });

  test('read only without a server', async () => {
    expect((await refused(['--remote-cache-read-only'])).stderr).toContain('no remote cache is named');
  });
});
