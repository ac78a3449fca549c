// Scenes that are cooked for the eyes of a zone: codes UC2281-UC2299.

import type { CodeEntry } from '../../entry.ts';

export const ZONE_CODES = {
  UC2281: {
    severity: 'error',
    title: 'prim of a zone or portal not found',
    cause: 'No prim or node has the path that --viewer-zone or --portal names, or nothing below it has bounds.',
    remedy: 'give a path that `untold inspect --stage` lists, or box:X0,Y0,Z0,X1,Y1,Z1 in metres of the output',
  },
  UC2282: {
    severity: 'error',
    exit: 2,
    title: 'places of a zone cannot be read',
    cause: 'The file of --viewer-zone points: is no JSON list of places.',
    remedy: 'write it as [[0, 1.7, 0], [1, 1.7, 0, 0.3]]: metres, and a radius where an eye may move',
  },
  UC2283: {
    severity: 'warning',
    title: 'detail given up for the budget of triangles',
    cause:
      'What eyes in the zone can tell has more triangles than the device is advised to have. Surfaces were allowed to lie further off than half a pixel until they fit.',
    remedy:
      'look at the result with `untold render`; a smaller zone, or windows (--portal), see less. Without --device nothing is given up',
  },
  UC2284: {
    severity: 'warning',
    title: 'holes seen from a zone',
    cause:
      'Pictures from places of the zone that were not looked from before show the background, or something further away, where the source has a surface. What was missing was added and kept as it is in the source, and is missing still.',
    remedy: 'give the named objects the tag untold_tile_policy = "always_loaded", which keeps them whole',
  },
  UC2285: {
    severity: 'warning',
    title: 'zone not looked at to the end',
    cause:
      'After the last round of eyes, each further one still found surfaces that none had seen: the zone has many narrow views.',
    remedy: 'make the zone smaller, or give the places where people are as points:FILE.json',
  },
  UC2286: {
    severity: 'warning',
    title: 'not simplified for the zone',
    cause: 'The textures of a material use several sets of UVs. What is seen of its surfaces stays as it is.',
    remedy: 'let all textures of the material use one set',
  },
  UC2287: {
    severity: 'error',
    title: 'portal is no rectangle',
    cause: 'A window is the rectangle that the bounds of a prim or node span. This one has no width or no height.',
    remedy: 'name a plane, or a thin box where the window is',
  },
  UC2289: {
    severity: 'error',
    title: 'nothing can be seen from the zone',
    cause: 'No triangle of the scene shows in any picture from the zone.',
    remedy:
      'look where the zone is: coordinates are metres of the output, with +Y up. `untold inspect` prints the bounds of the scene',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
