// BPX containers and what they hold: codes UC3600-UC3699, one a class of fault. Messages name field, place and value.

import type { CodeEntry } from '../../entry.ts';

const DAMAGED = 'the file is damaged or cut off: copy it again, or write it again from its source';
const PRODUCER = 'write the file again from its source; report the fault to the makers of the tool that wrote it';

export const BPX = {
  UC3600: {
    severity: 'error',
    title: 'not a BPX file',
    cause: 'The file does not begin with the three letters "BPX" that every BPX container begins with.',
    remedy: 'check that the right file was named; write it again if it was',
  },
  UC3601: {
    severity: 'error',
    title: 'BPX file is damaged or cut off',
    cause:
      'A size, a count or an offset in the file asks for other bytes than there are, or a packed section does not unpack. The message names the field, where it stands and what it holds.',
    remedy: DAMAGED,
  },
  UC3604: {
    severity: 'error',
    title: 'layout of a BPX file not supported',
    cause:
      'Version 1 of the layout of the specification and version 2 of that of the crate are known, the latter for packages alone. This file has another.',
    remedy: 'write the file in version 1 of the layout of the specification',
  },
  UC3605: {
    severity: 'error',
    title: 'BPX checksum is not that of the bytes',
    cause: 'Header and sections hold checksums. Bytes that one covers have changed since it was computed.',
    remedy: DAMAGED,
  },
  UC3607: {
    severity: 'error',
    title: 'sections of a BPX file share bytes',
    cause: 'Each section has bytes of its own behind the table of sections.',
    remedy: PRODUCER,
  },
  UC3610: {
    severity: 'error',
    title: 'value that BPX does not have',
    cause:
      'A type, format or flag is not defined by the format, or reserved bytes are not 0. Its meaning is unknown. The message names the field and its value.',
    remedy: PRODUCER,
  },
  UC3614: {
    severity: 'error',
    exit: 5,
    title: 'BPX file beyond a limit',
    cause:
      'The sections unpack to more than 1 GiB together, or structured data nests deeper than 64. The limit keeps a small file from taking all memory.',
    remedy: 'split the file, store its sections unpacked, or nest its metadata less deep',
  },
  UC3617: {
    severity: 'warning',
    title: 'CRC of a section is not that of the standard',
    cause:
      'Versions of the crate up to 3.1.0 compute something else in place of CRC-32. It fits here; other readers refuse it.',
    remedy: 'write the file with the sum of bytes as its checksum, which all versions compute alike',
  },
  UC3621: {
    severity: 'error',
    title: 'part of a BPX file missing, or there twice',
    cause:
      'A section that this kind of file requires is missing, or a section or path that must be unique occurs twice. Readers would lose one of them.',
    remedy: PRODUCER,
  },
  UC3624: {
    severity: 'error',
    title: 'reference of a BPX file to nothing',
    cause:
      'A number of a section, an offset of a string, an index or a range of frames leads to what the file does not have, or to something of another type.',
    remedy: PRODUCER,
  },
  UC3627: {
    severity: 'warning',
    title: 'bytes of a BPX file that nothing names',
    cause: 'Bytes belong to no section, or nothing in the file leads to a section. Readers pass over them.',
    remedy: PRODUCER,
  },
  UC3633: {
    severity: 'error',
    title: 'string is not UTF-8',
    cause: 'Strings of BPX files are UTF-8; these bytes are not.',
    remedy: PRODUCER,
  },
  UC3644: {
    severity: 'error',
    title: 'counts and sizes of a BPX file do not fit each other',
    cause:
      'One value of the file follows from others and is different: images of a cube map, mips, the size of a vertex, corners of triangles, frames of bones, or what TypeExt counts.',
    remedy: PRODUCER,
  },
  UC3656: {
    severity: 'error',
    title: 'number of a BPX file impossible',
    cause:
      'A vertex, a matrix or a frame rate holds an infinity, something that is not a number, or a rate that is not above 0.',
    remedy: PRODUCER,
  },
  UC3657: {
    severity: 'error',
    title: 'number of bones impossible',
    cause: 'A model with bones has from 1 to 1024, so that their matrices fit the constants of a shader.',
    remedy: 'split the skeleton, or leave the bones out',
  },
  UC3665: {
    severity: 'warning',
    title: 'vertices of a BPX model without a position',
    cause: 'The format does not say what a component means; readers take the first three floats for the position.',
    remedy: 'write a component of three floats first',
  },
  UC3672: {
    severity: 'warning',
    title: 'assembly that the format does not describe',
    cause: 'The sections for Vulkan and Metal have a type and no content that is known.',
    remedy: 'write assemblies for DirectX and OpenGL alone',
  },
  UC3681: {
    severity: 'error',
    title: 'path of a package that leads out of it',
    cause:
      'Programs that unpack packages make files of these names as they are. Empty and absolute ones, those with .., backslashes or colons could overwrite any file.',
    remedy: 'do not unpack the file with another program; ask where it comes from',
  },
} as const satisfies Record<string, CodeEntry>;
