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
    title: 'file shorter than its header',
    cause: 'The header of an .untold file takes 204 bytes; this file ends before.',
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
    title: 'unknown file type',
    cause: 'The file type is none of tile, lod, hlod, shared and animation. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3004: {
    severity: 'error',
    title: 'unknown vertex layout',
    cause: 'Only vertex layout 1 (PBR static, 32 bytes a vertex) exists. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3005: {
    severity: 'error',
    title: 'header size is not 204',
    cause: 'The header states another size than the 204 bytes it always has.',
    remedy: PRODUCER,
  },
  UC3006: {
    severity: 'error',
    title: 'header count differs from its table',
    cause: 'The number of meshes, materials, textures or entities in the header is not that of the table.',
    remedy: PRODUCER,
  },
  UC3007: {
    severity: 'error',
    title: 'chunk table cut off',
    cause: 'The header states more chunks than the file has room for.',
    remedy: DAMAGED,
  },
  UC3008: {
    severity: 'error',
    title: 'unknown compression',
    cause: 'A chunk declares a compression other than none, lz4 and zstd. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3009: {
    severity: 'error',
    title: 'chunk not aligned to 16 bytes',
    cause: 'Every chunk has to start at a multiple of 16 bytes. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3010: {
    severity: 'error',
    title: 'required chunk missing',
    cause:
      'Strings, entities, meshes, materials, textures, vertices and indices must all be there (clips, channels and keyframes in an animation file), even when empty.',
    remedy: PRODUCER,
  },
  UC3011: {
    severity: 'error',
    title: 'chunk reaches beyond the end of the file',
    cause: 'The chunk table gives a chunk an offset or a size beyond the end of the file.',
    remedy: DAMAGED,
  },
  UC3012: {
    severity: 'error',
    title: 'chunk type listed twice',
    cause: 'The table may list each chunk type once; the engine reads the first chunk and ignores the rest.',
    remedy: PRODUCER,
  },
  UC3013: {
    severity: 'error',
    title: 'chunks overlap',
    cause: 'Two chunks, or a chunk and the header or chunk table, claim the same bytes.',
    remedy: PRODUCER,
  },
  UC3014: {
    severity: 'error',
    title: 'sizes differ though the chunk is not compressed',
    cause: 'An uncompressed chunk must state the same stored and unpacked size.',
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
  UC3018: {
    severity: 'error',
    title: 'LZ4 data malformed',
    cause: 'A compressed chunk is not a raw LZ4 block.',
    remedy: DAMAGED,
  },
  UC3019: {
    severity: 'error',
    title: 'compressed chunk shorter than declared',
    cause: 'The chunk unpacks to fewer bytes than the chunk table states. The engine refuses the file.',
    remedy: DAMAGED,
  },
  UC3020: {
    severity: 'error',
    title: 'compressed chunk longer than declared',
    cause: 'The chunk unpacks to more bytes than the chunk table states; the engine truncates it without an error.',
    remedy: DAMAGED,
  },
  UC3021: {
    severity: 'error',
    title: 'empty chunk is compressed',
    cause: 'A chunk that unpacks to nothing is marked as compressed. The engine crashes on it.',
    remedy: PRODUCER,
  },
  UC3022: {
    severity: 'error',
    title: 'zstd data malformed',
    cause: 'A chunk marked as zstd does not hold whole Zstandard frames.',
    remedy: DAMAGED,
  },
  UC3023: {
    severity: 'error',
    title: 'declared size impossible',
    cause: 'A compressed chunk states a size that its stored bytes cannot unpack to (LZ4: at most 255 times as many).',
    remedy: DAMAGED,
  },
  UC3024: {
    severity: 'error',
    exit: 5,
    title: 'file too large when unpacked',
    cause: 'The chunks of one file may unpack to at most 2 GiB together, zstd chunks to 1 GiB each.',
    remedy: 'split the content into several files',
  },
  UC3030: {
    severity: 'error',
    title: 'table size is not a whole number of its records',
    cause: 'The bytes of a table are not its element count times the size of one record.',
    remedy: PRODUCER,
  },
  UC3031: {
    severity: 'error',
    title: 'more than one record where one is allowed',
    cause: 'Colour management and the colour grade LUT hold at most one record. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3032: {
    severity: 'error',
    title: 'plugin chunk malformed',
    cause: 'A plugin chunk must begin with its envelope: "UEXT", version 1, and the plugin’s name in UTF-8.',
    remedy: 'export the file again with the current version of the plugin',
  },
  UC3033: {
    severity: 'info',
    title: 'unknown chunk passed over',
    cause:
      'The file holds a chunk of a type that is not known here. The engine ignores it; very old engines refuse it.',
    remedy: 'nothing needs to be done; a newer untold-cook may know the chunk',
  },
  UC3034: {
    severity: 'error',
    title: 'string offset outside the string table',
    cause: 'A record refers to a string at an offset beyond the string table.',
    remedy: PRODUCER,
  },
  UC3035: {
    severity: 'error',
    title: 'string not terminated',
    cause: 'A string runs to the end of the string table without the zero byte that ends it.',
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
  UC3040: {
    severity: 'error',
    title: 'unknown index type',
    cause: 'The index type of a mesh is neither uint16 (1) nor uint32 (2). The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3041: {
    severity: 'error',
    title: 'unknown texture format',
    cause: 'The format of a texture is none of the numbers 0 to 9. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3042: {
    severity: 'error',
    title: 'unknown light type',
    cause: 'The type of a light is none of directional, point, spot and area. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3043: {
    severity: 'error',
    title: 'unknown alpha mode',
    cause: 'The alpha mode of a material is none of opaque, mask and blend; the engine would draw it opaque.',
    remedy: PRODUCER,
  },
  UC3044: {
    severity: 'error',
    title: 'number is not finite',
    cause: 'A value is infinite or not a number (NaN). Bounds and culling break on it.',
    remedy: 'look for broken transforms or vertices in the source and export again',
  },
  UC3045: {
    severity: 'error',
    title: 'last row of a matrix is not 0 0 0 1',
    cause: 'Transforms are affine and column-major; another last row means a projection or a transposed matrix.',
    remedy: PRODUCER,
  },
  UC3046: {
    severity: 'error',
    title: 'entity id used twice',
    cause: 'Two entities have the same id. The engine crashes on it.',
    remedy: PRODUCER,
  },
  UC3047: {
    severity: 'error',
    title: 'parent entity missing',
    cause: 'An entity refers to a parent that the file does not hold. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3048: {
    severity: 'error',
    title: 'entities are their own ancestors',
    cause: 'The parents of an entity lead back to it. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3049: {
    severity: 'error',
    title: 'entity refers to meshes that the mesh table does not have',
    cause: 'An entity claims mesh records that the table does not have; the engine would load it without any mesh.',
    remedy: PRODUCER,
  },
  UC3050: {
    severity: 'error',
    title: 'mesh and entity do not agree',
    cause: 'A mesh declares an owner other than the entity whose range contains it, or no entity’s range contains it.',
    remedy: PRODUCER,
  },
  UC3051: {
    severity: 'error',
    title: 'material index out of range',
    cause: 'A mesh refers to a material that the table does not have. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3052: {
    severity: 'error',
    title: 'texture index out of range',
    cause: 'A material or LUT refers to a texture that the table does not have. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3053: {
    severity: 'error',
    title: 'vertex stride is not 32',
    cause: 'A vertex of the only layout takes 32 bytes. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3054: {
    severity: 'error',
    title: 'vertex data size is not count times stride',
    cause: 'The vertex bytes of a mesh do not match its vertex count; the engine drops such a mesh.',
    remedy: PRODUCER,
  },
  UC3055: {
    severity: 'error',
    title: 'index data size is not count times index size',
    cause: 'The index bytes of a mesh do not match its index count. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3056: {
    severity: 'error',
    title: 'vertices outside the vertex chunk',
    cause: 'A mesh claims vertex bytes that the chunk does not have. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3057: {
    severity: 'error',
    title: 'indices outside the index chunk',
    cause: 'A mesh claims index bytes that the chunk does not have. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3058: {
    severity: 'error',
    title: 'mesh without indices',
    cause: 'A mesh has no index data at all. The engine crashes on it.',
    remedy: 'remove the empty mesh from the source and export again',
  },
  UC3059: {
    severity: 'error',
    title: 'index count is not a multiple of 3',
    cause: 'Meshes are triangle lists: three indices a triangle.',
    remedy: PRODUCER,
  },
  UC3060: {
    severity: 'error',
    title: 'index beyond the last vertex',
    cause: 'An index refers to a vertex that the mesh does not have; the engine would read foreign memory.',
    remedy: PRODUCER,
  },
  UC3061: {
    severity: 'error',
    title: 'W of a normal is not 0',
    cause: 'The two spare bits of a packed normal are defined as 0.',
    remedy: PRODUCER,
  },
  UC3062: {
    severity: 'error',
    title: 'W of a tangent is neither +1 nor -1',
    cause: 'The two bits of a tangent’s sign must be 01 (+1) or 11 (-1); others turn normal maps inside out.',
    remedy: PRODUCER,
  },
  UC3063: {
    severity: 'error',
    title: 'edges outside the edge chunk',
    cause: 'A mesh claims edge indices that the file does not have. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3064: {
    severity: 'error',
    title: 'edges malformed',
    cause:
      'Edges are pairs of vertex indices: their count is odd, one refers to a vertex that the mesh does not have, or both of a pair are the same.',
    remedy: PRODUCER,
  },
  UC3065: {
    severity: 'error',
    title: 'light value out of range',
    cause: 'An intensity, radius or area size is negative, or a cone is not an angle from 0 to 180 degrees.',
    remedy: 'correct the light in the source and export again',
  },
  UC3066: {
    severity: 'error',
    title: 'camera value out of range',
    cause:
      'The field of view is not between 0 and 180 degrees, the clip planes are not 0 < near < far, or the aspect is not positive.',
    remedy: 'correct the camera in the source and export again',
  },
  UC3067: {
    severity: 'error',
    title: 'colour management record invalid',
    cause:
      'The LUT must be 2 to 64 wide, gamma above 0, the last stop above the first, and its texture rgba16Float, flagged as LUT, N²×N with one mip. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3068: {
    severity: 'error',
    title: 'colour grade LUT record invalid',
    cause: 'The record must name a .cube file, be 2 to 129 wide and have each domain maximum above its minimum.',
    remedy: PRODUCER,
  },
  UC3069: {
    severity: 'error',
    title: 'skeleton’s joints outside the joint table',
    cause: 'A skeleton claims joints that the table does not have. The engine refuses the file.',
    remedy: PRODUCER,
  },
  UC3070: {
    severity: 'error',
    title: 'joint parent missing or cyclic',
    cause: 'The parent of a joint is no joint of its skeleton, or its parents lead back to it.',
    remedy: PRODUCER,
  },
  UC3071: {
    severity: 'error',
    title: 'skin out of range',
    cause:
      'A skin refers to an entity, mesh, joint mapping or joint data that the file does not have, or its vertex count is not the mesh’s.',
    remedy: PRODUCER,
  },
  UC3072: {
    severity: 'error',
    title: 'skin weights or joints invalid',
    cause:
      'A vertex refers to a joint beyond the skin’s joint count, a mapping a joint beyond the skeleton, or a weight is not in 0 to 1.',
    remedy: PRODUCER,
  },
  UC3073: {
    severity: 'error',
    title: 'animation range outside its table',
    cause: 'A clip claims channels, or a channel keyframes, that the tables do not have. The engine crashes on it.',
    remedy: PRODUCER,
  },
  UC3074: {
    severity: 'error',
    title: 'morph data out of range',
    cause: 'A morph target or driver refers to a mesh, entries, a vertex or a target that the file does not have.',
    remedy: PRODUCER,
  },
  UC3075: {
    severity: 'error',
    title: 'record refers to a missing entity',
    cause: 'A skeleton or muscle belongs to an entity that the file does not hold.',
    remedy: PRODUCER,
  },
  UC3100: {
    severity: 'warning',
    title: 'parent comes after its child',
    cause:
      'The engine looks parents up in file order and attaches such a child to the asset’s root, so its position is lost.',
    remedy: PRODUCER,
  },
  UC3101: {
    severity: 'warning',
    title: 'bounds do not fit the vertices',
    cause: 'Streaming and culling use the stored boxes and never recompute them: things vanish early or load late.',
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
    remedy: 'write format version 2 or later',
  },
  UC3104: {
    severity: 'warning',
    title: 'black base colour',
    cause:
      'The engine takes a base colour whose red, green and blue are all under 0.001 for "not set" and draws white.',
    remedy: 'use a base colour of at least 0.001 in one channel',
  },
  UC3105: {
    severity: 'warning',
    title: 'mirrored transform',
    cause: 'The engine keeps only positive scales of a transform: the mirroring is lost.',
    remedy: 'bake the transform into the vertices (untold cook does)',
  },
  UC3106: {
    severity: 'warning',
    title: 'the data of two mesh records overlap',
    cause:
      'Two meshes claim some of the same vertex or index bytes, but not the same range, as several placements of one mesh would. The engine loads them; one of the two is likely broken.',
    remedy: PRODUCER,
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
    title: 'joint before its parent',
    cause:
      'The engine multiplies the matrices of joints in their order. A joint whose parent comes later is posed as if it had none.',
    remedy: PRODUCER,
  },
  UC3121: {
    severity: 'warning',
    title: 'two joints of one path',
    cause: 'Clips name joints by their paths. A clip cannot tell two joints of the same path apart.',
    remedy: PRODUCER,
  },
  UC3122: {
    severity: 'warning',
    title: 'skeleton not usable',
    cause:
      'The skeleton has no joints, or its entity has another one: the engine keeps only the last skeleton of an entity.',
    remedy: PRODUCER,
  },
  UC3123: {
    severity: 'warning',
    title: 'bind matrix without an inverse',
    cause:
      'The engine poses a joint by its world matrix times the inverse of its bind matrix. This one has none, and its vertices vanish.',
    remedy: PRODUCER,
  },
  UC3124: {
    severity: 'warning',
    title: 'joint mapped twice',
    cause:
      'A skin maps two of its own joint numbers to one joint. The file is larger than it need be, and joint counts mislead.',
    remedy: PRODUCER,
  },
  UC3125: {
    severity: 'warning',
    title: 'weights of a vertex do not add up to 1',
    cause:
      'The engine does not normalise weights. A posed vertex with another sum moves towards the origin or away from it.',
    remedy: PRODUCER,
  },
  UC3126: {
    severity: 'warning',
    title: 'skin without effect',
    cause:
      'The engine takes the first skin of a mesh and the skeleton of the entity that the skin names. This skin is not the first, or there is no such skeleton.',
    remedy: PRODUCER,
  },
  UC3127: {
    severity: 'warning',
    title: 'clip without a duration',
    cause: 'The engine divides time by the duration. Without one it shows the rest pose.',
    remedy: PRODUCER,
  },
  UC3128: {
    severity: 'warning',
    title: 'channel of one key',
    cause:
      'The engine holds a single key until its time and shows the rest pose afterwards. A constant needs two keys, at 0 and at the end.',
    remedy: PRODUCER,
  },
  UC3129: {
    severity: 'warning',
    title: 'channel does not end with its clip',
    cause: 'Each channel repeats after its own last key, so this one loops out of step with the others.',
    remedy: PRODUCER,
  },
  UC3130: {
    severity: 'error',
    title: 'key times not ascending',
    cause:
      'The engine divides by the time between two keys. Times must not be negative, and each must be later than the one before.',
    remedy: PRODUCER,
  },
  UC3131: {
    severity: 'warning',
    title: 'channel of no joint',
    cause: 'No joint of the skeletons in the file has the path of the channel, so it moves nothing.',
    remedy: PRODUCER,
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
    remedy: 'cook into tiles, or choose a smaller --tile-size',
  },
} as const satisfies Record<string, CodeEntry>;
