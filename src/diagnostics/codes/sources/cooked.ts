// Cooked files as sources: codes UC2400-UC2499.

import type { CodeEntry } from '../../entry.ts';

export const COOKED = {
  UC2400: {
    severity: 'warning',
    title: 'cooked model stands still',
    cause:
      'Skeletons, clips and morph targets go into single files alone. In a set or a pack the model is drawn as its vertices are stored.',
    remedy: 'give a single file to --out, as model.glb',
  },
  UC2402: {
    severity: 'error',
    title: 'cooked clip named as a source',
    cause: 'A .untoldanim file holds the motion of joints and nothing that is drawn.',
    remedy: 'name the model: the clips beside it are read with it',
  },
  UC2403: {
    severity: 'error',
    title: 'cooked texture cannot be decoded',
    cause: 'A .utex file that a cooked file names is damaged or of a format that is not known.',
    remedy: 'check it with untold validate, and cook it again',
  },
} as const satisfies Record<string, CodeEntry>;
