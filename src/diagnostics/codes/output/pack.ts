// `untold pack` and `untold unpack`: codes UC3800-UC3899. 3800-3819 what is packed, 3820-3839 what is unpacked.

import type { CodeEntry } from '../../entry.ts';

export const PACK = {
  UC3800: {
    severity: 'error',
    title: 'nothing that can be packed',
    cause:
      'What is packed is a folder with at least one file, or, into a USDZ package, a USD layer with all that it brings in.',
    remedy: 'name a folder, or a .usda, .usdc or .usd layer',
  },
  UC3801: {
    severity: 'error',
    title: 'no default layer',
    cause:
      'The first file of a USDZ package is its default layer. It is the one USD layer at the root of the folder, or defaultLayer.usd of several; here there is none or it is not clear which.',
    remedy: 'name it: --default-layer NAME',
  },
  UC3802: {
    severity: 'error',
    exit: 5,
    title: 'more than a package holds',
    cause:
      'A USDZ package is a zip archive with 32-bit fields: at most 65535 files, names of at most 65535 bytes. Every package is made in memory, so that it has less than 2 GiB.',
    remedy: 'divide the scene among several packages, or make its textures smaller',
  },
  UC3803: {
    severity: 'error',
    title: 'file name that a package may not have',
    cause:
      'Names in packages are relative, with `/`, and stay inside: no `..`, drive letter, backslash, colon or control character, no name of a device of Windows, no dot or space at the end, and none of the names that `untold unpack` uses for its own files.',
    remedy: 'rename the file',
  },
  UC3804: {
    severity: 'error',
    title: 'two names for one file',
    cause:
      'Two names of the package are equal, or differ in upper and lower case or in Unicode form alone, or one is a folder of the other: on many disks one file would replace the other.',
    remedy: 'rename one of the two',
  },
  UC3805: {
    severity: 'error',
    title: 'path in a crate that would have to change',
    cause:
      'The file that the path leads to gets another place in the package. Paths are rewritten in text layers and in crates up to version 0.11; later crates may hold splines and edits of arrays, which would be lost.',
    remedy:
      'move the file into the folder of the layer and correct the path, save the layer as text, as `usdcat layer.usdc -o layer.usda`, or pack it with --arkit',
  },
  UC3806: {
    severity: 'error',
    title: 'link or device in a folder that is packed',
    cause: 'Only regular files are packed; a link may lead out of the folder, and reading a device may never end.',
    remedy: 'replace the link by what it leads to, or move it out of the folder',
  },
  UC3807: {
    severity: 'info',
    title: 'hidden files are left out',
    cause: 'Files and folders whose names begin with a dot are not packed.',
    remedy: 'rename the file if it belongs into the package',
  },
  UC3820: {
    severity: 'error',
    title: 'not a package',
    cause: 'By its content the file is no package: not USDZ, not BPX, and no .pak of Urho3D.',
    remedy: 'name a .usdz, .bpx or .pak file; `untold inspect FILE` tells what is in other files',
  },
  UC3821: {
    severity: 'error',
    title: 'link in a package',
    cause: 'An entry of the archive is a symbolic link or a device; unpacked, it could lead anywhere.',
    remedy: 'do not trust the package; pack it again from its files',
  },
  UC3822: {
    severity: 'error',
    exit: 2,
    title: 'pattern without a file',
    cause: 'No file of the package matches what --only names.',
    remedy: 'see the names with `untold inspect`',
  },
} as const satisfies Record<string, CodeEntry>;
