// Sets of texture coordinates and colours that an output does not have: codes UC2490-UC2494.

import type { CodeEntry } from '../../entry.ts';

export const SETS = {
  UC2490: {
    severity: 'info',
    title: 'sets of texture coordinates or colours that nothing draws left out',
    cause:
      'The target has a place for the texture coordinates and colours that a material draws with, and for no others: light maps and masks of other programs lie in such sets.',
    remedy: 'nothing to do where nothing reads them; --target glb and galileo keep up to eight sets of each',
  },
} as const satisfies Record<string, CodeEntry>;
