// Plans the file of each slot of a material: the source's own bytes, or a recipe for new texels. Scales that texels cannot
// hold go into the material's factors. Pure; prepare.ts runs the recipes.

import {
  channelOf,
  FILE_SLOTS,
  type FileSlot,
  factorsOf,
  type MaterialFactors,
  type PlannedSlot,
  type SlotChannels,
  slotKind,
} from '../../scene/materialSlots.ts';
import type { SceneMaterial, Vec3, Vec4 } from '../../scene/types.ts';
import type { PreparedFactors } from '../types.ts';
import type { BakeChannel } from './bake.ts';
import type { PlacedTexture, Placement } from './route.ts';
import { type PackedSlot, sameSampling, sharedFiles } from './sharedFile.ts';
import {
  channelIndex,
  colorSources,
  copyOf,
  foldScalar,
  isCopy,
  isPlain,
  type Placed,
  planOf,
  planScalar,
  reads,
  type SlotPlan,
  type SurfacePlan,
} from './slotPlans.ts';
import { planConverted } from './specularPlans.ts';

export interface MaterialPlan {
  readonly factors: PreparedFactors;
  readonly slots: readonly SlotPlan[];
}

/** A slot that the engine reads in red, so that any other channel is copied there: occlusion, height. */
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
    // The engine draws glass with its alpha, whatever the alpha mode; an opaque material has none.
    if (material.alphaMode === 'opaque' && material.transmission === 0) channels.push(reads(3, 1, 0));
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

function planSurface(material: SceneMaterial, get: Placed): SurfacePlan {
  const metallic = get('metallic');
  const roughness = get('roughness');
  return {
    base: planBaseColor(material, get('baseColor'), get('opacity')),
    metallic: metallic ? planScalar('metallic', metallic, material.metallic) : null,
    roughness: roughness ? planScalar('roughness', roughness, material.roughness) : null,
  };
}

/** Plans of packed maps: slots that can read one new file do so. */
function sharePacked(plans: readonly SlotPlan[], channels: SlotChannels): SlotPlan[] {
  const packed = plans.flatMap((plan): PackedSlot[] => {
    const { slot, texture, recipe } = plan;
    const channel = channelOf(slot, channels);
    // Heights have files of their own kind.
    if (channel === null || slotKind(slot).texels === 'height') return [];
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
  const { specularWorkflow: workflow } = material;
  const converted = workflow ? planConverted(material, workflow, get) : null;
  const { base, metallic, roughness } = converted ?? planSurface(material, get);
  const emissiveTexture = get('emissive');
  const emissive = emissiveTexture ? planEmissive(emissiveTexture, material.emissive) : null;
  const normal = get('normal');
  const own: Record<PlannedSlot, SlotPlan | null | undefined> = {
    baseColor: base.plan,
    normal: normal && planNormal(normal),
    metallic: metallic?.plan,
    roughness: roughness?.plan,
    emissive: emissive?.plan,
  };
  const slots = FILE_SLOTS.flatMap((slot) => {
    if (slotKind(slot).stored !== 'red') return own[slot as PlannedSlot] ?? [];
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
