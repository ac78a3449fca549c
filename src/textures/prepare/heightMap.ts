// What the texels of a material's height map mean to the engine, which moves texture coordinates by them: depth counts in
// texture coordinates, and follows from how densely these lie on the meshes. For startMaterial.ts.

import type { HeightMap } from '../../scene/materialSlots.ts';
import type { PlacedTexture, Placement } from '../bake/route.ts';
import { reportUse } from '../bake/route.ts';
import { channelIndex } from '../bake/slotPlans.ts';
import type { Preparation } from './preparation.ts';

/** The engine's exporter leaves deeper maps out: parallax smears them. */
const MAX_DEPTH = 0.2;

interface Found {
  readonly placement: Placement;
  /** Null: there is none, or it was left out. */
  readonly height: HeightMap | null;
}

/** How much longer lengths in uv0 are than in the set that it is made of. */
function stretch({ uv: { transform } }: Placement): number {
  if (transform === null) return 1;
  const [a, b, c, d] = transform;
  return Math.sqrt(Math.abs(a * d - b * c));
}

/** The texture with texels that rise with the surface: a negative scale is turned around in them. */
function rising(texture: PlacedTexture, isNegative: boolean): PlacedTexture {
  const all = (value: number) => [value, value, value, value] as const;
  return { ...texture, use: { ...texture.use, scale: all(isNegative ? -1 : 1), bias: all(isNegative ? 1 : 0) } };
}

/**
 * The height map of a placed material. Texels t stand for t * scale + bias above the mesh, so that the mesh itself lies at
 * -bias / scale. Reports UC2123 for a map that is left out.
 */
export async function heightMapOf(preparation: Preparation, index: number, placement: Placement): Promise<Found> {
  const texture = placement.textures.get('height');
  if (!texture) return { placement, height: null };
  const { scene, diagnostics, readUvDensity } = preparation;
  const material = scene.materials[index];
  const textures = new Map(placement.textures);
  const leaveOut = (why: string): Found => {
    reportUse(scene, material, texture, diagnostics, 'UC2123', why);
    textures.delete('height');
    return { placement: { ...placement, textures }, height: null };
  };
  const depthOf = (depth: number) => depth * stretch(placement);
  if (material.height) {
    const { height } = material;
    return { placement, height: { ...height, scale: depthOf(height.scale) } };
  }
  const channel = channelIndex(texture.use.channel);
  const [scale, bias] = [texture.use.scale[channel], texture.use.bias[channel]];
  const density = placement.uv.set === null ? null : await readUvDensity(index, placement.uv.set);
  if (density === null) return leaveOut('left out: its surfaces have no texture coordinates to measure its depth by');
  const depth = depthOf(Math.abs(scale) * density);
  if (!(depth > 0) || depth > MAX_DEPTH)
    return leaveOut(`left out: its depth is ${Number(depth.toPrecision(3))} in texture coordinates`);
  textures.set('height', rising(texture, scale < 0));
  const zero = scale < 0 ? 1 + bias / scale : -bias / scale;
  const midlevel = Math.min(1, Math.max(0, zero));
  return { placement: { ...placement, textures }, height: { scale: depth, midlevel, remapMin: 0, remapMax: 1 } };
}
