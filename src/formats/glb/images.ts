// The kinds of images that a GLB holds.

const MIME_TYPES: readonly (readonly [mimeType: string, begin: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

/** The type of an image by its first bytes; null: it is neither PNG nor JPEG. */
export function mimeTypeOf(bytes: Uint8Array): string | null {
  return MIME_TYPES.find(([, begin]) => begin.every((byte, i) => bytes[i] === byte))?.[0] ?? null;
}
