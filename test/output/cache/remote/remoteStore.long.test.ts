// A server that never answers: the store waits for it as long as it does, once.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { RemoteStore } from '../../../../src/output/cache/remote/remoteStore.ts';

it('a remote store leaves a server that never answers, and ends all requests at once', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/team`);
  const faults: string[] = [];
  const store = new RemoteStore({ url, isReadOnly: false, header: null, secret: null }, (reason) =>
    faults.push(reason),
  );
  try {
    const searches = Array.from({ length: 20 }, () => store.find('levels', '12'.repeat(32)));
    expect(await Promise.all(searches)).toEqual(Array(20).fill(null));
    expect(faults).toEqual(['is not used any more: it did not answer in time']);
    await store.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
