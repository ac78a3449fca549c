// The kinds of images that a GLB holds: those of glTF 2.0 (3.8.3), and those that extensions add.

const startsWith =
  (begin: readonly number[], at = 0) =>
  (bytes: Uint8Array) =>
    begin.every((byte, i) => bytes[at + i] === byte);

const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

const IMAGE_TYPES = {
  'image/png': startsWith([0x89, 0x50, 0x4e, 0x47]),
  'image/jpeg': startsWith([0xff, 0xd8, 0xff]),
  // EXT_texture_webp: RIFF with its length, then its kind.
  'image/webp': (bytes: Uint8Array) => startsWith(letters('RIFF'))(bytes) && startsWith(letters('WEBP'), 8)(bytes),
  // EXT_texture_avif: a box `ftyp` behind its length. No other image of glTF has one; its brands are checked where it is read.
  'image/avif': startsWith(letters('ftyp'), 4),
  // KHR_texture_basisu: «KTX 20».
  'image/ktx2': startsWith([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb]),
} as const satisfies Readonly<Record<string, (bytes: Uint8Array) => boolean>>;

export type GltfImageType = keyof typeof IMAGE_TYPES;

/** The type of an image by its first bytes; null: it is none that a GLB holds. */
export function mimeTypeOf(bytes: Uint8Array): GltfImageType | null {
  const types = Object.keys(IMAGE_TYPES) as readonly GltfImageType[];
  return types.find((type) => IMAGE_TYPES[type](bytes)) ?? null;
}
