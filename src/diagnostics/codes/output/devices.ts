// What a device carries: codes UC2240-UC2252. engine/devices.ts has the limits with their sources.

import type { CodeEntry } from '../../entry.ts';

export const DEVICE_CODES = {
  UC2240: {
    severity: 'warning',
    title: 'more geometry than the device holds',
    cause:
      'At the named place the loader asks for more geometry than its budget. It evicts what is further away, which then is missing or coarse, and loads it again as soon as there is room.',
    remedy:
      'smaller cells (--tile-size), nearer radii (--tier-radius) or coarser levels (--lod-quality draft) leave less in memory at once; --device-memory states what the app really has',
  },
  UC2241: {
    severity: 'warning',
    title: 'more textures than the device should hold',
    cause: 'The textures of all that is in memory at the named place take more than is advised, with all mips.',
    remedy:
      'cook with --fit and the device, which makes those smaller that cover the fewest pixels, or give --max-texture-size 1024, which takes a quarter of textures of 2048 pixels; the largest textures of the place are listed',
  },
  UC2242: {
    severity: 'warning',
    title: 'more triangles in memory than advised',
    cause: 'The payloads that are in memory at the named place have more triangles than scenes that ran well.',
    remedy:
      'make levels (--lod auto), show them from nearer (--lod-quality draft), or load tiles from nearer (--tier-radius)',
  },
  UC2243: {
    severity: 'warning',
    title: 'more triangles in view than advised',
    cause:
      'In one view of 90 degrees from the named place, the payloads that are shown have more triangles than scenes that ran well.',
    remedy:
      'make levels (--lod auto) or show them from nearer (--lod-quality draft); simplify the named objects in the source',
  },
  UC2244: {
    severity: 'warning',
    title: 'more draws in view than advised',
    cause:
      'Each mesh of each payload that is shown is a draw, unless the engine batches it. The engine encodes a draw for each eye, about 9 microseconds each on a headset.',
    remedy:
      'fewer materials: objects of one material in a tile become one mesh. Names that begin with NM_ keep objects apart; larger cells (--tile-size) have fewer meshes together',
  },
  UC2245: {
    severity: 'warning',
    title: 'more entities than advised',
    cause: 'The payloads that are in memory at the named place have more entities than the device’s limit.',
    remedy:
      'join objects that share a material in the source, or leave off NM_ from their names, so that they are merged',
  },
  UC2246: {
    severity: 'warning',
    title: 'file larger than advised for the device',
    cause:
      'The engine parses a tile as a whole. A large file takes seconds, in which nothing else of full detail is loaded.',
    remedy: 'give a smaller --tile-size or --max-tile-bytes',
  },
  UC2248: {
    severity: 'warning',
    title: 'texture that is not counted',
    cause:
      'A file names a texture that is not there or is no image. What it would take on the device is not known, so that the figures are too low.',
    remedy: 'cook the source again, or restore the texture',
  },
  UC2247: {
    severity: 'error',
    exit: 2,
    title: 'flight that cannot be flown',
    cause:
      'The file of --path is no list of points {"time", "position", "target"} with rising times in seconds and places in metres.',
    remedy: 'write it as [{"time": 0, "position": [0, 1.7, 0], "target": [0, 1.7, -1]}, …]',
  },
  UC2250: {
    severity: 'warning',
    title: 'texture smaller than what is seen of it',
    cause:
      'So that the output fits the device, --fit has made textures smaller than their nearest likely distance shows. The message names the one that differs most.',
    remedy:
      'look at the named texture; fewer or smaller textures in the source, or textures that materials share, leave more texels to the others. --json lists every texture that got smaller',
  },
  UC2251: {
    severity: 'warning',
    title: 'levels shown from nearer than they look alike',
    cause:
      'So that the output fits the device, --fit shows levels from a part of the distances from which they look like full detail.',
    remedy: 'untold render shows how the set looks; smaller cells (--tile-size) or simpler objects need less of it',
  },
  UC2252: {
    severity: 'warning',
    title: 'does not fit the device, whatever --fit does',
    cause:
      '--fit makes textures smaller, to 64 pixels at least, and shows levels from half of their distances at least. The named measures are over all the same.',
    remedy:
      'draws and entities: fewer materials and objects, or levels (--lod auto, --hlod auto); triangles and geometry: levels and smaller cells (--tile-size); the codes of the measures say more',
  },
} as const satisfies Record<string, CodeEntry>;
