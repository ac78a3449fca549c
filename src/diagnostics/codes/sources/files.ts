// Reading source files of any kind: codes UC1200-UC1299.

import type { CodeEntry } from '../../entry.ts';

export const FILES = {
  UC1200: {
    severity: 'error',
    exit: 3,
    title: 'source file cannot be read',
    cause:
      'The file does not exist, is a folder, a pipe or a device, or the system refuses to read it or to list its folder.',
    remedy: 'check the path and its permissions',
  },
  UC1201: {
    severity: 'error',
    title: 'file format not recognised',
    cause:
      'Files are recognised by their content, a pack of models by its name. The content of this file is of no kind that a cook takes; the message lists these.',
    remedy: 'give a file that `untold cook --help` names',
  },
  UC1202: {
    severity: 'error',
    title: 'Git LFS pointer instead of the file',
    cause: 'The repository was cloned without its large files: the file holds only a pointer to them.',
    remedy: 'run `git lfs pull` and cook again',
  },
  UC1203: {
    severity: 'error',
    title: 'referenced file is missing',
    cause: 'The source refers to a file that does not exist, a folder, or an empty path.',
    remedy: 'restore the file, correct its path, or name its folder with --search-path',
  },
  UC1204: {
    severity: 'error',
    title: 'path leaves the allowed folder',
    cause:
      'A path in the source, or a symbolic link that it goes through, leads outside the asset root or the package.',
    remedy: 'move the file inside the asset root, or widen the root with --root DIR',
  },
  UC1205: {
    severity: 'error',
    title: 'path is absolute or remote',
    cause:
      'Sources may name files by relative path only: absolute, file: and network paths differ from machine to machine. Such files are never opened; a texture counts as missing.',
    remedy:
      'make the path relative to the file that refers to it; a texture can be left out with --missing-texture drop',
  },
  UC1206: {
    severity: 'error',
    title: 'source file is empty or cut off',
    cause: 'The file ends before the data that it declares.',
    remedy: 'export or download the file again',
  },
  UC1207: {
    severity: 'error',
    exit: 5,
    title: 'source file too large',
    cause:
      'What has to be read at once is too large: glTF JSON of more than 512 MiB; a text layer, an image, compressed data or a single accessor of more than 2 GiB. GLB, glTF buffers, USD crates and USDZ packages are read range by range and may be larger.',
    remedy: 'split it, or store geometry in a binary format: GLB in place of glTF, a crate (.usdc) in place of text',
  },
  UC1208: {
    severity: 'error',
    exit: 3,
    title: 'source file changed while it was read',
    cause:
      'Large files are read range by range until the cook is done. The size or the time of this one changed after it was opened, so that its parts would not belong together.',
    remedy: 'cook again when nothing writes to the file',
  },
  UC1209: {
    severity: 'error',
    exit: 5,
    title: 'source asks for more than a limit allows',
    cause:
      'The source has more bytes in all files that it reads than --max-input-bytes allows, a USDZ package more files than --max-archive-entries, a mesh more vertices than --max-vertices, the file or pack more nodes or joints than --max-prims, or its output more bytes than --max-output-bytes; or the paths of joints in a .gali file have more than 16,777,216 letters. A limit is asked for before memory or disk is taken.',
    remedy: 'give a larger limit if the source is to be trusted; otherwise export it again, or cook it in parts',
  },
  UC1220: {
    severity: 'warning',
    title: 'file found elsewhere',
    cause:
      'The path in the source is absolute or leads to no file. A file of this name lies beside the layer, in textures or Textures beside it, or in a folder of --search-path, and was taken.',
    remedy: 'correct the path in the source, or say where the files are with --remap OLD=NEW',
  },
  UC1221: {
    severity: 'warning',
    title: 'property of glass not carried over',
    cause:
      'Cooked materials let light pass a surface straight on and as sharp as it is: index of refraction, thickness, what the volume absorbs or scatters, and dispersion have no effect. The message names what the material has of these.',
    remedy:
      'compare the glass where the file is used: a tint that must be seen goes into the base colour; --hide UC1221 leaves the message out',
  },
} as const satisfies Record<string, CodeEntry>;
