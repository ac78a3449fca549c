// What is asked of outputs: codes UC2260-UC2279.

import type { CodeEntry } from '../../entry.ts';

export const ADVICE_CODES = {
  UC2260: {
    severity: 'error',
    exit: 2,
    title: 'name that nothing in an output has',
    cause:
      'untold why was asked about a tile, texture, material, node or mesh that the output does not hold. Tiles merge the meshes of one material, whose nodes then have no names of their own.',
    remedy: 'leave the name out: the largest tiles, textures, meshes and materials are listed with their names',
  },
} as const satisfies Record<string, CodeEntry>;
