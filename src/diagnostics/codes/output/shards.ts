// Parts of a set that several machines cook: codes UC4200-UC4299.

import type { CodeEntry } from '../../entry.ts';

export const SHARDS = {
  UC4200: {
    severity: 'error',
    title: 'not a shard, or damaged',
    cause:
      '`untold merge` takes folders that `untold cook --shard` wrote. The main file of a shard, SCENE.shard.json, is missing, cut off, changed, or of another version of untold.',
    remedy: 'cook this shard again, or copy its folder again from the machine that cooked it',
  },
  UC4201: {
    severity: 'error',
    title: 'shard of another cook',
    cause:
      'The shards of a set are cooked from the same bytes of the source, with the same settings and the same version of untold. This one differs in what the message names.',
    remedy: 'cook this shard again from the same source, with the same options and version as the others',
  },
  UC4202: {
    severity: 'error',
    title: 'shard missing',
    cause: 'A set is merged only when all of its shards are there: every tile of the plan is in one of them.',
    remedy: 'cook the missing shards with the --shard that the message names, and give their folders too',
  },
  UC4203: {
    severity: 'error',
    title: 'shard given twice',
    cause: 'Two folders hold the same shard of a set, or the same tile is in two shards.',
    remedy: 'give each shard once',
  },
  UC4204: {
    severity: 'error',
    title: 'file of a shard missing or changed',
    cause:
      'The main file of a shard lists every file with its size and SHA-256. This one is not there, is not a regular file, or has another content.',
    remedy: 'cook this shard again, or copy its folder again from the machine that cooked it',
  },
  UC4205: {
    severity: 'error',
    title: 'part of a set, not a set',
    cause: 'The folder was written by `untold cook --shard` and holds a part of the tiles, without a manifest.',
    remedy: 'give all shards to `untold merge SHARD… --out DIR`, and use the set that it writes',
  },
  UC4206: {
    severity: 'error',
    exit: 2,
    title: 'a set stands where a shard would go',
    cause:
      'A shard has payloads of the same names as the whole set of the scene: both in one folder would share files.',
    remedy: 'give another folder to --out for the shard',
  },
} as const satisfies Record<string, CodeEntry>;
