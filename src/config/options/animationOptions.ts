// Options of what moves: skeletons and clips of a model in one file.

import type { OptionTable } from './option.ts';

export const ANIMATION_OPTIONS = [
  {
    name: 'animations',
    kind: { type: 'list' },
    placeholder: 'all|none|NAME',
    description:
      'with --out FILE: the clips that are written to Animations/ beside it; again for more names, or separated by commas',
    default: ['all'],
  },
  {
    name: 'keep-keys',
    kind: { type: 'flag' },
    description: 'with --out FILE: keys that lie on the line between others are written, too',
  },
  {
    name: 'animate-nodes',
    kind: { type: 'flag' },
    description:
      'with --out FILE: nodes that clips move without a skin become a skeleton, so that the engine can move them',
  },
  {
    name: 'morphs',
    kind: { type: 'choice', choices: ['skinned', 'all', 'none'] },
    placeholder: 'skinned|all|none',
    description:
      'with --out FILE: the morph targets that are kept: those of meshes with a skin; all, for which meshes without one get a skeleton of one joint; or none',
    default: 'skinned',
  },
] as const satisfies OptionTable;
