// The options that cook a scene for the eyes of people who stay in a zone.

import type { OptionTable } from './option.ts';

export const ZONE_OPTIONS = [
  {
    name: 'viewer-zone',
    kind: { type: 'list', paths: 'points', keepsCommas: true },
    placeholder: 'ZONE',
    description:
      'keep what eyes in a zone can see, as fine as they can tell: prim:/PATH (the bounds of a prim or node), box:X0,Y0,Z0,X1,Y1,Z1 in metres, or points:FILE.json, a list of [x, y, z] or [x, y, z, radius]; again for more. --device says how sharp eyes are and what fits',
  },
  {
    name: 'portal',
    kind: { type: 'list', keepsCommas: true },
    placeholder: 'prim:/PATH',
    description:
      'with --viewer-zone: a window, the rectangle of a prim or node, through which all is seen; again for more',
  },
  {
    name: 'keep-shadows',
    kind: { type: 'flag', on: true },
    description: 'with --viewer-zone: drop what casts shadows on what is seen, and is not seen itself',
  },
] as const satisfies OptionTable;
