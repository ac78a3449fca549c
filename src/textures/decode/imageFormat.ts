// What the cooker knows of one image format: how its content is recognised, checked, decoded and, where the engine loads
// it as it is, copied. Each format is one file beside this one and one line in registry.ts.

import type { ImageFault } from './fault.ts';
import type { Pixels } from './pixels.ts';

/** How the engine samples a slot: as colours in sRGB, or as linear data. */
export type TextureUse = 'color' | 'data';

/** Where the blocks of ASTC in a file are. */
export interface AstcBlocks {
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly srgb: boolean;
  /** Colours are multiplied by alpha. */
  readonly premultiplied: boolean;
  /** Bytes in the file, from the largest level. */
  readonly levels: readonly { readonly offset: number; readonly length: number }[];
}

/** What the check of an image finds. */
export interface CheckedImage {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue are equal everywhere. */
  readonly grey: boolean;
  /** It may hold alpha other than 1. */
  readonly alpha: boolean;
  /** More than 8 bits a channel. */
  readonly deep: boolean;
  /** Samples are floating-point numbers of linear light; absent: they are not. */
  readonly isFloat?: boolean;
  /** Frames or pages. */
  readonly pages: number;
  /** Blocks of ASTC that the file holds uncompressed; absent: none. */
  readonly blocks?: AstcBlocks;
  /** The engine loads it as it is; only then has the format a `copy`. */
  readonly copyable: boolean;
}

/** `C`: what the format's check finds for its own `decode` and `copy`, in addition to what every format finds. */
export interface ImageFormat<C extends CheckedImage = CheckedImage> {
  /** Extensions of its files and subtypes of its media type `image/…`, in lower case; files are written with the first. */
  readonly names: readonly string[];
  /** Whether the bytes begin as a file of this format does. */
  recognises(bytes: Uint8Array): boolean;
  /** Checks recognised bytes as far as its decoder trusts them. Throws UC1101 and UC1102. */
  check(bytes: Uint8Array): C | ImageFault | Promise<C | ImageFault>;
  /**
   * RGBA of checked bytes; 16-bit samples are rounded to 8. Floating-point samples become sRGB where texels are read as
   * colours; of all others `use` changes nothing. Throws UC1101 and UC1102.
   */
  decode(bytes: Uint8Array, checked: C, use: TextureUse): Promise<Pixels | ImageFault>;
  /** Bytes that the engine draws with the same texels whatever colour space the image declares. Absent: it never copies. */
  copy?(bytes: Uint8Array, checked: C, use: TextureUse): Promise<Uint8Array | ImageFault>;
}

/** Whether the bytes have `magic` at offset `at`: characters or bytes. */
export function hasMagic(bytes: Uint8Array, magic: string | readonly number[], at = 0): boolean {
  if (bytes.length < at + magic.length) return false;
  for (let i = 0; i < magic.length; i++) {
    if (bytes[at + i] !== (typeof magic === 'string' ? magic.charCodeAt(i) : magic[i])) return false;
  }
  return true;
}
