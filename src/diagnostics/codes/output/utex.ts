// Cooked textures: codes UC3300-UC3399, one a class of fault. 3300-3329 what no engine draws as meant, 3330-3349 what loads and is not right,
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
    title: 'texture is damaged or cut off',
    cause:
      'Header, table or mips ask for bytes that the file does not have, or a block of ASTC has bits that no LDR decoder takes.',
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
    title: 'header and mips of a texture not valid',
    cause:
      'A texture needs a pixel format of ASTC (LDR), RGBA16Float or R16Unorm with its block size, and 1 to 32 mips, each half the size of the one before, stored in order at multiples of 16 bytes with the bytes that their texels need. This one breaks a rule: the engine refuses it or reads beyond a mip.',
    remedy: PRODUCER,
  },
  UC3306: {
    severity: 'error',
    title: 'texture size impossible',
    cause: 'A side has from 1 to 16384 texels: no GPU that the engine runs on takes more.',
    remedy: 'cook with a smaller --max-texture-size',
  },
  UC3330: {
    severity: 'warning',
    title: 'values in a texture that mean nothing',
    cause:
      'Reserved bytes or padding are not 0, flags are unknown, bytes follow the payload, or a half float is not finite. The engine passes over all but the last, which spreads to what is drawn with it.',
    remedy: PRODUCER,
  },
  UC3332: {
    severity: 'warning',
    title: 'texture flagged as premultiplied',
    cause: 'The engine takes colours as they are and blends them by alpha again: edges get dark.',
    remedy: 'write colours that are not multiplied by alpha, and leave the flag out',
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
  UC3350: {
    severity: 'error',
    title: 'texture file is not what its record says',
    cause:
      'The record of a texture decides how the engine loads the file: as .utex for the formats astc4x4 to r16Unorm, as an image otherwise. The file is of the other kind and is not loaded.',
    remedy: 'cook the source again',
  },
  UC3351: {
    severity: 'warning',
    title: 'record of a texture is not that of its file',
    cause:
      'Format, size, packed normals or colour space of the record are not those of the .utex file. The engine goes by the file, and plans streaming by the record.',
    remedy: 'cook the source again',
  },
  UC3354: {
    severity: 'info',
    title: 'normal map that is not packed',
    cause:
      'The record is that of a normal map, and the .utex file is not flagged as packed normals: the engine reads X, Y and Z from its colours, which have less precision.',
    remedy: 'nothing to do; cook the source again for packed normals',
  },
} as const satisfies Record<string, CodeEntry>;
