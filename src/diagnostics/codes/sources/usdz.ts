// USDZ packages: codes UC1600-UC1699.

import type { CodeEntry } from '../../entry.ts';

export const USDZ = {
  UC1600: {
    severity: 'error',
    title: 'not a zip archive',
    cause: 'A USDZ package is a zip archive; this file has no zip directory at its end. It may be cut off.',
    remedy: 'export or download the package again',
  },
  UC1601: {
    severity: 'error',
    title: 'broken zip archive',
    cause: 'The directory of the archive contradicts itself or the files that it lists.',
    remedy: 'unpack the package with a zip program, and pack the folder with `untold pack DIR --out FILE.usdz`',
  },
  UC1602: {
    severity: 'error',
    title: 'encrypted file in a package',
    cause: 'USDZ packages may not be encrypted.',
    remedy: 'pack the package again without a password',
  },
  UC1603: {
    severity: 'error',
    title: 'unsupported zip feature',
    cause:
      'USDZ packages are plain zip archives: one volume, 32-bit sizes, stored entries. This one is split, uses zip64 or another compression method.',
    remedy: 'unpack it with a zip program, and pack the folder with `untold pack DIR --out FILE.usdz`',
  },
  UC1604: {
    severity: 'error',
    title: 'forbidden name in a package',
    cause: 'A name in the archive is empty, absolute, leaves the package with `..`, or is not clean text.',
    remedy: 'rename the file inside the package',
  },
  UC1605: {
    severity: 'error',
    title: 'duplicate name in a package',
    cause: 'Two files of the archive have the same name, so it is not known which one is meant.',
    remedy: 'remove one of the two',
  },
  UC1606: {
    severity: 'error',
    title: 'damaged file in a package',
    cause: 'The checksum of a file does not match its content, or its compressed data is broken.',
    remedy: 'export or download the package again',
  },
  UC1607: {
    severity: 'error',
    title: 'package without a USD file',
    cause: 'The first file of a USDZ package is its root layer; this package holds no .usd, .usda or .usdc file.',
    remedy: 'export the package again',
  },
  UC1608: {
    severity: 'error',
    title: 'file not in the package',
    cause: 'A layer refers to a file that its package does not hold.',
    remedy: 'add the file to the package, or correct the path in the layer',
  },
  UC1609: {
    severity: 'error',
    title: 'path leaves the package',
    cause: 'A path inside a package climbs out of it by `..`; a package never leaves itself.',
    remedy: 'put the file into the package and name it by a relative path',
  },
  UC1610: {
    severity: 'error',
    title: 'broken path into a package',
    cause: 'Paths into packages are written `package.usdz[inner.usd]`, with literal brackets escaped as \\[ and \\].',
    remedy: 'correct the brackets in the path',
  },
  UC1611: {
    severity: 'error',
    exit: 5,
    title: 'package too large to unpack',
    cause:
      'Compressed files are unpacked up to 2 GiB each, and for one source up to 32 MiB or 64 times the size of its packages, whichever is more.',
    remedy: 'unpack it with a zip program, and pack the folder without compression: `untold pack DIR --out FILE.usdz`',
  },
  UC1620: {
    severity: 'warning',
    title: 'compressed file in a package',
    cause: 'Files of a USDZ package must be stored as they are; OpenUSD refuses compressed ones.',
    remedy: 'unpack it with a zip program, and pack the folder with `untold pack DIR --out FILE.usdz`',
  },
  UC1621: {
    severity: 'warning',
    title: 'file in a package is not aligned',
    cause:
      'Every file of a USDZ package must start at a multiple of 64 bytes; reading is slower, and other programs refuse it.',
    remedy: 'unpack it with a zip program, and pack the folder with `untold pack DIR --out FILE.usdz`',
  },
  UC1622: {
    severity: 'warning',
    title: 'first file of the package is not its scene',
    cause: 'The root layer must be the first file of a USDZ package; the first USD file was taken instead.',
    remedy:
      'unpack it with a zip program, and pack the folder with the root layer first: `untold pack DIR --default-layer NAME --out FILE.usdz`',
  },
  UC1623: {
    severity: 'warning',
    title: 'file found by ignoring case',
    cause: 'Names in a package are case-sensitive; the path differs from the file only in upper and lower case.',
    remedy: 'spell the path exactly as the file is named',
  },
  UC1624: {
    severity: 'warning',
    title: 'backslash in a path',
    cause: 'Paths in packages use forward slashes; the backslashes were read as forward slashes.',
    remedy: 'use / in paths',
  },
  UC1625: {
    severity: 'warning',
    title: 'package written as a stream',
    cause: 'Sizes stand after the files instead of before them; OpenUSD cannot open such a package.',
    remedy: 'unpack it with a zip program, and pack the folder with `untold pack DIR --out FILE.usdz`',
  },
  UC1630: {
    severity: 'error',
    title: 'file type that no USDZ package may hold',
    cause:
      'A package may hold usda, usdc and usd layers, png, jpeg, exr and avif images, m4a, mp3 and wav audio, and other packages (USDZ specification 1.3, File Types). This file has another ending. MaterialX documents that layers reference become layers, unless a layer cannot hold all of one, or a folder is packed, whose files stay as they are.',
    remedy:
      'leave the file out, or convert it to one of these types; `untold pack SCENE --arkit` writes what is drawn of MaterialX into the one crate of the package',
  },
  UC1631: {
    severity: 'error',
    title: 'texture of a type that is not allowed',
    cause:
      'A texture of a package is png, jpeg, exr or avif, and with --arkit png or jpeg. This file has another ending, or its content is of another of these types than its ending says.',
    remedy: 'convert the image to PNG or JPEG, and pack the package again',
  },
  UC1632: {
    severity: 'error',
    title: 'package without a default prim',
    cause:
      'The root layer of the package names no defaultPrim, or one that is not there: a reference to the package brings nothing in.',
    remedy: 'author defaultPrim in the root layer, and pack the package again',
  },
  UC1633: {
    severity: 'error',
    title: 'package that ARKit does not read',
    cause: 'With --arkit the package has to hold one layer, and that has to be a crate: a usdc file.',
    remedy: 'make the package anew with `untold pack SCENE --arkit --out FILE.usdz`, which takes layers and packages',
  },
  UC1634: {
    severity: 'error',
    title: 'package for ARKit that is not Y up',
    cause: 'With --arkit the upAxis of the root layer has to be Y.',
    remedy: 'make the package anew with `untold pack SCENE --arkit --out FILE.usdz`, which turns the scene',
  },
  UC1635: {
    severity: 'error',
    exit: 5,
    title: 'packages nested too deep',
    cause: 'Packages in packages are checked 8 deep; more are made by accident or to harm.',
    remedy: 'put the layers of the inner packages into the outer one',
  },
} as const satisfies Record<string, CodeEntry>;
