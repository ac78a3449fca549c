// Plans the file of each slot of a material: the source's own bytes, or a recipe for new texels. Scales that texels cannot
// hold go into the material's factors. Pure; prepare.ts runs the recipes.

import {
  channelOf,
  FILE_SLOTS,
  type FileSlot,
  factorsOf,
  isSrgbSlot,
  type MaterialFactors,
  type SlotChannels,
  slotKind,
  type TextureSlot,
} from '../../scene/materialSlots.ts';
import type { Channel, SceneMaterial, SpecularGlossiness, TextureUse, Vec3, Vec4 } from '../../scene/types.ts';
import type { PreparedFactors } from '../types.ts';
import type { BakeChannel, BakePart, Conversion, Recipe } from './bake.ts';
import type { Charts } from './charts.ts';
import { capSize, type PlacedTexture, type Placement, texelsOf } from './route.ts';
import { type PackedSlot, sameSampling, sharedFiles } from './sharedFile.ts';

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

export interface MaterialPlan {
  readonly factors: PreparedFactors;
  readonly slots: readonly SlotPlan[];
}

function channelIndex(channel: Channel): number {
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

function planOf(
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

function copyOf(slot: FileSlot, texture: PlacedTexture): SlotPlan {
  return { slot, texture, recipe: null, charts: null, reduced: false, reads: null };
}

/** Whether UVs, encoding and colour space allow the file to be the source's own bytes. */
function isCopy(texture: PlacedTexture, colorSpace: 'srgb' | 'linear'): boolean {
  return texture.native && texture.source.info.copyable && texture.use.colorSpace === colorSpace;
}

function reads(channel: number, scale: number, bias: number): BakeChannel {
  return { part: 0, channel, scale, bias };
}

function isPlain(channel: BakeChannel | null, c: number): boolean {
  return channel !== null && channel.part === 0 && channel.channel === c && channel.scale === 1 && channel.bias === 0;
}

/** Scale and bias of a scalar go into the factor if it stays in [0, 1], otherwise into the texels. */
function foldScalar(factor: number, use: TextureUse, channel: number): { factor: number; scale: number; bias: number } {
  const scale = use.scale[channel];
  const bias = use.bias[channel];
  if (bias === 0 && scale >= 0 && (scale === 1 || factor * scale <= 1))
    return { factor: factor * scale, scale: 1, bias };
  return { factor, scale, bias };
}

/** Source channel of red, green and blue of a colour texture. */
function colorSources({ use, source }: PlacedTexture): Vec3 {
  const c = channelIndex(use.channel);
  if (use.channel === 'rgb' || (source.info.grey && c < 3)) return [0, 1, 2];
  return [c, c, c];
}

/** A metallic or roughness slot. The engine reads any channel, so texels stay in theirs and one file can serve several slots. */
function planScalar(slot: 'metallic' | 'roughness', texture: PlacedTexture, factor: number) {
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

/** A slot that the engine reads in red, so that any other channel is copied there: occlusion. */
function planRed(slot: FileSlot, texture: PlacedTexture): SlotPlan {
  const { use, source } = texture;
  const channel = channelIndex(use.channel);
  const isRed = channel === 0 || (source.info.grey && channel < 3);
  const scale = use.scale[channel];
  const bias = use.bias[channel];
  const plain = isRed && scale === 1 && bias === 0;
  if (plain && isCopy(texture, 'linear')) return copyOf(slot, texture);
  // If red is the right channel, green and blue stay: metallic and roughness may share the file.
  const channels = [0, 1, 2].map((c) => (plain ? reads(c, 1, 0) : reads(channel, scale, bias)));
  return planOf(slot, [texture], channels);
}

/** Normals: [0, 1] with green up; a flipped green arrives as scale -1 and bias 1. */
function planNormal(texture: PlacedTexture): SlotPlan {
  const { use } = texture;
  const channels = [0, 1, 2].map((c) => reads(c, use.scale[c], use.bias[c]));
  if (isCopy(texture, 'linear') && channels.every((channel, c) => isPlain(channel, c)))
    return copyOf('normal', texture);
  return planOf('normal', [texture], channels);
}

/**
 * Emission may exceed 1, a texel may not. A scale goes into the factor. With a bias that is impossible: the texels are
 * divided by the largest value and the factor is multiplied by it.
 */
function planEmissive(texture: PlacedTexture, factor: Vec3): { plan: SlotPlan; factor: Vec3 } {
  const { use, source } = texture;
  const from = colorSources(texture);
  const isScale = from.every((c) => use.bias[c] === 0 && use.scale[c] >= 0);
  let scaled: Vec3;
  let channels: BakeChannel[];
  if (isScale) {
    scaled = [factor[0] * use.scale[from[0]], factor[1] * use.scale[from[1]], factor[2] * use.scale[from[2]]];
    channels = from.map((c) => reads(c, 1, 0));
  } else {
    const peak = Math.max(1, ...from.flatMap((c) => [use.bias[c], use.scale[c] + use.bias[c]]));
    scaled = [factor[0] * peak, factor[1] * peak, factor[2] * peak];
    channels = from.map((c) => reads(c, use.scale[c] / peak, use.bias[c] / peak));
  }
  if (isCopy(texture, 'srgb') && channels.every((channel, c) => isPlain(channel, c))) {
    return { plan: copyOf('emissive', texture), factor: scaled };
  }
  // An existing alpha stays, so that base colour and emission from one image share one file.
  if (source.info.alpha && channels.every((channel, c) => isPlain(channel, c))) channels.push(reads(3, 1, 0));
  return { plan: planOf('emissive', [texture], channels), factor: scaled };
}

/**
 * Base colour with opacity in its alpha. Without an opacity texture the base image's alpha has no meaning: it is written as
 * 1, unless the material is opaque and no alpha is drawn.
 */
function planBaseColor(
  material: SceneMaterial,
  base: PlacedTexture | undefined,
  opacity: PlacedTexture | undefined,
): { plan: SlotPlan | null; factor: Vec4 } {
  let [red, green, blue, alpha] = material.baseColor;
  const textures: PlacedTexture[] = [];
  const channels: (BakeChannel | null)[] = [];
  if (base) {
    textures.push(base);
    const { use } = base;
    const from = colorSources(base);
    const rgb: Vec3 = [red, green, blue];
    const folds = from.every((c, i) => {
      const scale = use.scale[c];
      return use.bias[c] === 0 && scale >= 0 && (scale === 1 || rgb[i] * scale <= 1);
    });
    if (folds) [red, green, blue] = [red * use.scale[from[0]], green * use.scale[from[1]], blue * use.scale[from[2]]];
    for (const c of from) channels.push(folds ? reads(c, 1, 0) : reads(c, use.scale[c], use.bias[c]));
  } else {
    channels.push(null, null, null);
  }
  let opaque = false;
  if (opacity) {
    const channel = channelIndex(opacity.use.channel);
    const folded = foldScalar(alpha, opacity.use, channel);
    alpha = folded.factor;
    const own = base !== undefined && channel === 3 && sameSampling(base, opacity);
    if (!own) textures.push(opacity);
    const constant = own && !opacity.source.info.alpha && folded.scale === 1 && folded.bias === 0;
    if (!constant) channels.push({ part: textures.length - 1, channel, scale: folded.scale, bias: folded.bias });
  } else if (base?.source.info.alpha) {
    if (material.alphaMode === 'opaque') channels.push(reads(3, 1, 0));
    else opaque = true;
  }
  if (textures.length === 0) return { plan: null, factor: [red, green, blue, alpha] };
  const plain = channels.every((channel, c) => isPlain(channel, c));
  const copied = base !== undefined && !opaque && plain && isCopy(base, 'srgb');
  return {
    plan: copied ? copyOf('baseColor', base) : planOf('baseColor', textures, channels),
    factor: [red, green, blue, alpha],
  };
}

interface ScalarPlan {
  readonly plan: SlotPlan;
  readonly factor: number;
  readonly channel: number;
}

interface SurfacePlan {
  readonly base: { readonly plan: SlotPlan | null; readonly factor: Vec4 };
  readonly metallic: ScalarPlan | null;
  readonly roughness: ScalarPlan | null;
}

type Placed = (slot: TextureSlot) => PlacedTexture | undefined;

function planSurface(material: SceneMaterial, get: Placed): SurfacePlan {
  const metallic = get('metallic');
  const roughness = get('roughness');
  return {
    base: planBaseColor(material, get('baseColor'), get('opacity')),
    metallic: metallic ? planScalar('metallic', metallic, material.metallic) : null,
    roughness: roughness ? planScalar('roughness', roughness, material.roughness) : null,
  };
}

/**
 * Specular-glossiness: a base colour, and one file for metallic and roughness. Each depends on both textures, so each is
 * made of both, with the factors applied to the texels.
 */
function planConverted(material: SceneMaterial, factors: SpecularGlossiness, get: Placed): SurfacePlan {
  const diffuse = get('baseColor');
  const specular = get('metallic');
  const opacity = get('opacity');
  const colors = [diffuse, specular].filter((texture) => texture !== undefined);
  if (colors.length === 0) return planSurface(material, get);
  const parts = { diffusePart: diffuse ? 0 : -1, specularPart: specular ? colors.length - 1 : -1, factors };

  const textures = [...colors];
  const channels: (BakeChannel | null)[] = [null, null, null];
  let alpha = material.baseColor[3];
  if (opacity) {
    const channel = channelIndex(opacity.use.channel);
    const folded = foldScalar(alpha, opacity.use, channel);
    alpha = folded.factor;
    const own = diffuse !== undefined && channel === 3 && sameSampling(diffuse, opacity);
    if (!own) textures.push(opacity);
    channels.push({ part: own ? 0 : textures.length - 1, channel, scale: folded.scale, bias: folded.bias });
  }
  const packed = (slot: 'metallic' | 'roughness', channel: number): ScalarPlan => ({
    plan: {
      ...planOf(slot, colors, [null, null, null], { to: 'metallicRoughness', ...parts }),
      // It names the file.
      texture: specular ?? colors[0],
    },
    factor: 1,
    channel,
  });
  return {
    base: {
      plan: planOf('baseColor', textures, channels, { to: 'baseColor', ...parts }),
      factor: [1, 1, 1, alpha],
    },
    // glTF's own channels.
    metallic: packed('metallic', 2),
    roughness: packed('roughness', 1),
  };
}

/** Plans of packed maps: slots that can read one new file do so. */
function sharePacked(plans: readonly SlotPlan[], channels: SlotChannels): SlotPlan[] {
  const packed = plans.flatMap((plan): PackedSlot[] => {
    const { slot, texture, recipe } = plan;
    const channel = channelOf(slot, channels);
    if (channel === null) return [];
    const from = recipe === null ? reads(channel, 1, 0) : recipe.conversion ? null : recipe.channels[channel];
    return [{ slot, texture, channel, from, isCopy: recipe === null }];
  });
  const shared = sharedFiles(packed);
  return plans.map((plan) => {
    const { slot, texture } = plan;
    const file = shared.find(({ slots }) => slots.some((one) => one.slot === slot));
    return { ...(file ? planOf(slot, [texture], file.channels) : plan), reads: channelOf(slot, channels) };
  });
}

/** Plans every slot of a material. */
export function planMaterial(material: SceneMaterial, placement: Placement): MaterialPlan {
  const get: Placed = (slot) => placement.textures.get(slot);
  const glossy = material.specularGlossiness;
  const { base, metallic, roughness } = glossy ? planConverted(material, glossy, get) : planSurface(material, get);
  const emissiveTexture = get('emissive');
  const emissive = emissiveTexture ? planEmissive(emissiveTexture, material.emissive) : null;
  const normal = get('normal');
  const own: Partial<Record<FileSlot, SlotPlan | null | undefined>> = {
    baseColor: base.plan,
    normal: normal && planNormal(normal),
    metallic: metallic?.plan,
    roughness: roughness?.plan,
    emissive: emissive?.plan,
  };
  const slots = FILE_SLOTS.flatMap((slot) => {
    if (slotKind(slot).stored !== 'red') return own[slot] ?? [];
    const texture = get(slot);
    return texture ? planRed(slot, texture) : [];
  });
  const channels: SlotChannels = {
    roughnessChannel: roughness?.channel ?? 0,
    metallicChannel: metallic?.channel ?? 0,
  };
  const factors: MaterialFactors = {
    ...factorsOf(material),
    baseColor: base.factor,
    metallic: metallic?.factor ?? material.metallic,
    roughness: roughness?.factor ?? material.roughness,
    emissive: emissive?.factor ?? material.emissive,
  };
  return { slots: sharePacked(slots, channels), factors: { ...factors, ...channels } };
}
