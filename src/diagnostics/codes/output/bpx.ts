// BPX containers and what they hold: codes UC3600-UC3699. 3600-3629 the container, 3630-3639 strings, 3640-3649 textures and
// lengths, 3650-3669 models, 3670-3679 shaders, 3680-3699 packages.

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
    title: 'BPX file shorter than its header',
    cause:
      'The header takes 32 bytes in the layout of the specification and 40 in that of the crate; this file ends before.',
    remedy: DAMAGED,
  },
  UC3602: {
    severity: 'error',
    title: 'unknown kind of BPX file',
    cause: 'The fourth byte is T for textures, M for models, S for shaders or P for packages; this file has another.',
    remedy: PRODUCER,
  },
  UC3603: {
    severity: 'error',
    title: 'size in the header is not that of the BPX file',
    cause:
      'The header states the size of the file, with or without its own 32 bytes, which tells the two layouts apart. This size is neither.',
    remedy: DAMAGED,
  },
  UC3604: {
    severity: 'error',
    title: 'BPX version not supported',
    cause:
      'Version 1 of the layout of the specification and version 2 of that of the crate are known; this file states another.',
    remedy: 'write the file in a version that is known',
  },
  UC3605: {
    severity: 'error',
    title: 'BPX checksum is not that of the file',
    cause: 'The header holds a checksum; bytes that it covers have changed since it was computed.',
    remedy: DAMAGED,
  },
  UC3606: {
    severity: 'error',
    title: 'more sections than the BPX file holds',
    cause: 'The table of sections, with as many entries as the header states, goes on beyond the end of the file.',
    remedy: DAMAGED,
  },
  UC3607: {
    severity: 'error',
    title: 'section inside of header or table',
    cause: 'A section begins behind the table of sections; this one begins before its end.',
    remedy: PRODUCER,
  },
  UC3608: {
    severity: 'error',
    title: 'section beyond the BPX file',
    cause: 'The table of sections names bytes that the file does not have.',
    remedy: DAMAGED,
  },
  UC3609: {
    severity: 'error',
    title: 'sections of a BPX file overlap',
    cause: 'Two sections name the same bytes. Each section has bytes of its own.',
    remedy: PRODUCER,
  },
  UC3610: {
    severity: 'error',
    title: 'unknown flags of a section',
    cause:
      'A flag says how a section is packed and checked; one that is not known may stand for a compression that is not either.',
    remedy: PRODUCER,
  },
  UC3611: {
    severity: 'error',
    title: 'reserved bytes of a section entry are not 0',
    cause: 'The table holds a value where the format has none.',
    remedy: PRODUCER,
  },
  UC3612: {
    severity: 'error',
    title: 'packed section is damaged',
    cause: 'The section is no whole zlib or xz stream, or goes on behind its end.',
    remedy: DAMAGED,
  },
  UC3614: {
    severity: 'error',
    exit: 5,
    title: 'sections of a BPX file unpack to too much',
    cause: 'All sections of a file together may unpack to 1 GiB, so that a small file cannot take all memory.',
    remedy: 'split the file, or store its sections unpacked',
  },
  UC3615: {
    severity: 'error',
    title: 'section has another size than its entry says',
    cause: 'In the layout of the crate the table states what a section unpacks to; it unpacks to more or less.',
    remedy: DAMAGED,
  },
  UC3616: {
    severity: 'error',
    title: 'checksum of a section is not that of its bytes',
    cause: 'Bytes of the section have changed since its checksum was computed.',
    remedy: DAMAGED,
  },
  UC3617: {
    severity: 'warning',
    title: 'CRC of a section is not that of the standard',
    cause:
      'Versions of the crate up to 3.1.0 compute something else in place of CRC-32. It fits here; other readers refuse it.',
    remedy: 'write the file with the sum of bytes as its checksum, which all versions compute alike',
  },
  UC3618: {
    severity: 'error',
    title: 'flags of a section contradict one another',
    cause: 'A section is packed with zlib or xz and has a CRC or a sum; this one claims both.',
    remedy: PRODUCER,
  },
  UC3619: {
    severity: 'error',
    title: 'reserved bytes of TypeExt are not 0',
    cause: 'The header has bytes for each kind of file. What a kind does not use is 0.',
    remedy: PRODUCER,
  },
  UC3620: {
    severity: 'error',
    title: 'unknown type of section',
    cause: 'The kind of the file has no section of this type.',
    remedy: PRODUCER,
  },
  UC3621: {
    severity: 'error',
    title: 'required section is missing',
    cause: 'A file of this kind cannot be read without the section.',
    remedy: PRODUCER,
  },
  UC3622: {
    severity: 'error',
    title: 'section that there is only one of comes twice',
    cause: 'A reader takes one of the two and loses the other.',
    remedy: PRODUCER,
  },
  UC3623: {
    severity: 'error',
    title: 'kind of file that the layout of the crate does not have',
    cause:
      'Of the layout of the crate packages alone are described. What textures, models and shaders hold in it is not known.',
    remedy: 'write the file in the layout of the specification',
  },
  UC3624: {
    severity: 'error',
    title: 'reference to a section that there is not',
    cause: 'A number of a section leads beyond the table, or is 0 where a section is needed.',
    remedy: PRODUCER,
  },
  UC3625: {
    severity: 'error',
    title: 'reference to a section of another type',
    cause: 'A number leads to a section that holds something else than what is needed there.',
    remedy: PRODUCER,
  },
  UC3626: {
    severity: 'error',
    title: 'unknown compatibility flags',
    cause: 'The flags name DirectX, OpenGL, Vulkan and Metal; others mean nothing.',
    remedy: PRODUCER,
  },
  UC3627: {
    severity: 'warning',
    title: 'bytes of a BPX file that belong to no section',
    cause: 'Sections follow the table and each other; here are bytes that readers pass over.',
    remedy: PRODUCER,
  },
  UC3628: {
    severity: 'error',
    title: 'reserved bytes of a section are not 0',
    cause: 'The section holds a value where the format has none.',
    remedy: PRODUCER,
  },
  UC3630: {
    severity: 'error',
    title: 'last string without its end',
    cause: 'Each string of a section ends with a NUL; the last byte of this one is another.',
    remedy: DAMAGED,
  },
  UC3631: {
    severity: 'error',
    title: 'string beyond the strings of the file',
    cause: 'An offset leads beyond the section of strings, or there is no such section.',
    remedy: PRODUCER,
  },
  UC3632: {
    severity: 'error',
    title: 'offset into the middle of a string',
    cause: 'A string is named by the offset of its first byte; another byte gives another string.',
    remedy: PRODUCER,
  },
  UC3633: {
    severity: 'error',
    title: 'string is not UTF-8',
    cause: 'Strings of BPX files are UTF-8; these bytes are not.',
    remedy: PRODUCER,
  },
  UC3640: {
    severity: 'error',
    title: 'section has not the bytes that its counts ask for',
    cause:
      'The length of a section follows from the counts at its begin and from other sections; this one is shorter or longer.',
    remedy: DAMAGED,
  },
  UC3641: {
    severity: 'error',
    title: 'unknown texel format of a BPX texture',
    cause: 'Formats are 1 for RGB, 2 for RGBA, 3 for grey and 4 for a float; this file states another.',
    remedy: PRODUCER,
  },
  UC3642: {
    severity: 'error',
    title: 'unknown flags of a BPX texture',
    cause: 'The flags say array, compress on load and cube map; others mean nothing.',
    remedy: PRODUCER,
  },
  UC3643: {
    severity: 'error',
    title: 'BPX texture has not the bytes that its texels take',
    cause: 'The length of the pixels follows from sides, format and number of images.',
    remedy: DAMAGED,
  },
  UC3644: {
    severity: 'error',
    title: 'cube map without six square images',
    cause: 'A cube map has an image for each of its six faces, as wide as it is high.',
    remedy: PRODUCER,
  },
  UC3645: {
    severity: 'error',
    title: 'more mips than a BPX texture can have',
    cause: 'Each mip has half the texels of the one before along each side; after one texel there is none.',
    remedy: PRODUCER,
  },
  UC3651: {
    severity: 'error',
    title: 'unknown component of a vertex',
    cause: 'A component is 1 to 15 floats, integers or unsigned integers.',
    remedy: PRODUCER,
  },
  UC3652: {
    severity: 'error',
    title: 'size of a vertex is not that of its components',
    cause: 'A vertex has four bytes for each number of its components, and nothing else.',
    remedy: PRODUCER,
  },
  UC3654: {
    severity: 'error',
    title: 'vertices or indices of a BPX model make no triangles',
    cause: 'There are three indices for each triangle, or three vertices where there are no indices.',
    remedy: PRODUCER,
  },
  UC3655: {
    severity: 'error',
    title: 'index beyond the vertices of a BPX model',
    cause: 'An index array names a vertex that the vertex array does not have.',
    remedy: PRODUCER,
  },
  UC3656: {
    severity: 'error',
    title: 'number of a BPX model is not finite',
    cause: 'A vertex or a matrix holds an infinity or something that is not a number.',
    remedy: PRODUCER,
  },
  UC3657: {
    severity: 'error',
    title: 'number of bones impossible',
    cause: 'A model with bones has from 1 to 1024, so that their matrices fit the constants of a shader.',
    remedy: 'split the skeleton, or leave the bones out',
  },
  UC3661: {
    severity: 'error',
    title: 'frames without bones',
    cause: 'A frame is a matrix for each bone; without bones its size is not known.',
    remedy: PRODUCER,
  },
  UC3662: {
    severity: 'error',
    title: 'animation beyond the frames of the model',
    cause: 'An animation is a range of frames; this one names frames that the model does not have.',
    remedy: PRODUCER,
  },
  UC3663: {
    severity: 'error',
    title: 'frame rate of an animation impossible',
    cause: 'The number of frames a second is finite and greater than 0.',
    remedy: PRODUCER,
  },
  UC3665: {
    severity: 'warning',
    title: 'vertices of a BPX model without a position',
    cause: 'The format does not say what a component means; readers take the first three floats for the position.',
    remedy: 'write a component of three floats first',
  },
  UC3666: {
    severity: 'warning',
    title: 'index array that no vertex array names',
    cause: 'Readers pass over it.',
    remedy: PRODUCER,
  },
  UC3670: {
    severity: 'error',
    title: 'number of shaders is not that of the header',
    cause: 'TypeExt counts the shaders of the container; it has more or fewer sections of them.',
    remedy: PRODUCER,
  },
  UC3671: {
    severity: 'error',
    title: 'assembly of shaders of another size',
    cause: 'An assembly takes 16 bytes; that of OpenGL may have 4 reserved ones behind them.',
    remedy: PRODUCER,
  },
  UC3672: {
    severity: 'warning',
    title: 'assembly that the format does not describe',
    cause: 'The sections for Vulkan and Metal have a type and no content that is known.',
    remedy: 'write assemblies for DirectX and OpenGL alone',
  },
  UC3680: {
    severity: 'error',
    title: 'number of assets is not that of the header',
    cause: 'TypeExt counts the assets of a package; its registry has another length.',
    remedy: PRODUCER,
  },
  UC3681: {
    severity: 'error',
    title: 'path of a package that leads out of it',
    cause:
      'Programs that unpack packages make files of these names as they are. Empty and absolute ones, those with .., backslashes or colons could overwrite any file.',
    remedy: 'do not unpack the file with another program; ask where it comes from',
  },
  UC3682: {
    severity: 'error',
    title: 'path of a package comes twice',
    cause: 'Two entries have the same path; a program that unpacks them loses one.',
    remedy: PRODUCER,
  },
  UC3683: {
    severity: 'error',
    title: 'unknown architecture or platform of a package',
    cause: 'Both are numbers from 0 to 4 in the layout of the crate; 4 is any.',
    remedy: PRODUCER,
  },
  UC3684: {
    severity: 'error',
    title: 'table of objects of a broken length',
    cause: 'Each object takes 20 bytes of the table; the table ends in the middle of one.',
    remedy: DAMAGED,
  },
  UC3685: {
    severity: 'error',
    title: 'object beyond the data of its package',
    cause: 'The bytes of an object begin or end beyond the sections of data, or belong to other objects as well.',
    remedy: DAMAGED,
  },
  UC3688: {
    severity: 'warning',
    title: 'file of a package that no asset names',
    cause: 'The registry does not lead to this section; readers pass over it.',
    remedy: PRODUCER,
  },
  UC3690: {
    severity: 'error',
    title: 'structured data is cut off',
    cause: 'A value of the metadata ends beyond its section.',
    remedy: DAMAGED,
  },
  UC3691: {
    severity: 'error',
    exit: 5,
    title: 'structured data nested too deep',
    cause: 'Up to 64 objects and arrays in each other are read.',
    remedy: PRODUCER,
  },
  UC3692: {
    severity: 'error',
    title: 'unknown type of structured data',
    cause: 'Types of values are 0 to 14; this one is not known, so that nothing behind it can be read.',
    remedy: DAMAGED,
  },
  UC3693: {
    severity: 'error',
    title: 'bytes behind structured data',
    cause: 'The metadata is one object; its section goes on behind the end of it.',
    remedy: PRODUCER,
  },
} as const satisfies Record<string, CodeEntry>;
