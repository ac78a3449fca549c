// Servers that never answer, which the store waits for once, and that take their time at the end of a cook.

import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { RemoteStore } from '../../../../src/output/cache/remote/remoteStore.ts';

/** A store of a server of its own, and what it says of it. */
async function storeOf(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/team`);
  const faults: string[] = [];
  const store = new RemoteStore({ url, isReadOnly: false, header: null, secret: null }, (reason) =>
    faults.push(reason),
  );
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { store, faults, end };
}

it('a remote store leaves a server that never answers, and ends all requests at once', async () => {
  const { store, faults, end } = await storeOf(() => {});
  try {
    const searches = Array.from({ length: 20 }, () => store.find('levels', '12'.repeat(32)));
    expect(await Promise.all(searches)).toEqual(Array(20).fill(null));
    expect(faults).toEqual(['is not used any more: it did not answer in time']);
    await store.close();
  } finally {
    end();
  }
});

it('a set of many files is sent to its end where the server takes each as fast as it should', async () => {
  const stored = new Set<string>();
  // Four at a time, 640 files of 40 ms each take 6.4 s, more than a cook waits in vain.
  const { store, faults, end } = await storeOf(async (request, response) => {
    const { method, url = '' } = request;
    request.resume();
    if (method === 'PUT') {
      await new Promise((done) => setTimeout(done, 40));
      stored.add(url);
    }
    response.statusCode = method === 'PUT' || stored.has(url) ? 200 : 404;
    response.end();
  });
  try {
    const files = Array.from({ length: 640 }, (_, i) => {
      const bytes = Uint8Array.of(i & 255, i >> 8);
      return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: 2, read: () => bytes };
    });
    store.putWithFiles('set', 'ab'.repeat(32), Uint8Array.of(1), files);
    await store.close();
    expect(faults).toEqual([]);
    // The files, the entry and what names it.
    expect(stored.size).toBe(642);
  } finally {
    end();
  }
});
