// Two pictures of a feature, compared and written.

import sharp from 'sharp';

/** RGBA rows from the bottom, as text of bytes. `cover` is green where the surfaces are. */
export interface Pictures {
  readonly width: number;
  readonly height: number;
  readonly reference: string;
  readonly cooked: string;
  readonly cover: string;
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');

/** Over the covered pixels, in decibels; pixels at edges, which are covered in part, do not count. */
export function psnrOf({ reference, cooked, cover }: Pictures): number {
  const [a, b, mask] = [reference, cooked, cover].map(bytesOf);
  let squares = 0;
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if (mask[i] !== 0 || mask[i + 1] !== 255 || mask[i + 2] !== 0) continue;
    for (let k = i; k < i + 3; k++) squares += (a[k] - b[k]) ** 2;
    count += 3;
  }
  if (count === 0) throw new Error('the surfaces cover no pixel');
  return 10 * Math.log10((255 * 255) / Math.max(1e-9, squares / count));
}

/** The reference on the left. */
export async function writePictures(path: string, { width, height, reference, cooked }: Pictures): Promise<void> {
  const raw = { width, height, channels: 4 } as const;
  const [left, right] = await Promise.all(
    [reference, cooked].map((pixels) => sharp(bytesOf(pixels), { raw }).flip().removeAlpha().png().toBuffer()),
  );
  const both = sharp({ create: { width: 2 * width, height, channels: 3, background: 'black' } });
  const parts = [
    { input: left, left: 0, top: 0 },
    { input: right, left: width, top: 0 },
  ];
  await both.composite(parts).png().toFile(path);
}
