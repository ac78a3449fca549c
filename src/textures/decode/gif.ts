// GIF (87a and 89a), decoded by sharp and always converted; of an animation the first frame.

import { ImageFault } from './fault.ts';
import { hasMagic, type ImageFormat } from './imageFormat.ts';
import { checkWithSharp, decodeWithSharp } from './sharpImage.ts';

/** Signature, version and logical screen descriptor (GIF89a, sections 17 and 18). */
const HEADER_BYTES = 13;

function screenSize(bytes: Uint8Array): [number, number] | ImageFault {
  if (bytes.length < HEADER_BYTES) return new ImageFault('cut', 'GIF ends within its header');
  return [bytes[6] | (bytes[7] << 8), bytes[8] | (bytes[9] << 8)];
}

export const GIF: ImageFormat = {
  names: ['gif'],
  recognises: (bytes) => hasMagic(bytes, 'GIF87a') || hasMagic(bytes, 'GIF89a'),
  check: (bytes) => checkWithSharp(bytes, 'gif', screenSize(bytes)),
  decode: (bytes, { deep }) => decodeWithSharp(bytes, 'gif', deep),
};
