// The .untold container: codes UC3000-UC3189. 3000-3039 the container, 3040-3089 its tables and geometry, 3100-3129
// what loads but looks or performs worse than meant, 3150-3169 writing.

import type { CodeEntry } from '../../entry.ts';

const DAMAGED = 'the file is damaged or cut off: download it again, or cook the source again';
const PRODUCER = 'cook the source again; if another tool wrote the file, report the fault to its makers';

export const UNTOLD = {
  UC3000: {
    severity: 'error',
    title: 'not an .untold file',
    cause: 'The file does not begin with the eight bytes "UNTOLD\\0\\0" that every .untold file begins with.',
    remedy: 'check that the right file was named; cook the source again if it was',
  },
  UC3001: {
    severity: 'error',
    title: '.untold file is damaged or cut off',
    cause:
      'Header, chunk table or chunks ask for bytes that the file does not have, or a compressed chunk does not unpack to the size that its entry states. The engine refuses the file or truncates it.',
    remedy: DAMAGED,
  },
  UC3002: {
    severity: 'error',
    title: 'format version not supported',
    cause: 'Format versions 1 to 4 are known here and to the engine; this file states another.',
    remedy: 'use a newer untold-cook, or export the file for an engine that reads version 4',
  },
  UC3003: {
    severity: 'error',
    title: 'value that the format does not have',
    cause:
      'A type, mode, size or packed value is not allowed by the format. It requires a header of 204 bytes, vertices of 32 bytes, matrices whose last row is 0 0 0 1, tangent signs of +1 or -1, joints of the skin, weights of 0 to 1, and ascending key times.',
    remedy: PRODUCER,
  },
  UC3006: {
    severity: 'error',
    title: 'counts and sizes do not fit each other',
    cause:
      'A count in the header differs from its table, vertex or index bytes differ from count times size, triangles lack an index, or an edge is not a pair of two different vertices. The engine drops the mesh or refuses the file.',
    remedy: PRODUCER,
  },
  UC3009: {
    severity: 'error',
    title: 'chunk table not valid',
    cause:
      'A required chunk is missing, a chunk is listed twice, overlaps another, does not start at a multiple of 16 bytes, has a partial record or sizes that contradict its compression, or a colour table has more than one record. The engine refuses the file or crashes.',
    remedy: PRODUCER,
  },
  UC3015: {
    severity: 'error',
    title: 'content hash does not match',
    cause: 'The SHA-256 in the header is not that of the stored chunks: the content changed after it was written.',
    remedy: DAMAGED,
  },
  UC3016: {
    severity: 'info',
    title: 'content hash not set',
    cause: 'The hash in the header is all zero, which means "not computed": damage to this file cannot be noticed.',
    remedy: 'cook the source again to have the hash written',
  },
  UC3017: {
    severity: 'error',
    title: 'the engine cannot read zstd chunks',
    cause: 'Zstandard is in the format, but the engine of today throws when it loads such a chunk.',
    remedy: 'cook again with --compress lz4 (or none)',
  },
  UC3024: {
    severity: 'error',
    exit: 5,
    title: 'file too large when unpacked',
    cause: 'The chunks of one file may unpack to at most 2 GiB together, zstd chunks to 1 GiB each.',
    remedy: 'split the content into several files',
  },
  UC3032: {
    severity: 'error',
    title: 'plugin chunk malformed',
    cause: 'A plugin chunk must begin with its envelope: "UEXT", version 1, and the plugin’s name in UTF-8.',
    remedy: 'export the file again with the current version of the plugin',
  },
  UC3033: {
    severity: 'info',
    title: 'unknown chunk or flag passed over',
    cause:
      'The file holds a chunk of a type, or bits in the flags of its header, that are not known here. The engine ignores such a chunk; very old engines refuse it. A cook of the file into another keeps both as they are, also where a chunk refers to vertices, whose order may change.',
    remedy: 'nothing needs to be done; a newer untold-cook may know the chunk',
  },
  UC3034: {
    severity: 'error',
    title: 'reference to what the file does not have',
    cause:
      'An offset, an index, an id or a range leads beyond its table, its chunk or the string table, to another owner, or back to itself. The engine refuses the file, reads foreign memory or crashes.',
    remedy: PRODUCER,
  },
  UC3036: {
    severity: 'error',
    title: 'string is not UTF-8',
    cause: 'A name or path holds bytes that are not valid UTF-8 text. The engine refuses the file.',
    remedy: 'rename the object or file with ordinary characters and export again',
  },
  UC3037: {
    severity: 'error',
    exit: 5,
    title: 'records refer to overlapping data too often',
    cause:
      'Reading every string, mesh and table range that the records name would go over the same bytes many times more than any real file does.',
    remedy: PRODUCER,
  },
  UC3044: {
    severity: 'error',
    title: 'number is not finite',
    cause: 'A value is infinite or not a number (NaN). Bounds and culling break on it.',
    remedy: 'look for broken transforms or vertices in the source and export again',
  },
  UC3058: {
    severity: 'error',
    title: 'mesh without indices',
    cause: 'A mesh has no index data at all. The engine crashes on it.',
    remedy: 'remove the empty mesh from the source and export again',
  },
  UC3065: {
    severity: 'error',
    title: 'light, camera or material out of range',
    cause:
      'An intensity, radius or area is negative, a cone or field of view is not an angle below 180 degrees, the clip planes are not 0 < near < far, the aspect is not positive, or a transmission is not between 0 and 1.',
    remedy: 'correct the light, camera or material in the source and export again',
  },
  UC3067: {
    severity: 'error',
    title: 'colour table invalid',
    cause:
      'A colour management LUT needs a size of 2 to 64, gamma above 0, ascending stops and an rgba16Float texture of N² x N with one mip; a grade needs a .cube file of size 2 to 129 with an ascending domain. This record breaks one of these rules, and the engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3100: {
    severity: 'warning',
    title: 'record that the engine takes otherwise than written',
    cause:
      'A parent comes after its child and is lost, stored bounds do not fit the vertices so that things vanish early or load late, or two meshes share some of their bytes.',
    remedy: PRODUCER,
  },
  UC3102: {
    severity: 'warning',
    title: 'mesh without material',
    cause: 'The engine does not draw a mesh that has no material.',
    remedy: 'give the mesh a material and export again',
  },
  UC3103: {
    severity: 'warning',
    title: 'emission in a version 1 file',
    cause: 'The engine takes the emissive factor of version 1 files for zero: the material will not glow.',
    remedy: 'cook again without --format-version, or with 2 or more',
  },
  UC3104: {
    severity: 'warning',
    title: 'black base colour',
    cause:
      'The engine takes a base colour whose red, green and blue are all under 0.001 for "not set", and draws with white instead: materials with a texture in its newest version, all of them in earlier ones.',
    remedy: 'use a base colour of at least 0.001 in one channel',
  },
  UC3105: {
    severity: 'warning',
    title: 'mirrored transform',
    cause: 'The engine keeps only positive scales of a transform: the mirroring is lost.',
    remedy: 'bake the transform into the vertices (untold cook does)',
  },
  UC3107: {
    severity: 'warning',
    title: 'zstd is refused by today’s engine',
    cause: 'Zstandard is in the format text, but the engine of today throws when it loads such a chunk.',
    remedy: 'cook with --compress lz4 unless your loader reads zstd',
  },
  UC3108: {
    severity: 'warning',
    title: 'texture file missing',
    cause: 'A material uses a texture whose file is not there; the engine loads the mesh without it.',
    remedy: 'restore the file beside the .untold, or cook the source again',
  },
  UC3120: {
    severity: 'warning',
    title: 'skeleton, skin, clip or morph target moves otherwise than written',
    cause:
      'A joint precedes its parent, shares its path or has a singular bind matrix; an entity has a second skeleton, a mesh a second skin, a joint a second mapping; weights do not add up to 1; a clip has no duration; a channel has one key or does not end with its clip; or a morph target lists a vertex twice, has no name or one of another, a scale of 0, deltas of normals without the flag, or a mesh without a skin.',
    remedy: PRODUCER,
  },
  UC3131: {
    severity: 'warning',
    title: 'channel or driver of no joint',
    cause:
      'No joint of the skeletons in the file has the path of the channel, or of the driver of a morph target, so it moves nothing.',
    remedy: PRODUCER,
  },
  UC3132: {
    severity: 'info',
    title: 'morph target other than ours',
    cause:
      'Flags or a kernel are unknown here, or entries do not follow each other in the order of their vertices. Engines may read them.',
    remedy: 'nothing to do if the engine shows the target as it should',
  },
  UC3150: {
    severity: 'error',
    exit: 2,
    title: 'format version too low for the content',
    cause: 'Emission needs version 2 and height maps version 4; the version that was asked for cannot hold them.',
    remedy: 'leave --format-version out, or give at least the version that the message names',
  },
  UC3151: {
    severity: 'error',
    exit: 5,
    title: 'content too large for one .untold file',
    cause: 'A file may hold at most 2 GiB of vertices, indices and tables.',
    remedy: 'give --out a folder, so that tiles are cooked, or choose a smaller --tile-size',
  },
} as const satisfies Record<string, CodeEntry>;
