// TIFF 6.0 and BigTIFF in both byte orders, decoded by sharp and always converted.

import { hasMagic, type ImageFormat } from './imageFormat.ts';
import { checkWithSharp, decodeWithSharp } from './sharpImage.ts';

/** Byte order and version number: 42 for TIFF, 43 for BigTIFF. */
const MAGIC = [
  [0x49, 0x49, 0x2a, 0],
  [0x4d, 0x4d, 0, 0x2a],
  [0x49, 0x49, 0x2b, 0],
  [0x4d, 0x4d, 0, 0x2b],
] as const;

export const TIFF: ImageFormat = {
  names: ['tif', 'tiff'],
  recognises: (bytes) => MAGIC.some((magic) => hasMagic(bytes, magic)),
  check: (bytes) => checkWithSharp(bytes, 'tiff'),
  decode: (bytes, { deep }) => decodeWithSharp(bytes, 'tiff', deep),
};
