// JPEG at byte level (ITU-T T.81): a walk over the markers to EOI, the frame header, and embedded ICC profiles taken out
// without touching the coefficients. sharp decodes the pixels of what cannot be copied.

import { ImageFault } from './fault.ts';
import { type CheckedImage, hasMagic, type ImageFormat } from './imageFormat.ts';
import { decodeWithSharp } from './sharpImage.ts';

export interface JpegHeader {
  readonly width: number;
  readonly height: number;
  readonly precision: number;
  readonly components: number;
  /** Marker of the frame header: 0xc0 baseline, 0xc1 extended, 0xc2 progressive … */
  readonly frame: number;
  /** Marker segments that hold parts of an ICC profile (APP2, ICC.1 annex B.4), as offset and length. */
  readonly profiles: readonly (readonly [number, number])[];
  /** Offset behind EOI. */
  readonly end: number;
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP2 = 0xe2;
const PROFILE = 'ICC_PROFILE\0';

function isFrame(marker: number): boolean {
  // SOF0-15 without DHT (c4), JPG (c8) and DAC (cc), table B.1.
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function holdsProfile(bytes: Uint8Array, at: number, end: number): boolean {
  if (end - at < PROFILE.length) return false;
  for (let i = 0; i < PROFILE.length; i++) if (bytes[at + i] !== PROFILE.charCodeAt(i)) return false;
  return true;
}

/** Walks a JPEG (SOI seen already) to its EOI and reads its frame header. */
export function readJpeg(bytes: Uint8Array): JpegHeader | ImageFault {
  const cut = new ImageFault('cut', `JPEG ends at byte ${bytes.length}, before its end marker (EOI)`);
  const profiles: [number, number][] = [];
  let frame: Omit<JpegHeader, 'profiles' | 'end'> | null = null;
  let scans = 0;
  let at = 2;
  for (;;) {
    if (at + 2 > bytes.length) return cut;
    if (bytes[at] !== 0xff) return new ImageFault('damaged', `JPEG has no marker at byte ${at}`);
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      // Fill bytes may stand before a marker (B.1.1.2).
      at++;
      continue;
    }
    if (marker === EOI) {
      if (frame === null || scans === 0) return new ImageFault('damaged', 'JPEG holds no image');
      return { ...frame, profiles, end: at + 2 };
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
      continue;
    }
    if (marker === SOI || marker === 0x00) return new ImageFault('damaged', `JPEG has a stray marker at byte ${at}`);
    if (at + 4 > bytes.length) return cut;
    const length = (bytes[at + 2] << 8) | bytes[at + 3];
    if (length < 2) return new ImageFault('damaged', `JPEG segment at byte ${at} has no length`);
    const next = at + 2 + length;
    if (next > bytes.length) return cut;
    if (isFrame(marker)) {
      if (length < 8) return new ImageFault('damaged', 'JPEG frame header is too short');
      frame ??= {
        frame: marker,
        precision: bytes[at + 4],
        height: (bytes[at + 5] << 8) | bytes[at + 6],
        width: (bytes[at + 7] << 8) | bytes[at + 8],
        components: bytes[at + 9],
      };
    }
    if (marker === APP2 && holdsProfile(bytes, at + 4, next)) profiles.push([at, next - at]);
    at = next;
    if (marker === SOS) {
      scans++;
      // Entropy-coded data: up to a marker that is neither a stuffed zero nor a restart (B.1.1.5).
      for (;;) {
        at = bytes.indexOf(0xff, at);
        if (at < 0 || at + 1 >= bytes.length) return cut;
        const code = bytes[at + 1];
        if (code !== 0x00 && !(code >= 0xd0 && code <= 0xd7)) break;
        at += 2;
      }
    }
  }
}

/**
 * A JPEG without embedded ICC profiles: glTF 2.0 (3.8.3) demands to ignore them, but a colour-managed loader applies them. The
 * same array if it has none.
 */
export function dropJpegProfiles(bytes: Uint8Array, header: JpegHeader): Uint8Array {
  if (header.profiles.length === 0) return bytes;
  const out = new Uint8Array(header.profiles.reduce((size, [, length]) => size - length, bytes.length));
  let from = 0;
  let to = 0;
  for (const [at, length] of header.profiles) {
    out.set(bytes.subarray(from, at), to);
    to += at - from;
    from = at + length;
  }
  out.set(bytes.subarray(from), to);
  return out;
}

export interface CheckedJpeg extends CheckedImage {
  readonly header: JpegHeader;
}

function checkJpeg(bytes: Uint8Array): CheckedJpeg | ImageFault {
  const header = readJpeg(bytes);
  if (header instanceof ImageFault) return header;
  const { frame, precision, components } = header;
  if (frame > 0xc2 || precision !== 8 || ![1, 3, 4].includes(components)) {
    const what = `JPEG process ${frame - 0xc0} with ${precision} bits and ${components} components`;
    return new ImageFault('unsupported', `${what}: only 8-bit baseline and progressive JPEG can be used`);
  }
  return {
    width: header.width,
    height: header.height,
    grey: components === 1,
    alpha: false,
    deep: false,
    pages: 1,
    copyable: components === 3,
    header,
  };
}

export const JPEG: ImageFormat<CheckedJpeg> = {
  names: ['jpg', 'jpeg', 'jpe'],
  recognises: (bytes) => hasMagic(bytes, [0xff, SOI, 0xff]),
  check: checkJpeg,
  decode: (bytes, { deep }) => decodeWithSharp(bytes, 'jpeg', deep),
  copy: async (bytes, { header }) => dropJpegProfiles(bytes, header),
};
