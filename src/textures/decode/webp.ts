// WebP (RFC 9649), decoded by sharp and always converted.

import { ImageFault } from './fault.ts';
import { hasMagic, type ImageFormat } from './imageFormat.ts';
import { checkWithSharp, decodeWithSharp } from './sharpImage.ts';

/** WebP container (RFC 9649): RIFF size and the canvas of the first chunk, VP8, VP8L or VP8X. */
function canvasSize(bytes: Uint8Array): [number, number] | ImageFault {
  const cut = new ImageFault('cut', 'WebP ends before the size that it declares');
  if (bytes.length < 30) return cut;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(4, true) > bytes.length - 8) return cut;
  switch (view.getUint32(12, false)) {
    case 0x56503820: // 'VP8 ', section 9.1 of RFC 6386
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    case 0x5650384c: {
      // 'VP8L'
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 0x56503858: // 'VP8X'
      return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
    default:
      return new ImageFault('damaged', 'WebP starts with an unknown chunk');
  }
}

export const WEBP: ImageFormat = {
  names: ['webp'],
  recognises: (bytes) => hasMagic(bytes, 'RIFF') && hasMagic(bytes, 'WEBP', 8),
  check: (bytes) => checkWithSharp(bytes, 'webp', canvasSize(bytes)),
  decode: (bytes, { deep }) => decodeWithSharp(bytes, 'webp', deep),
};
