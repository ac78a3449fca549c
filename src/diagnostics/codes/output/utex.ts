// Cooked textures: codes UC3300-UC3399. 3300-3329 what no engine draws as meant, 3330-3349 what loads and is not right,
// 3350-3369 textures that do not fit the record of the .untold file that names them.

import type { CodeEntry } from '../../entry.ts';

const DAMAGED = 'the file is damaged or cut off: copy it again, or cook the source again';
const PRODUCER = 'cook the source again; if another tool wrote the file, report the fault to its makers';

export const UTEX = {
  UC3300: {
    severity: 'error',
    title: 'not a .utex texture',
    cause: 'The file does not begin with the eight bytes "UTEX\\0\\0\\0\\0" that every .utex file begins with.',
    remedy: 'check that the right file was named; cook the source again if it was',
  },
  UC3301: {
    severity: 'error',
    title: 'texture shorter than its header or its table of mips',
    cause: 'The header of a .utex file takes 64 bytes and each mip 16 more; this file ends before.',
    remedy: DAMAGED,
  },
  UC3302: {
    severity: 'error',
    title: 'texture version not supported',
    cause: 'Version 1 of .utex is known here and to the engine; this file states another.',
    remedy: 'use a newer untold-cook, or cook the texture for an engine that reads version 1',
  },
  UC3303: {
    severity: 'error',
    title: 'number of mips impossible',
    cause: 'A texture has from 1 to 32 mips. The engine refuses a texture without any.',
    remedy: PRODUCER,
  },
  UC3304: {
    severity: 'error',
    title: 'unknown pixel format',
    cause: 'The engine loads ASTC (LDR), RGBA16Float and R16Unorm; this file states another value of MTLPixelFormat.',
    remedy: PRODUCER,
  },
  UC3305: {
    severity: 'error',
    title: 'block size is not that of the pixel format',
    cause:
      'The header states another block size than its pixel format has. The engine computes the length of rows from it, and refuses the file where a block has no size or the format has no blocks.',
    remedy: PRODUCER,
  },
  UC3306: {
    severity: 'error',
    title: 'texture size impossible',
    cause: 'A side has from 1 to 16384 texels: no GPU that the engine runs on takes more.',
    remedy: 'cook with a smaller --max-texture-size',
  },
  UC3307: {
    severity: 'error',
    title: 'payload does not follow the table of mips',
    cause: 'The mips begin right behind their table; the header states another place.',
    remedy: PRODUCER,
  },
  UC3308: {
    severity: 'error',
    title: 'mip outside the payload or the file',
    cause:
      'The table gives bytes to a mip that lie beyond the payload or the end of the file. The engine refuses the file.',
    remedy: DAMAGED,
  },
  UC3309: {
    severity: 'error',
    title: 'mip has not the bytes that its texels take',
    cause:
      'The size of a mip follows from its texels and the pixel format. The engine checks it for uncompressed formats only and reads beyond the mip in others.',
    remedy: PRODUCER,
  },
  UC3310: {
    severity: 'error',
    title: 'mips are no chain',
    cause: 'Each mip has half the texels of the one before along each side, rounded down, and at least one.',
    remedy: PRODUCER,
  },
  UC3311: {
    severity: 'error',
    title: 'size of the header is not that of the first mip',
    cause: 'The engine makes the texture as large as the first mip, and what is planned by the header is wrong.',
    remedy: PRODUCER,
  },
  UC3312: {
    severity: 'error',
    title: 'mip not aligned to 16 bytes',
    cause: 'Every mip begins at a multiple of 16 bytes of the payload.',
    remedy: PRODUCER,
  },
  UC3313: {
    severity: 'error',
    title: 'mips overlap or are out of order',
    cause: 'Mips follow one another from the largest to the smallest; this one begins before the end of one before it.',
    remedy: PRODUCER,
  },
  UC3314: {
    severity: 'error',
    title: 'bytes between mips that belong to none',
    cause: 'Up to 15 zeros lie between a mip and the next one; here are more bytes.',
    remedy: PRODUCER,
  },
  UC3315: {
    severity: 'error',
    title: 'payload size is not that of the mips',
    cause: 'The header states the sum of all mips, each with its padding to 16 bytes.',
    remedy: PRODUCER,
  },
  UC3316: {
    severity: 'error',
    title: 'ASTC block that no LDR decoder takes',
    cause:
      'The bits of a block are reserved, contradict one another or need the HDR profile. A GPU draws it in magenta.',
    remedy: DAMAGED,
  },
  UC3330: {
    severity: 'warning',
    title: 'reserved bytes of a texture are not 0',
    cause: 'The header holds values where version 1 has none. The engine passes over them.',
    remedy: PRODUCER,
  },
  UC3331: {
    severity: 'warning',
    title: 'unknown flags of a texture',
    cause: 'Version 1 has three flags; others mean nothing to the engine.',
    remedy: PRODUCER,
  },
  UC3332: {
    severity: 'warning',
    title: 'texture flagged as premultiplied',
    cause: 'The engine takes colours as they are and blends them by alpha again: edges get dark.',
    remedy: 'write colours that are not multiplied by alpha, and leave the flag out',
  },
  UC3333: {
    severity: 'warning',
    title: 'bytes behind the payload of a texture',
    cause: 'The file goes on where its payload ends. The engine passes over the rest.',
    remedy: PRODUCER,
  },
  UC3334: {
    severity: 'warning',
    title: 'padding of a mip is not 0',
    cause:
      'The bytes between a mip and the next multiple of 16 bytes are zeros, so that equal textures are equal files.',
    remedy: PRODUCER,
  },
  UC3335: {
    severity: 'warning',
    title: 'texture without all of its mips',
    cause:
      'The chain ends before a mip of one texel: the texture flickers where it is drawn smaller than its last mip.',
    remedy: 'write the whole chain of mips',
  },
  UC3336: {
    severity: 'warning',
    title: 'packed normals in a format that cannot hold them',
    cause:
      'The flag says that green holds X and alpha holds Y, but the format has no alpha, or the GPU takes its colours for sRGB and bends the normals.',
    remedy: 'write normals as linear ASTC, or leave the flag out',
  },
  UC3337: {
    severity: 'warning',
    title: 'texels that are not finite',
    cause: 'A half float of the texture is infinite or not a number, and spreads to what is drawn with it.',
    remedy: PRODUCER,
  },
  UC3350: {
    severity: 'error',
    title: 'texture file is not what its record says',
    cause:
      'The record of a texture decides how the engine loads the file: as .utex for the formats astc4x4 to r16Unorm, as an image otherwise. The file is of the other kind and is not loaded.',
    remedy: 'cook the source again',
  },
  UC3351: {
    severity: 'warning',
    title: 'record states another texture format than the file',
    cause: 'The engine goes by the pixel format of the .utex file; what is planned by the record is wrong.',
    remedy: 'cook the source again',
  },
  UC3352: {
    severity: 'warning',
    title: 'record states another texture size than the file',
    cause:
      'Texture streaming takes the size of the record for that of the first mip: it loads the texture too coarse, or again and again. A size of 0 is never streamed.',
    remedy: 'cook the source again',
  },
  UC3353: {
    severity: 'warning',
    title: 'packed normals in a texture that is no normal map',
    cause: 'The .utex file holds X and Y of normals, and its record is not flagged as that of a normal map.',
    remedy: 'cook the source again',
  },
  UC3354: {
    severity: 'info',
    title: 'normal map that is not packed',
    cause:
      'The record is that of a normal map, and the .utex file is not flagged as packed normals: the engine reads X, Y and Z from its colours, which have less precision.',
    remedy: 'nothing to do; cook the source again for packed normals',
  },
  UC3355: {
    severity: 'warning',
    title: 'colour space of the record is not that of the file',
    cause:
      'The engine goes by the pixel format of the .utex file: colours that are stored as linear are too bright, and data or normals that are stored as sRGB are wrong.',
    remedy: 'cook the source again',
  },
} as const satisfies Record<string, CodeEntry>;
