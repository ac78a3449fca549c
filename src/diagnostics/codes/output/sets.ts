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
  UC2491: {
    severity: 'info',
    title: 'sets of texture coordinates with other numbers',
    cause:
      'A vertex has eight sets of texture coordinates at most. Textures use one with a higher number, which changes places with one of the first eight that no texture uses, in all meshes and materials of the file.',
    remedy: 'nothing to do for what is drawn; programs that read sets by their numbers need the new ones',
  },
} as const satisfies Record<string, CodeEntry>;
