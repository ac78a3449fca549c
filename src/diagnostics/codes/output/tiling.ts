// Tiling: codes UC2200-UC2299.

import type { CodeEntry } from '../../entry.ts';

export const TILING = {
  UC2200: {
    severity: 'error',
    title: 'nothing to draw',
    cause:
      'The source opened, but no visible triangle is left in it: it holds no meshes, or all are hidden, empty or of a kind that is not cooked.',
    remedy:
      'see `untold inspect FILE` for what the source holds, and the warnings for what was left out; hidden prims: --all-meshes, other purposes: --purpose',
  },
  UC2201: {
    severity: 'warning',
    title: 'coordinates beyond the engine’s spatial index',
    cause: 'The engine indexes ±1000 m around the origin; it never requests tiles further than about 1500 m from it.',
    remedy:
      'move the scene to the origin, with --origin or in its program, or correct its unit with --scale (USD: --meters-per-unit)',
  },
  UC2202: {
    severity: 'error',
    exit: 5,
    title: 'too many tiles',
    cause:
      'The cell size divides the scene into more tiles than --max-tiles allows (at most 65,536, which is what a manifest may list), its objects into more than 262,144 pieces, or one object so finely that 16,384 pieces of sixteen cells each way do not cover it. Of a pack: it has more models than --max-tiles allows.',
    remedy: 'give a larger --tile-size, or correct the scene’s unit with --scale (USD: --meters-per-unit)',
  },
  UC2203: {
    severity: 'error',
    title: 'object larger than any scene',
    cause:
      'Its bounds reach beyond 10^18 m. The engine stores squared distances as float32, which cannot hold such values.',
    remedy: 'correct the transform or the coordinates of this object',
  },
  UC2204: {
    severity: 'warning',
    title: 'tile over budget',
    cause:
      'A payload holds more bytes, meshes or vertices than its budget, and could not be cut further: --split decides which objects are cut, objects named NM_… or tagged force_local are never cut, and cutting a tile whose halves need the same materials does not reduce its meshes.',
    remedy:
      'split the named object or share its materials in the source, allow cuts with --split always, or raise the budget: --max-tile-bytes, --max-tile-meshes or --max-tile-vertices',
  },
  UC2205: {
    severity: 'info',
    title: 'unload radius raised',
    cause:
      'The engine unloads a tile at least 4 m beyond its streaming radius. A level starts at the distance at which its error cannot be seen, and that distance must lie inside the unload radius.',
    remedy:
      'give --tier-radius an unloading distance of at least 4 m more than the loading distance, and more for tiles with levels',
  },
  UC2206: {
    severity: 'error',
    exit: 2,
    title: 'no such tile',
    cause: 'The plan of this source has no payload of the name that --only gives.',
    remedy: 'see the names with --dry-run',
  },
  UC2207: {
    severity: 'error',
    title: 'no earlier cook to keep',
    cause:
      '`--only` keeps the other tiles of the earlier set. The output has no manifest of untold that lists them with the same objects, settings and version, so they would not belong to the new tile.',
    remedy: 'cook without --only, with the same settings',
  },
  UC2208: {
    severity: 'info',
    title: 'object cut more coarsely than the cells',
    cause:
      'An object is cut into no more than 16,384 pieces, and no piece is so small that float32 coordinates cannot separate its sides. This object is cut at every second, fourth … cell border instead.',
    remedy: 'give a larger --tile-size, or move distant objects towards the origin with --origin',
  },
  UC2209: {
    severity: 'info',
    title: 'object of long triangles cut coarsely or not at all',
    cause:
      'Long triangles cross the borders of many cells, and each crossing makes more triangles. Cut at the borders of cells, the object would have more than twice as many as it has now, so its pieces are larger, or it is not cut.',
    remedy:
      'give a larger --tile-size, divide long faces and faces of many corners in the source, or force the cut with --split always',
  },
  UC2210: {
    severity: 'warning',
    title: 'tag of an object not understood',
    cause:
      'A custom property that steers the tiling (untold_streaming_priority_hint, untold_tile_policy, untold_semantic_override) has an unknown value and is ignored.',
    remedy: 'give one of the values that the message lists',
  },
  UC2211: {
    severity: 'error',
    exit: 5,
    title: 'cutting would multiply triangles',
    cause:
      'With --split always, objects whose triangles are more than doubled by the cut may have no more than 2,097,152 triangles together afterwards: each long triangle becomes many triangles, one or more in each cell that it crosses.',
    remedy: 'use --split auto, give a larger --tile-size, or divide long faces in the source',
  },
  UC2212: {
    severity: 'warning',
    title: 'pattern that matches no object',
    cause: 'A pattern of --always-loaded matches neither the name nor the path of anything that the source has.',
    remedy: 'correct the pattern; untold inspect lists the names',
  },
} as const satisfies Record<string, CodeEntry>;
