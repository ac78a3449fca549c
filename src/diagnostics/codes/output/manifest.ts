// Manifests: codes UC3200-UC3269. 3200-3229 make the scene or a tile fail to load, 3230-3249 load otherwise than written.

import type { CodeEntry } from '../../entry.ts';

const RECOOK = 'cook the scene again instead of editing the manifest by hand';

export const MANIFEST = {
  UC3200: {
    severity: 'error',
    title: 'manifest is not JSON',
    cause:
      'The file is not valid JSON (which has no NaN, no Infinity, no comments and no trailing commas). The scene will not load.',
    remedy: RECOOK,
  },
  UC3201: {
    severity: 'error',
    title: 'required key missing in the manifest',
    cause:
      'The engine decodes a manifest completely or not at all: if one required key is missing or null, no tile loads.',
    remedy: RECOOK,
  },
  UC3202: {
    severity: 'error',
    title: 'wrong type in the manifest',
    cause:
      'If one key that the engine decodes has a value of the wrong type, no tile loads. This holds for optional keys too.',
    remedy: RECOOK,
  },
  UC3203: {
    severity: 'error',
    title: 'number in the manifest out of range',
    cause: 'The engine decodes these numbers as 32-bit floats and 64-bit integers; this one does not fit.',
    remedy: RECOOK,
  },
  UC3210: {
    severity: 'error',
    title: 'tile has fewer than three coordinates',
    cause: 'The bounds or centre of a tile hold less than x, y and z. The engine leaves the tile out.',
    remedy: RECOOK,
  },
  UC3211: {
    severity: 'error',
    title: 'payload path is not a plain relative path',
    cause:
      'Paths are relative to the manifest, with "/": absolute and remote paths, drives, backslashes and empty paths fail.',
    remedy: RECOOK,
  },
  UC3212: {
    severity: 'error',
    title: 'payload path leaves the manifest’s folder',
    cause: 'The path climbs above the manifest with "..": it breaks when the scene is moved, cached or downloaded.',
    remedy: 'move the payload below the manifest, or cook the scene again',
  },
  UC3213: {
    severity: 'error',
    title: 'payload is not an .untold file',
    cause: 'The engine loads tiles, LODs and HLODs from files whose name ends in .untold only.',
    remedy: RECOOK,
  },
  UC3214: {
    severity: 'error',
    title: 'payload missing',
    cause: 'The manifest refers to a file that is not there: the scene will have a hole.',
    remedy: 'restore the file, or cook the scene again',
  },
  UC3215: {
    severity: 'error',
    title: 'payload size differs from the manifest',
    cause: 'file_size_bytes is not the size of the file; the engine plans its parse memory with it.',
    remedy: 'cook the scene again: manifest and payloads are of different cooks',
  },
  UC3216: {
    severity: 'error',
    title: 'colour LUT of the manifest invalid',
    cause:
      'colorLUT must be 2 to 64 wide, gamma above 0, the last stop above the first, the display sRGB or absent. Otherwise no tile loads.',
    remedy: RECOOK,
  },
  UC3217: {
    severity: 'error',
    title: 'colour grade LUT of the manifest invalid',
    cause:
      'colorGradeLUT must be 2 to 129 wide, with three numbers for each end of the domain and each maximum above its minimum.',
    remedy: RECOOK,
  },
  UC3218: {
    severity: 'error',
    title: 'LUT file missing',
    cause: 'The manifest refers to a LUT that is not there; a scene whose colour LUT cannot be read does not load.',
    remedy: 'restore the file, or remove the LUT from the manifest',
  },
  UC3219: {
    severity: 'error',
    title: 'listed file missing',
    cause:
      'The list of written files names one that is not there, or a row of it names none: the set is not complete, or the list is damaged.',
    remedy: 'copy the whole set again, or cook the scene again',
  },
  UC3220: {
    severity: 'error',
    title: 'listed file changed',
    cause: 'The SHA-256 of a file is not the one in the manifest’s list: it is damaged, or of another cook.',
    remedy: 'copy the whole set again, or cook the scene again',
  },
  UC3230: {
    severity: 'warning',
    title: 'tile id used twice',
    cause: 'Tile ids become entity names in the scene; two tiles with one name cannot be told apart.',
    remedy: 'give each tile an id of its own',
  },
  UC3231: {
    severity: 'warning',
    title: 'unload radius raised by the loader',
    cause: 'The loader unloads a tile at least 4 m beyond its streaming radius, even if the manifest gives less.',
    remedy: 'write an unload radius of at least the streaming radius plus 4',
  },
  UC3232: {
    severity: 'warning',
    title: 'radius not positive',
    cause: 'A tile with a streaming or unload radius of 0 or less is never loaded on its own.',
    remedy: 'write positive radii',
  },
  UC3233: {
    severity: 'warning',
    title: 'prefetch radius clamped by the loader',
    cause: 'The loader moves a prefetch radius between the streaming and the unload radius.',
    remedy: 'write a prefetch radius between the two, or none',
  },
  UC3234: {
    severity: 'warning',
    title: 'LOD distances changed by the loader',
    cause:
      'The loader keeps HLOD and LOD switch distances between the radii and 4 m apart: it moves distances that are not, and drops levels for which there is no room.',
    remedy: 'make room between streaming and unload radius (13 m for two LODs and an HLOD), or write fewer levels',
  },
  UC3235: {
    severity: 'warning',
    title: 'further HLOD levels are ignored',
    cause: 'The engine uses the first HLOD level of a tile only.',
    remedy: 'leave one HLOD level',
  },
  UC3236: {
    severity: 'warning',
    title: 'bounds are inside out',
    cause: 'A minimum is larger than its maximum. The engine does not check, and places and culls the tile wrongly.',
    remedy: RECOOK,
  },
  UC3237: {
    severity: 'warning',
    title: 'interior zone ignored',
    cause: 'A zone with less than three coordinates is passed over by the engine.',
    remedy: RECOOK,
  },
  UC3238: {
    severity: 'warning',
    title: 'list of files not readable',
    cause:
      'The key "files", which the engine ignores, is not a list of {path, sha256}: the set cannot be checked by it.',
    remedy: RECOOK,
  },
  UC3239: {
    severity: 'warning',
    title: 'tiles that no manifest lists',
    cause:
      'The engine loads a tile through its manifest alone. These files have names of tiles of a set, or of a shared bucket, but no manifest in their folder or the one above names them: it was lost, or another cook left them.',
    remedy: 'copy the whole set again, or cook the source again; delete tiles that belong to no scene',
  },
  UC3240: {
    severity: 'warning',
    title: 'file that the set does not list',
    cause: 'The folder of a set holds a file that its manifest does not list: another cook or somebody else left it.',
    remedy: 'delete the file, or move it elsewhere',
  },
  UC3241: {
    severity: 'error',
    title: 'name states another hash than the content has',
    cause:
      'The names of payloads and textures end in digits of the SHA-256 of their content. This file was renamed, or changed together with the manifest: an engine that has cached the name keeps the old content.',
    remedy: RECOOK,
  },
  UC3242: {
    severity: 'error',
    title: 'set is not complete',
    cause: 'A cook of this set is under way, or was killed while it moved files in.',
    remedy: 'wait until the other cook ends, or cook again: that finishes or undoes what was begun',
  },
  UC3243: {
    severity: 'warning',
    title: 'map of the plan is missing or is none',
    cause: 'The manifest names a map of its plan for people, and the file is not there or is no SVG.',
    remedy: 'cook the scene again; the engine does not read the map',
  },
  UC3244: {
    severity: 'error',
    title: 'output is not up to date',
    cause:
      'The record of the last cook says that an input, an output, a setting or the version of untold has changed since, or a cook into a temporary folder gives other files.',
    remedy: 'cook the source again with these options',
  },
  UC3245: {
    severity: 'error',
    title: 'source has no output',
    cause: 'A cook of this source with these options writes a file that is not in the folder.',
    remedy: 'cook the source, or correct the sources and options',
  },
  UC3246: {
    severity: 'warning',
    title: 'output that no source writes',
    cause: 'The folder holds a set that a cook of these sources with these options does not write.',
    remedy: 'name its source too, or remove it with `untold clean`',
  },
} as const satisfies Record<string, CodeEntry>;
