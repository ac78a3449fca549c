// The types of files that a USDZ package may hold, by their endings (USDZ specification 1.3, File Types).

import { KINDS } from '../../formats/kinds.ts';

/** Endings of images, with the type that they mean. */
const IMAGES: Readonly<Record<string, ImageType>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jpe: 'jpeg',
  jfif: 'jpeg',
  exr: 'exr',
  avif: 'avif',
};
const AUDIO = ['m4a', 'mp3', 'wav'];

export type ImageType = 'png' | 'jpeg' | 'exr' | 'avif';

function endingOf(name: string): string {
  return /\.([^./]+)$/.exec(name)?.[1].toLowerCase() ?? '';
}

const isCalled = (name: string, ...extensions: readonly (readonly string[])[]): boolean =>
  extensions.flat().includes(`.${endingOf(name)}`);

export const isLayerName = (name: string): boolean => isCalled(name, KINDS.usda.extensions, KINDS.usdc.extensions);
export const isPackageName = (name: string): boolean => isCalled(name, KINDS.usdz.extensions);

/** The type that the ending of an image means; null: it is no image that a package may hold. */
export function imageTypeOf(name: string): ImageType | null {
  const ending = endingOf(name);
  return Object.hasOwn(IMAGES, ending) ? IMAGES[ending] : null;
}

export function isAllowedInPackage(name: string): boolean {
  return isLayerName(name) || isPackageName(name) || imageTypeOf(name) !== null || AUDIO.includes(endingOf(name));
}

/** The type of an image by its first bytes; null: none of those that a package may hold. */
export function imageTypeOfContent(bytes: Uint8Array): ImageType | null {
  const begins = (at: number, ...values: number[]) => values.every((value, i) => bytes[at + i] === value);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47)) return 'png';
  if (begins(0, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (begins(0, 0x76, 0x2f, 0x31, 0x01)) return 'exr';
  // ISO base media: `ftyp`, and the brand avif or avis.
  if (begins(4, 0x66, 0x74, 0x79, 0x70) && (begins(8, 0x61, 0x76, 0x69, 0x66) || begins(8, 0x61, 0x76, 0x69, 0x73))) {
    return 'avif';
  }
  return null;
}
