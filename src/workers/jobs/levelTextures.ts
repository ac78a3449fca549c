// The textures of a level: where it is shown from, a pixel covers many texels, so that the largest mips are never sampled.
// The level is drawn with a file that goes without them.

import type { DrawnMesh } from '../../formats/format.ts';
import { maxRepeatSize } from '../../geometry/uv/repeatSize.ts';
import type { PreparedTexture } from '../../textures/types.ts';

/** Texels for each pixel: a screen may be finer than the one that distances are computed for. */
const TEXELS_A_PIXEL = 2;

/**
 * The textures by their indices, each that the meshes use as the smallest file of it that shows the same where a pixel
 * covers at least `pixel` metres.
 */
export function levelTextures(
  meshes: readonly DrawnMesh[],
  textures: readonly PreparedTexture[],
  pixel: number,
): readonly PreparedTexture[] {
  /** Texels along u and v that a texture needs. */
  const needs = new Map<number, readonly [number, number]>();
  for (const { mesh, surface } of meshes) {
    const used = new Set(Object.values(surface.material.slots) as number[]);
    const shrinkable = [...used].filter((index) => index >= 0 && (textures[index].smaller?.length ?? 0) > 0);
    if (shrinkable.length === 0) continue;
    const [u, v] = maxRepeatSize(mesh).map((metres) => (metres / pixel) * TEXELS_A_PIXEL);
    for (const index of shrinkable) {
      const [ownU, ownV] = needs.get(index) ?? [0, 0];
      needs.set(index, [Math.max(u, ownU), Math.max(v, ownV)]);
    }
  }
  return textures.map((texture, index) => {
    const need = needs.get(index);
    return need ? smallest(texture, need) : texture;
  });
}

function smallest(texture: PreparedTexture, [u, v]: readonly [number, number]): PreparedTexture {
  const enough = (texture.smaller ?? []).filter(({ width, height }) => width >= u && height >= v);
  return enough.at(-1) ?? texture;
}
