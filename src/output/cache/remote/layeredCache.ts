// A cache of this machine before one of a team: what the first lacks is asked of the second and kept here, and what is made
// here is sent there. Records of cooks stay here, for they hold paths of this machine.

import type { Cache, CacheKind } from '../cache.ts';
import type { RemoteStore } from './remoteStore.ts';

/** Kinds of entries that mean the same on every machine. */
const SHARED_KINDS: ReadonlySet<CacheKind> = new Set(['texture', 'payload', 'levels', 'cluster']);

export function layeredCache(local: Cache, remote: RemoteStore): Cache {
  return {
    get: (kind, key) => local.get(kind, key),
    async find(kind, key, accepts = () => true) {
      const found = await local.find(kind, key, accepts);
      if (found !== null || !SHARED_KINDS.has(kind)) return found;
      const payload = await remote.find(kind, key, accepts);
      if (payload !== null) local.put(kind, key, payload);
      return payload;
    },
    put(kind, key, payload) {
      local.put(kind, key, payload);
      if (SHARED_KINDS.has(kind)) remote.put(kind, key, payload);
    },
    remote: remote,
    waitsWhile: (idle) => remote.waitsWhile(idle),
    share: () => local.share(),
    async close() {
      await remote.close();
      await local.close();
    },
  };
}
