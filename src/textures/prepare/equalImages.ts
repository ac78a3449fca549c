// Images with equal bytes, as of assets that each bring their own: they are decoded and encoded once.

import type { Scene } from '../../scene/types.ts';
import { type BadImage, isBad, type SourceImage } from '../decode/images.ts';
import { usedImages } from './startMaterial.ts';

/** Gives for each image the first with its bytes, in the order in which drawn materials use them, which decides names of files. */
export function firstEqualImages(
  { materials }: Scene,
  drawn: ReadonlySet<number>,
  images: ReadonlyMap<number, SourceImage | BadImage>,
): (image: number) => number {
  const bySize = new Map<number, SourceImage[]>();
  const first = new Map<number, number>();
  for (const [index, material] of materials.entries()) {
    if (!drawn.has(index)) continue;
    for (const i of usedImages(material)) {
      const image = images.get(i);
      if (first.has(i) || !image || isBad(image)) continue;
      const others = bySize.get(image.bytes) ?? [];
      // Hashes are made only where sizes are equal.
      const equal = others.find((other) => other.hash() === image.hash());
      first.set(i, equal?.index ?? i);
      if (equal === undefined) bySize.set(image.bytes, [...others, image]);
    }
  }
  return (image) => first.get(image) ?? image;
}
