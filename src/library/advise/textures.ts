// Textures larger than anyone can see: texels that lie closer together than the pixels of the device from as near as anybody looks.

import { type ImageUse, imageUses } from '../../cook/survey/texelDensity.ts';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import { utexGpuBytes } from '../../formats/utex/sizes.ts';
import type { Scene } from '../../scene/types.ts';
import { ImageFault } from '../../textures/decode/fault.ts';
import { probeImage } from '../../textures/decode/probe.ts';
import { fitSize } from '../../textures/mips/fitSize.ts';
import type { Advice } from './document.ts';

/** Metres between an eye and what it looks at from nearest: an arm's length. */
export const NEAREST_LOOK = 0.5;
/** Smaller sides are never advised. */
const LEAST_SIDE = 64;
const SHOWN = 10;

/** An image with the side that would do. */
interface SeenImage {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly role: ImageUse['role'];
  readonly enough: number;
}

/** The least power of two that is not below a number. */
const powerFrom = (value: number): number => 2 ** Math.ceil(Math.log2(Math.max(LEAST_SIDE, value)) - 1e-9);

async function sizeOf(scene: Scene, image: number): Promise<readonly [number, number] | null> {
  try {
    const info = await probeImage(await scene.images[image].read());
    return info instanceof ImageFault ? null : [info.width, info.height];
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

/** Every image that is drawn and can be read, with the side that its largest use needs. */
async function seenImages(scene: Scene, uses: readonly ImageUse[], pixelsAMetre: number): Promise<SeenImage[]> {
  const byImage = new Map<number, ImageUse[]>();
  for (const use of uses) byImage.set(use.image, [...(byImage.get(use.image) ?? []), use]);
  const seen: SeenImage[] = [];
  for (const [image, list] of byImage) {
    const size = await sizeOf(scene, image);
    if (size === null) continue;
    const [width, height] = size;
    // The side of a square of as many texels has this many on a metre for each repeat.
    const least = Math.min(...list.map(({ repeatsAMetre }) => repeatsAMetre));
    const needed = (pixelsAMetre / least) * (Math.max(width, height) / Math.sqrt(width * height));
    seen.push({ path: scene.images[image].path, width, height, role: list[0].role, enough: powerFrom(needed) });
  }
  return seen;
}

/** What an image takes on the GPU as a cook makes it, with a largest side: at most, because larger blocks take less. */
function gpuBytes({ width, height, role }: SeenImage, max: number | null): number {
  const [w, h] = fitSize(width, height, { pot: 'nearest', max });
  return utexGpuBytes(role, w, h);
}

const sideOf = ({ width, height }: SeenImage): number =>
  Math.max(...fitSize(width, height, { pot: 'nearest', max: null }));

/**
 * Textures whose texels nobody tells apart. `pixelsPerDegree`: of the device. One side for all is an option; where one texture
 * needs its size and others do not, those are to be made smaller in the source.
 */
export async function largeTextures(
  scene: Scene,
  meshes: ReadonlySet<number>,
  pixelsPerDegree: number,
): Promise<Advice[]> {
  // What lies square to the eye: a metre covers so many degrees for each degree of a small angle.
  const pixelsAMetre = pixelsPerDegree * (180 / Math.PI / NEAREST_LOOK);
  const images = await seenImages(scene, await imageUses(scene, meshes), pixelsAMetre);
  const large = images.filter((image) => image.enough < sideOf(image));
  if (large.length === 0) return [];
  const common = Math.max(...images.map((image) => Math.min(image.enough, sideOf(image))));
  const over = images.filter((image) => sideOf(image) > common);
  const said = `${pixelsPerDegree} pixels a degree from ${NEAREST_LOOK} m`;
  const saved = (list: readonly SeenImage[], max: (image: SeenImage) => number) =>
    list.reduce((sum, image) => sum + gpuBytes(image, null) - gpuBytes(image, max(image)), 0);
  const advice: Advice[] = [];
  if (over.length > 0) {
    advice.push({
      kind: 'textures',
      what: `${over.length} of ${images.length} textures have more texels than ${said} can show; ${common} texels a side are enough for all (saved at most, in blocks of 4 x 4)`,
      count: over.length,
      where: over.slice(0, SHOWN).map(({ path, width, height }) => `${path} (${width} x ${height})`),
      saves: { gpuBytes: saved(over, () => common) },
      option: `--max-texture-size ${common}`,
      isDefault: false,
    });
  }
  const alone = large.filter((image) => image.enough < Math.min(common, sideOf(image)));
  if (alone.length > 0) {
    const worst = [...alone].sort((a, b) => gpuBytes(b, common) - gpuBytes(a, common));
    advice.push({
      kind: 'textures',
      what: `${alone.length} of ${images.length} textures could be smaller still, each for itself, which no option does: ${said} shows no more (saved at most, in blocks of 4 x 4)`,
      count: alone.length,
      where: worst
        .slice(0, SHOWN)
        .map(({ path, width, height, enough }) => `${path} (${width} x ${height}, ${enough} would do)`),
      saves: {
        gpuBytes: alone.reduce((sum, image) => sum + gpuBytes(image, common) - gpuBytes(image, image.enough), 0),
      },
      option: null,
      isDefault: false,
    });
  }
  return advice;
}
