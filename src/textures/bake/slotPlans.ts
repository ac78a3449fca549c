// What a slot's file becomes: the source's own bytes, or a recipe for new texels. For recipes.ts and specularPlans.ts, which
// choose the channels.

import { type FileSlot, isSrgbSlot, slotKind, type TextureSlot } from '../../scene/materialSlots.ts';
import type { Channel, TextureUse, Vec3, Vec4 } from '../../scene/types.ts';
import type { BakeChannel, BakePart, Conversion, Recipe } from './bake.ts';
import type { Charts } from './charts.ts';
import { capSize, type PlacedTexture, texelsOf } from './route.ts';

export interface SlotPlan {
  readonly slot: FileSlot;
  /** The texture that gives the file its name and that messages name. */
  readonly texture: PlacedTexture;
  /** Null: the bytes are copied. */
  readonly recipe: Recipe | null;
  /** The charts of the recipe's part without a map (there is at most one); null if every part has a map. */
  readonly charts: Charts | null;
  /** The recipe has fewer texels than its sources need to keep their detail. */
  readonly reduced: boolean;
  /** The one channel of the file that the slot reads, 0 to 3; null: it reads several. */
  readonly reads: number | null;
}

export interface ScalarPlan {
  readonly plan: SlotPlan;
  readonly factor: number;
  readonly channel: number;
}

export interface SurfacePlan {
  readonly base: { readonly plan: SlotPlan | null; readonly factor: Vec4 };
  readonly metallic: ScalarPlan | null;
  readonly roughness: ScalarPlan | null;
}

export type Placed = (slot: TextureSlot) => PlacedTexture | undefined;

export function channelIndex(channel: Channel): number {
  return channel === 'rgb' ? 0 : 'rgba'.indexOf(channel);
}

function partOf(texture: PlacedTexture): BakePart {
  const { use, source, map, wrapS, wrapT } = texture;
  return { image: source.index, map, wrapS, wrapT, srgb: use.colorSpace === 'srgb' };
}

/** Size at which no part loses detail, within the limits; a part on uv0 itself keeps its own size exactly. */
function recipeSize(textures: readonly PlacedTexture[]): { width: number; height: number; reduced: boolean } {
  const sizes = textures.map((t) => texelsOf(t));
  // Charts have a fixed size, chosen with the textures that join them in mind: those adopt it.
  const charts = textures.find((t) => t.charts !== null)?.charts;
  if (charts) {
    const small = sizes.some((s) => s.width > charts.width || s.height > charts.height);
    return { width: charts.width, height: charts.height, reduced: small || charts.reduction > 1.01 };
  }
  if (textures.length === 1 && textures[0].native) return { ...sizes[0], reduced: false };
  return capSize({ width: Math.max(...sizes.map((s) => s.width)), height: Math.max(...sizes.map((s) => s.height)) });
}

export function planOf(
  slot: FileSlot,
  textures: readonly PlacedTexture[],
  channels: readonly (BakeChannel | null)[],
  conversion?: Conversion,
): SlotPlan {
  const { width, height, reduced } = recipeSize(textures);
  const recipe: Recipe = {
    parts: textures.map(partOf),
    channels,
    srgb: isSrgbSlot(slot),
    normals: slotKind(slot).texels === 'normal',
    ...(conversion && { conversion }),
    width,
    height,
  };
  const charts = textures.find((t) => t.charts !== null)?.charts ?? null;
  return { slot, texture: textures[0], recipe, charts, reduced, reads: null };
}

export function copyOf(slot: FileSlot, texture: PlacedTexture): SlotPlan {
  return { slot, texture, recipe: null, charts: null, reduced: false, reads: null };
}

/** Whether UVs, encoding and colour space allow the file to be the source's own bytes. */
export function isCopy(texture: PlacedTexture, colorSpace: 'srgb' | 'linear'): boolean {
  return texture.native && texture.source.info.copyable && texture.use.colorSpace === colorSpace;
}

export function reads(channel: number, scale: number, bias: number): BakeChannel {
  return { part: 0, channel, scale, bias };
}

export function isPlain(channel: BakeChannel | null, c: number): boolean {
  return channel !== null && channel.part === 0 && channel.channel === c && channel.scale === 1 && channel.bias === 0;
}

/** Scale and bias of a scalar go into the factor if it stays in [0, 1], otherwise into the texels. */
export function foldScalar(
  factor: number,
  use: TextureUse,
  channel: number,
): { factor: number; scale: number; bias: number } {
  const scale = use.scale[channel];
  const bias = use.bias[channel];
  if (bias === 0 && scale >= 0 && (scale === 1 || factor * scale <= 1))
    return { factor: factor * scale, scale: 1, bias };
  return { factor, scale, bias };
}

/** Source channel of red, green and blue of a colour texture. */
export function colorSources({ use, source }: PlacedTexture): Vec3 {
  const c = channelIndex(use.channel);
  if (use.channel === 'rgb' || (source.info.grey && c < 3)) return [0, 1, 2];
  return [c, c, c];
}

/** A metallic or roughness slot. The engine reads any channel, so texels stay in theirs and one file can serve several slots. */
export function planScalar(slot: 'metallic' | 'roughness', texture: PlacedTexture, factor: number): ScalarPlan {
  const { use } = texture;
  const channel = channelIndex(use.channel);
  const folded = foldScalar(factor, use, channel);
  const baked = folded.scale !== 1 || folded.bias !== 0;
  if (isCopy(texture, use.channel === 'a' ? use.colorSpace : 'linear') && !baked) {
    return { plan: copyOf(slot, texture), factor: folded.factor, channel };
  }
  const channels = (channel === 3 ? [0, 1, 2, 3] : [0, 1, 2]).map((c) =>
    c === channel ? reads(c, folded.scale, folded.bias) : reads(c, 1, 0),
  );
  return { plan: planOf(slot, [texture], channels), factor: folded.factor, channel };
}
