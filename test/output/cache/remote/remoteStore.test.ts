// Against a real HTTP server of this process, good and bad.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/bytes/sha256.ts';
import { RemoteStore } from '../../../../src/output/cache/remote/remoteStore.ts';

type Handler = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handler: Handler): Promise<URL> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    handler(request, Buffer.concat(parts), response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/team`);
}

/** Keeps what is put, as a WebDAV folder would. */
function folder(files = new Map<string, Buffer>()): { files: Map<string, Buffer>; handler: Handler; asked: string[] } {
  const asked: string[] = [];
  return {
    files,
    asked,
    handler: ({ method, url = '', headers }, body, response) => {
      asked.push(`${method} ${url.split('/')[2]} ${headers['x-token'] ?? ''}`.trim());
      if (method === 'PUT') {
        files.set(url, body);
        response.writeHead(201).end();
      } else if (files.has(url)) response.end(files.get(url));
      else response.writeHead(404).end('no such entry');
    },
  };
}

const place = (url: URL, more = {}) => ({ url, isReadOnly: false, header: null, secret: null, ...more });
const KEY = '12'.repeat(32);
const payload = new TextEncoder().encode('a payload');

/** A store and the reasons that it gave for giving up. */
function storeAt(url: URL, more = {}) {
  const faults: string[] = [];
  return { faults, store: new RemoteStore(place(url, more), (reason) => faults.push(reason)) };
}

/** Looks until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a remote store', () => {
  it('gives another machine what one has put, with the header and below the path of its URL', async () => {
    const { files, handler, asked } = folder();
    const url = await serve(handler);
    const more = { header: { name: 'x-token', value: 'abc' }, secret: 's' };
    const first = storeAt(url, more);
    expect(await first.store.find('levels', KEY)).toBeNull();
    first.store.put('levels', KEY, payload);
    await first.store.close();
    const second = storeAt(url, more);
    expect(await second.store.find('levels', KEY)).toEqual(Buffer.from(payload));
    expect(await second.store.find('payload', KEY)).toBeNull();
    expect([...first.faults, ...second.faults]).toEqual([]);
    expect([...files.keys()]).toContain(`/team/cas/${sha256Hex(payload)}`);
    // The blob before the result that names it.
    expect(asked.slice(0, 5)).toEqual(['GET ac abc', 'PUT cas abc', 'PUT ac abc', 'GET ac abc', 'GET cas abc']);
  });

  it('puts nothing where it may only read', async () => {
    const { files, handler } = folder();
    const { store } = storeAt(await serve(handler), { isReadOnly: true });
    store.put('levels', KEY, payload);
    await store.close();
    expect(files.size).toBe(0);
  });

  it('believes no blob with other bytes, and no result without the secret', async () => {
    const { files, handler } = folder();
    const url = await serve(handler);
    const writer = storeAt(url);
    writer.store.put('levels', KEY, payload);
    await writer.store.close();
    expect(await storeAt(url, { secret: 'ours' }).store.find('levels', KEY)).toBeNull();
    const blob = `/team/cas/${sha256Hex(payload)}`;
    for (const wrong of ['a paYload', 'a payload and more', 'a pay', '']) {
      files.set(blob, Buffer.from(wrong));
      const { store, faults } = storeAt(url);
      expect(await store.find('levels', KEY), wrong).toBeNull();
      expect(faults).toEqual([]);
    }
    files.delete(blob);
    expect(await storeAt(url).store.find('levels', KEY)).toBeNull();
  });

  it('takes no proof of another entry', async () => {
    const { files, handler } = folder();
    const url = await serve(handler);
    const writer = storeAt(url, { secret: 's' });
    writer.store.put('levels', KEY, payload);
    await writer.store.close();
    const [, result] = [...files].find(([path]) => path.startsWith('/team/ac/')) as [string, Buffer];
    files.set(`/team/ac/${sha256Hex(`untold payload ${KEY}`)}`, result);
    expect(await storeAt(url, { secret: 's' }).store.find('payload', KEY)).toBeNull();
  });

  const bad: readonly [string, Handler, string][] = [
    ['is broken', (_, __, response) => response.writeHead(500).end(), 'it answered 500'],
    ['forbids', (_, __, response) => response.writeHead(403).end(), 'it answered 403'],
    [
      'redirects',
      (_, __, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'it answered with a redirect, and none is followed',
    ],
    ['hangs up', (request) => request.socket.destroy(), ''],
  ];
  it.each(bad)('does without a server that %s, and says so once', async (_, handler, reason) => {
    const { store, faults } = storeAt(await serve(handler));
    expect(await store.find('levels', KEY)).toBeNull();
    expect(await store.find('levels', KEY)).toBeNull();
    store.put('levels', KEY, payload);
    await store.close();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(reason);
  });

  it('does without a server that is not there', async () => {
    const url = await serve(() => {});
    servers.splice(0)[0].close();
    const { store, faults } = storeAt(url);
    expect(await store.find('levels', KEY)).toBeNull();
    expect(faults).toEqual(['is not used any more: ECONNREFUSED']);
  });

  it('does without a server that is full', async () => {
    const { files, handler } = folder();
    const url = await serve((request, body, response) => {
      if (request.method === 'PUT' && files.size >= 2) response.writeHead(507).end();
      else handler(request, body, response);
    });
    const { store, faults } = storeAt(url);
    store.put('levels', KEY, payload);
    await until(() => files.size === 2);
    store.put('payload', KEY, payload);
    await until(() => faults.length > 0);
    store.put('cluster', KEY, payload);
    // What it has is found all the same.
    expect(await store.find('levels', KEY)).toEqual(Buffer.from(payload));
    await store.close();
    expect(faults).toEqual(['gets no more entries: it answered 507 when an entry was sent']);
  });

  it('takes no result of another entry, with or without a secret', async () => {
    const { files, handler } = folder();
    const url = await serve(handler);
    const writer = storeAt(url);
    writer.store.put('levels', KEY, payload);
    await writer.store.close();
    const [, result] = [...files].find(([path]) => path.startsWith('/team/ac/')) as [string, Buffer];
    files.set(`/team/ac/${sha256Hex(`untold payload ${KEY}`)}`, result);
    expect(await storeAt(url).store.find('payload', KEY)).toBeNull();
    expect(await storeAt(url).store.find('levels', KEY)).toEqual(Buffer.from(payload));
  });

  it('gives nothing that the caller does not accept', async () => {
    const { handler } = folder();
    const { store } = storeAt(await serve(handler));
    store.put('levels', KEY, payload);
    await until(() => store.find('levels', KEY).then((found) => found !== null));
    expect(await store.find('levels', KEY, (bytes) => bytes.length > 100)).toBeNull();
  });

  it('asks for bytes as they are, and takes no packed ones', async () => {
    const { files, handler } = folder();
    let accepted: unknown;
    const url = await serve((request, body, response) => {
      accepted = request.headers['accept-encoding'];
      if (request.method === 'GET' && request.url?.includes('/cas/')) {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(files.get(request.url) as Buffer));
      } else handler(request, body, response);
    });
    const writer = storeAt(url);
    writer.store.put('levels', KEY, payload);
    await writer.store.close();
    expect(await storeAt(url).store.find('levels', KEY)).toBeNull();
    expect(accepted).toBe('identity');
  });

  it('has many searches at once wait for each other, and gives each its answer', async () => {
    const { handler } = folder();
    let open = 0;
    let max = 0;
    const url = await serve(async (request, body, response) => {
      max = Math.max(max, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      handler(request, body, response);
    });
    const { store } = storeAt(url);
    const found = await Promise.all(
      Array.from({ length: 40 }, (_, i) => store.find('levels', `${i}`.padStart(64, '0'))),
    );
    expect(found.every((one) => one === null)).toBe(true);
    expect(max).toBeLessThanOrEqual(8);
  });

  it('reads no more than an entry can have', async () => {
    const { store } = storeAt(await serve((_, __, response) => response.end(Buffer.alloc(100_000))));
    expect(await store.find('levels', KEY)).toBeNull();
  });
});
